package corpus

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// What documents that come later need to know of the corpus that a model was made from.

// IDF returns idf_j = ln(n / df_j) of every column, as [Corpus.Weighted] uses it; 0 for a column without entries. O(entries).
func (c *Corpus) IDF() ([]float64, error) {
	switch x := c.X.(type) {
	case *sparse.CSR:
		return idf(x.ColCounts(), x.NumRows), nil
	case *mat.Dense:
		return idf(denseCounts(x), c.Len()), nil
	}
	return nil, c.typeError()
}

// WeightedLike is [Corpus.Weighted] with the idf of another corpus, one a column of this one, in place of its own. Weightings other than
// "tfidf" take no notice of it.
func (c *Corpus) WeightedLike(weighting, normalize string, idf []float64) (mat.Matrix, error) {
	if err := checkWeighting(weighting, normalize); err != nil {
		return nil, err
	}
	if c.X == nil {
		return nil, c.typeError()
	}
	if _, cols := c.X.Dims(); weighting == WeightTFIDF && len(idf) != cols {
		return nil, &sparse.ShapeError{Why: fmt.Sprintf("%d weights of terms for %d columns", len(idf), cols)}
	}
	return c.weighted(weighting, normalize, idf)
}

// Stems returns the stem of every term of a text corpus that was read with these options. Two corpora may name the same stem by different
// words, each by its own most frequent one; it is stems that tell whether their columns are the same term.
func (o TextOptions) Stems(terms []string) ([]string, error) {
	if o.Language != "" && o.Language != noLanguage && stemmers[o.Language] == nil {
		return nil, o.Validate()
	}
	o = o.withDefaults()
	a := &analyzer{opt: o}
	if s := stemmers[o.Language]; s != nil {
		a.stem = s.stem
	}
	stems := make([]string, len(terms))
	for i, t := range terms {
		if !strings.Contains(t, " ") {
			stems[i] = a.stemOf(t)
			continue
		}
		words := strings.Fields(t)
		for k, w := range words {
			words[k] = a.stemOf(w)
		}
		stems[i] = strings.Join(words, " ")
	}
	return stems, nil
}

// StopList returns the words that a file of stop words named by these options leaves out, sorted; nil where they name a language or none.
// A model keeps them in place of the file's name.
func (o TextOptions) StopList() ([]string, error) {
	o = o.withDefaults()
	if o.StopWords == "none" || stemmers[o.StopWords] != nil {
		return nil, nil
	}
	set, err := readStopWords(o.StopWords)
	if err != nil {
		return nil, err
	}
	words := make([]string, 0, len(set))
	for w := range set {
		words = append(words, w)
	}
	slices.Sort(words)
	return words, nil
}

// stopSet is the test for a list of stop words that was given in place of a file.
func stopSet(words []string) func(string) bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return func(word string) bool { return set[word] }
}
