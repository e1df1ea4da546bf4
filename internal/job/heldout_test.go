package job

import (
	"math"
	"slices"
	"testing"
)

// held are documents held out, of which some are right, whose classes had so many labels left.
func held(documents, right, left int) *HeldOut {
	h := &HeldOut{Documents: documents}
	for i := range documents {
		h.Right, h.Left = append(h.Right, i < right), append(h.Left, left)
	}
	return h
}

func each(count, labels int) []int { return slices.Repeat([]int{labels}, count) }

// The share solves the equation of the documentation, which is written out here.
func TestShareOfHeldOut(t *testing.T) {
	right := func(odds float64) float64 { return 1 / (1 + math.Exp(-odds)) }
	for _, c := range []struct{ documents, right, left, labels int }{{20, 17, 4, 5}, {16, 5, 1, 2}, {250, 200, 12, 15}, {18, 18, 1, 2}, {30, 0, 3, 4}} {
		share := held(c.documents, c.right, c.left).Share(each(50, c.labels))
		odds := math.Log(share / (1 - share)) // of the documents: a − 1.5/√labels
		of := odds + 1.5/math.Sqrt(float64(c.labels)) - 1.5/math.Sqrt(float64(c.left))
		more := max(0, 160/float64(c.documents)-4)
		if slope := float64(c.right) - float64(c.documents)*right(of) + more*(0.75-share); math.Abs(slope) > 1e-9*float64(c.documents) {
			t.Errorf("%+v: share %v, slope %v", c, share, slope)
		}
	}
}

// Documents of classes whose only label is never held out make the share smaller, and a fit that
// had fewer labels than the run makes it larger. Many documents leave the share that they have.
func TestShareFollowsTheLabels(t *testing.T) {
	h := held(90, 81, 16)
	same, single := h.Share(each(100, 16)), h.Share(append(each(50, 16), each(50, 1)...))
	if math.Abs(same-0.9) > 0.02 || single > same-0.05 {
		t.Errorf("%v with as many labels, %v where half of the documents have a class with one", same, single)
	}
	if half := held(90, 45, 1).Share(each(100, 2)); half < 0.55 {
		t.Errorf("%v of classes of two labels, .5 held out of classes of one", half)
	}
	if many := held(100000, 90000, 16).Share(each(100, 16)); math.Abs(many-0.9) > 1e-4 {
		t.Errorf("%v of 90,000 in 100,000", many)
	}
}

// Few documents do not make certain, and a document counts once however often it was held out.
func TestShareOfFew(t *testing.T) {
	all, none := held(15, 15, 4).Share(each(40, 4)), held(15, 0, 4).Share(each(40, 4))
	if all < 0.9 || all > 0.97 || none > 0.3 || none < 0.1 {
		t.Errorf("%v of 15 right, %v of none", all, none)
	}
	once, thrice := held(20, 16, 2), held(60, 48, 2)
	thrice.Documents = 20
	if a, b := once.Share(each(40, 3)), thrice.Share(each(40, 3)); math.Abs(a-b) > 1e-12 {
		t.Errorf("%v of documents held out once, %v of the same held out thrice", a, b)
	}
}

// No share is 0 or 1, where no confidence can be.
func TestShareIsNeverCertain(t *testing.T) {
	for _, n := range []int{1, 40, 100} {
		if all, none := held(n, n, 4).Share(each(50, 5)), held(n, 0, 4).Share(each(50, 5)); all > 1-0.5/float64(n) || none < 0.5/float64(n) {
			t.Errorf("%d documents: %v if all are right, %v if none is", n, all, none)
		}
	}
}
