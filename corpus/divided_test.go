package corpus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
)

// togetherRead reads as each of some ranks.
func togetherRead(ctx context.Context, size int, path string, opt ReadOptions, then func(ctx context.Context, c *Corpus) error) (parts []*Corpus, errs []error) {
	parts, errs = make([]*Corpus, size), make([]error, size)
	opt.Divide = true
	ranks.Together(size, func(team ranks.Team) {
		ctx := ranks.With(ctx, team)
		r := team.Rank()
		parts[r], errs[r] = Read(ctx, path, opt)
		if errs[r] == nil && then != nil {
			errs[r] = then(ctx, parts[r])
		}
	})
	return parts, errs
}

// joined compares the parts of a corpus with the corpus of one process.
func joined(t *testing.T, parts []*Corpus, whole *Corpus) {
	t.Helper()
	size := len(parts)
	rows := make([]int, whole.Len())
	for i := range rows {
		rows[i] = i
	}
	wantSizes, wantNone := whole.ClassSizes()
	for r, c := range parts {
		if size == 1 {
			sameDocuments(t, c, whole)
			continue
		}
		lo, hi := r*whole.Len()/size, (r+1)*whole.Len()/size
		if c.First != lo || c.Total != whole.Len() || c.Len() != hi-lo || c.Documents() != whole.Len() || !c.Divided() {
			t.Fatalf("rank %d: first %d of %d, %d here; want %d to %d", r, c.First, c.Total, c.Len(), lo, hi)
		}
		if want := whole.X.(*sparse.CSR).SelectRows(rows[lo:hi]); !reflect.DeepEqual(csrOf(c), csrOf(&Corpus{X: want})) {
			t.Errorf("rank %d: the rows differ", r)
		}
		if !slices.Equal(c.Terms, whole.Terms) || !slices.Equal(c.ClassNames, whole.ClassNames) || !slices.Equal(c.Notes, whole.Notes) {
			t.Errorf("rank %d:\n%q %q %q\nis not\n%q %q %q", r, c.Terms, c.ClassNames, c.Notes, whole.Terms, whole.ClassNames, whole.Notes)
		}
		if (c.IDs == nil) != (whole.IDs == nil) || (c.Labels == nil) != (whole.Labels == nil) || c.Format != whole.Format {
			t.Errorf("rank %d: ids %v, labels %v, format %s", r, c.IDs, c.Labels, c.Format)
		}
		if !slices.Equal(c.Rarities, whole.Rarities[lo:hi]) {
			t.Errorf("rank %d: other terms are rare", r)
		}
		for i := lo; i < hi; i++ {
			if c.ID(i-lo) != whole.ID(i) || c.Labels != nil && c.Labels[i-lo] != whole.Labels[i] {
				t.Fatalf("rank %d: document %d is %s", r, i, c.ID(i-lo))
			}
		}
		if sizes, none := c.ClassSizes(); !slices.Equal(sizes, wantSizes) || none != wantNone {
			t.Errorf("rank %d: classes of %v, %d without", r, sizes, none)
		}
	}
}

// csrOf are the entries of a corpus, with nil for empty slices.
func csrOf(c *Corpus) [][]float64 {
	x := c.X.(*sparse.CSR)
	out := [][]float64{{float64(x.NumRows), float64(x.NumCols)}}
	for i := range x.NumRows {
		row := []float64{}
		cols, vals := x.Row(i)
		for k, j := range cols {
			row = append(row, float64(j), vals[k])
		}
		out = append(out, row)
	}
	return out
}

// manyLines are documents of which stems have several words, some have no words, no id or no label,
// and one is damaged.
func manyLines(n int) []string {
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("connect connected connecting connection connections run runs running apple apples tree trees the of car cars road roads wheel wheels")
	lines := make([]string, n)
	for i := range lines {
		var text []string
		for range rng.IntN(30) {
			text = append(text, words[rng.IntN(len(words))])
		}
		if i%11 == 0 {
			text = append(text, fmt.Sprintf("rare%c%c", 'a'+i%26, 'a'+i/26%26))
		}
		lines[i] = fmt.Sprintf(`{"id":"d%d","text":%q,"label":"%s"}`, i, strings.Join(text, " "), []string{"x", "y", "", "-1", "nan"}[rng.IntN(5)])
		switch i % 7 {
		case 3:
			lines[i] = strings.Replace(lines[i], fmt.Sprintf(`"id":"d%d",`, i), "", 1)
		case 5:
			lines[i] += "\r"
		case 6:
			lines[i] = "\n" + lines[i]
		}
	}
	lines[2*n/3] = strings.Replace(lines[2*n/3], `"text":"`, "\"text\":\"b\xffd ", 1)
	return lines
}

// corpora are files and folders of the same documents.
func corpora(t *testing.T, lines []string) map[string]string {
	text := strings.Join(lines, "\n")
	n := len(lines)
	many := map[string]string{"_SUCCESS": ""}
	for k := range 7 {
		name, content := fmt.Sprintf("part-%d.jsonl", k), strings.Join(lines[k*n/7:(k+1)*n/7], "\n")
		if k%3 == 2 {
			name, content = name+".gz", gzipped(content)
		}
		many[name] = content
	}
	many["part-3b.jsonl"] = ""
	many["part-9.jsonl"] = "\n"
	dir := t.TempDir()
	return map[string]string{
		"a file":       writeFile(t, dir, "a.jsonl", []byte("\ufeff"+text)),
		"with an end":  writeFile(t, dir, "b.jsonl", []byte(text+"\n")),
		"packed":       writeFile(t, dir, "c.jsonl.gz", []byte(gzipped(text))),
		"one large":    makeFolder(t, map[string]string{"a.jsonl.gz": gzipped(strings.Join(lines[1:n-1], "\n")), "b.jsonl.gz": gzipped(lines[n-1]), "0.jsonl": lines[0]}),
		"several":      makeFolder(t, many),
		"few, several": makeFolder(t, map[string]string{"a.jsonl": strings.Join(lines[:n-1], "\n"), "b.jsonl": lines[n-1]}),
	}
}

// TestDivided: the parts of all ranks are the corpus of one process.
func TestDivided(t *testing.T) {
	counts, sizes := []int{6, 300}, []int{1, 2, 3, 5}
	if race.On {
		counts, sizes = counts[1:], sizes[2:3]
	}
	for _, n := range counts {
		paths := corpora(t, manyLines(n))
		vocabulary := []string{"tree", "connected", "zebra", "cars"}
		for name, text := range map[string]TextOptions{
			"plain": {MinDF: 1}, "limits": {MinDF: 2, MaxDF: 0.7}, "counts": {MinDF: 1, MaxDFCount: n / 2}, "runs": {MinDF: 2, NGrams: 3, MaxDF: 0.9}, "collocations": {MinDF: 2, NGrams: 3, Collocations: true},
			"vocabulary": {Vocabulary: vocabulary}, "share": {MinDFShare: 0.02},
		} {
			for file, path := range paths {
				if testing.Short() && file != "several" && name != "runs" {
					continue
				}
				whole := must.Get(Read(t.Context(), path, ReadOptions{Text: text}))(t)
				for _, size := range sizes {
					parts, errs := togetherRead(t.Context(), size, path, ReadOptions{Text: text}, nil)
					for r, err := range errs {
						if err != nil {
							t.Fatalf("%s of %s, rank %d of %d: %v", name, file, r, size, err)
						}
					}
					joined(t, parts, whole)
					if t.Failed() {
						t.Fatalf("%s of %s, %d documents, %d ranks", name, file, n, size)
					}
				}
			}
		}
	}
}

// TestDividedParquet divides files of Parquet with several groups of rows, and one with a single
// one.
func TestDividedParquet(t *testing.T) {
	columns, _ := manyRows(500)
	other := []pqColumn{pqStrings("text", "some other words", "some words", "")}
	dir := t.TempDir()
	for _, path := range []string{
		writeFile(t, dir, "a.parquet", pqFile(t, 30, columns)),
		writeFile(t, dir, "b.parquet", pqFile(t, 0, columns)),
		writeFile(t, dir, "c.parquet.gz", []byte(gzipped(string(pqFile(t, 100, columns))))),
		makeFolder(t, map[string]string{"0.parquet": string(pqFile(t, 100, columns)), "1.parquet": string(pqFile(t, 2, other, parquet.WithDictionaryDefault(false)))}),
		writeFile(t, dir, "all.list", []byte("a.parquet\n"+writeFile(t, dir, "x.jsonl", []byte(`{"text":"some words"}`))+"\n")),
	} {
		whole := must.Get(Read(t.Context(), path, ReadOptions{}))(t)
		for _, size := range []int{1, 2, 3, 5} {
			parts, errs := togetherRead(t.Context(), size, path, ReadOptions{}, nil)
			must.Do(t, errors.Join(errs...))
			joined(t, parts, whole)
		}
	}
}

// TestDividedOthers: files of other formats are read whole, and each rank keeps its rows.
func TestDividedOthers(t *testing.T) {
	dir := t.TempDir()
	var csv strings.Builder
	csv.WriteString("a,b,c,label\n")
	for i := range 11 {
		fmt.Fprintf(&csv, "%d,0,%d,%s\n", i, (i*i)%5, []string{"x", "y"}[i%2])
	}
	texts := map[string]string{}
	for i := range 9 {
		texts[fmt.Sprintf("%c/%d", 'a'+i%2, i)] = strings.Repeat("some words ", i%3)
	}
	numbers := make([]pqColumn, 3)
	for j := range numbers {
		numbers[j] = pqColumn{name: string(rune('a' + j)), kind: parquet.Types.Double}
		for i := range 13 {
			numbers[j].values = append(numbers[j].values, float64(i*(j+2)%7)/8)
		}
	}
	xml := map[string]string{}
	for i := range 4 {
		xml[fmt.Sprintf("%d.xml", i)] = fmt.Sprintf("<r><d id='a%d'><body>some words of %d</body></d><d id='b%d'><body>other words</body></d><d><body>%s</body></d></r>", i, i, i, strings.Repeat("many words ", 10*i))
	}
	rows := "<data>"
	for i := range 12 {
		rows += fmt.Sprintf("<row x='%d.5' y='%d'/>", i, i*i%5)
	}
	for _, path := range []string{makeFolder(t, xml), writeFile(t, dir, "a.xml", []byte(xml["3.xml"])), writeFile(t, dir, "rows.xml", []byte(rows+"</data>")), writeFile(t, dir, "a.csv", []byte(csv.String())), makeFolder(t, texts), writeFile(t, dir, "m.mbox", []byte(mailbox)),
		writeFile(t, dir, "n.parquet", pqFile(t, 4, numbers)), writeFile(t, dir, "one.parquet", pqFile(t, 0, numbers))} {
		whole := must.Get(Read(t.Context(), path, ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
		for _, size := range []int{2, 3} {
			if size > whole.Len() {
				continue
			}
			parts, errs := togetherRead(t.Context(), size, path, ReadOptions{Text: TextOptions{MinDF: 1}}, nil)
			must.Do(t, errors.Join(errs...))
			if _, sparse := whole.X.(*sparse.CSR); sparse {
				joined(t, parts, whole)
				continue
			}
			at := 0
			_, cols := whole.X.Dims()
			for _, c := range parts {
				for i := range c.Len() {
					for j := range cols {
						if c.X.At(i, j) != whole.X.At(at, j) {
							t.Errorf("row %d differs", at)
						}
					}
					at++
				}
			}
			if at != whole.Len() {
				t.Errorf("%d rows of %d", at, whole.Len())
			}
		}
	}
}

// TestDividedWeights: the weights have the bits of one process.
func TestDividedWeights(t *testing.T) {
	path := corpora(t, manyLines(300))["several"]
	whole := must.Get(Read(t.Context(), path, ReadOptions{}))(t)
	x := must.Get(whole.Weighted(WeightTFIDF, NormL2))(t)
	idf, _ := whole.IDF()
	want := csrOf(&Corpus{X: x})[1:]
	top := whole.TopTerms(make([]int, whole.Len()), 1, 5)
	for _, size := range []int{2, 3, 5} {
		rows := make([][][]float64, size)
		parts, errs := togetherRead(t.Context(), size, path, ReadOptions{}, func(ctx context.Context, c *Corpus) error {
			x, err := c.Weighted(WeightTFIDF, NormL2)
			if err != nil {
				return err
			}
			rows[ranks.From(ctx).Rank()] = csrOf(&Corpus{X: x})[1:]
			if own, _ := c.IDF(); !slices.Equal(own, idf) {
				t.Error("the idf differs")
			}
			if own := c.TopTerms(make([]int, c.Len()), 1, 5); len(own) != 1 || len(own[0]) != len(top[0]) {
				t.Errorf("%v, not %v", own, top)
			}
			_, err = c.Select([]string{"x"})
			if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "divided among") {
				t.Errorf("a selection: %v", err)
			}
			if err := Write(ctx, filepath.Join(os.TempDir(), "x.npz"), c); err == nil || !strings.Contains(err.Error(), "divided among") {
				t.Errorf("written: %v", err)
			}
			return nil
		})
		must.Do(t, errors.Join(errs...))
		var all [][]float64
		for _, r := range rows {
			all = append(all, r...)
		}
		if !reflect.DeepEqual(all, want) {
			t.Errorf("%d ranks: the weights differ", size)
		}
		_ = parts
	}
}

// TestDividedFaults: all ranks get the error that one process gets.
func TestDividedFaults(t *testing.T) {
	lines := manyLines(200)
	change := func(i int, line string) []string {
		out := slices.Clone(lines)
		out[i] = line
		return out
	}
	file := func(lines []string) string {
		return writeFile(t, t.TempDir(), "a.jsonl", []byte(strings.Join(lines, "\n")))
	}
	paths := map[string]string{
		"no JSON near the end":  file(change(190, "{\n")),
		"no JSON twice":         file(append(change(30, "{"), "{")),
		"an id twice":           file(change(177, `{"id":"d4","text":"some words"}`)),
		"the number of one":     file(change(3, `{"id":"151","text":"some words"}`)),
		"no words":              file([]string{`{"text":"the"}`, `{"text":"of"}`, `{"text":"42"}`, `{"text":"42"}`, `{"text":"42"}`}),
		"no terms":              file([]string{`{"text":"aa"}`, `{"text":"bb"}`, `{"text":"cc"}`, `{"text":"dd"}`, `{"text":"ee"}`}),
		"empty":                 file(nil),
		"blank":                 file([]string{"", ""}),
		"an array":              file([]string{"[", "1]"}),
		"missing":               filepath.Join(t.TempDir(), "x.jsonl"),
		"damaged":               writeFile(t, t.TempDir(), "a.jsonl.gz", []byte(gzipped(strings.Join(lines, "\n"))[:3000])),
		"no JSON twice, packed": writeFile(t, t.TempDir(), "a.jsonl.gz", []byte(gzipped(strings.Join(append(change(130, "{"), "{"), "\n")))),
		"an id twice, packed":   writeFile(t, t.TempDir(), "a.jsonl.gz", []byte(gzipped(strings.Join(change(177, `{"id":"d4","text":"some words"}`), "\n")))),
		"damaged late":          writeFile(t, t.TempDir(), "a.jsonl.gz", append([]byte(gzipped(strings.Join(lines, "\n"))[:4300]), "xxxxxxxxxxxxxxxxxxxx"...)),
		"two ways":              makeFolder(t, map[string]string{"a.jsonl": lines[0], "b": ""}),
		"ids of several":        makeFolder(t, map[string]string{"a.jsonl": lines[0] + "\n" + lines[1], "b.jsonl": lines[2] + "\n\n" + lines[4], "c.jsonl": lines[4] + "\n" + lines[1]}),
		"no format":             writeFile(t, t.TempDir(), "riddle", []byte("what is this\nnobody knows\n")),
	}
	columns, _ := manyRows(100)
	for i := range columns[2].values {
		columns[2].values[i] = nil
	}
	paths["nulls"] = writeFile(t, t.TempDir(), "a.parquet", pqFile(t, 10, columns))
	for name, path := range paths {
		_, want := Read(t.Context(), path, ReadOptions{})
		if want == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, size := range []int{2, 3, 5} {
			_, errs := togetherRead(t.Context(), size, path, ReadOptions{}, nil)
			for r, err := range errs {
				if err == nil || err.Error() != want.Error() || errors.Is(err, ErrNoDocuments) != errors.Is(want, ErrNoDocuments) || !errors.As(err, new(*FormatError)) {
					t.Errorf("%s, rank %d of %d:\n%v\nnot\n%v", name, r, size, err, want)
				}
			}
		}
	}
	_, errs := togetherRead(t.Context(), 5, file(lines[:4]), ReadOptions{Text: TextOptions{MinDF: 1}}, nil)
	for _, err := range errs {
		wantFault(t, err, "holds 4 documents, and there are 5 ranks", "start fewer")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range second(togetherRead(ctx, 3, file(lines), ReadOptions{}, nil)) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
}

func second[A, B any](_ A, b B) B { return b }

// TestDividedOneFails: one rank that fails alone does not let the others wait.
func TestDividedOneFails(t *testing.T) {
	path := corpora(t, manyLines(200))["a file"]
	errs := make([]error, 3)
	ranks.Together(3, func(team ranks.Team) {
		opt := ReadOptions{Divide: true}
		if team.Rank() == 1 {
			opt.MaxBytes = 1000
		}
		_, errs[team.Rank()] = Read(ranks.With(t.Context(), team), path, opt)
	})
	for r, err := range errs {
		if err == nil || err.Error() != errs[0].Error() {
			t.Errorf("rank %d: %v", r, err)
		}
	}
}

// TestDividedLabels: files of labels and of constraints name the documents of all ranks.
func TestDividedLabels(t *testing.T) {
	lines := manyLines(60)
	for i, l := range lines {
		if strings.Contains(l, `"id"`) == (i%7 == 3) {
			t.Fatal(l)
		}
	}
	var unnamed []string
	for i := range 40 {
		unnamed = append(unnamed, fmt.Sprintf(`{"text":"some words %c%c"}`, 'a'+i%5, 'b'+i%7))
	}
	dir := t.TempDir()
	named := writeFile(t, dir, "named.jsonl", []byte(strings.Join(lines, "\n")))
	numbered := writeFile(t, dir, "numbered.jsonl", []byte(strings.Join(unnamed, "\n")))
	var all, names strings.Builder
	for i := range 40 {
		fmt.Fprintf(&all, "%s\n", []string{"p", "q", ""}[i%3])
		fmt.Fprintf(&names, "n%d,%s\n", i, []string{"p", "q"}[i%2])
	}
	for i, tc := range []struct{ path, labels string }{
		{named, "id,label\nd59,q\nd0,p\nd30,p\nd31,-1\n"}, {numbered, "0,a\n39,b\n20,a\n"}, {numbered, "1,a\n40,b\n"}, {numbered, all.String()}, {numbered, names.String()},
		{named, "id,label\nd59,q\nnobody,p\n"}, {named, "id,label\nd59,q\nd59,p\n"}, {numbered, "1,a\n39,b\n"}, {numbered, "a\nb\n"}, {numbered, "7,x\nno\n"},
	} {
		file := writeFile(t, dir, fmt.Sprintf("l%d.csv", i), []byte(tc.labels))
		opt := ReadOptions{Text: TextOptions{MinDF: 1}}
		truth := opt
		truth.Labels = file
		whole, wantErr := Read(t.Context(), tc.path, truth)
		plain := must.Get(Read(t.Context(), tc.path, opt))(t)
		given, givenErr := ReadGiven(t.Context(), file, plain)
		for _, size := range []int{2, 3} {
			parts, errs := togetherRead(t.Context(), size, tc.path, truth, nil)
			for r, err := range errs {
				if fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Errorf("%q, rank %d: %v, not %v", tc.labels, r, err, wantErr)
				}
			}
			if wantErr == nil {
				joined(t, parts, whole)
			}
			var mu sync.Mutex
			got := make([]*Given, size)
			parts, errs = togetherRead(t.Context(), size, tc.path, opt, func(ctx context.Context, c *Corpus) (err error) {
				g, err := ReadGiven(ctx, file, c)
				mu.Lock()
				got[ranks.From(ctx).Rank()] = g
				mu.Unlock()
				return err
			})
			var labels []int
			for r, err := range errs {
				if fmt.Sprint(err) != fmt.Sprint(givenErr) {
					t.Errorf("%q given, rank %d: %v, not %v", tc.labels, r, err, givenErr)
				}
				if err == nil {
					if labels = append(labels, got[r].Labels...); len(got[r].Labels) != parts[r].Len() || !slices.Equal(got[r].ClassNames, given.ClassNames) || !slices.Equal(got[r].Notes, given.Notes) {
						t.Errorf("%q given, rank %d: %v, not %v", tc.labels, r, got[r], given)
					}
				}
			}
			if givenErr == nil && !slices.Equal(labels, given.Labels) {
				t.Errorf("%q given: %v, not %v", tc.labels, labels, given.Labels)
			}
		}
	}
	for _, content := range []string{"d0,d59,must\nd30,4,cannot\n", "d0,nobody,must\n"} {
		file := writeFile(t, dir, "links.csv", []byte(content))
		whole := must.Get(Read(t.Context(), named, ReadOptions{}))(t)
		want, note, wantErr := ReadConstraints(t.Context(), file, whole)
		_, errs := togetherRead(t.Context(), 3, named, ReadOptions{}, func(ctx context.Context, c *Corpus) error {
			list, said, err := ReadConstraints(ctx, file, c)
			if !slices.Equal(list, want) || said != note {
				t.Errorf("%v %q, not %v %q", list, said, want, note)
			}
			return err
		})
		for _, err := range errs {
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%v, not %v", err, wantErr)
			}
		}
	}
}
