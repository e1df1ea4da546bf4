package graph

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph/internal/approx"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// IndexBytes estimates what the search for neighbours takes beside its lists, in bytes: the index
// of the entries of sparse rows, or dense rows in float32.
func IndexBytes(entries int, isSparse bool) int64 {
	if isSparse {
		return memory.Bytes(14, entries)
	}
	return memory.Bytes(4, entries)
}

// KeptBytes estimates the memory of a finished graph of k neighbours of n documents.
func KeptBytes(n, k int) int64 { return memory.Bytes(2*12, n, k) }

// Kept is [KeptBytes] of a graph of Neighbors neighbours of n documents; edges that both ends must
// choose are half as many at most.
func (o Options) Kept(n int) int64 {
	if o.Symmetry == Mutual {
		return KeptBytes(n, o.Neighbors) / 2
	}
	return KeptBytes(n, o.Neighbors)
}

// CompleteBytes estimates the memory of [BuildComplete] beside rows with some number of entries, in
// bytes: a transpose, and of dense rows sparse copies, as they are and of length 1. Sparse rows are
// taken to have that length, as they have by default.
func CompleteBytes(entries int, isSparse bool) int64 {
	if isSparse {
		return ApartBytes(entries)
	}
	return memory.Bytes(36, entries)
}

// CompleteKept is the part of [CompleteBytes] that the graph keeps.
func CompleteKept(entries int, isSparse bool) int64 {
	if isSparse {
		return ApartBytes(entries)
	}
	return memory.Bytes(24, entries)
}

// ApartBytes is the memory that [Graph.Apart] adds to a complete graph of rows with some number of
// entries, in bytes.
func ApartBytes(entries int) int64 { return memory.Bytes(12, entries) }

// ApproxSeconds is what an approximate search takes for a row that has some number of entries on
// average, in seconds of a core, roughly: of sparse rows 0.2 ms for documents of 166 terms, 0.3 ms
// for reviews of 82 and for abstracts of 43, for a million rows 0.3 to 0.5 ms; of dense rows of
// more than 32 columns, which are compared by whole numbers, 40 µs and 0.1 µs a column.
func ApproxSeconds(mean float64, dense bool) float64 {
	if dense && mean > approx.ExactColumns {
		return 40e-6 + 0.1e-6*mean
	}
	return 0.3e-3
}

// PairSeconds is what an exact search takes for a pair of rows that have some number of entries on
// average, in seconds of a core, roughly: of sparse rows 2.0 ns for 43 entries, 3.4 ns for 82 and
// 7 to 8 ns for 127, since terms are shared by a share of all rows, and 15 ns for 46 terms beside a
// vector of 384 numbers: a term that most rows have takes the time of a column. Of dense rows 0.03
// ns a column.
func PairSeconds(mean float64, dense bool) float64 {
	if dense {
		return max(1e-9, 0.03e-9*mean)
	}
	return 1.2e-9 + min(0.38e-12*mean*mean, 0.04e-9*mean)
}

// Approximate reports whether the neighbours of n documents are searched approximately, whose rows
// have some number of entries on average.
func (o Options) Approximate(n int, mean float64, dense bool) bool {
	return o.Search.approximate(n, mean, dense)
}

// approximate reports whether the neighbours of n documents are searched approximately, whose rows
// have some number of entries on average.
func (s Search) approximate(n int, mean float64, dense bool) bool {
	switch s {
	case ApproxSearch, ExactSearch:
		return s == ApproxSearch
	}
	least := ApproxRows
	if dense {
		least = DenseApproxRows
	}
	return n >= least && float64(n)/2*PairSeconds(mean, dense) > ApproxSeconds(mean, dense)
}

// bytesPerEdge is the peak memory of Build for each directed edge after the search: edge list and
// transpose, 12 each, and their union, which may have twice as many entries and takes the weights
// in place; and a part of the search's lists that is not collected yet. Edges that both ends must
// choose have at most as many entries as the list: bytesPerMutual.
const bytesPerEdge, bytesPerMutual = 56, 44

// NearestBytes estimates the peak memory of [Nearest] for k neighbours of n rows with some number
// of entries, in bytes.
func NearestBytes(n, k, entries int, isSparse bool) int64 {
	return memory.Sum(memory.Bytes(exact.BytesPerNeighbour, n, k), IndexBytes(entries, isSparse))
}

// ListBytes is the memory of a [KNN] of k neighbours of n rows, in bytes.
func ListBytes(n, k int) int64 { return memory.Bytes(listBytes, n, k) }

// BuildBytes estimates the peak memory of [Build] for the graph of Neighbors neighbours of n
// documents with some number of entries, in bytes: the search with its copies, or the edges after
// it, whichever is larger.
func (o Options) BuildBytes(n, entries int, isSparse bool) int64 {
	search := NearestBytes(n, o.Neighbors, entries, isSparse)
	if !isSparse {
		search = memory.Sum(search, exact.ScreenTileBytes(n, entries/max(1, n)))
	}
	if o.Approximate(n, float64(entries)/float64(max(1, n)), !isSparse) && approx.Divides(n, o.Neighbors) {
		search = approx.HereBytes(n, entries, o.Neighbors, isSparse)
	}
	edges := Bytes(n, o.Neighbors)
	if o.Symmetry == Mutual {
		edges = memory.Bytes(bytesPerMutual, n, o.Neighbors)
	}
	return max(search, edges)
}

// Bytes estimates the memory that [Build] takes for the edges of the graph of k neighbours of n
// documents, in bytes.
func Bytes(n, k int) int64 { return memory.Bytes(bytesPerEdge, n, k) }

// need asks for the memory of the graph of k neighbours of rows: what a plan says it takes, where
// ranks divide them by the entries of the own rows.
func (o Options) need(ctx context.Context, x mat.Matrix) error {
	own, cols := x.Dims()
	n, k, entries, isSparse := o.Share.Among(own), o.Neighbors, own*cols, false
	if s, ok := x.(sparse.Rows); ok {
		entries, isSparse = s.Pattern().NNZ(), true
	}
	less, planned := "give fewer documents", func() int64 { return o.BuildBytes(own, entries, isSparse) }
	if o.Share.Divided() {
		all := int(float64(entries) / float64(max(1, own)) * float64(n)) // if all rows are like the own ones
		less, planned = "use more ranks", func() int64 { return o.SharedBytes(all, !isSparse) }
	}
	bytes := planned()
	o.Neighbors = 1
	least := planned()
	left := memory.Left(ctx)
	if least <= left {
		less = "choose fewer ‹neighbors›"
	}
	return memory.Check(bytes, left, less, "%d neighbours of %s", k, words.Counted(n, "document"))
}
