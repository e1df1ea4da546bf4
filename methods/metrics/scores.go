package metrics

import "math"

// Scores are the measures of agreement between a clustering and the true classes; 1 is perfect. All
// are in [0, 1] except ARI, which is 0 on average for random labelings and at least -1/2.
type Scores struct {
	// Accuracy is the share of rows whose cluster is assigned to their class (Kuhn-Munkres).
	Accuracy float64 `json:"accuracy"`
	// NMI is the mutual information over the larger entropy. [Table.GeometricNMI] has another norm.
	NMI float64 `json:"nmi"`
	// ARI is the adjusted Rand index.
	ARI float64 `json:"ari"`
	// FMI is the Fowlkes-Mallows index, √(precision·recall) of pairs.
	FMI float64 `json:"fmi"`
	// Purity is the share of rows that belong to the largest class of their cluster.
	Purity float64 `json:"purity"`
	// FMeasure is the harmonic mean of pair precision and pair recall.
	FMeasure float64 `json:"f_measure"`
	// MacroF1 is the average over classes of F1 = 2·TP/(rows of the class + rows given to it). Each
	// cluster counts for the class that the assignment gives it. Remaining clusters count for their
	// majority class (the lower label on a tie). A class without a cluster has F1 = 0.
	MacroF1 float64 `json:"macro_f1"`
}

// Score compares two labelings; rows whose truth is negative (unlabelled) are left out. Errors are
// as for [NewTable].
func Score(truth, predicted []int) (Scores, error) {
	t, err := NewTable(truth, predicted)
	if err != nil {
		return Scores{}, err
	}
	return t.Scores(), nil
}

// Scores computes all measures from the table. A table without rows has only zero scores. O(cells)
// in addition to the cost of [Table.Assignment].
func (t *Table) Scores() Scores {
	to := t.Assignment()
	s := t.ScoresAs(to)
	for j, i := range to {
		if i < 0 {
			to[j] = t.majority(j)
		}
	}
	if a, b, n := t.margins(); n > 0 {
		s.MacroF1 = t.macroF1(a, b, to)
	}
	return s
}

// ScoresAs is Scores for clusters with a known class, as after classification: to[j] is the row of
// the class of cluster j, negative for none. Accuracy and macro-F1 use it instead of an assignment;
// rows in a cluster without a class count as wrong. The other measures do not depend on it.
func (t *Table) ScoresAs(to []int) Scores {
	a, b, n := t.margins()
	if n == 0 {
		return Scores{}
	}
	s := Scores{NMI: t.nmi(a, b, n), MacroF1: t.macroF1(a, b, to)}
	agree, pure := 0, 0
	for j, i := range to {
		if i >= 0 {
			agree += t.Counts[i][j]
		}
		pure += t.Counts[t.majority(j)][j]
	}
	s.Accuracy = float64(agree) / float64(n)
	s.Purity = float64(pure) / float64(n)
	s.ARI, s.FMI, s.FMeasure = t.pairScores(a, b, n)
	return s
}

// majority returns the class with most rows in cluster j, the lower on a tie.
func (t *Table) majority(j int) int {
	best := 0
	for i, row := range t.Counts {
		if row[j] > t.Counts[best][j] {
			best = i
		}
	}
	return best
}

// GeometricNMI is the mutual information over the geometric mean of the two entropies,
// MI/√(H(a)·H(b)) (Strehl and Ghosh 2002), in [0, 1]. It is at least the NMI of [Scores], whose
// norm is the larger entropy, and equal to it if the entropies are equal. It is 1 if both
// labelings are constant, and 0 if only one is or if there are no rows.
func (t *Table) GeometricNMI() float64 {
	a, b, n := t.margins()
	if n == 0 {
		return 0
	}
	p, q := entropy(a, n), entropy(b, n)
	if p == 0 && q == 0 {
		return 1
	}
	if p == 0 || q == 0 {
		return 0
	}
	return min(max(t.information(a, b, n)/(math.Sqrt(p)*math.Sqrt(q)), 0), 1)
}

// nmi returns MI/max(H(a), H(b)).
func (t *Table) nmi(a, b []int, n int) float64 {
	h := max(entropy(a, n), entropy(b, n))
	if h == 0 {
		return 1
	}
	return min(max(t.information(a, b, n)/h, 0), 1)
}

// information returns the mutual information in bits.
func (t *Table) information(a, b []int, n int) float64 {
	mi := 0.0
	for i, row := range t.Counts {
		for j, v := range row {
			if v > 0 {
				// Two ratios of at most n each, because the product a_i·b_j would lose digits for
				// large n.
				mi += float64(v) / float64(n) * (math.Log2(float64(v)/float64(a[i])) - math.Log2(float64(b[j])/float64(n)))
			}
		}
	}
	return mi
}

// entropy returns the entropy in bits of counts that sum to n, exactly 0 if only one is positive.
func entropy(counts []int, n int) float64 {
	h := 0.0
	for _, v := range counts {
		if v > 0 {
			p := float64(v) / float64(n)
			h -= p * math.Log2(p)
		}
	}
	return h
}

// pairScores returns ARI, FMI and pairwise F. Counts of pairs are exact in int64 up to four
// thousand million rows; their products are computed in float64.
func (t *Table) pairScores(a, b []int, n int) (ari, fmi, f float64) {
	var both int64
	for _, row := range t.Counts {
		both += pairs(row)
	}
	hit, sameClass, sameCluster, all := float64(both), float64(pairs(a)), float64(pairs(b)), float64(pairs([]int{n}))
	if sameClass+sameCluster == 0 {
		return 1, 1, 1
	}
	if sameClass > 0 && sameCluster > 0 {
		// Each factor is at most 1, so rounding cannot make the product exceed 1 by more than an
		// ulp.
		fmi = min(math.Sqrt(hit/sameClass)*math.Sqrt(hit/sameCluster), 1)
	}
	f = 2 * hit / (sameClass + sameCluster)
	if sameClass == all && sameCluster == all {
		return 1, fmi, f
	}
	chance := sameClass / all * sameCluster
	return (hit - chance) / ((sameClass+sameCluster)/2 - chance), fmi, f
}

// pairs returns the number of unordered pairs within groups of the given sizes.
func pairs(sizes []int) int64 {
	var p int64
	for _, v := range sizes {
		p += int64(v) * int64(v-1) / 2
	}
	return p
}

// macroF1 averages F1 over the classes that have rows; cluster j counts for class to[j], negative
// for none.
func (t *Table) macroF1(a, b, to []int) float64 {
	given, hit := make([]int, len(a)), make([]int, len(a))
	for j, i := range to {
		if i >= 0 {
			given[i] += b[j]
			hit[i] += t.Counts[i][j]
		}
	}
	sum, classes := 0.0, 0
	for i, rows := range a {
		if rows > 0 {
			sum += 2 * float64(hit[i]) / float64(rows+given[i])
			classes++
		}
	}
	return sum / float64(classes)
}
