package nystrom_test

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/methods/cle"
	"github.com/eigenmap/eigenmap/methods/diffusion"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/methods/semile"
	"github.com/eigenmap/eigenmap/methods/spectral"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// landmarked is one of the methods with landmarks, and the input that it needs.
type landmarked struct {
	spec method.Spec
	with func(landmarks int) method.Options
	in   method.Input
}

// landmarkedMethods are the methods on rows x of the given classes. Every eleventh document has a
// label, or a must-link to the labelled one of its class before.
func landmarkedMethods(t *testing.T, x mat.Matrix, truth []int, classes int) map[string]landmarked {
	t.Helper()
	given := &method.Given{Labels: slices.Repeat([]int{labels.Unknown}, len(truth)), Names: []string{"a", "b", "c", "d", "e", "f"}[:classes]}
	var list []links.Link
	last := slices.Repeat([]int{-1}, classes)
	for i := 0; i < len(truth); i += 11 {
		k := truth[i]
		given.Labels[i] = k
		if last[k] >= 0 {
			list = append(list, links.Link{A: last[k], B: i})
		}
		last[k] = i
	}
	groups := must.Get(links.Resolve(len(truth), list))(t)
	tight := eigen.Options{Tol: 1e-11}
	return map[string]landmarked{
		"le": {le.Spec, func(l int) method.Options { return &le.Options{Problem: nystrom.Problem{Landmarks: l, Eigen: tight}} }, method.Input{X: x, Clusters: classes}},
		"le, rows": {le.Spec, func(l int) method.Options {
			return &le.Options{Problem: nystrom.Problem{Landmarks: l, Eigen: tight}, NormalizeRows: true}
		},
			method.Input{X: x, Clusters: classes}},
		"semi-le": {semile.Spec, func(l int) method.Options {
			return &semile.Options{Options: le.Options{Problem: nystrom.Problem{Landmarks: l, Eigen: tight}}}
		},
			method.Input{X: x, Clusters: classes, Given: given}},
		"diffusion": {diffusion.Spec, func(l int) method.Options {
			return &diffusion.Options{Dims: classes, Problem: nystrom.Problem{Landmarks: l, Eigen: tight}}
		}, method.Input{X: x, Clusters: classes}},
		"spectral": {spectral.Spec, func(l int) method.Options {
			return &spectral.Options{Problem: nystrom.Problem{Landmarks: l, Eigen: tight}}
		}, method.Input{X: x, Clusters: classes}},
		"cle":        {cle.Spec, func(l int) method.Options { return &cle.Options{Problem: nystrom.Problem{Landmarks: l, Eigen: tight}} }, method.Input{X: x, Clusters: classes, Given: given}},
		"cle, links": {cle.Spec, func(l int) method.Options { return &cle.Options{Problem: nystrom.Problem{Landmarks: l, Eigen: tight}} }, method.Input{X: x, Clusters: classes, Links: groups}},
	}
}

func (m *landmarked) fit(t *testing.T, count int) *method.Fitted {
	t.Helper()
	in := m.in
	out := must.Get(m.spec.Fit(background, m.with(count), &in))(t)
	return out
}

// As many landmarks as documents are the fit without landmarks, bit for bit.
func TestAllDocumentsAsLandmarks(t *testing.T) {
	x, truth := documents(200, 4, 25, 0, 3)
	for name, m := range landmarkedMethods(t, x, truth, 4) {
		want, got := m.fit(t, 0), m.fit(t, 200)
		if !mat.Equal(want.Embedding, got.Embedding) || got.Landmarks != nil {
			t.Errorf("%s: 200 landmarks of 200 documents give another embedding", name)
		}
	}
}

// Landmarks have the coordinates of a fit of these documents alone, and the others those that the
// placer gives them, also after it was stored; documents with labels or links are landmarks; the
// groups of well parted documents are found.
func TestLandmarks(t *testing.T) {
	x, truth := documents(600, 4, 0, 0, 4)
	for name, m := range landmarkedMethods(t, x, truth, 4) {
		out := m.fit(t, 200)
		if n, d := out.Embedding.Dims(); n != 600 || d != 4 || len(out.Landmarks) != 200 || !slices.IsSorted(out.Landmarks) {
			t.Fatalf("%s: a %d × %d embedding by %d landmarks", name, n, d, len(out.Landmarks))
		}
		sub, drawn := m, 0
		sub.in.X = x.SelectRows(out.Landmarks)
		if g := m.in.Given; g != nil {
			sub.in.Given = &method.Given{Names: g.Names}
			for _, i := range out.Landmarks {
				sub.in.Given.Labels = append(sub.in.Given.Labels, g.Labels[i])
			}
			drawn = sub.in.Given.Count() - g.Count()
		}
		if g := m.in.Links; g != nil {
			sub.in.Links = g.Select(out.Landmarks)
			for i, k := range g.Group {
				if _, found := slices.BinarySearch(out.Landmarks, i); k >= 0 && !found {
					drawn--
				}
			}
		}
		if drawn != 0 {
			t.Errorf("%s: %d documents with labels or links are no landmarks", name, -drawn)
		}
		alone := sub.fit(t, 0)
		for at, i := range out.Landmarks {
			if !slices.Equal(alone.Embedding.RawRowView(at), out.Embedding.RawRowView(i)) {
				t.Fatalf("%s: landmark %d is not where the fit of the landmarks put it", name, i)
			}
		}
		again := place(t, x, out.Placer)
		if gap := mat.Norm(difference(again, out.Embedding), 2); gap > 1e-12*mat.Norm(out.Embedding, 2) {
			t.Errorf("%s: the placer puts the documents %g from where they are", name, gap)
		}
		part := out.Placer.(*nystrom.Extension)
		frame := model.Frame{Documents: 600, Columns: 240, Sparse: true}
		if err := part.Check(frame); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		frame.Documents = out.Landmarks[199] // the last landmark is then none of the documents
		if err := part.Check(frame); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: landmarks that are no documents: %v", name, err)
		}
		if ratio := accuracy(t, out.Embedding, truth, 4); ratio != 1 {
			t.Errorf("%s: %.3f of the documents are in the right of four groups", name, ratio)
		}
	}
}

func difference(a, b *mat.Dense) *mat.Dense {
	var d mat.Dense
	d.Sub(a, b)
	return &d
}

func place(t *testing.T, x mat.Matrix, p method.Placer) *mat.Dense {
	t.Helper()
	y := must.Get(p.Place(background, x, nil))(t)
	return y.Embedding
}

// accuracy is the share of documents in the right one of k clusters by k-means.
func accuracy(t *testing.T, y *mat.Dense, truth []int, k int) float64 {
	t.Helper()
	c := must.Get(kmeans.Fit(background, y, kmeans.Options{K: k, Seed: 1}))(t)
	s := must.Get(metrics.Score(truth, c.Labels))(t)
	return s.Accuracy
}

// On a circle the first coordinates that are not constant are its cosine and sine up to a rotation:
// every document that is no landmark lies at an angle near the angles of the landmarks beside it.
func TestLandmarksOfACircle(t *testing.T) {
	const n = 3000
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		x.SetRow(i, []float64{math.Cos(2 * math.Pi * float64(i) / n), math.Sin(2 * math.Pi * float64(i) / n)})
	}
	out := must.Get(le.Spec.Fit(background, &le.Options{Dims: 2, Skip: le.SkipConstant, Problem: nystrom.Problem{Landmarks: 600, Graph: graph.Options{Neighbors: 12}}}, &method.Input{X: x, Seed: 5}))(t)
	angle := func(i int) float64 {
		y := out.Embedding.RawRowView(i)
		return math.Atan2(y[1], y[0])
	}
	apart := func(a, b float64) float64 { return math.Abs(math.Remainder(a-b, 2*math.Pi)) }
	for i := range n {
		at, found := slices.BinarySearch(out.Landmarks, i)
		if found {
			continue
		}
		left, right := out.Landmarks[(at+len(out.Landmarks)-1)%len(out.Landmarks)], out.Landmarks[at%len(out.Landmarks)]
		// Its coordinates are a mean over twelve neighbours or more, which span some 12·2π/600 = 0.13 of
		// the circle.
		if gap := min(apart(angle(i), angle(left)), apart(angle(i), angle(right))); gap > 0.1 {
			t.Fatalf("document %d lies %g from the angle of the next landmark", i, gap)
		}
	}
}

// The same bits at one thread and at two, in one block of documents and in several.
func TestLandmarksAtAnyThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	x, _ := documents(20000, 3, 25, 0, 8)
	var first *mat.Dense
	for _, threads := range race.Threads(1, 2) {
		runtime.GOMAXPROCS(threads)
		out, err := le.Spec.Fit(background, &le.Options{Dims: 3, Problem: nystrom.Problem{Landmarks: 300}}, &method.Input{X: x})
		switch {
		case err != nil:
			t.Fatal(err)
		case first == nil:
			first = out.Embedding
		case !mat.Equal(first, out.Embedding):
			t.Error("two threads give other bits than one")
		}
		if gap := mat.Norm(difference(place(t, x, out.Placer), out.Embedding), 2); gap > 1e-12*mat.Norm(out.Embedding, 2) {
			t.Errorf("all documents at once are placed %g from where blocks of them are", gap)
		}
	}
}

// Labels and links are kept as without landmarks: the documents of a class have the same value in
// its map, and linked ones the same coordinates.
func TestLandmarksKeepLabels(t *testing.T) {
	x, truth := documents(500, 4, 25, 0, 9)
	all := landmarkedMethods(t, x, truth, 4)
	labelled, linked := all["cle"], all["cle, links"]
	out := labelled.fit(t, 150)
	for k := range 4 {
		value := math.NaN()
		for i, class := range labelled.in.Given.Labels {
			if v := out.Embedding.At(i, k); class != k {
				continue
			} else if math.IsNaN(value) {
				value = v
			} else if v != value {
				t.Fatalf("labelled documents of class %d have the values %g and %g in their map", k, value, v)
			}
		}
	}
	out = linked.fit(t, 150)
	for i, g := range linked.in.Links.Group {
		first := slices.Index(linked.in.Links.Group, g)
		if g >= 0 && !slices.Equal(out.Embedding.RawRowView(i), out.Embedding.RawRowView(first)) {
			t.Fatalf("linked documents %d and %d have other coordinates", first, i)
		}
	}
}

// A document without entries is never drawn; it and one that shares no term with any landmark are
// at the origin and listed.
func TestLandmarksAndIsolatedDocuments(t *testing.T) {
	x, _ := documents(300, 3, 25, 10, 11)
	b := sparse.NewBuilder(301, x.NumCols+1)
	for i := range x.NumRows {
		cols, vals := x.Row(i)
		for at, j := range cols {
			b.Add(i, int(j), vals[at])
		}
	}
	b.Add(300, x.NumCols, 1)
	own := must.Get(b.Build())(t)
	out := must.Get(le.Spec.Fit(background, &le.Options{Dims: 3, Problem: nystrom.Problem{Landmarks: 100}}, &method.Input{X: own}))(t)
	var want []int
	for i := 9; i < 300; i += 10 {
		want = append(want, i)
		if slices.Contains(out.Landmarks, i) {
			t.Errorf("document %d without entries is a landmark", i)
		}
	}
	if want = append(want, 300); !slices.Equal(out.Alone(), want) {
		t.Errorf("without neighbours are %v, not %v", out.Alone(), want)
	}
	for _, i := range want {
		if out.Embedding.RawRowView(i)[1] != 0 {
			t.Errorf("document %d without neighbours is not at the origin", i)
		}
	}
}

func TestLandmarksRefused(t *testing.T) {
	x, truth := documents(120, 4, 25, 0, 12)
	all := landmarkedMethods(t, x, truth, 4)
	g := must.Get(graph.Build(background, x, graph.Options{}))(t)
	given := all["le"]
	given.in.X, given.in.Graph = nil, g
	for name, c := range map[string]struct {
		of    landmarked
		count int
		says  string
	}{
		"more than documents": {all["le"], 121, "more than its 120 documents"},
		"negative":            {all["le"], -1, "at least 1"},
		"as many as maps":     {all["le"], 4, "give at least 5"},
		"fewer than labels":   {all["cle"], 10, "fewer than the 11 documents with labels"},
		"fewer than links":    {all["cle, links"], 10, "fewer than the 11 documents in constraints"},
		"of a graph":          {given, 50, "an affinity matrix is given"},
	} {
		in := c.of.in
		if _, err := c.of.spec.Fit(background, c.of.with(c.count), &in); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"le":      second(le.Fit(background, x, le.Options{Dims: 2, Problem: nystrom.Problem{Landmarks: 30}})),
		"semi-le": second(semile.Fit(background, x, truth, 4, le.Options{Dims: 2, Problem: nystrom.Problem{Landmarks: 30}})),
		"cle":     second(cle.Fit(background, x, truth, 4, cle.Options{Problem: nystrom.Problem{Landmarks: 30}})),
	} {
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "‹landmarks›") {
			t.Errorf("%s.Fit takes landmarks that it does not use: %v", name, err)
		}
	}
	in := all["le"].in
	tight := memory.Bound(background, 2000) // less than 120 × 4 coordinates
	if _, err := le.Spec.Fit(tight, all["le"].with(30), &in); !errors.Is(err, memory.ErrLimit) {
		t.Errorf("more memory than allowed: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// Placing reports progress over all documents and ends when it is cancelled.
func TestPlacingIsCancelled(t *testing.T) {
	x, _ := documents(20000, 3, 25, 0, 13)
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	most := int64(0)
	in := &method.Input{X: x, Observer: func(e progress.Event) {
		if e.Stage != "placing" || e.Total == 0 {
			return
		}
		if e.Total != 19900 || e.Done < most || e.Done > e.Total {
			t.Errorf("%d of %d placed after %d", e.Done, e.Total, most)
		}
		if most = e.Done; e.Done > 16384 {
			cancel()
		}
	}}
	if _, err := le.Spec.Fit(ctx, &le.Options{Dims: 3, Problem: nystrom.Problem{Landmarks: 100}}, in); !errors.Is(err, context.Canceled) {
		t.Errorf("%v after %d documents", err, most)
	}
}
