package pattern_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/pattern"
)

// tool matches files that are no part of the program.
var tool = regexp.MustCompile(`/(methodtest|docs|tools|examples)/`)

// TestExpressionsCompile: every expression of the module that is compiled late is valid, and none is
// compiled before main.
func TestExpressionsCompile(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2 {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		constants := map[string]ast.Expr{}
		for _, decl := range file.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range g.Specs {
				v, ok := spec.(*ast.ValueSpec)
				if ok && g.Tok == token.CONST && len(v.Values) == len(v.Names) {
					for k, name := range v.Names {
						constants[name.Name] = v.Values[k]
					}
				}
				if ok && g.Tok == token.VAR {
					for _, value := range v.Values {
						if called(value) == "regexp.MustCompile" && !tool.MatchString(path) {
							t.Errorf("%s: %s is compiled before main; use pattern.Lazy", path, v.Names[0].Name)
						}
					}
				}
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && called(e) == "pattern.Lazy" {
				found++
				text, ok := text(e.(*ast.CallExpr).Args[0], constants)
				if !ok {
					t.Errorf("%s: an expression is not made of constants of its file", path)
				} else if _, err := regexp.Compile(text); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || found < 30 {
		t.Errorf("%d expressions, %v", found, err)
	}
}

// called is the name of what an expression calls, with its package.
func called(e ast.Expr) string {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return ""
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	of, ok := selector.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return of.Name + "." + selector.Sel.Name
}

// text is the value of a constant string.
func text(e ast.Expr, constants map[string]ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.Ident:
		c, ok := constants[e.Name]
		if !ok {
			return "", false
		}
		return text(c, constants)
	case *ast.BinaryExpr:
		a, ok1 := text(e.X, constants)
		b, ok2 := text(e.Y, constants)
		return a + b, ok1 && ok2
	}
	return "", false
}

func TestLazy(t *testing.T) {
	p := pattern.Lazy(`^a+$`)
	if p() != p() || !p().MatchString("aa") || p().MatchString("ab") {
		t.Error("the expression is not compiled once")
	}
}
