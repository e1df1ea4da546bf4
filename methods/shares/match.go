package shares

import (
	"math"
	"slices"
)

const (
	sweeps = 50   // over all classes, at most
	even   = 1e-9 // change of an offset at which they end
)

// Match returns a positive factor for each class, so that as many rows have their largest scaled
// score in the class as its share of the rows says. scores has rows of numbers that are not
// negative, one after the other; shares has sum 1. It is [Offsets] of their logarithms.
func Match(scores, shares []float64) []float64 {
	logs := make([]float64, len(scores))
	for i, v := range scores {
		logs[i] = math.Log(v)
	}
	return exponentials(Offsets(logs, shares))
}

// Offsets returns a number for each class to add to its scores, at most 0, so that as many rows
// have their largest score in the class as its share of the rows says. scores has rows of numbers,
// one after the other, which it does not change; −∞ is a class that the row cannot have. shares
// has sum 1. Classes set their offsets in turn, each between the row that it gains last and the
// next one, until none changes: 50 sweeps at most, of rows × classes² numbers and a sort of the
// rows for each class. Ties leave a class with fewer or more rows.
func Offsets(scores, shares []float64) []float64 {
	classes := len(shares)
	rows := len(scores) / classes
	add := make([]float64, classes)
	if rows == 0 {
		return add
	}
	lost := make([]float64, rows) // what a class's offset must exceed to gain a row
	for range sweeps {
		moved := 0.0
		for c, share := range shares {
			for r := range lost {
				row := scores[r*classes:][:classes]
				rival := math.Inf(-1)
				for k, v := range row {
					if k != c {
						rival = max(rival, v+add[k])
					}
				}
				if lost[r] = rival - row[c]; math.IsNaN(lost[r]) {
					lost[r] = math.Inf(1) // a row that no class can have
				}
			}
			slices.Sort(lost)
			next := between(lost, int(share*float64(rows)+0.5))
			moved = max(moved, math.Abs(next-add[c]))
			add[c] = next
		}
		if moved < even {
			break
		}
	}
	most := slices.Max(add)
	for c := range add {
		add[c] -= most
	}
	return add
}

// between is a number above so many of an ascending list, and below the others.
func between(list []float64, count int) float64 {
	count = max(0, min(count, len(list)))
	low, high := math.Inf(-1), math.Inf(1)
	if count > 0 {
		low = list[count-1]
	}
	if count < len(list) {
		high = list[count]
	}
	switch {
	case math.IsInf(low, 1): // fewer rows can be gained
		return between(list, count-1)
	case math.IsInf(low, -1) && math.IsInf(high, 1):
		return 0
	case math.IsInf(low, -1):
		return high - 1
	case math.IsInf(high, 1):
		return low + 1
	}
	return low + (high-low)/2
}

// least is the smallest factor: that of a class which no row can have is not 0, since masses are
// divided by factors.
const least = 0x1p-1022

func exponentials(log []float64) []float64 {
	for c, v := range log {
		log[c] = max(math.Exp(v), least)
	}
	return log
}
