package network

import (
	"cmp"
	"io"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/records"
)

// xmlAttribute is an attribute that a file of XML declares for its nodes or its edges.
type xmlAttribute struct {
	name     string
	edge     bool // of edges
	node     bool // of nodes
	standard string
	has      bool // it has a standard value
}

// item is the node or edge that is being read.
type item struct {
	open   bool
	edge   bool
	id     string
	label  string
	ends   [2]string
	arc    bool
	weight string
	line   int64
	set    []gmlPair
}

// xmlGraph reads the elements of GraphML and of GEXF.
type xmlGraph struct {
	b        *builder
	e        *records.Elements
	declared map[string]*xmlAttribute // by kind and id
	order    []*xmlAttribute
	current  *xmlAttribute // which is being declared
	graphs   int
	depth    int  // graphs that are open
	directed bool // edges are, unless they say otherwise
	item     item
	text     strings.Builder
	keep     bool   // text is wanted
	data     string // the attribute of which a value is read
	ofEdges  bool   // the attributes that are being declared belong to edges
}

// read reads a file of a kind, in which there must be a graph.
func (x *xmlGraph) read(kind, encoding string, opening func(*records.Element) error, closing func(name string) error) error {
	x.b.kind, x.b.unique = kind, "id"
	err := x.elements(encoding, opening, closing)
	if err == nil && x.graphs == 0 {
		err = x.b.in.Fail("", "holds no <graph> of %s; give the format of the file with ‹input-format›", kind)
	}
	return err
}

// elements reads all elements.
func (x *xmlGraph) elements(encoding string, opening func(*records.Element) error, closing func(name string) error) (err error) {
	if x.e, err = records.OpenElements(x.b.in, encoding, x.b.most); err != nil {
		return err
	}
	x.declared = make(map[string]*xmlAttribute)
	for {
		t, err := x.e.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case t.Text != nil:
			if x.keep {
				if x.text.Write(t.Text); int64(x.text.Len()) > x.b.most {
					return x.b.fail(t.Line, "a value is longer than an eighth of the memory that may be taken; correct it")
				}
			}
		case t.Closes:
			err = closing(t.Name)
		default:
			err = opening(t)
		}
		if err != nil {
			return err
		}
	}
}

// value begins to keep the text of the element.
func (x *xmlGraph) value() {
	x.text.Reset()
	x.keep = true
}

// taken ends it and returns the text.
func (x *xmlGraph) taken() string {
	x.keep = false
	return strings.TrimSpace(x.text.String())
}

// declare takes a declaration of an attribute.
func (x *xmlGraph) declare(id, name string, node, edge bool) {
	if len(x.order) >= mostAttributes {
		x.current = nil
		return
	}
	x.current = &xmlAttribute{name: name, node: node, edge: edge}
	x.order = append(x.order, x.current)
	if node {
		x.declared["node "+id] = x.current
	}
	if edge {
		x.declared["edge "+id] = x.current
	}
}

// standard takes the standard value of the attribute that is declared.
func (x *xmlGraph) standard(value string) {
	if x.current != nil {
		x.current.standard, x.current.has = value, true
	}
}

// begin begins a node or an edge.
func (x *xmlGraph) begin(e *records.Element, edge bool) error {
	if x.item.open {
		if !edge && !x.item.edge {
			return x.b.nested(e.Line)
		}
		return x.b.fail(e.Line, "<%s> stands inside of the node or edge that begins in line %d; correct it", e.Name, x.item.line)
	}
	x.item = item{open: true, edge: edge, id: e.Attribute("id"), label: e.Attribute("label"), line: e.Line, set: x.item.set[:0]}
	if edge {
		x.item.ends, x.item.weight, x.item.arc = [2]string{e.Attribute("source"), e.Attribute("target")}, e.Attribute("weight"), x.directed
		if x.item.ends[0] == "" || x.item.ends[1] == "" {
			return x.b.fail(e.Line, "the edge has no source or no target; correct it")
		}
	} else if x.item.id == "" {
		return x.b.fail(e.Line, "the node has no id; give it one")
	}
	return nil
}

// set takes a value of the node or edge that is read, by the id of the attribute.
func (x *xmlGraph) set(id, value string) {
	kind := "node "
	if x.item.edge {
		kind = "edge "
	}
	name := id
	if a := x.declared[kind+id]; a != nil {
		name = a.name
	}
	x.item.set = append(x.item.set, gmlPair{name, value})
}

// end ends a node or an edge.
func (x *xmlGraph) end() error {
	b, it := x.b, &x.item
	if !it.open {
		return nil
	}
	it.open = false
	if it.edge {
		for _, a := range x.order {
			if a.edge && a.has {
				b.attribute(a.name, a.standard)
			}
		}
		if it.weight != "" {
			b.attribute("weight", it.weight)
		}
		for _, pair := range it.set {
			b.attribute(pair.name, pair.value)
		}
		return b.join(it.ends[0], it.ends[1], it.arc, it.line)
	}
	n, err := b.node(it.id, it.line)
	if err == nil && it.label != "" {
		err = b.set(n, "label", it.label, it.line)
	}
	for _, a := range x.order {
		if err == nil && a.node && a.has {
			err = b.set(n, a.name, a.standard, it.line)
		}
	}
	for _, pair := range it.set {
		if err == nil {
			err = b.set(n, pair.name, pair.value, it.line)
		}
	}
	return err
}

// readGraphML reads GraphML, and the labels that yEd draws.
func readGraphML(b *builder, encoding string) error {
	x := &xmlGraph{b: b}
	return x.read("GraphML", encoding, x.openGraphML, x.closeGraphML)
}

// openGraphML takes the beginning of an element of GraphML.
func (x *xmlGraph) openGraphML(e *records.Element) error {
	switch e.Name {
	case "key":
		name, of := e.Attribute("attr.name"), e.Attribute("for")
		if name == "" {
			name = e.Attribute("id")
		}
		x.declare(e.Attribute("id"), name, of == "node" || of == "all" || of == "", of == "edge" || of == "all" || of == "")
	case "default":
		x.value()
	case "graph":
		switch {
		case x.depth > 0:
			return x.b.nested(e.Line)
		case x.graphs > 0:
			return x.b.several(e.Line)
		}
		x.graphs, x.depth = x.graphs+1, x.depth+1
		x.directed = e.Attribute("edgedefault") == "directed"
	case "node":
		return x.begin(e, false)
	case "edge":
		if err := x.begin(e, true); err != nil {
			return err
		}
		switch e.Attribute("directed") {
		case "true":
			x.item.arc = true
		case "false":
			x.item.arc = false
		}
	case "hyperedge":
		return x.b.fail(e.Line, "a hyperedge joins more than two nodes, which a graph here cannot; write an edge for each two of its nodes")
	case "data":
		x.data = e.Attribute("key")
		x.value()
	case "NodeLabel":
		x.value()
	}
	return nil
}

// closeGraphML takes the end of one.
func (x *xmlGraph) closeGraphML(name string) error {
	switch name {
	case "graph":
		x.depth--
	case "default":
		x.standard(x.taken())
	case "key":
		x.current = nil
	case "NodeLabel": // of several the first is the node's name
		x.item.label = cmp.Or(x.item.label, x.taken())
	case "data":
		if x.keep && x.item.open {
			if text := x.taken(); text != "" {
				x.set(x.data, text)
			}
		}
		x.keep = false
	case "node", "edge":
		return x.end()
	}
	return nil
}

// readGEXF reads the format of Gephi.
func readGEXF(b *builder, encoding string) error {
	x := &xmlGraph{b: b}
	return x.read("GEXF", encoding, x.openGEXF, x.closeGEXF)
}

// openGEXF takes the beginning of an element of GEXF.
func (x *xmlGraph) openGEXF(e *records.Element) error {
	switch e.Name {
	case "graph":
		if x.graphs++; x.graphs > 1 {
			return x.b.several(e.Line)
		}
		x.directed = e.Attribute("defaultedgetype") == "directed" || e.Attribute("defaultedgetype") == "mutual"
		if e.Attribute("mode") == "dynamic" {
			x.b.in.Notef("The graph changes over time; what it has at any time is read as one graph, and of several values the last.")
		}
	case "attributes":
		x.ofEdges = e.Attribute("class") == "edge"
	case "attribute":
		name := e.Attribute("title")
		if name == "" {
			name = e.Attribute("id")
		}
		x.declare(e.Attribute("id"), name, !x.ofEdges, x.ofEdges)
	case "default":
		x.value()
	case "node":
		return x.begin(e, false)
	case "edge":
		if err := x.begin(e, true); err != nil {
			return err
		}
		switch e.Attribute("type") {
		case "directed", "mutual":
			x.item.arc = true
		case "undirected":
			x.item.arc = false
		}
	case "attvalue":
		id := e.Attribute("for")
		if id == "" {
			id = e.Attribute("id")
		}
		if x.item.open {
			x.set(id, e.Attribute("value"))
		}
	}
	return nil
}

// closeGEXF takes the end of one.
func (x *xmlGraph) closeGEXF(name string) error {
	switch name {
	case "default":
		x.standard(x.taken())
	case "attribute":
		x.current = nil
	case "node", "edge":
		return x.end()
	}
	return nil
}
