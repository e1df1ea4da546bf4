package kmeans

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

func TestContractIsFit(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(1, 1))
	x := mat.NewDense(150, 4, nil)
	x.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, x)
	a := must.Get(sparse.FromMatrix(x))(t)
	for _, opt := range []Options{{}, {Restarts: 3, Init: Random}, {MaxIter: 2}} {
		for _, data := range []mat.Matrix{x, a} {
			out := must.Get(opt.Fit(ctx, &method.Input{X: data, Clusters: 5, Seed: 7}))(t)
			typed := opt
			typed.K, typed.Seed = 5, 7
			want := must.Get(Fit(ctx, data, typed))(t)
			if c := out.Clusters; !slices.Equal(c.Labels, want.Labels) || !mat.Equal(c.Centers, want.Centers) || c.Objective != want.Objective {
				t.Errorf("%+v: the contract clusters otherwise", opt)
			}
			again, err := out.Used.Fit(ctx, &method.Input{X: data, Seed: 7})
			if err != nil || !slices.Equal(again.Clusters.Labels, want.Labels) {
				t.Errorf("%+v: the options used give other clusters: %v", opt, err)
			}
		}
	}
	if err := new(Options).Validate(); err != nil {
		t.Error(err)
	}
	if _, err := new(Options).Fit(ctx, &method.Input{X: x}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("no clusters: %v", err)
	}
	var names []string
	for _, f := range option.Of(Spec.New()) {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, []string{"restarts", "kmeans-iter", "init"}) {
		t.Errorf("flags %v", names)
	}
}

// A model of centres alone is written and read; rows without entries are listed.
func TestDirectFromFile(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "model.npz")
	m := &model.Model{Method: "kmeans", Documents: 3, Rows: model.Rows{Columns: 2, Sparse: true}, Part: new(Direct),
		Clusters: &model.Clusters{Sizes: []int{2, 1}, Centers: mat.NewDense(2, 2, []float64{1, 2, 3, 4})}}
	must.Do(t, model.Write(path, m))
	read := must.Get(model.Read(ctx, path, func(string) model.Part { return Spec.Placer() }))(t)
	x := &sparse.CSR{NumRows: 3, NumCols: 2, RowPtr: []int{0, 1, 1, 2}, Col: []int32{0, 1}, Val: []float64{1, 0}}
	at, err := read.Part.(method.Placer).Place(ctx, x, nil)
	if err != nil || !slices.Equal(at.Isolated, []int{1, 2}) || at.Embedding != nil || at.Labels != nil {
		t.Errorf("%+v %v", at, err)
	}
}
