package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// modulePath is the import path of the repository's root.
const modulePath = "github.com/eigenmap/eigenmap"

// symbol is one exported name of a package with its signature on one line.
type symbol struct {
	dir  string // folder of the package, relative to the root
	text string // such as "func Fit(x *sparse.Matrix) (*Model, error)"
	// inside are the types of internal packages that the signature names, as "folder.Type".
	inside []string
}

// apiPage returns docs/api.txt: the exported names of every package that another module can
// import, without comments, sorted by package and then by line.
func apiPage(root string) (page, error) {
	all, _, err := symbols(root)
	if err != nil {
		return page{}, err
	}
	var b bytes.Buffer
	b.WriteString("The exported names of every package that other modules can import, written by make docs.\n")
	dir := ""
	for _, s := range all {
		if s.dir != dir {
			dir = s.dir
			fmt.Fprintf(&b, "\npackage %s\n", path.Join(modulePath, dir))
		}
		fmt.Fprintf(&b, "    %s\n", s.text)
	}
	return page{"docs/api.txt", b.Bytes()}, nil
}

// symbols returns the exported names of all public packages, sorted, and the types of internal
// packages that have a public alias, as "folder.Type".
func symbols(root string) (all []symbol, aliased map[string]bool, err error) {
	packages, err := parsePackages(root)
	if err != nil {
		return nil, nil, err
	}
	aliased = map[string]bool{}
	for dir, files := range packages {
		if isInternal(dir) {
			continue
		}
		for _, f := range files {
			for _, d := range f.Decls {
				all = append(all, declared(packages, dir, f, d, aliased)...)
			}
		}
	}
	for i := range all {
		all[i].text = byAlias(packages, all[i])
	}
	slices.SortFunc(all, func(a, b symbol) int {
		if c := strings.Compare(a.dir, b.dir); c != 0 {
			return c
		}
		return strings.Compare(a.text, b.text)
	})
	return all, aliased, nil
}

// byAlias returns the text of a symbol with internal types under the aliases that its package has
// for them.
func byAlias(packages map[string][]*ast.File, s symbol) string {
	if strings.HasPrefix(s.text, "type ") {
		return s.text
	}
	return selector.ReplaceAllStringFunc(s.text, func(text string) string {
		for _, f := range packages[s.dir] {
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, spec := range g.Specs {
					t, ok := spec.(*ast.TypeSpec)
					if !ok || !t.Assign.IsValid() || oneLine(t.Type) != text {
						continue
					}
					if target, _, ok := inModule(f, t.Type); ok && isInternal(target) {
						return t.Name.Name
					}
				}
			}
		}
		return text
	})
}

// selector is a name of another package.
var selector = regexp.MustCompile(`\b[a-z]\w*\.[A-Z]\w*`)

// isInternal reports whether only this module can import the folder.
func isInternal(dir string) bool { return slices.Contains(strings.Split(dir, "/"), "internal") }

// parsePackages parses the files of every package but programs as they are built for Linux on
// amd64 without cgo, by folder relative to the root. Tests are left out.
func parsePackages(root string) (map[string][]*ast.File, error) {
	target := build.Default
	target.GOOS, target.GOARCH, target.CgoEnabled, target.BuildTags = "linux", "amd64", false, nil
	packages := map[string][]*ast.File{}
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root && (strings.HasPrefix(name, ".") || slices.Contains([]string{"testdata", "out", "bin", "lib", "shared"}, name)):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		if match, err := target.MatchFile(filepath.Dir(file), name); err != nil || !match {
			return err
		}
		parsed, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil || parsed.Name.Name == "main" {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(file))
		packages[filepath.ToSlash(dir)] = append(packages[filepath.ToSlash(dir)], parsed)
		return err
	})
	if err == nil && len(packages) == 0 {
		err = errors.New(root + ": no package: run it in the repository's root")
	}
	if errors.Is(err, os.ErrNotExist) {
		err = fmt.Errorf("a file was removed while it was read: %w", err)
	}
	return packages, err
}

// declared returns the exported names of one declaration. Aliases of internal types are added to
// aliased, and the members of their types listed with them.
func declared(packages map[string][]*ast.File, dir string, f *ast.File, d ast.Decl, aliased map[string]bool) []symbol {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if s, ok := function(dir, f, d); ok {
			return []symbol{s}
		}
	case *ast.GenDecl:
		var all []symbol
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				all = append(all, values(dir, f, d.Tok.String(), s)...)
			case *ast.TypeSpec:
				if !s.Name.IsExported() {
					continue
				}
				all = append(all, typed(dir, f, s.Name.Name, s)...)
				all = promoted(packages, dir, f, s, all)
				if target, name, ok := inModule(f, s.Type); ok && s.Assign.IsValid() && isInternal(target) {
					aliased[target+"."+name] = true
					all = append(all, members(packages, dir, s.Name.Name, target, name)...)
				}
			}
		}
		return all
	}
	return nil
}

// function returns the symbol of a function or method, false if its name or its receiver's is not
// exported.
func function(dir string, f *ast.File, d *ast.FuncDecl) (symbol, bool) {
	signature := strings.TrimPrefix(oneLine(d.Type), "func")
	if d.Recv == nil {
		return symbol{dir, "func " + d.Name.Name + signature, inside(dir, f, d.Type)}, d.Name.IsExported()
	}
	receiver := oneLine(d.Recv.List[0].Type)
	exported := ast.IsExported(receiverName(d))
	return symbol{dir, "method (" + receiver + ") " + d.Name.Name + signature, inside(dir, f, d.Type)}, exported && d.Name.IsExported()
}

// receiverName returns the name of a method's type, without pointer and type parameters.
func receiverName(d *ast.FuncDecl) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(oneLine(d.Recv.List[0].Type), "*"), "[")
	return name
}

// values returns the exported constants or variables of a line with their types, if it names them.
func values(dir string, f *ast.File, kind string, s *ast.ValueSpec) []symbol {
	var all []symbol
	for _, name := range s.Names {
		if !name.IsExported() {
			continue
		}
		text, in := kind+" "+name.Name, []string(nil)
		if s.Type != nil {
			text, in = text+" "+oneLine(s.Type), inside(dir, f, s.Type)
		}
		all = append(all, symbol{dir, text, in})
	}
	return all
}

// typed returns a type under the given name, the exported fields of a struct and the methods of an
// interface.
func typed(dir string, f *ast.File, name string, s *ast.TypeSpec) []symbol {
	head := "type " + name
	if s.TypeParams != nil {
		head += "[" + strings.TrimSuffix(strings.TrimPrefix(oneLine(&ast.FuncType{Params: s.TypeParams}), "func("), ")") + "]"
	}
	var fields *ast.FieldList
	kind := ""
	switch t := s.Type.(type) {
	case *ast.StructType:
		fields, kind = t.Fields, "struct"
	case *ast.InterfaceType:
		fields, kind = t.Methods, "interface"
	default:
		if s.Assign.IsValid() { // an alias gives an internal type a public name
			return []symbol{{dir, head + " = " + oneLine(s.Type), nil}}
		}
		return []symbol{{dir, head + " " + oneLine(s.Type), inside(dir, f, s.Type)}}
	}
	all := []symbol{{dir, head + " " + kind, inside(dir, f, s.TypeParams)}}
	for _, field := range fields.List {
		text := oneLine(field.Type)
		if len(field.Names) == 0 {
			embedded := text[strings.LastIndexAny(text, ".*")+1:]
			if kind == "interface" || ast.IsExported(embedded) {
				all = append(all, symbol{dir, "embedded " + name + ": " + text, inside(dir, f, field.Type)})
			}
		}
		for _, n := range field.Names {
			switch {
			case !n.IsExported():
			case kind == "interface":
				all = append(all, symbol{dir, "method (" + name + ") " + n.Name + strings.TrimPrefix(text, "func"), inside(dir, f, field.Type)})
			default:
				all = append(all, symbol{dir, "field " + name + "." + n.Name + " " + text, inside(dir, f, field.Type)})
			}
		}
	}
	return all
}

// members returns the fields and methods of the type called name in the folder target, as members
// of its alias in dir.
func members(packages map[string][]*ast.File, dir, alias, target, name string) []symbol {
	var all []symbol
	for _, f := range packages[target] {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil && receiverName(d) == name {
					if s, ok := function(target, f, d); ok {
						s.text = strings.Replace(s.text, name, alias, 1)
						all = append(all, s)
					}
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok && s.Name.Name == name {
						all = append(all, typed(target, f, alias, s)[1:]...)
					}
				}
			}
		}
	}
	for i := range all {
		all[i].dir = dir
	}
	return all
}

// promoted lists the exported fields and methods that a struct has of embedded types of internal
// packages as its own, in place of the embedded types.
func promoted(packages map[string][]*ast.File, dir string, f *ast.File, s *ast.TypeSpec, all []symbol) []symbol {
	t, ok := s.Type.(*ast.StructType)
	if !ok {
		return all
	}
	for _, field := range t.Fields.List {
		e := field.Type
		if p, ok := e.(*ast.StarExpr); ok {
			e = p.X
		}
		target, name, ok := inModule(f, e)
		if len(field.Names) > 0 || !ok || !isInternal(target) {
			continue
		}
		text := "embedded " + s.Name.Name + ": " + oneLine(field.Type)
		all = slices.DeleteFunc(all, func(own symbol) bool { return own.text == text })
		all = append(all, members(packages, dir, s.Name.Name, target, name)...)
	}
	return all
}

// inside returns the types of internal packages that a node of the folder dir names, as
// "folder.Type", in order.
func inside(dir string, f *ast.File, node ast.Node) []string {
	var found []string
	if list, ok := node.(*ast.FieldList); node == nil || ok && list == nil {
		return nil
	}
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if target, name, ok := inModule(f, n); ok && isInternal(target) {
				found = append(found, target+"."+name)
			}
			return false
		case *ast.Ident:
			if isInternal(dir) && n.IsExported() {
				found = append(found, dir+"."+n.Name)
			}
		}
		return true
	})
	return found
}

// inModule returns the folder and name of an expression such as sparse.Matrix, false if it is none
// or its package is of another module.
func inModule(f *ast.File, e ast.Expr) (dir, name string, ok bool) {
	selected, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", "", false
	}
	from, ok := selected.X.(*ast.Ident)
	if !ok {
		return "", "", false
	}
	for _, i := range f.Imports {
		dir, ours := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), modulePath+"/")
		if local := path.Base(dir); ours && (i.Name == nil && local == from.Name || i.Name != nil && i.Name.Name == from.Name) {
			return dir, selected.Sel.Name, true
		}
	}
	return "", "", false
}

var spaces = regexp.MustCompile(`\s+`)

// oneLine prints a type on one line.
func oneLine(node any) string {
	var b bytes.Buffer
	// A bytes.Buffer takes everything, and the parser made the node.
	_ = printer.Fprint(&b, token.NewFileSet(), node)
	return spaces.ReplaceAllString(b.String(), " ")
}
