package counting

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/native"
	"pgregory.net/rapid"
)

// countDirectly is the definition: for each document and term the number of words with that stem.
func countDirectly(a *Analyzer, texts []string) (counts []map[string]float64, names map[string]string) {
	uses := map[string]map[string]int{} // stem -> word -> occurrences
	counts = make([]map[string]float64, len(texts))
	for i, text := range texts {
		counts[i] = map[string]float64{}
		for _, word := range wordsOf(a, text) {
			if stem := a.term(word); stem != "" {
				counts[i][stem]++
				if uses[stem] == nil {
					uses[stem] = map[string]int{}
				}
				uses[stem][word]++
			}
		}
	}
	names = map[string]string{}
	for stem, forms := range uses {
		best := ""
		for word, n := range forms {
			if best == "" || n > forms[best] || n == forms[best] && word < best {
				best = word
			}
		}
		names[stem] = best
	}
	return counts, names
}

func TestCountsAgreeWithDefinition(t *testing.T) {
	vocabulary := strings.Fields("cluster clusters Clustering clustered graph Graphs the of don't Debian Debian's été ÉTÉ e\u0301te\u0301 統計学 1999 x eigen-value running runs runner 42nd")
	property.Check(t, func(rt *rapid.T) {
		texts := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 12).Draw(rt, "words"), rapid.SampledFrom([]string{" ", ", ", "\n"}).Draw(rt, "break"))
		}), 1, 12).Draw(rt, "texts")
		opt := Options{
			Language: rapid.SampledFrom([]string{"", "none", "french"}).Draw(rt, "language"),
			MinDF:    rapid.IntRange(1, 3).Draw(rt, "min df"),
			MaxDF:    rapid.SampledFrom([]float64{0, 0.5, 0.7}).Draw(rt, "max df"),
		}
		a := mustAnalyzer(t, opt)
		counts, names := countDirectly(a, texts)
		want := map[string]string{} // name -> stem of the terms within the limits
		for stem, name := range names {
			df := 0
			for _, row := range counts {
				if row[stem] > 0 {
					df++
				}
			}
			// In integers: df/n ≤ max is 10·df ≤ 10·max·n for the shares above.
			if df >= opt.MinDF && (opt.MaxDF == 0 || 10*df <= int(10*opt.MaxDF+0.5)*len(texts)) {
				want[name] = stem
			}
		}
		c, err := countJSONL(context.Background(), corpustest.JSONLines(texts), "test", opt)
		if len(want) == 0 {
			if err == nil {
				rt.Fatal("a corpus without terms was read")
			}
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		if len(c.Terms) != len(want) || !slices.IsSorted(c.Terms) {
			rt.Fatalf("terms %q, want %d", c.Terms, len(want))
		}
		if r, k := c.X.Dims(); r != len(texts) || k != len(c.Terms) {
			rt.Fatalf("the matrix is %d×%d", r, k)
		}
		for j, name := range c.Terms {
			stem, ok := want[name]
			if !ok {
				rt.Fatalf("unexpected term %q", name)
			}
			for i := range texts {
				if got := c.X.At(i, j); got != counts[i][stem] {
					rt.Fatalf("document %d, term %q: %v, want %v", i, name, got, counts[i][stem])
				}
			}
		}
	})
}

// TestRunsAgreeWithDefinition counts runs of words from the list of single words that are left, and
// compares limits, names and order.
func TestRunsAgreeWithDefinition(t *testing.T) {
	vocabulary := strings.Fields("graph graphs cluster clustering the of laplacian 42 统计 don't")
	property.Check(t, func(rt *rapid.T) {
		texts := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 9).Draw(rt, "words"), " ")
		}), 1, 8).Draw(rt, "texts")
		opt := Options{NGrams: rapid.IntRange(1, 3).Draw(rt, "n"), MinDF: rapid.IntRange(0, 2).Draw(rt, "min"),
			MinDFShare: rapid.SampledFrom([]float64{0, 0.3}).Draw(rt, "min share"), MaxDFCount: rapid.IntRange(0, 4).Draw(rt, "max"), MaxDF: rapid.SampledFrom([]float64{0, 0.5}).Draw(rt, "max share")}
		a := mustAnalyzer(t, opt)
		_, names := countDirectly(a, texts)
		want := countRunsDirectly(a, texts, names, opt)
		c, err := countJSONL(context.Background(), corpustest.JSONLines(texts), "test", opt)
		if len(want) == 0 {
			corpustest.CheckFault(t, err)
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		if len(c.Terms) != len(want) || !slices.IsSorted(c.Terms) {
			rt.Fatalf("terms %q, want %v", c.Terms, want)
		}
		for j, term := range c.Terms {
			for i := range texts {
				if want[term] == nil || c.X.At(i, j) != want[term][i] {
					rt.Fatalf("document %d, %q: %v, want %v", i, term, c.X.At(i, j), want[term])
				}
			}
		}
		// A corpus counted again in its own vocabulary, in reverse order, has the same counts.
		given := slices.Clone(c.Terms)
		slices.Reverse(given)
		again := must.Get(countJSONL(context.Background(), corpustest.JSONLines(texts), "test", Options{Vocabulary: given}))(rt)
		for j := range given {
			for i := range texts {
				if again.X.At(i, j) != c.X.At(i, len(given)-1-j) {
					rt.Fatalf("document %d, %q: %v in the vocabulary, %v before", i, given[j], again.X.At(i, j), c.X.At(i, len(given)-1-j))
				}
			}
		}
	})
}

func TestVocabulary(t *testing.T) {
	lines := corpustest.JSONLines([]string{"library connections unknown", "connecting the libraries", "graph"})
	c := countTexts(t, lines, Options{Vocabulary: []string{"graphs", "connected libraries", "libraries", "absent", "connected", "absent words"}})
	corpustest.CheckMatrix(t, c.X, [][]float64{{0, 0, 1, 0, 1, 0}, {0, 1, 1, 0, 1, 0}, {1, 0, 0, 0, 0, 0}})
	if !strings.Contains(strings.Join(c.Notes, "\n"), "of which 4 occur") {
		t.Errorf("notes %q", c.Notes)
	}
	for _, tc := range []struct {
		vocabulary []string
		parts      []string
	}{
		{[]string{"graph", "graphs"}, []string{`"graph"`, `"graphs"`, "same term"}},
		{[]string{"nothing"}, []string{"none of the 1 term"}},
		{[]string{}, []string{"none of the 0 terms"}},
		{[]string{"a b c d"}, []string{"4 words"}},
		{[]string{"graph", ""}, []string{"term 2", "0 words"}},
	} {
		_, err := countJSONL(context.Background(), lines, "test", Options{Vocabulary: tc.vocabulary})
		corpustest.WantFault(t, err, tc.parts...)
	}
	stems, err := Options{}.Stems([]string{"connected libraries", "graphs"})
	if err != nil || !slices.Equal(stems, []string{"connect librari", "graph"}) {
		t.Errorf("stems %q", stems)
	}
}

func TestSameCorpusAtAnyThreadCount(t *testing.T) {
	defer native.SetThreads(0)
	lines := corpustest.JSONLines(corpustest.RandomTexts(2500, 120)) // several rounds of batches
	var first *Collection
	for _, threads := range race.Threads(1, 2, 5) {
		native.SetThreads(threads)
		c := countTexts(t, lines, Options{NGrams: 2, MinDF: 5})
		if first == nil {
			first = c
			continue
		}
		a, b := first.X, c.X
		if !slices.Equal(first.Terms, c.Terms) || !slices.Equal(a.RowPtr, b.RowPtr) || !slices.Equal(a.Col, b.Col) || !slices.Equal(a.Val, b.Val) || !slices.Equal(first.Notes, c.Notes) {
			t.Fatalf("%d threads give another corpus than 1", threads)
		}
	}
}

func TestReadableTerms(t *testing.T) {
	c := countTexts(t, corpustest.JSONLines([]string{"Libraries library libraries", "library connections", "connecting"}), Options{MinDF: 1})
	// Both words of a stem occur equally often, so the first by the alphabet names it.
	if want := []string{"connecting", "libraries"}; !slices.Equal(c.Terms, want) {
		t.Errorf("terms %q, want %q", c.Terms, want)
	}
}

// A million distinct words in one text.
func TestManyDistinctWords(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	b := append(make([]byte, 0, 8*n), `{"text": "`...)
	for i := range n {
		b = strconv.AppendInt(append(b, 'q'), int64(i), 36)
		b = append(b, ' ')
	}
	c := countTexts(t, string(append(b, `"}`...)), Options{Language: "none", StopWords: "none", MinDF: 1})
	if _, k := c.X.Dims(); k != n || c.X.NNZ() != n {
		t.Errorf("%d terms, want %d", k, n)
	}
}

func BenchmarkCountWords(b *testing.B) {
	texts := corpustest.Descriptions(b)
	a := mustAnalyzer(b, Options{})
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size))
	c := newCounter(a) // after the first pass every word is known, as most are in a long file
	for b.Loop() {
		for _, text := range texts {
			if _, err := c.add(context.Background(), text); err != nil {
				b.Fatal(err)
			}
			for _, t := range c.touched {
				c.tally[t] = 0
			}
			c.touched = c.touched[:0]
		}
	}
}

// countRunsDirectly counts the runs of words of each text from their definition.
func countRunsDirectly(a *Analyzer, texts []string, names map[string]string, opt Options) map[string][]float64 {
	n := len(texts)
	want := map[string][]float64{}
	for i, text := range texts {
		var kept []string
		for _, word := range wordsOf(a, text) {
			if stem := a.term(word); stem != "" {
				kept = append(kept, names[stem])
			}
		}
		for length := 1; length <= opt.NGrams; length++ {
			for at := 0; at+length <= len(kept); at++ {
				run := strings.Join(kept[at:at+length], " ")
				if want[run] == nil {
					want[run] = make([]float64, n)
				}
				want[run][i]++
			}
		}
	}
	least := opt.MinDF
	if least == 0 && opt.MinDFShare == 0 {
		least = 2
	}
	for run, row := range want {
		df := 0
		for _, v := range row {
			if v > 0 {
				df++
			}
		}
		if df < least || 10*df < int(10*opt.MinDFShare+0.5)*n || opt.MaxDFCount > 0 && df > opt.MaxDFCount || opt.MaxDF > 0 && 2*df > n {
			delete(want, run)
		}
	}
	return want
}

// TestCountingStopsWithinAText: a context that ended stops the count of one long text.
func TestCountingStopsWithinAText(t *testing.T) {
	a := must.Get(NewAnalyzer(Options{}, Keep{}))(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	const many = 300000
	if n, err := newCounter(a).add(ctx, strings.Repeat("word ", many)); !errors.Is(err, context.Canceled) || n > many/2 {
		t.Errorf("%d words were counted: %v", n, err)
	}
}
