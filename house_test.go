package eigenmap_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/internal/must"
)

const modulePath = "github.com/eigenmap/eigenmap/"

// storeys are the layers of packages, the lowest first; docs/architecture.md has a diagram. Code
// imports only from lower layers, and within one layer only from packages of its own entry. If
// several entries are a prefix of a folder, the longest one applies.
var storeys = [][]string{
	{"internal/pattern"},
	{"progress", "internal/invalid", "internal/words", "internal/indices", "internal/cgroup", "internal/atomicfile", "internal/lock", "internal/regular", "internal/scikit", "internal/spreadsheet", "internal/dates", "internal/countdown", "internal/property", "internal/must", "internal/npy"},
	{"internal/option", "internal/memory", "internal/ranks", "internal/fault", "internal/shards"},
	{"native"},
	{"internal"},
	{"sparse"},
	{"internal/store", "internal/copies"},
	{"internal/store/storetest"},
	{"eigen"},
	{"corpus/internal"},
	{"corpus/internal/matrix", "corpus/internal/text"},
	{"corpus"},
	{"model"},
	{"methods/internal/rows", "methods/internal/pairs", "methods/internal/starts"},
	{"methods/graph", "methods/links"},
	{"methods/method"},
	{"methods/metrics", "methods/kmeans"},
	{"methods"},
	{"methods/registry", "methods/methodtest"},
	{"internal/report", "internal/request", "internal/summary", "internal/overtime"},
	{"internal/job"},
	{"internal/choosing", "internal/confidence"},
	{"internal/result", "internal/planning", "internal/reading"},
	{"internal/view"},
	{"internal/artefact"},
	{"internal/predicting", "internal/suggesting", "internal/evaluating", "internal/comparing", "internal/graphing"},
	{"internal/streaming", "internal/updating"},
	{"."},
	{"explore"},
	{"capi"},
	{"bench/papers"},
	{"bench"},
	{"cmd"},
	{"examples", "docs", "tools"},
}

const maxLines = 600

type sourceFile struct {
	path string // with slashes, relative to the root
	text []byte
	ast  *ast.File
	fset *token.FileSet
}

func (f sourceFile) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }
func (f sourceFile) dir() string  { return filepath.ToSlash(filepath.Dir(f.path)) }

// sources returns every Go file of the module that is not hidden, vendored or test data.
func sources(t *testing.T) []sourceFile {
	t.Helper()
	files := must.Get(parseOnce())(t)
	if len(files) == 0 {
		t.Fatal("no Go file found: the working directory is not the root of the module")
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
			if path != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "vendor" || name == "out" || name == "bin" || name == "build") {
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

// storey returns the layer of a folder and the entry that places it there, or -1 and "".
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
			t.Errorf("%s is in no layer: add its folder to the list in house_test.go and to docs/architecture.md", f.path)
			continue
		}
		for _, spec := range f.ast.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			target, ours := strings.CutPrefix(path, modulePath)
			if !ours {
				continue
			}
			below, targetEntry := storey(target)
			// Methods may import each other, for example semile imports le. The compiler rejects
			// import cycles.
			if entry == targetEntry {
				continue
			}
			if below >= level {
				t.Errorf("%s imports %s, which is not in a lower layer", f.path, target)
			}
		}
	}
}

// Package native calls C, and C calls package capi.
func TestHouseOnlyNativeAndCapiUseC(t *testing.T) {
	for _, f := range sources(t) {
		if strings.HasPrefix(f.path, "native/") || f.dir() == "capi" {
			continue
		}
		for _, spec := range f.ast.Imports {
			if spec.Path.Value == `"C"` {
				t.Errorf(`%s: import "C" outside native/ and capi/`, f.path)
			}
		}
	}
}

func TestHouseFilesAreShort(t *testing.T) {
	for _, f := range sources(t) {
		if lines := bytes.Count(f.text, []byte("\n")); lines > maxLines && !ast.IsGenerated(f.ast) {
			t.Errorf("%s has %d lines; one idea per file, at most %d lines", f.path, lines, maxLines)
		}
	}
	for _, path := range tracked(t) {
		switch filepath.Ext(path) {
		case ".py", ".js", ".c", ".h", ".cpp", ".f90", ".s", ".R", ".css":
		default:
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			continue // removed and not committed
		}
		if lines := bytes.Count(text, []byte("\n")); lines > maxLines && !bytes.HasPrefix(text, []byte("# Written by make docs")) {
			t.Errorf("%s has %d lines; one idea per file, at most %d lines", path, lines, maxLines)
		}
	}
}

// tracked lists the files that git tracks; none where there is no git.
func tracked(t *testing.T) []string {
	t.Helper()
	if _, err := os.Stat(".git"); err != nil {
		t.Log("this is no repository of git, so no file is tracked: ", err)
		return nil
	}
	list, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		t.Log("git cannot list its files here: ", err)
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00")
}

// maxColumns is the largest width of a comment line in characters; a tab counts as one.
const maxColumns = 100

func TestHouseCommentsAreNarrow(t *testing.T) {
	for _, f := range sources(t) {
		if ast.IsGenerated(f.ast) {
			continue
		}
		for _, line := range wideComments(f) {
			t.Errorf("%s:%d: the comment is wider than %d columns", f.path, line, maxColumns)
		}
	}
}

// wideComments returns the numbers of the lines of f that hold only a comment, or a part of one,
// and are wider than maxColumns. Directives such as go:build and the output of
// examples cannot be wrapped and are left out.
func wideComments(f sourceFile) []int {
	var wide []int
	lines := strings.Split(string(f.text), "\n")
	for _, group := range f.ast.Comments {
		for _, c := range group.List {
			start := f.fset.Position(c.Pos())
			if strings.HasPrefix(c.Text, "//go:") || strings.Contains(group.Text(), "Output:") || strings.TrimSpace(lines[start.Line-1][:start.Column-1]) != "" {
				continue
			}
			for n := start.Line; n <= f.fset.Position(c.End()).Line; n++ {
				if utf8.RuneCountInString(lines[n-1]) > maxColumns {
					wide = append(wide, n)
				}
			}
		}
	}
	return wide
}

func TestHouseFindsWideComments(t *testing.T) {
	long := strings.Repeat("ü", maxColumns)
	text := "package p\n\n//" + long[:2*(maxColumns-2)] + "\n//" + long + "\n/*\n" + long + "ü\n*/\n//go:generate " + long +
		"\nvar x = `\n//" + long + "` // " + long + "\n\nfunc f() {\n\t//" + long[:2*(maxColumns-2)] + "\n}\n"
	fset := token.NewFileSet()
	parsed := must.Get(parser.ParseFile(fset, "p.go", text, parser.ParseComments))(t)
	if got, want := wideComments(sourceFile{"p.go", []byte(text), parsed, fset}), []int{4, 6, 13}; !slices.Equal(got, want) {
		t.Errorf("wide lines %v, want %v", got, want)
	}
}

const maxBranches = 25

// TestHouseFunctionsAreSimple holds every function, tests included, to a cyclomatic complexity of
// at most maxBranches.
func TestHouseFunctionsAreSimple(t *testing.T) {
	for _, f := range sources(t) {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				if n := complexity(fn); n > maxBranches {
					t.Errorf("%s: function %s has cyclomatic complexity %d, more than %d: split it", f.fset.Position(fn.Pos()), fn.Name.Name, n, maxBranches)
				}
			}
		}
	}
}

// complexity is 1 and the number of branches: if, for, case with a condition, && and ||. Functions
// inside count with their function.
func complexity(fn *ast.FuncDecl) int {
	n := 1
	ast.Inspect(fn, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

func TestHouseCountsBranches(t *testing.T) {
	const src = `package p
func f(a, b bool, c []int) int {
	for range c {
		switch {
		case a && b || a:
		default:
		}
	}
	return func() int { if a { return 1 }; return 0 }()
}`
	f := must.Get(parser.ParseFile(token.NewFileSet(), "p.go", src, 0))(t)
	if n := complexity(f.Decls[0].(*ast.FuncDecl)); n != 6 {
		t.Errorf("complexity %d, not 6", n)
	}
}

func TestHouseNothingIsLeftOpen(t *testing.T) {
	// Each mark is written in two halves, so that this file does not contain it.
	for _, mark := range []string{"TO" + "DO", "FIX" + "ME", "XX" + "X", "not imple" + "mented", `panic("st` + `ub")`} {
		for _, f := range sources(t) {
			if i := bytes.Index(f.text, []byte(mark)); i >= 0 {
				t.Errorf("%s:%d: %q is left in", f.path, 1+bytes.Count(f.text[:i], []byte("\n")), mark)
			}
		}
	}
}

// TestHouseTablesAreFilled: no cell of a table in the documentation is a word in capitals that a
// figure was to replace.
func TestHouseTablesAreFilled(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("there are no pages: ", err)
	}
	blank := regexp.MustCompile(`\| *([A-Z]{7,}) *\|`)
	for _, page := range append(pages, "README.md") {
		text := must.Get(os.ReadFile(page))(t)
		for _, cell := range blank.FindAllSubmatch(text, -1) {
			if word := string(cell[1]); word != "LIBLINEAR" {
				t.Errorf("%s: the cell %s of a table has no figure", page, word)
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

// Nothing that is built, and no data, is kept by mistake: no file that git tracks is larger than
// 2 MB.
func TestHouseFilesAreSmall(t *testing.T) {
	const most = 2_000_000
	for _, path := range tracked(t) {
		info, err := os.Lstat(path)
		if err == nil && info.Size() > most {
			t.Errorf("%s has %d bytes, more than %d: a built program or data do not belong into the repository", path, info.Size(), most)
		}
	}
}

// wellKnown are methods of interfaces of the standard library, which documents them.
var wellKnown = map[string]bool{"Error": true, "Unwrap": true, "Is": true, "String": true, "Len": true, "Less": true, "Swap": true}

// undocumented returns the exported top-level names of a declaration without a comment. A comment
// on a group covers its members; methods of unexported types need none.
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
