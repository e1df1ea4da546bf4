package metrics

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"pgregory.net/rapid"
)

const eps = 1e-12

func near(a, b float64) bool { return math.Abs(a-b) <= eps }

// labeling draws n labels from a small set, so that coincidences and ties are common.
func labeling(t *rapid.T, n, k int, name string) []int {
	return rapid.SliceOfN(rapid.IntRange(0, k-1), n, n).Draw(t, name)
}

func score(t testing.TB, truth, predicted []int) Scores {
	t.Helper()
	s := must.Get(Score(truth, predicted))(t)
	return s
}

func (s Scores) all() []float64 {
	return []float64{s.Accuracy, s.NMI, s.ARI, s.FMI, s.Purity, s.FMeasure, s.MacroF1}
}

func TestClosedForms(t *testing.T) {
	// Two classes of 3; clusters {0,0,1} and {1,1,0}: n_ij = 2 1 / 1 2.
	h := func(p float64) float64 { return -p*math.Log2(p) - (1-p)*math.Log2(1-p) }
	for _, c := range []struct {
		name             string
		truth, predicted []int
		want             Scores
	}{
		{"2 1 / 1 2", []int{0, 0, 0, 1, 1, 1}, []int{7, 7, 9, 9, 9, 7},
			// 15 pairs, 6 in a class, 6 in a cluster, 2 in both; expected 6·6/15 = 2.4.
			Scores{4. / 6, 1 - h(1./3), (2 - 2.4) / (6 - 2.4), 1. / 3, 4. / 6, 1. / 3, 2. / 3}},
		{"one class split in two", []int{5, 5, 5, 5}, []int{1, 1, 2, 2},
			// MacroF1: the second cluster remains and counts for its majority class.
			Scores{0.5, 0, 0, math.Sqrt(2. / 6), 1, 2 * 2. / 8, 1}},
		{"two classes in one cluster", []int{1, 1, 1, 2}, []int{0, 0, 0, 0},
			Scores{0.75, 0, 0, math.Sqrt(3. / 6), 0.75, 2 * 3. / 9, (2*3./7 + 0) / 2}},
		{"same partition, other names", []int{3, 3, 8, 0}, []int{-4, -4, 0, 100}, Scores{1, 1, 1, 1, 1, 1, 1}},
		{"both constant", []int{1, 1}, []int{4, 4}, Scores{1, 1, 1, 1, 1, 1, 1}},
		{"both singletons", []int{1, 2, 3}, []int{9, 8, 7}, Scores{1, 1, 1, 1, 1, 1, 1}},
		{"one row", []int{1}, []int{0}, Scores{1, 1, 1, 1, 1, 1, 1}},
		{"singletons against one class", []int{0, 0, 0}, []int{0, 1, 2}, Scores{1. / 3, 0, 0, 0, 1, 0, 1}},
		{"one cluster against singletons", []int{0, 1, 2}, []int{0, 0, 0}, Scores{1. / 3, 0, 0, 0, 1. / 3, 0, (2 * 1. / 4) / 3}},
		{"unlabelled rows left out", []int{0, -1, 0, 1, -7}, []int{1, 1, 1, 0, 2}, Scores{1, 1, 1, 1, 1, 1, 1}},
	} {
		got, want := score(t, c.truth, c.predicted).all(), c.want.all()
		for i := range want {
			if !near(got[i], want[i]) {
				t.Errorf("%s: scores %v, want %v", c.name, got, want)
				break
			}
		}
	}
}

// TestNMIHalves: truth in four equal classes (2 bits), clusters merging them in pairs (1 bit).
func TestNMIHalves(t *testing.T) {
	if s := score(t, []int{0, 1, 2, 3}, []int{0, 0, 1, 1}); !near(s.NMI, 0.5) {
		t.Errorf("NMI = %v, want MI/max(H) = 1/2", s.NMI)
	}
}

// TestPairScoresByCounting compares with the definitions over all O(n²) pairs.
// The geometric norm by its definition in natural logarithms: never below the NMI with the larger
// entropy, equal to it for equal margins, symmetric.
func TestGeometricNMI(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		a, b := labeling(t, n, 4, "a"), labeling(t, n, 5, "b")
		share := func(hit func(i int) bool) float64 {
			c := 0
			for i := range n {
				if hit(i) {
					c++
				}
			}
			return float64(c) / float64(n)
		}
		var mi, ha, hb float64
		for x := range 4 {
			p := share(func(i int) bool { return a[i] == x })
			if p > 0 {
				ha -= p * math.Log(p)
			}
			for y := range 5 {
				q, both := share(func(i int) bool { return b[i] == y }), share(func(i int) bool { return a[i] == x && b[i] == y })
				if both > 0 {
					mi += both * math.Log(both/(p*q))
				}
			}
		}
		for y := range 5 {
			if q := share(func(i int) bool { return b[i] == y }); q > 0 {
				hb -= q * math.Log(q)
			}
		}
		want := 1.0
		switch {
		case ha > 0 && hb > 0:
			want = mi / math.Sqrt(ha*hb)
		case ha > 0 || hb > 0:
			want = 0
		}
		table := must.Get(NewTable(a, b))(t)
		got := table.GeometricNMI()
		if math.Abs(got-want) > 1e-10 || got < table.Scores().NMI-1e-12 || got > 1 {
			t.Errorf("%v, want %v; by the larger entropy %v", got, want, table.Scores().NMI)
		}
		other := must.Get(NewTable(b, a))(t)
		if math.Abs(other.GeometricNMI()-got) > 1e-12 {
			t.Errorf("%v the other way, %v", other.GeometricNMI(), got)
		}
	})
	if got := new(Table).GeometricNMI(); got != 0 {
		t.Errorf("no rows: %v", got)
	}
}

func TestPairScoresByCounting(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 25).Draw(t, "n")
		a, b := labeling(t, n, 4, "a"), labeling(t, n, 5, "b")
		var tp, fp, fn, tn float64
		for i := range a {
			for j := range i {
				switch {
				case a[i] == a[j] && b[i] == b[j]:
					tp++
				case b[i] == b[j]:
					fp++
				case a[i] == a[j]:
					fn++
				default:
					tn++
				}
			}
		}
		s := must.Get(Score(a, b))(t)
		if tp+fp > 0 && tp+fn > 0 {
			precision, recall := tp/(tp+fp), tp/(tp+fn)
			if !near(s.FMI, math.Sqrt(precision*recall)) {
				t.Fatalf("FMI %v, counted %v", s.FMI, math.Sqrt(precision*recall))
			}
			if tp > 0 && !near(s.FMeasure, 2*precision*recall/(precision+recall)) {
				t.Fatalf("F %v", s.FMeasure)
			}
		}
		// ARI computed from the pair confusion matrix.
		if den := (tp+fn)*(fn+tn) + (tp+fp)*(fp+tn); den > 0 {
			if want := 2 * (tp*tn - fn*fp) / den; !near(s.ARI, want) {
				t.Fatalf("ARI %v, counted %v", s.ARI, want)
			}
		}
	})
}

func TestBoundsAndSelfAgreement(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		a, b := labeling(t, n, 6, "a"), labeling(t, n, 6, "b")
		s := must.Get(Score(a, b))(t)
		if _, err := json.Marshal(s); err != nil {
			t.Fatal(err)
		}
		for i, v := range s.all() {
			low := 0.0
			if i == 2 {
				low = -0.5
			}
			if !(v >= low && v <= 1) {
				t.Fatalf("score %d out of bounds: %v", i, s)
			}
		}
		if s.Accuracy > s.Purity+eps {
			t.Fatalf("accuracy %v above purity %v", s.Accuracy, s.Purity)
		}
		self := must.Get(Score(a, a))(t)
		for i, v := range self.all() {
			if !near(v, 1) {
				t.Fatalf("score %d of a labeling with itself is %v", i, v)
			}
		}
		// NMI, ARI, FMI, F and accuracy are symmetric.
		r := must.Get(Score(b, a))(t)
		if !near(r.Accuracy, s.Accuracy) || !near(r.NMI, s.NMI) || !near(r.ARI, s.ARI) || !near(r.FMI, s.FMI) || !near(r.FMeasure, s.FMeasure) {
			t.Fatalf("not symmetric: %v, %v", s, r)
		}
	})
}

func TestClusterNumbersDoNotMatter(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 24).Draw(t, "n")
		truth, predicted := labeling(t, n, 4, "truth"), labeling(t, n, 5, "predicted")
		names := rapid.Permutation([]int{-3, 0, 2, 77, 5}).Draw(t, "names")
		renamed := make([]int, n)
		for i, p := range predicted {
			renamed[i] = names[p]
		}
		a := must.Get(Score(truth, predicted))(t)
		b := must.Get(Score(truth, renamed))(t)
		for i, v := range a.all() {
			if !near(v, b.all()[i]) {
				t.Fatalf("score %d: %v and, renumbered, %v", i, a, b)
			}
		}
	})
}

func TestMacroF1ByDefinition(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 24).Draw(t, "n")
		tab := must.Get(NewTable(labeling(t, n, 4, "truth"), labeling(t, n, 6, "predicted")))(t)
		to := tab.Assignment()
		sum := 0.0
		for i := range tab.Classes {
			var tp, fp, fn float64
			for j := range tab.Clusters {
				cls := to[j]
				if cls < 0 {
					cls = tab.majority(j)
				}
				for r := range tab.Classes {
					v := float64(tab.Counts[r][j])
					switch {
					case r == i && cls == i:
						tp += v
					case cls == i:
						fp += v
					case r == i:
						fn += v
					}
				}
			}
			if tp > 0 {
				p, r := tp/(tp+fp), tp/(tp+fn)
				sum += 2 * p * r / (p + r)
			}
		}
		if got := tab.Scores().MacroF1; !near(got, sum/float64(len(tab.Classes))) {
			t.Fatalf("macro-F1 %v, by precision and recall %v", got, sum/float64(len(tab.Classes)))
		}
	})
}

// TestLargeCounts: ten million rows in a table must not overflow; two equal halves give known pair
// counts.
func TestLargeCounts(t *testing.T) {
	const h = 5_000_000
	s := (&Table{Counts: [][]int{{h, 0}, {0, h}}}).Scores()
	for i, v := range s.all() {
		if !near(v, 1) {
			t.Errorf("score %d = %v, want 1", i, v)
		}
	}
	s = (&Table{Counts: [][]int{{h, h}, {h, h}}}).Scores()
	if !near(s.NMI, 0) || math.Abs(s.ARI) > 1e-6 || !near(s.Accuracy, 0.5) || math.Abs(s.FMI-0.5) > 1e-6 {
		t.Errorf("independent halves: %+v", s)
	}
}

func TestEmptyTableScoresZero(t *testing.T) {
	for _, tab := range []*Table{{}, {Counts: [][]int{{}}}, {Counts: [][]int{{0, 0}}}} {
		if s := tab.Scores(); s != (Scores{}) {
			t.Errorf("%v: %+v", tab, s)
		}
	}
}

func TestErrors(t *testing.T) {
	many := make([]int, 10_000)
	for i := range many {
		many[i] = i
	}
	for name, c := range map[string][2][]int{
		"lengths":    {{1, 2}, {1}},
		"empty":      {{}, {}},
		"unlabelled": {{-1, -1}, {0, 1}},
		"cells":      {many, many},
	} {
		if _, err := Score(c[0], c[1]); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: error %v, want one that is fs.ErrInvalid", name, err)
		}
	}
}

func BenchmarkScore(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	truth, predicted := make([]int, 100_000), make([]int, 100_000)
	for i := range truth {
		truth[i], predicted[i] = rng.IntN(1000), rng.IntN(1000)
	}
	for b.Loop() {
		if _, err := Score(truth, predicted); err != nil {
			b.Fatal(err)
		}
	}
}

// TestScoresAs: three classes of 2, 2 and 1 rows; clusters named 0, 1 and 5. By name 3 of 5 rows
// are right, although an assignment finds 4.
func TestScoresAs(t *testing.T) {
	table := must.Get(NewTable([]int{0, 0, 1, 1, 2}, []int{0, 0, 1, 5, 5}))(t)
	s := table.ScoresAs(table.ByLabel())
	// Class 0: 2·2/(2+2) = 1; class 1: 2·1/(2+1); class 2: no row was given to it.
	if want := (1 + 2./3) / 3; !near(s.Accuracy, 0.6) || !near(s.MacroF1, want) {
		t.Errorf("by name accuracy %v and macro-F1 %v, want 0.6 and %v", s.Accuracy, s.MacroF1, want)
	}
	free := table.Scores()
	if !near(free.Accuracy, 0.8) {
		t.Errorf("by assignment %v", free.Accuracy)
	}
	s.Accuracy, s.MacroF1 = free.Accuracy, free.MacroF1
	if s != free {
		t.Errorf("other scores depend on names: %+v, %+v", s, free)
	}
}

// TestByLabelNeverAboveAssignment: naming by label never has more right rows than the best
// assignment.
func TestByLabelNeverAboveAssignment(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		table := must.Get(NewTable(labeling(t, n, 5, "truth"), labeling(t, n, 6, "predicted")))(t)
		named, free := table.ScoresAs(table.ByLabel()), table.Scores()
		if named.Accuracy > free.Accuracy || named.MacroF1 < 0 || named.MacroF1 > 1 {
			t.Fatalf("named %+v, assigned %+v", named, free)
		}
	})
}

// A cluster that no class is left for counts for its majority class, of two equal ones the lower.
func TestMajorityTie(t *testing.T) {
	tab := must.Get(NewTable([]int{0, 0, 0, 0, 1, 1, 0, 1}, []int{0, 0, 0, 0, 1, 1, 2, 2}))(t)
	if got := tab.majority(2); got != 0 {
		t.Errorf("one row of each class: majority %d, want 0", got)
	}
	// Class 0: 5 right of 6 in its clusters, 5 in all. Class 1: 2 of 2, 3 in all.
	if got, want := tab.Scores().MacroF1, (10./11+4./5)/2; !near(got, want) {
		t.Errorf("macro-F1 %v, want %v", got, want)
	}
}
