package request

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/committee"
)

// candidate is a method that known labels may choose.
type candidate struct {
	method string
	set    []setting // of its options, where they are not the defaults
	// Votes says that it is a member of the committee, which counts what its members found.
	Votes bool
	// Dense says that it is compared on dense rows alone.
	Dense bool
	// Work estimates the multiplications of one fit, beyond what all fits share.
	Work func(s DataSize) float64
}

// DataSize is what the work of a fit grows with.
type DataSize struct {
	Rows, Columns, Entries, Classes float64
}

// Graph estimates the multiplications of the search for neighbours.
func (s DataSize) Graph() float64 { return s.Entries * min(s.Rows, 20_000) }

// ByEigenvectors estimates the multiplications of a method of eigenvectors. This estimate and those
// below are products of the sizes and a factor that was measured on the study's corpora.
func ByEigenvectors(s DataSize) float64 { return 2000 * s.Rows * (s.Classes + 10) }

// byProducts estimates products of the graph with a vector for each class.
func byProducts(s DataSize) float64 { return 6000 * s.Rows * s.Classes }

// bySweeps returns an estimate of so many multiplications for each entry and class.
func bySweeps(n float64) func(DataSize) float64 {
	return func(s DataSize) float64 { return n * s.Entries * s.Classes }
}

// byDiscriminants estimates soft labels and discriminants. If all principal components can be
// found, the fits share them.
func byDiscriminants(s DataSize) float64 {
	if min(s.Rows, s.Columns) > 1200 {
		return bySweeps(600)(s)
	}
	return bySweeps(200)(s)
}

// byKernel estimates kernel ridge: eigenproblems of some hundreds of labelled rows, and their
// kernel with all rows, as if all had a label.
func byKernel(s DataSize) float64 {
	looked, used := min(s.Rows, 300), min(s.Rows, 2000)
	return 40*looked*looked*looked + used*used*used/6 + s.Entries*used
}

// Places among the candidates. Where the labels are too few to compare methods, such as one of each
// class, the committee is taken with label propagation and MembersOfFew alone, or the candidate at
// PlaceOfFew if the committee does not take the run's options. docs/studies/labels.md has figures.
const (
	PlaceOfCommittee = 0
	PlaceOfFew       = 3
)

// MembersOfFew are the members of the committee beside label propagation where labels are few.
const MembersOfFew = DefaultMethod

// candidates are the methods that known labels choose from. Of equal verdicts the first is taken.
// The last one learns from no labels: it is what the program finds without them. The committee is
// not fitted to be judged: its members are.
var candidates = []candidate{
	{method: committee.Spec.Name, Work: func(DataSize) float64 { return 0 }},
	{method: "semi-ldc", Votes: true, Work: byDiscriminants},
	{method: "tsvm", Votes: true, Work: bySweeps(400)},
	{method: "label-propagation", set: []setting{{"class-mass", "true"}}, Votes: true, Work: byProducts},
	{method: "logistic", Votes: true, Work: bySweeps(50)},
	{method: "kernel-ridge", Votes: true, Dense: true, Work: byKernel},
	{method: "label-propagation", Work: byProducts},
	{method: "lda", Work: bySweeps(100)},
	{method: "semi-le", Work: ByEigenvectors},
	{method: "cle", Work: ByEigenvectors},
	{method: DefaultMethod, Votes: true, Work: ByEigenvectors},
}

// Learns says whether the candidate looks at labels.
func (c candidate) Learns() bool { return c.method != DefaultMethod }

// Method is the name of its method.
func (c candidate) Method() string { return c.method }

// Name is the candidate with its settings: "label-propagation, class-mass true".
func (c candidate) Name() string {
	text := c.method
	for _, s := range c.set {
		text += " with " + words.Option(s.name)
		if s.value != "true" {
			text += " " + s.value
		}
	}
	return text
}

// PlaceOf returns the place of a method with its defaults among the candidates.
func PlaceOf(method string) int {
	return slices.IndexFunc(candidates, func(c candidate) bool { return c.method == method && c.set == nil })
}
