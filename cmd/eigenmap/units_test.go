package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// measured are documents of two classes, which three columns of small numbers tell apart, beside a
// column in another unit that says nothing of them.
func measured(n int) *mat.Dense {
	rng := rand.New(rand.NewPCG(3, 5))
	x := mat.NewDense(n, 4, nil)
	for i := range n {
		class := float64(i % 2)
		x.SetRow(i, []float64{4*class + rng.NormFloat64(), 30000 + 9000*rng.NormFloat64(), 3*class + rng.NormFloat64(), -4*class + rng.NormFloat64()})
	}
	return x
}

// measuredTable writes documents as a table with their classes.
func measuredTable(t *testing.T, name, header string, x mat.Matrix) string {
	t.Helper()
	b := header
	n, cols := x.Dims()
	for i := range n {
		for j := range cols {
			b += fmt.Sprintf("%v,", x.At(i, j))
		}
		b += []string{"a", "b"}[i%2] + "\n"
	}
	return write(t, t.TempDir(), name, b)
}

// TestConfigRepeatsConfidences: a repetition of a run whose method measured a number in its fit, a
// width or a weight, calibrates confidences as the run did.
func TestConfigRepeatsConfidences(t *testing.T) {
	file := measuredTable(t, "people.csv", "height,income,age,score,class\n", measured(200))
	for _, args := range [][]string{{}, {"--method", "le", "--edge-weight", "heat", "--heat-rule", "median"}, {"--method", "lapgmm"}} {
		first, again := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "again")
		mustCall(t, append([]string{"cluster", file, "-k", "4", "--out", first}, args...)...)
		mustCall(t, "cluster", "--config", filepath.Join(first, "config.yaml"), "--out", again)
		sameFiles(t, first, again, "clusters.csv", "config.yaml")
	}
}

// The columns of a table in unlike units are divided by their deviations, unless the user says how
// they are weighed, and the model weighs new documents as it did its own.
func TestUnlikeColumns(t *testing.T) {
	x := measured(300)
	file := measuredTable(t, "people.csv", "height,income,age,score,class\n", x)
	const note = "Column income has more than 99.9 % of the variance of all 4 columns: each is divided by its standard deviation; --weighting tf takes the columns as they are."
	made := filepath.Join(t.TempDir(), "made")
	said := mustCall(t, "cluster", file, "-k", "2", "--out", made).stdout
	if !strings.Contains(said, note) || !strings.Contains(said, "standard, normalize none") {
		t.Errorf("%q is not in\n%s", note, said)
	}
	if strings.Contains(said, "--retry runs once more") { // it would compare by one column
		t.Errorf("a second run by the columns as they are is advised:\n%s", said)
	}
	var found struct{ Metrics struct{ Accuracy float64 } }
	for weighting, least := range map[string]float64{"standard": .95, "tf": 0} {
		must.Do(t, json.Unmarshal([]byte(mustCall(t, "cluster", file, "-k", "2", "--weighting", weighting, "--json").stdout), &found))
		if got := found.Metrics.Accuracy; got < least || least == 0 && got > .7 {
			t.Errorf("%s: accuracy %v", weighting, got)
		}
	}
	placed := filepath.Join(t.TempDir(), "placed")
	mustCall(t, "predict", made, file, "--out", placed)
	if a, b := clustersOf(t, made), clustersOf(t, placed); len(a) != 300 || !maps.Equal(a, b) {
		t.Error("the documents of the model are placed elsewhere")
	}
	retried := mustCall(t, "cluster", file, "-k", "2", "--retry").stdout
	if !strings.Contains(retried, "standard, normalize none") || strings.Contains(said, "--retry runs once more") {
		t.Errorf("a second run takes the columns as they are:\n%s\n%s", said, retried)
	}
	for _, header := range []string{"PC1,PC2,PC3,PC4,class\n", "v2,v3,v4,v5,class\n"} {
		if said := mustCall(t, "cluster", measuredTable(t, "numbered.csv", header, x), "-k", "2").stdout; !strings.Contains(said, "each is divided") {
			t.Errorf("columns whose spread rises and falls are taken for components:\n%s", said)
		}
	}
	// Without a column nothing that could stand for it is right, and no row is placed as if it were 0.
	short := measuredTable(t, "short.csv", "height,score,age,class\n", x.Slice(0, 300, 0, 3))
	if r := call("predict", made, short); r.status != exitRequest || !strings.Contains(r.stderr, "short.csv: these columns of the model's measurements are missing: income; write them") {
		t.Errorf("status %d: %s", r.status, r.stderr)
	}
	like := filepath.Join(t.TempDir(), "like")
	mustCall(t, "cluster", file, "-k", "2", "--weighting", "tf", "--out", like)
	if r := call("predict", like, short); r.status != exitRequest || !strings.Contains(r.stderr, "short.csv: these columns of the model's measurements are missing: income; write them") {
		t.Errorf("columns as they are: status %d: %s", r.status, r.stderr)
	}
	bare := measuredTable(t, "bare.csv", "", x)
	if said := mustCall(t, "cluster", bare, "-k", "2").stdout; !strings.Contains(said, "Column 2 has more than 99.9 %") {
		t.Errorf("a table without a header:\n%s", said)
	}
}

// Columns of one unit are taken as they are, and so are principal components, columns under a
// weighting that was named, and arrays, of which a note says that one column has the variance.
func TestLikeColumns(t *testing.T) {
	x := measured(200)
	like := mat.DenseCopyOf(x)
	like.Apply(func(_, j int, v float64) float64 {
		if j == 1 {
			return v / 9000
		}
		return v
	}, x)
	sorted := mat.NewDense(200, 4, nil)
	for j, from := range []int{1, 0, 3, 2} {
		sorted.SetCol(j, mat.Col(nil, from, x))
	}
	named := measuredTable(t, "named.csv", "height,income,age,score,class\n", x)
	const divided = "each is divided"
	for _, args := range [][]string{
		{measuredTable(t, "like.csv", "height,income,age,score,class\n", like)},
		{measuredTable(t, "components.csv", "", sorted)},
		{measuredTable(t, "named components.csv", "PC1,PC2,PC3,PC4,class\n", sorted)},
		{measuredTable(t, "numbered.csv", "0,1,2,3,class\n", sorted)},
		{named, "--weighting", "tf"},
		{named, "--method", "le", "--paper"},
	} {
		if said := mustCall(t, append([]string{"cluster", "-k", "2"}, args...)...).stdout; strings.Contains(said, divided) {
			t.Errorf("%v:\n%s", args, said)
		}
	}
	array := filepath.Join(t.TempDir(), "x.npy")
	must.Do(t, corpus.Write(t.Context(), array, &corpus.Corpus{X: x}))
	said := mustCall(t, "cluster", array, "-k", "2").stdout
	if strings.Contains(said, divided) || !strings.Contains(said, "Column 2 has more than 99.9 % of the variance of all 4 columns, and decides nearly alone; --weighting standard") {
		t.Errorf("an array:\n%s", said)
	}
}

// A note names columns that hardly count beside others in larger units; in one unit there is none.
func TestLittleColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 9))
	for _, c := range []struct {
		units []float64
		note  string
	}{
		{[]float64{5, 1, 8, 1}, "Columns b, d have together less than 5 % of the variance and hardly count; if the columns are in unlike units, --weighting standard"},
		{[]float64{5, 1, 8}, "Column b has less than 5 % of the variance and hardly counts;"},
		{[]float64{.8, .4, 1.8, .8}, ""}, // as iris
	} {
		text := strings.Join([]string{"a", "b", "c", "d"}[:len(c.units)], ",") + "\n"
		for range 90 {
			var row []string
			for _, u := range c.units {
				row = append(row, fmt.Sprint(100+u*rng.NormFloat64()))
			}
			text += strings.Join(row, ",") + "\n"
		}
		file := write(t, t.TempDir(), "units.csv", text)
		if said := mustCall(t, "cluster", file, "-k", "2").stdout; strings.Contains(said, "hardly count") != (c.note != "") || !strings.Contains(said, c.note) {
			t.Errorf("units %v:\n%s", c.units, said)
		}
		if said := mustCall(t, "cluster", file, "-k", "2", "--weighting", "tf").stdout; strings.Contains(said, "hardly count") {
			t.Errorf("units %v, by a weighting that was named:\n%s", c.units, said)
		}
	}
}
