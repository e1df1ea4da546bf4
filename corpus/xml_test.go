package corpus

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// feed is a news feed of three items, the first of which has two categories.
const feed = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News of the town</title>
<item><title>Opening</title><guid>g1</guid><description><![CDATA[<p>The café opened its <b>doors</b> today & others</p>]]></description><dc:creator>Ann</dc:creator></item>
<item><title>Rain</title><guid>g2</guid><description>Rain fell on the town for the third day in a row</description><dc:creator>Bob</dc:creator></item>
<item><title>Sun</title><guid>g3</guid><description>The sun shone on the hills for the first time in weeks</description><dc:creator>Bob</dc:creator></item>
</channel></rss>`

// posts are rows whose fields are attributes, as Stack Exchange writes them.
const posts = `<?xml version="1.0" encoding="utf-8"?>
<posts>
  <row Id="4" PostTypeId="1" Score="43" Body="&lt;p&gt;How to elicit priors from experts &amp;amp; others?&lt;/p&gt;&#xA;" Tags="&lt;prior&gt;" />
  <row Id="6" PostTypeId="2" Score="3" Body="&lt;p&gt;What is the assumption of normality in statistics?&lt;/p&gt;" />
</posts>`

// articles are citations of PubMed, with marks inside of texts and a text in two parts.
const articles = `<?xml version="1.0"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "https://example.org/x.dtd">
<PubmedArticleSet>
<PubmedArticle><MedlineCitation><PMID Version="1">1</PMID><Article><Title>On H<sub>2</sub>O</Title><Abstract><AbstractText Label="AIM">Water helps in the <i>folding</i> of proteins of all kinds.</AbstractText><AbstractText Label="METHOD">We measured proteins in oil and in water.</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID Version="1">2</PMID><Article><Title>Cells</Title><Abstract><AbstractText>Cells grow in sugar and salts at the right temperature.</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>
</PubmedArticleSet>`

// Files of XML whose records are documents, and those whose are not clear.
func TestKindXML(t *testing.T) {
	words := func(n int) string { return strings.Repeat("some words of a text ", n) }
	doc := func(i int) string { return fmt.Sprintf("<doc id=\"d%d\"><text>%s%d</text></doc>", i, words(2), i) }
	docs := doc(1) + "\n" + doc(2) + doc(3)
	checkKinds(t, []kind{
		{name: "feed.rss", content: feed, rows: 3, note: "The documents are the elements <item> in rss/channel."},
		{name: "feed", content: feed, rows: 3, note: "field description"},
		{name: "Posts.xml", content: posts, rows: 2, ids: true, note: "field Body"},
		{name: "Posts.xml.gz", content: gzipped(posts), rows: 2, ids: true, note: "field Body"},
		{name: "a.zip", content: string(zipped("Posts.xml", posts)), rows: 2, ids: true},
		{name: "pubmed.xml", content: articles, rows: 2, note: "<PubmedArticle> in PubmedArticleSet"},
		{name: "a.xml", content: "<documents>" + docs + "</documents>", rows: 3, ids: true},
		{name: "a.txt", content: docs, rows: 3, ids: true, note: "The documents are the elements <doc>."},
		{name: "a.xml", content: "\ufeff<a><!-- <doc> --->" + docs + "</a>", rows: 3, ids: true},
		{name: "wiki.xml", content: "<mediawiki><siteinfo><ns>A</ns><ns>B</ns></siteinfo><page><title>X</title><id>7</id><revision><id>9</id><text bytes=\"9\">" + words(30) + "</text></revision></page></mediawiki>", rows: 1, ids: true, note: "<page> in mediawiki"},
		{name: "a.xml", content: `<?xml version="1.0" encoding="ISO-8859-1"?><r><d><body>caf` + "\xe9 words of a text" + `</body></d><d><body>other words of a text</body></d></r>`, rows: 2, terms: "café"},
		{name: "a.xml", content: `<!DOCTYPE r [<!ENTITY who "Zoe"><!ENTITY far SYSTEM "file:///etc/passwd">]><r><d><body>&who; wrote &far; and &uuml;ber words</body></d><d><body>other words of a text</body></d></r>`, rows: 2, note: "(first: &far;)"},
		{name: "a.xml", content: "<r><meta><k>1</k></meta><d><body>" + words(1) + "</body></d><e><x>1</x></e><e><x>2</x></e><d><body>other words</body></d></r>", rows: 2, note: "left out: <e> (2)"},
		{name: "dblp.xml", content: "<dblp><article key=\"a\"><author>A</author><title>" + words(1) + "</title></article><article key=\"b\"><author>B</author><title>On <i>k</i>-means</title></article><book key=\"c\"><author>C</author><title>" + words(1) + "</title></book><book key=\"d\"><author>D</author><title>" + words(1) + "</title></book></dblp>", rows: 4, note: "<article>, <book> in dblp"},
		// Which elements are meant is not clear, unless a field is named.
		{name: "a.xml", content: "<r><d><body>" + words(2) + "</body></d><d><body>x</body></d><e><say>" + words(2) + "</say></e><e><say>y</say></e><f><g>" + words(2) + "</g></f><f/></r>", refused: "<d> in r (2)"},
		{name: "a.xml", content: "<r><d><body>" + words(2) + "</body></d><d><body>x</body></d><e><say>" + words(2) + "</say></e><e><say>y</say></e><f><g>" + words(2) + "</g></f><f/></r>", opt: ReadOptions{TextColumn: []string{"say"}}, rows: 2, note: "<e> in r"},
		{name: "a.xml", content: "<TEI><text><body><p>some words</p><p>more words</p></body></text></TEI>", refused: "one document, whose root is <TEI>"},
		{name: "a.xml", content: "<article><p>some words</p><p>more words</p></article>", refused: "if it is one document"},
		{name: "a.xml", content: posts[:200], refused: "line 4: the file ends inside of an element or a tag: it was cut off"},
		{name: "a.xml", content: posts[:len(posts)-9], refused: "ends inside of the element <posts>, which begins in line 2"},
		{name: "a.xml", content: "<r>\n<d>a</d>\n<d>b</e>\n</r>", refused: "line 3: </e> stands where <d>"},
		{name: "a.xml", content: `<?xml version="1.0" encoding="x-odd"?><r><d>a</d><d>b</d></r>`, refused: "‹encoding›"},
		{name: "a.xml", content: "<r><d a=1>words</d><d>b</d></r>", opt: ReadOptions{Format: "xml"}, refused: "not in quotes"},
	})
}

// The corpus of XML is that of its records as JSON lines.
func TestXMLAsJSON(t *testing.T) {
	opt := ReadOptions{Text: TextOptions{MinDF: 1}}
	for name, c := range map[string]struct {
		xml   string
		lines []map[string]any
	}{
		"posts": {posts, []map[string]any{{"Id": 4, "PostTypeId": 1, "Score": 43, "Body": "<p>How to elicit priors from experts &amp; others?</p>\n", "Tags": "<prior>"},
			{"Id": 6, "PostTypeId": 2, "Score": 3, "Body": "<p>What is the assumption of normality in statistics?</p>"}}},
		"articles": {articles, []map[string]any{{"text": "Water helps in the folding of proteins of all kinds.\nWe measured proteins in oil and in water."}, {"text": "Cells grow in sugar and salts at the right temperature."}}},
	} {
		var lines strings.Builder
		for _, l := range c.lines {
			raw := must.Get(json.Marshal(l))(t)
			lines.WriteString(string(raw) + "\n")
		}
		got, want := readNamed(t, "a.xml", c.xml, opt), readNamed(t, "a.jsonl", lines.String(), opt)
		if !mat.Equal(got.X, want.X) || strings.Join(got.Terms, " ") != strings.Join(want.Terms, " ") || strings.Join(got.IDs, " ") != strings.Join(want.IDs, " ") {
			t.Errorf("%s: terms %q, ids %q\nnot %q, %q", name, got.Terms, got.IDs, want.Terms, want.IDs)
		}
	}
}

// Records of numbers are the rows of a table.
func TestXMLOfNumbers(t *testing.T) {
	xml, csv := "<data>\n", "name,x,y\n"
	for i := range 25 {
		x, y := fmt.Sprint(float64(i)+0.5), fmt.Sprint(float64(i*i%11)/4)
		if i == 3 {
			x = ""
		}
		xml += fmt.Sprintf("<row name='n%d'><x>%s</x><y>%s</y></row>\n", i, x, y)
		csv += fmt.Sprintf("n%d,%s,%s\n", i, x, y)
	}
	opt := ReadOptions{Missing: MissingMedian}
	got, want := readNamed(t, "a.xml", xml+"</data>", opt), readNamed(t, "a.csv", csv, opt)
	if !mat.Equal(got.X, want.X) || strings.Join(got.IDs, " ") != strings.Join(want.IDs, " ") || got.Format != XMLNumbers {
		t.Errorf("format %s, ids %q, terms %q", got.Format, got.IDs, got.Terms)
	}
	_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.xml", []byte(xml+"</data>")), ReadOptions{})
	wantFault(t, err, "1 cell is missing", "column 2 (x)", "‹missing›")
}

// Several files of XML are one corpus, in a folder or a list; files that are one document each stay
// texts of a folder.
func TestXMLParts(t *testing.T) {
	opt := ReadOptions{Text: TextOptions{MinDF: 1}}
	second := strings.NewReplacer(`Id="4"`, `Id="14"`, `Id="6"`, `Id="16"`).Replace(posts)
	dir := makeFolder(t, map[string]string{"a.xml": posts, "b.xml": second, "c.xml.gz": gzipped(strings.ReplaceAll(second, `Id="1`, `Id="2`))})
	c, err := Read(t.Context(), dir, opt)
	if err != nil || c.Len() != 6 || strings.Join(c.IDs, " ") != "4 6 14 16 24 26" || c.Format != "xml" {
		t.Fatalf("%v, %v", c, err)
	}
	wantNote(t, c, "The corpus is 3 files")
	list := makeFolder(t, map[string]string{"some.list": "a.xml\nb.jsonl\n", "a.xml": posts, "b.jsonl": `{"Id": 9, "Body": "other words"}` + "\n"})
	if c, err = Read(t.Context(), list+"/some.list", opt); err != nil || strings.Join(c.IDs, " ") != "4 6 9" {
		t.Errorf("a list: %v, %v", c, err)
	}
	_, err = Read(t.Context(), makeFolder(t, map[string]string{"a.xml": posts, "b.xml": posts[:150]}), opt)
	wantFault(t, err, "b.xml", "cut off")
	one := "<TEI><text><body><p>some words</p><p>more words</p></body></text></TEI>"
	if c, err = Read(t.Context(), makeFolder(t, map[string]string{"a/1.xml": one, "b/2.xml": one}), opt); err != nil || c.Len() != 2 || c.Format != "folder" {
		t.Errorf("texts: %v, %v", c, err)
	}
	if c, err = Read(t.Context(), makeFolder(t, map[string]string{"1.xml": one, "2.xml": one}), opt); err != nil || c.Len() != 2 || c.Format != "folder" {
		t.Errorf("texts beside one another: %v, %v", c, err)
	}
}

// Files that are one document each stay texts of a folder, whatever recurs in them: the codes of a
// message, the sections of a chapter, an act or a law. So does a list of settings in a project.
// Many records beside other files are asked about.
func TestXMLFolders(t *testing.T) {
	opt := ReadOptions{Text: TextOptions{MinDF: 1}}
	some := "<p>" + strings.Repeat("words of the text ", 9) + "</p>"
	again := func(n int, s string) string { return strings.Repeat(s, n) }
	for name, file := range map[string]string{
		"codes":    "<newsitem><title>Words</title><text>" + some + "</text><metadata>" + again(9, `<codes class="topics of the message"><code code="C15" date="1996-08-20"/></codes>`) + "</metadata></newsitem>",
		"chapters": "<chapter><title>Words</title>" + again(3, "<sect1><title>A</title><para>"+some+"</para></sect1>") + "</chapter>",
		"plays":    "<PLAY><TITLE>Words</TITLE>" + again(5, "<ACT><SPEECH>"+some+"</SPEECH></ACT>") + "</PLAY>",
		"laws":     "<law><meta><id>1</id></meta><body>" + again(4, "<article><num>1</num>"+some+"</article>") + "</body></law>",
	} {
		c, err := Read(t.Context(), makeFolder(t, map[string]string{"1.xml": file, "2.xml": file, "3.xml": file, "4.xml": file}), opt)
		if err != nil || c.Len() != 4 || c.Format != "folder" {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
	project := func(n int) string {
		return makeFolder(t, map[string]string{"pom.xml": "<list>" + again(n, "<entry><name>words</name><scope>test</scope></entry>") + "</list>", "README": "some words", "src/a.txt": "other words"})
	}
	if c, err := Read(t.Context(), project(9), opt); err != nil || c.Len() != 2 { // without README
		t.Errorf("a project: %v, %v", c, err)
	}
	_, err := Read(t.Context(), project(500), opt)
	wantFault(t, err, "other name", "‹input-format› xml")
	if c, err := Read(t.Context(), makeFolder(t, map[string]string{"a.xml": feed, "b.xml": feed}), opt); err != nil || c.Format != "xml" {
		t.Errorf("feeds: %v, %v", c, err)
	}
}

// Text outside of the records is not lost without a word.
func TestXMLText(t *testing.T) {
	dir := t.TempDir()
	_, err := Read(t.Context(), writeFile(t, dir, "a.txt", []byte(strings.Repeat("<quote>words of one</quote> words of another\n", 9))), ReadOptions{})
	wantFault(t, err, "text outside of its elements", "‹input-format› lines")
	c := readNamed(t, "a.xml", "<doc>Words before "+strings.Repeat("<item>words of an item</item> and between ", 9)+"</doc>", ReadOptions{})
	wantNote(t, c, "left out (10 pieces)")
}

// A text that is a number is one like the others, such as the title of a book.
func TestXMLNumbersAsTexts(t *testing.T) {
	c := readNamed(t, "a.xml", "<r><d>1984</d><d>brave new world</d><d>big brother</d></r>", ReadOptions{Text: TextOptions{MinDF: 1}})
	if c.Len() != 3 || !slices.Contains(c.Terms, "brother") {
		t.Errorf("%d documents, terms %q", c.Len(), c.Terms)
	}
}

// Repeated short values are a list, of which an element may be named.
func TestXMLLists(t *testing.T) {
	doc := "<r><d><body>some words of a text</body><cat>a</cat><cat>b</cat></d><d><body>other words of a text</body><cat>b</cat><cat>c</cat></d></r>"
	c := readNamed(t, "a.xml", doc, ReadOptions{Text: TextOptions{MinDF: 1}, LabelColumn: "cat.0"})
	if strings.Join(c.ClassNames, " ") != "a b" {
		t.Errorf("classes %q", c.ClassNames)
	}
	c = readNamed(t, "a.xml", doc, ReadOptions{Text: TextOptions{MinDF: 1, Language: "none", StopWords: "none", MinLength: 1}, TextColumn: []string{"cat"}})
	if strings.Join(c.Terms, " ") != "a b c" {
		t.Errorf("terms %q", c.Terms)
	}
}

// FuzzReadXML reads arbitrary bytes as XML.
func FuzzReadXML(f *testing.F) {
	for _, s := range []string{feed, posts, articles, "<a><b>x</b><b>y</b></a>", "<a>&#xD800;&#0;&amp</a>", "<!DOCTYPE a [<!ENTITY b '<c>'>", "<a b='&c;'/><a/>", "<a><![CDATA[x]]]]></a><a>y</a>", "<", "<a", "<a b", "<!", "<!-", "<?"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzRead(t, data, "xml", ReadOptions{Text: TextOptions{MinDF: 1}})
	})
}
