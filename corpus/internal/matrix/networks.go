package matrix

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/network"
	"github.com/eigenmap/eigenmap/internal/words"
)

// nameAttributes are the attributes of nodes that are their names for people, best first.
var nameAttributes = []string{"label", "name"}

// classAttributes are the attributes of nodes that are taken for classes unasked. A label is a
// name.
var classAttributes = []string{"class", "category", "gnd", "cluster"}

// drawnAttributes are attributes that say how a node or an edge is drawn, which no note counts.
var drawnAttributes = []string{"x", "y", "z", "x_fact", "y_fact", "size", "r", "g", "b", "color", "ic", "bc", "shape", "pos", "width", "height", "fillcolor", "style", "fontname", "fontsize", "graphics"}

// readNetwork reads a graph as programs for networks write it. Arcs count in both directions, and
// the weights of edges that join the same nodes are summed.
func readNetwork(in *source) (*draft, error) {
	g, err := network.Read(in.File, in.format, in.opt.Encoding)
	if err != nil {
		return nil, err
	}
	t := triplets{in: in, sum: true}
	loops := 0
	for k := range g.From {
		i, j, w := int(g.From[k]), int(g.To[k]), 1.0
		if g.Weight != nil {
			w = g.Weight[k]
		}
		if i == j {
			loops++
		}
		if err := t.addIf(i, j, w); err != nil {
			return nil, err
		}
		if err := t.addIf(j, i, w); err != nil {
			return nil, err
		}
	}
	n := len(g.IDs)
	x, err := t.csr(n, n)
	if err != nil {
		return nil, in.Wrap("", err)
	}
	in.Notef("The file is a graph of %s and %s in %s.", message.Plural(n, "node", "nodes"), message.Plural(x.NNZ()/2, "edge", "edges"), g.Kind)
	noteEdges(in, g, loops, t.summed/2)
	d := &draft{x: x, byRow: true, what: "the graph"}
	if d.rowNames, err = in.nodeNames(g); err != nil {
		return nil, err
	}
	d.labels, err = in.nodeClasses(g)
	return d, err
}

// noteEdges says what the edges of the file have become.
func noteEdges(in *source, g *network.Graph, loops, summed int) {
	if g.Arcs > 0 {
		which := "The edges have a direction, which is"
		if g.Arcs < len(g.From) {
			which = words.Thousands(g.Arcs) + " of the edges have a direction, which is"
		}
		in.Notef("%s left out: each joins its nodes both ways.", which)
	}
	if summed > 0 {
		in.Notef("The weights of edges that join the same two nodes are summed (%s).", message.Plural(summed, "edge", "edges"))
	}
	if loops > 0 {
		in.Notef("%s from a node to itself left out.", message.Plural(loops, "edge", "edges"))
	}
	switch {
	case g.Weighted == "value":
		in.Notef("The attribute value of the edges is taken for their weight.")
	case g.Weighted == "" && len(g.From) > 0 && len(g.Unused) > 0:
		in.Notef("The edges have no weight and count 1 each.")
	}
	if g.Without > 0 {
		in.Notef("%s no %s and the weight 1.", message.Plural(g.Without, "edge has", "edges have"), g.Weighted)
	}
	unused := slices.DeleteFunc(g.Unused, func(name string) bool { return slices.Contains(drawnAttributes, strings.ToLower(name)) })
	if len(unused) > 0 {
		in.Notef("Attributes of the edges that are not used: %s.", message.List(unused, 12))
	}
}

// nodeNames are the names of the nodes: the attribute that is asked for, else the first of
// [nameAttributes] that is there for all and different, else the ids that edges use.
func (in *source) nodeNames(g *network.Graph) ([]string, error) {
	if err := in.Mem.Take(int64(len(g.IDs)), 16); err != nil {
		return nil, in.Wrap("", err)
	}
	switch name := in.opt.IDColumn; {
	case name == columns.None:
		return nil, nil
	case name != "" && g.Attribute(name) != nil:
		return g.Attribute(name).Spread(len(g.IDs)), nil
	case name == g.Unique || strings.EqualFold(name, "id"):
		return g.IDs, nil
	case name != "":
		return nil, in.noAttribute(g, "‹id-column›", name)
	}
	for _, name := range nameAttributes {
		a := g.Attribute(name)
		if a == nil {
			continue
		}
		list := a.Spread(len(g.IDs))
		if slices.Equal(list, g.IDs) {
			return list, nil
		}
		if err := in.Mem.Take(int64(len(list)), 48); err != nil {
			return nil, in.Wrap("", err)
		}
		distinct := distinctOf(a)
		in.Mem.Give(int64(len(list)), 48)
		if slices.Contains(list, "") || distinct < len(list) {
			in.Notef("The nodes are called by their %s, as the attribute %s is missing for some or is the same for several.", g.Unique, a.Name)
			continue
		}
		in.Notef("The nodes are called by their attribute %s; ‹id-column› %s calls them by what the edges name.", a.Name, "id")
		return list, nil
	}
	return g.IDs, nil
}

// distinctOf counts the values of an attribute that differ.
func distinctOf(a *network.Attribute) int {
	seen := make(map[string]bool)
	for _, v := range a.Values {
		seen[v] = true
	}
	return len(seen)
}

// noAttribute refuses the name of an attribute that no node has.
func (in *source) noAttribute(g *network.Graph, option, name string) error {
	var list []string
	for _, a := range g.Attributes {
		list = append(list, a.Name)
	}
	if list == nil {
		return in.Fail("", "no node has the attribute %s, or any other; leave %s out", message.Clip(name, 40), option)
	}
	return in.Fail("", "no node has the attribute %s; there are %s", message.Clip(name, 40), message.List(list, 12))
}

// nodeClasses are the classes of the nodes: the attribute that is asked for, else the first of
// [classAttributes]; nil for none. A note names attributes that are not used.
func (in *source) nodeClasses(g *network.Graph) (*Labels, error) {
	var chosen *network.Attribute
	asked := in.opt.LabelColumn
	switch {
	case asked == columns.None:
	case asked != "":
		if chosen = g.Attribute(asked); chosen == nil {
			return nil, in.noAttribute(g, "‹label-column›", asked)
		}
	default:
		for _, name := range classAttributes {
			if a := g.Attribute(name); a != nil && chosen == nil && a.Values != nil {
				chosen = a
			}
		}
		if chosen != nil {
			in.LabelNotef("The attribute %s is taken for the classes; ‹label-column› names another, or none.", message.Clip(chosen.Name, 40))
		}
	}
	var unused []string
	var possible string
	for _, a := range g.Attributes {
		lower := strings.ToLower(a.Name)
		if a == chosen || slices.Contains(nameAttributes, lower) || slices.Contains(drawnAttributes, lower) || a.Name == in.opt.IDColumn {
			continue
		}
		unused = append(unused, a.Name)
		if k := distinctOf(a); possible == "" && k > 1 && 3*k <= len(g.IDs) {
			possible = a.Name
		}
	}
	if len(unused) > 0 {
		way := ""
		if chosen == nil && asked == "" && possible != "" {
			way = "; ‹label-column› " + message.Clip(possible, 40) + " takes that one for classes to compare with"
		}
		in.Notef("Attributes of the nodes that are not used: %s%s.", message.List(unused, 12), way)
	}
	if chosen == nil {
		return nil, nil
	}
	if err := in.Mem.Take(int64(len(g.IDs)), 16); err != nil {
		return nil, in.Wrap("", err)
	}
	return &Labels{What: "the attribute " + message.Clip(chosen.Name, 40), File: in.Name, Without: "give ‹label-column› none", Words: chosen.Spread(len(g.IDs))}, nil
}
