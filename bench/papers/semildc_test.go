package papers

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"gonum.org/v1/gonum/mat"
)

// The printed figures agree with the paper's text, in the order of its columns if the text has them
// in order.
func TestSemildcPrinted(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "papers", "semildc-liu-2014.txt"))
	if err != nil {
		t.Skip("the paper's text is not in ../shared/papers")
	}
	share, figure := regexp.MustCompile(`(^|\t)([1-5]%)\t`), regexp.MustCompile(`(0\.\d{4}) ± (0\.\d{4})`)
	lines := map[string][]string{} // by table and share, whole lines
	table := ""
	for line := range strings.Lines(string(text)) {
		if m := regexp.MustCompile(`^TABLE ([IV]+)`).FindStringSubmatch(line); m != nil {
			table = m[1]
		}
		if m := share.FindStringSubmatch(line); m != nil && strings.HasPrefix(line, m[2]) {
			lines[table+m[2]] = figure.FindAllString(line, -1)
		}
	}
	seen := 0
	for _, v := range semildcViews()[:3] {
		roman := strings.Fields(v.Source)[1]
		for _, r := range v.Experiment.Rows {
			var want []string
			for _, c := range v.Experiment.Columns {
				f, ok := v.Printed.At("macro_f1", r.Key, c.Key())
				e, _ := v.PrintedErrors.At("macro_f1", r.Key, c.Key())
				// Two standard deviations of ten runs.
				s := fmt.Sprintf("%.4f ± %.4f", f, e*6.324555320336759)
				if !ok || !strings.Contains(string(text), s) {
					t.Errorf("%s, %s, %s: %s is not in the paper", v.Name, r.Key, c.Key(), s)
				}
				want = append(want, s)
				seen++
			}
			if got := lines[roman+r.Key]; roman != "IV" && !slices.Equal(got, want) {
				t.Errorf("%s, %s: %v, the paper has %v", v.Name, r.Key, want, got)
			}
		}
	}
	if seen != 3*5*6 {
		t.Errorf("%d figures were compared", seen)
	}
}

// Macro-F1 by its definition, on the documents that are not known only; a class without documents
// in the answer scores 0.
func TestMacroF1(t *testing.T) {
	truth := []int{0, 0, 0, 1, 1, 2, 2, 0}
	found := []int{0, 0, 1, 1, 1, 1, 1, 2}
	known := []int{-1, -1, -1, -1, -1, -1, -1, 0}
	got := must.Get(macroF1(truth, found, known))(t)
	// Class 0: TP 2, FN 1. Class 1: TP 2, FP 3. Class 2: FN 2.
	if want := (4./5 + 4./7 + 0) / 3; len(got) != 2 || !near(got[0], want) || !near(got[1], 4./7) {
		t.Errorf("%v, want %v and %v", got, want, 4./7)
	}
	// Names count: swapped classes are wrong, not renamed.
	if got, _ = macroF1([]int{0, 0, 1}, []int{1, 1, 0}, []int{-1, -1, -1}); got[0] != 0 || got[1] != 0 {
		t.Errorf("swapped classes score %v", got)
	}
}

// semildcTopics is an experiment of all methods on made-up topics.
func semildcTopics(t *testing.T) *Experiment {
	e := newSemildcStore().experiment("made-up", Dataset{Name: "topics", File: "topics.tar"}, "For tests. ", append(semildcColumns(), semildcForms()[1:]...))
	e = made(t, e, 4)
	e.Rows = []Row{{Key: "4%", Value: 4}, {Key: "10%", Value: 10}}
	return e
}

// Rows that were reduced once give what the whole algorithm 2 gives.
func TestSemildcSharedRows(t *testing.T) {
	e := semildcTopics(t)
	all, _, err := e.load(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	u := must.Get(e.prepare(context.Background(), all, e.Rows[1], 0, 3))(t)
	forms := map[string]semildc.Options{
		"semi-ldc":             {},
		"semi-ldc-ica":         {Reduction: semildc.ICA},
		"semi-ldc-propagation": {SoftLabels: semildc.Propagation},
		"semi-ldc-hard":        {SoftLabels: semildc.Hard},
	}
	for _, c := range semildcForms() {
		opt := forms[c.Method]
		opt.Seed = u.Seed
		m := must.Get(semildc.Fit(context.Background(), u.Counts, nil, u.known, u.K, opt))(t)
		want := must.Get(macroF1(u.Truth, m.Labels, u.known))(t)
		got, err := c.figures(context.Background(), u, 0)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, the whole algorithm %v", c.Method, err, got, want)
		}
		if want[0] < 0.6 {
			t.Errorf("%s: %v", c.Method, want)
		}
	}
	if n := len(u.semildc.pca.results); n != 1 {
		t.Errorf("%d analyses are kept", n)
	}
}

// The tables are the same at any number of threads and whichever methods run, and have the paper's
// standard errors.
func TestSemildcTable(t *testing.T) {
	e := semildcTopics(t)
	withThreads(t, 2)
	run := must.Get(e.Run(context.Background(), Options{Tests: 3}))(t)
	v := &View{Name: "semildc/made-up", Title: "made up", Paper: "Nobody", Source: "nothing", Kind: KindTable, Digits: 2, Experiment: e, Metrics: []string{"macro_f1"},
		Methods: []string{"semi-ldc", "tsvm", "ckmeans"}, Spread: "its own are made up",
		Printed:       Printed{"macro_f1": {"4%": {"semi-ldc": 0.2, "tsvm": 0.3}}},
		PrintedErrors: Printed{"macro_f1": {"4%": {"semi-ldc": 0.01}}}}
	table := v.Table(run)
	for _, r := range run.Rows {
		for _, c := range run.Columns {
			f := run.Score(r, c, 0)
			if f.N != 3 || f.Mean < 0.5 || f.Mean > 1 { // chance gives a quarter
				t.Errorf("%s, %s: %+v", r.Key, c.Method, f)
			}
		}
	}
	withThreads(t, 1)
	again := must.Get(e.Run(context.Background(), Options{Tests: 3, Methods: []string{"ckmeans", "tsvm", "semi-ldc"}}))(t)
	records := csvOf(t, table)
	if records != csvOf(t, v.Table(again)) {
		t.Error("one thread gives another table")
	}
	if !strings.Contains(records, "paper_standard_error\n") || !strings.Contains(records, ",0.01\n") {
		t.Errorf("the table is\n%s", records)
	}
	var text bytes.Buffer
	must.Do(t, table.WriteText(&text))
	for _, want := range []string{"3 runs", "± its standard error, then the paper's ± its", "20.00±1.0*", " 30.00*", "two standard errors of the difference (its own are made up)"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
	checkPictures(t, table)
}

// packed writes an archive.
func packed(t *testing.T, path string, files [][2]string) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, f := range files {
		must.Do(t, w.WriteHeader(&tar.Header{Name: f[0], Mode: 0o644, Size: int64(len(f[1]))}))
		if _, err := w.Write([]byte(f[1])); err != nil {
			t.Fatal(err)
		}
	}
	must.Do(t, errors.Join(w.Close(), z.Close(), os.WriteFile(path, b.Bytes(), 0o666)))
}

// Raw texts are read once for several experiments: without headers, with the terms of two documents
// of the classes that are kept, under any of the archive's names.
func TestTextCorpora(t *testing.T) {
	var s textCorpora
	guns, fish := s.newsgroups("guns", "talk.politics.guns", "talk.religion.misc"), s.newsgroups("fish", "rec.fish", "talk.religion.misc")
	dir := t.TempDir()
	var missing *DataError
	if err := guns.In(dir); !errors.As(err, &missing) || missing.File != "20news-bydate.tar.xz" {
		t.Errorf("an empty folder gives %v", err)
	}
	post := func(group, body string) string {
		return "From: somebody@secret.example\nSubject: hidden\nNewsgroups: " + group + "\n\n" + body + "\n"
	}
	packed(t, filepath.Join(dir, "20news-bydate.tar.gz"), [][2]string{
		{"20news-bydate-train/talk.politics.guns/1", post("talk.politics.guns", "rifle barrel rifle")},
		{"20news-bydate-train/rec.fish/2", post("rec.fish", "trout river")},
		{"20news-bydate-train/talk.religion.misc/3", post("talk.religion.misc", "psalm river barrel")},
		{"20news-bydate-test/talk.politics.guns/4", post("talk.politics.guns", "rifle psalm")},
		{"20news-bydate-test/rec.fish/5", post("rec.fish", "trout pond")},
		{"20news-bydate-test/talk.religion.misc/6", post("talk.religion.misc", "psalm")},
	})
	load := func(d Dataset) *corpus.Corpus {
		t.Helper()
		c := must.Get(d.Load(context.Background(), dir))(t)
		return c
	}
	c := load(guns)
	if sizes, _ := c.ClassSizes(); !slices.Equal(c.ClassNames, []string{"talk.politics.guns", "talk.religion.misc"}) || !slices.Equal(sizes, []int{2, 2}) {
		t.Errorf("classes %v of %v documents", c.ClassNames, sizes)
	}
	// barrel, psalm and rifle are in two documents each; river is in one of these groups.
	if n, m := c.X.Dims(); n != 4 || m != 3 || mat.Sum(c.X) != 2+1+3+2 {
		t.Errorf("%d × %d counts with the sum %v", n, m, mat.Sum(c.X))
	}
	if _, m := load(fish).X.Dims(); m != 3 { // psalm, river, trout
		t.Errorf("%d terms of the other groups", m)
	}
	if again := load(guns); again.X != c.X || again == c {
		t.Error("the texts are counted again")
	}
	if sum, err := guns.Checksum(dir); err != nil || len(sum) != 64 {
		t.Errorf("checksum %q, %v", sum, err)
	}
	packed(t, filepath.Join(dir, "reuters21578.tar.gz"), [][2]string{{"numbers.txt", "1 2 3\n"}})
	if _, err := s.reutersTopics().Load(context.Background(), dir); err == nil {
		t.Error("a file without classes is taken")
	}
}

// The real archives hold what the paper counts.
func TestTextCorporaSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("long: it reads the whole corpus, which takes some seconds")
	}
	views := semildcViews()
	for i, want := range [][]int{{973, 985, 982, 963, 988}, {910, 940, 775, 628}, {3753, 2131, 601, 528, 510, 449, 389, 276, 264, 207}} {
		d := views[i].Experiment.Corpus
		if err := d.In(dataDir); err != nil {
			t.Log(err)
			continue
		}
		c := must.Get(d.Load(context.Background(), dataDir))(t)
		sizes, unlabelled := c.ClassSizes()
		slices.Sort(sizes)
		slices.Sort(want)
		if !slices.Equal(sizes, want) || unlabelled != 0 {
			t.Errorf("%s: classes of %v documents, the paper has %v", d.Name, sizes, want)
		}
	}
}
