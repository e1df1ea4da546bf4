package report

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/internal/must"
)

// generated is a page of n documents in k clusters, with all columns, and texts of 40 words.
func generated(n, k int) *Page {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	vocabulary := make([]string, 4000)
	for i := range vocabulary {
		word := make([]byte, 3+rng.IntN(8))
		for j := range word {
			word[j] = byte('a' + rng.IntN(26))
		}
		vocabulary[i] = string(word)
	}
	p := &Page{Title: "Clusters of generated", Subtitle: fmt.Sprint(n, " documents"), Date: "today", Command: "eigenmap cluster generated -k 30", Config: "seed: 0\n", Versions: "eigenmap"}
	d := &Documents{ClassNames: []string{"first", "second", "third"}, KnownNames: []string{"first", "second"}, ConfidenceIs: "made up", Coordinates: make([][]float64, 4)}
	cx, cy, sizes := make([]float64, k), make([]float64, k), make([]int, k)
	for c := range k {
		cx[c], cy[c] = 10*rng.Float64(), 7*rng.Float64()
	}
	for i := range n {
		c := int(float64(k) * rng.Float64() * rng.Float64())
		sizes[c]++
		d.IDs = append(d.IDs, fmt.Sprintf("document-%d", i))
		d.X, d.Y = append(d.X, cx[c]+0.4*rng.NormFloat64()), append(d.Y, cy[c]+0.4*rng.NormFloat64())
		d.Cluster, d.Second, d.Class, d.Known = append(d.Cluster, c), append(d.Second, (c+1)%k), append(d.Class, c%3), append(d.Known, -1)
		d.Confidence, d.Distance = append(d.Confidence, rng.Float64()), append(d.Distance, 3*rng.Float64())
		for j := range d.Coordinates {
			d.Coordinates[j] = append(d.Coordinates[j], rng.NormFloat64())
		}
		var text []string
		for range 40 {
			text = append(text, vocabulary[int(math.Pow(rng.Float64(), 3)*float64(len(vocabulary)))])
		}
		d.Snippets = append(d.Snippets, strings.Join(text, " "))
	}
	p.Documents = d
	for c := range k {
		p.Clusters = append(p.Clusters, Cluster{Number: c, Size: sizes[c], Terms: vocabulary[10*c : 10*c+10], Weights: []float64{.3, .25, .2, .18, .15, .12, .1, .09, .08, .07}, Nearest: []int{(c + 1) % k}})
	}
	return p
}

// withFields adds columns of every kind to the documents: a few words, many words, whole numbers,
// prices, any numbers, times of day, and days, one in ten of which is missing.
func withFields(p *Page) *Page {
	d := p.Documents
	n := d.Len()
	rng := rand.New(rand.NewPCG(9, uint64(n)))
	days := make([]time.Time, n)
	columns := make([][]string, 6)
	for i := range n {
		k := d.Cluster[i]
		day := time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 40*max(0, k)+rng.IntN(900))
		if rng.IntN(10) > 0 {
			days[i] = day
		}
		for c, word := range []string{[]string{"news", "sport", "science, <b>", "=arts"}[rng.IntN(4)], fmt.Sprintf("author %d", int(900*rng.Float64()*rng.Float64())),
			fmt.Sprint(1990 + rng.IntN(30)), fmt.Sprintf("%.2f", 100*rng.Float64()), fmt.Sprint(rng.NormFloat64()), day.Add(time.Duration(rng.IntN(86400)) * time.Second).Format(time.RFC3339)} {
			columns[c] = append(columns[c], word)
		}
	}
	d.Fields = nil
	for c, name := range []string{"section", "author", "year", "price", "score", "sent at"} {
		d.Fields = append(d.Fields, fieldFrom(name, columns[c]))
	}
	d.Fields = append(d.Fields, TimesField("day", days))
	return p
}

// fieldFrom makes a field of one word for each document, "" for none.
func fieldFrom(name string, list []string) *Field {
	var words []string
	of, at := make([]int32, len(list)), map[string]int32{}
	for i, word := range list {
		if of[i] = -1; word == "" {
			continue
		}
		k, known := at[word]
		if !known {
			k = int32(len(words))
			words, at[word] = append(words, word), k
		}
		of[i] = k
	}
	return NewField(name, words, of)
}

// scriptData is what tests read of the data of the script.
type scriptData struct {
	Count      int      `json:"n"`
	Columns    []column `json:"columns"`
	ClassNames []string `json:"classNames"`
}

func written(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, Write(&b, p))
	return b.String()
}

// element is the text of the element with an id.
func element(t *testing.T, page, id string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, `id="`+id+`">`)
	text, _, end := strings.Cut(rest, "</script>")
	if !ok || !end {
		t.Fatalf("the page has no element %s", id)
	}
	return text
}

// inflated is what an element packs.
func inflated(t *testing.T, page, id string) []byte {
	t.Helper()
	packed := must.Get(base64.StdEncoding.DecodeString(element(t, page, id)))(t)
	data := must.Get(io.ReadAll(flate.NewReader(bytes.NewReader(packed))))(t)
	return data
}

// The script finds each value within half a step of its column, and -1 and what is not known.
func TestColumnsComeBack(t *testing.T) {
	p := generated(500, 300)
	d := p.Documents
	d.Cluster[3], d.Confidence[4], d.Novelty = -1, math.NaN(), make([]float64, 500)
	page := written(t, p)
	var data scriptData
	must.Do(t, json.Unmarshal([]byte(element(t, page, "data")), &data))
	numbers := inflated(t, page, "numbers")
	value := func(c column, i int) uint32 {
		at := c.At + i*c.Bits/8
		return binary.LittleEndian.Uint32(append(slices.Clone(numbers[at:at+c.Bits/8]), 0, 0, 0, 0))
	}
	columns := map[string]column{}
	for _, c := range data.Columns {
		columns[c.Name] = c
	}
	for name, values := range map[string][]int{"cluster": d.Cluster, "second": d.Second, "class": d.Class, "known": d.Known} {
		c := columns[name]
		for i, want := range values {
			if want < 0 {
				want = 1<<c.Bits - 1
			}
			if got := value(c, i); got != uint32(want) {
				t.Fatalf("%s of document %d is %d, want %d", name, i, got, want)
			}
		}
	}
	for name, values := range map[string][]float64{"x": d.X, "y": d.Y, "confidence": d.Confidence, "novelty": d.Novelty, "distance": d.Distance, "x2": d.Coordinates[1]} {
		c := columns[name]
		steps := float64(int(1)<<c.Bits - 2)
		for i, want := range values {
			got := value(c, i)
			if missing := got == 1<<c.Bits-1; missing != math.IsNaN(want) {
				t.Fatalf("%s of document %d is missing: %v", name, i, missing)
			}
			if v := c.Low + float64(got)/steps*(c.High-c.Low); math.Abs(v-want) > 0.51*(c.High-c.Low)/steps {
				t.Fatalf("%s of document %d is %v, want %v", name, i, v, want)
			}
		}
	}
	if x, y := columns["x"], columns["y"]; math.Abs((x.High-x.Low)-(y.High-y.Low)) > 1e-9 {
		t.Errorf("the axes have the units %v and %v", x.High-x.Low, y.High-y.Low)
	}
	lines := strings.Split(string(inflated(t, page, "texts")), "\n")
	if len(lines) != 1001 || lines[7] != d.IDs[7] || !strings.HasPrefix(lines[507], d.Snippets[7][:100]) {
		t.Errorf("%d lines of text", len(lines))
	}
}

// Whatever documents hold, it does not leave its place in the page, and takes one line.
func TestHostileTexts(t *testing.T) {
	bad := []string{`</script><script>alert(1)</script>`, `"'<!--&amp;`, "a\nb\r\tc\x00d\u2028e", "\u202eright to left\u202c", "عنوان عربي", "\xff\xfe", strings.Repeat("word ", 2<<20), ""}
	p := &Page{Title: bad[0], Subtitle: bad[1], Documents: &Documents{IDs: bad, Snippets: bad, Cluster: make([]int, len(bad)), Class: make([]int, len(bad)), ClassNames: []string{bad[0]}},
		Clusters: []Cluster{{Size: len(bad), Class: bad[0], Terms: []string{bad[0], bad[3]}}}}
	page := written(t, p)
	if strings.Count(page, "<script") != 4 || strings.Contains(page, "<script>alert") {
		t.Errorf("%d scripts", strings.Count(page, "<script"))
	}
	if len(page) > 200000 {
		t.Errorf("the page has %d bytes", len(page))
	}
	var data scriptData
	if err := json.Unmarshal([]byte(element(t, page, "data")), &data); err != nil || data.ClassNames[0] != bad[0] {
		t.Errorf("%v: %q", err, data.ClassNames)
	}
	text := string(inflated(t, page, "texts"))
	lines := strings.Split(text, "\n")
	if len(lines) != 2*len(bad)+1 || !utf8.ValidString(text) || strings.ContainsAny(text, "\r\t\x00\u2028\u202e") {
		t.Errorf("%d lines: %.300q", len(lines), text)
	}
	if lines[2] != "a b c d e" || lines[3] != "right to left" || lines[4] != bad[4] || lines[len(bad)+6] != strings.Repeat("word ", 48)+"…" {
		t.Errorf("%q", lines)
	}
}

var scriptTag = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// The policy comes before everything else and allows the page's own style and script by their
// hashes, pictures in the page, and nothing more; and the page needs nothing more.
func TestPolicy(t *testing.T) {
	page := written(t, generated(50, 3))
	_, rest, _ := strings.Cut(page, `<meta http-equiv="Content-Security-Policy" content="`)
	rule, after, _ := strings.Cut(rest, `"`)
	rule = html.UnescapeString(rule)
	if strings.Contains(page[:len(page)-len(rest)], "<style") || !strings.Contains(after, "<style") {
		t.Error("the policy is not the first thing in the head")
	}
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	_, style, _ := strings.Cut(page, "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	scripts := scriptTag.FindAllStringSubmatch(page, -1)
	if len(scripts) != 1 {
		t.Fatalf("%d scripts", len(scripts))
	}
	want := "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(scripts[0][1]) + "; img-src data:; base-uri 'none'; form-action 'none'"
	if rule != want {
		t.Errorf("the policy is\n%s\nand its texts give\n%s", rule, want)
	}
	for _, what := range []string{"<link", "<iframe", "<object", "<form", "@import", "javascript:", `src="http`, `href="http`, "url(", " style=", " onload=", " onclick=", "eval(", "fetch(", "innerHTML", "ZgotmplZ"} {
		if strings.Contains(page, what) {
			t.Errorf("the page has %q", what)
		}
	}
}

// A page of 100,000 documents, each with all columns, seven further ones and a long text, takes at
// most 20 MB, also if the texts cannot be packed well. The same result gives the same bytes.
func TestPageSize(t *testing.T) {
	if testing.Short() {
		t.Skip("packs 100,000 documents several times")
	}
	p := withFields(generated(100000, 30))
	page := written(t, p)
	if len(page) > 20e6 {
		t.Errorf("the page takes %d bytes", len(page))
	}
	t.Logf("100,000 documents with texts: %d bytes", len(page))
	if again := written(t, p); again != page {
		t.Error("the page differs from itself")
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range p.Documents.Snippets {
		b := make([]byte, 180)
		for j := range b {
			b[j] = byte(33 + rng.IntN(90))
		}
		p.Documents.Snippets[i], p.Documents.IDs[i] = string(b), string(b[:100])
	}
	for len(p.Documents.Fields) < 40 { // more than there is room for
		p.Documents.Fields = append(p.Documents.Fields, p.Documents.Fields[4])
	}
	p.Documents.chosen = nil
	page = written(t, p)
	if left := p.Documents.LeftOut(); left < 20 {
		t.Errorf("%d columns are left out", left)
	}
	if len(page) > 20e6 {
		t.Errorf("with texts that cannot be packed the page takes %d bytes", len(page))
	}
	t.Logf("with texts that cannot be packed: %d bytes", len(page))
}

// Of too many documents there is a sample, the same at every run, in their order.
func TestSampleOfDocuments(t *testing.T) {
	d := &Documents{Cluster: make([]int, 1000), IDs: make([]string, 1000), X: make([]float64, 1000), Y: make([]float64, 1000)}
	for i := range 1000 {
		d.Cluster[i], d.IDs[i], d.X[i] = i, fmt.Sprint(i), float64(i)
	}
	s := d.at([]int{3, 7, 8})
	if s.Len() != 3 || !slices.IsSorted(s.Cluster) || s.IDs[1] != fmt.Sprint(s.Cluster[1]) || s.X[1] != float64(s.Cluster[1]) || s.Confidence != nil {
		t.Errorf("%v", s)
	}
	if rows := Rows(1000); len(rows) != 1000 || rows[999] != 999 {
		t.Error("a page of few documents does not have all")
	}
	rows := Rows(MaxDocuments + 1)
	if len(rows) != PageSample || !slices.IsSorted(rows) || !slices.Equal(rows, Rows(MaxDocuments+1)) {
		t.Error("the sample differs, or is not in order")
	}
}

// One document, no place on the map, empty clusters, documents in none: the page is written.
func TestOddDocuments(t *testing.T) {
	for name, d := range map[string]*Documents{
		"one":       {Cluster: []int{0}, X: []float64{3}, Y: []float64{4}},
		"none":      {},
		"no map":    {Cluster: []int{0, 1, -1}, IDs: []string{"a", "b", "c"}},
		"no number": {Cluster: []int{-1, -1}, X: []float64{math.NaN(), math.Inf(1)}, Y: []float64{1, 2}, Confidence: []float64{math.NaN(), math.NaN()}},
		"equal":     {Cluster: []int{1, 1}, X: []float64{1e300, 1e300}, Y: []float64{-1e300, -1e300}, Distance: []float64{math.MaxFloat64, -math.MaxFloat64}},
	} {
		p := &Page{Title: name, Documents: d, Clusters: []Cluster{{Number: 0}, {Number: 1, Size: 1}, {Number: 2}}}
		page := written(t, p)
		if has := strings.Contains(page, `id="data"`); has != (d.Len() > 0) {
			t.Errorf("%s: the page has data: %v", name, has)
		}
		if d.Len() > 0 {
			var data scriptData
			if err := json.Unmarshal([]byte(element(t, page, "data")), &data); err != nil || data.Count != d.Len() {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// The snippets and the order of typicality of a page are read as they were written; a page without
// documents has none, and a damaged one is refused.
func TestRead(t *testing.T) {
	p := generated(50, 3)
	p.Documents.Typicality = p.Documents.Distance
	file := filepath.Join(t.TempDir(), "report.html")
	write := func(change func([]byte) []byte) {
		var b bytes.Buffer
		must.Do(t, Write(&b, p))
		must.Do(t, os.WriteFile(file, change(b.Bytes()), 0o644))
	}
	same := func(b []byte) []byte { return b }
	for range 2 { // with ids and without
		write(same)
		got, err := Read(file)
		if err != nil || len(got.Snippets) != 50 {
			t.Fatalf("%+v: %v", got, err)
		}
		if !slices.Equal(got.Typicality, Levels(p.Documents.Typicality)) {
			t.Fatalf("the typicality is %v", got.Typicality)
		}
		for i, text := range got.Snippets {
			if want := oneLine(p.Documents.Snippets[i], maxSnippet); text != want {
				t.Fatalf("snippet %d is %q, not %q", i, text, want)
			}
		}
		p.Documents.IDs = nil
	}
	write(func(b []byte) []byte {
		return bytes.Replace(b, []byte(`"n":50,"total":50`), []byte(`"n":51,"total":51`), 1)
	})
	if _, err := Read(file); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a damaged page: %v", err)
	}
	p.Documents = nil
	write(same)
	if got, err := Read(file); got.Snippets != nil || got.Typicality != nil || err != nil {
		t.Errorf("%v, %v of a page without documents", got, err)
	}
}

// TestTablesHaveNames: each table of the pages has a name for screen readers, whatever a run has.
func TestTablesHaveNames(t *testing.T) {
	for _, file := range []string{"page.html", "compare.html"} {
		page := must.Get(os.ReadFile(file))(t)
		tables := strings.Split(string(page), "<table")[1:]
		if len(tables) == 0 {
			t.Errorf("%s has no table", file)
		}
		for _, table := range tables {
			if tag, _, _ := strings.Cut(table, ">"); !strings.Contains(tag, " aria-label=\"") {
				t.Errorf("%s: a table without a name: <table%s>", file, tag)
			}
		}
	}
}
