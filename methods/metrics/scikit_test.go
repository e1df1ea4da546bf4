package metrics

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/scikit"
)

const scikitScores = `
import sys, json
import numpy as np
from sklearn import metrics as m
from scipy.optimize import linear_sum_assignment
out = []
for case in json.load(sys.stdin):
    a, b = case["truth"], case["predicted"]
    table = m.cluster.contingency_matrix(a, b)
    rows, cols = linear_sum_assignment(-table)
    (_, fp), (fn, tp) = m.cluster.pair_confusion_matrix(a, b)
    out.append(dict(accuracy=float(table[rows, cols].sum() / len(a)), nmi=float(m.normalized_mutual_info_score(a, b, average_method="max")),
        ari=float(m.adjusted_rand_score(a, b)), fmi=float(m.fowlkes_mallows_score(a, b)), purity=float(table.max(axis=0).sum() / len(a)),
        f_measure=float(2 * tp / (2 * tp + fp + fn)) if tp + fp + fn else None))
json.dump(out, sys.stdout)
`

// scikit-learn's scores of random and degenerate labelings: one cluster, all singletons, identical,
// crossed, two rows.
func TestScoresAgainstScikitLearn(t *testing.T) {
	type pair struct {
		Truth     []int `json:"truth"`
		Predicted []int `json:"predicted"`
	}
	rng := rand.New(rand.NewPCG(3, 3))
	draw := func(kind, n int) []int {
		labels := make([]int, n)
		for i := range labels {
			switch kind {
			case 0:
				labels[i] = rng.IntN(5)
			case 1: // one cluster
			case 2:
				labels[i] = i // all alone
			case 3:
				labels[i] = i % 3
			case 4:
				labels[i] = min(i, 1) // one row alone
			case 5:
				labels[i] = rng.IntN(n)
			}
		}
		return labels
	}
	var cases []pair
	for _, n := range []int{2, 3, 7, 40, 400} {
		for a := range 6 {
			for b := range 6 {
				cases = append(cases, pair{draw(a, n), draw(b, n)})
			}
			same := draw(a, n)
			cases = append(cases, pair{same, same})
		}
	}
	var want []struct {
		Accuracy, NMI, ARI, FMI, Purity float64
		FMeasure                        *float64 `json:"f_measure"` // no pair is together in either: 0/0
	}
	scikit.Ask(t, scikitScores, cases, &want)
	for q, w := range want {
		c := cases[q]
		s := must.Get(Score(c.Truth, c.Predicted))(t)
		check := func(name string, ours, theirs float64) {
			if math.Abs(ours-theirs) > 1e-12 {
				t.Errorf("case %d, %d rows: %s %v, scikit-learn %v", q, len(c.Truth), name, ours, theirs)
			}
		}
		check("accuracy", s.Accuracy, w.Accuracy)
		check("NMI", s.NMI, w.NMI)
		check("ARI", s.ARI, w.ARI)
		check("purity", s.Purity, w.Purity)
		if w.FMeasure != nil {
			check("FMI", s.FMI, w.FMI)
			check("F", s.FMeasure, *w.FMeasure)
		} else if s.FMI != 1 || s.FMeasure != 1 { // scikit-learn: 0
			t.Errorf("case %d, %d rows: FMI %v, F %v where both put every row alone", q, len(c.Truth), s.FMI, s.FMeasure)
		}
	}
}
