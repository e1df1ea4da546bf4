package job

import (
	"cmp"
	"context"
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	// AgreeingDocuments is the most documents whose neighbours are looked at for the weights of
	// columns.
	AgreeingDocuments = 3000
	// AgreeingNeighbours is how many neighbours of each are looked at.
	AgreeingNeighbours = 10
	// A column takes no part if its agreement is below leastAgreement, or fewer than leastDeviations
	// standard deviations above the agreement of values dealt at random.
	leastAgreement  = .05
	leastDeviations = 4
)

// weighColumns finds the weights of the columns: how far the values of documents agree that are
// neighbours by their rows, which have length 1 or are zeros. A column that agrees no more than
// values dealt at random has weight 0. The weights of the others are their agreements, at most 1
// together, times the contrast of the rows: where the texts tell little of each other, columns must
// not drown them.
//
// The agreement is Newman's coefficient of assortativity, "Mixing patterns in networks", 2003: with
// the mean product a of the columns' numbers over pairs of neighbours and e over all pairs,
// (a − e)/(1 − e). Cost: all pairs of at most 3,000 documents, which do not depend on the order of
// the file.
func (j *Job) weighColumns(ctx context.Context, rows mat.Matrix) error {
	sample := j.sampled(rows)
	for k := range j.ColumnsRead.View {
		j.ColumnsRead.View[k].Agreement, j.ColumnsRead.View[k].Weight = 0, 0
	}
	near := min(AgreeingNeighbours, len(sample)-1)
	if near < 1 {
		return nil
	}
	some := sparse.SelectRows(rows, sample)
	lists, err := graph.Nearest(ctx, some, near, j.Observer.WithoutNotes())
	if err != nil {
		return j.InFile(err)
	}
	scale := contrast(some, lists)
	first, sum := 0, 0.0
	for k := range j.ColumnsRead.View {
		v := &j.ColumnsRead.View[k]
		x := mat.NewDense(len(sample), v.Width(), nil)
		for at, i := range sample {
			copy(x.RawRowView(at), j.ColumnsRead.X.RawRowView(i)[first:first+v.Width()])
		}
		agreement, deviations := agreementOf(x, lists)
		if v.Agreement = agreement; agreement >= leastAgreement && deviations >= leastDeviations {
			v.Weight = agreement
			sum += agreement
		}
		first += v.Width()
	}
	for k := range j.ColumnsRead.View {
		j.ColumnsRead.View[k].Weight *= scale / max(1, sum)
	}
	return nil
}

// contrast is the mean product of neighbours less the mean product of all pairs, from 0 to 1, of
// rows of length 1.
func contrast(rows mat.Matrix, lists *graph.KNN) float64 {
	n, d := rows.Dims()
	sum := make([]float64, d)
	if s, ok := rows.(sparse.Rows); ok { // whose rows may have a million columns
		p := s.Pattern()
		for i := range n {
			vals := s.Values(i, nil)
			for at, c := range p.Col[p.RowPtr[i]:p.RowPtr[i+1]] {
				sum[c] += vals[at]
			}
		}
	} else {
		row := make([]float64, d)
		for i := range n {
			floats.Add(sum, mat.Row(row, i, rows))
		}
	}
	all := (floats.Dot(sum, sum) - float64(n)) / (float64(n) * float64(n-1))
	return min(max(floats.Sum(lists.Dot)/float64(len(lists.Dot))-all, 0), 1)
}

// agreementOf is the agreement of the rows of x, of length 1 or zeros for a document without a
// value, between neighbours, and by how many standard deviations of values dealt at random it is
// above 0.
func agreementOf(x *mat.Dense, lists *graph.KNN) (agreement, deviations float64) {
	n, d := x.Dims()
	has := make([]bool, n)
	sum, m := make([]float64, d), 0
	var second mat.Dense
	for i := range n {
		row := x.RawRowView(i)
		if has[i] = floats.Norm(row, 1) > 0; has[i] {
			floats.Add(sum, row)
			m++
		}
	}
	if m < 2 {
		return 0, 0
	}
	second.Mul(x.T(), x)
	ordered := float64(m) * float64(m-1) // pairs
	mean := (floats.Dot(sum, sum) - float64(m)) / ordered
	squares := mat.Norm(&second, 2)
	variance := (squares*squares-float64(m))/ordered - mean*mean
	near, pairs := 0.0, 0
	for i := range n {
		if !has[i] {
			continue
		}
		index, _, _ := lists.Row(i)
		for _, o := range index {
			if has[o] {
				near += floats.Dot(x.RawRowView(i), x.RawRowView(int(o)))
				pairs++
			}
		}
	}
	const rounding = 1e-9
	if pairs == 0 || variance < rounding || 1-mean < rounding {
		return 0, 0
	}
	above := near/float64(pairs) - mean
	return above / (1 - mean), above / math.Sqrt(2*variance/float64(pairs)) // a pair may occur twice
}

// sampled are the numbers of at most AgreeingDocuments documents whose rows are not zeros. They are
// ordered by the hashes of their terms, and of their columns where the terms are equal, and the
// first are taken, so that the order of the file has no effect: on them, and on the choice among
// neighbours that are equally near.
func (j *Job) sampled(rows mat.Matrix) []int {
	zero := method.WithoutEntries(rows)
	var list []int
	for i := range j.Corpus.Len() {
		if _, without := slices.BinarySearch(zero, i); !without {
			list = append(list, i)
		}
	}
	terms, columns := j.hashes(list)
	slices.SortFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(terms[a], terms[b]), cmp.Compare(columns[a], columns[b]), cmp.Compare(a, b))
	})
	return list[:min(len(list), AgreeingDocuments)]
}

// hashes returns a hash of the terms and one of the columns of each document of a list, at the
// document's number.
func (j *Job) hashes(list []int) (terms, columns []uint64) {
	terms, columns = make([]uint64, j.Corpus.Len()), make([]uint64, j.Corpus.Len())
	x, isSparse := j.Corpus.X.(sparse.Rows)
	h := fnv.New64a()
	write := func(column int, value float64) {
		var bytes [12]byte
		binary.LittleEndian.PutUint32(bytes[:], uint32(column))
		binary.LittleEndian.PutUint64(bytes[4:], math.Float64bits(value))
		h.Write(bytes[:])
	}
	var values []float64
	for _, i := range list {
		if h.Reset(); isSparse {
			p := x.Pattern()
			values = x.Values(i, values[:0])
			for k, c := range p.Col[p.RowPtr[i]:p.RowPtr[i+1]] {
				write(int(c), values[k])
			}
		}
		terms[i] = h.Sum64()
		h.Reset()
		for c, v := range j.ColumnsRead.X.RawRowView(i) {
			write(c, v)
		}
		columns[i] = h.Sum64()
	}
	return terms, columns
}
