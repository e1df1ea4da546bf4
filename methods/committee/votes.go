package committee

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// Fewest is the least number of members whose votes are worth counting.
const Fewest = 2

// Votes counts the votes of members by what they found: label propagation, by class masses, and
// any others of semi-ldc, tsvm, logistic and diffusion. known are the labels that they learnt from,
// negative for none. posterior has the shares of the votes, documents × classes, and labels the
// class of each document. O(members·n·classes).
//
// Errors (fs.ErrInvalid): no label propagation, an unknown member, or fewer than [Fewest].
func Votes(found map[string]*method.Clusters, known []int, classes int) (posterior *mat.Dense, labels []int, err error) {
	b, err := count(found, known, classes)
	if err != nil {
		return nil, nil, err
	}
	return b.posterior, rows.Largest(b.posterior), nil
}

// ballot is what the members voted for.
type ballot struct {
	posterior *mat.Dense
	by        map[string][]int // the class that most of each member's vote is for
}

func count(found map[string]*method.Clusters, known []int, classes int) (*ballot, error) {
	carried := found[carrier]
	if carried == nil || len(found) < Fewest {
		return nil, invalid.Errorf("a committee has %s and one of the others at least", carrier)
	}
	sum := mat.NewDense(len(known), classes, nil)
	b := &ballot{posterior: sum, by: map[string][]int{}}
	counted := 0
	for _, m := range members {
		c := found[m.spec.Name]
		if c == nil {
			continue
		}
		labels := c.Labels
		if !m.learns() {
			labels = pick(names(c.Labels, known, carried.Posterior), c.Labels)
		}
		add(sum, labels, c.Posterior)
		b.by[m.spec.Name] = labels
		counted++
	}
	if counted != len(found) {
		return nil, invalid.Errorf("%d of the methods that are to vote are no members of a committee", len(found)-counted)
	}
	finish(sum, known)
	return b, nil
}

// add adds a member's votes: its probabilities, or else its classes.
func add(sum *mat.Dense, labels []int, posterior *mat.Dense) {
	for i, k := range labels {
		row := sum.RawRowView(i)
		if posterior == nil {
			if k >= 0 {
				row[k]++
			}
			continue
		}
		for c, p := range posterior.RawRowView(i) {
			row[c] += p
		}
	}
}

// finish makes shares of the sums, and gives documents with a known label all votes for it.
func finish(sum *mat.Dense, known []int) {
	for i, k := range known {
		row := sum.RawRowView(i)
		if k >= 0 {
			clear(row)
			row[k] = 1
			continue
		}
		shares(row)
	}
}

// shares scales a row to the sum 1, unless it is 0.
func shares(row []float64) {
	total := 0.0
	for _, v := range row {
		total += v
	}
	if total > 0 {
		for c := range row {
			row[c] /= total
		}
	}
}

// names are the classes of clusters that have none: the class with the most known labels, where
// the mean probability that a document of the cluster without a label has of the class decides
// between equals.
func names(clusters, known []int, carried *mat.Dense) []int {
	_, classes := carried.Dims()
	k := 1 + slices.Max(clusters)
	votes, size := mat.NewDense(k, classes, nil), make([]float64, k)
	for _, c := range clusters {
		if c >= 0 {
			size[c]++
		}
	}
	for i, c := range clusters {
		if c < 0 {
			continue
		}
		row := votes.RawRowView(c)
		if known[i] >= 0 {
			row[known[i]]++
			continue
		}
		for class, p := range carried.RawRowView(i) {
			row[class] += p / size[c]
		}
	}
	return rows.Largest(votes)
}

// pick is list[i] for each i of at; a negative i has -1.
func pick(list, at []int) []int {
	out := make([]int, len(at))
	for q, i := range at {
		if out[q] = -1; i >= 0 {
			out[q] = list[i]
		}
	}
	return out
}
