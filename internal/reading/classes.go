package reading

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
)

// Bounds of the look at classes: of so many documents at most the nearest ones are found, and so
// many of each class on average are needed.
const (
	lookedAt     = 1000
	fewOfClass   = 10
	clearlyAbove = 3 // standard deviations
	shuffles     = 999
)

// ClassAgreement says of how many documents of a sample the nearest other one has the same class.
type ClassAgreement struct {
	Documents int     `json:"documents"`
	Same      float64 `json:"same"`   // share of the documents
	Chance    float64 `json:"chance"` // the share to be expected of classes that say nothing
	// byClass says that the mean over the classes of their documents' shares is above what shuffled
	// classes give. A rare class has little part in the share of all documents.
	byClass bool
}

// Unrelated reports whether the share is not clearly above chance, of all documents and as the mean
// over the classes: these do not say which documents are alike, as folders by date or box.
func (a *ClassAgreement) Unrelated() bool {
	if a.byClass {
		return false
	}
	deviation := math.Sqrt(2 * a.Chance * (1 - a.Chance) / float64(a.Documents)) // two may be each other's nearest
	return a.Same < a.Chance+clearlyAbove*deviation
}

// ClassAgreement looks at the classes of the corpus; nil where there are none, or too few documents
// of them, or no memory. Texts and counts are compared by cosines of their tf-idf weights, other
// columns divided by their standard deviations by distance.
func (r *Reading) ClassAgreement(ctx context.Context) (*ClassAgreement, error) {
	c := r.Corpus
	if c == nil || c.Labels == nil || len(c.ClassNames) < 2 {
		return nil, nil
	}
	n, cols := c.X.Dims()
	entries, weighting, normalize := n*cols, corpus.WeightStandard, corpus.NormNone
	if x, ok := c.X.(*sparse.CSR); ok {
		entries, weighting, normalize = x.NNZ(), corpus.WeightTFIDF, corpus.NormL2
		for _, v := range x.Val {
			if v < 0 {
				weighting = corpus.WeightTF
				break
			}
		}
	}
	if memory.Sum(memory.Bytes(16, entries), memory.Bytes(32, cols)) > memory.Left(ctx) {
		return nil, nil
	}
	list := labelled(c.Labels, lookedAt)
	if len(list) < fewOfClass*len(c.ClassNames) {
		return nil, nil
	}
	w, err := c.Weighted(weighting, normalize)
	if err != nil { // a run refuses the weights, and says why
		return nil, nil
	}
	found, err := graph.Nearest(ctx, sparse.SelectRows(w, list), 1, nil)
	if err != nil {
		return nil, err
	}
	class := labels.Pick(c.Labels, list)
	a, count := &ClassAgreement{Documents: len(list)}, make([]float64, len(c.ClassNames))
	near := make([]int, len(list))
	for at := range list {
		nearest, _, _ := found.Row(at)
		near[at] = int(nearest[0])
		count[class[at]]++
		if class[at] == class[near[at]] {
			a.Same += 1 / float64(len(list))
		}
	}
	for _, k := range count {
		a.Chance += k * (k - 1) / float64(len(list)*(len(list)-1))
	}
	a.byClass = aboveShuffled(class, near, count)
	return a, nil
}

// aboveShuffled reports whether the sum over the classes of the share of their documents whose
// nearest one has the same class is larger than that of every shuffle of the classes. near is the
// nearest document of each, count the number of each class.
func aboveShuffled(class, near []int, count []float64) bool {
	sum := func(class []int) (sum float64) {
		for at, k := range class {
			if k == class[near[at]] {
				sum += 1 / count[k]
			}
		}
		return sum
	}
	own, shuffled, rng := sum(class), slices.Clone(class), rand.New(rand.NewPCG(1, 2))
	for range shuffles {
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if sum(shuffled) >= own {
			return false
		}
	}
	return true
}

// labelled are at most so many documents with a class, evenly among all of them.
func labelled(classes []int, most int) (list []int) {
	var all []int
	for i, c := range classes {
		if c >= 0 {
			all = append(all, i)
		}
	}
	step := max(1, float64(len(all))/float64(max(1, most)))
	for at := 0.0; int(at) < len(all); at += step {
		list = append(list, all[int(at)])
	}
	return list
}
