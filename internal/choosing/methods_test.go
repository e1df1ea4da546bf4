package choosing

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/crossval"
	"github.com/eigenmap/eigenmap/methods/labels"
	"gonum.org/v1/gonum/mat"
)

// A file in another order has the same documents in each fold.
func TestFoldsGoByIDs(t *testing.T) {
	held := func(order []int) (folds [][]string) {
		c := chooser{j: &job.Job{Corpus: &corpus.Corpus{}, Request: new(request.Request)}, out: &Choice{Folds: 5}}
		c.j.Prior.Names = []string{"a", "b", "c"}
		for _, i := range order {
			c.j.Corpus.IDs = append(c.j.Corpus.IDs, fmt.Sprint("d", i))
			c.j.Prior.Labels = append(c.j.Prior.Labels, i%4-1)
		}
		for _, fold := range c.folds(5) {
			if !slices.IsSorted(fold) {
				t.Errorf("the documents %v of a fold are not ascending", fold)
			}
			ids := labels.Pick(c.j.Corpus.IDs, fold)
			slices.Sort(ids)
			folds = append(folds, ids)
		}
		return folds
	}
	as, turned := make([]int, 60), make([]int, 60)
	for i := range as {
		as[i], turned[len(as)-1-i] = i, i
	}
	if first, other := held(as), held(turned); !slices.EqualFunc(first, other, slices.Equal) {
		t.Errorf("folds %v, in the other order %v", first, other)
	}
}

// The committee is taken unless another method is plainly before it. Without it, the answer without
// labels is taken where it placed more documents right, be it one more; of equals a method that
// learns is.
func TestCommitteeUnlessPlainlyBehind(t *testing.T) {
	for _, c := range []struct {
		committee bool
		more      int // documents that diffusion places right and the others do not
		want      string
	}{
		{true, 0, "committee"}, {true, 1, "committee"}, {true, 4, "committee"}, {true, 5, request.DefaultMethod},
		{false, 1, request.DefaultMethod}, {false, 0, "semi-ldc"},
	} {
		r := must.Get(request.ForRun(request.Options{LabeledFraction: 0.5}, "cluster"))(t)
		x := mat.NewDense(40, 2, nil)
		j := &job.Job{Request: r, Corpus: &corpus.Corpus{X: x}, X: x}
		j.Prior.Names = []string{"a", "b"}
		b := chooser{j: j, entered: r.Entrants, race: crossval.NewRace(len(r.Entrants), 2), verdicts: 20, out: &Choice{By: "cross-validation", Documents: 20}}
		truth, wrong := make([]int, 20), make([]int, 20)
		b.race.Hold(truth)
		for i := range max(3, c.more) {
			wrong[i] = 1
		}
		for m := range r.Entrants {
			says := slices.Clone(wrong)
			if m == len(r.Entrants)-1 {
				clear(says[:c.more])
			}
			b.race.Say(m, says)
		}
		if !c.committee {
			b.race.Leave(request.PlaceOfCommittee)
		}
		choice, err := b.finish()
		if err != nil || choice.Method != c.want {
			t.Errorf("%+v: %v, %+v", c, err, choice)
		}
	}
}

// The votes of a member count by the odds that it is right, by hand, where the documents of the
// fold that is judged are left out, and a document that is held out twice is one document.
func TestVotesCountByOdds(t *testing.T) {
	vote := func(classes ...int) *mat.Dense {
		v := mat.NewDense(len(classes), 2, nil)
		for i, k := range classes {
			v.Set(i, k, 1)
		}
		return v
	}
	cast := []ballot{
		{[]int{0, 1, 2}, []int{0, 0, 1}, nil, map[string]*mat.Dense{"tsvm": vote(0, 1, 1), "logistic": vote(0, 0, 0), "diffusion": vote(0, 0, 0)}},
		{[]int{3, 4}, []int{0, 0}, nil, map[string]*mat.Dense{"tsvm": vote(0, 1), "logistic": vote(0, 0)}},
		{[]int{0, 1, 2}, []int{0, 0, 1}, nil, map[string]*mat.Dense{"tsvm": vote(0, 1, 1), "logistic": vote(1, 0, 0)}},
	}
	// tsvm and logistic have 5 of 8 right, and 4 and 3 of the 6 of the first and the third fold.
	for _, c := range []struct {
		without        []int
		n              float64
		tsvm, logistic float64
	}{
		{nil, 5, 5. / 8, 5. / 8},
		{[]int{3, 4}, 3, 4. / 6, 3. / 6},
	} {
		got := weigh(cast, c.without)
		for name, p := range map[string]float64{"tsvm": c.tsvm, "logistic": c.logistic} {
			if want := (c.n*p + 1) / (c.n*(1-p) + 1); math.Abs(got[name]-want) > 1e-12 {
				t.Errorf("without %v %s counts %v, not %v", c.without, name, got[name], want)
			}
		}
		if len(got) != 2 {
			t.Errorf("without %v: %v", c.without, got)
		}
	}
}
