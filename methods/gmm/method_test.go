package gmm

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// texts is blobs as a sparse matrix.
func texts(t *testing.T, n, d int) *sparse.CSR {
	t.Helper()
	x := must.Get(sparse.FromMatrix(blobs(n, d, 3, 4, 2)))(t)
	return x
}

// Dense data are fitted as they are, sparse data after a reduction, which a note reports and the
// options used record.
func TestMethodReduces(t *testing.T) {
	ctx := t.Context()
	x := blobs(90, 6, 3, 4, 2)
	out, err := new(ReducedOptions).Fit(ctx, &method.Input{X: x, Clusters: 3, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	want := fitOK(t, x, Options{K: 3, Seed: 5})
	if out.Embedding != nil || !slices.Equal(out.Clusters.Labels, want.Labels) || !mat.Equal(out.Clusters.Posterior, want.Posterior) || out.Placer.Width() != 0 {
		t.Errorf("dense data: another mixture, or an embedding of %d coordinates", out.Placer.Width())
	}
	var notes []string
	in := &method.Input{X: texts(t, 90, 6), Clusters: 3, Seed: 5, Observer: func(e progress.Event) { notes = append(notes, e.Message) }}
	out, err = (&ReducedOptions{Mixture: Options{Covariance: "diag"}}).Fit(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	p := must.Get(pca.Fit(ctx, in.X, pca.Options{Dims: 6, Seed: 5}))(t)
	want = fitOK(t, p.Embedding, Options{K: 3, Seed: 5, Covariance: Diagonal})
	if !mat.Equal(out.Embedding, p.Embedding) || !mat.Equal(out.Clusters.Posterior, want.Posterior) || out.Placer.Width() != 6 {
		t.Error("sparse data: another mixture")
	}
	if !strings.Contains(strings.Join(notes, "\n"), "‹pca› 6: the mixture is one of principal components") {
		t.Errorf("the notes are %q", notes)
	}
	if used := out.Used.(*ReducedOptions); used.Reduce.Amount.Count != 6 || used.Mixture.Covariance != "diag" {
		t.Errorf("the options used are %+v", used)
	}
	if !strings.HasPrefix(out.Clusters.How, "3 clusters, diag covariances, ") {
		t.Errorf("found by %q", out.Clusters.How)
	}
	for _, f := range out.Facts {
		if f.ID == "covariance" && f.Value != "diagonal" {
			t.Errorf("the covariance is %v", f.Value)
		}
	}
}

func TestMethodRefuses(t *testing.T) {
	in := &method.Input{X: blobs(30, 4, 3, 4, 2), Clusters: 3}
	for want, opt := range map[string]*ReducedOptions{
		"‹solver› has no effect beside dense data without ‹pca›, which gmm takes": {Reduce: Reduction{Solver: "lanczos"}},
		"‹tol› has no effect": {Reduce: Reduction{Tol: 1e-3}},
		"give ‹pca› 4":        {Reduce: Reduction{Amount: method.Amount{Count: 5}}},
	} {
		if out, err := opt.Fit(t.Context(), in); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), want) || out != nil {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
	bad := ReducedOptions{Reduce: Reduction{Tol: -1}, Mixture: Options{Covariance: "round"}}
	if err := bad.Validate(); err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("two faults: %v", err)
	}
}

// A mixture that was stored gives the same probabilities, and is stored as the same bytes. The
// covariances of the fit are not copied for it.
func TestPlacerStored(t *testing.T) {
	ctx := t.Context()
	for _, kind := range shapes {
		x := texts(t, 60, 5)
		out := must.Get((&ReducedOptions{Reduce: Reduction{Amount: method.Amount{Count: 3}}, Mixture: Options{Covariance: kind}}).Fit(ctx, &method.Input{X: x, Clusters: 2}))(t)
		if p := out.Placer.(*Placer); p.Variances != nil {
			t.Errorf("%s: the covariances were copied", kind)
		}
		path := filepath.Join(t.TempDir(), "model.npz")
		m := &model.Model{Method: "gmm", Documents: 60, Rows: model.Rows{Columns: 5, Sparse: true}, Part: out.Placer,
			Clusters: &model.Clusters{Sizes: out.Clusters.Sizes, Centers: out.Clusters.Centers}}
		must.Do(t, model.Write(path, m))
		read := must.Get(model.Read(ctx, path, func(string) model.Part { return new(Placer) }))(t)
		want := must.Get(out.Placer.Place(ctx, x, nil))(t)
		got := must.Get(read.Part.(*Placer).Place(ctx, x, nil))(t)
		if !mat.Equal(got.Posterior, want.Posterior) || !mat.Equal(got.Embedding, want.Embedding) || !slices.Equal(got.Labels, out.Clusters.Labels) {
			t.Errorf("%s: the mixture that was read places otherwise", kind)
		}
	}
}

// Progress reaches its total though EM converges early.
func TestProgressEnds(t *testing.T) {
	var last progress.Event
	fitOK(t, blobs(60, 3, 2, 8, 1), Options{K: 2, Observer: func(e progress.Event) {
		if e.Message == "" {
			last = e
		}
	}})
	if last.Stage != stage || last.Done != last.Total || last.Total != 200 {
		t.Errorf("the last event is %+v", last)
	}
}
