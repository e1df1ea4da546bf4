package network

import (
	"bufio"
	"encoding/xml"
	"io"
	"strconv"

	"github.com/eigenmap/eigenmap/sparse"
)

// Column is an attribute of nodes that is written.
type Column struct {
	Name    string
	Numbers bool                  // the values are numbers
	Value   func(node int) string // "" for none
}

// WriteGraphML writes a symmetric matrix as a graph without directions in GraphML, with the weights
// of its edges as their attribute weight. Entries of the diagonal are left out.
func WriteGraphML(w io.Writer, x *sparse.CSR, id func(node int) string, columns []Column) error {
	out := bufio.NewWriterSize(w, 64<<10)
	p := printer{out: out}
	p.text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n")
	for i, c := range columns {
		kind := "string"
		if c.Numbers {
			kind = "double"
		}
		p.text("<key id=\"n" + strconv.Itoa(i) + "\" for=\"node\" attr.name=\"")
		p.escaped(c.Name)
		p.text("\" attr.type=\"" + kind + "\"/>\n")
	}
	p.text("<key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n<graph edgedefault=\"undirected\">\n")
	for i := range x.NumRows {
		p.text("<node id=\"")
		p.escaped(id(i))
		p.text("\">")
		for k, c := range columns {
			if v := c.Value(i); v != "" {
				p.text("<data key=\"n" + strconv.Itoa(k) + "\">")
				p.escaped(v)
				p.text("</data>")
			}
		}
		p.text("</node>\n")
	}
	for i := range x.NumRows {
		for k := x.RowPtr[i]; k < x.RowPtr[i+1]; k++ {
			if j := int(x.Col[k]); j > i {
				p.text("<edge source=\"")
				p.escaped(id(i))
				p.text("\" target=\"")
				p.escaped(id(j))
				p.text("\"><data key=\"weight\">" + strconv.FormatFloat(x.Val[k], 'g', -1, 64) + "</data></edge>\n")
			}
		}
		if p.err != nil {
			return p.err
		}
	}
	p.text("</graph>\n</graphml>\n")
	if p.err != nil {
		return p.err
	}
	return out.Flush()
}

// printer writes until the first error.
type printer struct {
	out *bufio.Writer
	err error
}

func (p *printer) text(s string) {
	if p.err == nil {
		_, p.err = p.out.WriteString(s)
	}
}

func (p *printer) escaped(s string) {
	if p.err == nil {
		p.err = xml.EscapeText(p.out, []byte(s))
	}
}
