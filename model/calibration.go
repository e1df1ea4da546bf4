package model

import (
	"cmp"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

const (
	// calibrationSteps is the most groups of documents of neighbouring scores. A rest of fewer than
	// leastStep documents, and fewer than a group has, joins the last group.
	calibrationSteps, leastStep = 20, 10
	// leastSlope and mostSlope bound the slope of a curve: it always rises with the score.
	leastSlope, mostSlope = 0.5, 4
)

// Calibration turns a method's score of a document into a confidence: the share of documents of
// such a score that got the same cluster in a second look. What it says of a document depends on
// its score alone.
type Calibration struct {
	Scores []float64 // ascending
	Shares []float64 // confidence at each of the scores, ascending, between 0 and 1; straight between
}

// NewCalibration makes the curve of documents with scores, and whether each got the same cluster
// again. With q the share of the documents that have a lower score, the confidence is
//
//	1/(1 + exp(−a − b·log(q/(1−q)))),
//
// where b is the most likely one between 0.5 and 4, and a such that the mean confidence is the
// share of documents that got the same cluster. n < 200 documents say little of b, which a normal
// prior of the variance n/(200 − n) draws to 1. A curve without a shape of its own follows noise,
// and is level or falls where a cluster of documents of low scores is one that is found again. It
// is nil without documents. O(n log n).
func NewCalibration(score []float64, same []bool) *Calibration {
	n := len(score)
	if n == 0 {
		return nil
	}
	order := indices.By(n, func(a, b int) int { return cmp.Compare(score[a], score[b]) })
	c := new(Calibration)
	var groups []group
	step := (n + calibrationSteps - 1) / calibrationSteps
	for lo := 0; lo < n; {
		hi := min(lo+step, n)
		for hi < n && (score[order[hi]] == score[order[hi-1]] || n-hi < min(leastStep, step)) {
			hi++
		}
		at, g := 0.0, group{x: logit(float64(lo+hi) / float64(2*n)), count: float64(hi - lo)}
		for _, i := range order[lo:hi] {
			at += score[i] / g.count
			if same[i] {
				g.same++
			}
		}
		if last := len(c.Scores) - 1; last >= 0 {
			at = max(at, c.Scores[last]) // means of nearly equal scores are rounded
		}
		c.Scores, groups = append(c.Scores, at), append(groups, g)
		lo = hi
	}
	a, b := likeliest(groups, max(0, calibrationSteps*leastStep/float64(n)-1))
	for _, g := range groups {
		c.Shares = append(c.Shares, logistic(a+b*g.x))
	}
	return c
}

// group is documents of neighbouring scores: the log-odds of their place, their number, and how
// many of them got the same cluster.
type group struct{ x, count, same float64 }

// likeliest are the a and b of NewCalibration, by Newton's method; one document that got the same
// cluster and one that did not are added to all, so that a is finite. drawn is the precision of the
// normal prior by which b is drawn to 1.
func likeliest(groups []group, drawn float64) (a, b float64) {
	all, same := 2.0, 1.0
	for _, g := range groups {
		all, same = all+g.count, same+g.same
	}
	b = 1
	for range 50 {
		first, second := drawn*(1-b), drawn+1e-9 // of the log-likelihood by b, with a free
		ga, haa, hab := 0.0, 1e-9, 0.0
		for _, g := range groups {
			p := logistic(a + b*g.x)
			rest, weight := g.same-g.count*p, g.count*p*(1-p)
			ga, first = ga+rest, first+rest*g.x
			haa, hab, second = haa+weight, hab+weight*g.x, second+weight*g.x*g.x
		}
		determinant := haa*second - hab*hab
		if !(determinant > 1e-12) {
			break
		}
		db := (haa*first - hab*ga) / determinant
		if b = min(max(b+min(max(db, -1), 1), leastSlope), mostSlope); math.Abs(db) < 1e-9 {
			break
		}
		a = level(groups, b, same/all)
	}
	return level(groups, b, same/all), b
}

// level is the a at which the mean of the curve of slope b is the given one, by bisection.
func level(groups []group, b, mean float64) float64 {
	lo, hi := -60.0, 60.0
	for range 100 {
		a, sum, count := (lo+hi)/2, 0.0, 0.0
		for _, g := range groups {
			sum, count = sum+g.count*logistic(a+b*g.x), count+g.count
		}
		if sum < mean*count {
			lo = a
		} else {
			hi = a
		}
	}
	return (lo + hi) / 2
}

// Level moves the curve, by one amount of log-odds, so that the mean confidence of documents with
// these scores is the given one, above 0 and below 1. O(n log n).
func (c *Calibration) Level(scores []float64, mean float64) {
	odds, sorted := make([]float64, len(c.Shares)), slices.Sorted(slices.Values(scores))
	for k, p := range c.Shares {
		odds[k] = logit(p)
	}
	lo, hi := -60.0, 60.0
	for range 60 {
		by, sum := (lo+hi)/2, 0.0
		for k := range c.Shares {
			c.Shares[k] = logistic(odds[k] + by)
		}
		for _, p := range c.Of(sorted) {
			sum += p
		}
		if sum < mean*float64(len(sorted)) {
			lo = by
		} else {
			hi = by
		}
	}
}

func logit(p float64) float64 { return math.Log(p) - math.Log1p(-p) }

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Of are the confidences of documents with these scores: straight between the scores that are kept,
// level outside.
func (c *Calibration) Of(score []float64) []float64 {
	out := make([]float64, len(score))
	for i, s := range score {
		at, _ := slices.BinarySearch(c.Scores, s)
		switch {
		case math.IsNaN(s):
		case at == 0:
			out[i] = c.Shares[0]
		case at == len(c.Scores):
			out[i] = c.Shares[at-1]
		default:
			lo, hi := c.Scores[at-1], c.Scores[at]
			out[i] = c.Shares[at-1] + (c.Shares[at]-c.Shares[at-1])*((s-lo)/(hi-lo))
		}
	}
	return out
}

// fields visits what is kept. A file of an earlier version has none of it.
func (c *Calibration) fields(f *Fields) {
	f.Floats("calibration_scores", &c.Scores)
	f.Floats("calibration_shares", &c.Shares)
}

// check refuses a calibration that does not fit the model.
func (c *Calibration) check() error {
	n := len(c.Scores)
	finite := func(v float64) bool { return v-v == 0 }
	ok := n > 0 && n == len(c.Shares) && slices.IsSorted(c.Scores) && slices.IsSorted(c.Shares) && finite(c.Scores[0]) && finite(c.Scores[n-1]) &&
		c.Shares[0] >= 0 && c.Shares[n-1] <= 1
	if !ok {
		return invalid.Errorf("the model's calibration of confidences is damaged")
	}
	return nil
}
