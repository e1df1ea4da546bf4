package shares

import (
	"math"
	"slices"
)

const (
	sweeps = 50   // over all classes, at most
	even   = 1e-9 // change of a factor's logarithm at which they end
)

// Match returns a positive factor for each class, so that as many rows have their largest scaled
// score in the class as its share of the rows says. scores has rows of numbers that are not
// negative, one after the other; shares has sum 1. Classes set their factors in turn, each between
// the row that it gains last and the next one, until none changes: 50 sweeps at most, of rows ×
// classes numbers and a sort of the rows for each class. Ties leave a class with fewer or more
// rows.
func Match(scores []float64, shares []float64) []float64 {
	classes := len(shares)
	rows := len(scores) / classes
	log := make([]float64, classes) // of the factors
	if rows == 0 {
		return exponentials(log)
	}
	logs := make([]float64, rows*classes)
	for i := range logs {
		logs[i] = math.Log(scores[i])
	}
	lost := make([]float64, rows) // what a class's factor must exceed to gain a row, as a logarithm
	for range sweeps {
		moved := 0.0
		for c, share := range shares {
			for r := range lost {
				row := logs[r*classes:][:classes]
				rival := math.Inf(-1)
				for k, v := range row {
					if k != c {
						rival = max(rival, v+log[k])
					}
				}
				if lost[r] = rival - row[c]; math.IsNaN(lost[r]) {
					lost[r] = math.Inf(1) // a row of zeros
				}
			}
			slices.Sort(lost)
			next := between(lost, int(share*float64(rows)+0.5))
			moved = max(moved, math.Abs(next-log[c]))
			log[c] = next
		}
		if moved < even {
			break
		}
	}
	most := slices.Max(log)
	for c := range log {
		log[c] -= most
	}
	return exponentials(log)
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

func exponentials(log []float64) []float64 {
	for c, v := range log {
		log[c] = math.Exp(v)
	}
	return log
}
