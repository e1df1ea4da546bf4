package linear

import (
	"math"
	"sort"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
)

// Weights lists the entries of each column of a projection, p×d, by falling |weight|, the lower row
// first on a tie, at most limit of them (0 = all), with names from terms. If terms is nil, a row is
// named by its number, counted from 1.
func Weights(projection *sparse.CSR, terms []string, limit int) [][]method.Weight {
	out := make([][]method.Weight, projection.NumCols)
	for i := range projection.NumRows {
		at, weights := projection.Row(i)
		for k, j := range at {
			out[j] = append(out[j], method.Weight{Column: i, Weight: weights[k]})
		}
	}
	for j, w := range out {
		sort.SliceStable(w, func(a, b int) bool { return math.Abs(w[a].Weight) > math.Abs(w[b].Weight) })
		if limit > 0 && len(w) > limit {
			w = w[:limit:limit]
		}
		for k, t := range w {
			w[k].Term = strconv.Itoa(t.Column + 1)
			if t.Column < len(terms) {
				w[k].Term = terms[t.Column]
			}
		}
		out[j] = w
	}
	return out
}

// TermRange is "75 terms" or "12 to 75 terms".
func TermRange(counts []int) string {
	low, high := math.MaxInt, 0
	for _, c := range counts {
		low, high = min(low, c), max(high, c)
	}
	if low < high {
		return strconv.Itoa(low) + " to " + strconv.Itoa(high) + " terms"
	}
	return words.Counted(high, "term")
}

// ClassDims returns the number of directions of a discriminant analysis of the known labels; it is
// asked if that is above 0. K classes have at most K − 1. One class is another error.
func ClassDims(in *method.Input, name string, asked int) (int, error) {
	classes := len(in.Given.Names)
	if classes > 1 && (asked == 0 || asked >= classes) {
		var err error
		if asked, err = method.FixedDims(name, "one direction fewer than classes given", classes-1, asked); err != nil {
			return 0, err
		}
	}
	dims, err := in.Dims(asked)
	if err != nil {
		return 0, err
	}
	return dims, in.MostDims(dims, in.Len())
}
