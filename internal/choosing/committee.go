package choosing

import (
	"maps"
	"slices"

	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/committee"
	"gonum.org/v1/gonum/mat"
)

// ballot are the votes of the members of the committee on the documents of a fold.
type ballot struct {
	fold, truth []int
	votes       map[string]*mat.Dense
}

// judgeCommittee gives the race the verdicts on the committee: in each fold the votes of its
// members count by what they got right in the documents of the others.
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
// of the documents held out but for those without. With n of them and the share p placed right, the
// odds are np + 1 to n(1−p) + 1. p is half the share of the documents, and half the mean of the
// shares in each class, so that a member that finds the rare classes counts more. A document that
// was held out several times counts once. Members that did not vote in every fold have no weight.
func weigh(cast []ballot, without []int) map[string]float64 {
	times, sizes := map[int]int{}, map[int]int{}
	held := 0
	left := func(i int) bool { return !slices.Contains(without, i) }
	for _, b := range cast {
		for q, i := range b.fold {
			if left(i) {
				times[i]++
				sizes[b.truth[q]]++
				held++
			}
		}
	}
	n, list := float64(len(times)), map[string]float64{}
	for _, name := range committee.Names() {
		right, all, voted := map[int]int{}, 0, true
		for _, b := range cast {
			votes := b.votes[name]
			if voted = votes != nil; !voted {
				break
			}
			_, classes := committee.Count(map[string]*mat.Dense{name: votes}, map[string]float64{name: 1})
			for q, i := range b.fold {
				if k := b.truth[q]; classes[q] == k && left(i) {
					right[k]++
					all++
				}
			}
		}
		if !voted {
			continue
		}
		share := 0.0
		for _, k := range slices.Sorted(maps.Keys(sizes)) {
			share += float64(right[k]) / float64(sizes[k]) / float64(len(sizes))
		}
		p := (share + float64(all)/float64(max(1, held))) / 2
		list[name] = (n*p + 1) / (n*(1-p) + 1)
	}
	return list
}
