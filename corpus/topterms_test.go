package corpus

import (
	"cmp"
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// literalWeights are the weights of all terms in a cluster by the formula of TopTerms.
func literalWeights(x *mat.Dense, labels []int, cluster, clusters int) []float64 {
	n, m := x.Dims()
	size, words := 0.0, 0.0
	in, held := make([]float64, m), make([]float64, m)
	positive := 0
	for _, v := range x.RawMatrix().Data {
		if v > 0 {
			positive++
		}
	}
	values := 2*positive > n*m
	for i, l := range labels {
		if l == cluster {
			size++
		}
		for j := range m {
			v := x.At(i, j)
			if v > 0 && !values {
				v = 1
			}
			words += v
			held[j] += v
			if l == cluster {
				in[j] += v
			}
		}
	}
	w := make([]float64, m)
	for j := range m {
		p, q := in[j]/size, (held[j]-in[j])/(float64(n)-size)
		if size == 0 || size == float64(n) || p <= q*(1+1e-12) {
			continue
		}
		w[j] = (1 - q/p) * (1 - q/p)
		if mean := words / float64(clusters); !values {
			w[j] *= p * math.Log(1+mean/held[j]) / math.Log(1+mean)
		}
	}
	return w
}

func TestTopTermsAgreeWithDefinition(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		dense := drawMatrix(t, 0)
		n, m := dense.Dims()
		csr := must.Get(sparse.FromMatrix(dense))(t)
		single, err := sparse.NewSingle(csr)
		if err != nil {
			t.Skip(err)
		}
		terms := make([]string, m)
		for j := range terms {
			terms[j] = string(rune('z' - j))
		}
		labels := rapid.SliceOfN(rapid.IntRange(-1, 3), n, n).Draw(t, "labels")
		const clusters = 3 // label 3 is in none, as -1 is
		for _, x := range []mat.Matrix{dense, csr, single} {
			got := (&Corpus{X: x, Terms: terms, Format: "uci"}).TopTerms(labels, clusters, m)
			if len(got) != clusters {
				t.Fatalf("%d lists", len(got))
			}
			for k, list := range got {
				checkOrder(t, list)
				want := literalWeights(dense, labels, k, clusters)
				positive := 0
				for _, w := range want {
					if w > 0 {
						positive++
					}
				}
				if len(list) != positive {
					t.Fatalf("cluster %d has %d terms of %d positive ones", k, len(list), positive)
				}
				for _, tw := range list {
					if terms[tw.Column] != tw.Term || math.Abs(tw.Weight-want[tw.Column]) > 1e-6 || tw.Weight <= 0 || tw.Weight > 1 {
						t.Fatalf("%v, want %v", tw, want[tw.Column])
					}
				}
			}
		}
	})
}

// checkOrder checks that no term comes before one of more than four times its weight.
func checkOrder(t interface{ Errorf(string, ...any) }, list []TermWeight) {
	for i, a := range list {
		for _, b := range list[i:] {
			if a.Weight < 0.25*b.Weight {
				t.Errorf("%s of weight %v comes before %s of weight %v", a.Term, a.Weight, b.Term, b.Weight)
			}
		}
	}
}

// TestTermsOfTemplates: the words of a text that all documents of a cluster repeat come before the
// greetings that one document adds, though they are all in the same documents.
func TestTermsOfTemplates(t *testing.T) {
	template := strings.Fields("eintrag empfänger fehlt verwendungszweck bankleitzahl")
	terms := append(slices.Clone(template), "hi", "hallo", "mfg", "x", "y")
	const documents = 60
	x, labels := mat.NewDense(documents, len(terms), nil), make([]int, documents)
	for i := range documents {
		if labels[i] = i % 2; labels[i] == 1 {
			x.Set(i, 8+i/2%2, 1)
			continue
		}
		for j := range template {
			x.Set(i, j, 1)
		}
		if i < 6 {
			x.Set(i, 5+i/2, 1)
		}
	}
	list := (&Corpus{Terms: terms, X: x}).TopTerms(labels, 2, 6)[0]
	checkOrder(t, list)
	for _, w := range list[:len(template)] {
		if !slices.Contains(template, w.Term) {
			t.Errorf("%s is among the first %d of %v", w.Term, len(template), list)
		}
	}
}

func TestTopTermsTies(t *testing.T) {
	c := &Corpus{Terms: []string{"b", "a", "c", "d", "e"}, X: mat.NewDense(2, 5, []float64{1, 1, 0, 0, 0, 0, 0, 1, 0, 0})}
	top := c.TopTerms([]int{0, 1}, 2, 1)
	if len(top[0]) != 1 || top[0][0].Term != "a" || top[1][0].Term != "c" {
		t.Errorf("got %v", top)
	}
}

// TestStopTermsAreNotListed: a term that all documents hold is no topic, nor is one that is equally
// frequent in every cluster, however often a document repeats it.
func TestStopTermsAreNotListed(t *testing.T) {
	c := &Corpus{Terms: []string{"br", "the", "goal", "vote", "x1", "x2", "x3", "x4"}, X: mat.NewDense(4, 8, []float64{
		9, 1, 1, 0, 0, 0, 0, 0,
		1, 0, 1, 0, 0, 0, 0, 0,
		1, 9, 0, 1, 0, 0, 0, 0,
		1, 0, 0, 1, 0, 0, 0, 0})}
	top := c.TopTerms([]int{0, 0, 1, 1}, 2, 5)
	for k, want := range []string{"goal", "vote"} {
		if len(top[k]) != 1 || top[k][0].Term != want {
			t.Errorf("cluster %d: %v", k, top[k])
		}
		// p = 1, q = 0, f = 2, and A = (4 + 2 + 2 + 2) / 2 = 5.
		if w := math.Log(1+5./2) / math.Log(1+5.); math.Abs(top[k][0].Weight-w) > 1e-15 {
			t.Errorf("weight %v, not %v", top[k][0].Weight, w)
		}
	}
	if whole := c.TopTerms([]int{0, 0, 0, 0}, 1, 5); len(whole[0]) != 0 {
		t.Errorf("of the whole corpus: %v", whole)
	}
}

// TestRepeatsComeLast: words of a signature, forms of one word and words of a run make room for
// terms that say something else.
func TestRepeatsComeLast(t *testing.T) {
	terms := []string{"armenia", "armenian", "chastity", "cadre", "encryption", "encryption key", "lost", "a", "b", "c", "d"}
	rows := [][]string{
		{"armenia", "armenian", "encryption", "encryption key", "lost"},
		{"armenia", "armenian", "encryption", "encryption key"},
		{"armenia", "chastity", "cadre", "encryption", "encryption key"},
		{"armenia", "chastity", "cadre", "encryption"},
		{}, {}, {}, {"a"}, {"b"}, {"c"}, {"d"},
	}
	x := mat.NewDense(len(rows), len(terms), nil)
	labels := make([]int, len(rows))
	for i, row := range rows {
		for _, w := range row {
			x.Set(i, slices.Index(terms, w), 1)
		}
		if len(row) < 2 {
			labels[i] = 1
		}
	}
	var got []string
	for _, w := range (&Corpus{Terms: terms, X: x}).TopTerms(labels, 2, 6)[0] {
		got = append(got, w.Term)
	}
	// "encryption" is in the same documents as "armenia", so it repeats that before its run is
	// seen.
	if want := "armenia|encryption key|cadre|lost|encryption|armenian"; strings.Join(got, "|") != want {
		t.Errorf("%s, not %s", strings.Join(got, "|"), want)
	}
	for _, pair := range []struct {
		a, b string
		same bool
	}{{"armenia", "armenian", true}, {"parser", "parsing", true}, {"space", "spacecraft", false}, {"jews", "jewish", false},
		{"größe", "größer", true}, {"größe", "große", false}, {"мир", "мира", false}, {"война", "войны", true}} {
		if oneWord(pair.a, pair.b) != pair.same || oneWord(pair.b, pair.a) != pair.same {
			t.Errorf("%s and %s: %v", pair.a, pair.b, !pair.same)
		}
	}
}

func TestTopTermsWithout(t *testing.T) {
	x := mat.NewDense(2, 3, []float64{1, 0, 0, 0, 1, 0})
	if got := (&Corpus{X: x}).TopTerms([]int{0, 1}, 2, 3); got != nil {
		t.Errorf("without a vocabulary: %v", got)
	}
}

// TestTopTermsOfRanks: documents divided among ranks have the terms and the counts of pairs of one
// process, digit for digit.
func TestTopTermsOfRanks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	words := strings.Fields("ball goal team vote party law sun rain wind ball")
	var lines strings.Builder
	for i := range 24 {
		topic := i % 3 * 3
		lines.WriteString(`{"text": "` + words[topic] + " " + words[topic+1+i%2] + " " + words[i%10] + ` same"}` + "\n")
	}
	must.Do(t, os.WriteFile(path, []byte(lines.String()), 0o644))
	label := func(c *Corpus) []int {
		n, _ := c.X.Dims()
		labels := make([]int, n)
		for i := range labels {
			labels[i] = (c.First + i) % 3
		}
		return labels
	}
	whole := must.Get(Read(t.Context(), path, ReadOptions{}))(t)
	lists := [][]int{{0, 3, 5}, {}, {3, 1}}
	want, pairs := whole.TopTerms(label(whole), 3, 4), whole.Together(lists)
	if len(want[0]) == 0 {
		t.Fatal("no terms")
	}
	for _, size := range []int{2, 5} {
		_, errs := togetherRead(t.Context(), size, path, ReadOptions{}, func(_ context.Context, c *Corpus) error {
			if got := c.TopTerms(label(c), 3, 4); !reflect.DeepEqual(got, want) {
				t.Errorf("%d ranks: %v, not %v", size, got, want)
			}
			if got := c.Together(lists); !reflect.DeepEqual(got, pairs) {
				t.Errorf("%d ranks: pairs %v, not %v", size, got, pairs)
			}
			return nil
		})
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestTogetherIsTheProduct(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		x := drawMatrix(t, 0)
		n, m := x.Dims()
		list := rapid.Permutation(columnsOf(m)).Draw(t, "columns")[:rapid.IntRange(1, m).Draw(t, "size")]
		positive := 0
		for _, v := range x.RawMatrix().Data {
			if v > 0 {
				positive++
			}
		}
		all := (&Corpus{X: x}).Together([][]int{list})
		if measured := 2*positive > n*m; measured || all == nil {
			if !measured || all != nil {
				t.Fatalf("%d of %d entries above 0: %v", positive, n*m, all)
			}
			return
		}
		got := all[0]
		for a, i := range list {
			for b, j := range list {
				want := 0.0
				for r := range n {
					if x.At(r, i) > 0 && x.At(r, j) > 0 {
						want++
					}
				}
				if cmp.Compare(got.At(a, b), want) != 0 {
					t.Fatalf("%v and %v: %v, not %v", i, j, got.At(a, b), want)
				}
			}
		}
	})
}

func columnsOf(m int) []int {
	list := make([]int, m)
	for j := range list {
		list[j] = j
	}
	return list
}
