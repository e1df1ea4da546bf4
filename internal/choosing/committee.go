package choosing

import (
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/committee"
	"gonum.org/v1/gonum/mat"
)

// ballot are the votes of the members of the committee on the documents of a fold.
type ballot struct {
	fold, truth []int
	left        map[int]int // known labels of each class
	votes       map[string]*mat.Dense
}

// judgeCommittee gives the race the verdicts on the committee: in each fold the votes of its
// members count by what they got right in the documents of the others.
func (c *chooser) judgeCommittee() {
	if !c.race.Runs(request.PlaceOfCommittee) {
		return
	}
	if len(weigh(c.cast, nil)) < committee.Fewest {
		c.leave(request.PlaceOfCommittee, invalid.Errorf("no two of its members voted in every fold"))
		return
	}
	for _, b := range c.cast {
		shares, classes := committee.Count(b.votes, c.weights(b.fold))
		c.race.Say(request.PlaceOfCommittee, classes)
		scores := make([]float64, len(classes))
		for q, k := range classes {
			scores[q] = shares.At(q, k)
		}
		c.tell(request.PlaceOfCommittee, scores, b.truth, classes, b.left)
	}
}

// weights returns how much the votes of each member count on the rows of the run: what weigh says,
// by [committee.Counts].
func (c *chooser) weights(without []int) map[string]float64 {
	list := weigh(c.cast, without)
	for name := range list {
		list[name] *= committee.Counts(name, c.sparse)
	}
	return list
}

// weigh returns how much the votes of each member count: the odds that it places a document right,
// (right + 1) to (wrong + 1) of the documents held out but for those without. A document that was
// held out several times counts once, by the share of the times that it was placed right. Members
// that did not vote in every fold have no weight.
func weigh(cast []ballot, without []int) map[string]float64 {
	list := map[string]float64{}
	for _, name := range committee.Names() {
		right, held, documents, voted := 0, 0, map[int]bool{}, true
		for _, b := range cast {
			votes := b.votes[name]
			if voted = votes != nil; !voted {
				break
			}
			_, classes := committee.Count(map[string]*mat.Dense{name: votes}, map[string]float64{name: 1})
			for q, i := range b.fold {
				if slices.Contains(without, i) {
					continue
				}
				documents[i] = true
				held++
				if classes[q] == b.truth[q] {
					right++
				}
			}
		}
		if voted {
			n, p := float64(len(documents)), float64(right)/float64(max(1, held))
			list[name] = (n*p + 1) / (n*(1-p) + 1)
		}
	}
	return list
}

// rounded are weights to three digits, as the options of the run show them.
func rounded(weights map[string]float64) map[string]float64 {
	out := make(map[string]float64, len(weights))
	for name, w := range weights {
		out[name], _ = strconv.ParseFloat(strconv.FormatFloat(w, 'g', 3, 64), 64)
	}
	return out
}
