package matrix

import (
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/words"
	"gonum.org/v1/gonum/mat"
)

// What is said of the numbers of a table with so many rows.
const (
	codedRows    = 20
	codedTimes   = 3   // how often a code of missing numbers is there, at least
	codedShare   = 100 // and in one of so many rows
	summedRows   = 3
	mostLookedAt = 1 << 24 // entries
)

// lookAtTable notes numbers of a table that are no measurements: codes of missing ones, and a last
// row of sums. Of a later table, whose terms are a model's, nothing is said.
func (d *draft) lookAtTable(in *source, r *Result, turned bool) {
	x, dense := r.X.(*mat.Dense)
	if !dense || d.column == nil || turned || in.opt.Filling != nil {
		return
	}
	rows, cols := x.Dims()
	if rows*cols > mostLookedAt {
		return
	}
	var list []string
	column := make([]float64, rows)
	for j := range cols {
		mat.Col(column, j, x)
		if code, times := missingCode(column); times > 0 {
			list = append(list, fmt.Sprintf("%v in column %s (%s)", code, d.column(j), words.Counted(times, "row")))
		}
	}
	if list != nil {
		in.Notef("Numbers far from all others that occur again look like codes of missing ones: %s. They count as numbers; if they are codes, write NA in their place and give ‹missing› median.", words.Few(list, 6))
	}
	if sums(x) {
		in.Notef("The last row is the sum of the rows above it in every column; if it is a total, leave it out.")
	}
}

// missingCode returns the number of a column that looks like a code of missing ones, and how often
// it is there; 0 times if there is none: the least or the largest, of nines alone (-999, 99) or the
// only one below 0, further from the others than twice their range.
func missingCode(column []float64) (code float64, times int) {
	least, most := math.Inf(1), math.Inf(-1)
	for _, v := range column {
		least, most = min(least, v), max(most, v) // NaN if one is missing
	}
	if least != least {
		least, most = math.Inf(1), math.Inf(-1)
		for _, v := range column {
			if v == v {
				least, most = min(least, v), max(most, v)
			}
		}
	}
	if len(column) < codedRows || !(nines(least) || least < 0) && !nines(most) {
		return 0, 0
	}
	for _, v := range []float64{least, most} {
		count, lo, hi := 0, math.Inf(1), math.Inf(-1)
		for _, u := range column {
			if u == v {
				count++
			} else if u == u {
				lo, hi = min(lo, u), max(hi, u)
			}
		}
		apart := max(lo-v, v-hi)
		is := nines(v) || v < 0 && v == math.Trunc(v) && lo >= 0
		if is && lo < hi && apart > 2*(hi-lo) && count >= codedTimes && count*codedShare >= len(column) {
			return v, count
		}
	}
	return 0, 0
}

// nines reports whether a number is 9, 99, 999, ..., or the negative of one.
func nines(v float64) bool {
	v = math.Abs(v)
	for n := 9.0; n <= v; n = 10*n + 9 {
		if n == v {
			return true
		}
	}
	return false
}

// sums reports whether the last row is the sum of all others, in two columns or more.
func sums(x *mat.Dense) bool {
	rows, cols := x.Dims()
	if rows <= summedRows || cols < 2 {
		return false
	}
	last := x.RawRowView(rows - 1)
	total, size := make([]float64, cols), make([]float64, cols)
	for i := range rows - 1 {
		for j, v := range x.RawRowView(i) {
			total[j] += v
			size[j] += math.Abs(v)
		}
	}
	for j := range cols {
		if size[j] == 0 || !(math.Abs(total[j]-last[j]) <= 1e-4*size[j]) {
			return false
		}
	}
	return slices.Max(size) > 0
}
