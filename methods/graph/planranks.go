package graph

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/approx"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
)

// Estimates of the graph of rows of which each rank has its own (Options.Share).

// SharedBytes estimates the peak memory of [Build] on a rank, in bytes, beside its rows: the search
// for neighbours, or the exchange of the edges if that takes more. entries counts the entries of
// the rows of all ranks; dense rows have all. The share and the number of neighbours must be set.
func (o Options) SharedBytes(entries int, dense bool) int64 {
	n, own := o.Share.Total(), o.Share.Own()
	mine := memory.Whole(float64(entries) / float64(n) * float64(own))
	search := int64(0)
	if o.Search.approximate(n, float64(entries)/float64(n), dense) {
		search = approx.Bytes(own, approx.Piece(n, o.Share.Size(), approx.CellRows, approx.LeastPiece), int(mine), o.Neighbors)
	} else {
		search = rankTileBytes(o.Share, int(mine), dense, o.Neighbors)
	}
	return max(search, Bytes(own, o.Neighbors))
}

// rankTileBytes estimates the memory of an exact search for k neighbours while a tile is
// searched, beside the own rows with so many entries: the rows of a visitor as received and as
// decoded, both in one matrix, their index, the lists of the own rows, and heaps and lists of the
// tile; of dense rows also what each thread compares. Of two ranks each searches half of their
// tile: its own rows or the visitor's are half.
func rankTileBytes(share *ranks.Share, entries int, dense bool, k int) int64 {
	own, both, entriesOfBoth, each, compared := share.Own(), 2*share.Own(), 2*entries, int64(entryBytes), int64(0)
	if share.Size() == 2 {
		both, entriesOfBoth = both*3/4, entriesOfBoth*3/4
	}
	if dense {
		each, compared = 8, exact.DenseTileBytes(own, entries/max(1, own))
	}
	return memory.Sum(compared, memory.Bytes(2*each, entries), memory.Bytes(each, entriesOfBoth), IndexBytes(entriesOfBoth, !dense),
		memory.Bytes(listBytes, own, k), memory.Bytes(exact.BytesPerNeighbour, both, k))
}

// What ranks send each other, in bytes.
const (
	entryBytes = 12 // of a sparse row: column and value
	listBytes  = 20 // a candidate of the exact search, see KNN
	edgeBytes  = 16 // see incoming
)

// SharedReceived estimates the bytes that a rank receives during [Build]: rows and candidates of
// the search, the edges, and numbers of components. entries counts the
// entries of the rows of all ranks.
func (o Options) SharedReceived(entries int, dense bool) int64 {
	n, size, own := float64(o.Share.Total()), float64(o.Share.Size()), float64(o.Share.Own())
	z, k, others := float64(entries)/n, float64(o.Neighbors), 1-1/size
	each := float64(entryBytes)
	if dense {
		each = 8
	}
	const rounds = 6 // of components
	edges := edgeBytes*k*others + 4*rounds*float64(Ghosts(int(n), int(size), o.Neighbors))/own
	if !o.Search.approximate(int(n), z, dense) {
		const numbers = 20 // of a row: its number, its bound, how many entries and candidates it has
		return memory.Whole(own * (float64(o.Share.Size()/2)*(each*z+numbers+listBytes*k) + edges))
	}
	const partitions, descents = 3, 2 // of 100,000 abstracts
	w := 1.5 * k
	key := 8 * z // a row as column and value in single precision
	if dense {
		key = 4 * z
	}
	return memory.Whole(own * (each*z + partitions*2*(key+8*w) + descents*o.fetched(2*w)*(key+6*w) + o.fetched(w)*each*z + edges))
}

// fetched is how many rows of other ranks a rank fetches per own row, each of which needs some
// number of rows: in pieces, in which a row comes once. It is half of what rows at random would
// need, because rows in places near each other have neighbours in common. On 100,000 abstracts this
// gives the bytes of docs/scale.md within 1.5 times.
func (o Options) fetched(needs float64) float64 {
	n, size := float64(o.Share.Total()), float64(o.Share.Size())
	share := min(float64(approx.Piece(o.Share.Total(), o.Share.Size(), approx.CellRows, approx.LeastPiece))/n, 0.99) // of all rows
	return 0.5 * (1 - 1/size) * needs * share / -math.Log1p(-share)
}

// Ghosts estimates how many rows of other ranks a product with the rows of a rank of a graph of k
// neighbours needs, of n rows in random order: a row has edges to 1.5·k others (a union of lists of
// k; 22 for 100,000 abstracts and k = 15). Rows in the order of their classes need fewer.
func Ghosts(n, size, k int) int {
	return int(float64(n) * (1 - 1/float64(size)) * -math.Expm1(-1.5*float64(k)/float64(size)))
}
