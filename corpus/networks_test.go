package corpus

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/network"
	"github.com/eigenmap/eigenmap/internal/must"
)

// The graph of sampleNetworks: a-b 2, b-c 3, a-d 1, and e alone, of classes p and q.
var sampleMatrix = [][]float64{{0, 2, 0, 1, 0}, {2, 0, 3, 0, 0}, {0, 3, 0, 0, 0}, {1, 0, 0, 0, 0}, {0, 0, 0, 0, 0}}

// sampleNetworks is one graph as each program writes it.
var sampleNetworks = map[string]string{
	"networkx.graphml": `<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d1" for="edge" attr.name="weight" attr.type="long" />
  <key id="d0" for="node" attr.name="class" attr.type="string" />
  <graph edgedefault="undirected">
    <node id="a"><data key="d0">p</data></node><node id="b"><data key="d0">p</data></node>
    <node id="c"><data key="d0">q</data></node><node id="d"><data key="d0">q</data></node>
    <node id="e"><data key="d0">q</data></node>
    <edge source="a" target="b"><data key="d1">2</data></edge>
    <edge source="b" target="c"><data key="d1">3</data></edge>
    <edge source="a" target="d"><data key="d1">1</data></edge>
  </graph>
</graphml>`,
	// igraph has ids of its own, and a standard weight; an edge may come before its nodes.
	"igraph.graphml": `<graphml><key id="v_name" for="node" attr.name="name" attr.type="string"/><key id="v_class" for="node" attr.name="class"><default>q</default></key>
<key id="e_weight" for="edge" attr.name="weight" attr.type="double"><default>1</default></key><graph id="G" edgedefault="undirected">
<edge source="n0" target="n1"><data key="e_weight">2</data></edge><node id="n0"><data key="v_name">a</data><data key="v_class">p</data></node><node id="n1"><data key="v_name">b</data>
<data key="v_class">p</data></node><node id="n2"><data key="v_name">c</data></node><node id="n3"><data key="v_name">d</data></node><node id="n4"><data key="v_name">e</data></node>
<edge source="n1" target="n2"><data key="e_weight">3</data></edge><edge source="n0" target="n3"></edge></graph></graphml>`,
	// yEd draws the labels.
	"yed.graphml": `<?xml version="1.0" encoding="UTF-8" standalone="no"?><graphml xmlns:y="http://www.yworks.com/xml/graphml"><key for="node" id="d6" yfiles.type="nodegraphics"/>
<key attr.name="class" attr.type="string" for="node" id="d7"/><key attr.name="weight" for="edge" id="d9"/><graph edgedefault="undirected" id="G">` + yedNodes() + `
<edge id="e0" source="n0" target="n1"><data key="d9"><![CDATA[2]]></data></edge><edge id="e1" source="n2" target="n1"><data key="d9">3</data></edge><edge id="e2" source="n0" target="n3"><data key="d9">1</data></edge></graph></graphml>`,
	"gephi.gexf": `<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" version="1.3" xmlns:viz="http://gexf.net/1.3/viz"><graph defaultedgetype="undirected"><attributes class="node"><attribute id="0" title="class" type="string"/></attributes>
<attributes class="edge"><attribute id="0" title="kind" type="string"/></attributes><nodes count="5">` + gephiNodes() + `</nodes><edges>
<edge id="0" source="0" target="1" weight="2.0"><attvalues><attvalue for="0" value="x"/></attvalues></edge><edge id="1" source="1" target="2" weight="3"></edge><edge source="0" target="3"/></edges></graph></gexf>`,
	"newman.gml": "Creator \"Mark on Thu\"\nVersion 1\ngraph\n[\n  directed 0\n" + gmlNodes() +
		"  edge\n  [\n source 0\n target 1\n value 2\n ]\n edge [ source 1 target 2 value 3 ]\n edge [ source 0 target 3 value 1 ]\n]\n",
	"networkx.gml": "graph [\n" + gmlNodes() + "edge [ source 0 target 1 weight 2 ] edge [ source 1 target 2 weight 3.0 ] edge [ source 0 target 3 weight 1e0 ] ]",
	"pajek.net":    "% made by us\n*Network some name\n*Vertices 5\n1 \"a\" 0.1 0.2 ellipse class p\r\n2 b 0 0 box class p\n3 \"c\" class q\n4 d 0 0 0 ellipse class q\n5 e class q\n*Edges\n1 2 2\n3 2 3 l \"an edge\"\n*Edges :2 \"more\"\n1 4\n",
	"pajek.paj":    "*Network x\n*Vertices 5\n1 a\n2 b\n3 c\n4 d\n5 e\n*Matrix\n0 1 0 .5 0\n1 0 1.5 0 0\n0 1.5 0 0 0\n0.5 0 0 0 0\n0 0 0 0 0\n*Partition class\n*Vertices 5\np\np\nq\nq\nq\n",
	"graphviz.dot": "/* by hand */\nstrict graph \"G\" {\n  graph [rankdir=LR]; node [shape=box]\n  // nodes\n  a, b [class=p] c [class=\"q\"];\n",
	"hand.gv": "# by hand\ngraph {\n rankdir=LR; a [class=p]; b [class=p]; c [class=q]; \"d\" [class=q, label=<<b>x</b>>]; e [\"class\"=\"q\"]\n edge [weight=3]; b -- c:n:w;\n" +
		" subgraph cluster_0 { edge [weight=1] a -- {d} }\n a -- b [weight=\"2\" color = \"#ff0000\"];\n}\n",
	"networkx.json": `{"directed": false, "multigraph": false, "graph": {"name": "x"}, "nodes": [{"class": "p", "id": "a"}, {"class": "p", "id": "b"}, {"class": "q", "id": "c"}, {"class": "q", "id": "d"}, {"class": "q", "id": "e"}],
"edges": [{"weight": 2, "source": "a", "target": "b"}, {"weight": 3, "source": "b", "target": "c"}, {"source": "a", "target": "d", "weight": null}]}`,
	"d3.json": `{"links":[{"source":1,"target":0,"value":2},{"source":2,"target":1,"value":3},{"source":3,"target":0,"value":1}],
"nodes":[{"name":"a","class":"p"},{"name":"b","class":"p"},{"name":"c","class":"q"},{"name":"d","class":"q"},{"name":"e","class":"q"}]}`,
	"networkx1.json": `{"directed": false, "nodes": [{"id": "a", "class": "p"}, {"id": "b", "class": "p"}, {"id": "c", "class": "q"}, {"id": "d", "class": "q"}, {"id": "e", "class": "q"}],
"links": [{"source": 0, "target": 1, "weight": 2}, {"source": 1, "target": 2, "weight": 3}, {"source": 0, "target": 3}]}`,
	"cytoscape.cyjs": `{"data": {}, "elements": {"nodes": [` + jsonNodes(`{"data": {"id": "%s", "class": "%s"}, "position": {"x": 1}}`) + `],
"edges": [{"data": {"id": "0", "source": "a", "target": "b", "weight": 2}}, {"data": {"source": "b", "target": "c", "weight": 3}}, {"data": {"source": "d", "target": "a", "weight": 1}}]}}`,
	"graphology.json": `{"attributes": {}, "nodes": [` + jsonNodes(`{"key": "%s", "attributes": {"class": "%s", "size": 3}}`) + `],
"edges": [{"key": "0", "source": "a", "target": "b", "attributes": {"weight": 2}}, {"source": "b", "target": "c", "attributes": {"weight": 3}}, {"source": "d", "target": "a"}]}`,
	"jgf.json": `{"graph": {"directed": false, "nodes": {"a": {"metadata": {"class": "p"}}, "b": {"class": "p"}, "c": {"class": "q"}, "d": {"class": "q"}, "e": {"class": "q"}},
"edges": [{"source": "a", "target": "b", "metadata": {"weight": 2}}, {"source": "b", "target": "c", "metadata": {"weight": 3}}, {"source": "d", "target": "a"}]}}`,
}

func eachNode(write func(i int, name, class string) string) string {
	var out strings.Builder
	for i, name := range strings.Fields("a b c d e") {
		out.WriteString(write(i, name, map[bool]string{true: "p", false: "q"}[i < 2]))
	}
	return out.String()
}

func yedNodes() string {
	return eachNode(func(i int, name, class string) string {
		return fmt.Sprintf("<node id=\"n%d\"><data key=\"d6\">\n<y:ShapeNode><y:Fill color=\"#FFF\"/><y:NodeLabel fontSize=\"12\">%s<y:LabelModel/></y:NodeLabel></y:ShapeNode></data><data key=\"d7\">%s</data></node>", i, name, class)
	})
}

func gephiNodes() string {
	return eachNode(func(i int, name, class string) string {
		return fmt.Sprintf(`<node id="%d" label="%s"><attvalues><attvalue for="0" value="%s"/></attvalues><viz:size value="1"/></node>`, i, name, class)
	})
}

func gmlNodes() string {
	return eachNode(func(i int, name, class string) string {
		return fmt.Sprintf("  node\n  [\n    id %d\n    label \"%s\"\n    class \"%s\"\n    graphics [ x 1 fill \"#00]\" ]\n  ]\n", i, name, class)
	})
}

func jsonNodes(format string) string {
	return strings.TrimSuffix(eachNode(func(_ int, name, class string) string { return fmt.Sprintf(format, name, class) + "," }), ",")
}

// A graph is the same in each format, with names and classes of its nodes.
func TestNetworks(t *testing.T) {
	sampleNetworks["graphviz.dot"] += "d [class=q] e [class=\"q\\\n\"] a -- b [weight=2]; c -- b [weight=9] edge [weight=7] b -- c b -- c [weight=3] edge [weight=1]; d--a\n}\n"
	for _, name := range slices.Sorted(maps.Keys(sampleNetworks)) {
		t.Run(name, func(t *testing.T) {
			c := readNamed(t, name, sampleNetworks[name], ReadOptions{})
			checkInvariants(t, c)
			checkMatrix(t, c.X, sampleMatrix)
			if !slices.Equal(c.IDs, []string{"a", "b", "c", "d", "e"}) {
				t.Errorf("ids %q", c.IDs)
			}
			if !slices.Equal(c.Labels, []int{0, 0, 1, 1, 1}) || !slices.Equal(c.ClassNames, []string{"p", "q"}) {
				t.Errorf("labels %v of %q", c.Labels, c.ClassNames)
			}
			if !slices.Contains(GraphFormats(), c.Format) {
				t.Errorf("format %s", c.Format)
			}
			packed := readNamed(t, name+".gz", gzipped(sampleNetworks[name]), ReadOptions{})
			checkMatrix(t, packed.X, sampleMatrix)
		})
	}
}

// checkNodes compares the names of nodes with ids, between bars or blanks, and looks for notes.
func checkNodes(t *testing.T, got *Corpus, ids string, notes []string) {
	t.Helper()
	want := strings.Fields(ids)
	if strings.Contains(ids, "|") {
		want = strings.Split(ids, "|")
	}
	if !slices.Equal(got.IDs, want) {
		t.Errorf("ids %q", got.IDs)
	}
	for _, n := range notes {
		wantNote(t, got, n)
	}
}

// TestNetworkNotes: notes name what a graph has beside plain edges.
func TestNetworkNotes(t *testing.T) {
	for _, c := range []struct {
		name, content string
		opt           ReadOptions
		ids           string
		want          [][]float64
		notes         []string
	}{
		{"arcs.dot", "digraph { a -> b [weight=2]; b -> a [weight=3, kind=x]; b -> b; c }", ReadOptions{}, "a b c", [][]float64{{0, 5, 0}, {5, 0, 0}, {0, 0, 0}},
			[]string{"3 nodes and 1 edge in DOT", "have a direction, which is left out", "are summed (1 edge)", "1 edge from a node to itself", "1 edge has no weight and the weight 1", "edges that are not used: kind"}},
		{"sets.dot", "graph { subgraph s { a b } -- c -- subgraph s }", ReadOptions{}, "a b c", [][]float64{{0, 0, 2}, {0, 0, 2}, {2, 2, 0}}, []string{"are summed (2 edges)"}},
		{"mixed.graphml", `<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/><edge source="a" target="b"/><edge source="a" target="b" directed="false"/></graph></graphml>`,
			ReadOptions{}, "a b", [][]float64{{0, 2}, {2, 0}}, []string{"1 of the edges have a direction", "are summed (1 edge)"}},
		{"same.gml", "graph [ node [ id 1 label \"x\" club \"p\" ] node [ id 2 label \"x\" club \"p\" ] node [ id 3 club \"q\" ] node [ id 4 club \"q\" ] node [ id 5 club \"q\" ] node [ id 6 club \"q\" ] edge [ source 1 target 2 ] ]",
			ReadOptions{}, "1 2 3 4 5 6", nil, []string{"called by their id, as the attribute label is missing for some or is the same for several", "nodes that are not used: club; ‹label-column› club"}},
		{"values.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 value \"friends\" ] ]", ReadOptions{}, "1 2", [][]float64{{0, 1}, {1, 0}}, []string{"edges that are not used: value"}},
		{"modes.net", "*Vertices 3 2\n1 u\n2 v\n3 w\n*Matrix\n1\n2\n", ReadOptions{}, "u v w", [][]float64{{0, 0, 1}, {0, 0, 2}, {1, 2, 0}}, nil},
		{"lists.net", "*vertices 4\n*arcslist\n1 2 3\n*edgeslist\n4 1\n", ReadOptions{}, "1 2 3 4", [][]float64{{0, 1, 1, 1}, {1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}}, []string{"2 of the edges have a direction"}},
		{"tuples.json", `{"directed": true, "nodes": [{"id": [0, 1]}, {"id": [0, 2]}], "links": [{"source": [0, 1], "target": [0, 2]}]}`, ReadOptions{}, "0, 1|0, 2", [][]float64{{0, 1}, {1, 0}}, []string{"have a direction"}},
		{"latin.net", "*Vertices 2\n1 \"Orl\xe9ans\"\n2 \"Z\xfcrich\"\n*Edges\n1 2\n", ReadOptions{Encoding: "latin1"}, "Orléans Zürich", [][]float64{{0, 1}, {1, 0}}, nil},
		{"entities.gml", "graph [ node [ id 1 label \"Z&#252;rich &amp; &quot;x&quot;\" ] node [ id 2 label \"b\" ] edge [ source 1 target 2 ] ]", ReadOptions{}, "Zürich & \"x\"|b", nil, nil},
		{"byid.gml", sampleNetworks["newman.gml"], ReadOptions{IDColumn: "id", LabelColumn: "none"}, "0 1 2 3 4", sampleMatrix, []string{"value of the edges is taken for their weight"}},
		{"none.gml", sampleNetworks["newman.gml"], ReadOptions{IDColumn: "none"}, "", sampleMatrix, []string{"The attribute class is taken for the classes"}},
		{"breaks.json", `{"nodes": [{"id": "a\nb"}, {"id": "c"}], "links": [{"source": "a\nb", "target": "c"}]}`, ReadOptions{}, "a b|c", [][]float64{{0, 1}, {1, 0}}, nil},
		{"time.gexf", `<gexf><graph mode="dynamic" defaultedgetype="directed"><nodes><node id="1"/><node id="2"/></nodes><edges><edge source="1" target="2" type="undirected"/></edges></graph></gexf>`, ReadOptions{}, "1 2", [][]float64{{0, 1}, {1, 0}}, []string{"changes over time"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := readNamed(t, c.name, c.content, c.opt)
			checkInvariants(t, got)
			if c.want != nil {
				checkMatrix(t, got.X, c.want)
			}
			checkNodes(t, got, c.ids, c.notes)
		})
	}
}

// Graphs that programs write, and that were read with other names or weights, or were refused.
func TestNetworksOfPrograms(t *testing.T) {
	two := [][]float64{{0, 2}, {2, 0}}
	for _, c := range []struct {
		name, content, ids string
		want               [][]float64
		notes              []string
	}{
		{"quotes.net", "*Vertices 3\n1 \"say \"hi\"\" 0.0 0.0 ellipse\n2 \"an \\\"x\\\"\"\n3 \"[3]\"\n*Edges\n1 2 2\n", `say "hi"|an "x"|[3]`, [][]float64{{0, 2, 0}, {2, 0, 0}, {0, 0, 0}}, nil},
		{"times.net", "*Vertices 2\n1 \"a\" 0.1 0.2 0.5 box [1-3,5]\n2 b [2-*]\n*Edges\n1 2 2 [2]\n", "a b", two, []string{"changes over time"}},
		{"relations.net", "*Vertices 2\n*Arcs :1 \"likes\"\n1 2\n*Arcs :2 \"hates\"\n2 1\n", "1 2", two, []string{"several relations (\":1\" and others)"}},
		{"words.net", "*Vertices 2\n1 Ann Lee\n2 Bob ellipse\n*Edges\n1 2 2\n", "Ann Bob", two, []string{`such as "Lee" in line 2; put a label of several words into quotes`}},
		{"labels.graphml", `<graphml xmlns:y="y"><graph><node id="1"><data key="d"><y:NodeLabel>a</y:NodeLabel><y:NodeLabel>more</y:NodeLabel></data></node><node id="2"><data key="d"><y:NodeLabel>b</y:NodeLabel></data></node>` +
			`<edge source="1" target="2"/><edge source="1" target="2"/></graph></graphml>`, "a b", two, nil},
		{"lines.dot", "graph { \"a\\\r\nb\" -- c [weight=2] }", "ab c", two, nil},
		{"objects.json", `{"nodes": [{"id": "a", "index": 0}, {"id": "b"}], "links": [{"source": {"index": 0, "id": "a"}, "target": {"id": "b", "x": 1.5}, "value": 2}], "pages": []}`, "a b", two, []string{"not read: pages"}},
		{"index.json", `{"nodes": [{"name": "a", "index": 0}, {"name": "b", "index": 1}], "links": [{"source": {"name": "a", "index": 0}, "target": {"name": "b", "index": 1}, "value": 2}]}`, "a b", two, nil},
		{"places.json", `{"nodes": [{"id": 1}, {"id": 0}, {"id": 2}], "links": [{"source": 0, "target": 2, "weight": 2}]}`, "1 0 2", [][]float64{{0, 0, 0}, {0, 0, 2}, {0, 2, 0}}, []string{"could be places in the list, too"}},
		{"root.xml", "<?xml version=\"1.0\"?>\n<!-- > -->\n<!DOCTYPE graphml [<!ENTITY who \"a\"> ]>\n<graphml><graph><node id=\"&who;\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"a\"/></graph></graphml>", "a b", two, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := readNamed(t, c.name, c.content, ReadOptions{})
			checkMatrix(t, got.X, c.want)
			checkNodes(t, got, c.ids, c.notes)
		})
	}
}

// A graph that is broken, or more than one, is refused with its place.
func TestNetworkFaults(t *testing.T) {
	gml := func(inside string) string { return "graph [\n node [ id 1 ]\n node [ id 2 ]\n" + inside + "\n]\n" }
	xml := func(inside string) string {
		return "<graphml>\n<key id=\"w\" for=\"edge\" attr.name=\"weight\"/>\n<graph edgedefault=\"undirected\">\n<node id=\"a\"/>\n<node id=\"b\"/>\n" + inside + "\n</graph></graphml>\n"
	}
	for _, c := range []struct {
		name, content string
		parts         []string
	}{
		{"cut.gml", "graph [\n node [ id 1 ]\n edge [ source 1", []string{"line 3", "an edge that begins in line 3", "cut off"}},
		{"unknown.gml", gml(" edge [ source 1 target 3 ]"), []string{"line 4", `"3", which is the id of no node`}},
		{"twice.gml", gml(" node [ id 1 ]"), []string{"line 4", "that of another node, in line 2"}},
		{"negative.gml", gml(" edge [ source 1 target 2 weight -1 ]"), []string{"line 4", `"-1"`, "negative", "leave such edges out"}},
		{"negative.value.gml", gml(" edge [ source 1 target 2 value 1 ]\n edge [ source 1 target 2 value -1 ]"), []string{"line 5", `"-1"`, "negative"}},
		{"word.gml", gml(" edge [ source 1 target 2 weight \"far\" ]"), []string{"line 4", `"far"`, "not a finite number"}},
		{"nan.gml", gml(" edge [ source 1 target 2 weight NAN ]"), []string{"line 4", "not a finite number"}},
		{"noid.gml", gml(" node [ label \"x\" ]"), []string{"line 4", "no id"}},
		{"nosource.gml", gml(" edge [ target 1 ]"), []string{"line 4", "no source"}},
		{"two.gml", gml("") + gml(""), []string{"line 6", "second graph"}},
		{"inside.gml", gml(" node [ id 3 graph [ ] ]"), []string{"line 4", "graph stands inside of a node"}},
		{"deep.gml", gml(strings.Repeat(" x [", 2000)), []string{"inside one another"}},
		{"key.gml", gml(" 5 6"), []string{"line 4", `"5" stands where a key is needed`}},
		{"cut.graphml", "<graphml><graph>\n<node id=\"a\"/><node", []string{"line 2", "cut off"}},
		{"unknown.graphml", xml(`<edge source="a" target="x"/>`), []string{"line 6", `"x", which is the id of no node`}},
		{"twice.graphml", xml(`<node id="b"/>`), []string{"line 6", "that of another node, in line 5"}},
		{"hyper.graphml", xml(`<hyperedge><endpoint node="a"/></hyperedge>`), []string{"line 6", "hyperedge", "each two"}},
		{"nested.graphml", xml(`<node id="c"><graph id="c:"></graph></node>`), []string{"line 6", "inside of a node"}},
		{"two.graphml", xml("</graph>\n<graph>"), []string{"line 7", "second graph"}},
		{"weight.graphml", xml(`<edge source="a" target="b"><data key="w">x</data></edge>`), []string{"line 6", `"x"`, "not a finite number"}},
		{"negative.graphml", xml(`<edge source="a" target="b"><data key="w">-2</data></edge>`), []string{"line 6", "negative"}},
		{"bomb.graphml", "<!DOCTYPE g [<!ENTITY a \"" + strings.Repeat("x", 3000) + "\"><!ENTITY b \"&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]>\n" + xml(""), []string{"line 1", "the entity", "stands for more than"}},
		{"none.graphml", "<graphml></graphml>", []string{"holds no <graph>"}},
		{"tags.graphml", "<graphml><graph><node id=\"a\"></graph></graphml>", []string{"</graph> stands where <node>"}},
		{"hierarchy.gexf", `<gexf><graph><nodes><node id="a"><nodes><node id="b"/></nodes></node></nodes></graph></gexf>`, []string{"inside of a node"}},
		{"none.gexf", "<gexf version=\"1.2\">\n</gexf>\n", []string{"holds no <graph>"}},
		{"empty.gexf", "<gexf><graph></graph></gexf>\n", []string{"no nodes"}},
		{"number.net", "*Vertices 2\n*Edges\n1 3\n", []string{"line 3", `"3" is not the number of a vertex, from 1 to 2`}},
		{"weight.net", "*Vertices 2\n*Edges\n1 2 x\n", []string{"line 3", `"x"`, "not a finite number"}},
		{"half.net", "*Vertices 2\n*Edges\n1\n", []string{"line 3", "has one field"}},
		{"rows.net", "*Vertices 3\n*Matrix\n0 1 1\n1 0 1\n", []string{"after 2 of 3 rows"}},
		{"wide.net", "*Vertices 2\n*Matrix\n0 1 1\n", []string{"line 3", "has 3 numbers"}},
		{"two.net", "*Vertices 2\n*Edges\n1 2\n*Vertices 2\n", []string{"line 4", "second graph"}},
		{"odd.net", "*Vertices 2\n*Triangles\n1 2\n", []string{"line 2", "Triangles"}},
		{"twice.net", "*Vertices 2\n1 a\n1 b\n", []string{"line 3", "has a line already"}},
		{"claims.net", "*Vertices 2000000000\n*Edges\n1 2\n", []string{"line 3", "claims 2000000000 vertices in 3 lines"}},
		{"claims.line.net", "*Vertices 2000000000\n1900000000 a\n", []string{"line 2", "claims 2000000000 vertices in 2 lines"}},
		{"cut.dot", "graph {\n a -- b [weight=", []string{"line 2", "cut off"}},
		{"cut.text.dot", "graph {\n a -- \"b }\n", []string{"a text that begins in line 2", "cut off"}},
		{"cut.comment.dot", "graph {\n a /* b }\n", []string{"a comment that begins in line 2", "cut off"}},
		{"arrow.dot", "graph {\n a -> b }\n", []string{"line 2", "digraph"}},
		{"two.dot", "graph { a -- b }\ngraph { c }\n", []string{"line 2", "second graph"}},
		{"weight.dot", "graph { a -- b [weight=far] }", []string{"line 1", `"far"`, "not a finite number"}},
		{"sign.dot", "graph {\n a -- b ; ] }", []string{"line 2", `"]" stands where`}},
		{"cut.json", `{"directed": false, "nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1`, []string{"cut off"}},
		{"unknown.json", `{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b"}, {"source": "a", "target": "x"}]}`, []string{"link 2", `"x" is the id of no node`}},
		{"twice.json", `{"nodes": [{"id": "a"}, {"id": "a"}], "links": [{"source": "a", "target": "a"}]}`, []string{"node 2", "that of another node, in node 1"}},
		{"weight.json", `{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b", "weight": "far"}]}`, []string{"link 1", `"far"`}},
		{"nan.json", `{"nodes": [{"id": "a", "x": NaN}], "links": [{"source": "a", "target": "a"}]}`, []string{"byte 29", "NaN", "write null"}},
		{"two.json", `{"nodes": [{"id": "a"}], "links": [{"source": "a", "target": "a"}]}` + "\n{}", []string{"more follows"}},
		{"adjacency.json", `{"directed": false, "multigraph": false, "nodes": [{"id": 1}], "adjacency": [[]]}`, []string{"node_link_data"}},
		{"some.json", `{"directed": false, "nodes": [{"id": "a"}, {"name": "b"}], "links": []}`, []string{"node 2", "no id"}},
		{"column.json", sampleNetworks["networkx.json"], []string{"no node has the attribute club", "class"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			opt := ReadOptions{MaxBytes: fuzzMemory}
			if c.name == "column.json" {
				opt.LabelColumn = "club"
			}
			_, err := Read(t.Context(), writeFile(t, t.TempDir(), c.name, []byte(c.content)), opt)
			wantFault(t, err, c.parts...)
		})
	}
}

// Files that only look like graphs are what they were: a list of nodes without links, or a text.
func TestNoNetworks(t *testing.T) {
	_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.json", []byte(`{"nodes": [{"title": "t", "body": "some words of a text"}, {"title": "u", "body": "more words of it"}]}`)), ReadOptions{})
	wantFault(t, err, "jq '.[\"nodes\"]'")
	texts := "{\"text\": \"some nodes\", \"links\": [{\"source\": 1, \"target\": 2}]}\n{\"text\": \"more nodes\"}\n"
	if c := readNamed(t, "a.jsonl", texts, ReadOptions{Text: TextOptions{MinDF: 1}}); c.Len() != 2 {
		t.Errorf("%d documents", c.Len())
	}
	parsed := `{"id": "%d", "input": "a cat sat on mat %d", "nodes": [{"id": 0, "label": "cat"}], "edges": [{"source": 0, "target": 0, "label": "x"}]}` + "\n"
	records := "<corpus>\n" + strings.Repeat("<doc><text>of <![CDATA[the <graphml > tag]]> and more</text></doc>\n", 9) + "</corpus>\n"
	for name, c := range map[string]struct {
		content string
		want    int
	}{
		"parsed.jsonl": {numbered(12, func(i int) string { return fmt.Sprintf(parsed, i, i) }), 12},
		"parsed.txt":   {numbered(12, func(i int) string { return fmt.Sprintf(parsed, i, i) }), 12},
		"cdata.xml":    {records, 9},
		"comment.xml":  {"<!-- made of <graphml > files -->\n" + records, 9},
	} {
		if c2 := readNamed(t, name, c.content, ReadOptions{Text: TextOptions{MinDF: 1}}); c2.Len() != c.want || slices.Contains(GraphFormats(), c2.Format) {
			t.Errorf("%s: %d documents, %s", name, c2.Len(), c2.Format)
		}
	}
	for name, content := range map[string]string{
		"bracket.txt": "graph [1] shows that texts are nice\nand more of them\n", "star.txt": "*Vertices 10 of the graph are red\nand more of them\n",
		"empty.txt": "*Network\n*Vertices \nand more of them\n", "tags.txt": "<p>how to use <graphml > here</p>\n<p>and more</p>\n",
	} {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), name, []byte(content)), ReadOptions{})
		wantFault(t, err, "if each line is a document")
	}
	_, err = Read(t.Context(), writeFile(t, t.TempDir(), "film.json", []byte(`{"directed": "by Ann", "nodes": [{"title": "t", "body": "some words of a text"}, {"title": "u", "body": "more words of it"}]}`)), ReadOptions{})
	wantFault(t, err, "jq '.[\"nodes\"]'")
	lines := "Graph theory is {nice}\nand so are texts\n"
	if c := readNamed(t, "a.txt", lines, ReadOptions{Format: "lines", Text: TextOptions{MinDF: 1}}); c.Len() != 2 {
		t.Errorf("%d documents", c.Len())
	}
}

// A folder of graphs is no folder of texts.
func TestFolderOfNetworks(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.gml", "b.gml", "words.txt"} {
		writeFile(t, dir, name, []byte("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]"))
	}
	_, err := Read(t.Context(), dir, ReadOptions{})
	wantFault(t, err, "a.gml", "is by its name a graph", "name the graph itself")
	if c := must.Get(Read(t.Context(), dir, ReadOptions{Format: "folder", Text: TextOptions{MinDF: 1}}))(t); c.Len() != 3 {
		t.Errorf("%d documents", c.Len())
	}
}

// A graph in JSON is read from an archive and from a folder that hold nothing else.
func TestSoleNetwork(t *testing.T) {
	content := sampleNetworks["networkx.json"]
	dir := t.TempDir()
	writeFile(t, dir, "a.json", []byte(content))
	inside := must.Get(Read(t.Context(), dir, ReadOptions{}))(t)
	packed := readNamed(t, "a.zip", string(archivedZip(map[string]string{"a.json": content})), ReadOptions{})
	for _, c := range []*Corpus{inside, packed} {
		checkMatrix(t, c.X, sampleMatrix)
		checkNodes(t, c, "a b c d e", nil)
	}
}

// Labels may come from the attributes of a graph.
func TestLabelsOfNetwork(t *testing.T) {
	l := must.Get(ReadLabeling(t.Context(), writeFile(t, t.TempDir(), "a.graphml", []byte(sampleNetworks["networkx.graphml"])), ""))(t)
	if !slices.Equal(l.Labels, []string{"p", "p", "q", "q", "q"}) || !slices.Equal(l.IDs, []string{"a", "b", "c", "d", "e"}) {
		t.Errorf("%q of %q", l.Labels, l.IDs)
	}
}

// FuzzNetworks reads arbitrary bytes as graphs of each format.
func FuzzNetworks(f *testing.F) {
	formats := append(network.Formats(), "")
	kind := map[string]int{"graphml": 0, "gexf": 1, "gml": 2, "net": 3, "paj": 3, "dot": 4, "gv": 4, "json": 5, "cyjs": 5}
	for _, name := range slices.Sorted(maps.Keys(sampleNetworks)) {
		_, ext, _ := strings.Cut(name, ".")
		f.Add([]byte(sampleNetworks[name]), uint8(kind[ext]))
		f.Add([]byte(sampleNetworks[name]), uint8(len(formats)-1))
	}
	f.Add([]byte("digraph { subgraph s { a -> {b c} } edge [weight=2] s -> d:n:w [x=\"a\" + \"b\"] }"), uint8(4))
	f.Add([]byte("*Vertices 3 1\n*Matrix\n1 2\n*Partition p\n*Vertices 3\n1\n2\n"), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, format uint8) {
		fuzzRead(t, data, formats[int(format)%len(formats)], ReadOptions{Text: TextOptions{MinDF: 1}})
	})
}
