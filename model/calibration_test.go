package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// drawn are documents whose chance of the same cluster is known: 1/(1 + exp(−a − b·logit q)) at the
// place q of their score.
func drawn(n int, a, b float64, seed uint64) (score []float64, same []bool, chance []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, i := range rng.Perm(n) {
		q := (float64(i) + 0.5) / float64(n)
		p := logistic(a + b*logit(q))
		score, same, chance = append(score, math.Exp(5*q)), append(same, rng.Float64() < p), append(chance, p)
	}
	return score, same, chance
}

// The curve finds the chances that the outcomes were drawn with, whatever the scale of the scores.
func TestCalibrationFindsChances(t *testing.T) {
	for _, at := range [][2]float64{{0, 1}, {1.5, 0.7}, {-1, 2}, {3, 1}} {
		score, same, chance := drawn(20000, at[0], at[1], 7)
		got := NewCalibration(score, same).Of(score)
		mean, share, apart := 0.0, 0.0, 0.0
		for i, p := range got {
			mean += p / float64(len(got))
			if same[i] {
				share += 1 / float64(len(got))
			}
			apart += math.Abs(p-chance[i]) / float64(len(got))
		}
		if math.Abs(mean-share) > 0.01 || apart > 0.02 {
			t.Errorf("a %v, b %v: mean confidence %.3f of %.3f, %.3f from the chances", at[0], at[1], mean, share, apart)
		}
	}
}

// A confidence rises with the score even if the outcomes fall with it, so that leaving out the
// least confident documents is leaving out those of the least scores; and its mean is right all
// the same.
func TestCalibrationKeepsTheOrder(t *testing.T) {
	for seed := range uint64(5) {
		score, same, _ := drawn(300, 0.5, -1, seed)
		c := NewCalibration(score, same)
		must.Do(t, c.check())
		sorted := slices.Sorted(slices.Values(score))
		got := c.Of(sorted)
		for i := range got[1:] {
			inside := sorted[i] >= c.Scores[0] && sorted[i+1] <= c.Scores[len(c.Scores)-1]
			if got[i+1] < got[i] || inside && got[i+1] == got[i] {
				t.Fatalf("seed %d: confidence %v at %v and %v at %v", seed, got[i], sorted[i], got[i+1], sorted[i+1])
			}
		}
	}
}

// Few documents make a fine curve too: at most a twelfth of them lie outside it at each end, where
// all have one confidence, so that a tenth can be left out.
func TestCalibrationOfFewKeepsTheOrder(t *testing.T) {
	for _, n := range []int{15, 30, 59, 120, 199, 201} {
		score, same, _ := drawn(n, 1, 1, 2)
		c := NewCalibration(score, same)
		below, above := 0, 0
		for _, s := range score {
			if s < c.Scores[0] {
				below++
			}
			if s > c.Scores[len(c.Scores)-1] {
				above++
			}
		}
		if most := n / 12; below > most || above > most || len(c.Scores) > calibrationSteps {
			t.Errorf("%d documents: %d below and %d above the curve of %d points", n, below, above, len(c.Scores))
		}
	}
}

// The curves of few documents are as near to the chances, also of the tenth of documents with the
// least scores, as one of 15 documents with one confidence for all is not: on the mean of 100 draws
// 0.24 away, and 0.51 in that tenth.
func TestCalibrationOfFewFindsChances(t *testing.T) {
	places, _, chance := drawn(500, 1, 1, 1)
	for _, n := range []int{15, 20, 30, 59, 120} {
		apart, least, below := 0.0, 0.0, 0.0
		for seed := range uint64(100) {
			rng := rand.New(rand.NewPCG(seed, 2))
			var score []float64
			var same []bool
			for range n {
				i := rng.IntN(len(places))
				score, same = append(score, places[i]), append(same, rng.Float64() < chance[i])
			}
			for i, p := range NewCalibration(score, same).Of(places) {
				off := math.Abs(p - chance[i])
				apart += off
				if places[i] < math.Exp(0.5) {
					least, below = least+off, below+1
				}
			}
		}
		if apart /= 100 * float64(len(places)); apart > 0.1 || least/below > 0.1 {
			t.Errorf("%d documents: %.3f from the chances, the least confident tenth %.3f", n, apart, least/below)
		}
	}
}

// A curve that is levelled has the mean asked for, whichever documents it is levelled by, and keeps
// its order; levelled to the mean that it has, it stays.
func TestCalibrationIsLevelled(t *testing.T) {
	score, same, _ := drawn(60, 1, 1, 5)
	others := score[:25]
	for _, mean := range []float64{0.02, 0.5, 0.97} {
		c := NewCalibration(score, same)
		c.Level(others, mean)
		sum := 0.0
		for _, p := range c.Of(others) {
			sum += p
		}
		if sum /= 25; math.Abs(sum-mean) > 1e-9 || c.check() != nil {
			t.Errorf("mean %v, not %v: %v", sum, mean, c.check())
		}
		again := Calibration{c.Scores, slices.Clone(c.Shares)}
		again.Level(others, sum)
		for k, p := range again.Shares {
			if math.Abs(p-c.Shares[k]) > 1e-9 {
				t.Errorf("share %v becomes %v", c.Shares[k], p)
			}
		}
	}
}

// What a document gets does not depend on the others, nor the curve on the order of documents; one
// score for all, no document, and one outcome for all have a curve or none.
func TestCalibrationOfLittle(t *testing.T) {
	score, same, _ := drawn(500, 1, 1, 3)
	c := NewCalibration(score, same)
	all := c.Of(score)
	for i := range score {
		if one := c.Of(score[i : i+1]); one[0] != all[i] {
			t.Fatalf("document %d alone: %v, not %v", i, one[0], all[i])
		}
	}
	if NewCalibration(nil, nil) != nil {
		t.Error("a curve of no documents")
	}
	for name, c := range map[string]*Calibration{
		"one score":   NewCalibration(make([]float64, 100), same[:100]),
		"all same":    NewCalibration(score, slices.Repeat([]bool{true}, 500)),
		"none same":   NewCalibration(score, make([]bool, 500)),
		"one":         NewCalibration(score[:1], same[:1]),
		"a few":       NewCalibration(score[:15], same[:15]),
		"huge scores": NewCalibration([]float64{1e300, 2e300, 3e300}, []bool{true, false, true}),
	} {
		if err := c.check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, v := range c.Of([]float64{-1e9, 0, 1, 150, 1e301, math.Inf(1), math.NaN()}) {
			if !(v >= 0 && v <= 1) {
				t.Errorf("%s: confidence %v", name, v)
			}
		}
	}
	for base := 0.1; base < 1; base += 0.01 { // means of nearly equal scores are rounded
		near := make([]float64, 27)
		for i := range near {
			near[i] = base + float64(min(i/10, 1))*0x1p-53
		}
		if err := NewCalibration(near, same[:27]).check(); err != nil {
			t.Errorf("scores of %v and little more: %v", base, err)
		}
	}
	for _, c := range []*Calibration{{}, {Scores: []float64{1, 0}, Shares: []float64{0, 1}}, {Scores: []float64{0, 1}, Shares: []float64{0.5, 1.5}},
		{Scores: []float64{0, math.NaN()}, Shares: []float64{0, 1}}, {Scores: []float64{0, 1}, Shares: []float64{0}}} {
		if c.check() == nil {
			t.Errorf("%+v is taken", *c)
		}
	}
}
