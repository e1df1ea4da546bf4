package corpus

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// eachReads reads as each of some ranks from a path of its own.
func eachReads(ctx context.Context, paths []string, opts []ReadOptions) (parts []*Corpus, errs []error) {
	parts, errs = make([]*Corpus, len(paths)), make([]error, len(paths))
	ranks.Together(len(paths), func(team ranks.Team) {
		r := team.Rank()
		opt := opts[r%len(opts)]
		opt.Divide = true
		parts[r], errs[r] = Read(ranks.With(ctx, team), paths[r], opt)
	})
	return parts, errs
}

// refusedAlike checks that all ranks get one error, which names the file, the rank and what to do.
func refusedAlike(t *testing.T, errs []error, rank int, file string) {
	t.Helper()
	for r, err := range errs {
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), fmt.Sprintf("rank %d ", rank)) || !strings.Contains(err.Error(), ranks.SameFile) || filepath.Base(format.File) != file {
			t.Errorf("rank %d: %v, where rank %d and %s are at fault", r, err, rank, file)
		} else if err.Error() != errs[0].Error() {
			t.Errorf("rank %d: %v\nrank 0: %v", r, err, errs[0])
		}
	}
}

// longLines are documents of some MiB, so that the ranks' parts are of other blocks.
func longLines(n int) string {
	rng := rand.New(rand.NewPCG(5, 6))
	words := strings.Fields("tree trees car cars road roads wheel wheels house houses river rivers")
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"d%d","text":"`, i)
		for range 40 + rng.IntN(60) {
			b.WriteString(words[rng.IntN(len(words))] + " ")
		}
		b.WriteString("\"}\n")
	}
	return b.String()
}

// exchanged is a text with two equal pieces of it changed, of the same length: the text still
// parses.
func exchanged(text string, at int) string {
	k := at + strings.Index(text[at:], "river")
	return text[:k] + "house" + text[k+5:]
}

// TestRanksReadOtherContent: a file of one rank that has the same name and length as the others'
// and other content anywhere that this rank reads is refused; content that only rank 0
// reads is not asked for, since the corpus then comes from rank 0's file.
func TestRanksReadOtherContent(t *testing.T) {
	text := longLines(12000)
	n := len(text)
	if n < 4<<20 {
		t.Fatalf("%d bytes are too few for blocks of each rank alone", n)
	}
	dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	for name, c := range map[string]struct {
		rank, at int // the rank whose copy differs, and where
		refused  bool
	}{
		"rank 0, read by it alone": {0, 0, false},
		"rank 0, read by another":  {0, n / 2, true},
		"its own part":             {1, n / 2, true},
		"its end":                  {1, 2*n/3 - 200, true},
		"the last":                 {2, n - 700, true},
		"read by rank 0 alone":     {1, 50, false},
	} {
		if race.On && name != "its own part" && name != "read by rank 0 alone" {
			continue // of refusals, and of the others, one each
		}
		paths := make([]string, 3)
		for r, dir := range dirs {
			own := text
			if r == c.rank {
				own = exchanged(text, c.at)
			}
			paths[r] = writeFile(t, dir, "a.jsonl", []byte(own))
		}
		parts, errs := eachReads(t.Context(), paths, []ReadOptions{{}})
		switch {
		case c.refused:
			refusedAlike(t, errs, max(1, c.rank), "a.jsonl")
		case errors.Join(errs...) != nil:
			t.Errorf("%s: %v", name, errors.Join(errs...))
		default:
			whole := must.Get(Read(t.Context(), paths[0], ReadOptions{}))(t)
			joined(t, parts, whole)
		}
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// TestRanksReadAnotherLineEnd: the line that crosses the end of a rank's part is compared to its
// end, however long it is.
func TestRanksReadAnotherLineEnd(t *testing.T) {
	long := strings.Repeat("river car road ", 300000) // 4.5 MB
	text := `{"text":"tree house"}` + "\n" + `{"text":"` + long + `"}` + "\n" + strings.Repeat(`{"text":"tree house"}`+"\n", 5)
	at := strings.LastIndex(text, "river")
	other := text[:at] + "wheel" + text[at+5:]
	a, b := writeFile(t, t.TempDir(), "a.jsonl", []byte(text)), writeFile(t, t.TempDir(), "a.jsonl", []byte(other))
	for _, opt := range []TextOptions{{MinDF: 1}} {
		// Rank 0 reads the long line, which ends in the part of rank 1.
		_, errs := eachReads(t.Context(), []string{a, b}, []ReadOptions{{Text: opt}})
		refusedAlike(t, errs, 1, "a.jsonl")
		_, errs = eachReads(t.Context(), []string{b, a}, []ReadOptions{{Text: opt}})
		refusedAlike(t, errs, 1, "a.jsonl")
	}
}

// otherFiles are pairs of files or folders of the same names and lengths with other content, each
// with the name of the file that differs.
func otherFiles(t *testing.T) map[string][3]string {
	t.Helper()
	lines := strings.Join(manyLines(60), "\n")
	other := strings.Replace(lines, "apples", "wheels", 1)
	packed := func(s string) []byte { // of the same length if s is
		var b bytes.Buffer
		z, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
		if err == nil {
			_, err = z.Write([]byte(s))
		}
		must.Do(t, errors.Join(err, z.Close()))
		return b.Bytes()
	}
	columns := func(text string) []byte {
		rows := make([]any, 200)
		for i := range rows {
			rows[i] = "some words " + strings.Repeat("and more ", i%5)
		}
		rows[150] = text
		return pqFile(t, 20, []pqColumn{pqStrings("text", rows...)}, parquet.WithDictionaryDefault(false), parquet.WithStats(false))
	}
	pair := func(name string, a, b []byte) [3]string {
		if name == "" || len(a) != len(b) || bytes.Equal(a, b) {
			t.Fatalf("%s: %d and %d bytes", name, len(a), len(b))
		}
		return [3]string{writeFile(t, t.TempDir(), name, a), writeFile(t, t.TempDir(), name, b), name}
	}
	folder := func(name string, files map[string]string, change, from, to string) [3]string {
		a, b := makeFolder(t, files), ""
		changed := map[string]string{}
		maps.Copy(changed, files)
		changed[change] = strings.Replace(files[change], from, to, 1)
		b = makeFolder(t, changed)
		return [3]string{a, b, name}
	}
	list := pair("x.jsonl", []byte(lines), []byte(other))
	lists := [3]string{"", "", "x.jsonl"}
	for i, path := range list[:2] {
		lists[i] = writeFile(t, filepath.Dir(path), "all.list", []byte("x.jsonl\n"))
	}
	texts := map[string]string{"a/1": "some words here", "a/2": "other words", "b/3": "words again"}
	parts := map[string]string{"p0.jsonl": lines, "p1.jsonl": strings.ReplaceAll(lines, `"id":"d`, `"id":"e`), "_SUCCESS": ""}
	return map[string][3]string{
		"lines":        pair("a.jsonl", []byte(lines), []byte(other)),
		"packed lines": pair("a.jsonl.gz", packed(lines), packed(other)),
		"parquet":      pair("a.parquet", columns("apples and pears"), columns("apples and tears")),
		"a list":       lists,
		"several":      folder("p1.jsonl", parts, "p1.jsonl", "apples", "wheels"),
		"texts":        folder("", texts, "b/3", "again", "twice"),
		"csv":          pair("a.csv", []byte("a,b\n1,2\n3,4\n5,6\n"), []byte("a,b\n1,2\n3,4\n5,7\n")),
		"csv labels":   pair("a.csv", []byte("a,b,label\n1,2,x\n3,4,y\n5,6,x\n"), []byte("a,b,label\n1,2,x\n3,4,y\n5,6,y\n")),
		"csv ids":      pair("a.csv", []byte("id,b\nr,2\ns,4\nt,6\n"), []byte("id,b\nr,2\ns,4\nu,6\n")),
		"mtx": pair("a.mtx", []byte("%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 1\n2 1 1\n3 2 5\n"),
			[]byte("%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 1\n2 2 1\n3 2 5\n")),
		"svm": pair("a.svm", []byte("1 1:2\n2 2:3\n1 1:4\n"), []byte("1 1:2\n2 2:3\n1 1:5\n")),
	}
}

// TestRanksReadOtherFiles: files of any format that have the same names and lengths and other
// content are refused, whichever rank has them.
func TestRanksReadOtherFiles(t *testing.T) {
	for name, c := range otherFiles(t) {
		for _, of := range [][]int{{0, 1}, {1, 0}, {0, 1, 1}} {
			paths := make([]string, len(of))
			for r, k := range of {
				paths[r] = c[k]
			}
			_, errs := eachReads(t.Context(), paths, []ReadOptions{{Text: TextOptions{MinDF: 1}}})
			file := c[2]
			if file == "" {
				file = filepath.Base(paths[0])
			}
			refusedAlike(t, errs, slices.IndexFunc(of, func(k int) bool { return k != of[0] }), file)
			if t.Failed() {
				t.Fatalf("%s, %v", name, of)
			}
		}
		same, errs := eachReads(t.Context(), []string{c[0], c[0]}, []ReadOptions{{Text: TextOptions{MinDF: 1}}})
		if err := errors.Join(errs...); err != nil || same[0].Total != same[1].Total {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRanksReadOtherwise: other labels, stop words, vocabularies and options of one rank are
// refused, other paths of the same files are not.
func TestRanksReadOtherwise(t *testing.T) {
	lines := writeFile(t, t.TempDir(), "a.jsonl", []byte(strings.Join(manyLines(60), "\n")))
	matrix := writeFile(t, t.TempDir(), "a.csv", []byte("a,b\n1,2\n3,4\n5,6\n"))
	label := func(end string) string {
		return writeFile(t, t.TempDir(), "l.csv", []byte("id,label\n1,x\n2,y\n3,"+end+"\n"))
	}
	ids := func(end string) string {
		return writeFile(t, t.TempDir(), "l.csv", []byte("id,label\nd0,x\nd1,y\nd2,"+end+"\n"))
	}
	stop := func(word string) TextOptions {
		return TextOptions{StopWords: writeFile(t, t.TempDir(), "stop.txt", []byte("the\n"+word+"\n"))}
	}
	for name, c := range map[string]struct {
		path, what string
		a, b       ReadOptions
	}{
		"labels":             {lines, "l.csv", ReadOptions{Labels: ids("x")}, ReadOptions{Labels: ids("y")}},
		"labels of rows":     {matrix, "l.csv", ReadOptions{Labels: label("x")}, ReadOptions{Labels: label("y")}},
		"labels or none":     {matrix, "options", ReadOptions{Labels: label("x")}, ReadOptions{}},
		"stop words":         {lines, "stop.txt", ReadOptions{Text: stop("cars")}, ReadOptions{Text: stop("tree")}},
		"languages":          {lines, "options", ReadOptions{Text: TextOptions{StopWords: "english"}}, ReadOptions{Text: TextOptions{StopWords: "french"}}},
		"a vocabulary":       {lines, "vocabulary", ReadOptions{Text: TextOptions{Vocabulary: []string{"tree", "cars"}}}, ReadOptions{Text: TextOptions{Vocabulary: []string{"tree", "road"}}}},
		"limits":             {lines, "options", ReadOptions{Text: TextOptions{MinDF: 1}}, ReadOptions{Text: TextOptions{MinDF: 3}}},
		"a format":           {lines, "options", ReadOptions{Format: "jsonl"}, ReadOptions{}},
		"the same elsewhere": {lines, "", ReadOptions{Labels: ids("x"), Text: stop("cars")}, ReadOptions{Labels: ids("x"), Text: stop("cars")}},
		"memory":             {lines, "", ReadOptions{MaxBytes: 1 << 30}, ReadOptions{MaxBytes: 1 << 29}},
	} {
		_, errs := eachReads(t.Context(), []string{c.path, c.path, c.path}, []ReadOptions{c.a, c.a, c.b})
		for r, err := range errs {
			if c.what == "" && err != nil || c.what != "" && (err == nil || !strings.Contains(err.Error(), "rank 2 ") || !strings.Contains(err.Error(), c.what)) {
				t.Errorf("%s: rank %d: %v", name, r, err)
			}
		}
	}
}
