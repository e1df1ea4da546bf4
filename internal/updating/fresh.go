package updating

import (
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/drift"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/predicting"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/methods/method"
)

// fresh is what an update needs of the documents that are not the model's own, and nothing else of
// them is kept: so it does not grow with their number, but with the terms and the model.
type fresh struct {
	drift drift.Counts // but for isolated documents and terms
	sizes []int        // of the clusters
	df    []int        // of each column, how many of the documents have it; nil without names of terms
	// kept are the documents by which the model may grow, as they were counted, in their order, at
	// most so many as it may grow by.
	kept []*corpus.Corpus
	rows int // documents of kept
}

// watch takes the documents of a prediction, all of them or the next block.
func (u *Updated) watch(p *predicting.Prediction) error {
	f, stored := &u.new, predicting.Stored(p.Model)
	var numbers []int
	for i := range p.Corpus.Len() {
		if p.Placed(i) != result.PlacedKnown {
			numbers = append(numbers, i)
		}
	}
	f.drift.Documents += len(numbers)
	if p.Novelty != nil {
		f.drift.Measure(job.Pick(p.Novelty, numbers), predicting.Novel)
	}
	if stored.Clusters != nil {
		if f.sizes == nil {
			f.sizes = make([]int, len(stored.Clusters.Sizes))
		}
		for _, i := range numbers {
			if k := p.Labels[i]; k >= 0 {
				f.sizes[k]++
			}
		}
	}
	if p.Corpus.Terms != nil && len(numbers) > 0 {
		df := documentsOf(p.Corpus.X, numbers)
		if f.df == nil {
			f.df = df
		} else {
			for c, n := range df {
				f.df[c] += n
			}
		}
	}
	room := mostGrowth*updatesOf(p.Model).Fitted - stored.Documents - f.rows
	if _, can := stored.Part.(method.Grower); !can || p.OneView || p.Run.J.ByOthers() || stored.Rows.Projected() {
		return nil
	}
	place := slices.DeleteFunc(numbers, func(i int) bool { _, alone := slices.BinarySearch(p.Isolated, i); return alone })
	if place = place[:max(0, min(len(place), room))]; len(place) > 0 {
		f.kept, f.rows = append(f.kept, p.Corpus.SelectRows(place)), f.rows+len(place)
	}
	return nil
}

// joined are the documents that were kept, in one.
func (f *fresh) joined() *corpus.Corpus {
	if len(f.kept) > 1 {
		f.kept = []*corpus.Corpus{corpus.Joined(f.kept)}
	}
	return f.kept[0]
}
