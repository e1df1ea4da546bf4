package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// Every reader of texts keeps their beginnings, titles first, on one line.
func TestSnippetsOfEveryFormat(t *testing.T) {
	dir := t.TempDir()
	in := func(name, content string) string { return writeFile(t, dir, name, []byte(content)) }
	const one, two = "Red \t green apples grow.", "Blue skies, green hills."
	row := func(text string) string {
		b, _ := json.Marshal(map[string]string{"text": text})
		return string(b)
	}
	columns := []pqColumn{pqStrings("text"), pqStrings("label")}
	columns[0].values, columns[1].values = []any{one, two}, []any{"a", "b"}
	plain := []string{"Red green apples grow.", "Blue skies, green hills."}
	news := []string{"About fruit Red green apples grow.", "Of weather Blue skies, green hills."}
	post := func(subject, body string) string { return "From: a@b\nSubject: " + subject + "\n\n" + body + "\n" }
	for _, c := range []struct {
		path string
		opt  ReadOptions
		want []string
	}{
		{in("a.csv", "text,label\n\""+one+"\",a\n\""+two+"\",b\n"), ReadOptions{TextColumn: []string{"text"}}, plain},
		{in("a.tsv", "text\tlabel\nRed green apples grow.\ta\n"+two+"\tb\n"), ReadOptions{TextColumn: []string{"text"}}, plain},
		{in("titled.csv", "title,body,label\nAbout fruit,"+`"`+one+`"`+",a\nOf weather,"+`"`+two+`"`+",b\n"), ReadOptions{TextColumn: []string{"title", "body"}}, news},
		{in("a.jsonl", row(one)+"\n"+row(two)+"\n"), ReadOptions{}, plain},
		{in("a.jsonl.gz", gzipped(row(one)+"\n"+row(two)+"\n")), ReadOptions{}, plain},
		{in("a.json", "["+row(one)+","+row(two)+"]"), ReadOptions{}, plain},
		{in("a.list", "a.jsonl\n"), ReadOptions{}, plain},
		{in("lines.txt", one+"\n"+two+"\n"), ReadOptions{Format: "lines"}, plain},
		{in("fast.txt", "__label__a "+one+"\n__label__b "+two+"\n"), ReadOptions{Format: "fasttext"}, plain},
		{in("a.mbox", mailMessage("From: a@b\nSubject: About fruit", one)+mailMessage("From: c@d\nSubject: Of weather", two)), ReadOptions{}, news},
		{in("a.sgm", "<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n"+wire("1", "TRAIN", "YES", "a", story("About fruit", one))+wire("2", "TRAIN", "YES", "b", story("Of weather", two))), ReadOptions{}, nil},
		{in("a.parquet", string(pqFile(t, 0, columns))), ReadOptions{}, plain},
		{makeFolder(t, map[string]string{"a/1.txt": one, "b/2.txt": two}), ReadOptions{}, plain},
		{makeFolder(t, map[string]string{"a/1": post("About fruit", one), "b/2": post("Of weather", two)}), ReadOptions{}, news},
		{makeFolder(t, map[string]string{"1.jsonl": row(one), "2.jsonl": row(two)}), ReadOptions{}, plain},
		{in("numbers.csv", "1,2\n3,4\n"), ReadOptions{}, nil},
	} {
		c.opt.Text.MinDF, c.opt.Snippets = 1, 60
		got, err := Read(t.Context(), c.path, c.opt)
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(c.path), err)
			continue
		}
		switch {
		case filepath.Ext(c.path) == ".sgm":
			c.want = []string{"About fruit Red green apples grow. Reuter", "Of weather Blue skies, green hills. Reuter"}
			for i, s := range got.Snippets {
				if len(s) < 25 || s[:20] != c.want[i][:20] {
					t.Errorf("%q", s)
				}
			}
		case !slices.Equal(got.Snippets, c.want):
			t.Errorf("%s: %q, want %q", filepath.Base(c.path), got.Snippets, c.want)
		}
		c.opt.Snippets = 0
		if got, err = Read(t.Context(), c.path, c.opt); err != nil || got.Snippets != nil {
			t.Errorf("%s: %q although none are wanted: %v", filepath.Base(c.path), got.Snippets, err)
		}
	}
	c, err := FromTexts(t.Context(), []string{one, two, ""}, ReadOptions{Text: TextOptions{MinDF: 1}, Snippets: 9})
	if want := []string{"Red gree…", "Blue ski…", ""}; err != nil || !slices.Equal(c.Snippets, want) {
		t.Errorf("texts in memory: %q, want %q: %v", c.Snippets, want, err)
	}
}

// Snippets go with their documents: into selections, parts and what ranks hold.
func TestSnippetsStayWithDocuments(t *testing.T) {
	path := corpora(t, manyLines(300))["several"]
	opt := ReadOptions{Text: TextOptions{MinDF: 1}, Snippets: 40}
	whole := must.Get(Read(t.Context(), path, opt))(t)
	some := whole.SelectRows([]int{7, 2})
	if want := []string{whole.Snippets[7], whole.Snippets[2]}; !slices.Equal(some.Snippets, want) || want[0] == "" {
		t.Errorf("%q, want %q", some.Snippets, want)
	}
	gathered := make([]*Corpus, 3)
	parts, errs := togetherRead(t.Context(), 3, path, opt, func(ctx context.Context, c *Corpus) error {
		gathered[ranks.From(ctx).Rank()] = c.Gathered()
		return nil
	})
	var all []string
	for r, c := range parts {
		if errs[r] != nil {
			t.Fatal(errs[r])
		}
		all = append(all, c.Snippets...)
	}
	if !slices.Equal(all, whole.Snippets) || !slices.Equal(gathered[0].Snippets, whole.Snippets) || gathered[1].Snippets != nil {
		t.Error("ranks have other snippets")
	}
	first := gathered[0].Distinct([]int{0, 4}, []int{0})
	if want := []string{whole.Snippets[0], whole.Snippets[4]}; !slices.Equal(first.Snippets, want) {
		t.Errorf("%q, want %q", first.Snippets, want)
	}
	ranks.Together(2, func(team ranks.Team) {
		half, err := whole.Divide(team)
		if err != nil || !slices.Equal(half.Snippets, whole.Snippets[half.First:half.First+half.Len()]) {
			t.Errorf("rank %d has other snippets: %v", team.Rank(), err)
		}
	})
	if one := whole.SelectRows(nil); !reflect.DeepEqual(one.Snippets, []string{}) {
		t.Errorf("%q of no documents", one.Snippets)
	}
}

// Snippets take memory, which is counted.
func TestSnippetsWithinMemory(t *testing.T) {
	lines := ""
	for i := range 3000 {
		lines += fmt.Sprintf("{\"text\": \"word%c and many more of them %0800d\"}\n", 'a'+i%26, i)
	}
	opt := ReadOptions{Text: TextOptions{MinDF: 1}, MaxBytes: 1 << 20}
	for { // the least memory, about, in which the corpus is read without them
		if _, err := readBytes([]byte(lines), "jsonl", opt); err == nil {
			break
		}
		opt.MaxBytes += 1 << 18
	}
	opt.MaxBytes += 1 << 20
	opt.Snippets = 800
	if c, err := readBytes([]byte(lines), "jsonl", opt); err == nil {
		t.Errorf("%d bytes for texts like %.40q", opt.MaxBytes, c.Snippets[0])
	}
}

// Whole texts keep their line breaks, and lose what would turn or end the page that shows them.
func TestWholeTexts(t *testing.T) {
	text := "First line.\n\n\tSecond, with \u202emarks\u0007 and a <b>tag</b>."
	c := must.Get(FromTexts(context.Background(), []string{text, "another line."}, ReadOptions{Snippets: WholeTexts, Text: TextOptions{MinDF: 1}}))(t)
	if got := c.Snippets[0]; !strings.HasPrefix(got, "First line.\n") || strings.ContainsAny(got, "\u202e\u0007<") || !strings.Contains(got, "tag") {
		t.Errorf("the text is %q", got)
	}
}
