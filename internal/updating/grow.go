package updating

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/predicting"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// grow makes the model with the new documents.
func (u *Updated) grow(ctx context.Context) error {
	m := *predicting.Stored(u.Model)
	u.grew = &m
	if m.Clusters != nil {
		sizes := slices.Clone(m.Clusters.Sizes)
		for k, n := range u.new.sizes {
			sizes[k] += n
		}
		m.Clusters = &model.Clusters{Sizes: sizes, Centers: m.Clusters.Centers, Terms: m.Clusters.Terms}
	}
	if err := u.growRows(ctx, &m); err != nil {
		return err
	}
	u.Updates.Added += u.Added
	u.Updates.AddedTerms += u.AddedTerms
	summary := map[string]json.RawMessage{}
	if m.Summary != nil {
		if err := json.Unmarshal(m.Summary, &summary); err != nil {
			return err
		}
	}
	var err error
	if summary["updates"], err = json.Marshal(u.Updates); err != nil {
		return err
	}
	m.Summary, err = json.Marshal(summary)
	return err
}

// growRows adds the documents, and their terms, to what the method places by, if it can.
func (u *Updated) growRows(ctx context.Context, m *model.Model) error {
	part, can := m.Part.(method.Grower)
	if !can || u.new.rows == 0 {
		return nil
	}
	rows, err := u.widerRows(m)
	if err != nil {
		return err
	}
	kept := u.new.joined()
	placed, err := u.WeightedRows(ctx, kept)
	if err != nil {
		return err
	}
	wide := placed
	if rows.Columns > m.Rows.Columns {
		if wide, _, err = rows.Of(kept); err != nil {
			return err
		}
	}
	grown, err := part.Grow(memory.Bound(ctx, u.Run.J.MaxBytes), placed, wide, m.Documents, u.Run.J.Observe)
	if errors.Is(err, memory.ErrLimit) {
		u.Run.J.Warn("The model does not grow, for want of memory: " + err.Error())
		return nil
	}
	if err != nil || grown == nil {
		return err
	}
	u.Added, u.AddedTerms = u.new.rows, rows.Columns-m.Rows.Columns
	if u.AddedTerms > 0 && m.Novelty != nil {
		measured, means := *m.Novelty, *m.Novelty.Means
		if measured.Columns == 0 {
			measured.Columns = m.Rows.Columns
		}
		means.NumCols, measured.Means = rows.Width(), &means
		m.Novelty = &measured
	}
	m.Part, m.Rows, m.Documents = grown, rows, m.Documents+u.new.rows
	return nil
}

// widerRows are the model's rows with the new terms that two of the documents have.
func (u *Updated) widerRows(m *model.Model) (model.Rows, error) {
	unknown, err := m.Rows.Unknown(u.Corpus)
	if err != nil || unknown == nil {
		return m.Rows, err
	}
	df := u.new.df
	unknown = slices.DeleteFunc(unknown, func(c int) bool { return df[c] < leastNewTerm })
	unknown = unknown[:max(0, min(len(unknown), mostGrowth*u.Updates.Terms-m.Rows.Columns))]
	var idf []float64
	if corpus.NeedsIDF(m.Rows.Weighting) {
		all := float64(m.Documents + u.Drift.Documents)
		for _, c := range unknown {
			idf = append(idf, math.Log(all/float64(df[c])))
		}
	}
	rows, ok := m.Rows.Grown(u.Corpus, unknown, idf)
	if !ok {
		return m.Rows, nil
	}
	return rows, nil
}

// leastNewTerm is the number of new documents that a term must have to count.
const leastNewTerm = 2

// countedRows is how many rows of counts are looked at together.
const countedRows = 8192

// documentsOf counts, for each column, the rows with an entry among some.
func documentsOf(x mat.Matrix, rows []int) []int {
	_, cols := x.Dims()
	df := make([]int, cols)
	if c, ok := x.(*sparse.Counts); ok {
		var block []int
		for len(rows) > 0 {
			block, rows = rows[:min(len(rows), countedRows)], rows[min(len(rows), countedRows):]
			for c, n := range c.Select(block).ColCounts() {
				df[c] += n
			}
		}
		return df
	}
	s, ok := x.(*sparse.CSR)
	for _, i := range rows {
		if ok {
			for k := s.RowPtr[i]; k < s.RowPtr[i+1]; k++ {
				if s.Val[k] != 0 {
					df[s.Col[k]]++
				}
			}
			continue
		}
		for c := range cols {
			if x.At(i, c) != 0 {
				df[c]++
			}
		}
	}
	return df
}
