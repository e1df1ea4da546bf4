package network

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
)

// readPajek reads a network of Pajek (.net, .paj): vertices, which have numbers, and lines between
// them. Partitions and vectors behind it are attributes of its vertices.
func readPajek(b *builder, _ string) error {
	b.kind, b.unique, b.free = "Pajek", "number", true
	p := pajek{b: b, lines: input.NewLines(b.in), relation: "-"}
	for {
		line, err := p.lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if p.lines.Number == 1 {
			line = bytes.TrimPrefix(line, []byte(input.ByteOrderMark))
		}
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '%' {
			continue
		}
		if line[0] == '*' {
			err = p.section(string(line[1:min(len(line), 1000)]))
		} else {
			err = p.row(string(line))
		}
		if err != nil {
			return err
		}
	}
	if !p.sized {
		return b.in.Fail("", "holds no vertices of Pajek, which begin with *Vertices and their number; give the format of the file with ‹input-format›")
	}
	if err := p.matrixEnds(); err != nil {
		return err
	}
	return p.name()
}

// pajek reads the lines of a network.
type pajek struct {
	b      *builder
	lines  *input.Lines
	n      int
	first  int // of two modes: the vertices of the first one; 0: there is one mode
	sized  bool
	part   string         // the section that is read, in lower case
	seen   int            // rows of the section
	column string         // the partition or vector that is read
	named  map[int32]bool // the vertices that have a line

	relation       string // of the last section of arcs, edges or lists of these; "-" before one
	related, timed bool   // notes of these have been given
	loose          bool
}

func (p *pajek) fail(format string, args ...any) error {
	return p.b.fail(p.lines.Number, format, args...)
}

// section begins a section.
func (p *pajek) section(head string) error {
	fields, _ := pajekFields(head)
	if len(fields) == 0 {
		return p.fail("a section of Pajek has no name behind *; correct it")
	}
	name := strings.ToLower(fields[0])
	if err := p.matrixEnds(); err != nil {
		return err
	}
	was := p.part
	p.part, p.seen = name, 0
	switch name {
	case "vertices":
		return p.vertices(was, fields[1:])
	case "arcs", "edges", "arcslist", "edgeslist", "matrix":
		if !p.sized {
			return p.fail("*%s comes before *Vertices; correct it", fields[0])
		}
		if name != "matrix" {
			p.relates(fields[1:])
		}
	case "partition", "vector":
		p.column = name
		if len(fields) > 1 {
			p.column = strings.Join(fields[1:], " ")
		}
	case "network", "permutation", "cluster", "hierarchy", "events":
	default:
		return p.fail("the section *%s is none of Pajek that is read (Vertices, Arcs, Edges, Arcslist, Edgeslist, Matrix, Partition, Vector); take it out", clip(fields[0]))
	}
	return nil
}

// relates takes the relation that a section names.
func (p *pajek) relates(name []string) {
	relation := strings.Join(name[:min(1, len(name))], "")
	if p.relation != "-" && p.relation != relation && !p.related {
		p.related = true
		p.b.in.Notef("The lines are of several relations (%s and others), which are read as one graph.", clip(cmp.Or(p.relation, relation)))
	}
	p.relation = relation
}

// vertices begins the vertices of the network, or of what was begun before.
func (p *pajek) vertices(was string, sizes []string) error {
	n, first := int64(-1), int64(0)
	if len(sizes) > 0 {
		if v, ok := lexical.Index([]byte(sizes[0])); ok {
			n = v
		}
	}
	if len(sizes) > 1 {
		if v, ok := lexical.Index([]byte(sizes[1])); ok && v < n {
			first = v
		}
	}
	if n < 0 || n > 1<<31-1 {
		return p.fail("*Vertices needs the number of vertices behind it; correct it")
	}
	if was == "partition" || was == "vector" || was == "permutation" || was == "cluster" {
		if !p.sized || int(n) != p.n {
			return p.fail("the %s %s has %d vertices and the network before it %d; take it out", was, clip(p.column), n, p.n)
		}
		p.part = map[bool]string{true: "values", false: "skipped"}[was == "partition" || was == "vector"]
		return nil
	}
	if p.sized {
		return p.b.several(p.lines.Number)
	}
	p.sized, p.n, p.first, p.named = true, int(n), int(first), make(map[int32]bool)
	return nil
}

// backed refuses a number of vertices that the lines of the file do not back.
func (p *pajek) backed(n int) error {
	const free = 1 << 20 // vertices that need no line
	if n > free && int64(n/64) > p.lines.Number {
		return p.fail("it claims %d vertices in %d lines, the file is damaged; write it again without the vertices that have no lines", p.n, p.lines.Number)
	}
	return nil
}

// name gives the vertices their numbers as ids, at the end of the file.
func (p *pajek) name() error {
	err := p.backed(p.n)
	for i := 0; i < p.n && err == nil; i++ {
		_, _, err = p.b.find(strconv.Itoa(i+1), p.lines.Number)
	}
	return err
}

// row reads a line of the section.
func (p *pajek) row(line string) error {
	if p.part == "skipped" || p.part == "network" || p.part == "permutation" || p.part == "cluster" || p.part == "hierarchy" || p.part == "events" {
		return nil
	}
	fields, timed := pajekFields(line)
	if timed && !p.timed {
		p.timed = true
		p.b.in.Notef("The graph changes over time; what it has at any time is read as one graph.")
	}
	if len(fields) == 0 {
		return p.fail("has times alone; correct it")
	}
	switch p.part {
	case "":
		return p.fail("stands before *Vertices; correct it, or give the format of the file with ‹input-format›")
	case "vertices":
		return p.vertex(fields)
	case "values":
		if p.seen++; p.seen > p.n {
			return p.fail("there are more lines than the %d vertices; correct it", p.n)
		}
		return p.b.set(int32(p.seen-1), p.column, fields[0], p.lines.Number)
	case "matrix":
		return p.matrix(fields)
	case "arcslist", "edgeslist":
		from, err := p.number(fields[0])
		for _, f := range fields[1:] {
			var to int32
			if err == nil {
				to, err = p.number(f)
			}
			if err == nil {
				err = p.b.add(from, to, p.part == "arcslist", p.lines.Number)
			}
		}
		return err
	}
	return p.line(fields)
}

// vertex reads the line of a vertex: its number, its label, its place and more.
func (p *pajek) vertex(fields []string) error {
	n, err := p.number(fields[0])
	if err != nil {
		return err
	}
	if err := p.backed(int(n)); err != nil {
		return err
	}
	if p.named[n] {
		return p.fail("the vertex %s has a line already; keep one of them", fields[0])
	}
	if err := p.b.in.Mem.Take(nodeBytes, 1); err != nil {
		return p.b.in.Wrap(p.b.at(p.lines.Number), err)
	}
	p.named[n] = true
	if len(fields) > 1 {
		if err := p.b.set(n, "label", fields[1], p.lines.Number); err != nil {
			return err
		}
	}
	rest := fields[min(2, len(fields)):]
	for _, name := range []string{"x", "y", "z"} {
		if len(rest) == 0 {
			break
		}
		if _, number := lexical.Number(rest[0]); !number {
			break
		}
		if err := p.b.set(n, name, rest[0], p.lines.Number); err != nil {
			return err
		}
		rest = rest[1:]
	}
	if len(rest)%2 == 1 { // its shape
		if bare := len(rest) == len(fields)-2; bare && !p.loose && !slices.Contains(pajekShapes, strings.ToLower(rest[0])) {
			p.loose = true
			p.b.in.Notef("What stands behind the label of a vertex and is no place is left out, such as %s in line %d; put a label of several words into quotes.", clip(rest[0]), p.lines.Number)
		}
		rest = rest[1:]
	}
	for ; len(rest) > 1; rest = rest[2:] {
		if err := p.b.set(n, rest[0], rest[1], p.lines.Number); err != nil {
			return err
		}
	}
	return nil
}

// line reads an arc or edge: its ends, its weight, and what else it has in pairs.
func (p *pajek) line(fields []string) error {
	if len(fields) < 2 {
		return p.fail("has one field, where a line of *%s is two numbers of vertices and perhaps a weight; correct it", p.part)
	}
	from, err := p.number(fields[0])
	if err != nil {
		return err
	}
	to, err := p.number(fields[1])
	if err != nil {
		return err
	}
	rest := fields[2:]
	if len(rest) > 0 {
		if _, number := lexical.Number(rest[0]); number || len(rest)%2 == 1 {
			p.b.attribute("weight", rest[0])
			rest = rest[1:]
		}
	}
	for ; len(rest) > 1; rest = rest[2:] {
		p.b.attribute(rest[0], rest[1])
	}
	return p.b.add(from, to, p.part == "arcs", p.lines.Number)
}

// rows is how many rows the matrix has.
func (p *pajek) rows() int {
	if p.first > 0 {
		return p.first
	}
	return p.n
}

// matrixEnds refuses a matrix that ends too early, where it is the section that was read.
func (p *pajek) matrixEnds() error {
	if p.part == "matrix" && p.seen < p.rows() {
		return p.fail("the matrix ends after %d of %d rows; the file was cut off, or take the matrix out", p.seen, p.rows())
	}
	return nil
}

// matrix reads a row of the matrix of weights, in which arcs stand.
func (p *pajek) matrix(fields []string) error {
	rows, columns, shift := p.rows(), p.n, 0
	if p.first > 0 {
		columns, shift = p.n-p.first, p.first
	}
	if p.seen >= rows {
		return p.fail("there are more rows of the matrix than %d vertices; correct it", rows)
	}
	if len(fields) != columns {
		return p.fail("has %d numbers, where a row of the matrix has %d; correct it", len(fields), columns)
	}
	for j, f := range fields {
		if w, _ := weightOf(f); w == 0 && strings.Trim(f, "0.") == "" {
			continue
		}
		p.b.attribute("weight", f)
		if err := p.b.add(int32(p.seen), int32(j+shift), p.first == 0, p.lines.Number); err != nil {
			return err
		}
	}
	p.seen++
	return nil
}

// number is the vertex of a number from 1.
func (p *pajek) number(field string) (int32, error) {
	v, ok := lexical.Index([]byte(field))
	if !ok || v < 1 || v > int64(p.n) {
		return 0, p.fail("%s is not the number of a vertex, from 1 to %d; correct it", clip(field), p.n)
	}
	return int32(v - 1), nil
}

// pajekShapes are the shapes in which vertices are drawn.
var pajekShapes = strings.Fields("ellipse circle box square rectangle diamond triangle cross empty house man woman")

// pajekFields cuts a line at blanks that are not in quotes. Times such as [1-3,5], in which a
// vertex or a line is there, are left out; timed says that there are some.
func pajekFields(line string) (list []string, timed bool) {
	for {
		line = strings.TrimLeft(line, " \t\r\n")
		if line == "" {
			return list, timed
		}
		if line[0] == '"' {
			line = line[1:]
			end := pajekQuote(line)
			list, line = append(list, strings.ReplaceAll(line[:end], `\"`, `"`)), line[min(end+1, len(line)):]
			continue
		}
		end := strings.IndexAny(line, " \t\r\n")
		if end < 0 {
			end = len(line)
		}
		if line[0] == '[' && line[end-1] == ']' {
			timed = true
		} else {
			list = append(list, line[:end])
		}
		line = line[end:]
	}
}

// pajekQuote is the place of the quote that ends a text: the first one before a blank or the end of
// the line that is not behind a backslash, else the first one, else the end.
func pajekQuote(text string) int {
	for i := range len(text) {
		if text[i] == '"' && (i == 0 || text[i-1] != '\\') && (i+1 == len(text) || isBlank(text[i+1])) {
			return i
		}
	}
	if end := strings.IndexByte(text, '"'); end >= 0 {
		return end
	}
	return len(text)
}
