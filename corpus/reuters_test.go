package corpus

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

func readWires(t *testing.T, text string, opt ReadOptions) *Corpus {
	t.Helper()
	opt.Text.MinDF = 1
	c := must.Get(readBytes([]byte(text), "", opt))(t)
	checkInvariants(t, c)
	return c
}

// classOf lists the documents as id:class.
func classOf(c *Corpus) string {
	var out []string
	for i := range c.Len() {
		out = append(out, c.ID(i)+":"+c.className(i))
	}
	return strings.Join(out, " ")
}

func TestReutersSelection(t *testing.T) {
	for _, tc := range []struct {
		opt   ReutersOptions
		split []string
		want  string
	}{
		{ReutersOptions{}, nil, "train/1:cocoa test/2: train/3: not-used/4:earn train/5:earn train/6: test/7:trade test/8:"},
		{ReutersOptions{}, []string{"not-used"}, "not-used/4:earn"},
		{ReutersOptions{Preset: "single-topic"}, nil, "train/1:cocoa"},
		{ReutersOptions{Preset: "single-topic", Body: "any"}, nil, "train/1:cocoa train/5:earn"},
		{ReutersOptions{Preset: "single-topic"}, []string{"not-used"}, "not-used/4:earn"},
		{ReutersOptions{Preset: "ten-topics"}, nil, "test/8:wheat"},
		{ReutersOptions{Preset: "ten-topics", TopicList: []string{"all"}}, nil, "train/1:cocoa"},
		{ReutersOptions{Preset: "ten-topics-each"}, nil, "test/2#grain:grain test/2#wheat:wheat test/7:trade test/8:wheat"},
		{ReutersOptions{Topics: "some"}, []string{"test"}, "test/2: test/7:trade test/8:"},
		{ReutersOptions{Marked: "no"}, nil, "train/3:"},
		{ReutersOptions{Marked: "bypass"}, nil, "train/6:"},
		{ReutersOptions{Topics: "one", TopicList: []string{"dlr", "cocoa"}}, nil, "train/1:cocoa test/8:dlr"},
	} {
		c := readWires(t, wires, ReadOptions{Reuters: tc.opt, Split: tc.split})
		if got := classOf(c); got != tc.want {
			t.Errorf("%+v %v keeps %s, want %s", tc.opt, tc.split, got, tc.want)
		}
		if c.Format != "reuters" {
			t.Errorf("format %q", c.Format)
		}
	}
}

// A topic that no document has is most likely a typing error.
func TestReutersUnknownTopics(t *testing.T) {
	for list, want := range map[string]string{"cocoa,trade": "", "coca,trade": `"coca"`, "x,cocoa,y": `"x" or "y"`} {
		c := readWires(t, wires, ReadOptions{Reuters: ReutersOptions{Topics: "some", TopicList: strings.Split(list, ",")}})
		notes := strings.Join(c.Notes, "\n")
		if said := strings.Contains(notes, "has the topic"); said != (want != "") || !strings.Contains(notes, want) {
			t.Errorf("%s: %s", list, notes)
		}
	}
}

func TestReutersText(t *testing.T) {
	plain := TextOptions{Language: "none", StopWords: "none"}
	for _, tc := range []struct{ part, id, want string }{
		{"", "1", "at bahia cafés cocoa reuter review showers"},
		{"title", "1", "bahia cocoa review"},
		{"body", "1", "at cafés reuter showers"},
		{"", "5", "alone headline"},
		{"body", "6", "abc raw wire"},
	} {
		var one string
		for _, part := range strings.SplitAfter(wires, "</REUTERS>\n") {
			if strings.Contains(part, `NEWID="`+tc.id+`"`) {
				one = part
			}
		}
		c := readWires(t, one, ReadOptions{Reuters: ReutersOptions{Text: tc.part}, Text: plain})
		if got := strings.Join(c.Terms, " "); got != tc.want {
			t.Errorf("part %q of %s has %q, want %q", tc.part, tc.id, got, tc.want)
		}
	}
	if c := readWires(t, wire("1", "TRAIN", "YES", "x", story("caf\xc3\xa9", "b c")), ReadOptions{Encoding: "utf-8", Text: plain}); !slices.Contains(c.Terms, "café") {
		t.Errorf("terms %q", c.Terms)
	}
}

func TestReutersErrors(t *testing.T) {
	good := wire("1", "TRAIN", "YES", "earn", story("Profit", "profit grew"))
	second := "line " + strconv.Itoa(2+strings.Count(good, "\n"))
	for _, tc := range []struct {
		name, text string
		opt        ReadOptions
		parts      []string
	}{
		{"cut off", doctype + good + good[:len(good)/2], ReadOptions{}, []string{second, "cut off"}},
		{"cut off in the tag", doctype + good + "<REUTERS TOPICS=\"Y", ReadOptions{}, []string{second, "cut off"}},
		{"no end", doctype + strings.Replace(good, "</REUTERS>", "", 1) + good, ReadOptions{}, []string{"line 2", second}},
		{"no documents", doctype + "words", ReadOptions{}, []string{"no <REUTERS>"}},
		{"open TOPICS", strings.Replace(good, "</TOPICS>", "", 1), ReadOptions{}, []string{"line 1", "TOPICS"}},
		{"open D", strings.Replace(good, "</D></TOPICS>", "</TOPICS>", 1), ReadOptions{}, []string{"element D"}},
		{"open BODY", strings.Replace(good, "</BODY>", "", 1), ReadOptions{}, []string{"BODY"}},
		{"open TITLE", strings.Replace(good, "</TITLE>", "", 1), ReadOptions{}, []string{"TITLE"}},
		{"open TEXT", strings.Replace(good, "</TEXT>", "", 1), ReadOptions{}, []string{"TEXT"}},
		{"open tag", "<REUTERS NEWID=\"1\"</REUTERS", ReadOptions{Format: "reuters"}, []string{"cut off"}},
		{"tag without end", "<REUTERS </REUTERS>", ReadOptions{}, []string{"closed"}},
		{"id twice", good + good, ReadOptions{}, []string{"train/1", "line " + strconv.Itoa(1+strings.Count(good, "\n")), "line 1;"}},
		{"nothing kept", good, ReadOptions{Split: []string{"test"}}, []string{"none of its 1 document"}},
		{"unknown part", good, ReadOptions{Split: []string{"dev"}}, []string{"not-used"}},
		{"transposed", good, ReadOptions{Transpose: true}, []string{"‹transpose›"}},
		{"too long", doctype + wire("1", "TRAIN", "YES", "x", story("t", strings.Repeat("long ", 1<<17))), ReadOptions{MaxBytes: 4 << 20}, []string{"line 2", "longer"}},
	} {
		_, err := readBytes([]byte(tc.text), "reuters", tc.opt)
		if err == nil {
			t.Errorf("%s: no error", tc.name)
			continue
		}
		wantFault(t, err, tc.parts...)
	}
	err := ReadOptions{Reuters: ReutersOptions{Preset: "p", Marked: "m", Topics: "t", Body: "b", Text: "x"}, Encoding: "e", Strip: []string{"s"}, ClassFolder: "c"}.Validate()
	for _, what := range []string{`"p"`, `"m"`, `"t"`, `"b"`, `"x"`, `"e"`, `"s"`, `"c"`} {
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("the error does not tell %s: %v", what, err)
		}
	}
}

// TestReutersHostileText: entities that mean nothing, NUL bytes and megabytes between documents do
// no harm.
func TestReutersHostileText(t *testing.T) {
	junk := strings.Repeat("\x00<REUTER>< \xff", 1<<17) // 1.4 MB with the memory of one read
	text := junk + wire("1", "TRAIN", "YES", "x", story("&lt &#3 &bogus; &#99999999999; a\x00b", "end&amp")) + junk + wire("2", "", "", "x", story("words", "words")) + junk
	c := must.Get(readBytes([]byte(text), "reuters", ReadOptions{MaxBytes: 4 << 20, Text: TextOptions{MinDF: 1, Language: "none", StopWords: "none", MinLength: 1}}))(t)
	if got := strings.Join(c.Terms, " "); got != "a b bogus end reuter words" {
		t.Errorf("terms %q", got)
	}
	if got := classOf(c); got != "train/1:x 2:x" {
		t.Errorf("documents %s", got)
	}
}

func TestReutersFolder(t *testing.T) {
	dir := makeFolder(t, map[string]string{
		"reut2-000.sgm":    doctype + wire("1", "TRAIN", "YES", "earn", story("Profit", "profit grew")),
		"reut2-001.sgm.gz": gzipped(doctype + wire("2", "TEST", "YES", "acq", story("Takeover", "profit fell"))),
		"sub/x.SGM":        wire("3", "TEST", "YES", "acq", story("Merger", "merger")),
		"README.txt":       "profit",
	})
	c, err := Read(context.Background(), dir, ReadOptions{Text: TextOptions{MinDF: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if got := classOf(c); got != "train/1:earn test/2:acq test/3:acq" {
		t.Errorf("documents %s", got)
	}
	wantNote(t, c, "1 file that")
	writeFile(t, dir, "reut2-002.sgm", []byte("<REUTERS TOPICS"))
	_, err = Read(context.Background(), dir, ReadOptions{})
	wantFault(t, err, "reut2-002.sgm", "cut off")
	_, err = Read(context.Background(), t.TempDir(), ReadOptions{Format: "reuters"})
	wantFault(t, err, "no files *.sgm")
	writeFile(t, dir, "reut2-000.sgm", []byte(doctype+wire("3", "TEST", "YES", "earn", story("Profit", "profit grew"))))
	writeFile(t, dir, "reut2-002.sgm", []byte(doctype+wire("4", "TEST", "YES", "earn", story("Profit", "profit grew"))))
	_, err = Read(context.Background(), dir, ReadOptions{})
	wantFault(t, err, "test/3")
}

func FuzzReuters(f *testing.F) {
	f.Add([]byte(wires))
	f.Add([]byte("<REUTERS NEWID=1 LEWISSPLIT=TRAIN><TOPICS><D>a</D></TOPICS><TEXT>&#3;word &lt</TEXT></REUTERS>"))
	f.Add([]byte("<REUTERS><TEXT><TITLE></TITLE><BODY>\x00\xff</BODY></TEXT></REUTERS><REUTERS"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, preset := range []string{"", "single-topic", "ten-topics-each"} {
			fuzzRead(t, data, "reuters", ReadOptions{Reuters: ReutersOptions{Preset: preset}, Text: TextOptions{MinDF: 1}})
		}
	})
}

// original returns the path of an original archive; the test is skipped if the data are missing.
func original(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "shared", "data", name+".xz")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the data set %s.xz is not on this machine", name)
	}
	if testing.Short() {
		t.Skip("unpacking the original takes a few seconds")
	}
	return path
}

// TestReutersOriginal compares the presets with the class sizes of Cai's matrix and of table III in
// Liu et al. (2014).
func TestReutersOriginal(t *testing.T) {
	path := original(t, "reuters21578-sgml.tar")
	sorted := func(c *Corpus) []int {
		sizes, none := c.ClassSizes()
		if none != 0 {
			t.Errorf("%d documents without class", none)
		}
		slices.Sort(sizes)
		slices.Reverse(sizes)
		return sizes
	}
	parts := func(c *Corpus) (train, test int) {
		for _, id := range c.IDs {
			switch {
			case strings.HasPrefix(id, "train/"):
				train++
			case strings.HasPrefix(id, "test/"):
				test++
			}
		}
		return train, test
	}
	read := func(path string, opt ReadOptions) *Corpus {
		c := must.Get(Read(t.Context(), path, opt))(t)
		checkInvariants(t, c)
		return c
	}
	c := read(path, ReadOptions{Reuters: ReutersOptions{Preset: "single-topic"}})
	if train, test := parts(c); c.Len() != 8293 || len(c.ClassNames) != 65 || train != 5946 || test != 2347 {
		t.Errorf("%d documents, %d topics, %d + %d", c.Len(), len(c.ClassNames), train, test)
	}
	mat := filepath.Join("..", "..", "shared", "data", "Reuters21578.mat")
	if _, err := os.Stat(mat); err != nil {
		t.Log("the data set Reuters21578.mat is not on this machine")
	} else if cai := read(mat, ReadOptions{}); !slices.Equal(sorted(c), sorted(cai)) {
		t.Errorf("class sizes %v, the matrix has %v", sorted(c), sorted(cai))
	}
	c = read(path, ReadOptions{Reuters: ReutersOptions{Preset: "ten-topics-each"}})
	if want := []int{3753, 2131, 601, 528, 510, 449, 389, 276, 264, 207}; !slices.Equal(sorted(c), want) {
		t.Errorf("class sizes %v, table III has %v", sorted(c), want)
	}
	if c = read(path, ReadOptions{Reuters: ReutersOptions{Preset: "ten-topics"}}); c.Len() != 7464 {
		t.Errorf("%d documents with exactly one of the ten topics", c.Len())
	}
	if c = read(path, ReadOptions{}); c.Len() != 21578 {
		t.Errorf("%d documents in all", c.Len())
	}
}
