package eigenmap_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/registry"
	"gonum.org/v1/gonum/mat"
)

// Clusters are saved, the model is loaded, and the training documents come out where they were.
func TestTrainingDocumentsComeOutWhereTheyWere(t *testing.T) {
	ctx := context.Background()
	for _, s := range registry.Specs {
		t.Run(s.Name, func(t *testing.T) {
			run := cluster(t, train, options(t, s.Name, needed(s)...))
			if len(run.Labels) != 60 || len(run.Sizes) != 3 || run.Scores == nil {
				t.Fatalf("%d labels, sizes %v, scores %v", len(run.Labels), run.Sizes, run.Scores)
			}
			file := saveModel(t, run)
			m := must.Get(eigenmap.LoadModel(ctx, file))(t)
			if m.Method() != s.Name || m.Documents() != 60 || !slices.Equal(m.Sizes(), run.Sizes) || m.Summary.Method != s.Name {
				t.Errorf("the model is of %s, %d documents, clusters %v", m.Method(), m.Documents(), m.Sizes())
			}
			p, err := eigenmap.Predict(ctx, file, train, eigenmap.Options{})
			if why := m.Closed(); why != "" {
				refused(t, err, file, why)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			checkPlaced(t, run, p)
		})
	}
}

// A model that is not there is told as a corpus that is not there.
func TestNoModel(t *testing.T) {
	_, err := eigenmap.LoadModel(t.Context(), "nowhere.npz")
	if !errors.Is(err, fs.ErrNotExist) || !errors.As(err, new(*eigenmap.Error)) || err.Error() != "nowhere.npz: there is no such file or folder; check the path" {
		t.Error(err)
	}
}

func checkPlaced(t *testing.T, run *eigenmap.Run, p *eigenmap.Prediction) {
	t.Helper()
	differ := 0
	for i, k := range run.Labels {
		if p.Labels[i] != k {
			differ++
		}
	}
	if differ > 0 {
		t.Errorf("%d of %d documents are in another cluster", differ, len(run.Labels))
	}
	if run.Embedding != nil && p.Embedding != nil {
		near := 1e-8
		if p.Model.Method() == "nmf" { // the fit stops near the optimum, and a row is placed at it
			near = 1e-3
		}
		var d mat.Dense
		d.Sub(run.Embedding, p.Embedding)
		if far := mat.Norm(&d, 2) / mat.Norm(run.Embedding, 2); far > near {
			t.Errorf("the coordinates are others by %.1e", far)
		}
	}
	if (run.Posterior == nil) != (p.Posterior == nil) {
		t.Errorf("probabilities: %v before, %v now", run.Posterior != nil, p.Posterior != nil)
	}
	if !slices.Equal(run.Classes, p.Classes) {
		t.Errorf("classes %v, and were %v", p.Classes, run.Classes)
	}
	if p.Scores == nil || p.Scores.Accuracy != run.Scores.Accuracy {
		t.Errorf("scores %v, and were %v", p.Scores, run.Scores)
	}
}

// Models of the version before methods became specs place new documents as that version did, and
// the same file is written of it.
func TestGoldenModels(t *testing.T) {
	folders, err := filepath.Glob("testdata/golden/*/model.npz")
	if err != nil || len(folders) < 30 {
		t.Fatalf("%d golden models, %v", len(folders), err)
	}
	for _, file := range folders {
		golden := filepath.Dir(file)
		t.Run(filepath.Base(golden), func(t *testing.T) {
			p := must.Get(eigenmap.Predict(context.Background(), file, fresh))(t)
			dir := t.TempDir()
			must.Do(t, p.Save(dir))
			want, got := columns(t, golden), columns(t, dir)
			if want["probability"] == nil {
				delete(got, "probability")
			}
			if !reflect.DeepEqual(want, got) {
				t.Errorf("clusters.csv is\n%v\nand was\n%v", got, want)
			}
			if content(t, golden, "embedding.npy") == nil {
				if p.Embedding != nil {
					t.Error("there are coordinates, and there were none")
				}
				return
			}
			before, now := matrix(t, filepath.Join(golden, "embedding.npy")), matrix(t, filepath.Join(dir, "embedding.npy"))
			if limit := 1e-9 * max(mat.Max(before), -mat.Min(before)); !mat.EqualApprox(before, now, limit) {
				t.Errorf("the coordinates are\n%v\nand were\n%v", mat.Formatted(now), mat.Formatted(before))
			}
		})
	}
}

// columns returns the columns of a clusters.csv that both versions wrote. What was the column
// probability is now confidence; of hard clusterings only the new version has one.
func columns(t *testing.T, dir string) map[string][]string {
	t.Helper()
	records := must.Get(csv.NewReader(bytes.NewReader(content(t, dir, "clusters.csv"))).ReadAll())(t)
	if len(records) == 0 {
		return nil
	}
	out := map[string][]string{}
	for j, name := range records[0] {
		switch name {
		case "distance", "placed", "second":
			continue
		case "confidence":
			name = "probability"
		}
		for _, r := range records[1:] {
			out[name] = append(out[name], r[j])
		}
	}
	return out
}

// content returns the content of a file, nil if there is none.
func content(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return data
}

// PredictMatrix puts rows where Predict puts the documents that they are.
func TestPredictMatrix(t *testing.T) {
	ctx := context.Background()
	x, labels := blobs(60, 3)
	for name, pairs := range map[string][]string{"kmeans": nil, "le": nil, "pca": {"dims", "2"}, "gmm": nil, "isomap": {"parts", "join"}} {
		t.Run(name, func(t *testing.T) {
			run, err := eigenmap.ClusterMatrix(ctx, x, options(t, name, pairs...))
			if err != nil {
				t.Fatal(err)
			}
			m := must.Get(eigenmap.LoadModel(ctx, saveModel(t, run)))(t)
			p := must.Get(m.PredictMatrix(ctx, x, eigenmap.Options{}))(t)
			if !slices.Equal(p.Labels, run.Labels) || !slices.Equal(p.Sizes, run.Sizes) {
				t.Errorf("clusters %v, and were %v", p.Labels, run.Labels)
			}
			for i := range labels {
				if p.Labels[i] != p.Labels[labels[i]] {
					t.Fatalf("row %d is not with its like", i)
				}
			}
			_, err = m.PredictMatrix(ctx, nil, eigenmap.Options{})
			refused(t, err, "no documents")
			_, err = m.PredictMatrix(ctx, mat.NewDense(2, 5, nil), eigenmap.Options{})
			refused(t, err)
		})
	}
}

// A prediction does not go into the folder of its model, whose files it would remove.
func TestPredictionKeepsTheModel(t *testing.T) {
	dir := t.TempDir()
	save(t, cluster(t, train, options(t, "kmeans")), dir)
	p, err := eigenmap.Predict(context.Background(), filepath.Join(dir, eigenmap.ModelName), fresh)
	if err != nil {
		t.Fatal(err)
	}
	refused(t, p.Save(dir), "that folder holds the model")
	placed := filepath.Join(dir, "placed")
	err = p.Save(placed)
	if files := filesIn(t, placed); err != nil || len(files) != 2 || filepath.Base(files[0]) != "clusters.csv" {
		t.Errorf("saved %v, %v", files, err)
	}
}

// What is no model is refused with a way out.
func TestLoadModelRefuses(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	_, err := eigenmap.LoadModel(ctx, dir)
	refused(t, err, "a folder without a model")
	save(t, cluster(t, train, options(t, "kmeans")), dir)
	if m, err := eigenmap.LoadModel(ctx, dir); err != nil || m.Method() != "kmeans" {
		t.Errorf("the model in a folder of results: %v", err)
	}
	_, err = eigenmap.LoadModel(ctx, train)
	refused(t, err, "not a model")
	if _, err = eigenmap.LoadModel(ctx, filepath.Join(dir, "none.npz")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if !eigenmap.IsModel(filepath.Join(dir, eigenmap.ModelName)) || eigenmap.IsModel(train) {
		t.Error("models are not known by their content")
	}
	_, err = eigenmap.Cluster(ctx, filepath.Join(dir, eigenmap.ModelName), options(t, "kmeans"))
	refused(t, err, "a model file, not a corpus")
	data := content(t, dir, eigenmap.ModelName)
	half := write(t, dir, "half.npz", string(data[:len(data)/2]))
	if _, err := eigenmap.LoadModel(ctx, half); err == nil {
		t.Error("half a model is read")
	} else {
		refused(t, err, half)
	}
}

// The model of an affinity matrix has no documents to place others by.
func TestAffinityModelIsClosed(t *testing.T) {
	x, _ := blobs(30, 3)
	w := mat.NewSymDense(30, nil)
	for i := range 30 {
		for j := range i {
			if d := x.At(i, 0) - x.At(j, 0); d*d < 100 {
				w.SetSym(i, j, 1)
			}
		}
	}
	run, err := eigenmap.ClusterMatrix(context.Background(), w, options(t, "le", "precomputed", "true"))
	if err != nil {
		t.Fatal(err)
	}
	m := must.Get(eigenmap.LoadModel(context.Background(), saveModel(t, run)))(t)
	if m.Closed() == "" {
		t.Error("it takes new documents")
	}
	_, err = m.PredictMatrix(context.Background(), x, eigenmap.Options{})
	refused(t, err, "takes no new documents")
}
