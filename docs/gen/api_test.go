package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// unnamed are the public names whose signatures have types of internal packages without a public
// alias, which other modules therefore cannot write, and why each may stay.
var unnamed = map[string]string{
	". field Field.Kind":              "a program reads Range, Choices and Default; the kind is for the flags of the command line",
	". method (*Field) Current":       "the command line's help of the options that a file on the disk settles",
	". field Folder.Origin":           "the command line sets it for the manifest, field by field",
	". method (*Folder) Abandon":      "the command line's interrupt: nothing is done with the stage but to print it",
	"eigen method (*Hasher) Key":      "the store's own; an operator only adds to the hash",
	"methods/gmm field Ridges.Levels": "[]float64 with an exact JSON form; values of []float64 can be assigned",
}

// A public signature names only types that other modules can write, but for the known exceptions.
func TestPublicSignaturesNamePublicTypes(t *testing.T) {
	all, aliased, err := symbols(root)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, s := range all {
		hidden := slices.DeleteFunc(s.inside, func(name string) bool { return aliased[name] })
		if len(hidden) == 0 {
			continue
		}
		name := s.dir + " " + s.name()
		if found[name] = true; unnamed[name] == "" {
			t.Errorf("%s: %s names %s, which other modules cannot write: export an alias, or hide the name", s.dir, s.text, strings.Join(hidden, " and "))
		}
	}
	for name := range unnamed {
		if !found[name] {
			t.Errorf("%s names no internal type any more: remove it from the list", name)
		}
	}
}

// name returns the kind and name of a symbol, without its types.
func (s symbol) name() string {
	words := strings.Fields(s.text)
	if words[0] == "method" {
		words[1] += " " + words[2]
	}
	name, _, _ := strings.Cut(strings.Join(words[:2], " "), "[")
	if i := strings.LastIndex(name, "("); i > len("method (") || strings.HasPrefix(name, "func ") && i > 0 {
		name = name[:i]
	}
	return name
}

// Each kind of declaration becomes a line; what is not exported does not.
func TestDeclared(t *testing.T) {
	const source = `package p

import (
	"context"
	other "github.com/eigenmap/eigenmap/internal/option"
)

const A, b = 1, 2
var V map[string]int
type T[K comparable] struct {
	X, y int ` + "`json:\"x\"`" + `
	*other.Field
	other.Amount
	hidden
}
type I interface { Do(ctx context.Context) error }
type Same = other.Field
func F(
	x int,
	f func(*other.Field),
) (y []int, err error) { return nil, nil }
func (t *T[K]) M() {}
func (t hidden) M() {}
func g() {}
type hidden struct { X int }
`
	f := must.Get(parser.ParseFile(token.NewFileSet(), "p.go", source, parser.SkipObjectResolution))(t)
	const dir = "internal/option"
	target := must.Get(parser.ParseFile(token.NewFileSet(), "o.go", "package option\ntype Kind int\ntype Field struct { Kind Kind; own int }\nfunc (f *Field) Set() error { return nil }", 0))(t)
	var got []string
	var in [][]string
	aliased := map[string]bool{}
	for _, d := range f.Decls {
		for _, s := range declared(map[string][]*ast.File{dir: {target}}, "p", f, d, aliased) {
			got, in = append(got, s.text), append(in, s.inside)
		}
	}
	want := []string{
		"const A", "var V map[string]int", "type T[K comparable] struct", "field T.X int", "field T.Kind Kind", "method (*T) Set() error",
		"type I interface", "method (I) Do(ctx context.Context) error", "type Same = other.Field", "field Same.Kind Kind", "method (*Same) Set() error",
		"func F(x int, f func(*other.Field)) (y []int, err error)", "method (*T[K]) M()",
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%q\nnot %q", got, want)
	}
	for i, names := range map[int]string{4: dir + ".Kind", 5: "", 8: "", 9: dir + ".Kind", 11: dir + ".Field"} {
		if strings.Join(in[i], " ") != names {
			t.Errorf("%s names %q, not %s", got[i], in[i], names)
		}
	}
	if !aliased[dir+".Field"] || len(aliased) != 1 {
		t.Errorf("aliases %v", aliased)
	}
}
