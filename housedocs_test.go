package eigenmap_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// notLayered matches folders that the table of layers need not name: the commands below a folder
// that it names, examples, and what serves the tests of one package.
var notLayered = regexp.MustCompile(`^(\.|examples(/.*)?|cmd/eigenmap/.*|bench/cmd/.*|.*test)$`)

// The table of layers in docs/architecture.md names every folder with Go code, and no other.
func TestHouseArchitectureNamesPackages(t *testing.T) {
	text := must.Get(os.ReadFile("docs/architecture.md"))(t)
	named := namedFolders(string(text))
	if len(named) < 100 {
		t.Fatalf("the table of layers in docs/architecture.md names %d folders", len(named))
	}
	for _, dir := range named {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			t.Errorf("docs/architecture.md names %s, and there is no such folder", dir)
		}
	}
	seen := map[string]bool{}
	for _, f := range sources(t) {
		if dir := f.dir(); !seen[dir] && !notLayered.MatchString(dir) && !slices.Contains(named, dir) {
			t.Errorf("docs/architecture.md does not name %s: add it to the table of layers", dir)
		}
		seen[f.dir()] = true
	}
}

// namedFolders returns the folders in the second column of the first table. A name without a slash
// is in the folder of the name before it.
func namedFolders(text string) (named []string) {
	code := regexp.MustCompile("`([^`]+)`")
	_, table, _ := strings.Cut(text, "|---|---|---|")
	table, _, _ = strings.Cut(table, "\n\n")
	for row := range strings.Lines(table) {
		cells := strings.Split(row, "|")
		if len(cells) < 4 || strings.Contains(cells[2], "the root") {
			continue
		}
		parent := ""
		for _, m := range code.FindAllStringSubmatch(cells[2], -1) {
			dir := m[1]
			if strings.Contains(dir, "/") {
				parent = path.Dir(dir)
			}
			named = append(named, path.Join(parent, path.Base(dir)))
		}
	}
	return named
}

func TestHouseNamedFolders(t *testing.T) {
	got := namedFolders("text\n\n| layer | package | content |\n|---|---|---|\n| a | `x/y`, `z` | `no` |\n| | the root, `r` | |\n| | `w` | |\n\n| | `after` | |\n")
	if want := []string{"x/y", "x/z", "w"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// link is a name in brackets in a comment: [Name] or [Name.Field].
var link = regexp.MustCompile(`\[\*?([A-Z]\w*[a-z]\w*)(?:\.(\w+))?\](?:\W|$)`)

// danglingLinks returns the links in the comments of a package's files that name nothing in it.
// Fields and methods are looked for where the type says all of them: it is neither an alias nor has
// embedded fields.
func danglingLinks(files []sourceFile) (list []string) {
	known, open := map[string]bool{}, map[string]bool{}
	for _, f := range files {
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				known[strings.TrimPrefix(receiver(d)+"."+d.Name.Name, ".")] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ValueSpec:
						for _, n := range s.Names {
							known[n.Name] = true
						}
					case *ast.TypeSpec:
						known[s.Name.Name], open[s.Name.Name] = true, s.Assign.IsValid()
						ast.Inspect(s.Type, func(n ast.Node) bool {
							if field, ok := n.(*ast.Field); ok {
								open[s.Name.Name] = open[s.Name.Name] || field.Names == nil
								for _, n := range field.Names {
									known[s.Name.Name+"."+n.Name] = true
								}
							}
							return true
						})
					}
				}
			}
		}
	}
	for _, f := range files {
		for _, group := range f.ast.Comments {
			for _, m := range link.FindAllStringSubmatch(group.Text(), -1) {
				if !known[m[1]] || m[2] != "" && !open[m[1]] && !known[m[1]+"."+m[2]] {
					list = append(list, f.path+": "+strings.TrimSpace(m[0]))
				}
			}
		}
	}
	return list
}

// receiver is the name of the type of a method; "" of a function.
func receiver(d *ast.FuncDecl) (name string) {
	if d.Recv != nil {
		ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && name == "" {
				name = id.Name
			}
			return true
		})
	}
	return name
}

// Links in comments name what there is in their package.
func TestHouseLinksInComments(t *testing.T) {
	packages := map[string][]sourceFile{}
	for _, f := range sources(t) {
		if !f.isTest() {
			packages[f.dir()] = append(packages[f.dir()], f)
		}
	}
	for _, files := range packages {
		for _, text := range danglingLinks(files) {
			t.Errorf("%s: there is no such name in the package: write it with its package, or without brackets", text)
		}
	}
	const code = "package p\n\n// Tree is [Tree.A], [Tree.B], [*Use], [Use.Any], [None] and a FILE [FILE].\ntype Tree struct{ A int }\n\n// Use is [Tree.M].\ntype Use = Tree\n\nfunc (t *Tree) M() {}\n"
	fset := token.NewFileSet()
	parsed := must.Get(parser.ParseFile(fset, "p.go", code, parser.ParseComments))(t)
	if got, want := danglingLinks([]sourceFile{{path: "p.go", ast: parsed}}), []string{"p.go: [Tree.B],", "p.go: [None]"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
