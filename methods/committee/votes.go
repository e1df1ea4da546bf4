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

// Votes are what the members vote by what they found: label propagation, by class masses, and any
// others of [Names]. known are the labels that they learnt from, negative for none. The votes of a
// member have a row for each of these documents, which are numbers of rows; nil: all documents.
// Rows have the sum 1, or 0 where the member gives no class.
//
// Errors (fs.ErrInvalid): no label propagation, an unknown member, or fewer than two.
func Votes(found map[string]*method.Clusters, known []int, classes int, of []int) (map[string]*mat.Dense, error) {
	carried := found[carrier]
	if carried == nil || len(found) < Fewest {
		return nil, invalid.Errorf("a committee has %s and one of the others at least", carrier)
	}
	n := len(of)
	if of == nil {
		n = len(known)
	}
	votes := map[string]*mat.Dense{}
	for name, c := range found {
		at := slices.IndexFunc(members, func(m member) bool { return m.spec.Name == name })
		if at < 0 {
			return nil, invalid.Errorf("%s is no member of a committee", name)
		}
		labels := c.Labels
		if !members[at].learns() {
			labels = pick(names(c.Labels, known, carried.Posterior), c.Labels)
		}
		v := mat.NewDense(max(1, n), classes, nil)
		for q := range n {
			i := q
			if of != nil {
				i = of[q]
			}
			row := v.RawRowView(q)
			if c.Posterior != nil {
				copy(row, c.Posterior.RawRowView(i))
				scale(row)
			} else if labels[i] >= 0 {
				row[labels[i]] = 1
			}
		}
		votes[name] = v
	}
	return votes, nil
}

// Count returns the shares of the votes, and the class with the most of them for each row, the
// lower on a tie. weights are how much the votes of each member count; a member without a weight
// has none.
func Count(votes map[string]*mat.Dense, weights map[string]float64) (posterior *mat.Dense, labels []int) {
	for _, m := range members { // in one order, so that sums have the same bits
		v, w := votes[m.spec.Name], weights[m.spec.Name]
		if v == nil || w == 0 {
			continue
		}
		if posterior == nil {
			n, classes := v.Dims()
			posterior = mat.NewDense(n, classes, nil)
		}
		add(posterior, v, w)
	}
	n, _ := posterior.Dims()
	for i := range n {
		scale(posterior.RawRowView(i))
	}
	return posterior, rows.Largest(posterior)
}

// add adds votes of a weight. A member's vote goes to its most probable class: the others share it
// by their probabilities to the 16th power, so that one has half as much where it is .96 times as
// probable. Probabilities that a walk over a graph has spread count no less than those of a machine
// that is sure of each class; with the probabilities themselves as votes the surest members decide.
func add(sum, votes *mat.Dense, weight float64) {
	n, classes := sum.Dims()
	vote := make([]float64, classes)
	for i := range n {
		copy(vote, votes.RawRowView(i))
		top := slices.Max(vote)
		if !(top > 0) {
			continue
		}
		for c, v := range vote {
			v /= top // so that no power of all of them is 0
			for range 4 {
				v *= v
			}
			vote[c] = v
		}
		scale(vote)
		for c, v := range vote {
			sum.RawRowView(i)[c] += weight * v
		}
	}
}

// keep gives documents with a known label all votes for it.
func keep(posterior *mat.Dense, labels, known []int) {
	for i, k := range known {
		if k >= 0 {
			row := posterior.RawRowView(i)
			clear(row)
			row[k], labels[i] = 1, k
		}
	}
}

// scale scales a row to the sum 1, unless it is 0.
func scale(row []float64) {
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
