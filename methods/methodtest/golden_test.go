package methodtest_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

const golden = "../../testdata/golden"

// Models of the version before methods became specs are read, and place new documents where that
// version placed them.
func TestGoldenModels(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(golden, "*", "model.npz"))
	if err != nil || len(folders) < 30 {
		t.Fatalf("%d golden models, %v", len(folders), err)
	}
	for _, path := range folders {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var name string
			m, err := model.Read(context.Background(), path, func(of string) model.Part {
				name = of
				return registry.Blank(of)
			})
			if _, ok := registry.Find(name); !ok {
				t.Fatalf("the method %s is not in the registry", name)
			}
			if err != nil {
				t.Fatal(err)
			}
			checkGolden(t, dir, m)
		})
	}
}

func checkGolden(t *testing.T, dir string, m *model.Model) {
	t.Helper()
	c := must.Get(corpus.Read(context.Background(), filepath.Join(golden, "new.jsonl"), corpus.ReadOptions{Text: m.Rows.TextOptions()}))(t)
	x, _, err := m.Rows.Of(c)
	if err != nil {
		t.Fatal(err)
	}
	p := must.Get(m.Part.(method.Placer).Place(context.Background(), x, nil))(t)
	points := mat.DenseCopyOf(x)
	want, err := corpus.Read(context.Background(), filepath.Join(dir, "embedding.npy"), corpus.ReadOptions{})
	switch {
	case err == nil && p.Embedding == nil:
		t.Fatal("new documents have no coordinates")
	case err == nil:
		limit := 1e-9 * max(1, mat.Max(want.X), -mat.Min(want.X))
		if points = p.Embedding; !mat.EqualApprox(points, want.X, limit) {
			t.Errorf("the coordinates are\n%v\nand were\n%v", mat.Formatted(points), mat.Formatted(want.X))
		}
	case !errors.Is(err, fs.ErrNotExist):
		t.Fatal(err)
	case p.Embedding != nil && p.Labels == nil:
		t.Error("new documents have coordinates, and had none")
	}
	labels := p.Labels
	if labels == nil {
		labels = closest(points, m.Clusters.Centers)
	}
	for i, cluster := range clustersIn(t, filepath.Join(dir, "clusters.csv")) {
		if labels[i] != cluster {
			t.Errorf("document %d is of cluster %d and was of %d", i+1, labels[i], cluster)
		}
	}
}

// closest is the nearest centre of each point.
func closest(points, centers *mat.Dense) []int {
	n, _ := points.Dims()
	k, d := centers.Dims()
	labels := make([]int, n)
	for i := range n {
		least := math.Inf(1)
		for c := range k {
			if gap := mat.Norm(difference(points.RowView(i), centers.RowView(c), d), 2); gap < least {
				least, labels[i] = gap, c
			}
		}
	}
	return labels
}

func difference(a, b mat.Vector, d int) *mat.VecDense {
	v := mat.NewVecDense(d, nil)
	v.SubVec(a, b)
	return v
}

// clustersIn are the clusters in a file that predict wrote, numbered from 0.
func clustersIn(t *testing.T, path string) []int {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) != 11 || lines[0][1] != "cluster" {
		t.Fatalf("%s: %v, %d lines", path, err, len(lines))
	}
	var labels []int
	for _, line := range lines[1:] {
		k := must.Get(strconv.Atoi(line[1]))(t)
		labels = append(labels, k)
	}
	return labels
}

// A copy of a model is what its file is read as, and shares no array with it.
func TestGoldenCopies(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(golden, "*", "model.npz"))
	if err != nil || len(folders) < 30 {
		t.Fatalf("%d golden models, %v", len(folders), err)
	}
	for _, path := range folders {
		m := must.Get(model.Read(context.Background(), path, registry.Blank))(t)
		got, err := m.Copy(context.Background(), registry.Blank)
		if err != nil {
			t.Fatal(path, err)
		}
		var want, again bytes.Buffer
		if err := errors.Join(m.Encode(&want), got.Encode(&again)); err != nil {
			t.Fatal(path, err)
		}
		if !bytes.Equal(want.Bytes(), again.Bytes()) {
			t.Errorf("%s: the file of the copy differs", path)
		}
		arrays := map[uintptr]string{}
		eachArray(reflect.ValueOf(m), "", map[uintptr]bool{}, func(at uintptr, name string) { arrays[at] = name })
		if len(arrays) < 3 {
			t.Fatalf("%s has %d arrays", path, len(arrays))
		}
		eachArray(reflect.ValueOf(got), "", map[uintptr]bool{}, func(at uintptr, name string) {
			if of, shared := arrays[at]; shared {
				t.Errorf("%s: %s of the copy is %s of the model", path, name, of)
			}
		})
	}
}

// eachArray visits the slices and maps that v leads to.
func eachArray(v reflect.Value, name string, seen map[uintptr]bool, visit func(at uintptr, name string)) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			eachArray(v.Elem(), name, seen, visit)
		}
	case reflect.Pointer:
		if !v.IsNil() && !seen[v.Pointer()] {
			seen[v.Pointer()] = true
			eachArray(v.Elem(), name, seen, visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			eachArray(v.Field(i), name+"."+v.Type().Field(i).Name, seen, visit)
		}
	case reflect.Map:
		if !v.IsNil() {
			visit(v.Pointer(), name)
		}
	case reflect.Slice:
		if v.Cap() == 0 {
			return
		}
		visit(v.Pointer(), name)
		if k := v.Type().Elem().Kind(); k == reflect.Struct || k == reflect.Slice || k == reflect.Pointer || k == reflect.Interface {
			for i := range v.Len() {
				eachArray(v.Index(i), name, seen, visit)
			}
		}
	}
}
