package crossval

import (
	"math"
	"slices"
	"testing"
)

// Folds are parts of the labelled documents, balanced in all and in each class, and every class
// keeps a document whichever is held out.
func TestFolds(t *testing.T) {
	var labels []int
	sizes := []int{1, 2, 3, 7, 40}
	for k, n := range sizes {
		for range n {
			labels = append(labels, k, -1)
		}
	}
	for _, folds := range []int{2, 3, 5} {
		list := Folds(labels, len(sizes), folds, 4)
		if len(list) != folds {
			t.Fatalf("%d folds, not %d", len(list), folds)
		}
		seen := make([]int, len(labels))
		most, least := 0, len(labels)
		for _, fold := range list {
			counts := make([]int, len(sizes))
			for _, i := range fold {
				seen[i]++
				counts[labels[i]]++
			}
			for k, n := range counts {
				if n > 0 && n == sizes[k] {
					t.Errorf("%d folds: one has all documents of class %d", folds, k)
				}
				if n > (sizes[k]+folds-1)/folds {
					t.Errorf("%d folds: one has %d of the %d documents of class %d", folds, n, sizes[k], k)
				}
			}
			if !slices.IsSorted(fold) {
				t.Errorf("fold %v", fold)
			}
			most, least = max(most, len(fold)), min(least, len(fold))
		}
		if most-least > 1 {
			t.Errorf("%d folds: of %d to %d documents", folds, least, most)
		}
		for i, n := range seen {
			want := 1
			if labels[i] <= 0 { // the class of one document, and no class
				want = 0
			}
			if n != want {
				t.Errorf("document %d of class %d is in %d folds", i, labels[i], n)
			}
		}
		if again := Folds(labels, len(sizes), folds, 4); !slices.EqualFunc(list, again, slices.Equal) {
			t.Error("the same seed deals other folds")
		}
		if other := Folds(labels, len(sizes), folds, 5); slices.EqualFunc(list, other, slices.Equal) {
			t.Error("another seed deals the same folds")
		}
	}
	if documents := HeldOut(labels, len(sizes)); documents != 52 {
		t.Errorf("%d documents can be held out", documents)
	}
	if got := Without([]int{2, 0, 1, -1}, []int{0, 2}, -1); !slices.Equal(got, []int{-1, 0, -1, -1}) {
		t.Error(got)
	}
}

// A class of few labels decides the number of folds if most of the labels are of such classes, so
// that each fold takes a label from every one of them.
func TestNumber(t *testing.T) {
	for _, c := range []struct {
		sizes []int
		want  int
	}{
		{[]int{2, 2, 2}, 2}, {[]int{3, 3, 4}, 3}, {[]int{4, 4}, 4}, {[]int{9, 9, 9}, 5}, {[]int{1, 1, 2, 2}, 2},
		{[]int{2, 2, 2, 20}, 5}, {[]int{2, 2, 2, 2, 6}, 2}, {[]int{1}, 2},
	} {
		var labels []int
		for k, n := range c.sizes {
			labels = append(labels, slices.Repeat([]int{k}, n)...)
		}
		if got := Number(labels, len(c.sizes)); got != c.want {
			t.Errorf("classes of %v: %d folds, not %d", c.sizes, got, c.want)
		}
	}
	labels := []int{0, 0, 1, 1, 2, 2, 3, 3}
	for _, fold := range Rounds(labels, 4, 2, 6, 1) {
		var classes []int
		for _, i := range fold {
			classes = append(classes, labels[i])
		}
		if !slices.Equal(classes, []int{0, 1, 2, 3}) {
			t.Errorf("a fold has documents of the classes %v", classes)
		}
	}
}

// Rounds begin with the folds of one deal, and go on with those of others.
func TestRounds(t *testing.T) {
	labels := slices.Repeat([]int{0, 1}, 15)
	list, first := Rounds(labels, 2, 3, 7, 8), Folds(labels, 2, 3, 8)
	if len(list) != 7 || !slices.EqualFunc(list[:3], first, slices.Equal) || slices.EqualFunc(list[3:6], first, slices.Equal) {
		t.Errorf("%v do not begin with %v", list, first)
	}
	seen := make([]int, len(labels))
	for _, fold := range list[3:6] {
		for _, i := range fold {
			seen[i]++
		}
	}
	if slices.Min(seen) != 1 || slices.Max(seen) != 1 {
		t.Errorf("the second deal has the documents %v times", seen)
	}
}

// A document that was held out twice counts once in errors and in the lead of a method.
func TestDistinct(t *testing.T) {
	const n = 30
	truth, some := make([]int, n), make([]int, n)
	for i := range 8 {
		some[i] = 1
	}
	once, twice := NewRace(2, 2), NewRace(2, 2)
	twice.Distinct = n
	for at, r := range []*Race{once, twice} {
		for range at + 1 {
			r.Hold(truth)
			r.Say(0, truth)
			r.Say(1, some)
		}
	}
	if a, b := once.Score(1), twice.Score(1); a.Error != b.Error || a.Accuracy != b.Accuracy || b.Documents != 2*n {
		t.Errorf("%+v and %+v", a, b)
	}
	if a, b := once.lead(0, 1), twice.lead(0, 1); math.Abs(a-b) > 1e-15 {
		t.Errorf("leads %v and %v", a, b)
	}
}

// The scores follow their definitions, and ranks go by documents, accuracy, macro-F1 and order.
func TestScoreAndRank(t *testing.T) {
	r := NewRace(5, 3)
	truth := []int{0, 0, 0, 1, 1, 2}
	hold := func() {
		r.Hold(truth)
		r.Say(0, []int{0, 0, 0, 0, 0, 0})
		r.Say(1, []int{0, 0, 1, 1, -1, 0})
		r.Say(2, truth)
		r.Say(3, truth)
	}
	hold()
	r.Leave(4)
	s := r.Score(1)
	// F1 of class 0: 2·2/(3+3), of class 1: 2·1/(2+2), of class 2: 0.
	if want := (2.0/3 + 0.5) / 3; s.Documents != 6 || s.Accuracy != 0.5 || math.Abs(s.MacroF1-want) > 1e-15 || math.Abs(s.Error-math.Sqrt(0.25/6)) > 1e-15 {
		t.Errorf("%+v", s)
	}
	hold() // 18 documents in all, enough for macro-F1 to decide
	hold()
	if got := r.Rank(); !slices.Equal(got, []int{2, 3, 1, 0}) {
		t.Errorf("ranks %v", got)
	}
	r.Hold([]int{1})
	r.Say(0, []int{0})
	if got := r.Rank(); got[0] != 0 {
		t.Errorf("the only method judged on all documents is not first: %v", got)
	}
	if s := r.Score(4); s != (Score{}) || r.Runs(4) {
		t.Errorf("%+v", s)
	}
}

// Of methods of equal accuracy the one with the larger macro-F1 is before the others if classes
// have enough documents to judge it by, else the first.
func TestRankOfEquals(t *testing.T) {
	for _, c := range []struct {
		copies int
		first  int
	}{{1, 0}, {3, 1}} {
		r := NewRace(2, 2)
		for range c.copies {
			r.Hold([]int{0, 0, 0, 1})
			r.Say(0, []int{0, 0, 0, 0}) // F1 6/7 and 0
			r.Say(1, []int{0, 0, 1, 1}) // F1 4/5 and 2/3
		}
		if got := r.Rank(); got[0] != c.first {
			t.Errorf("%d documents: %v", 4*c.copies, got)
		}
	}
}

// A race leaves out methods that are plainly behind, by more than chance, but not the one to keep.
func TestDrop(t *testing.T) {
	const n = 40
	r := NewRace(4, 2)
	truth, wrong, nearly := make([]int, n), slices.Repeat([]int{1}, n), make([]int, n)
	nearly[3], nearly[5] = 1, 1
	r.Hold(truth)
	r.Say(0, truth)
	r.Say(1, nearly)
	r.Say(2, wrong)
	r.Say(3, wrong)
	if r.Drop(3) {
		t.Error("the race is decided although a method is near")
	}
	for m, want := range []bool{true, true, false, true} {
		if r.Runs(m) != want {
			t.Errorf("method %d runs: %v", m, !want)
		}
	}
	later := NewRace(3, 2)
	later.Hold(truth)
	later.Say(0, truth)
	later.Say(1, wrong)
	if !later.Drop(1) || !later.Runs(2) {
		t.Error("the race is not decided, or the method without a verdict left it")
	}
	alone := NewRace(2, 2)
	alone.Hold(truth)
	alone.Say(0, truth)
	alone.Say(1, wrong)
	if !alone.Drop(1) || !alone.Runs(1) {
		t.Error("the race is not decided, or the method to keep left it")
	}
}

// A method that is preferred comes before others of as many documents unless it is two standard
// errors behind: 5 documents that the other alone placed right are more, 4 are not.
func TestPrefer(t *testing.T) {
	const n = 40
	for wrong, want := range map[int][]int{4: {1, 0, 2}, 5: {0, 1, 2}} {
		r := NewRace(3, 2)
		truth, some, worse := make([]int, n), make([]int, n), make([]int, n)
		for i := range wrong {
			some[i], worse[i], worse[n-1-i] = 1, 1, 1
		}
		r.Hold(truth)
		r.Say(0, truth)
		r.Say(1, some)
		r.Say(2, worse)
		if got := r.Prefer(1); !slices.Equal(got, want) {
			t.Errorf("%d wrong: %v, not %v", wrong, got, want)
		}
		r.Leave(1)
		if got := r.Prefer(1); !slices.Equal(got, []int{0, 2}) {
			t.Errorf("a method that left: %v", got)
		}
	}
}

// Where the method that is preferred and others placed every document right, the others come first.
func TestPreferOfPerfect(t *testing.T) {
	r := NewRace(4, 2)
	truth, wrong := make([]int, 20), make([]int, 20)
	wrong[3] = 1
	r.Hold(truth)
	for m, says := range [][]int{truth, wrong, truth, truth} {
		r.Say(m, says)
	}
	if got := r.Prefer(0); !slices.Equal(got, []int{2, 3, 0, 1}) {
		t.Errorf("%v", got)
	}
}

// Of a few documents all right the method that is preferred comes first: three of each class placed
// right are chance for some of several methods.
func TestPreferOfFewPerfect(t *testing.T) {
	r := NewRace(3, 3)
	truth := []int{0, 0, 0, 1, 1, 1, 2, 2, 2}
	r.Hold(truth)
	for m := range 3 {
		r.Say(m, truth)
	}
	if got := r.Prefer(2); !slices.Equal(got, []int{2, 0, 1}) {
		t.Errorf("%v", got)
	}
}

func TestMajority(t *testing.T) {
	got := Majority([]int{0, 0, 0, 1, 1, 2, -1}, []int{1, 1, 0, 2, 0, -1, 2}, 4, 3)
	if want := []int{1, 0, -1, -1}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// The bound of work costs folds first, and then the methods that take most.
func TestBound(t *testing.T) {
	for suited, want := range map[int][2]int{2: {2, 6}, 3: {3, 6}, 4: {4, 4}, 5: {5, 5}} {
		if folds, rounds, _ := Bound([]float64{1}, 100, suited); folds != want[0] || rounds != want[1] {
			t.Errorf("%d folds suit: %d rounds of %d folds, not %v", suited, rounds, folds, want)
		}
	}
	if folds, rounds, _ := Bound([]float64{1}, 5, 2); folds != 2 || rounds != 4 {
		t.Errorf("five rounds are allowed: %d of 2 folds, not 4", rounds)
	}
	for _, c := range []struct {
		limit         float64
		folds, rounds int
		out           []int
	}{
		{1000, 5, 5, nil},
		{65, 5, 5, nil},
		{64, 5, 4, nil},
		{39, 5, 3, nil},
		{38, 3, 2, nil},
		{13, 3, 1, nil},
		{12, 3, 2, []int{1}}, // 3 and 2 are left
		{4, 3, 2, []int{1, 0}},
		{1, 3, 1, []int{1, 0, 3}},
	} {
		work := []float64{3, 8, 0, 2}
		folds, rounds, out := Bound(work, c.limit, 5)
		if folds != c.folds || rounds != c.rounds || !slices.Equal(out, c.out) {
			t.Errorf("limit %g: %d of %d folds without %v, not %d of %d without %v", c.limit, rounds, folds, out, c.rounds, c.folds, c.out)
		}
	}
}
