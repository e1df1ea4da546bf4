package approx

import "github.com/eigenmap/eigenmap/progress"

const (
	// GoalRecall is the recall on the sample from which the search stops.
	GoalRecall = 0.955
	// SampleRows is the number of rows on which the recall is measured.
	SampleRows = 1000

	// CellRows is the number of rows that a cell should have, of sparse rows of length 1. A cell of
	// more than twice as many rows is divided again. Cells of 2,048 rows took longer to the same
	// recall on 100,000 abstracts and reviews, cells of 16,384 as long on abstracts. Pairs of other
	// rows take longer, and their cells are a quarter as large.
	CellRows   = 8192
	otherShare = 4
	cellsOfRow = 2 // the number of cells that a row is in, in each partition
	// Rows that are compared by images are in more and smaller cells, and their lists are longer:
	// the nearest images of a row are not always its neighbours' images. Of MNIST and of 200,000
	// rows on a curved sheet in 64 columns three cells of 1,024 rows and a descent find more than
	// two of 2,048. A little more time takes them to imageGoal.
	imageCell, imageCells = 1024, 3
	imageGoal             = 0.985
	leastRecall           = 0.75
	// firstPartitions is the largest number of partitions made before neighbours of neighbours are
	// tried, if the recall is below leastRecall; mostPartitions is the largest number of all.
	firstPartitions, mostPartitions = 4, 12
)

// copiedRows is the number of rows that are copied at a time, where a search needs copies.
const copiedRows = 1 << 14

// BytesPerNeighbour is the memory of an approximate search for each neighbour: lists that are
// half as long again, or twice as long for images (12 bytes per place), and, one after the other,
// the joins of a descent with what they are made of (21 for each of half as many places again), the
// joins with their transpose (16), and the result.
const BytesPerNeighbour = 12*2 + 21*3/2 + 1

// Options are the options of an approximate search.
type Options struct {
	Neighbors int
	Cell      int // rows that a cell of sparse rows of length 1 should have
	Piece     int // the smallest number of rows that ranks send each other at a time
	Seed      uint64
	Observer  progress.Observer
}
