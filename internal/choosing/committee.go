package choosing

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/request"
	"gonum.org/v1/gonum/mat"

	"github.com/eigenmap/eigenmap/methods/committee"
)

// ballot are the votes of the members of the committee on the documents of a fold.
type ballot struct {
	fold, truth []int
	votes       map[string]*mat.Dense
}

// judgeCommittee gives the race the verdicts on the committee: in each fold the votes of its members
// count by what they got right in the documents of the others.
func (c *chooser) judgeCommittee() {
	if !c.race.Runs(request.PlaceOfCommittee) {
		return
	}
	for _, b := range c.cast {
		_, classes := committee.Count(b.votes, weigh(c.cast, b.fold))
		c.race.Say(request.PlaceOfCommittee, classes)
	}
}

// weigh returns how much the votes of each member count: the odds that it places a document right,
// (right + 1) to (wrong + 1) of the documents held out, but for those without. A document that was
// held out several times counts once, by the share of the times that it was placed right. Members
// that did not vote in every fold have no weight.
func weigh(cast []ballot, without []int) map[string]float64 {
	times := map[int]float64{}
	for _, b := range cast {
		for _, i := range b.fold {
			times[i]++
		}
	}
	right, n := map[string]float64{}, 0.0
	voted := map[string]int{}
	for _, b := range cast {
		for name, votes := range b.votes {
			voted[name]++
			_, classes := committee.Count(map[string]*mat.Dense{name: votes}, map[string]float64{name: 1})
			for q, i := range b.fold {
				if classes[q] == b.truth[q] && !slices.Contains(without, i) {
					right[name] += 1 / times[i]
				}
			}
		}
	}
	for i := range times {
		if !slices.Contains(without, i) {
			n++
		}
	}
	list := map[string]float64{}
	for name, folds := range voted {
		if folds == len(cast) {
			list[name] = (right[name] + 1) / (max(0, n-right[name]) + 1)
		}
	}
	return list
}
