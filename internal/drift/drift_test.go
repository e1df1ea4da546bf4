package drift

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Documents like the model's give reasons in a few of a hundred draws at most; the distance of
// uniform novelties falls as 1/√n, and the distance of constant ones is known.
func TestNoReasonWithoutDrift(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{20, 100, 2000} {
		alarms := 0
		for range 300 {
			var c Counts
			novelty := make([]float64, n)
			for i := range novelty {
				novelty[i] = rng.Float64()
			}
			c.Documents = n
			c.Measure(novelty, 0.95)
			if (Updates{Fitted: 100 * n}).Reasons(c) != nil {
				alarms++
			}
		}
		if alarms > 9 {
			t.Errorf("%d documents: %d alarms of 300", n, alarms)
		}
	}
	alarms := 0
	for range 300 { // of a small fit, whose own distances are drawn too
		fitted := make([]float64, 100)
		for i := range fitted {
			fitted[i] = rng.NormFloat64()
		}
		slices.Sort(fitted)
		novelty := make([]float64, 49)
		for i := range novelty {
			nearer, _ := slices.BinarySearch(fitted, rng.NormFloat64())
			novelty[i] = float64(nearer) / 100
		}
		c := Counts{Documents: len(novelty)}
		c.Measure(novelty, 0.95)
		if (Updates{Fitted: 100}).Reasons(c) != nil {
			alarms++
		}
	}
	if alarms > 12 {
		t.Errorf("of a fit of 100: %d alarms of 300", alarms)
	}
	c := Counts{Documents: 100}
	c.Measure([]float64{0.5, 0.5, 0.5}, 0.95)
	if d := c.Distance(); math.Abs(d-0.5) > 1e-12 {
		t.Errorf("novelties of 0.5 alone: %v", d)
	}
	c = Counts{Documents: 100}
	c.Measure([]float64{0, 0.01, 0.02}, 0.95)
	if d := c.Distance(); d != 0 || (Updates{Fitted: 1000}).Reasons(c) != nil {
		t.Errorf("documents that are nearer: %v", d)
	}
	if d := (Counts{}).Distance(); d != 0 {
		t.Errorf("of none: %v", d)
	}
}

// Known documents have the novelties of the model's, which are uniform: as many as these are added
// to the new documents, the distance is as of all of them.
func TestKnownDocumentsAreAsTheModel(t *testing.T) {
	fresh, all := Counts{Known: 3 * bins}, Counts{}
	for _, c := range []*Counts{&fresh, &all} {
		c.Measure([]float64{0.9, 0.97, 0.4, 0.97}, 0.95)
	}
	for k := range 3 * bins {
		all.Measure([]float64{(float64(k%bins) + 0.5) / bins}, 0.99)
	}
	if d, want := fresh.Distance(), all.Distance(); math.Abs(d-want) > 1e-12 || want == 0 {
		t.Errorf("%v, not %v", d, want)
	}
}

// Each reason is given when its share exceeds the limit, and not at it.
func TestReasons(t *testing.T) {
	flat := make([]int, bins)
	for k := range flat {
		flat[k] = 50
	}
	high := make([]int, bins)
	high[bins-1] = 1000
	many := Counts{Documents: 1000}
	if got := (Updates{Fitted: 112, Distinct: true}).Reasons(many); len(got) != 1 || !strings.Contains(got[0], "since the fit of 112 different documents (") {
		t.Errorf("of different documents: %q", got)
	}
	for _, c := range []struct {
		counts Counts
		fitted int
		part   string
	}{
		{Counts{Documents: 1000, Isolated: 50, Novel: 100, Terms: 100, NewTerms: 20, Novelty: flat}, 2001, ""},
		{Counts{Documents: 1000, Isolated: 51}, 2001, "nothing in common"},
		{Counts{Documents: 1000, Novel: 101}, 2001, "farther from their cluster"},
		{Counts{Documents: 1000, Novelty: high}, 2001, "Kolmogorov"},
		{Counts{Documents: 1000, Terms: 100, NewTerms: 21}, 2001, "terms are new"},
		{Counts{Documents: 1000}, 2000, "since the fit"},
		{Counts{Documents: 34, Known: 266, Empty: 40, Isolated: 11, Novel: 14}, 600, ""},
		{Counts{Documents: 34, Known: 266, Isolated: 16}, 600, "5 % of 300 documents (266 of them equal to the model's) have nothing in common"},
		{Counts{Documents: 250, Known: 5000}, 600, ""},
		{Counts{Documents: 1000, Known: 1000, Novelty: high}, 2001, "Kolmogorov"},
		{Counts{Documents: 1000, Known: 7000, Novelty: high}, 2001, ""},
		{Counts{Documents: 19, Isolated: 19, Novel: 19, Terms: 19, NewTerms: 19}, 10, ""},
	} {
		got := (Updates{Fitted: c.fitted}).Reasons(c.counts)
		if c.part == "" && got != nil || c.part != "" && (len(got) != 1 || !strings.Contains(got[0], c.part)) {
			t.Errorf("%+v: %q", c.counts, got)
		}
	}
}

func TestPlus(t *testing.T) {
	a, b := Counts{Documents: 3, Isolated: 1, Terms: 5, NewTerms: 2}, Counts{Documents: 4}
	b.Measure([]float64{0, 0.5, 1, 0.96}, 0.95)
	sum := a.Plus(b)
	if sum.Documents != 7 || sum.Isolated != 1 || sum.Novel != 2 || sum.NewTermShare() != 0.4 || sum.Novelty[bins-1] != 2 || sum.Novelty[0] != 1 || sum.Novelty[10] != 1 {
		t.Errorf("%+v", sum)
	}
	if sum = (Counts{Known: 2, Empty: 1}).Plus(Counts{Known: 3, Empty: 4}); sum.Known != 5 || sum.Empty != 5 || sum.Compared() != 5 {
		t.Errorf("%+v", sum)
	}
	if b.Plus(Counts{}).Distance() != b.Distance() {
		t.Error("nothing more changes the distance")
	}
}
