package eigenmap_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"gonum.org/v1/gonum/mat"
)

// TestAnswersAndWalks: small whole numbers, of which few rows differ, are counted once by methods
// of the neighbour graph, so that groups of them are found and noise is weak evidence; so are the
// groups that a random walk falls into.
func TestAnswersAndWalks(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	ages, answers, walk := mat.NewDense(600, 2, nil), mat.NewDense(600, 2, nil), mat.NewDense(600, 2, nil)
	for i := range 600 {
		at := []float64{22, 60}[i*7%13%2]
		for j := range 2 {
			ages.Set(i, j, math.Round(at+2*r.NormFloat64()))
			answers.Set(i, j, float64(1+r.IntN(5)))
			walk.Set(i, j, r.NormFloat64())
			if i > 0 {
				walk.Set(i, j, walk.At(i, j)+walk.At(i-1, j))
			}
		}
	}
	for name, c := range map[string]struct {
		x      *mat.Dense
		k      int // 0: any, of weak evidence
		most   int
		copies bool
	}{"ages of two groups": {ages, 2, 2, true}, "answers": {answers, 0, 8, true}, "a walk": {walk, 0, 40, false}} {
		run := searched(t, c.x, "diffusion", "clusters", "auto")
		s := run.Search
		if (s.Evidence == choosek.Weak) != (c.k == 0) || c.k > 0 && s.Clusters != c.k || s.Clusters > c.most {
			t.Errorf("%s: %d, %s: %s", name, s.Clusters, s.Evidence, s.Because)
		}
		if (run.Duplicates() != nil) != c.copies {
			t.Errorf("%s: duplicates %v", name, run.Duplicates())
		}
	}
}

// lights are displays of seven lights that show a digit, each light wrong in one of ten.
func lights(n int) *corpus.Corpus {
	shapes := strings.Fields("1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011")
	r := rand.New(rand.NewPCG(3, 8))
	x := mat.NewDense(n, 7, nil)
	c := &corpus.Corpus{Name: "lights", X: x, Labels: make([]int, n), ClassNames: strings.Split("0123456789", "")}
	for i := range n {
		c.Labels[i] = r.IntN(10)
		for j, light := range shapes[c.Labels[i]] {
			if on := light == '1'; on != (r.IntN(10) == 0) {
				x.Set(i, j, 1)
			}
		}
	}
	return c
}

// TestAnswersCountAsOftenAsTheyOccur: where most different rows of a table occur again, how often
// they do is the density of the data, and clusters lie where rows are frequent; all equal rows are
// in one cluster. Copies of a few rows among rows that differ do not count.
func TestAnswersCountAsOftenAsTheyOccur(t *testing.T) {
	c := lights(1000)
	opt := eigenmap.Options{Method: "diffusion", Clusters: 10}
	set(t, &opt, "duplicates", "once")
	run := fitted(t, c, opt)
	if d := run.Duplicates(); d == nil || d.Copies < 800 || run.Scores.Accuracy < 0.65 {
		t.Errorf("accuracy %.3f, copies %v", run.Scores.Accuracy, d)
	}
	unsaid := fitted(t, c, eigenmap.Options{Method: "diffusion", Clusters: 10})
	cluster, size := map[string]int{}, make([]int, 10)
	for i, k := range run.Labels {
		row := digits(c.X.(*mat.Dense).RawRowView(i))
		if first, seen := cluster[row]; seen && first != k {
			t.Fatalf("equal rows are in the clusters %d and %d", first, k)
		}
		if cluster[row] = k; unsaid.Labels[i] != k {
			t.Fatalf("row %d is in %d where ‹duplicates› is once, and in %d", i, k, unsaid.Labels[i])
		}
		size[k]++
	}
	for k := range size {
		if size[k] != run.Sizes[k] || k > 0 && size[k] > size[k-1] {
			t.Errorf("cluster %d has %d documents, of %v", k, size[k], run.Sizes)
		}
	}
	if notes := strings.Join(run.Notes(), " "); !strings.Contains(notes, "count as often as they occur") || strings.Contains(notes, "Repeated texts") {
		t.Errorf("notes %s", notes)
	}

	few := mat.NewDense(400, 2, nil) // 300 of them equal three rows
	r := rand.New(rand.NewPCG(1, 4))
	for i := range 400 {
		for j := range 2 {
			few.Set(i, j, float64(i%3+3*j))
			if i < 100 {
				few.Set(i, j, r.NormFloat64())
			}
		}
	}
	run = fitted(t, &corpus.Corpus{Name: "few", X: few}, eigenmap.Options{Method: "diffusion", Clusters: 3})
	if notes := strings.Join(run.Notes(), " "); run.Duplicates() == nil || strings.Contains(notes, "as often as they occur") {
		t.Errorf("copies of three rows: %s", notes)
	}
}

// digits are the values of a row of zeros and ones.
func digits(row []float64) string {
	var text []byte
	for _, v := range row {
		text = append(text, byte('0'+int(v)))
	}
	return string(text)
}

// TestGroupsBesideOutliers: a few rows far from all others make a gap of the graph's eigenvalues,
// as groups do; they are no clusters, and the groups are found. They hid all gaps, so that
// communities decided.
func TestGroupsBesideOutliers(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	const n = 1200
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		at := [][]float64{{0, 0}, {9, 0}, {0, 9}}[i*7%11%3]
		if i%150 == 149 { // four rows each
			at = [][]float64{{200, 200}, {-150, 90}}[i/150%2]
		}
		x.SetRow(i, []float64{at[0] + r.NormFloat64(), at[1] + r.NormFloat64()})
	}
	run := searched(t, x, "diffusion", "clusters", "auto")
	s := run.Search
	if s.Clusters != 3 || !s.ByGap || !strings.Contains(s.Because, "too small for a cluster") {
		t.Errorf("%d clusters, %s: %s", s.Clusters, s.Evidence, s.Because)
	}
	for _, size := range run.Sizes {
		if size < n/5 {
			t.Errorf("clusters of %v", run.Sizes)
		}
	}
}
