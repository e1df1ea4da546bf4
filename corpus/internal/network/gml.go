package network

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// readGML reads GML: keys and values, where a list in brackets is a value too.
func readGML(b *builder, _ string) error {
	b.kind, b.unique = "GML", "id"
	p := gml{scanner: newScanner(b)}
	graphs := 0
	for {
		t, err := p.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if t.kind != gmlKey {
			return b.fail(t.line, "%s stands where a key of GML is needed, such as graph; correct it", clip(t.text))
		}
		v, err := p.value(t)
		if err != nil {
			return err
		}
		if v.kind != gmlOpen {
			continue
		}
		if !strings.EqualFold(t.text, "graph") {
			if err := p.skip(v.line, 0); err != nil {
				return err
			}
			continue
		}
		if graphs++; graphs > 1 {
			return b.several(t.line)
		}
		if err := p.graph(v.line); err != nil {
			return err
		}
	}
	if graphs == 0 {
		return b.in.Fail("", "holds no graph of GML, which begins with graph [; give the format of the file with ‹input-format›")
	}
	return nil
}

// The kinds of pieces of GML.
const (
	gmlKey = iota
	gmlNumber
	gmlString
	gmlOpen
	gmlClose
)

// gmlToken is a piece of GML, which begins in a line.
type gmlToken struct {
	kind int
	text string
	line int64
}

// gml reads the pieces of a file of GML.
type gml struct{ *scanner }

// next returns the next piece.
func (p *gml) next() (t gmlToken, err error) {
	c, err := p.byte()
	for err == nil && (isBlank(c) || c == '#') {
		if c == '#' {
			if err = p.skipLine(); err != nil {
				break
			}
		}
		c, err = p.byte()
	}
	if err != nil {
		return t, err
	}
	t.line = p.line
	switch c {
	case '[':
		t.kind, t.text = gmlOpen, "["
		return t, nil
	case ']':
		t.kind, t.text = gmlClose, "]"
		return t, nil
	case '"':
		t.kind = gmlString
		t.text, err = p.quoted(t.line)
		return t, err
	}
	p.buf = append(p.buf[:0], c)
	for next := p.peek(); next != 0 && !isBlank(next) && strings.IndexByte(`[]"`, next) < 0; next = p.peek() {
		if c, err = p.byte(); err == nil {
			err = p.keep(c, t.line)
		}
		if err != nil {
			return t, err
		}
	}
	t.text = string(p.buf)
	if p.buf[0] >= '0' && p.buf[0] <= '9' || strings.IndexByte("+-.", p.buf[0]) >= 0 {
		t.kind = gmlNumber
	}
	return t, nil
}

// quoted reads a string up to its closing quote, and decodes HTML entities in it.
func (p *gml) quoted(began int64) (string, error) {
	p.buf = p.buf[:0]
	for {
		c, err := p.byte()
		if err == io.EOF {
			return "", p.b.cut(p.line, "a text", began)
		}
		if err != nil {
			return "", err
		}
		if c == '"' {
			return html.UnescapeString(string(p.buf)), nil
		}
		if err := p.keep(c, began); err != nil {
			return "", err
		}
	}
}

// value reads the value of a key.
func (p *gml) value(key gmlToken) (gmlToken, error) {
	v, err := p.next()
	switch {
	case err == io.EOF:
		return v, p.b.fail(p.line, "the file ends behind the key %s: it was cut off; copy or download it again", clip(key.text))
	case err != nil:
		return v, err
	case v.kind == gmlClose:
		return v, p.b.fail(v.line, "the key %s has no value; correct it", clip(key.text))
	case v.kind == gmlKey: // NAN, or a word without quotes
		v.kind = gmlString
	}
	return v, nil
}

// pairs reads the pairs of a list up to its end. take reads on to the end of a value that is a
// list.
func (p *gml) pairs(began int64, what string, take func(key, value gmlToken) error) error {
	for {
		t, err := p.next()
		switch {
		case err == io.EOF:
			return p.b.cut(p.line, what, began)
		case err != nil:
			return err
		case t.kind == gmlClose:
			return nil
		case t.kind != gmlKey:
			return p.b.fail(t.line, "%s stands where a key is needed in %s; correct it", clip(t.text), what)
		}
		v, err := p.value(t)
		if err != nil {
			return err
		}
		if err := take(t, v); err != nil {
			return err
		}
	}
}

// deepest is how many lists may be open.
const deepest = 1000

// skip reads on to the end of a list.
func (p *gml) skip(began int64, depth int) error {
	if depth > deepest {
		return p.b.fail(p.line, "more than %d lists are inside one another; correct it", deepest)
	}
	return p.pairs(began, "a list", func(_, v gmlToken) error {
		if v.kind == gmlOpen {
			return p.skip(v.line, depth+1)
		}
		return nil
	})
}

// graph reads the list of a graph.
func (p *gml) graph(began int64) error {
	directed := false
	return p.pairs(began, "the graph", func(key, v gmlToken) error {
		switch name := strings.ToLower(key.text); {
		case name == "directed":
			directed = v.text == "1"
		case name == "node" && v.kind == gmlOpen:
			return p.node(v.line)
		case name == "edge" && v.kind == gmlOpen:
			return p.edge(v.line, directed)
		case v.kind == gmlOpen:
			return p.skip(v.line, 0)
		}
		return nil
	})
}

// gmlPair is a key and its value.
type gmlPair struct{ name, value string }

// node reads a node.
func (p *gml) node(began int64) error {
	id, has := "", false
	var list []gmlPair
	size := int64(0)
	err := p.pairs(began, "a node", func(key, v gmlToken) error {
		switch {
		case v.kind == gmlOpen && strings.EqualFold(key.text, "graph"):
			return p.b.nested(key.line)
		case v.kind == gmlOpen:
			return p.skip(v.line, 0) // how it is drawn
		case key.text == "id":
			id, has = v.text, true
		default:
			if size += int64(len(key.text)+len(v.text)) + 32; size > p.b.most {
				return p.b.in.Wrap(p.b.at(began), fmt.Errorf("a node of %d bytes", size))
			}
			list = append(list, gmlPair{key.text, v.text})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !has {
		return p.b.fail(began, "the node has no id; give it one")
	}
	n, err := p.b.node(id, began)
	for _, pair := range list {
		if err == nil {
			err = p.b.set(n, pair.name, pair.value, began)
		}
	}
	return err
}

// edge reads an edge.
func (p *gml) edge(began int64, directed bool) error {
	var ends [2]string
	var has [2]bool
	err := p.pairs(began, "an edge", func(key, v gmlToken) error {
		switch name := strings.ToLower(key.text); {
		case v.kind == gmlOpen:
			return p.skip(v.line, 0)
		case name == "source":
			ends[0], has[0] = v.text, true
		case name == "target":
			ends[1], has[1] = v.text, true
		case name != "id":
			p.b.attribute(key.text, v.text)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !has[0] || !has[1] {
		return p.b.fail(began, "the edge has no source or no target; correct it")
	}
	return p.b.join(ends[0], ends[1], directed, began)
}
