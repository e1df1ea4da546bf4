package job

import (
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// View are rows of x, numbered among the documents of all ranks, with some of its columns: in
// double precision, of unit length if the documents are. If full, rows left without entries are
// left out, and kept are the others.
func (j *Job) View(x mat.Matrix, rows, terms []int, full bool) (part mat.Matrix, kept []int, err error) {
	first := j.Share.First()
	own := rows
	if j.Share.Divided() {
		lo, _ := slices.BinarySearch(rows, first)
		hi, _ := slices.BinarySearch(rows, first+j.Share.Own())
		own = slices.Clone(rows[lo:hi])
		for q := range own {
			own[q] -= first
		}
	}
	kept = rows
	if sparse.Is(x) {
		x, err = sparse.Stored(sparse.SelectRows(x, own)) // a rank may have none of the rows
		if err = ranks.Agree(j.Share, err); err != nil {
			return nil, nil, err
		}
		s := x.(*sparse.CSR)
		if len(terms) < s.NumCols {
			s = s.SelectCols(terms)
		}
		s = GatherRows(j.Share, s)
		if full {
			filled := []int{}
			kept = nil
			for q := range s.NumRows {
				if s.RowPtr[q+1] > s.RowPtr[q] {
					filled, kept = append(filled, q), append(kept, rows[q])
				}
			}
			if len(filled) < s.NumRows {
				s = s.SelectRows(filled)
			}
		}
		part = s
	} else {
		data := make([]float64, 0, len(own)*len(terms))
		for _, i := range own {
			for _, c := range terms {
				data = append(data, x.At(i, c))
			}
		}
		part = mat.NewDense(len(rows), len(terms), ranks.GatherFloats(j.Share, data))
	}
	if full && j.Normalize == corpus.NormL2 {
		part, err = (&corpus.Corpus{X: part}).Weighted(corpus.WeightTF, corpus.NormL2)
	}
	return part, kept, err
}

// GatherRows are the rows of all ranks, in their order.
func GatherRows(share *ranks.Share, own *sparse.CSR) *sparse.CSR {
	if !share.Divided() {
		return own
	}
	lengths, cols := make([]int, own.NumRows), indices.Ints(own.Col)
	for i := range lengths {
		lengths[i] = own.RowPtr[i+1] - own.RowPtr[i]
	}
	lengths, cols = ranks.GatherInts(share, lengths), ranks.GatherInts(share, cols)
	all := &sparse.CSR{NumRows: len(lengths), NumCols: own.NumCols, RowPtr: make([]int, len(lengths)+1), Col: make([]int32, len(cols)), Val: ranks.GatherFloats(share, own.Val)}
	for i, n := range lengths {
		all.RowPtr[i+1] = all.RowPtr[i] + n
	}
	for e, c := range cols {
		all.Col[e] = int32(c)
	}
	return all
}

// TermRows says how the terms of new documents become rows, after [Job.Weigh].
func (j *Job) TermRows() (*model.Rows, error) {
	var text *corpus.TextOptions
	if j.IsText() {
		opt := j.ReadOptions().Text
		text = &opt
	}
	rows, err := model.NewRows(j.RowsHere(), corpus.WeightTF, j.Normalize, text)
	if err != nil {
		return nil, err
	}
	rows.Weighting, rows.IDF, rows.Single = j.Weighting, j.columnWeights, j.InSingle()
	if x, ok := j.RowsHere().X.(*sparse.Single); ok && x.HasWeights() { // in double precision
		rows.Single = false
	}
	rows.Measured = !j.counts && !rows.Sparse && slices.Contains(tables, j.Corpus.Format) && !j.isArray()
	if request.TakesFormat(j.Field("strip"), j.Corpus.Format) {
		if rows.Strip = j.Source.Strip; len(rows.Strip) == 0 && text != nil {
			rows.Strip = []string{corpus.StripAuto}
		}
		rows.StripRule = model.AutoRule
	}
	return &rows, nil
}
