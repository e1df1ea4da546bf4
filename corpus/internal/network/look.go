package network

import (
	"bytes"
	"io"
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// The beginnings of the formats of text, behind comments.
var (
	dotLine   = pattern.Lazy(`(?i)^(strict\s+)?(di)?graph(\s+("[^"]*"|[\w.]+|-?[\d.]+))?\s*\{`)
	gmlLine   = pattern.Lazy(`^(Creator\s+[^\n]*\n|Version\s+[^\n]*\n|comment\s+[^\n]*\n|#[^\n]*\n|\s+)*graph\s*(#[^\n]*\s*)?\[\s*(#[^\n]*\s*)*(\]|[A-Za-z]\w*\s+["\[\w.+-])`)
	pajekLine = pattern.Lazy(`(?i)^\*(network(\s[^\r\n]*)?[\r\n]+(\s*(%[^\r\n]*)?[\r\n]+)*\s*\*vertices\s+\d|vertices\s+\d+(\s+\d+)?\s*?([\r\n]|$))`)
	xmlGraphs = pattern.Lazy(`^<(?:\w+:)?(graphml|gexf)[\s>]`)
)

// Look returns the format that the first bytes of a file say; "" for none of them. [LooksNodeLink]
// says whether it is JSON.
func Look(head []byte) string {
	head = bytes.TrimPrefix(head, []byte(input.ByteOrderMark))
	if head = bytes.TrimLeft(head, " \t\r\n"); len(head) == 0 {
		return ""
	}
	if head[0] == '<' {
		if m := xmlGraphs().FindSubmatch(behindComments(head)); m != nil {
			return string(m[1])
		}
		return ""
	}
	if gmlLine().Match(head) {
		return "gml"
	}
	if head = behindComments(head); pajekLine().Match(head) {
		return "pajek"
	}
	if dotLine().Match(head) {
		return "dot"
	}
	return ""
}

// comments are the beginnings and ends of what may stand before a graph in XML, Pajek and DOT.
var comments = [][2]string{
	{"<?", "?>"}, {"<!--", "-->"}, {"<!DOCTYPE", ">"},
	{"/*", "*/"}, {"//", "\n"}, {"%", "\n"}, {"#", "\n"},
}

// behindComments cuts comments off the beginning of a text, and of XML all that stands before its
// first tag.
func behindComments(head []byte) []byte {
	for {
		head = bytes.TrimLeft(head, " \t\r\n")
		k := slices.IndexFunc(comments, func(c [2]string) bool { return bytes.HasPrefix(head, []byte(c[0])) })
		if k < 0 {
			return head
		}
		before, rest, _ := bytes.Cut(head, []byte(comments[k][1]))
		if comments[k][1] == ">" && bytes.Contains(before, []byte("[")) { // with declarations inside
			_, rest, _ = bytes.Cut(head, []byte("]>"))
		}
		head = rest
	}
}

// LooksNodeLink reports whether a file is JSON of a graph: one object, or one in its field elements
// or graph, with nodes and with links or edges that have a source and a target. An object with
// texts that others follow is a document of many. If the nodes are longer than what can be looked
// at, it reads on in a copy of the content.
func LooksNodeLink(in *input.File) (bool, error) {
	const most = 64 << 10
	head, err := in.Peek(most)
	if err != nil {
		return false, err
	}
	w := walker{}
	w.add(bytes.TrimPrefix(head, []byte(input.ByteOrderMark)))
	if w.graph() {
		return !(w.prose && w.more), nil
	}
	if w.done || len(head) < most || !slices.ContainsFunc(w.found[:], func(f found) bool { return f.nodes }) {
		return false, nil
	}
	r, done, err := in.Again()
	if err != nil {
		return false, nil // its reader says what is wrong
	}
	defer done()
	w = walker{}
	buf := make([]byte, most)
	for !w.done && !w.graph() {
		if err := in.Ctx.Err(); err != nil {
			return false, err
		}
		n, err := r.Read(buf)
		w.add(buf[:n])
		if err == io.EOF {
			break
		}
		if err != nil {
			return false, nil // the reader of the file says it
		}
	}
	return w.graph(), nil
}

// The objects in which nodes and links are looked for.
const (
	atTop = iota
	inElements
	inGraph
)

// found is what an object has.
type found struct{ nodes, links, source, target, says bool }

// walker follows the brackets and names of JSON, byte by byte.
type walker struct {
	begun, done bool
	more        bool // something follows the object
	prose       bool // it has a text of several words
	spaced      bool // the text that is read, or was read last, has several words
	says        int  // 1 + the object whose field directed or multigraph is read; 0: none
	quoted      bool
	escaped     bool
	depth       int
	word        []byte // the last text
	key         [4]string
	list        string
	listDepth   int
	found       [3]found
}

// graph reports whether a graph was found.
func (w *walker) graph() bool {
	for _, f := range w.found {
		if f.nodes && (f.links && f.source && f.target || f.says) {
			return true
		}
	}
	return false
}

// add takes more of the file.
func (w *walker) add(text []byte) {
	for i, c := range text {
		if w.done {
			w.more = w.more || len(bytes.TrimSpace(text[i:])) > 0
			return
		}
		w.take(c)
	}
}

// take takes one byte.
func (w *walker) take(c byte) {
	if w.says > 0 && !isBlank(c) {
		w.found[w.says-1].says = w.found[w.says-1].says || c == 't' || c == 'f'
		w.says = 0
	}
	switch {
	case w.escaped:
		w.escaped = false
	case w.quoted && c == '\\':
		w.escaped = true
	case c == '"':
		if w.quoted = !w.quoted; w.quoted {
			w.word, w.spaced = w.word[:0], false
		}
	case w.quoted:
		w.spaced = w.spaced || c == ' '
		if len(w.word) < 20 {
			w.word = append(w.word, c)
		}
	case c == ':':
		w.name(string(w.word))
	case c == ',':
		w.value()
	case c == '{' || c == '[':
		if !w.begun && c == '[' {
			w.done = true
			return
		}
		w.begun = true
		w.opens(c == '[')
		w.depth++
	case c == '}' || c == ']':
		w.value()
		if w.depth--; w.depth <= 0 {
			w.done = true
		}
		if w.depth < w.listDepth {
			w.list = ""
		}
	case !w.begun && !isBlank(c):
		w.done = true
	}
}

// value ends a value.
func (w *walker) value() {
	w.prose = w.prose || w.spaced && w.depth == 1
	w.spaced = false
}

// parent is the object that the fields at a depth belong to; -1 for none that counts.
func (w *walker) parent(depth int) int {
	switch {
	case depth == 1:
		return atTop
	case depth == 2 && w.key[1] == "elements":
		return inElements
	case depth == 2 && w.key[1] == "graph":
		return inGraph
	}
	return -1
}

// name takes the name of a field.
func (w *walker) name(name string) {
	w.spaced = false
	if w.depth < len(w.key) {
		w.key[w.depth] = name
	}
	if w.list != "" {
		f := &w.found[w.parent(w.listDepth-1)]
		f.source, f.target = f.source || name == "source", f.target || name == "target"
		return
	}
	if p := w.parent(w.depth); p >= 0 && (name == "directed" || name == "multigraph") {
		w.says = p + 1
	}
}

// opens takes a bracket before the depth changes.
func (w *walker) opens(list bool) {
	p := w.parent(w.depth)
	if p < 0 || w.list != "" {
		return
	}
	switch name := w.key[w.depth]; {
	case name == "nodes":
		w.found[p].nodes = true
	case list && (name == "links" || name == "edges"):
		w.found[p].links = true
		w.list, w.listDepth = name, w.depth+1
	}
}
