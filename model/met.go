package model

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// metColumns are the columns in which the rows of a team have entries, ascending, if the rows are
// sparse and have more columns than entries: sums of rows then have a place for each of these. nil:
// every column has a place of its own. O(entries·log(entries)) time; memory: 8 bytes for each entry
// of this rank, and 12 for each column of each rank.
type metColumns []int32

func columnsMet(team ranks.Team, x mat.Matrix) metColumns {
	_, d := x.Dims()
	entries := []float64{0}
	kept, err := sparse.Kept(x)
	rows, ok := kept.(sparse.Rows)
	if err == nil && ok {
		entries[0] = float64(len(rows.Pattern().Col))
	} else {
		entries[0] = float64(d) // dense rows may have an entry in every column
	}
	if team.Sum(entries); entries[0] >= float64(d) {
		return nil
	}
	own := make([]int, len(rows.Pattern().Col))
	for k, j := range rows.Pattern().Col {
		own[k] = int(j)
	}
	slices.Sort(own)
	all := ranks.GatherInts(team, slices.Compact(own))
	slices.Sort(all)
	met := make(metColumns, 0, len(all))
	for _, j := range slices.Compact(all) {
		met = append(met, int32(j))
	}
	return met
}

// width is the number of places of d columns.
func (m metColumns) width(d int) int {
	if m == nil {
		return d
	}
	return len(m)
}

// place is that of column j, which some row has.
func (m metColumns) place(j int32) int32 {
	if m == nil {
		return j
	}
	at, _ := slices.BinarySearch(m, j)
	return int32(at)
}

// column is the one of a place.
func (m metColumns) column(place int32) int32 {
	if m == nil {
		return place
	}
	return m[place]
}
