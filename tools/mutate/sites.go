package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// site is one change of one file: the bytes [from, to) become text.
type site struct {
	dir, file string // with slashes, from the root of the module
	number    int    // in the draw, from 1
	line      int
	from, to  int
	text      string
	what      string
	idle      bool   // no result depends on it
	content   []byte // of the whole file
}

func (m site) place() string { return fmt.Sprintf("%s:%d: %s", m.file, m.line, m.what) }

// source is the changed file.
func (m site) source() []byte {
	return []byte(string(m.content[:m.from]) + m.text + string(m.content[m.to:]))
}

// String is the place, and the line before and after.
func (m site) String() string {
	start := strings.LastIndexByte(string(m.content[:m.from]), '\n') + 1
	end := m.to + strings.IndexByte(string(m.content[m.to:])+"\n", '\n')
	before := string(m.content[start:end])
	after := string(m.content[start:m.from]) + m.text + string(m.content[m.to:end])
	return fmt.Sprintf("%s\n-%s\n+%s\n", m.place(), before, after)
}

// sitesOf lists the changes of a package's files, in the order of the files and of the places.
func sitesOf(root, dir string) ([]site, error) {
	names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	var all []site
	for _, name := range names {
		// Options and method descriptions are texts and tags; tests are not changed.
		base := filepath.Base(name)
		if strings.HasSuffix(base, "_test.go") || base == "doc.go" || base == "method.go" || base == "options.go" || base == "errors.go" {
			continue
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		found, err := sites(dir+"/"+base, content)
		if err != nil {
			return nil, err
		}
		for i := range found {
			found[i].dir = dir
		}
		all = append(all, found...)
	}
	return all, nil
}

// other is what an operator becomes.
var other = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
}

// dropped are functions of package math whose argument takes their place.
var dropped = map[string]bool{"Abs": true, "Sqrt": true, "Exp": true, "Log": true}

// finder collects the changes of one file.
type finder struct {
	fset  *token.FileSet
	file  string
	text  []byte
	found []site
	idle  map[ast.Node]bool
	now   bool // whether the node that is visited is idle
}

func (f *finder) add(from, to token.Pos, text, what string) {
	at := f.fset.Position(from)
	f.found = append(f.found, site{file: f.file, line: at.Line, from: at.Offset, to: f.fset.Position(to).Offset, text: text, what: what, idle: f.now, content: f.text})
}

// idle marks the numbers beside an error that a function returns, the −1 of an error without a
// column, the size of the argument of math.Inf and math.IsInf, and the sizes of pieces of parallel
// work: no result depends on them.
func idle(tree *ast.File) map[ast.Node]bool {
	marks := map[ast.Node]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			if len(n.Results) < 2 {
				return true
			}
			last := n.Results[len(n.Results)-1]
			if id, ok := last.(*ast.Ident); ok && id.Name == "nil" {
				return true
			}
			if id, ok := last.(*ast.Ident); !ok || id.Name != "err" {
				if call, ok := last.(*ast.CallExpr); !ok || !strings.HasSuffix(nameOf(call), "Errorf") {
					return true
				}
			}
			for _, r := range n.Results[:len(n.Results)-1] {
				if l, ok := r.(*ast.BasicLit); ok {
					marks[l] = true
				}
			}
		case *ast.CallExpr:
			if nameOf(n) == "At" && len(n.Args) > 2 { // invalid.At
				for _, a := range n.Args[:2] {
					if minus, ok := a.(*ast.UnaryExpr); ok {
						marks[minus.X] = true
					}
				}
			}
			if name := nameOf(n); name == "IsInf" || name == "loop" {
				for _, a := range n.Args {
					if l, ok := a.(*ast.BasicLit); ok {
						marks[l] = true
					}
				}
			} else if strings.EqualFold(name, "grain") || name == "Inf" { // the sign of math.Inf counts, not the number
				ast.Inspect(n, func(in ast.Node) bool {
					marks[in] = true
					return true
				})
			}
		}
		return true
	})
	return marks
}

// nameOf is the name of the function that is called, without its package.
func nameOf(n *ast.CallExpr) string {
	switch fun := n.Fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

// sites lists the changes of one file.
func sites(file string, content []byte) ([]site, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, content, 0)
	if err != nil {
		return nil, err
	}
	f := &finder{fset: fset, file: file, text: content, idle: idle(tree)}
	ast.Inspect(tree, f.visit)
	return f.found, nil
}

// visit adds the changes of one node and says whether those inside it count.
func (f *finder) visit(n ast.Node) bool {
	f.now = f.idle[n]
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.CONST || n.Tok == token.VAR
	case *ast.FuncDecl:
		switch n.Name.Name { // texts, checks of options, estimates of memory
		case "String", "Error", "Validate", "Memory", "withDefaults":
			return false
		}
	case *ast.ArrayType:
		return false
	case *ast.CallExpr:
		return f.call(n)
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.AssignStmt:
		if to, ok := other[n.Tok]; ok {
			f.add(n.TokPos, n.TokPos+token.Pos(len(n.Tok.String())), to.String(), n.Tok.String()+" becomes "+to.String())
		}
	case *ast.UnaryExpr:
		if n.Op == token.SUB {
			if _, literal := n.X.(*ast.BasicLit); !literal || n.X.(*ast.BasicLit).Value != "1" { // -1 is a mark, mostly
				f.add(n.OpPos, n.OpPos+1, "", "the sign is dropped")
			}
		}
	case *ast.BasicLit:
		f.literal(n)
	}
	return true
}

func (f *finder) binary(n *ast.BinaryExpr) {
	for _, side := range []ast.Expr{n.X, n.Y} {
		if l, ok := side.(*ast.BasicLit); ok && l.Kind == token.STRING {
			return
		}
		if id, ok := side.(*ast.Ident); ok && (id.Name == "nil" || id.Name == "err") {
			return
		}
	}
	if to, ok := other[n.Op]; ok {
		f.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), to.String(), n.Op.String()+" becomes "+to.String())
	}
}

// call drops functions around their argument, and leaves out the arguments of messages.
func (f *finder) call(n *ast.CallExpr) bool {
	name := nameOf(n)
	if fun, ok := n.Fun.(*ast.SelectorExpr); ok {
		if pkg, ok := fun.X.(*ast.Ident); ok && pkg.Name == "math" && dropped[name] && len(n.Args) == 1 {
			f.add(n.Pos(), n.Args[0].Pos(), "(", "math."+name+" is dropped")
		}
	}
	switch name {
	case "Errorf", "Notef", "Report", "Sprintf", "New", "make", "panic", "At", "For", "Chunks":
		return name == "At" || name == "For" // their bodies and indices count
	case "clear":
		f.add(n.Pos(), n.Pos()+token.Pos(len("clear")), "_ = any", "clear is dropped")
	}
	return true
}

// literal changes a number: an integer to the next, another to its double.
func (f *finder) literal(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		if v, err := strconv.ParseInt(n.Value, 0, 64); err == nil && v < math.MaxInt32 {
			f.add(n.Pos(), n.End(), strconv.FormatInt(v+1, 10), n.Value+" becomes one more")
		}
	case token.FLOAT:
		if v, err := strconv.ParseFloat(n.Value, 64); err != nil || v == 0 {
			return
		}
		f.add(n.Pos(), n.End(), "(2 * "+n.Value+")", n.Value+" is doubled")
	}
}
