package choosek

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Gap is a gap in the spectrum of a neighbour graph, after K eigenvalues.
type Gap struct {
	K     int
	Ratio float64 // eigenvalue K+1 over eigenvalue K
	// Score is Ratio over the ratio that one elongated piece without parts has there, (K/(K−1))².
	Score float64
	// Small is how many of the K groups have too few rows to count as clusters; 0 where the groups
	// were not looked at.
	Small int
}

const (
	// zeroValue is what smaller eigenvalues count as: they are found to such an error.
	zeroValue = 1e-6
	// leastScore is the least score of a gap that shows groups. Of one round or even piece of 300 to
	// 2,000 points in 2 to 10 columns the largest was 1.23, of three to eight groups 4 standard
	// deviations apart the least 1.59.
	leastScore = 1.5
	// faint is the least score of a gap that is weak evidence, and of one whose number is named as
	// another answer.
	faint = 1.25
	// parts is the ratio above which a gap after a larger number shows parts of the groups. Equal
	// elongated pieces have 4 after two eigenvalues each, and 4.33 was measured of two moons.
	parts = 5
	// partsBroad is parts of rows of broadColumns or more, whose groups are seldom thin.
	partsBroad, broadColumns = 3.5, 4
)

// Gaps lists the gaps after 2 to most eigenvalues, that of the groups that the rows fall into
// first, if there is one (Score at least 1.5), and then by falling score. values are the smallest
// eigenvalues of the normalised Laplacian, ascending, with the zeros of components. likely is a
// number that other evidence is for, 0 for none: it comes first if it is larger and has such a gap.
// columns is how many the rows have.
//
// The eigenvalues of a piece without parts grow as those of its shape: of a strip, the shape of the
// slowest growth at its beginning, as 0, 1, 4, 9, ... (Weyl's law has powers of 2/dimension). K
// groups have K small ones before those of the pieces. The groups are at the gap of the largest
// score, or at the last one after it whose ratio is above 5, in 4 columns or more 3.5: groups that
// are themselves together in groups of groups.
func Gaps(values []float64, most, likely, columns int) []Gap {
	var list []Gap
	wide := float64(parts)
	if columns >= broadColumns {
		wide = partsBroad
	}
	for k := 2; k <= most && k < len(values); k++ {
		ratio := max(values[k], zeroValue) / max(values[k-1], zeroValue)
		f := float64(k-1) / float64(k)
		list = append(list, Gap{K: k, Ratio: ratio, Score: float64(ratio*f) * f})
	}
	byScore := slices.Clone(list)
	slices.SortStableFunc(byScore, func(a, b Gap) int { return cmp.Compare(b.Score, a.Score) })
	if len(byScore) == 0 || byScore[0].Score < leastScore {
		return byScore
	}
	first := byScore[0]
	for _, g := range list {
		if g.K > first.K && g.Ratio > wide {
			first = g
		}
	}
	for _, g := range list {
		if g.K == likely && g.K > first.K && g.Shows() {
			first = g
		}
	}
	at := slices.Index(byScore, first)
	return slices.Insert(slices.Delete(byScore, at, at+1), 0, first)
}

// Shows reports whether a gap shows groups.
func (g Gap) Shows() bool { return g.Score >= leastScore }

// Faint reports whether a gap is no more than weak evidence of groups.
func (g Gap) Faint() bool { return g.Score >= faint && !g.Shows() }

// Clusters is the number of groups that a gap is for, without those that are too small.
func (g Gap) Clusters() int { return g.K - g.Small }

// Wide reports whether the eigenvalue behind a gap is more than five times the one before it.
func (g Gap) Wide() bool { return g.Ratio > parts }

// A series has fewer than serialRatio of the differences of independent rows, measured on
// serialPairs pairs of rows or more.
const (
	serialRatio = 0.5
	serialPairs = 20
)

// Serial reports whether rows of one group that follow one another are nearer than others of the
// group, as those of a series are, such as prices of days. Such a path falls into groups of rows by
// chance. It is so if the squared differences of successive rows of a group are on average less
// than half of what they are of independent rows, twice the variance within the groups (von
// Neumann's ratio, over its expectation; the mean over the columns). Columns that only rise or only
// fall count for nothing: by them the table may be sorted.
func Serial(x mat.Matrix, labels []int) bool {
	n, cols := x.Dims()
	groups := slices.Max(labels) + 1
	sum, used := 0.0, 0
	column := make([]float64, n)
	for j := range cols {
		up, down, pairs, squares := true, true, 0, 0.0
		count, mean := make([]float64, groups), make([]float64, groups)
		for i, l := range labels {
			column[i] = x.At(i, j)
			count[l]++
			mean[l] += column[i]
		}
		variance := 0.0
		for i, l := range labels {
			d := column[i] - mean[l]/count[l]
			variance += float64(d * d)
			if i == 0 {
				continue
			}
			step := column[i] - column[i-1]
			up, down = up && step >= 0, down && step <= 0
			if labels[i-1] == l {
				pairs++
				squares += float64(step * step)
			}
		}
		if pairs < serialPairs || variance == 0 || up || down {
			continue
		}
		sum += squares / float64(pairs) / (2 * variance / float64(n))
		used++
	}
	return used > 0 && sum/float64(used) < serialRatio
}
