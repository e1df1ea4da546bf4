package committee

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/kernelridge"
	"github.com/eigenmap/eigenmap/methods/logistic"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/shares"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Shares of the votes by hand: a member with probabilities gives their 16th powers, scaled to the
// sum 1, another one its class, and a cluster of diffusion the class of most of its known labels;
// the vote of semi-ldc counts twice.
func TestVotesByHand(t *testing.T) {
	known := []int{0, 1, -1, -1, -1}
	found := map[string]*method.Clusters{
		"label-propagation": {Labels: []int{0, 1, 0, 1, 1}, Posterior: mat.NewDense(5, 2, []float64{1, 0, 0, 1, 0.7, 0.3, 0.4, 0.6, 0.2, 0.8})},
		"semi-ldc":          {Labels: []int{0, 1, 1, 1, 0}},
		"logistic":          {Labels: []int{1, 1, 0, 1, 0}, Posterior: mat.NewDense(5, 2, []float64{0.4, 0.6, 0.1, 0.9, 0.8, 0.2, 0.3, 0.7, 0.9, 0.1})},
		// Clusters 2, 0 and 1: of the labels 0 and 1, and of none, where label propagation has 0.2 : 0.8.
		"diffusion": {Labels: []int{2, 0, 2, 0, 1}},
	}
	weights := map[string]float64{"label-propagation": 1, "semi-ldc": 2, "logistic": 1, "diffusion": 1}
	for _, of := range [][]int{nil, {4, 2}} {
		votes := must.Get(Votes(found, known, 2, of))(t)
		posterior, labels := Count(votes, weights)
		of16 := func(p float64) float64 { return math.Pow(p, 16) / (math.Pow(p, 16) + math.Pow(1-p, 16)) }
		first := []float64{ // shares of class 0
			(1 + 2 + of16(0.4) + 1) / 5,
			of16(0.1) / 5,
			(of16(0.7) + 0 + of16(0.8) + 1) / 5,
			(of16(0.4) + 0 + of16(0.3) + 0) / 5,
			(of16(0.2) + 2 + of16(0.9) + 0) / 5}
		classes := []int{0, 1, 0, 1, 0}
		for q := range labels {
			i := q
			if of != nil {
				i = of[q]
			}
			for c, want := range []float64{first[i], 1 - first[i]} {
				if got := posterior.At(q, c); math.Abs(got-want) > 1e-15 {
					t.Errorf("share %d of document %d is %v, not %v", c, i, got, want)
				}
			}
			if labels[q] != classes[i] {
				t.Errorf("document %d is of class %d", i, labels[q])
			}
		}
	}
	for _, bad := range []map[string]*method.Clusters{
		nil, {"semi-ldc": found["semi-ldc"], "diffusion": found["diffusion"]}, {"label-propagation": found["label-propagation"]},
		{"label-propagation": found["label-propagation"], "gmm": found["semi-ldc"]},
	} {
		if _, err := Votes(bad, known, 2, nil); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("votes of %d methods: %v", len(bad), err)
		}
	}
}

// A walk over a graph spreads its probabilities over many classes, and an unsure first of them
// counts as much as that of a member that is sure; only classes that are as probable share a vote.
func TestSpreadVotesCountAsMuch(t *testing.T) {
	votes := map[string]*mat.Dense{
		"label-propagation": mat.NewDense(3, 10, []float64{
			.28, .08, .08, .08, .08, .08, .08, .08, .08, .08,
			.2, .2, .075, .075, .075, .075, .075, .075, .075, .075,
			0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
		"tsvm": mat.NewDense(3, 10, append(make([]float64, 29), 1)),
	}
	for i := range 2 {
		votes["tsvm"].Set(i, 9, 1)
	}
	posterior, labels := Count(votes, map[string]float64{"label-propagation": 3, "tsvm": 2})
	if !slices.Equal(labels, []int{0, 9, 9}) {
		t.Errorf("classes %v", labels)
	}
	for i, want := range [][]float64{{0.6, 0.4}, {0.3, 0.4}, {0, 1}} {
		if a, b := posterior.At(i, 0), posterior.At(i, 9); math.Abs(a-want[0]) > 1e-6 || math.Abs(b-want[1]) > 1e-6 {
			t.Errorf("document %d: %v and %v of the votes", i, a, b)
		}
	}
}

// Options name members and how much they count; what cannot be is refused.
func TestMembersOfOptions(t *testing.T) {
	o := &Options{Members: "tsvm=2.5,diffusion"}
	if got := Weighed(o.weights(false)); o.Validate() != nil || got != "label-propagation=1,tsvm=2.5,diffusion=1" {
		t.Errorf("%v: %v", o.Validate(), got)
	}
	for _, bad := range []string{"gmm", "tsvm=0", "tsvm=-1", "tsvm=x", "tsvm=1e10", "tsvm=NaN", "tsvm,", "tsvm,tsvm=2"} {
		if o := (&Options{Members: bad}); !errors.Is(o.Validate(), fs.ErrInvalid) {
			t.Errorf("%q is taken", bad)
		}
	}
}

// The shares of the classes reach the members that take them, and a rule that is none is refused.
func TestClassSharesReachTheMembers(t *testing.T) {
	o := &Options{ClassShares: "a=0.5,b=0.3,c=0.2"}
	for _, m := range members {
		rule := option.Find(option.Of(o.of(m)), "class-shares")
		if takes := m.spec.Name != logistic.Spec.Name && m.spec.Name != kernelridge.Spec.Name && m.learns(); takes != (rule != nil) || takes && rule.String() != string(o.ClassShares) {
			t.Errorf("%s has the class shares %v", m.spec.Name, rule)
		}
	}
	if bad := (&Options{ClassShares: "half"}); !errors.Is(bad.Validate(), fs.ErrInvalid) {
		t.Errorf("%q is taken", bad.ClassShares)
	}
}

// A committee says by which shares of the classes its members decide, if these are asked for or are
// not those of the labels.
func TestSaysTheShares(t *testing.T) {
	x, _, known := blobs(150)
	members := strings.Join(Names(), ",")
	lines := func(rule shares.Rule, known []int) (list []string) {
		fitted := must.Get(Spec.Fit(context.Background(), &Options{ClassShares: rule, Members: members}, input(x, known)))(t)
		for _, f := range fitted.Facts {
			if f.Line == "shares" {
				list = append(list, f.Words)
			}
		}
		return list
	}
	for _, rule := range []shares.Rule{shares.Auto, shares.Labels, ""} {
		if list := lines(rule, known); list != nil {
			t.Errorf("%q, as the labels: %q", rule, list)
		}
	}
	if list := lines("a=0.5,b=0.3,c=0.2", known); len(list) != 1 || list[0] != "a 50 %, b 30 %, c 20 %, as given (label-propagation, semi-ldc, tsvm)" {
		t.Errorf("shares given: %q", list)
	}
	if list := lines(shares.Estimated, known); list == nil || !strings.Contains(list[0], "estimated from the documents (label-propagation") {
		t.Errorf("shares estimated: %q", list)
	}
	few := slices.Repeat([]int{-1}, 150)
	for i := range 3 { // a label of each class is no estimate
		few[i] = known[10*i]
	}
	if list := lines(shares.Estimated, few); list == nil || !strings.Contains(list[0], shares.AsLabels) {
		t.Errorf("estimates of one label each: %q", list)
	}
}

// A cluster has the class of most of its known labels, whatever label propagation says; that
// decides between classes of as many, and where there are none.
func TestNamesOfClusters(t *testing.T) {
	clusters := []int{0, 0, 0, 0, 1, 1, 1, 2, 2, -1}
	known := []int{0, 0, 1, -1, 0, 1, -1, -1, -1, -1}
	carried := mat.NewDense(10, 2, nil)
	for i, p := range []float64{1, 1, 0, 0, 1, 0, 0.4, 0.3, 0.6, 0} { // of class 0
		carried.SetRow(i, []float64{p, 1 - p})
	}
	if got := names(clusters, known, carried); !slices.Equal(got, []int{0, 1, 1}) {
		t.Errorf("clusters are of the classes %v", got)
	}
}

// blobs are n points of three classes in six columns, and the labels of every tenth.
func blobs(n int) (x *mat.Dense, truth, known []int) {
	x = mat.NewDense(n, 6, nil)
	state := uint64(7)
	for i := range n {
		truth, known = append(truth, i%3), append(known, -1)
		if i%10 == 0 {
			known[i] = i % 3
		}
		for j := range 6 {
			state = state*6364136223846793005 + 1442695040888963407
			x.Set(i, j, float64(state>>40)/(1<<24))
		}
		x.Set(i, i%3, x.At(i, i%3)+0.8)
	}
	return x, truth, known
}

func input(x *mat.Dense, known []int) *method.Input {
	return &method.Input{X: x, Clusters: 3, Seed: 1, Given: &method.Given{Labels: known, Names: []string{"a", "b", "c"}}}
}

// The committee is what its members give by themselves, counted, and says who voted.
func TestFitIsTheVotesOfItsMembers(t *testing.T) {
	x, truth, known := blobs(150)
	in := input(x, known)
	all := must.Get(Spec.Fit(context.Background(), new(Options), in))(t)
	found := map[string]*method.Clusters{}
	for _, m := range members {
		_, clusters, err := m.fit(context.Background(), new(Options), in)
		if err != nil {
			t.Fatal(err)
		}
		found[m.spec.Name] = clusters
	}
	votes := must.Get(Votes(found, known, 3, nil))(t)
	want, labels := Count(votes, new(Options).weights(false))
	if keep(want, labels, known); !mat.Equal(want, all.Clusters.Posterior) || !slices.Equal(labels, all.Clusters.Labels) {
		t.Error("the shares are not those of the members")
	}
	if got := all.Used.(*Options).Members; got != "label-propagation=1,semi-ldc=0.5,tsvm=0.5,logistic=0.5,kernel-ridge=1,diffusion=1" {
		t.Errorf("the options name the members %v", got)
	}
	right := 0
	for i, k := range all.Clusters.Labels {
		if k == truth[i] {
			right++
		}
		if known[i] >= 0 && k != known[i] {
			t.Errorf("document %d has lost its label", i)
		}
	}
	if right < 120 {
		t.Errorf("%d of 150 documents are right", right)
	}
	if f := all.Facts[0]; f.ID != "unanimous" || !(f.Value.(float64) > 0.3 && f.Value.(float64) < 1) {
		t.Errorf("fact %+v", f)
	}
	whole, err := Spec.Fit(context.Background(), new(Options), input(x, truth))
	if err != nil || len(whole.Facts) != 1 || !slices.Equal(whole.Clusters.Labels, truth) {
		t.Errorf("with all labels known: %v, %+v", err, whole.Facts)
	}
	part, err := Spec.Fit(context.Background(), &Options{Members: "diffusion"}, in)
	if err != nil || mat.Equal(part.Clusters.Posterior, want) {
		t.Errorf("%v: a part of the members has the shares of all", err)
	}
}

// Kernel ridge votes on dense rows, on which the linear members have half a vote, and on sparse
// ones where it is named.
func TestMembersSuitTheRows(t *testing.T) {
	x, _, known := blobs(60)
	terms := must.Get(sparse.FromMatrix(x))(t)
	for _, c := range []struct {
		data    mat.Matrix
		members string
		counts  map[string]float64
	}{
		{x, "", map[string]float64{"label-propagation": 1, "semi-ldc": 0.5, "tsvm": 0.5, "logistic": 0.5, "kernel-ridge": 1, "diffusion": 1}},
		{terms, "", map[string]float64{"label-propagation": 1, "semi-ldc": 1, "tsvm": 1, "logistic": 1, "diffusion": 1}},
		{terms, "kernel-ridge", map[string]float64{"label-propagation": 1, "kernel-ridge": 1}},
		{x, "tsvm", map[string]float64{"label-propagation": 1, "tsvm": 1}},
	} {
		in := input(x, known)
		in.X = c.data
		fitted := must.Get(Spec.Fit(context.Background(), &Options{Members: c.members}, in))(t)
		p := fitted.Placer.(*Placer)
		if !maps.Equal(p.Weights, c.counts) || (p.Kernel != nil) != (c.counts["kernel-ridge"] > 0) {
			t.Errorf("%T, members %q: weights %v", c.data, c.members, p.Weights)
		}
	}
}

// A model's file whose parts do not fit each other is refused.
func TestDamagedPartsAreRefused(t *testing.T) {
	x, _, known := blobs(60)
	fitted := must.Get(Spec.Fit(context.Background(), &Options{Members: strings.Join(Names(), ",")}, input(x, known)))(t)
	of := model.Frame{Documents: 60, Columns: 6, Clusters: 3}
	p := fitted.Placer.(*Placer)
	must.Do(t, p.Check(of))
	for name, damage := range map[string]func(*Placer){
		"centres":     func(p *Placer) { p.Centers = nil },
		"wide":        func(p *Placer) { p.Centers = mat.NewDense(3, 7, nil) },
		"weights":     func(p *Placer) { p.Weights = map[string]float64{"label-propagation": 1, "gmm": 1} },
		"no carrier":  func(p *Placer) { p.Weights = map[string]float64{"diffusion": 1} },
		"groups":      func(p *Placer) { p.Groups = p.Groups[1:] },
		"class":       func(p *Placer) { p.Groups = append([]int{3}, p.Groups[1:]...) },
		"machines":    func(p *Placer) { m := *p.Machines; m.Bias = m.Bias[1:]; p.Machines = &m },
		"kernel":      func(p *Placer) { k := *p.Kernel; k.Machines.Support = nil; p.Kernel = &k },
		"propagation": func(p *Placer) { p.Carried.Scores = nil },
	} {
		own := *p
		if damage(&own); !errors.Is(own.Check(of), fs.ErrInvalid) {
			t.Errorf("%s: a damaged part is taken", name)
		}
	}
}

// The options that a fit reports give the same shares again, and blanks between members are none.
func TestOptionsUsedRepeatTheFit(t *testing.T) {
	x, _, known := blobs(60)
	first := must.Get(Spec.Fit(context.Background(), &Options{Members: " tsvm = 2.123456, diffusion"}, input(x, known)))(t)
	again, err := Spec.Fit(context.Background(), first.Used, input(x, known))
	if err != nil || !mat.Equal(first.Clusters.Posterior, again.Clusters.Posterior) {
		t.Errorf("%q gives other shares: %v", first.Used.(*Options).Members, err)
	}
}

// One member is no committee, and the error does not blame the data.
func TestOneMemberIsRefused(t *testing.T) {
	err := (&Options{Members: "label-propagation=2"}).Validate()
	if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "no committee") {
		t.Error(err)
	}
}

// stuck are options of a method that does not converge.
type stuck struct{ method.Options }

func (stuck) Fit(context.Context, *method.Input) (*method.Fitted, error) {
	return nil, &method.NotConvergedError{Err: errors.New("it did not converge")}
}

// A member that does not converge is left out, with a note; one that is named ends the fit.
func TestMemberThatDoesNotConverge(t *testing.T) {
	at := slices.IndexFunc(members, func(m member) bool { return m.spec.Name == "logistic" })
	defer func(was func(*Options) method.Options) { members[at].options = was }(members[at].options)
	members[at].options = func(*Options) method.Options { return stuck{members[at].spec.New()} }
	x, _, known := blobs(60)
	in, notes := input(x, known), ""
	in.Observer = func(e progress.Event) { notes += e.Message }
	fitted, err := Spec.Fit(context.Background(), new(Options), in)
	if err != nil || strings.Contains(fitted.Used.(*Options).Members, "logistic") || !strings.Contains(notes, "logistic does not vote: it did not converge") {
		t.Errorf("%v, notes %q", err, notes)
	}
	if _, err := Spec.Fit(context.Background(), &Options{Members: "tsvm,logistic"}, in); err == nil {
		t.Error("a member that was named is left out")
	}
}

// What is wrong with several parts of a model is said in one order.
func TestFaultsComeInOneOrder(t *testing.T) {
	p := &Placer{Weights: map[string]float64{"label-propagation": 1}, Machines: new(svm.Placer), Regression: new(logistic.Placer), Discriminants: new(semildc.Placer)}
	first := p.Check(model.Frame{Documents: 60, Columns: 6, Clusters: 3}).Error()
	for range 50 {
		if got := p.Check(model.Frame{Documents: 60, Columns: 6, Clusters: 3}).Error(); got != first {
			t.Fatalf("%s\nand\n%s", first, got)
		}
	}
}
