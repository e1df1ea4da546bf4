// Package network reads graphs as programs for networks write them: GraphML, GEXF, GML, Pajek, DOT,
// and JSON with lists of nodes and links.
//
// [Read] returns the nodes in the order of the file, with their attributes, and the edges as they
// are listed. It reserves memory before it allocates, and reads nothing outside the file.
package network

import (
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// Formats returns the names of the formats.
func Formats() []string { return []string{"graphml", "gexf", "gml", "pajek", "dot", "node-link"} }

// Graph is what a file holds.
type Graph struct {
	Kind   string   // of the file, for messages: "GraphML"
	IDs    []string // what the edges call the nodes; they differ
	Unique string   // what these are, for messages: "id"
	// Attributes of the nodes in the order in which they occur first. Of the names of the nodes
	// beside IDs the attribute is called label or name.
	Attributes []*Attribute
	// From and To are the nodes of each edge, and Weight is its weight; nil: all are 1.
	From, To []int32
	Weight   []float64
	Weighted string   // the attribute of edges that is their weight; "" for none
	Without  int      // how many edges lack it, and have weight 1
	Arcs     int      // how many edges have a direction
	Unused   []string // attributes of edges that are not their weight
}

// Attribute is an attribute of nodes.
type Attribute struct {
	Name string
	// Values are those that the file has, each of the node beside it; the last one of a node counts.
	Values []string
	Nodes  []int32
}

// Spread returns the value of each node; "" for none.
func (a *Attribute) Spread(nodes int) []string {
	list := make([]string, nodes)
	for k, node := range a.Nodes {
		list[node] = a.Values[k]
	}
	return list
}

// Attribute finds an attribute of nodes by its name, in any case of letters if none is spelled so;
// nil if there is none.
func (g *Graph) Attribute(name string) (found *Attribute) {
	for _, a := range g.Attributes {
		if a.Name == name {
			return a
		}
		if found == nil && strings.EqualFold(a.Name, name) {
			found = a
		}
	}
	return found
}

// readers holds the reader of each format.
var readers = map[string]func(*builder, string) error{
	"graphml": readGraphML, "gexf": readGEXF, "gml": readGML, "pajek": readPajek, "dot": readDOT, "node-link": readNodeLink,
}

// Read reads a file of one of the [Formats]. encoding is the name of its encoding, "" to find it
// out.
func Read(in *input.File, format, encoding string) (*Graph, error) {
	b := &builder{in: in, number: make(map[string]int32), attributes: make(map[string]*Attribute), others: make(map[string]bool), most: in.Mem.Limit / 8}
	if format != "graphml" && format != "gexf" { // which declare theirs
		if err := charset.Stream(in, encoding); err != nil {
			return nil, err
		}
	}
	if err := readers[format](b, encoding); err != nil {
		return nil, in.Wrap("", err)
	}
	return b.finish()
}

// nodeBytes is the estimated memory of a node, in bytes, beside its id.
const nodeBytes = 100

// mostAttributes is how many attributes of nodes, and of edges, are told apart.
const mostAttributes = 1000

// builder collects the nodes and edges of a file.
type builder struct {
	in     *input.File
	kind   string
	unique string
	most   int64 // bytes of a piece of the file

	number     map[string]int32
	ids        []string
	place      []int64 // where each node is declared, or, as a negative number, where an edge first names it
	free       bool    // edges may name nodes that are not declared
	unit       string  // what place counts: "line"
	attributes map[string]*Attribute
	list       []*Attribute

	from, to []int32
	weight   []float64 // NaN if the edge has none
	value    []float64 // the attribute value of edges, likewise; nil if none has it
	others   map[string]bool
	unused   []string
	arcs     int
	without  int // edges without a weight
	valued   int // edges with a value
	noValue  bool
	badAt    int64 // the first edge whose value is no weight, and why
	badWhy   string
	edge     edge
}

// edge is the edge that is being read.
type edge struct {
	weight, value string
	hasWeight     bool
	hasValue      bool
}

// at names a place.
func (b *builder) at(place int64) string {
	unit := b.unit
	if unit == "" {
		unit = "line"
	}
	return fmt.Sprintf("%s %d", unit, place)
}

func (b *builder) fail(place int64, format string, args ...any) error {
	return b.in.Fail(b.at(place), format, args...)
}

// find returns the number of a node, and makes one if it is new.
func (b *builder) find(id string, place int64) (n int32, fresh bool, err error) {
	id = lexical.Tidy(id)
	if n, known := b.number[id]; known {
		return n, false, nil
	}
	if err := b.in.Mem.Take(nodeBytes+2*int64(len(id)), 1); err != nil {
		return 0, false, b.in.Wrap(b.at(place), err)
	}
	if len(b.ids) >= 1<<31-1 {
		return 0, false, b.fail(place, "there are more than 2147483647 nodes; divide the graph")
	}
	id = strings.Clone(id)
	n = int32(len(b.ids))
	b.number[id] = n
	b.ids = append(b.ids, id)
	b.place = append(b.place, -place)
	return n, true, nil
}

// node declares a node.
func (b *builder) node(id string, place int64) (int32, error) {
	n, _, err := b.find(id, place)
	if err != nil {
		return 0, err
	}
	if old := b.place[n]; old > 0 {
		return 0, b.fail(place, "the %s %s is that of another node, in %s; give each node its own", b.unique, clip(id), b.at(old))
	}
	b.place[n] = place
	return n, nil
}

// set sets an attribute of a node; an empty value makes the attribute known alone.
func (b *builder) set(node int32, name, value string, place int64) error {
	a := b.attributes[name]
	if a == nil {
		if len(b.list) >= mostAttributes {
			return nil
		}
		a = &Attribute{Name: strings.Clone(lexical.Tidy(name))}
		b.attributes[strings.Clone(name)] = a
		b.list = append(b.list, a)
	}
	if value = lexical.Tidy(value); value == "" {
		return nil
	}
	err := b.in.Mem.Take(int64(len(value)), 1)
	if err == nil {
		a.Nodes, err = input.Push(b.in.Mem, a.Nodes, 4, node)
	}
	if err == nil {
		a.Values, err = input.Push(b.in.Mem, a.Values, 16, strings.Clone(value))
	}
	return b.in.Wrap(b.at(place), err)
}

// attribute takes an attribute of the edge that is being read.
func (b *builder) attribute(name, value string) {
	switch {
	case strings.EqualFold(name, "weight"):
		b.edge.weight, b.edge.hasWeight = value, strings.TrimSpace(value) != ""
	case strings.EqualFold(name, "value"):
		b.edge.value, b.edge.hasValue = value, strings.TrimSpace(value) != ""
	case !b.others[name] && len(b.others) < mostAttributes:
		name = strings.Clone(name)
		b.others[name] = true
		b.unused = append(b.unused, lexical.Tidy(name))
	}
}

// add adds the edge that was read. arc says that it has a direction.
func (b *builder) add(from, to int32, arc bool, place int64) (err error) {
	e := b.edge
	b.edge = edge{}
	w, v := 1.0, 1.0
	if e.hasWeight {
		var why string
		if w, why = weightOf(e.weight); why != "" {
			return b.fail(place, "the weight %s of an edge %s", clip(e.weight), why)
		}
	} else {
		b.without++
	}
	switch {
	case e.hasValue:
		var why string
		if v, why = weightOf(e.value); why != "" {
			if b.badAt == 0 {
				b.badAt, b.badWhy = place, fmt.Sprintf("the value %s of an edge %s", clip(e.value), why)
			}
			b.noValue = b.noValue || why == notNumber
		}
		if b.value == nil {
			if err := b.in.Mem.Take(int64(len(b.from)), 8); err != nil {
				return b.in.Wrap(b.at(place), err)
			}
			b.value = make([]float64, len(b.from))
			for i := range b.value {
				b.value[i] = 1
			}
		}
		b.valued++
	}
	mem := b.in.Mem
	if b.from, err = input.Push(mem, b.from, 4, from); err == nil {
		b.to, err = input.Push(mem, b.to, 4, to)
	}
	if err == nil {
		b.weight, err = input.Push(mem, b.weight, 8, w)
	}
	if err == nil && b.value != nil {
		b.value, err = input.Push(mem, b.value, 8, v)
	}
	if arc {
		b.arcs++
	}
	return b.in.Wrap(b.at(place), err)
}

// notNumber says that a weight is no number.
const notNumber = "is not a finite number; correct it"

// weightOf reads a weight; why is what is wrong with it.
func weightOf(text string) (w float64, why string) {
	w, err := lexical.Value([]byte(strings.TrimSpace(text)))
	switch {
	case err != nil || w-w != 0:
		return 0, notNumber
	case w < 0:
		return 0, "is negative, where an affinity is 0 or more; correct it, or leave such edges out"
	}
	return w, ""
}

// finish checks that all nodes are declared and returns the graph.
func (b *builder) finish() (*Graph, error) {
	for i, place := range b.place {
		if place < 0 && !b.free {
			return nil, b.fail(-place, "the edge has an end %s, which is the %s of no node; add the node, or take the edge out", clip(b.ids[i]), b.unique)
		}
	}
	if len(b.ids) == 0 {
		return nil, input.NoDocuments(b.in.Fail("", "the graph has no nodes; write it again"))
	}
	g := &Graph{Kind: b.kind, IDs: b.ids, Unique: b.unique, Attributes: b.list, From: b.from, To: b.to, Arcs: b.arcs, Unused: b.unused}
	switch {
	case b.without < len(b.from):
		g.Weight, g.Weighted, g.Without = b.weight, "weight", b.without
	case b.valued > 0 && !b.noValue:
		if b.badAt > 0 {
			return nil, b.fail(b.badAt, "%s", b.badWhy)
		}
		g.Weight, g.Weighted, g.Without = b.value, "value", len(b.from)-b.valued
	}
	if b.valued > 0 && g.Weighted != "value" {
		g.Unused = append(g.Unused, "value")
	}
	return g, nil
}

func clip(text string) string { return message.Clip(fmt.Sprintf("%q", text), 60) }

// several refuses a file of more graphs than one.
func (b *builder) several(place int64) error {
	return b.fail(place, "a second graph begins here; write each graph into a file of its own")
}

// nested refuses a graph inside of a node.
func (b *builder) nested(place int64) error {
	return b.fail(place, "a graph stands inside of a node, which is not read; write the graph without groups, each node in it once")
}

// cut says that the file ends too early.
func (b *builder) cut(place int64, what string, since int64) error {
	return b.fail(place, "the file ends inside of %s that begins in %s: it was cut off; copy or download it again", what, b.at(since))
}

// join adds the edge that was read between two nodes by their ids.
func (b *builder) join(source, target string, arc bool, place int64) error {
	from, _, err := b.find(source, place)
	if err != nil {
		return err
	}
	to, _, err := b.find(target, place)
	if err != nil {
		return err
	}
	return b.add(from, to, arc, place)
}
