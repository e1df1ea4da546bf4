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

// TestExpressionsCompile: every expression of the module that is compiled late is valid, and none
// is compiled before main.
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
		constants := namedValues(file, token.CONST)
		for name, value := range namedValues(file, token.VAR) {
			if called(value) == "regexp.MustCompile" && !tool.MatchString(path) {
				t.Errorf("%s: %s is compiled before main; use pattern.Lazy", path, name)
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

// namedValues are the values of the constants or variables of a file.
func namedValues(file *ast.File, kind token.Token) map[string]ast.Expr {
	values := map[string]ast.Expr{}
	for _, decl := range file.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != kind {
			continue
		}
		for _, spec := range g.Specs {
			if v := spec.(*ast.ValueSpec); len(v.Values) == len(v.Names) {
				for k, name := range v.Names {
					values[name.Name] = v.Values[k]
				}
			}
		}
	}
	return values
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
	if first := p(); p() != first || !first.MatchString("aa") || first.MatchString("ab") {
		t.Error("the expression is not compiled once")
	}
}
