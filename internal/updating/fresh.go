package updating

import (
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/drift"
	"github.com/eigenmap/eigenmap/internal/predicting"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
)

// fresh is what an update needs of the documents that are not the model's own, and nothing else of
// them is kept: so it does not grow with their number, but with the terms and the model.
type fresh struct {
	drift drift.Counts // but for terms
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
	numbers := f.count(p)
	if p.Novelty != nil {
		f.drift.Measure(labels.Pick(p.Novelty, numbers), predicting.Novel)
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
	if _, can := stored.Part.(method.Grower); !can || p.OneView || p.Run.J.ByOthers() || stored.Rows.TermsFirst() {
		return nil
	}
	place := slices.DeleteFunc(numbers, func(i int) bool { _, alone := slices.BinarySearch(p.Isolated, i); return alone })
	if place = place[:max(0, min(len(place), room))]; len(place) > 0 {
		f.kept, f.rows = append(f.kept, p.Corpus.SelectRows(place)), f.rows+len(place)
	}
	return nil
}

// count counts documents by what they are to the model, and returns the numbers of the new ones.
func (f *fresh) count(p *predicting.Prediction) (numbers []int) {
	empty := emptyOf(p)
	for i := range p.Corpus.Len() {
		placed := p.Placed(i)
		switch _, without := slices.BinarySearch(empty, i); {
		case placed == result.PlacedKnown:
			f.drift.Known++
			continue
		case without:
			f.drift.Empty++
			continue
		case placed == result.PlacedIsolated:
			f.drift.Isolated++
		}
		numbers = append(numbers, i)
	}
	f.drift.Documents += len(numbers)
	return numbers
}

// emptyOf lists the documents of a prediction that have no entry, ascending; with vectors or
// columns beside the documents, those that these do not place either.
func emptyOf(p *predicting.Prediction) (list []int) {
	if c, ok := p.Corpus.X.(*sparse.Counts); ok {
		for i := range p.Corpus.Len() {
			if c.Len(i) == 0 {
				list = append(list, i)
			}
		}
	} else {
		list = method.WithoutEntries(p.Corpus.X)
	}
	if j := p.Run.J; j.VectorsRead == nil && j.ColumnsRead == nil {
		return list
	}
	return slices.DeleteFunc(list, func(i int) bool { return p.Placed(i) != result.PlacedIsolated })
}

// joined are the documents that were kept, in one.
func (f *fresh) joined() *corpus.Corpus {
	if len(f.kept) > 1 {
		f.kept = []*corpus.Corpus{corpus.Joined(f.kept)}
	}
	return f.kept[0]
}
