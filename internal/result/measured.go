package result

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// measureRows finds what model and page say of the weighted rows of all documents, while the ranks
// have these: how new documents become rows, the novelty, and how typical documents are. So a
// result of ranks depends on the number of their parts alone, whether rank 0 joins the rows or not.
// Without memory on rank 0 the model has no novelty, and a note says so. All ranks call it.
func (r *Run) measureRows(ctx context.Context) (err error) {
	if r.measured {
		return nil
	}
	if r.rows, err = r.ModelRows(); err != nil {
		return fault.Wrap(err)
	}
	if r.Found != nil {
		if why := r.spare(ctx, memory.Bytes(job.MeasuredBytes, len(r.Found.Labels)), "the novelty of all documents"); why != nil {
			r.J.Note("The model does not say how new a document is: " + why.Error())
			r.measured = true
			return nil
		}
	}
	r.novelty = r.NoveltyOfRows()
	// The end of one rank's context must not keep it from what the others join.
	if own := r.ownTypicality(context.WithoutCancel(ctx)); own != nil {
		if r.typicality = (&method.Gathering{Share: r.J.Share}).Floats(own); r.J.Share.Rank() > 0 {
			r.typicality = nil
		}
	}
	r.measured = true
	return nil
}

// NoveltyOfRows is the novelty of the distinct documents in their clusters, for the model; nil if
// it takes no new documents. Where ranks divide the rows, rank 0 has it once they were measured.
func (r *Run) NoveltyOfRows() *model.Novelty {
	c := r.Found
	switch {
	case r.measured:
		return r.novelty
	case c == nil || r.J.X == nil || r.Fitted.Placer == nil:
		return nil
	}
	x, of := r.distinctRows(), ranks.Own(r.J.Share, c.Labels)
	if r.HasCopies() {
		of = labels.Pick(of, r.distinctHere())
	}
	return model.NewNovelty(r.J.Share, x, of, len(c.Sizes), r.raritiesOf(x))
}

// raritiesOf are the rarities of this rank's distinct documents, whose weighted rows are x; nil if
// documents are not compared by terms with names.
func (r *Run) raritiesOf(x mat.Matrix) []corpus.Rarity {
	if r.Corpus.Terms == nil || r.J.VectorRows != nil {
		return nil
	}
	if list := r.Corpus.Rarities; list != nil && r.HasCopies() {
		return labels.Pick(list, r.distinctHere())
	} else if list != nil {
		return list
	}
	rows, ok := x.(sparse.Rows)
	if !ok {
		return nil
	}
	p := rows.Pattern() // of counts in a file, every term is a column
	df := make([]float64, p.NumCols)
	for _, j := range p.Col {
		df[j]++
	}
	r.J.Share.Sum(df)
	list := make([]corpus.Rarity, p.NumRows)
	for i := range list {
		for _, j := range p.Col[p.RowPtr[i]:p.RowPtr[i+1]] {
			if list[i].Terms++; df[j] == 1 {
				list[i].Own++
			}
		}
	}
	return list
}

// distinctHere are the first documents of each group of equal ones among this rank's, counted from
// its first document.
func (r *Run) distinctHere() []int {
	s, first := r.J.Share, r.J.Whole.Groups.First
	if !s.Divided() {
		return first
	}
	lo, _ := slices.BinarySearch(first, s.First())
	hi, _ := slices.BinarySearch(first, s.First()+s.Own())
	list := slices.Clone(first[lo:hi])
	for at := range list {
		list[at] -= s.First()
	}
	return list
}
