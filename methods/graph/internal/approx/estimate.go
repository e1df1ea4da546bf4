package approx

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// LeastPiece is the number of rows of the smallest piece: some 60 MB of documents of 40 terms.
const LeastPiece = 1 << 15

// Piece is the number of rows that come at a time, of n rows of so many ranks: about as many
// as a rank has. One process has the rows of all cells at a time.
func Piece(n, size, cell, least int) int {
	if size == 1 {
		return imageCells * n
	}
	return min(n, max(n/size, 2*cell, least))
}

// Bytes estimates the memory of an approximate search of rows that ranks divide, beside the rows as
// they are: for own rows with some number of entries (sparse, or values of dense rows) and pieces
// of some number of rows. It is 12 bytes per entry for the rows by place, and as many twice while
// they are on their way, and images of dense rows (10); later 28 per entry of a piece for its rows
// as received, decoded and in float32, and for each row and row of a piece the lists and joins of
// an [graph.Approximate].
func Bytes(own, piece, entries, k int) int64 {
	moved, pieces := memory.Bytes(40, entries), memory.Bytes(28, entries/max(1, own), piece)
	return memory.Sum(memory.Bytes(22, entries), max(moved, pieces), memory.Bytes(BytesPerNeighbour, own, k), memory.Bytes(BytesPerNeighbour, piece, k))
}

// Divides reports whether a search for k neighbours of n rows divides them into cells: fewer are
// searched exactly.
func Divides(n, k int) bool { return n > 2*max(CellRows, 4*listWidth(k, n)) }

// HereBytes estimates the memory of an approximate search in one process, beside the rows: for n
// rows with some number of entries (sparse, or values of dense rows). It is the rows' copies in
// float32, or of dense rows their images, as they are sent and in 16 bits, twice while the sample
// is searched; and for each place of the lists what [BytesPerNeighbour] says; or before that the
// copies and the index of some rows at a time, on which the recall of the sample is measured.
func HereBytes(n, entries, k int, isSparse bool) int64 {
	copied, each := int64(12), int64(26) // of a value
	if isSparse {
		copied, each = 10, 38 // of an entry, with padding
	}
	sampled := memory.Bytes(each, entries/max(1, n), min(n, copiedRows))
	return max(sampled, memory.Sum(memory.Bytes(copied, entries), memory.Bytes(BytesPerNeighbour, n, k)))
}

// checkApproxBytes refuses a search by ranks that takes more memory than is left to a rank.
func checkApproxBytes(ctx context.Context, share *ranks.Share, x mat.Matrix, o Options, piece int) error {
	rows, cols := x.Dims()
	entries := rows * cols
	if s, ok := x.(sparse.Rows); ok {
		entries = s.Pattern().NNZ()
	}
	need := Bytes(rows, piece, entries, o.Neighbors)
	return ranks.Agree(share, memory.Need(ctx, need, "use more ranks", "the approximate neighbours of %s", words.Counted(rows, "document")))
}
