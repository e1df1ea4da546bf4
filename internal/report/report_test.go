package report

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// blobs returns points around k centres in d dimensions, with their labels.
func blobs(n, d, k int, seed uint64) (*mat.Dense, []int) {
	r := rand.New(rand.NewPCG(seed, 0))
	centers := mat.NewDense(k, d, nil)
	for i := range k {
		for j := range d {
			centers.Set(i, j, 5*r.NormFloat64())
		}
	}
	x := mat.NewDense(n, d, nil)
	labels := make([]int, n)
	for i := range n {
		labels[i] = i % k
		for j := range d {
			x.Set(i, j, centers.At(i%k, j)+r.NormFloat64())
		}
	}
	return x, labels
}

// TestViewIsTheBestPlane: three centres span a plane, and the view keeps their distances.
func TestViewIsTheBestPlane(t *testing.T) {
	x, labels := blobs(300, 8, 3, 1)
	px, py, ok := View(x, labels, 3, false)
	if !ok {
		t.Fatal("no plane")
	}
	full, flat := mat.NewDense(3, 8, nil), mat.NewDense(3, 2, nil)
	for i, l := range labels {
		for j := range 8 {
			full.Set(l, j, full.At(l, j)+x.At(i, j)/100)
		}
		flat.Set(l, 0, flat.At(l, 0)+px[i]/100)
		flat.Set(l, 1, flat.At(l, 1)+py[i]/100)
	}
	for a := range 3 {
		for b := range a {
			var d, e mat.VecDense
			d.SubVec(full.RowView(a), full.RowView(b))
			e.SubVec(flat.RowView(a), flat.RowView(b))
			if want, got := mat.Norm(&d, 2), mat.Norm(&e, 2); math.Abs(got-want) > 1e-9*want {
				t.Errorf("centres %d and %d are %v apart, in the plane %v", a, b, want, got)
			}
		}
	}
}

// TestViewSparseAndDense: the view does not depend on the storage or on an added constant.
func TestViewSparseAndDense(t *testing.T) {
	x, labels := blobs(120, 6, 4, 2)
	for _, unit := range []bool{false, true} {
		s := must.Get(sparse.FromMatrix(x))(t)
		ax, ay, _ := View(x, labels, 4, unit)
		bx, by, _ := View(s, labels, 4, unit)
		if !slices.Equal(ax, bx) || !slices.Equal(ay, by) {
			t.Errorf("unit %v: sparse and dense rows give different pictures", unit)
		}
	}
}

// TestViewOfTwoClusters: the first axis joins the centres, the second is the direction of largest
// variance orthogonal to it.
func TestViewOfTwoClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	n := 400
	x := mat.NewDense(n, 3, nil)
	labels := make([]int, n)
	for i := range n {
		labels[i] = i % 2
		x.SetRow(i, []float64{float64(20 * labels[i]), r.NormFloat64(), 4 * r.NormFloat64()})
	}
	px, py, ok := View(x, labels, 2, false)
	if !ok {
		t.Fatal("no plane")
	}
	spread := 0.0
	for i := range n {
		if (px[i] > 0) != (px[labels[i]] > 0) {
			t.Fatal("the first axis does not part the clusters")
		}
		spread += py[i] * py[i] / float64(n)
	}
	if spread < 12 { // the variance of the widest direction is near 16, of the other 1
		t.Errorf("the second axis has variance %v", spread)
	}
}

func TestNoView(t *testing.T) {
	same := mat.NewDense(4, 2, []float64{1, 1, 1, 1, 1, 1, 1, 1})
	if _, _, ok := View(same, []int{0, 0, 1, 1}, 2, false); ok {
		t.Error("equal points have a plane")
	}
	if _, _, ok := View(same, []int{0, 0, 0, 0}, 1, false); ok {
		t.Error("one cluster has a plane")
	}
}

func TestClampMovesOnlyTheFar(t *testing.T) {
	v := make([]float64, 1000)
	for i := range v {
		v[i] = float64(i) / 1000
	}
	v[0], v[999] = -50, 70
	before := slices.Clone(v)
	if moved := Clamp(v, 0.99); moved != 2 {
		t.Errorf("moved %d, want 2", moved)
	}
	if !slices.Equal(v[1:999], before[1:999]) || v[0] < -1 || v[999] > 2 {
		t.Errorf("ends are %v and %v", v[0], v[999])
	}
}

// TestThreadsDrawTheSame: the same input gives the same picture.
func TestThreadsDrawTheSame(t *testing.T) {
	x, labels := blobs(500, 2, 40, 4)
	p := Panel{Title: "by cluster", X: mat.Col(nil, 0, x), Y: mat.Col(nil, 1, x), Group: labels, Names: make([]string, 40)}
	for i := range p.Names {
		p.Names[i] = strings.Repeat("long name ", 9)
	}
	each, a, err := Scatter(t.Context(), p, p)
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := Scatter(t.Context(), p, p)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Error("two drawings differ")
	}
	alone, one, err := Scatter(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one, each[1]) || !bytes.Equal(one, alone[0]) {
		t.Error("the panel alone and beside another differ")
	}
	wide := must.Get(png.DecodeConfig(bytes.NewReader(a)))(t)
	narrow, err := png.DecodeConfig(bytes.NewReader(one))
	if err != nil || narrow.Width >= wide.Width || narrow.Height != wide.Height {
		t.Errorf("one panel is %d×%d, two are %d×%d, %v", narrow.Width, narrow.Height, wide.Width, wide.Height, err)
	}
}

// Points whose coordinates are equal, and so far from 0 that one more or less is lost, are drawn.
func TestScatterOfEqualCoordinates(t *testing.T) {
	for _, at := range []float64{0, 1, -1e22, 1e300} {
		p := Panel{Title: "by cluster", X: []float64{1, 2, 3}, Y: []float64{at, at, at}, Group: []int{0, 1, 1}, Names: []string{"a", "b"}}
		if _, _, err := Scatter(t.Context(), p); err != nil {
			t.Errorf("%v: %v", at, err)
		}
	}
}

// TestBeside: panels drawn one by one and put side by side are the picture that one canvas gives.
func TestBeside(t *testing.T) {
	x, labels := blobs(3000, 2, 12, 4)
	p := Panel{Title: "by cluster", X: mat.Col(nil, 0, x), Y: mat.Col(nil, 1, x), Group: labels, Names: make([]string, 12)}
	for i := range p.Names {
		p.Names[i] = strings.Repeat("WWW ", 9)
	}
	q := p
	q.Title, q.X, q.Y = "by class", p.Y, p.X
	want := must.Get(drawPanels(p, q, p))(t)
	var drawn []*image.RGBA
	for _, panel := range []Panel{p, q, p} {
		d := must.Get(drawPanels(panel))(t)
		drawn = append(drawn, d)
	}
	got := beside(drawn)
	if got.Bounds() != want.Bounds() {
		t.Fatalf("bounds are %v, want %v", got.Bounds(), want.Bounds())
	}
	different := 0
	for i, v := range want.Pix {
		// Places on the wider canvas are rounded a little otherwise.
		if d := int(v) - int(got.Pix[i]); d > 8 || d < -8 {
			different++
		}
	}
	if different > 0 {
		t.Errorf("%d of %d values differ", different, len(want.Pix))
	}
}

// TestColorsDiffer: the first hundred groups have different colours.
func TestColorsDiffer(t *testing.T) {
	seen := make(map[string]int)
	for i := range 100 {
		c := hex(Color(i))
		if j, twice := seen[c]; twice {
			t.Errorf("groups %d and %d are both %s", j, i, c)
		}
		seen[c] = i
	}
}

// TestPageOfNothing: every part may be missing.
func TestPageOfNothing(t *testing.T) {
	for _, p := range []*Page{
		{Title: "nothing"},
		{Title: "zeros", Spectrum: []float64{0, 0}, Clusters: []Cluster{{Size: 0}}},
		{Title: "gaps", Spectrum: []float64{math.NaN(), math.Inf(1), 0.5}},
	} {
		var b bytes.Buffer
		if err := Write(&b, p); err != nil {
			t.Errorf("%s: %v", p.Title, err)
		}
		if text, _, _ := strings.Cut(b.String(), "<script"); strings.Contains(text, "NaN") || strings.Contains(text, "ZgotmplZ") {
			t.Errorf("%s: the page holds what it should not", p.Title)
		}
	}
}
