package network

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// readNodeLink reads JSON with lists of nodes and of links, as networkx, D3, Cytoscape, Graphology
// and JGF write graphs.
func readNodeLink(b *builder, _ string) error {
	b.kind, b.unique, b.free = "JSON", "id", true
	r := &bounded{r: b.in.Stream}
	if head, _ := b.in.Stream.Peek(len(input.ByteOrderMark)); string(head) == input.ByteOrderMark { // an error comes again
		_, _ = b.in.Stream.Discard(len(head))
	}
	r.allow(b.most)
	j := &nodeLink{b: b, r: r, d: json.NewDecoder(r), ends: make(map[string]int32)}
	j.d.UseNumber()
	err := j.open('{')
	if err == nil {
		err = j.object(0)
	}
	if err == nil {
		r.allow(b.most)
		if _, err = j.d.Token(); err == nil {
			return b.in.Fail(j.place(), "more follows behind the graph; write each graph into a file of its own, or give ‹input-format› jsonl if each line is a document")
		}
	}
	if err != nil && err != io.EOF {
		return j.wrap(err)
	}
	if !j.hasNodes || !j.hasLinks {
		return b.in.Fail("", "holds no graph, which is an object with a list nodes and a list links or edges; give the format of the file with ‹input-format›")
	}
	if len(j.beside) > 0 {
		b.in.Notef("Lists beside the graph that are not read: %s.", message.List(j.beside, 12))
	}
	return j.settle()
}

// bounded refuses to read more bytes than are allowed for a piece.
type bounded struct {
	r    *bufio.Reader
	left int64
}

// allow begins a piece of at most n bytes.
func (r *bounded) allow(n int64) { r.left = n + 1<<16 }

func (r *bounded) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, input.ErrMemory
	}
	n, err := r.r.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	return n, err
}

// nodeLink reads the objects of a graph in JSON.
type nodeLink struct {
	b *builder
	r *bounded
	d *json.Decoder

	hasNodes, hasLinks, directed bool
	nodes, links                 int64
	named                        bool     // the nodes have ids
	beside                       []string // lists that are not read
	// ends are the ends of links as they are written, by their numbers in from and to of the builder;
	// first is the link that names each of them.
	ends  map[string]int32
	texts []string
	first []int64
}

// errSyntax marks what is no JSON of a graph.
var errSyntax = errors.New("where another piece of JSON is needed")

func (j *nodeLink) place() string { return "byte " + strconv.FormatInt(j.d.InputOffset()+1, 10) }

// wrap makes an error one about the file.
func (j *nodeLink) wrap(err error) error {
	var syntax *json.SyntaxError
	switch {
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	case errors.As(err, &syntax), errors.Is(err, errSyntax):
		if strings.Contains(err.Error(), "unexpected end of JSON") {
			err = io.ErrUnexpectedEOF
			break
		}
		way := "correct it"
		if strings.Contains(err.Error(), "'N'") || strings.Contains(err.Error(), "'I'") {
			way = "numbers that are NaN or infinite are not JSON: write null in their place"
		}
		return j.b.in.Fail(j.place(), "is no JSON (%v); %s", err, way)
	}
	return j.b.in.Wrap(j.place(), err)
}

// token reads a piece of JSON inside of an object or a list.
func (j *nodeLink) token() (json.Token, error) {
	t, err := j.d.Token()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return t, err
}

// open reads a bracket.
func (j *nodeLink) open(bracket json.Delim) error {
	t, err := j.token()
	if err == nil && t != bracket {
		err = fmt.Errorf("%v stands %w", t, errSyntax)
	}
	return err
}

// skip reads on behind a value that begins with a piece.
func (j *nodeLink) skip(t json.Token) error {
	depth := 0
	for {
		switch t {
		case json.Delim('{'), json.Delim('['):
			if depth++; depth > deepest {
				return j.b.in.Fail(j.place(), "more than %d lists are inside one another; correct it", deepest)
			}
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth <= 0 {
			return nil
		}
		var err error
		j.r.allow(j.b.most)
		if t, err = j.token(); err != nil {
			return err
		}
	}
}

// object reads the fields of the graph, or of the object in it that holds it.
func (j *nodeLink) object(depth int) error {
	for j.d.More() {
		j.r.allow(j.b.most)
		key, err := j.token()
		if err != nil {
			return err
		}
		t, err := j.token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		switch list := t == json.Delim('['); {
		case name == "nodes" && (list || t == json.Delim('{')):
			err = j.once(&j.hasNodes, name)
			if err == nil {
				err = j.nodeList(list)
			}
		case (name == "links" || name == "edges") && list:
			err = j.once(&j.hasLinks, name)
			if err == nil {
				err = j.linkList()
			}
		case (name == "elements" || name == "graph") && t == json.Delim('{') && depth == 0:
			err = j.object(1)
		case name == "directed":
			j.directed = t == true
		case list && depth == 0:
			if err = j.list(name); err == nil {
				err = j.skip(t)
			}
		default:
			err = j.skip(t)
		}
		if err != nil {
			return err
		}
	}
	_, err := j.token()
	return err
}

// list takes a list beside the graph, which is not read.
func (j *nodeLink) list(name string) error {
	switch name {
	case "adjacency":
		return j.b.in.Fail("", "holds lists of neighbours (adjacency_data of networkx); write it with networkx.node_link_data in its place")
	case "graphs":
		return j.b.in.Fail("", "holds a list of graphs; write each into a file of its own")
	case "graph": // attributes, as networkx 1 wrote them
		return nil
	}
	if len(j.beside) < mostAttributes {
		j.beside = append(j.beside, name)
	}
	return nil
}

// once refuses a second list.
func (j *nodeLink) once(has *bool, name string) error {
	if *has {
		return j.b.in.Fail(j.place(), "has a second list %s; write each graph into a file of its own", name)
	}
	*has = true
	return nil
}

// field is a scalar field of a node or a link.
type field struct {
	name, text string
	scalar     bool
}

// fields reads the fields of an object behind its bracket, and those in its objects data,
// attributes and metadata.
func (j *nodeLink) fields(list []field, depth int) ([]field, error) {
	for j.d.More() {
		key, err := j.token()
		if err != nil {
			return nil, err
		}
		t, err := j.token()
		if err != nil {
			return nil, err
		}
		name, _ := key.(string)
		switch object := t == json.Delim('{') && depth == 0; {
		case object && (name == "data" || name == "attributes" || name == "metadata"):
			list, err = j.fields(list, 1)
		case object && (name == "source" || name == "target"):
			var node []field
			node, err = j.fields(nil, 1)
			list = append(list, field{name: name})
			if k := nameOf(node, "id", "key", "index"); k >= 0 {
				list[len(list)-1] = field{name, node[k].text, true}
			}
		default:
			var f field
			f, err = j.scalar(name, t)
			list = append(list, f)
		}
		if err != nil {
			return nil, err
		}
	}
	_, err := j.token()
	return list, err
}

// nameOf is the place of the first field of some names that has one value; -1 if there is none.
func nameOf(fields []field, names ...string) int {
	for _, name := range names {
		if k := slices.IndexFunc(fields, func(f field) bool { return f.name == name && f.scalar }); k >= 0 {
			return k
		}
	}
	return -1
}

// scalar is a field with a value that begins with a piece. Of a list of such values, as a
// tuple of Python is written, it is the text of the list.
func (j *nodeLink) scalar(name string, t json.Token) (field, error) {
	switch v := t.(type) {
	case string:
		return field{name, v, true}, nil
	case json.Number:
		return field{name, v.String(), true}, nil
	case bool:
		return field{name, strconv.FormatBool(v), true}, nil
	case nil:
		return field{name, "", true}, nil
	case json.Delim:
		if v == '[' {
			return j.tuple(name)
		}
	}
	return field{name: name}, j.skip(t)
}

// tuple reads a list of values as one text.
func (j *nodeLink) tuple(name string) (field, error) {
	var parts []string
	flat := true
	for j.d.More() {
		t, err := j.token()
		if err != nil {
			return field{}, err
		}
		if _, inside := t.(json.Delim); inside {
			flat = false
			if err := j.skip(t); err != nil {
				return field{}, err
			}
			continue
		}
		f, _ := j.scalar("", t) // reads no further
		parts = append(parts, f.text)
	}
	_, err := j.token()
	if !flat {
		return field{name: name}, err
	}
	return field{name, strings.Join(parts, ", "), true}, err
}

// nodeList reads the nodes: a list of objects or of names, or an object with a field for each.
func (j *nodeLink) nodeList(list bool) error {
	var fields []field
	for j.d.More() {
		j.r.allow(j.b.most)
		j.nodes++
		id, has := "", false
		if !list {
			key, err := j.token()
			if err != nil {
				return err
			}
			id, _ = key.(string)
			has = true
		}
		t, err := j.token()
		if err != nil {
			return err
		}
		fields = fields[:0]
		switch {
		case t == json.Delim('{'):
			if fields, err = j.fields(fields, 0); err != nil {
				return err
			}
		default:
			f, err := j.scalar("", t)
			if err != nil {
				return err
			}
			if !f.scalar {
				return j.b.in.Fail(fmt.Sprintf("node %d", j.nodes), "is neither an object nor a name; correct it")
			}
			if !has {
				id, has = f.text, true
			}
		}
		if err := j.node(id, has, fields); err != nil {
			return err
		}
	}
	_, err := j.token()
	return err
}

// node adds a node. Its id is the field id or key; where nodes have none they are called by their
// place in the list, from 0.
func (j *nodeLink) node(id string, has bool, fields []field) error {
	b := j.b
	b.unit = "node"
	from := -1
	if !has {
		if from = nameOf(fields, "id", "key"); from >= 0 {
			id, has = fields[from].text, true
		}
	}
	if j.nodes == 1 {
		j.named = has
		if !has {
			b.unique = "place"
		}
	}
	if has != j.named {
		return b.fail(j.nodes, "has %s id, where the first node has %s; give every node one", map[bool]string{true: "an", false: "no"}[has], map[bool]string{true: "one", false: "none"}[j.named])
	}
	if !has {
		id = strconv.FormatInt(j.nodes-1, 10)
	}
	n, err := b.node(id, j.nodes)
	for k, f := range fields {
		if err == nil && k != from {
			err = b.set(n, f.name, f.text, j.nodes)
		}
	}
	return err
}

// linkList reads the links.
func (j *nodeLink) linkList() error {
	var fields []field
	for j.d.More() {
		j.r.allow(j.b.most)
		j.links++
		j.b.unit = "link"
		err := j.open('{')
		if err == nil {
			fields, err = j.fields(fields[:0], 0)
		}
		if err == nil {
			err = j.link(fields)
		}
		if err != nil {
			return err
		}
	}
	_, err := j.token()
	return err
}

// link adds a link.
func (j *nodeLink) link(fields []field) error {
	var ends [2]int32
	has := 0
	arc := false
	for _, f := range fields {
		switch {
		case f.scalar && (f.name == "source" || f.name == "target"):
			n, err := j.end(f.text)
			if err != nil {
				return err
			}
			if has++; f.name == "source" {
				ends[0] = n
			} else {
				ends[1] = n
			}
		case f.name == "directed":
			arc = f.text == "true"
		case f.name == "id", f.name == "key", f.name == "undirected":
		default:
			j.b.attribute(f.name, f.text)
		}
	}
	if has != 2 {
		return j.b.fail(j.links, "has no source or no target that is a node's name; correct it")
	}
	return j.b.add(ends[0], ends[1], arc, j.links)
}

// end is the number of an end of a link.
func (j *nodeLink) end(text string) (int32, error) {
	text = lexical.Tidy(text)
	if n, known := j.ends[text]; known {
		return n, nil
	}
	if err := j.b.in.Mem.Take(nodeBytes+int64(len(text)), 1); err != nil {
		return 0, j.b.in.Wrap(j.b.at(j.links), err)
	}
	n := int32(len(j.texts))
	j.ends[text] = n
	j.texts, j.first = append(j.texts, text), append(j.first, j.links)
	return n, nil
}

// settle finds the nodes that the ends of the links are: by their ids, else by their places in the
// list from 0, as networkx before version 2 and D3 before version 4 have them, else by their names.
func (j *nodeLink) settle() error {
	b := j.b
	if j.directed {
		b.arcs = len(b.from)
	}
	b.unit = "link"
	number := make([]int32, len(j.texts))
	missing := j.resolve(number, func(text string) (int32, bool) {
		n, ok := b.number[text]
		return n, ok
	})
	if j.named {
		places := make([]int32, len(j.texts))
		switch fits := j.resolve(places, j.position) < 0; {
		case missing >= 0 && fits:
			b.in.Notef("The links name the nodes by their places in the list, from 0.")
			number, missing = places, -1
		case fits && !slices.Equal(number, places):
			b.in.Notef("The links name the nodes by their ids; these are numbers that could be places in the list, too, and would join others.")
		}
	}
	if names := b.attributes["name"]; missing >= 0 && !j.named && names != nil {
		if by := numberOf(names.Spread(len(b.ids))); by != nil && j.resolve(number, func(text string) (int32, bool) { n, ok := by[text]; return n, ok }) < 0 {
			missing = -1
		}
	}
	if missing >= 0 {
		return b.fail(j.first[missing], "the end %s is the %s of no node; add the node, or take the link out", clip(j.texts[missing]), b.unique)
	}
	for k := range b.from {
		b.from[k], b.to[k] = number[b.from[k]], number[b.to[k]]
	}
	return nil
}

// resolve finds the nodes of all ends, and returns the first end that has none; -1: all have one.
func (j *nodeLink) resolve(number []int32, find func(string) (int32, bool)) int {
	for i, text := range j.texts {
		n, ok := find(text)
		if !ok {
			return i
		}
		number[i] = n
	}
	return -1
}

// position is the node at a place in the list.
func (j *nodeLink) position(text string) (int32, bool) {
	n, err := strconv.Atoi(text)
	return int32(n), err == nil && n >= 0 && n < len(j.b.ids)
}

// numberOf are the places of names that differ; nil if two are alike.
func numberOf(names []string) map[string]int32 {
	by := make(map[string]int32, len(names))
	for i, name := range names {
		by[name] = int32(i)
	}
	if len(by) < len(names) {
		return nil
	}
	return by
}
