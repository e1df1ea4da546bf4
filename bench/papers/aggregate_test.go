package papers

import (
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/internal/property"
	"pgregory.net/rapid"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }

func TestEstimate(t *testing.T) {
	e := estimate([]float64{1, 2, 3, 4})
	if !near(e.Mean, 2.5) || !near(e.Error, math.Sqrt(5./3)/2) || e.N != 4 {
		t.Errorf("%+v", e)
	}
	if e = estimate([]float64{7}); e.Mean != 7 || e.Error != 0 || e.N != 1 {
		t.Errorf("of one value: %+v", e)
	}
}

// With equally many cases the mean of means is the mean of all, and the standard error is computed
// from the tests' means: not the smaller one of taking the cases for independent tests.
func TestCasesAreAveragedFirst(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		value := rapid.Float64Range(0, 1)
		tests, cases := rapid.IntRange(1, 8).Draw(t, "tests"), rapid.IntRange(1, 5).Draw(t, "cases")
		all := make([][]float64, tests)
		var flat, means []float64
		for i := range all {
			sum := 0.0
			for range cases {
				v := value.Draw(t, "score")
				all[i] = append(all[i], v)
				flat = append(flat, v)
				sum += v
			}
			means = append(means, sum/float64(cases))
		}
		e := ofTests(all)
		if !near(e.Mean, mean(flat)) || e.N != tests {
			t.Fatalf("%+v of %v", e, all)
		}
		if tests < 2 {
			if e.Error != 0 {
				t.Fatalf("%+v of one test", e)
			}
			return
		}
		// s²/n = Σ_{i<j} (m_i − m_j)² / (n²(n−1)), without the mean.
		pairs := 0.0
		for i := range means {
			for j := range i {
				pairs += (means[i] - means[j]) * (means[i] - means[j])
			}
		}
		n := float64(tests)
		if want := math.Sqrt(pairs / (n * n * (n - 1))); math.Abs(e.Error-want) > 1e-9 {
			t.Fatalf("standard error %v, want %v", e.Error, want)
		}
		// Scores that are the same in every test leave no error, however the cases vary.
		same := make([][]float64, tests)
		for i := range same {
			same[i] = all[0]
		}
		if e := ofTests(same); e.Error > 1e-12 {
			t.Fatalf("standard error %v of equal tests", e.Error)
		}
	})
}

// The average over rows is the estimate of a sum of independent ones: it scales and shifts as a
// mean does.
func TestAverageOfRows(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "rows")
		rows := make([]Estimate, n)
		largest, sum := 0.0, 0.0
		for i := range rows {
			rows[i] = Estimate{rapid.Float64Range(0, 1).Draw(t, "mean"), rapid.Float64Range(0, 1).Draw(t, "error"), 20}
			largest = max(largest, rows[i].Error)
			sum += rows[i].Error
		}
		a := average(rows)
		if a.Error*float64(n) > sum+1e-12 || a.Error*float64(n) < largest-1e-12 || a.N != 20 {
			t.Fatalf("%+v of %+v", a, rows)
		}
		equal := make([]Estimate, n)
		for i := range equal {
			equal[i] = rows[0]
		}
		if a := average(equal); !near(a.Mean, rows[0].Mean) || !near(a.Error, rows[0].Error/math.Sqrt(float64(n))) {
			t.Fatalf("%+v of %d times %+v", a, n, rows[0])
		}
	})
}
