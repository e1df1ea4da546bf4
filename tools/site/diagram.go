package main

import (
	"cmp"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
)

// A flow chart as this program reads it: the part of mermaid's language that docs use, which is
// "flowchart TB", chains of nodes "a[text] & b --> c", and one level of subgraphs whose nodes are
// joined by ~~~.
type chart struct {
	nodes  map[string]*node
	order  []string
	edges  [][2]string
	groups []group
}

type node struct {
	lines    []string
	layer    int
	x, y, w  float64
	h        float64
	position float64 // in its layer, for the order
}

type group struct {
	title string
	names []string
}

var (
	nodeText = regexp.MustCompile(`^([\w-]+)(?:\[([^\]]*)\])?$`)
	arrow    = regexp.MustCompile(`\s*(-->|~~~)\s*`)
)

// diagram returns the SVG of a flow chart, drawn from top to bottom: each node one layer below the
// lowest node that leads to it, in the order of the means of their places.
func diagram(code string) (string, error) {
	c, err := readChart(code)
	if err != nil {
		return "", err
	}
	c.layers()
	return c.svg(), nil
}

func readChart(code string) (*chart, error) {
	c := &chart{nodes: map[string]*node{}}
	lines := strings.Split(strings.TrimSpace(code), "\n")
	if head := strings.Fields(lines[0]); len(head) != 2 || head[0] != "flowchart" || head[1] != "TB" {
		return nil, fmt.Errorf("no flowchart TB")
	}
	var inside *group
	for _, line := range lines[1:] {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case line == "end":
			c.groups = append(c.groups, *inside)
			inside = nil
		case strings.HasPrefix(line, "subgraph "):
			inside = &group{title: strings.TrimPrefix(line, "subgraph ")}
		default:
			if err := c.chain(line, inside); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// chain reads one line of nodes and arrows.
func (c *chart) chain(line string, inside *group) error {
	arrows := arrow.FindAllString(line, -1)
	var before []string
	for i, part := range arrow.Split(line, -1) {
		var here []string
		for text := range strings.SplitSeq(part, "&") {
			m := nodeText.FindStringSubmatch(strings.TrimSpace(text))
			if m == nil {
				return fmt.Errorf("no node: %s", text)
			}
			n := c.nodes[m[1]]
			if n == nil {
				n = &node{lines: []string{m[1]}}
				c.nodes[m[1]] = n
				if inside == nil {
					c.order = append(c.order, m[1])
				}
			}
			if m[2] != "" {
				n.lines = fold(m[2], 22)
			}
			if inside != nil {
				inside.names = append(inside.names, m[1])
			}
			here = append(here, m[1])
		}
		if i > 0 && strings.Contains(arrows[i-1], "-->") {
			for _, a := range before {
				for _, b := range here {
					c.edges = append(c.edges, [2]string{a, b})
				}
			}
		}
		before = here
	}
	return nil
}

// fold breaks a text into lines of at most width characters.
func fold(text string, width int) []string {
	var lines []string
	for word := range strings.FieldsSeq(text) {
		if n := len(lines); n > 0 && len(lines[n-1])+1+len(word) <= width {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

const (
	lineHeight = 18.0
	letter     = 7.2 // width of a letter of 13 pixels, on average
	gapX, gapY = 24.0, 44.0
)

// layers places the nodes outside of groups.
func (c *chart) layers() {
	for range c.order {
		for _, e := range c.edges {
			c.nodes[e[1]].layer = max(c.nodes[e[1]].layer, c.nodes[e[0]].layer+1)
		}
	}
	var rows [][]string
	for _, name := range c.order {
		n := c.nodes[name]
		for len(rows) <= n.layer {
			rows = append(rows, nil)
		}
		rows[n.layer] = append(rows[n.layer], name)
	}
	y := 10.0
	for _, row := range rows {
		for i, name := range row {
			sum, count := 0.0, 0.0
			for _, e := range c.edges {
				if e[1] == name {
					from := c.nodes[e[0]]
					sum, count = sum+from.x+from.w/2, count+1
				}
			}
			c.nodes[name].position = float64(i) * 1e-3
			if count > 0 {
				c.nodes[name].position += sum / count
			}
		}
		slices.SortStableFunc(row, func(a, b string) int { return cmp.Compare(c.nodes[a].position, c.nodes[b].position) })
		y = c.place(row, y) + gapY
	}
	for _, g := range c.groups {
		y = c.place(g.names, y+lineHeight) + gapY
	}
}

// place gives the nodes of a row their sizes and places, centred, and returns where the row ends.
func (c *chart) place(row []string, y float64) float64 {
	width, bottom := -gapX, y
	for _, name := range row {
		n := c.nodes[name]
		longest := 0
		for _, l := range n.lines {
			longest = max(longest, len(l))
		}
		n.w, n.h, n.y = letter*float64(longest)+20, lineHeight*float64(len(n.lines))+14, y
		width, bottom = width+n.w+gapX, max(bottom, y+n.h)
	}
	x := 380 - width/2
	for _, name := range row {
		c.nodes[name].x = x
		x += c.nodes[name].w + gapX
	}
	return bottom
}

func (c *chart) svg() string {
	left, right, bottom := 1e9, 0.0, 0.0
	for _, n := range c.nodes {
		left, right, bottom = min(left, n.x), max(right, n.x+n.w), max(bottom, n.y+n.h)
	}
	left, right, bottom = left-20, right+20, bottom+20
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="%.0f 0 %.0f %.0f" role="img" aria-label="flow chart">`, left, right-left, bottom)
	b.WriteString(`<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>`)
	for _, e := range c.edges {
		from, to := c.nodes[e[0]], c.nodes[e[1]]
		x1, y1, x2, y2 := from.x+from.w/2, from.y+from.h, to.x+to.w/2, to.y-2
		fmt.Fprintf(&b, `<path d="M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f" marker-end="url(#tip)"/>`, x1, y1, x1, y1+gapY/2, x2, y2-gapY/2, x2, y2)
	}
	for _, g := range c.groups {
		first, last, low := c.nodes[g.names[0]], c.nodes[g.names[len(g.names)-1]], 0.0
		for _, name := range g.names {
			low = max(low, c.nodes[name].y+c.nodes[name].h)
		}
		fmt.Fprintf(&b, `<rect class="group" x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="8"/>`, first.x-10, first.y-lineHeight-8, last.x+last.w-first.x+20, low-first.y+lineHeight+18)
		fmt.Fprintf(&b, `<text class="soft" x="%.0f" y="%.0f">%s</text>`, first.x, first.y-9, html.EscapeString(g.title))
	}
	names := slices.Clone(c.order)
	for _, g := range c.groups {
		names = append(names, g.names...)
	}
	for _, name := range names {
		n := c.nodes[name]
		fmt.Fprintf(&b, `<rect x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="6"/>`, n.x, n.y, n.w, n.h)
		for i, l := range n.lines {
			fmt.Fprintf(&b, `<text x="%.0f" y="%.0f" text-anchor="middle">%s</text>`, n.x+n.w/2, n.y+lineHeight*float64(i)+19, html.EscapeString(l))
		}
	}
	b.WriteString("</svg>")
	return b.String()
}
