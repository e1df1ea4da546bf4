package main

import (
	"encoding/json"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// passage is what the search finds: the text under one heading.
type passage struct{ anchor, title, text string }

// passages divides a page at its headings of the levels 1 to 3.
func passages(doc ast.Node, source []byte) []passage {
	var all []passage
	var b strings.Builder
	flush := func() {
		if len(all) > 0 {
			all[len(all)-1].text = strings.Join(strings.Fields(b.String()), " ")
		}
		b.Reset()
	}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level > 3 {
				b.WriteString(plain(n, source) + " ")
				return ast.WalkSkipChildren, nil
			}
			flush()
			id, _ := n.AttributeString("id")
			anchor := string(id.([]byte))
			if n.Level == 1 {
				anchor = ""
			}
			all = append(all, passage{anchor: anchor, title: plain(n, source)})
			return ast.WalkSkipChildren, nil
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			b.Write(n.Lines().Value(source))
			b.WriteByte(' ')
		case *ast.Paragraph, *ast.TextBlock, *extast.TableCell:
			b.WriteString(plain(n, source))
			b.WriteByte(' ')
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	flush()
	return all
}

// index returns the script that holds all passages. It is a script and not JSON, because a page
// that was opened from a disk may load scripts and nothing else.
func (s *site) index() ([]byte, error) {
	var rows [][4]string
	for _, p := range s.sorted() {
		for _, g := range p.sections {
			to := p.url()
			if g.anchor != "" {
				to += "#" + g.anchor
			}
			rows = append(rows, [4]string{to, p.title, g.title, g.text})
		}
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return nil, err
	}
	return append(append([]byte("window.passages = "), text...), ";\n"...), nil
}
