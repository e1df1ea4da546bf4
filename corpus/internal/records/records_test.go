package records

import (
	"bufio"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// open finds the records of a text. Memory is that of the input.
func open(t *testing.T, content io.Reader, memory int64) (*Reader, error) {
	t.Helper()
	in := &input.File{Ctx: t.Context(), Name: "a.xml", Stream: bufio.NewReaderSize(content, 64<<10), Mem: input.NewBudget(memory)}
	return Open(in, nil, nil, "", memory/8)
}

// all returns the records of a text as JSON, one a line.
func all(t *testing.T, content string) (string, error) {
	t.Helper()
	r, err := open(t, strings.NewReader(content), 64<<20)
	if err != nil {
		return "", err
	}
	var first []*Record
	for {
		rec, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return "", err
		}
		first = append(first, rec)
	}
	r.Settle(first)
	var out []byte
	for _, rec := range first {
		out = append(rec.Append(out), '\n')
	}
	return string(out), nil
}

// Records are JSON objects: attributes and elements are fields, and marks in a text belong to it.
func TestRecords(t *testing.T) {
	for name, c := range map[string]struct{ xml, want string }{
		"attributes":       {`<r><d a="1" x:b='two'/><d a="01"/></r>`, `{"a":1,"b":"two"}|{"a":"01"}`},
		"texts alone":      {`<r><d>one</d><d>two three</d></r>`, `{"text":"one"}|{"text":"two three"}`},
		"texts, fields":    {`<r><d id="7">one <no>8</no> two</d><d id="8">x<no>9</no></d></r>`, `{"id":7,"no":8,"text":"one   two"}|{"id":8,"no":9,"text":"x"}`},
		"inside":           {`<r><d><a><bb>x</bb><cc k="v">y</cc></a></d><d/></r>`, `{"a.bb":"x","a.cc.k":"v","a.cc":"y"}|{}`},
		"empty":            {`<r><d><a/><b></b></d><d><a>z</a></d></r>`, `{"a":"","b":""}|{"a":"z"}`},
		"lists":            {`<r><d><t>a</t><t>b</t></d><d><t>c</t></d></r>`, `{"t":["a","b"]}|{"t":"c"}`},
		"long ones joined": {`<r><d><t>` + strings.Repeat("a ", 90) + `</t><t>b</t></d><d><t>c</t></d></r>`, `{"t":"` + strings.Repeat("a ", 89) + `a\nb"}|{"t":"c"}`},
		"marks":            {`<r><d><t>H<sub>2</sub>O and <hi rend="i">x</hi></t></d><d><t>y</t></d></r>`, `{"t":"H2O and x"}|{"t":"y"}`},
		"paragraphs":       {`<r><d><n>1</n><body><p>one</p><p>two <b>three</b></p></body></d><d><n>2</n></d></r>`, `{"n":1,"body":"one\ntwo three"}|{"n":2}`},
		"entities":         {`<!DOCTYPE r [<!ENTITY who "Zo&#xEB;"><!-- <!ENTITY no "x"> -->]><r><d>&who; &amp;amp; &lt;b> &nbsp;&auml;&nope; a & b &; < c</d><d>&#10;x</d></r>`, `{"text":"Zoë &amp; <b>  ä&nope; a & b &; < c"}|{"text":"x"}`},
		"CDATA":            {`<r><d><![CDATA[<a> & ]] ]]]></d><d>a<!-- > --->b<?x > ?>c</d></r>`, `{"text":"<a> & ]] ]"}|{"text":"abc"}`},
		"namespaces":       {`<x:r xmlns:x="u" xmlns="v"><x:d x:id="1"><dc:title xml:lang="en" xml:space="preserve">t</dc:title></x:d><x:d/></x:r>`, `{"id":1,"title.lang":"en","title":"t"}|{}`},
		"numbers":          {`<r><d a="-1.5e3" b="+1" c="1." d="NaN" e="12345678901234567890123"/><d/></r>`, `{"a":-1.5e3,"b":"+1","c":"1.","d":"NaN","e":"12345678901234567890123"}|{}`},
		"signs":            {"<r><d>\"\\\t\x01</d><d>x</d></r>", `{"text":"\"\\\u0009\u0001"}|{"text":"x"}`},
		"no root":          {`<d>a</d> <d>b</d>`, `{"text":"a"}|{"text":"b"}`},
	} {
		got, err := all(t, c.xml)
		if got = strings.ReplaceAll(strings.TrimSuffix(got, "\n"), "\n", "|"); err != nil || strings.ReplaceAll(got, "\u00a0", " ") != strings.ReplaceAll(c.want, "\u00a0", " ") {
			t.Errorf("%s: %v\n%s\nnot\n%s", name, err, got, c.want)
		}
	}
}

// What is wrong with a file is named with its line.
func TestFaults(t *testing.T) {
	laughs := "<!DOCTYPE r [<!ENTITY a \"" + strings.Repeat("lol", 100) + "\">\n<!ENTITY b \"" + strings.Repeat("&a;", 10) + "\">\n<!ENTITY c \"" + strings.Repeat("&b;", 10) + "\">]><r><d>&c;</d><d>x</d></r>"
	for content, want := range map[string]string{
		laughs:                                               "line 3: the entity c stands for more than 4096 bytes",
		"<r>\n<d>a</d>\n<d>b</e></r>":                        "line 3: </e> stands where <d>, which begins in line 3, is to be closed",
		"<r>\n<d>a</d><d>a</d>\n<d x='":                      "line 3: the file ends inside of the element <r>, which begins in line 1",
		"<r>\n<d>a</d><d>a</d></r>\n</r>":                    "line 3: </r> closes an element that is not open",
		"<r><d>a</d><d>a</d>\n<d x=1>b</d></r>":              "line 2: the value of the attribute x is not in quotes",
		"<r><d>a</d><d>a</d>" + strings.Repeat("<a>", 2000):  "more than 1000 elements are inside one another",
		"<r><d>a</d><d>a</d>\n<" + strings.Repeat("a", 2000): "line 2: a name is longer than 1000 bytes",
	} {
		if _, err := all(t, content); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v lacks %q", content, err, want)
		}
	}
	if _, err := all(t, "<r><s>a</s></r>"); !errors.Is(err, ErrNone) {
		t.Errorf("one element: %v", err)
	}
}

// repeat gives a text over and over.
type repeat struct {
	head, body string
	left       int
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.head == "" {
		if r.left--; r.left < 0 {
			return 0, io.EOF
		}
		r.head = r.body
	}
	n := copy(p, r.head)
	r.head = r.head[n:]
	return n, nil
}

// The memory is that of the largest record, whatever the size of the file; one that is too long is
// refused at its line.
func TestMemory(t *testing.T) {
	const memory = 8 << 20
	bounded := func(name string, content io.Reader, want string) {
		t.Helper()
		r, err := open(t, content, memory)
		var most uint64
		for n := 0; err == nil; n++ {
			_, err = r.Read()
			if n%100000 == 0 || err != nil {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
		}
		if most > 64<<20 {
			t.Errorf("%s: %d bytes are held", name, most)
		}
		if want == "" && err != io.EOF || want != "" && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v lacks %q", name, err, want)
		}
	}
	const two = "<r><d>a</d>\n<d>b</d>\n"
	bounded("many records", &repeat{two, "<d a='1'><b>some words</b></d>\n", 300000}, "cut off")
	bounded("a long text", &repeat{two + "<d>", "some words ", 1 << 20}, "line 3: a record or a piece of it is longer than")
	bounded("a long attribute", &repeat{two + "<d a='", "some words ", 1 << 20}, "is longer than")
	bounded("many attributes", &repeat{two + "<d ", "a='b' ", 1 << 20}, "is longer than")
	bounded("many elements", &repeat{two + "<d>", "<a/>", 1 << 20}, "is longer than")
	bounded("many entities", &repeat{"<!DOCTYPE r [<!ENTITY x '" + strings.Repeat("y", 4000) + "'>]>" + two + "<d>", "&x;", 1 << 20}, "is longer than")
	bounded("a long comment", &repeat{two + "<!-- ", "some words ", 1 << 20}, "ends inside")
	names := &strings.Builder{}
	for i := range 60000 {
		names.WriteString("<a" + strings.Repeat("b", i%50) + string(rune('a'+i%26)) + strings.Repeat("c", i/1300) + "/>")
	}
	bounded("many names", strings.NewReader(two+"<d>"+names.String()+"</d></r>"), "is longer than")
}
