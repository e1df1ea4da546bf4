package counting

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
)

// The rule agrees with its definition: the normalised mutual information of the words, and twice
// the logarithm of the ratio of two binomial likelihoods.
func TestTogetherByDefinition(t *testing.T) {
	logBinomial := func(k, n int, p float64) float64 {
		sum := 0.0
		if k > 0 {
			sum += float64(k) * math.Log(p)
		}
		if k < n {
			sum += float64(n-k) * math.Log(1-p)
		}
		return sum
	}
	rng := rand.New(rand.NewPCG(5, 2))
	var yes, no int
	for range 5000 {
		all := 10 + rng.IntN(3000)
		words := make([]int, 2+rng.IntN(2))
		for i := range words {
			words[i] = 1 + int(float64(all-1)*math.Pow(rng.Float64(), 3))
		}
		df := 1 + rng.IntN(min(slices.Min(words), 1+rng.IntN(40)))
		p := float64(df) / float64(all)
		chance := 1.0
		for _, w := range words {
			chance *= float64(w) / float64(all)
		}
		npmi := math.Log(p/chance) / (float64(len(words)-1) * -math.Log(p))
		g2 := 2 * (logBinomial(df, all, p) - logBinomial(df, all, chance))
		if math.Abs(npmi-leastNPMI) < 1e-9 || math.Abs(g2-leastG2) < 1e-9 || df == all {
			continue
		}
		want := npmi >= leastNPMI && g2 >= leastG2
		if got := together(df, all, words); got != want {
			t.Fatalf("%d of %d documents, words in %d: %v, NPMI %v, G² %v", df, all, words, got, npmi, g2)
		}
		if want {
			yes++
		} else {
			no++
		}
	}
	if yes < 500 || no < 500 {
		t.Errorf("%d runs belong together and %d do not", yes, no)
	}
	if together(0, 10, []int{5, 5}) || together(10, 10, []int{10, 10}) {
		t.Error("a run of no document, or of all, is a collocation")
	}
}

// Of texts in which four pairs of words were planted among words in a random order, the pairs are
// terms and hardly any other run is.
func TestPlantedCollocations(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 2))
	planted := []string{"neural network", "operating system", "linear algebra", "text editor"}
	var lines []string
	for range 400 {
		var words []string
		for range 40 {
			words = append(words, fmt.Sprintf("w%dx", int(60*rng.Float64()*rng.Float64())))
		}
		for _, p := range planted {
			if rng.IntN(5) == 0 {
				words = slices.Insert(words, rng.IntN(len(words)), p)
			}
		}
		for w := range strings.FieldsSeq(strings.Join(planted, " ")) { // each word alone too
			if rng.IntN(20) == 0 {
				words = slices.Insert(words, rng.IntN(len(words)), w)
			}
		}
		lines = append(lines, strings.Join(words, " "))
	}
	runs := func(opt Options) (list []string) {
		for _, term := range countTexts(t, corpustest.JSONLines(lines), opt).Terms {
			if strings.Contains(term, " ") {
				list = append(list, term)
			}
		}
		return list
	}
	every, kept := runs(Options{NGrams: 2, MinDF: 5}), runs(Options{NGrams: 2, MinDF: 5, Collocations: true})
	for _, p := range planted {
		if !slices.Contains(kept, p) {
			t.Errorf("%q is no term: %q", p, kept)
		}
	}
	if len(every) < 1000 || len(kept) > len(planted)+3 {
		t.Errorf("%d of %d runs are terms: %q", len(kept), len(every), kept)
	}
	c := countTexts(t, corpustest.JSONLines(lines), Options{NGrams: 2, MinDF: 5, Collocations: true})
	if want := fmt.Sprintf("; %d runs of words whose words do not belong together left out", len(every)-len(kept)); !strings.Contains(strings.Join(c.Notes, " "), want) {
		t.Errorf("notes %q lack %q", c.Notes, want)
	}
	if alone := runs(Options{NGrams: 2, MinDF: 5, Collocations: true, ForModel: true}); !slices.Equal(alone, every) {
		t.Errorf("texts for a model have %d runs of %d", len(alone), len(every))
	}
}
