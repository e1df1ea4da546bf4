package metrics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestCoherenceClosedForms: terms of which all is known.
func TestCoherenceClosedForms(t *testing.T) {
	for _, c := range []struct {
		name     string
		n        int
		counts   []float64
		docs     int
		npmi, cv float64
	}{
		{"always together", 2, []float64{5, 5, 5, 5}, 10, 1, 1},
		{"in all documents", 2, []float64{10, 10, 10, 10}, 10, 1, 1},
		{"independent", 2, []float64{50, 25, 25, 50}, 100, 0, 1 / math.Sqrt2},
		{"never together", 2, []float64{3, 0, 0, 4}, 10, -1, 0},
		// p_ij = 1/4, p_i = 1/2, p_j = 1/4: log 2 / log 4. Rows (1, ½) and (½, 1): cosine with (1,
		// 1) is 1.5 / √(1.25 · 2).
		{"one within the other", 2, []float64{8, 4, 4, 4}, 16, .5, 1.5 / math.Sqrt(2.5)},
		// Two of three are one, the third is independent of them: pairs 1, 0, 0; rows (1,1,0) twice
		// and (0,0,1) with the sum (2,2,1): cosines 4/(3√2) twice and 1/3.
		{"two and one", 3, []float64{50, 50, 25, 50, 50, 25, 25, 25, 50}, 100, 1. / 3, (8/(3*math.Sqrt2) + 1./3) / 3},
	} {
		together := mat.NewSymDense(c.n, c.counts)
		if v, ok := NPMI(together, c.docs); !ok || math.Abs(v-c.npmi) > 1e-14 {
			t.Errorf("%s: NPMI %v, not %v", c.name, v, c.npmi)
		}
		if v, ok := CV(together, c.docs); !ok || math.Abs(v-c.cv) > 1e-14 {
			t.Errorf("%s: C_v %v, not %v", c.name, v, c.cv)
		}
	}
	for _, few := range []*mat.SymDense{{}, mat.NewSymDense(1, []float64{3})} {
		if _, ok := NPMI(few, 5); ok {
			t.Error("NPMI of less than two terms")
		}
		if _, ok := CV(few, 5); ok {
			t.Error("C_v of less than two terms")
		}
	}
	if _, ok := NPMI(mat.NewSymDense(2, nil), 0); ok {
		t.Error("NPMI of no documents")
	}
}

func TestDiversity(t *testing.T) {
	for _, c := range []struct {
		lists [][]int
		want  float64
	}{{nil, 1}, {[][]int{{1, 2}, {3, 4}}, 1}, {[][]int{{1, 2}, {1, 2}}, .5}, {[][]int{{1, 2, 3}, {}, {3}}, .75}} {
		if v := Diversity(c.lists); v != c.want {
			t.Errorf("%v: %v, not %v", c.lists, v, c.want)
		}
	}
}
