package matrix

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// readEdges reads a list of edges: lines source, target and perhaps a weight, separated by blanks,
// tabs, commas or semicolons, with a header or without one; # and % begin comments. The ends of an
// edge are names. The graph has no direction: an edge may be listed both ways with one weight.
// Edges without a weight have 1.
func readEdges(in *source) (*draft, error) {
	lines := input.NewLines(in.File)
	e := edgeList{in: in, number: make(map[string]int32), seen: make(map[[2]int32]edge)}
	for {
		line, err := nextFilled(lines)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, in.Wrap(lines.Place(), err)
		}
		if lines.Number == 1 {
			line = []byte(strings.TrimPrefix(string(line), input.ByteOrderMark))
		}
		fields := separated(line)
		if isComment(fields[0]) {
			continue
		}
		if err := e.add(fields, lines); err != nil {
			return nil, err
		}
	}
	if len(e.names) == 0 {
		return nil, input.NoDocuments(in.Fail("", "it holds no edges; a line is source, target and perhaps a weight"))
	}
	return e.draft()
}

// edgeList collects edges.
type edgeList struct {
	in     *source
	number map[string]int32
	names  []string
	seen   map[[2]int32]edge
	width  int
	loops  int
}

// edge is the weight of an edge and where it is.
type edge struct {
	weight float64
	line   int64
}

// edgeBytes is the estimated memory of an edge and of the name of a node.
const edgeBytes = 80

func (e *edgeList) add(fields [][]byte, lines *input.Lines) error {
	if e.width == 0 {
		if e.width = len(fields); e.width == 3 {
			if _, err := lexical.Value(fields[2]); err != nil {
				return nil // a header
			}
		}
		if e.width == 2 && isHeader(fields) {
			return nil
		}
	}
	if len(fields) != e.width || e.width < 2 || e.width > 3 {
		way := "correct it"
		if slices.ContainsFunc(fields, func(f []byte) bool { return f[0] == '{' }) {
			way = "write it with networkx's write_weighted_edgelist, or, without weights, with write_edgelist(data=False)"
		} else if len(fields) == e.width {
			way = "leave other columns out, for instance with cut -d, -f1,2 FILE > FILE.edges"
		}
		return e.in.Fail(lines.Place(), "has %s, where an edge is source, target and perhaps a weight; %s", message.Plural(len(fields), "field", "fields"), way)
	}
	w := 1.0
	if e.width == 3 {
		var err error
		if w, err = lexical.Value(fields[2]); err != nil || w-w != 0 {
			return e.in.Fail(lines.Place(), "the weight %q is not a finite number; correct it", message.Clip(string(fields[2]), 40))
		}
	}
	if err := e.in.Mem.Take(edgeBytes, 1); err != nil {
		return e.in.Wrap(lines.Place(), err)
	}
	var at [2]int32
	for k := range at {
		name := lexical.Tidy(string(fields[k]))
		n, known := e.number[name]
		if !known {
			if err := e.in.Mem.Take(edgeBytes+int64(len(name)), 1); err != nil {
				return e.in.Wrap(lines.Place(), err)
			}
			n = int32(len(e.names))
			e.number[name] = n
			e.names = append(e.names, name)
		}
		at[k] = n
	}
	if at[0] == at[1] {
		e.loops++
		return nil
	}
	if at[0] > at[1] {
		at[0], at[1] = at[1], at[0]
	}
	if old, twice := e.seen[at]; twice && old.weight != w {
		return e.in.Fail(lines.Place(), "the edge of %s and %s has the weight %s, but %s in line %d; keep one of them", message.Clip(e.names[at[0]], 40), message.Clip(e.names[at[1]], 40),
			lexical.Print(w), lexical.Print(old.weight), old.line)
	}
	e.seen[at] = edge{w, lines.Number}
	return nil
}

// isHeader reports whether two fields are the names of columns of edges.
func isHeader(fields [][]byte) bool {
	a, b := strings.ToLower(string(fields[0])), strings.ToLower(string(fields[1]))
	return slices.Contains(EdgeNames, [2]string{a, b})
}

// EdgeNames are the names of the two first columns of a list of edges or of the entries of a
// matrix, in lower case.
var EdgeNames = [][2]string{{"source", "target"}, {"src", "dst"}, {"from", "to"}, {"node1", "node2"}, {"u", "v"}, {"head", "tail"},
	{"user", "item"}, {"user_id", "item_id"}, {"userid", "movieid"}, {"row", "col"}, {"row", "column"}, {"i", "j"}, {"fromnodeid", "tonodeid"}}

// draft makes the symmetric matrix. Nodes are in the order of their numbers, if all names are whole
// numbers, else in the order of the file.
func (e *edgeList) draft() (*draft, error) {
	in := e.in
	order := make([]int32, len(e.names))
	for i := range order {
		order[i] = int32(i)
	}
	value := make([]int, len(e.names))
	numbers := true
	for i, name := range e.names {
		v, err := strconv.Atoi(name)
		value[i], numbers = v, numbers && err == nil
	}
	if numbers {
		slices.SortStableFunc(order, func(a, b int32) int { return value[a] - value[b] })
	}
	place, names := make([]int32, len(order)), make([]string, len(order))
	for i, old := range order {
		place[old], names[i] = int32(i), e.names[old]
	}
	t := triplets{in: in}
	for at, edge := range e.seen {
		for _, p := range [][2]int32{{at[0], at[1]}, {at[1], at[0]}} {
			if err := t.add(place[p[0]], place[p[1]], edge.weight); err != nil {
				return nil, in.Wrap("", err)
			}
		}
	}
	n := len(names)
	x, err := t.csr(n, n) // in order whatever the order of the map
	if err != nil {
		return nil, in.Wrap("", err)
	}
	in.Notef("The file is a graph of %s and %s.", message.Plural(n, "node", "nodes"), message.Plural(len(e.seen), "edge", "edges"))
	if e.loops > 0 {
		in.Notef("%s from a node to itself left out.", message.Plural(e.loops, "edge", "edges"))
	}
	return &draft{x: x, byRow: true, what: "the graph", rowNames: names}, nil
}

// readGraph reads a graph of METIS or of CLUTO: a line of sizes, then the neighbours of each node
// in a line of its own, numbered from 1. CLUTO has a weight after each neighbour, METIS if its
// sizes say so. % begins a comment.
func readGraph(in *source) (*draft, error) {
	lines := input.NewLines(in.File)
	line, err := nextMtxLine(lines)
	if err != nil {
		return nil, in.Wrap(lines.Place(), input.Early(err))
	}
	h, err := graphSizes(in, lines, line)
	if err != nil {
		return nil, err
	}
	g := graphRows{in: in, lines: lines, graphHeader: h}
	if err := g.read(); err != nil {
		return nil, err
	}
	return g.draft()
}

// graphHeader is the first line of a graph.
type graphHeader struct {
	nodes, edges       int64
	format             string // of METIS: vertex sizes, vertex weights, edge weights, as 0 and 1
	weights            int64  // numbers of METIS before the neighbours of a node
	dense, edgeWeights bool
}

func graphSizes(in *source, lines *input.Lines, line []byte) (h graphHeader, err error) {
	var n []int64
	fields := strings.Fields(string(line[:min(len(line), 1024)]))
	for _, f := range fields {
		v, ok := lexical.Index([]byte(f))
		if !ok || v < 0 {
			return h, in.Fail(lines.Place(), "is not the sizes of a graph: nodes, edges and for METIS the format; give the format of the file with ‹input-format›")
		}
		n = append(n, v)
	}
	if len(n) > 4 {
		return h, in.Fail(lines.Place(), "has %d numbers, where a graph has at most four; give the format of the file with ‹input-format›", len(n))
	}
	h.nodes, h.dense = n[0], len(n) == 1
	if len(n) > 1 {
		h.edges = n[1]
	}
	if len(n) > 2 {
		h.format = "000" + fields[2]
		h.format = h.format[len(h.format)-3:]
		if strings.Trim(h.format, "01") != "" {
			return h, in.Fail(lines.Place(), "the format %q is none of METIS, which is made of 0 and 1", message.Clip(fields[2], 20))
		}
		h.edgeWeights = h.format[2] == '1'
		if h.format[1] == '1' {
			h.weights = 1
			if len(n) > 3 {
				h.weights = n[3]
			}
		}
		if h.format[0] == '1' {
			h.weights++
		}
	}
	return h, in.checkShape(lines.Place(), h.nodes, h.nodes, math.MaxInt64)
}

// graphRows reads the rows of a graph.
type graphRows struct {
	in    *source
	lines *input.Lines
	graphHeader
	ptr  []int // of the numbers of each row
	vals []float64
}

// read reads the numbers of all rows. An empty line is a node without neighbours.
func (g *graphRows) read() (err error) {
	in := g.in
	g.ptr = append(g.ptr, 0)
	for {
		line, err := g.lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return in.Wrap(g.lines.Place(), err)
		}
		field, rest := lexical.Next(line)
		if len(field) > 0 && field[0] == '%' {
			continue
		}
		if int64(len(g.ptr)) > g.nodes {
			if len(field) == 0 {
				continue
			}
			return in.Fail(g.lines.Place(), "there are more lines than the %d nodes of the first one; correct it", g.nodes)
		}
		for ; len(field) > 0; field, rest = lexical.Next(rest) {
			v, err := lexical.Value(field)
			if err != nil || v-v != 0 {
				return in.Fail(g.lines.Place(), "%q is not a finite number; correct it", message.Clip(string(field), 40))
			}
			if g.vals, err = input.Push(in.Mem, g.vals, 8, v); err != nil {
				return in.Wrap(g.lines.Place(), err)
			}
		}
		if g.ptr, err = input.Push(in.Mem, g.ptr, 8, len(g.vals)); err != nil {
			return in.Wrap(g.lines.Place(), err)
		}
	}
	if n := int64(len(g.ptr)) - 1; n < g.nodes {
		return in.Fail(g.lines.Place(), "the file ends after %d of %d nodes, it was cut off; copy or download it again", n, g.nodes)
	}
	return nil
}

// draft makes the matrix of the graph.
func (g *graphRows) draft() (*draft, error) {
	in, kind := g.in, "METIS"
	pairs := g.edgeWeights
	metis := g.format != ""
	if !metis && !g.dense {
		var err error
		if metis, err = g.isMETIS(); err != nil {
			return nil, in.Wrap("", err)
		}
	}
	if !metis {
		kind, pairs = "CLUTO", true
	}
	t := triplets{in: in}
	for i := range int(g.nodes) {
		row := g.vals[g.ptr[i]:g.ptr[i+1]]
		if g.dense {
			if int64(len(row)) != g.nodes {
				return nil, in.Fail("node "+strconv.Itoa(i+1), "has %d numbers, where a dense graph has one for each of %d nodes", len(row), g.nodes)
			}
			for j, w := range row {
				if err := t.addIf(i, j, w); err != nil {
					return nil, err
				}
			}
			continue
		}
		row = row[min(int(g.weights), len(row)):]
		step := 1
		if pairs {
			step = 2
		}
		if len(row)%step != 0 {
			return nil, in.Fail("node "+strconv.Itoa(i+1), "has a neighbour without a weight; correct it")
		}
		for k := 0; k < len(row); k += step {
			j, w := row[k], 1.0
			if pairs {
				w = row[k+1]
			}
			if j < 1 || j > float64(g.nodes) || j != math.Trunc(j) {
				return nil, in.Fail("node "+strconv.Itoa(i+1), "%s is not the number of a node, from 1 to %d", lexical.Print(j), g.nodes)
			}
			if err := t.addIf(i, int(j)-1, w); err != nil {
				return nil, err
			}
		}
	}
	x, err := t.csr(int(g.nodes), int(g.nodes))
	if d, ok := err.(*duplicate); ok {
		return nil, in.Fail("node "+strconv.Itoa(int(d.row)+1), "has the neighbour %d twice; keep one of them", d.col+1)
	}
	if err != nil {
		return nil, in.Wrap("", err)
	}
	in.Notef("The file is a graph of %s in the form of %s.", message.Plural(int(g.nodes), "node", "nodes"), kind)
	return &draft{x: x, byRow: true, what: "the graph"}, nil
}

// addIf adds an edge; one of a node to itself, or without weight, is left out.
func (t *triplets) addIf(i, j int, w float64) error {
	if i == j || w == 0 {
		return nil
	}
	return t.in.Wrap("", t.add(int32(i), int32(j), w))
}

// isMETIS reports whether the rows of a graph without a format are lists of neighbours: whole
// numbers of other nodes, twice as many as edges, each of which has the first in its own list. In
// graphs of CLUTO weights stand between them.
func (g *graphRows) isMETIS() (bool, error) {
	if int64(len(g.vals)) != 2*g.edges {
		return len(g.vals)%2 == 1, nil
	}
	if err := g.in.Mem.Take(int64(len(g.vals)), edgeBytes); err != nil {
		return false, err
	}
	defer g.in.Mem.Give(int64(len(g.vals)), edgeBytes)
	has := make(map[[2]int32]bool, len(g.vals))
	for i := range int(g.nodes) {
		for _, v := range g.vals[g.ptr[i]:g.ptr[i+1]] {
			at := [2]int32{int32(i), int32(v) - 1}
			if v < 1 || v > float64(g.nodes) || v != math.Trunc(v) || has[at] {
				return false, nil
			}
			has[at] = true
		}
	}
	for at := range has {
		if !has[[2]int32{at[1], at[0]}] {
			return false, nil
		}
	}
	return true, nil
}
