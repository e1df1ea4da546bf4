package corpus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
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
		"an id twice": {"\n" + `{"id":"b","text":"some words"}`, []string{"b.jsonl: line 2:", `the id "b" already belongs to line 2 of `, "a.jsonl"}},
		"a number":    {`{"text":"some words"}` + "\n" + `{"id":3,"text":"some words"}`, []string{"b.jsonl: line 2:", "already belongs to line 1 of", "b.jsonl"}},
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
	c := must.Get(Read(t.Context(), dir, ReadOptions{}))(t)
	wantNote(t, c, "first: line 1 of "+filepath.Join(dir, "b.jsonl"))
	must.Do(t, os.Symlink(filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "l.jsonl")))
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

// TestSparkFolder: the output of a job, whose files of JSON lines are named .json or not at all, is
// one corpus.
func TestSparkFolder(t *testing.T) {
	lines, files := threeParts(t)
	whole := readLines(t, lines, TextOptions{MinDF: 1})
	a, b, c := files["00.jsonl"], files["01.ndjson.gz"], files["03.jsonl.xz"]
	for name, files := range map[string]map[string]string{
		"json":      {"part-00000-8f.c000.json": a, "part-00001-8f.c000.json.gz": b, "part-00002.json": "", "part-00003.JSON": c, "_SUCCESS": "", ".part-00000-8f.c000.json.crc": "\x00"},
		"no name":   {"part-00000": a, "part-00001.gz": b, "part-00002": "", "part-00003": c, "_SUCCESS": ""},
		"no marker": {"0.json": a, "1.json": b, "3.json": c},
	} {
		dir := makeFolder(t, files)
		for _, format := range []string{"", "jsonl"} {
			got, err := Read(t.Context(), dir, ReadOptions{Format: format, Text: TextOptions{MinDF: 1}})
			if err != nil {
				t.Fatal(name, err)
			}
			sameDocuments(t, got, whole)
			wantNote(t, got, "The corpus is ")
		}
	}
}

// A pipe and a link that are named like JSON, and an empty file, leave a folder of texts what it
// is.
func TestTextsBesideNamesOfJSON(t *testing.T) {
	dir := t.TempDir()
	for i := range 6 {
		writeFile(t, dir, fmt.Sprintf("%d.txt", i), []byte("red words and blue words"))
	}
	writeFile(t, dir, "empty.json", nil)
	must.Do(t, syscall.Mkfifo(filepath.Join(dir, "pipe.json"), 0o600))
	must.Do(t, os.Symlink(t.TempDir(), filepath.Join(dir, "link.json")))
	got := must.Get(Read(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	if got.Len() != 7 {
		t.Errorf("%d documents, want 6 and an empty one", got.Len())
	}
	wantNote(t, got, "2 names in the folder were skipped")
}

// TestNotSilentlyTexts: files that are not a text each by their names or their content are not read
// as texts, in folders and in archives of them, unless that is asked for.
func TestNotSilentlyTexts(t *testing.T) {
	object := "{\n  \"text\": \"red words\"\n}\n"
	for name, tc := range map[string]struct {
		file, content string
		want          []string
	}{
		"a list":             {"order.list", "a.jsonl\n", []string{"order.list", "name the list itself"}},
		"a list below":       {"a/order.list.gz", gzipped("a.jsonl\n"), []string{"order.list.gz", "name the list itself"}},
		"JSON":               {"a.json", object, []string{"a.json", "is JSON"}},
		"an array":           {"a.json.gz", gzipped(" [1]"), []string{"a.json.gz", "is JSON"}},
		"without a text":     {"a.json", `{"body":"red words"}` + "\n", []string{"a.json", "is JSON"}},
		"lines below":        {"day=1/part-0.json", `{"text":"red words"}` + "\n", []string{"part-0.json", "is JSON"}},
		"output of a job":    {"_SUCCESS", "", []string{"_SUCCESS", "output of a job"}},
		"a part below":       {"day=1/_SUCCESS", "", []string{"_SUCCESS", "output of a job"}},
		"files of many":      {"b/1.parquet", "PAR1", []string{"1.parquet", "file of many documents"}},
		"files of documents": {"b/1.jsonl", `{"text":"red words"}`, []string{"1.jsonl", "file of many documents"}},
	} {
		names := []string{"x/1.txt", "green words", tc.file, tc.content}
		files := map[string]string{names[0]: names[1], names[2]: names[3]}
		for way, path := range map[string]string{
			"folder":  makeFolder(t, files),
			"tar":     writeFile(t, t.TempDir(), "t.tar", tarred(names...)),
			"tar.gz":  writeFile(t, t.TempDir(), "t.tar.gz", []byte(gzipped(string(tarred(names...))))),
			"one tar": writeFile(t, t.TempDir(), "t.tar", tarred(names[2:]...)),
		} {
			if way == "one tar" && !strings.Contains(tc.file, ".list") {
				continue // the only file of an archive is the corpus: TestCorpusInTar
			}
			_, err := Read(t.Context(), path, ReadOptions{Text: TextOptions{MinDF: 1}})
			if err == nil {
				t.Errorf("%s, %s: it was read", name, way)
				continue
			}
			wantFault(t, err, append(tc.want, "‹input-format› folder")...)
			c, err := Read(t.Context(), path, ReadOptions{Format: "folder", Text: TextOptions{MinDF: 1}})
			if err != nil && way != "one tar" || err == nil && c.Len() == 0 {
				t.Errorf("%s, %s as texts: %v, %v", name, way, c, err)
			}
		}
	}
	// A list beside the files that it names is another name of a folder with two readings.
	_, err := Read(t.Context(), makeFolder(t, map[string]string{"only.list": "x/a.jsonl\n", "x/a.jsonl": `{"text":"red words"}`}), ReadOptions{})
	wantFault(t, err, "only.list", "name the list itself")
	// Pages of another kind under this name are texts.
	c, err := Read(t.Context(), makeFolder(t, map[string]string{"a/1.json": "red words", "a/2.json": "red words"}), ReadOptions{})
	if err != nil || c.Len() != 2 {
		t.Errorf("%v, %v", c, err)
	}
}
