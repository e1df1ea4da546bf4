package main

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// anchors gives headings the anchors that GitHub gives them, so that a link works on both.
type anchors map[string]int

// slug returns the anchor of a heading without regard to others: lower case, blanks as hyphens,
// without punctuation.
func slug(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, strings.TrimSpace(title))
}

func (a anchors) of(title string) string {
	id := slug(title)
	n := a[id]
	a[id]++
	if n > 0 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return id
}

// render makes the page's HTML from Markdown and returns the faults that it finds.
func (p *page) render(root string, source []byte) (faults []error) {
	// Attributes for the alignment of columns: the policy of the site allows no style in a tag.
	tables := extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))
	md := goldmark.New(goldmark.WithExtensions(tables, extension.Strikethrough),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(blocks{}, 100))))
	doc := md.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext()))
	ids := anchors{}
	fault := func(err error) {
		if err != nil {
			faults = append(faults, err)
		}
	}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			title := plain(n, source)
			id := ids.of(title)
			n.SetAttributeString("id", []byte(id))
			p.ids[id] = true
			if n.Level == 1 && p.title == "" {
				p.title = title
			}
			p.headings = append(p.headings, heading{n.Level, id, title})
		case *ast.Link:
			n.Destination = p.follow(root, n.Destination, fault)
		case *ast.Image:
			if strings.Contains(string(n.Destination), "://") {
				fault(fmt.Errorf("%s: the picture %s is not in the repository", p.path, n.Destination))
			}
			n.Destination = p.follow(root, n.Destination, fault)
			n.SetAttributeString("loading", []byte("lazy"))
		case *ast.HTMLBlock:
			fault(p.comment(n.Lines().Value(source)))
		case *ast.RawHTML:
			fault(p.comment(n.Segments.Value(source)))
		}
		return ast.WalkContinue, nil
	})
	p.sections = passages(doc, source)
	var b bytes.Buffer
	fault(md.Renderer().Render(&b, source, doc))
	p.body = b.String()
	return faults
}

// follow returns the destination of a link in the site, and keeps where it leads.
func (p *page) follow(root string, dest []byte, fault func(error)) []byte {
	to, inside, err := resolve(root, p, string(dest))
	fault(err)
	if inside != nil {
		p.links = append(p.links, *inside)
	}
	return []byte(to)
}

// comment refuses HTML other than comments, which the site would not show.
func (p *page) comment(text []byte) error {
	if t := strings.TrimSpace(string(text)); !strings.HasPrefix(t, "<!--") {
		return fmt.Errorf("%s: HTML in Markdown is left out: %s", p.path, t)
	}
	return nil
}

// plain returns the text of a node without its marks.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
			if t.SoftLineBreak() || t.HardLineBreak() {
				b.WriteByte(' ')
			}
		}
		if s, ok := n.(*ast.String); ok && entering {
			b.Write(s.Value)
		}
		return ast.WalkContinue, nil
	})
	return html.UnescapeString(b.String())
}

// blocks renders what the site shows in its own way: code, tables, headings and comments.
type blocks struct{}

func (blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			writeCode(w, string(n.(*ast.FencedCodeBlock).Language(source)), string(n.Lines().Value(source)))
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			writeCode(w, "", string(n.Lines().Value(source)))
		}
		return ast.WalkSkipChildren, nil
	})
	nothing := func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkSkipChildren, nil
	}
	r.Register(ast.KindHTMLBlock, nothing)
	r.Register(ast.KindRawHTML, nothing)
	r.Register(extast.KindTable, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString("<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"table\"><table>\n")
		} else {
			_, _ = w.WriteString("</tbody></table></div>\n")
		}
		return ast.WalkContinue, nil
	})
	r.Register(extast.KindTableHeader, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString("<thead>\n<tr>\n")
		} else {
			_, _ = w.WriteString("</tr>\n</thead>\n<tbody>\n")
		}
		return ast.WalkContinue, nil
	})
	r.Register(extast.KindTableRow, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString("<tr>\n")
		} else {
			_, _ = w.WriteString("</tr>\n")
		}
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindHeading, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		h := n.(*ast.Heading)
		id, _ := h.AttributeString("id")
		if entering {
			fmt.Fprintf(w, "<h%d id=\"%s\">", h.Level, id)
			return ast.WalkContinue, nil
		}
		if h.Level > 1 {
			fmt.Fprintf(w, " <a class=\"anchor\" href=\"#%s\" aria-label=\"link to this part\">#</a>", id)
		}
		fmt.Fprintf(w, "</h%d>\n", h.Level)
		return ast.WalkContinue, nil
	})
}

// writeCode writes a block of code. A mermaid diagram becomes a picture if it is a flow chart of
// the kind that diagram knows; otherwise its source is shown.
func writeCode(w util.BufWriter, language, code string) {
	if language == "mermaid" {
		if svg, err := diagram(code); err == nil {
			fmt.Fprintf(w, "<figure class=\"diagram\" tabindex=\"0\">%s</figure>\n", svg)
			return
		}
	}
	class := ""
	if language != "" {
		class = fmt.Sprintf(" class=\"language-%s\"", html.EscapeString(language))
	}
	fmt.Fprintf(w, "<div class=\"code\"><pre tabindex=\"0\"><code%s>%s</code></pre></div>\n", class, colours(language, code))
}

// colours returns code as HTML, with comments of shell blocks and the prompts, and the commands
// after them, marked.
func colours(language, code string) string {
	var b strings.Builder
	for _, line := range strings.SplitAfter(code, "\n") {
		switch {
		case strings.HasPrefix(line, "$ "):
			fmt.Fprintf(&b, "<b class=\"prompt\">$ </b><b>%s</b>", html.EscapeString(line[2:]))
		case language == "sh":
			command, comment, found := strings.Cut(line, "#")
			if found && (command == "" || strings.HasSuffix(command, " ")) {
				fmt.Fprintf(&b, "%s<i>#%s</i>", html.EscapeString(command), html.EscapeString(comment))
			} else {
				b.WriteString(html.EscapeString(line))
			}
		default:
			b.WriteString(html.EscapeString(line))
		}
	}
	return b.String()
}

// listing makes the page of a file that is shown as it is.
func listing(p *page, source []byte) {
	p.title = p.path
	p.body = fmt.Sprintf("<h1>%s</h1>\n<div class=\"code\"><pre tabindex=\"0\"><code>%s</code></pre></div>\n", html.EscapeString(p.path), html.EscapeString(string(source)))
}
