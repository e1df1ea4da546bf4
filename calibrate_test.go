package eigenmap_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Vectors may have more columns than the texts have terms.
func TestLooksAtWideVectors(t *testing.T) {
	x := mat.NewDense(60, 5000, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		for j := range 5000 {
			x.Set(i, j, float64(i%3)*float64(j%3)+.1*rng.NormFloat64())
		}
	}
	run := cluster(t, train, eigenmap.Options{Method: "kmeans", Clusters: 3, Vectors: eigenmap.Vectors{Rows: x}})
	if notes := strings.Join(run.Notes(), "\n"); strings.Contains(notes, "not calibrated") {
		t.Error(notes)
	}
}

// With a known label for every document none is left to be placed: the score stays as it is, and a
// note says so.
func TestNoLookWithEveryLabel(t *testing.T) {
	x, groups := blobs(90, 3)
	opt := eigenmap.Options{Method: "lda", Known: &corpus.Given{Labels: groups, ClassNames: []string{"a", "b", "c"}}}
	run, err := eigenmap.ClusterMatrix(context.Background(), x, opt)
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(run.NotesAs(func(s string) string { return s }), "\n"); !strings.Contains(notes, "none is left to be placed") {
		t.Errorf("nothing says why the confidence is not calibrated: %s", notes)
	}
}

// Where a part of the documents and of the terms leaves too few documents with a term there is no
// look, and a note says so, whichever options were given.
func TestNoLookAtDocumentsWithoutTerms(t *testing.T) {
	for _, pairs := range [][]string{{}, {"neighbors", "8"}} {
		x := &sparse.CSR{NumRows: 50, NumCols: 40, RowPtr: make([]int, 51)}
		for i := range 50 { // all but two rows are empty
			if i%30 == 7 {
				x.Col, x.Val = append(x.Col, int32(i/30), 2), append(x.Val, 1, 1)
			}
			x.RowPtr[i+1] = len(x.Col)
		}
		run, err := eigenmap.ClusterMatrix(context.Background(), x, options(t, "lapgmm", append(pairs, "clusters", "1", "duplicates", "keep")...))
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(run.Notes(), "\n"); !strings.Contains(notes, "documents have a term, too few for 1 cluster") && !strings.Contains(notes, "document has a term, too few for 1 cluster") {
			t.Errorf("%v: nothing says why the confidence is not calibrated: %s", pairs, notes)
		}
	}
}

// More dimensions or components than a part of the columns has are no reason to leave the second
// looks out, and options that name what a method takes by itself change no confidence.
func TestLooksWithManyDimensions(t *testing.T) {
	x, _ := blobs(120, 3)
	wide := mat.NewDense(120, 60, nil)
	rng := rand.New(rand.NewPCG(3, 4))
	_, columns := x.Dims()
	for i := range 120 {
		for j := range 60 {
			wide.Set(i, j, max(0, 9+x.At(i, j%columns)+rng.NormFloat64()))
		}
	}
	for _, c := range [][]string{
		{"lsi", "dims", "40"}, {"pca", "dims", "40"}, {"lpp", "dims", "40"}, {"spca", "dims", "40"},
		{"co-clustering", "dims", "40"}, {"co-clustering", "dims", "30"}, {"gmm", "pca", "20"},
	} {
		opt := options(t, c[0], c[1:]...)
		run, err := eigenmap.ClusterMatrix(context.Background(), wide, opt)
		if err != nil {
			t.Fatal(c, err)
		}
		if notes := strings.Join(run.Notes(), "\n"); strings.Contains(notes, "not calibrated") {
			t.Errorf("%v: %s", c, notes)
		}
		if c[0] != "gmm" {
			continue
		}
		plain, err := eigenmap.ClusterMatrix(context.Background(), wide, options(t, "gmm"))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(plain.Confidence, run.Confidence) {
			t.Errorf("%v: the confidences are not those without the option", c)
		}
	}
}

// With known labels the mean confidence of every method is its accuracy, within three standard
// errors of the labels that can be hidden.
func TestConfidenceOfKnownLabels(t *testing.T) {
	c, known := topicTexts([]int{150, 150, 150}, []int{12, 12, 12}, 4)
	for _, method := range []string{"", "committee", "semi-ldc", "tsvm", "label-propagation", "logistic", "lda", "semi-le"} {
		run, err := eigenmap.ClusterCorpus(context.Background(), c, eigenmap.Options{Method: method, Known: &corpus.Given{Labels: known, ClassNames: c.ClassNames}})
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(run.Notes(), "\n"); strings.Contains(notes, "not calibrated") {
			t.Errorf("%q: %s", method, notes)
		}
		sure, n := 0.0, 0.0
		for i, k := range known {
			if k < 0 {
				sure, n = sure+run.Confidence[i], n+1
			}
		}
		sure /= n
		right := run.Unlabeled.Accuracy
		if allowed := 3*math.Sqrt(right*(1-right)/36) + 0.03; math.Abs(sure-right) > allowed { // a curve has 1 right and 1 wrong more
			t.Errorf("%q: mean confidence %.3f, accuracy %.3f", method, sure, right)
		}
	}
}

// Where every document with terms has a known label, or all but one, hidden labels calibrate all
// the same, and the order of documents is the scores'.
func TestHiddenLabelsOfAllButFew(t *testing.T) {
	c, known := topicTexts([]int{60, 60, 60}, []int{60, 60, 60}, 4)
	for name, without := range map[string][]int{"one without a label": {7}, "one without terms": nil} {
		own, given := *c, slices.Clone(known)
		for _, i := range without {
			given[i] = -1
		}
		if without == nil {
			x := *c.X.(*sparse.CSR)
			x.NumRows, x.RowPtr = x.NumRows+1, append(slices.Clone(x.RowPtr), x.NNZ())
			own.X, own.Labels = &x, append(slices.Clone(c.Labels), 0)
			given = append(given, -1)
		}
		for _, method := range []string{"", "logistic", "ckmeans"} {
			run, err := eigenmap.ClusterCorpus(context.Background(), &own, eigenmap.Options{Method: method, Known: &corpus.Given{Labels: given, ClassNames: c.ClassNames}})
			if err != nil {
				t.Fatalf("%s, %q: %v", name, method, err)
			}
			if notes := strings.Join(run.Notes(), "\n"); strings.Contains(notes, "not calibrated") {
				t.Errorf("%s, %q: %s", name, method, notes)
			}
			levels := map[float64]bool{}
			for _, p := range run.Confidence[:180] {
				levels[p] = true
			}
			if method != "" && len(levels) < 60 {
				t.Errorf("%s, %q: %d confidences of 180 documents", name, method, len(levels))
			}
		}
	}
}

// A look has half of the documents, and may have fewer than the run has landmarks.
func TestLooksWithFewerLandmarks(t *testing.T) {
	x, _ := blobs(90, 3)
	opt := eigenmap.Options{Method: "le", Clusters: 3}
	if err := opt.Set("landmarks", "70"); err != nil {
		t.Fatal(err)
	}
	run, err := eigenmap.ClusterMatrix(context.Background(), x, opt)
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(run.Notes(), "\n"); strings.Contains(notes, "not calibrated") {
		t.Error(notes)
	}
}

// Second looks run side by side where there are threads and room for them. The confidences have the
// same bits, no two calls of an observer overlap, and of looks side by side each stage
// begins once.
func TestLooksSideBySide(t *testing.T) {
	defer native.SetThreads(0)
	c, _ := topicTexts([]int{150, 150, 150}, []int{0, 0, 0}, 4)
	var want []float64
	for _, threads := range []int{1, 2, 4} {
		native.SetThreads(threads)
		var calls atomic.Int32
		var looking bool
		begun := make(map[string]int)
		opt := eigenmap.Options{Clusters: 3, Observer: func(e progress.Event) {
			if calls.Add(1) != 1 {
				t.Errorf("%d threads: two calls of the observer overlap", threads)
			}
			if looking = looking && e.Stage != "map" || e.Stage == "calibrate"; looking && e.Done == 0 && e.Message == "" {
				begun[e.Stage]++
			}
			calls.Add(-1)
		}}
		run, err := eigenmap.ClusterCorpus(context.Background(), c, opt)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = run.Confidence
		}
		if !slices.Equal(run.Confidence, want) {
			t.Errorf("%d threads: other confidences than with one", threads)
		}
		if looks := 1 + 1/threads; begun["graph"] != looks || begun["eigen"] != looks {
			t.Errorf("%d threads: the stages of the looks begin %v times", threads, begun)
		}
	}
}
