package eigenmap_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const modulePath = "github.com/eigenmap/eigenmap/"

// storeys are the packages from the ground up; docs/architecture.md draws them. Code imports from
// lower storeys only, and within one storey only from packages of its own entry. The longest entry
// that a folder starts with is the one that holds.
var storeys = [][]string{
	{"progress", "internal/invalid", "internal/atomicfile", "internal/lock", "internal/memory", "internal/scikit"},
	{"native"},
	{"internal"},
	{"sparse"},
	{"eigen"},
	{"corpus/internal"},
	{"corpus/matrix", "corpus/text"},
	{"corpus"},
	{"methods/internal/pairs"},
	{"methods/graph", "methods/metrics", "methods/kmeans"},
	{"methods"},
	{"model"},
	{"bench/papers", "internal/report"},
	{"bench"},
	{"cmd"},
	{"examples"},
}

const maxLines = 600

type sourceFile struct {
	path string // slashes, relative to the root
	text []byte
	ast  *ast.File
	fset *token.FileSet
}

func (f sourceFile) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }
func (f sourceFile) dir() string  { return filepath.ToSlash(filepath.Dir(f.path)) }

// sources returns every Go file of the module that is not hidden, vendored or test data.
func sources(t *testing.T) []sourceFile {
	t.Helper()
	files, err := parseOnce()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no Go file found: the test does not stand in the module's root")
	}
	return files
}

var parseOnce = sync.OnceValues(func() (files []sourceFile, err error) {
	fset := token.NewFileSet()
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "vendor" || name == "out" || name == "bin") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, ".") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(fset, path, text, parser.ParseComments)
		if err != nil {
			return err
		}
		files = append(files, sourceFile{filepath.ToSlash(path), text, parsed, fset})
		return nil
	})
	return files, err
})

// storey returns the number of the storey that a folder stands in and the entry that says so.
func storey(dir string) (level int, entry string) {
	level = -1
	for i, entries := range storeys {
		for _, e := range entries {
			if (dir == e || strings.HasPrefix(dir, e+"/")) && len(e) > len(entry) {
				level, entry = i, e
			}
		}
	}
	return level, entry
}

func TestHouseImportsGoDown(t *testing.T) {
	for _, f := range sources(t) {
		if f.isTest() {
			continue
		}
		level, entry := storey(f.dir())
		if level < 0 {
			t.Errorf("%s stands in no storey: place its folder in the list of house_test.go and in docs/architecture.md", f.path)
			continue
		}
		for _, spec := range f.ast.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			target, ours := strings.CutPrefix(path, modulePath)
			if !ours {
				continue
			}
			below, targetEntry := storey(target)
			// Methods build on one another: semi-le on le. The compiler forbids circles.
			if entry == targetEntry {
				continue
			}
			if below >= level {
				t.Errorf("%s imports %s, which does not stand on a lower storey", f.path, target)
			}
		}
	}
}

func TestHouseOnlyNativeUsesC(t *testing.T) {
	for _, f := range sources(t) {
		if strings.HasPrefix(f.path, "native/") {
			continue
		}
		for _, spec := range f.ast.Imports {
			if spec.Path.Value == `"C"` {
				t.Errorf(`%s: import "C" outside native/`, f.path)
			}
		}
	}
}

func TestHouseFilesAreShort(t *testing.T) {
	for _, f := range sources(t) {
		if lines := bytes.Count(f.text, []byte("\n")); lines > maxLines && !ast.IsGenerated(f.ast) {
			t.Errorf("%s has %d lines; one idea a file, at most %d lines", f.path, lines, maxLines)
		}
	}
}

func TestHouseNothingIsLeftOpen(t *testing.T) {
	// Spelt in two halves, so that this file does not find itself.
	for _, mark := range []string{"TO" + "DO", "FIX" + "ME", "XX" + "X", "not imple" + "mented", `panic("st` + `ub")`} {
		for _, f := range sources(t) {
			if i := bytes.Index(f.text, []byte(mark)); i >= 0 {
				t.Errorf("%s:%d: %q is left in", f.path, 1+bytes.Count(f.text[:i], []byte("\n")), mark)
			}
		}
	}
}

func TestHousePackagesAndExportsAreDocumented(t *testing.T) {
	documented := map[string]bool{}
	first := map[string]string{}
	for _, f := range sources(t) {
		if f.isTest() {
			continue
		}
		if first[f.dir()] == "" {
			first[f.dir()] = f.path
		}
		if f.ast.Doc.Text() != "" {
			documented[f.dir()] = true
		}
		if f.ast.Name.Name != "main" {
			for _, decl := range f.ast.Decls {
				for _, name := range undocumented(decl) {
					t.Errorf("%s: exported %s has no doc comment", f.fset.Position(name.Pos()), name.Name)
				}
			}
		}
	}
	for dir, path := range first {
		if !documented[dir] {
			t.Errorf("%s: package %s has no package comment", path, dir)
		}
	}
}

// wellKnown are methods whose interface in the standard library says all there is to say.
var wellKnown = map[string]bool{"Error": true, "Unwrap": true, "Is": true, "String": true, "Len": true, "Less": true, "Swap": true}

// undocumented returns the exported top-level names of a declaration that carry no comment. A
// comment on a group speaks for its members; methods of unexported types are not asked.
func undocumented(decl ast.Decl) []*ast.Ident {
	var names []*ast.Ident
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Doc.Text() == "" && d.Name.IsExported() && receiverExported(d) && !(d.Recv != nil && wellKnown[d.Name.Name]) {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		if d.Doc.Text() != "" {
			return nil
		}
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Doc.Text() == "" && s.Name.IsExported() {
					names = append(names, s.Name)
				}
			case *ast.ValueSpec:
				if s.Doc.Text() != "" || s.Comment.Text() != "" {
					continue
				}
				for _, name := range s.Names {
					if name.IsExported() {
						names = append(names, name)
					}
				}
			}
		}
	}
	return names
}

func receiverExported(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	kind := d.Recv.List[0].Type
	for {
		switch x := kind.(type) {
		case *ast.StarExpr:
			kind = x.X
		case *ast.IndexExpr:
			kind = x.X
		case *ast.IndexListExpr:
			kind = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}
