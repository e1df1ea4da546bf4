package eigenmap

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/words"
)

// candidate is a method that known labels may choose.
type candidate struct {
	method string
	set    []setting // of its options, where they are not the defaults
	// work estimates the multiplications of one fit, beyond what all fits share.
	work func(s dataSize) float64
}

// dataSize is what the work of a fit grows with.
type dataSize struct {
	rows, columns, entries, classes float64
}

// graph estimates the multiplications of the search for neighbours.
func (s dataSize) graph() float64 { return s.entries * min(s.rows, 20_000) }

// The estimates are powers of the sizes times what was measured on the study's corpora.
func byEigenvectors(s dataSize) float64 { return 2000 * s.rows * (s.classes + 10) }
func byProducts(s dataSize) float64     { return 6000 * s.rows * s.classes }

// bySweeps returns an estimate of so many multiplications for each entry and class.
func bySweeps(n float64) func(dataSize) float64 {
	return func(s dataSize) float64 { return n * s.entries * s.classes }
}

// byDiscriminants estimates soft labels and discriminants. If all principal components can be
// found, the fits share them.
func byDiscriminants(s dataSize) float64 {
	if min(s.rows, s.columns) > 6000 {
		return bySweeps(1200)(s)
	}
	return bySweeps(200)(s)
}

// placeOfFew is the place of the candidate that is taken where the labels are too few to compare
// by, as one of each class is. docs/which-method.md has the figures.
const placeOfFew = 2

// candidates are the methods that known labels choose from. Of equal verdicts the first is taken.
// The last one learns from no labels: it is what the program finds without them.
var candidates = []candidate{
	{method: "semi-ldc", work: byDiscriminants},
	{method: "tsvm", work: bySweeps(1000)},
	{method: "label-propagation", set: []setting{{"class-mass", "true"}}, work: byProducts},
	{method: "label-propagation", work: byProducts},
	{method: "lda", work: bySweeps(100)},
	{method: "semi-le", work: byEigenvectors},
	{method: "cle", work: byEigenvectors},
	{method: DefaultMethod, work: byEigenvectors},
}

// learns says whether the candidate looks at labels.
func (c candidate) learns() bool { return c.method != DefaultMethod }

// name is the candidate with its settings: "label-propagation, class-mass true".
func (c candidate) name() string {
	text := c.method
	for _, s := range c.set {
		text += " with " + words.Option(s.name)
		if s.value != "true" {
			text += " " + s.value
		}
	}
	return text
}

// placeOf returns the place of a method with its defaults among the candidates.
func placeOf(method string) int {
	return slices.IndexFunc(candidates, func(c candidate) bool { return c.method == method && c.set == nil })
}
