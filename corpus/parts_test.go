package corpus

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/progress"
)

// threeParts are the lines of one corpus and files that hold them in order.
func threeParts(t testing.TB) (whole string, files map[string]string) {
	a := `{"id":"a","text":"red apple tree","label":"fruit"}` + "\n" + `{"text":"red car road"}` + "\n"
	b := `{"text":"apple pie tree","label":"fruit"}` // no line break at the end
	c := "\n" + `{"id":"z","text":"car road wheel","label":"car"}` + "\n"
	return a + b + "\n" + c, map[string]string{"00.jsonl": a, "01.ndjson.gz": gzipped(b), "02.jsonl": "", "03.jsonl.xz": string(xzipped(t, c)), "_SUCCESS": "", ".crc": "\x00"}
}

// sameDocuments compares all but names of files and notes.
func sameDocuments(t *testing.T, got, want *Corpus) {
	t.Helper()
	if !reflect.DeepEqual(got.X, want.X) || !reflect.DeepEqual(got.Terms, want.Terms) || !reflect.DeepEqual(got.IDs, want.IDs) ||
		!reflect.DeepEqual(got.Labels, want.Labels) || !reflect.DeepEqual(got.ClassNames, want.ClassNames) {
		t.Errorf("%v %q %q %v %q\nis not\n%v %q %q %v %q", got.X, got.Terms, got.IDs, got.Labels, got.ClassNames, want.X, want.Terms, want.IDs, want.Labels, want.ClassNames)
	}
}

// TestParts: a folder of files, and a list of them, are read as the one file that joins them.
func TestParts(t *testing.T) {
	lines, files := threeParts(t)
	whole := readLines(t, lines, TextOptions{MinDF: 1})
	dir := makeFolder(t, files)
	list := writeFile(t, dir, ".order.list", []byte("# in order\n00.jsonl\n./01.ndjson.gz\r\n\n"+filepath.Join(dir, "02.jsonl")+"\n03.jsonl.xz"))
	for _, path := range []string{dir, list} {
		var last, total int64
		opt := ReadOptions{Text: TextOptions{MinDF: 1}, Observer: func(e progress.Event) { last, total = e.Done, e.Total }}
		c, err := Read(t.Context(), path, opt)
		if err != nil {
			t.Fatal(err)
		}
		sameDocuments(t, c, whole)
		checkInvariants(t, c)
		wantNote(t, c, "The corpus is 4 files, 00.jsonl to 03.jsonl.xz, in the order of the")
		bytes := int64(0)
		for name, content := range files {
			if name[0] == '0' {
				bytes += int64(len(content))
			}
		}
		if info, _ := os.Stat(path); !info.IsDir() {
			bytes += info.Size()
		}
		if c.Format != "jsonl" || last != total || total != bytes {
			t.Errorf("format %s, %d of %d bytes, of %d", c.Format, last, total, bytes)
		}
		opt.Format = "jsonl"
		if path == list {
			opt.Format = "list"
		}
		if c, err = Read(t.Context(), path, opt); err != nil {
			t.Fatal(err)
		}
		sameDocuments(t, c, whole)
	}
	labels := writeFile(t, t.TempDir(), "l.csv", []byte("id,label\nz,x\n2,y\n"))
	c, err := Read(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1}, Labels: labels})
	if err != nil || classOf(c) != "a: 2:y 3: z:x" {
		t.Errorf("%v: %v", c, err)
	}
	if c, err = Read(t.Context(), dir, ReadOptions{Format: "folder"}); err != nil || c.Len() != 5 || c.ID(0) != "00.jsonl" {
		t.Errorf("as texts: %v, %v", c, err)
	}
}

// TestPartsWhichWay: a folder that can be read in two ways is refused, and the way out works.
func TestPartsWhichWay(t *testing.T) {
	line := func(word string) string { return `{"text":"` + word + ` words"}` + "\n" }
	mixed := makeFolder(t, map[string]string{"a.jsonl": line("some"), "b/1": "some words", "notes": "other words"})
	_, err := Read(t.Context(), mixed, ReadOptions{})
	wantFault(t, err, "1 file of documents (first: a.jsonl) and 2 other names (first: b)", "‹input-format› jsonl")
	for format, want := range map[string]int{"jsonl": 1, "folder": 3} {
		c, err := Read(t.Context(), mixed, ReadOptions{Format: format, Text: TextOptions{MinDF: 1}})
		if err != nil || c.Len() != want {
			t.Errorf("%s: %v", format, err)
		}
	}
	_, err = Read(t.Context(), makeFolder(t, map[string]string{"a.jsonl": line("some"), "a.jsonl.gz": gzipped(line("some"))}), ReadOptions{})
	wantFault(t, err, "a.jsonl and a.jsonl.gz", "twice")
	_, err = Read(t.Context(), makeFolder(t, map[string]string{"a/1.jsonl": line("some")}), ReadOptions{Format: "jsonl"})
	wantFault(t, err, "holds no file of JSON lines")
	_, err = Read(t.Context(), makeFolder(t, map[string]string{"a.jsonl": "", "b.jsonl": "\n"}), ReadOptions{})
	wantFault(t, err, "it holds no documents")
	if !errors.Is(err, ErrNoDocuments) {
		t.Error(err)
	}
}

// TestPartsFaults: errors name the file of the corpus and the line that are at fault.
func TestPartsFaults(t *testing.T) {
	good := `{"id":"a","text":"some words"}` + "\n" + `{"id":"b","text":"some words"}` + "\n"
	damaged := []byte(gzipped(strings.Repeat(`{"text":"some words"}`+"\n", 3000)))
	damaged[len(damaged)-20] ^= 0x55
	for name, tc := range map[string]struct {
		b    string
		want []string
	}{
		"no JSON":     {good + "{\n", []string{"b.jsonl: line 3:", "does not end with }"}},
		"an id twice": {"\n" + `{"id":"b","text":"some words"}`, []string{"b.jsonl: line 2:", `the id "b" is already that of line 2 of `, "a.jsonl"}},
		"a number":    {`{"text":"some words"}` + "\n" + `{"id":3,"text":"some words"}`, []string{"b.jsonl: line 2:", "already that of line 1 of", "b.jsonl"}},
		"damaged":     {string(damaged), []string{"b.jsonl: ", "damaged"}},
		"cut off":     {string(damaged[:40]), []string{"b.jsonl: ", "cut off"}},
		"UTF-16":      {"\xff\xfea\x00", []string{"b.jsonl: ", "UTF-16"}},
		"an array":    {"[1]", []string{"b.jsonl: line 1: ", "JSON array"}},
	} {
		after := "{\n" // a later fault is not the one that is named
		if strings.Contains(strings.Join(tc.want, ""), "already") {
			after = ""
		}
		dir := makeFolder(t, map[string]string{"a.jsonl": good, "b.jsonl": tc.b, "c.jsonl": after})
		_, err := Read(t.Context(), dir, ReadOptions{})
		wantFault(t, err, tc.want...)
		if err != nil && strings.Contains(err.Error(), "c.jsonl") {
			t.Errorf("%s: %v", name, err)
		}
	}
	dir := makeFolder(t, map[string]string{"a.jsonl": good, "b.jsonl": "{\"text\":\"some w\xffrds\"}\n"})
	c, err := Read(t.Context(), dir, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wantNote(t, c, "first: line 1 of "+filepath.Join(dir, "b.jsonl"))
	if err := os.Symlink(filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "l.jsonl")); err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string][]string{
		"# nothing\n":        {"names no file"},
		"a.jsonl\nx.jsonl":   {"x.list: line 2", "x.jsonl", "not there"},
		"a.jsonl\nx*.jsonl":  {"x.list: line 2", "patterns"},
		"a.jsonl\nl.jsonl":   {"x.list: line 2", "one file"},
		"a.jsonl\n./a.jsonl": {"line 2", "in line 1 already"},
		"a.jsonl\n\nt.txt\n": {"line 3", "t.txt is neither"},
		".\n":                {"is a folder"},
		"a\x00b\n":           {"line 1", "not the path"},
		"\xff\xfea\x00":      {"UTF-16"},
	} {
		writeFile(t, dir, "t.txt", []byte("words"))
		_, err := Read(t.Context(), writeFile(t, dir, "x.list", []byte(content)), ReadOptions{})
		wantFault(t, err, want...)
	}
}

// TestNestedParts: files of many documents below a folder of texts are not read as a text each,
// unless that is asked for.
func TestNestedParts(t *testing.T) {
	dir := makeFolder(t, map[string]string{"a/x.txt": "red green", "b/part.jsonl": `{"text": "red"}` + "\n" + `{"text": "green red"}`})
	_, err := Read(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1}})
	wantFault(t, err, "part.jsonl", "‹input-format› folder")
	c, err := Read(t.Context(), dir, ReadOptions{Format: "folder", Text: TextOptions{MinDF: 1}})
	if err != nil || c.Len() != 2 {
		t.Errorf("%v, %v", c, err)
	}
}

func TestPartsCancelled(t *testing.T) {
	_, files := threeParts(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, makeFolder(t, files), ReadOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
