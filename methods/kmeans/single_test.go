package kmeans

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Rows in single precision give the clusters of the same values in double precision, bit for bit,
// at any number of threads; the objective differs from the objective of the unrounded values by
// 2⁻²² or so.
func TestSingleHasTheBitsOfDouble(t *testing.T) {
	defer native.SetThreads(native.Threads())
	for name, c := range map[string]struct {
		x   mat.Matrix
		opt Options
	}{
		"few columns": {blobs(300, 3, 5, 2, 1), Options{K: 5, Restarts: 4, Seed: 3}},
		"columns":     {blobs(500, 40, 6, 2, 2), Options{K: 6, Restarts: 4, Seed: 1}},
		"one start":   {blobs(500, 20, 6, 2, 2), Options{K: 6, Restarts: 1, Init: Random}},
		"sparse":      {texts(t, 400, 60, 12, 4, 1), Options{K: 4, Restarts: 4}},
		"many":        {texts(t, 400, 60, 12, 4, 1), Options{K: 13, Restarts: 2}},
	} {
		single := must.Get(sparse.ToSingle(c.x))(t)
		double := must.Get(sparse.Stored(single))(t)
		for _, threads := range race.Threads(1, 3) {
			native.SetThreads(threads)
			want := must.Get(Fit(context.Background(), double, c.opt))(t)
			got, err := Fit(context.Background(), single, c.opt)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d threads: another model: %v", name, threads, err)
			}
			a, b, err := Margins(context.Background(), double, want.Centers, want.Sizes, want.Labels)
			if err != nil {
				t.Fatal(err)
			}
			p, q, err := Margins(context.Background(), single, want.Centers, want.Sizes, want.Labels)
			if err != nil || !reflect.DeepEqual(a, p) || !reflect.DeepEqual(b, q) {
				t.Errorf("%s: other margins: %v", name, err)
			}
		}
		if a, b := Memory(double, c.opt), Memory(single, c.opt); a != b {
			t.Errorf("%s: %d bytes beside rows in single precision, %d in double", name, b, a)
		}
		before := must.Get(Fit(context.Background(), c.x, c.opt))(t)
		after := must.Get(Fit(context.Background(), single, c.opt))(t)
		// Coordinates of clusters move by 2⁻²⁴ of themselves, and the best of the starts with them.
		if length := mat.Norm(c.x, 2); math.Abs(math.Sqrt(after.Objective)-math.Sqrt(before.Objective)) > 0x1p-22*length {
			t.Errorf("%s: the objective is %v, of double precision %v", name, after.Objective, before.Objective)
		}
	}
}
