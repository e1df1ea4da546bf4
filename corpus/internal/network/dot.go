package network

import (
	"io"
	"maps"
	"slices"
	"strings"
)

// readDOT reads the language of Graphviz: statements of nodes, edges, defaults and subgraphs.
func readDOT(b *builder, _ string) error {
	b.kind, b.unique, b.free = "DOT", "name", true
	p := &dot{scanner: newScanner(b), named: make(map[string][]int32), pairs: make(map[uint64]int)}
	if err := p.next(); err != nil {
		return err
	}
	if p.word("strict") {
		p.strict = true
		if err := p.next(); err != nil {
			return err
		}
	}
	switch {
	case p.word("digraph"):
		p.directed = true
	case !p.word("graph"):
		return b.in.Fail("", "holds no graph of Graphviz, which begins with graph or digraph; give the format of the file with ‹input-format›")
	}
	err := p.next()
	if err == nil && p.kind == dotID {
		err = p.next()
	}
	if err != nil {
		return err
	}
	if p.text != "{" || p.kind != dotSign {
		return p.unexpected("{")
	}
	if _, err = p.body(dotDefaults{}, p.began, 0); err != nil {
		return err
	}
	for _, e := range p.edges {
		if err := p.edge(e); err != nil {
			return err
		}
	}
	if err := p.next(); err != nil {
		return err
	}
	if p.kind != dotEnd {
		return b.several(p.began)
	}
	return nil
}

// The kinds of pieces of DOT.
const (
	dotEnd = iota
	dotID
	dotSign
)

// dot reads the statements of a file of DOT.
type dot struct {
	*scanner
	kind   int // of the piece that was read, its text, and the line where it begins
	text   string
	bare   bool // an ID without quotes, which may be a keyword
	began  int64
	pushed bool // next returns the same piece again

	strict, directed bool
	named            map[string][]int32 // the nodes of subgraphs with names
	edges            []dotEdge          // of a strict graph, which are added at its end
	pairs            map[uint64]int     // the places of these edges, by their nodes
}

// dotEdge is an edge and its attributes.
type dotEdge struct {
	from, to int32
	set      dotDefaults
	line     int64
}

// pairBytes is the estimated memory of an edge of a strict graph, with attributes of its own.
const pairBytes = 400

// dotDefaults are the attributes of edges to come.
type dotDefaults map[string]string

// word reports whether the piece is a keyword.
func (p *dot) word(name string) bool {
	return p.kind == dotID && p.bare && strings.EqualFold(p.text, name)
}

func (p *dot) sign(text string) bool { return p.kind == dotSign && p.text == text }

func (p *dot) unexpected(want string) error {
	if p.kind == dotEnd {
		return p.b.fail(p.line, "the file ends where %s is needed: it was cut off; copy or download it again", want)
	}
	return p.b.fail(p.began, "%s stands where %s is needed; correct it", clip(p.text), want)
}

// next reads the next piece.
func (p *dot) next() error {
	if p.pushed {
		p.pushed = false
		return nil
	}
	c, err := p.solid()
	p.began = p.line
	if err == io.EOF {
		p.kind, p.text = dotEnd, ""
		return nil
	}
	if err != nil {
		return err
	}
	p.kind, p.bare = dotID, false
	switch {
	case c == '"':
		return p.quoted()
	case c == '<':
		return p.markup()
	case c == '-' && (p.peek() == '-' || p.peek() == '>'):
		next, err := p.byte()
		p.kind, p.text = dotSign, "-"+string(next)
		return err
	case strings.IndexByte("{}[];,:=+", c) >= 0:
		p.kind, p.text = dotSign, string(c)
		return nil
	case !isDotWord(c) && c != '-':
		return p.b.fail(p.line, "%s stands where a name is needed; put names with such characters into quotes", clip(string(c)))
	}
	p.buf = append(p.buf[:0], c)
	for isDotWord(p.peek()) {
		if c, err = p.byte(); err == nil {
			err = p.keep(c, p.began)
		}
		if err != nil {
			return err
		}
	}
	p.text, p.bare = string(p.buf), true
	return nil
}

// isDotWord reports whether a byte may stand in a name without quotes, or in a number.
func isDotWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c >= 0x80
}

// solid reads the next byte that is neither blank nor in a comment.
func (p *dot) solid() (byte, error) {
	start := true // of a line, where # begins a comment
	for {
		c, err := p.byte()
		switch {
		case err != nil:
			return 0, err
		case c == '\n' || c == '\r':
			start = true
		case isBlank(c):
		case c == '#' && start, c == '/' && p.peek() == '/':
			if err := p.skipLine(); err != nil {
				return 0, err
			}
		case c == '/' && p.peek() == '*':
			if err := p.comment(); err != nil {
				return 0, err
			}
		default:
			return c, nil
		}
	}
}

// comment reads on behind */.
func (p *dot) comment() error {
	began := p.line
	last := byte(0)
	_, err := p.byte()
	for err == nil {
		var c byte
		if c, err = p.byte(); err == nil && c == '/' && last == '*' {
			return nil
		}
		last = c
	}
	if err == io.EOF {
		return p.b.cut(p.line, "a comment", began)
	}
	return err
}

// quoted reads a text up to its quote, and those that + joins to it.
func (p *dot) quoted() error {
	began := p.began
	var whole string
	for {
		p.buf = p.buf[:0]
		for {
			c, err := p.byte()
			if err == io.EOF {
				return p.b.cut(p.line, "a text", began)
			}
			if err != nil {
				return err
			}
			if c == '"' {
				break
			}
			if next := p.peek(); c == '\\' && (next == '"' || next == '\n' || next == '\r') {
				if c, err = p.byte(); err != nil {
					return err
				}
				if c == '\r' && p.peek() == '\n' {
					c, err = p.byte()
				}
				if err != nil || c != '"' {
					continue // an error comes again
				}
			}
			if err := p.keep(c, began); err != nil {
				return err
			}
		}
		if whole += string(p.buf); int64(len(whole)) > p.b.most {
			return p.b.fail(began, "a text is longer than an eighth of the memory that may be taken; correct it")
		}
		c, err := p.solid()
		if err == nil && c == '+' {
			if c, err = p.solid(); err == nil && c == '"' {
				continue
			}
		}
		if err == nil {
			err = p.r.UnreadByte()
		}
		if err != nil && err != io.EOF {
			return err
		}
		p.kind, p.text = dotID, whole
		return nil
	}
}

// markup reads a text in angle brackets.
func (p *dot) markup() error {
	p.buf = p.buf[:0]
	for depth := 1; ; {
		c, err := p.byte()
		if err == io.EOF {
			return p.b.cut(p.line, "a text in angle brackets", p.began)
		}
		if err != nil {
			return err
		}
		switch c {
		case '<':
			depth++
		case '>':
			depth--
		}
		if depth == 0 {
			p.text = string(p.buf)
			return nil
		}
		if err := p.keep(c, p.began); err != nil {
			return err
		}
	}
}

// body reads the statements up to the bracket that closes them, and returns the nodes in them.
func (p *dot) body(defaults dotDefaults, began int64, depth int) (nodes []int32, err error) {
	if depth > deepest {
		return nil, p.b.fail(began, "more than %d subgraphs are inside one another; correct it", deepest)
	}
	for {
		if err := p.next(); err != nil {
			return nil, err
		}
		switch {
		case p.kind == dotEnd:
			return nil, p.b.cut(p.line, "the graph", began)
		case p.sign("}"):
			slices.Sort(nodes)
			return slices.Compact(nodes), nil
		case p.sign(";"):
			continue
		}
		found, err := p.statement(defaults, depth)
		if err != nil {
			return nil, err
		}
		if depth > 0 {
			if err := p.b.in.Mem.Take(int64(len(found)), 4); err != nil {
				return nil, p.b.in.Wrap(p.b.at(began), err)
			}
			nodes = append(nodes, found...)
		}
	}
}

// statement reads a statement, and returns the nodes in it.
func (p *dot) statement(defaults dotDefaults, depth int) ([]int32, error) {
	if p.word("graph") || p.word("node") || p.word("edge") {
		edges := p.word("edge")
		return nil, p.list(func(name, value string) error {
			if edges {
				defaults[name] = value
			}
			return nil
		})
	}
	began := p.began
	first, single, err := p.end(defaults, depth)
	if err != nil {
		return nil, err
	}
	if first == nil && single {
		return nil, nil // an attribute of the graph
	}
	chain := [][]int32{first}
	all := slices.Clone(first)
	for {
		if err := p.next(); err != nil {
			return nil, err
		}
		if !p.sign("--") && !p.sign("->") {
			p.pushed = true
			break
		}
		if p.sign("->") != p.directed {
			return nil, p.b.fail(p.began, "%s joins nodes, where edges of a graph are written --, and those of a digraph ->; correct it", p.text)
		}
		if err := p.next(); err != nil {
			return nil, err
		}
		ends, _, err := p.end(defaults, depth)
		if err != nil {
			return nil, err
		}
		chain, all = append(chain, ends), append(all, ends...)
	}
	if len(chain) > 1 {
		own := dotDefaults{}
		if err := p.list(func(name, value string) error { own[name] = value; return nil }); err != nil {
			return nil, err
		}
		return all, p.chain(chain, defaults, own, began)
	}
	return all, p.list(func(name, value string) error {
		if !single || strings.EqualFold(name, "label") && value == `\N` {
			return nil
		}
		for _, n := range first {
			if err := p.b.set(n, name, value, began); err != nil {
				return err
			}
		}
		return nil
	})
}

// chain adds the edges between each set of nodes and the one behind it, with their own attributes
// and the defaults.
func (p *dot) chain(chain [][]int32, defaults, own dotDefaults, began int64) error {
	set := maps.Clone(defaults)
	maps.Copy(set, own)
	for k := 1; k < len(chain); k++ {
		for _, from := range chain[k-1] {
			for _, to := range chain[k] {
				e, add := dotEdge{from, to, set, began}, p.edge
				if p.strict {
					add = func(e dotEdge) error { return p.once(e, own) }
				}
				if err := add(e); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// edge adds an edge.
func (p *dot) edge(e dotEdge) error {
	for _, name := range slices.Sorted(maps.Keys(e.set)) {
		p.b.attribute(name, e.set[name])
	}
	return p.b.add(e.from, e.to, p.directed, e.line)
}

// once takes an edge of a strict graph. One that is there takes the own attributes of the new one.
func (p *dot) once(e dotEdge, own dotDefaults) error {
	from, to := e.from, e.to
	if !p.directed && from > to {
		from, to = to, from
	}
	key := uint64(from)<<32 | uint64(to)
	if k, there := p.pairs[key]; there {
		if len(own) > 0 {
			p.edges[k].set = maps.Clone(p.edges[k].set)
			maps.Copy(p.edges[k].set, own)
		}
		return nil
	}
	p.pairs[key] = len(p.edges)
	p.edges = append(p.edges, e)
	return p.b.in.Wrap(p.b.at(e.line), p.b.in.Mem.Take(pairBytes, 1))
}

// end reads a node, several with commas between, or a subgraph in its place. single says that it is
// no subgraph; no nodes then say that it is an attribute of the graph, name = value.
func (p *dot) end(defaults dotDefaults, depth int) (nodes []int32, single bool, err error) {
	began := p.began
	if p.sign("{") {
		nodes, err = p.body(maps.Clone(defaults), began, depth+1)
		return nodes, false, err
	}
	if p.word("subgraph") {
		return p.subgraph(defaults, depth)
	}
	if p.kind != dotID {
		return nil, false, p.unexpected("a node, an edge or }")
	}
	name := p.text
	if err := p.next(); err != nil {
		return nil, false, err
	}
	if p.sign("=") {
		if err := p.next(); err != nil {
			return nil, false, err
		}
		if p.kind != dotID {
			return nil, false, p.unexpected("a value")
		}
		return nil, true, nil
	}
	for {
		n, _, err := p.b.find(name, began)
		if err == nil {
			err = p.port()
		}
		if err != nil {
			return nil, false, err
		}
		if nodes = append(nodes, n); !p.sign(",") {
			break
		}
		if err := p.next(); err != nil {
			return nil, false, err
		}
		if p.kind != dotID {
			return nil, false, p.unexpected("a node")
		}
		name, began = p.text, p.began
		if err := p.next(); err != nil {
			return nil, false, err
		}
	}
	p.pushed = true
	return nodes, true, nil
}

// port reads on behind the place of a node where an edge ends.
func (p *dot) port() error {
	for p.sign(":") {
		if err := p.next(); err != nil {
			return err
		}
		if p.kind != dotID {
			return p.unexpected("a port")
		}
		if err := p.next(); err != nil {
			return err
		}
	}
	return nil
}

// subgraph reads a subgraph, or the name of one that was read before.
func (p *dot) subgraph(defaults dotDefaults, depth int) ([]int32, bool, error) {
	if err := p.next(); err != nil {
		return nil, false, err
	}
	name := ""
	if p.kind == dotID {
		name = p.text
		if err := p.next(); err != nil {
			return nil, false, err
		}
	}
	if !p.sign("{") {
		p.pushed = true
		return p.named[name], false, nil
	}
	nodes, err := p.body(maps.Clone(defaults), p.began, depth+1)
	if name != "" && err == nil {
		p.named[name] = nodes
	}
	return nodes, false, err
}

// list reads lists of attributes in brackets, if they follow.
func (p *dot) list(take func(name, value string) error) error {
	for {
		if err := p.next(); err != nil {
			return err
		}
		if !p.sign("[") {
			p.pushed = true
			return nil
		}
		began := p.began
		for {
			if err := p.next(); err != nil {
				return err
			}
			switch {
			case p.kind == dotEnd:
				return p.b.cut(p.line, "a list of attributes", began)
			case p.sign("]"):
			case p.sign(","), p.sign(";"):
				continue
			case p.kind != dotID:
				return p.unexpected("an attribute or ]")
			default:
				if err := p.pair(take); err != nil {
					return err
				}
				continue
			}
			break
		}
	}
}

// pair reads an attribute whose name was read.
func (p *dot) pair(take func(name, value string) error) error {
	name := p.text
	if err := p.next(); err != nil {
		return err
	}
	if !p.sign("=") {
		p.pushed = true
		return take(name, "true")
	}
	if err := p.next(); err != nil {
		return err
	}
	if p.kind != dotID {
		return p.unexpected("a value")
	}
	return take(name, p.text)
}
