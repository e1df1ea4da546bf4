package eigenmap_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

// Two clusters.csv are compared by their clusters, and the answer says which columns it compared.
func TestEvaluateColumns(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	a := write(t, dir, "a.csv", "id,cluster,label\np,0,x\nq,0,y\nr,1,x\ns,1,y\n")
	b := write(t, dir, "b.csv", "id,cluster,label\np,1,x\nq,1,y\nr,0,x\ns,0,y\n")
	truth := write(t, dir, "truth.csv", "id,label\np,x\nq,y\nr,x\ns,y\n")
	for _, c := range []struct {
		truth       string
		columns     eigenmap.Columns
		accuracy    float64
		left, right string
	}{
		{a, eigenmap.Columns{}, 1, "cluster", "cluster"},
		{a, eigenmap.Columns{Truth: "label"}, .5, "label", "cluster"},
		{a, eigenmap.Columns{Truth: "label", Prediction: "label"}, 1, "label", "label"},
		{truth, eigenmap.Columns{}, .5, "label", "cluster"},
		{truth, eigenmap.Columns{Prediction: "label"}, 1, "label", "label"},
	} {
		v := must.Get(eigenmap.Evaluate(ctx, c.truth, b, eigenmap.Options{}, c.columns))(t)
		if v.Metrics.Accuracy != c.accuracy || v.TruthColumn != c.left || v.PredictionColumn != c.right {
			t.Errorf("%s by %+v: accuracy %v, columns %s and %s", c.truth, c.columns, v.Metrics.Accuracy, v.TruthColumn, v.PredictionColumn)
		}
	}
	_, err := eigenmap.Evaluate(ctx, truth, b, eigenmap.Options{}, eigenmap.Columns{Prediction: "topic"})
	refused(t, err, "topic", "b.csv")
	_, err = eigenmap.Evaluate(ctx, train, b, eigenmap.Options{}, eigenmap.Columns{Truth: "label"})
	refused(t, err, "not a table")
}

// Ids that are numbers are counted alike on both sides, or refused.
func TestEvaluateIDs(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	file := func(name, head string, first int, labels string) string {
		var b strings.Builder
		if head != "" {
			b.WriteString(head + "\n")
		}
		for i, l := range strings.Fields(labels) {
			if first >= 0 {
				b.WriteString(string(rune('0'+first+i)) + ",")
			}
			b.WriteString(l + "\n")
		}
		return write(t, dir, name, b.String())
	}
	zero := file("zero.csv", "id,label", 0, "x x y y y")
	some := file("some.csv", "id,label", 1, "x y y y")
	plain := file("plain.txt", "", -1, "x x y y y")
	own := file("clusters.csv", "id,cluster", 1, "0 0 1 1 1")
	for _, c := range []struct {
		truth, found, from string
		accuracy           float64
		note               bool
	}{
		{zero, own, "", 1, true},
		{zero, own, "0", 1, false},
		{zero, plain, "", 1, true},
		{plain, zero, "", 1, true},
		{plain, own, "", 1, false},
		{plain, file("one.csv", "id,label", 1, "x x y y y"), "", 1, true},
		{plain, some, "0", 1, false},
		{plain, some, "1", .75, false},
		{own, zero, "", 1, true},
	} {
		v, err := eigenmap.Evaluate(ctx, c.truth, c.found, eigenmap.Options{Source: eigenmap.Source{IDsFrom: c.from}})
		if err != nil {
			t.Errorf("%s and %s from %q: %v", c.truth, c.found, c.from, err)
			continue
		}
		notes := slices.DeleteFunc(slices.Clone(v.Notes), func(n string) bool { return strings.Contains(n, "of so few") })
		if v.Metrics.Accuracy != c.accuracy || (len(notes) > 0) != c.note {
			t.Errorf("%s and %s from %q: accuracy %v, notes %q", c.truth, c.found, c.from, v.Metrics.Accuracy, v.Notes)
		}
	}
	_, err := eigenmap.Evaluate(ctx, plain, some, eigenmap.Options{})
	refused(t, err, "some.csv", "ids-from", "counted from 0 and counted from 1")
	found := file("part.csv", "id,cluster", 1, "0 1 1 1")
	_, err = eigenmap.Evaluate(ctx, zero, found, eigenmap.Options{})
	refused(t, err, "zero.csv", "ids-from")
}

// Clusters -1 and labels that mean no label are left out on both sides.
func TestEvaluateUnlabelled(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	truth := write(t, dir, "truth.csv", "id,label\np,0\nq,0\nr,1\ns,2\nt,-1\n")
	found := write(t, dir, "clusters.csv", "id,cluster\np,0\nq,-1\nr,1\ns,2\nt,2\n")
	v := must.Get(eigenmap.Evaluate(ctx, truth, found, eigenmap.Options{}))(t)
	if v.Documents != 3 || v.LeftOut != 2 || v.Metrics.Accuracy != 1 || len(v.Clusters) != 3 || len(v.Notes) != 3 {
		t.Errorf("%+v", v)
	}
}

// Labels that are names of the classes are taken at their word: a swapped classification is wrong.
// Numbers of clusters are matched, unless names are asked for.
func TestEvaluateByName(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	truth := write(t, dir, "truth.csv", "id,label\np,x\nq,y\nr,x\ns,y\n")
	swapped := write(t, dir, "swapped.csv", "id,label\np,y\nq,x\nr,y\ns,y\n")
	numbers := write(t, dir, "numbers.csv", "id,label\np,0\nq,1\nr,0\ns,1\n")
	turned := write(t, dir, "turned.csv", "id,label\np,1\nq,0\nr,1\ns,0\n")
	other := write(t, dir, "other.csv", "id,label\np,x\nq,z\nr,x\ns,z\n")
	yes, no := true, false
	for _, c := range []struct {
		truth, prediction string
		asked             *bool
		byName            bool
		accuracy          float64
	}{
		{truth, swapped, nil, true, .25},
		{truth, swapped, &no, false, .75},
		{numbers, turned, nil, false, 1},
		{numbers, turned, &yes, true, 0},
		{truth, other, nil, false, 1},
		{truth, other, &yes, true, .5},
	} {
		v := must.Get(eigenmap.Evaluate(ctx, c.truth, c.prediction, eigenmap.Options{}, eigenmap.Columns{ByName: c.asked}))(t)
		if v.ByName != c.byName || v.Metrics.Accuracy != c.accuracy {
			t.Errorf("%s and %s: accuracy %v, by name %v", c.truth, c.prediction, v.Metrics.Accuracy, v.ByName)
		}
	}
}

// One side may have labels of a part of the other's documents. Two sides that each have documents
// of their own are refused.
func TestEvaluatePart(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	all := write(t, dir, "all.csv", "id,cluster\np,0\nq,0\nr,1\ns,1\nt,1\n")
	part := write(t, dir, "part.csv", "id,label\ns,x\np,y\nt,x\n")
	numbers := write(t, dir, "numbers.csv", "id,cluster\n1,0\n2,0\n3,1\n4,1\n5,1\n")
	zero := write(t, dir, "zero.csv", "id,label\n0,y\n3,x\n4,x\n")
	for _, c := range []struct {
		truth, found, from string
	}{{part, all, ""}, {all, part, ""}, {zero, numbers, ""}, {write(t, dir, "one.csv", "id,label\n1,y\n4,x\n5,x\n"), numbers, ""}} {
		v, err := eigenmap.Evaluate(ctx, c.truth, c.found, eigenmap.Options{Source: eigenmap.Source{IDsFrom: c.from}})
		if err != nil {
			t.Errorf("%s and %s: %v", c.truth, c.found, err)
		} else if v.Documents != 3 || v.LeftOut != 2 || v.Metrics.Accuracy != 1 {
			t.Errorf("%s and %s: %d documents, %d left out, accuracy %v", c.truth, c.found, v.Documents, v.LeftOut, v.Metrics.Accuracy)
		}
	}
	_, err := eigenmap.Evaluate(ctx, write(t, dir, "other.csv", "id,label\np,x\nz,y\n"), all, eigenmap.Options{})
	refused(t, err, "all.csv", `document "q"`, "documents that are not here")
	// A list without ids that was cut off is no part: which documents it is of is not known.
	cut := write(t, dir, "cut.txt", "y\ny\nx\n")
	for _, sides := range [][2]string{{cut, numbers}, {numbers, cut}} {
		_, err = eigenmap.Evaluate(ctx, sides[0], sides[1], eigenmap.Options{})
		refused(t, err, "cut.txt has 3 labels, without ids", "a document 5", "id,label")
	}
	// Numbers of a part fit numbers from 0 as they are and one less.
	_, err = eigenmap.Evaluate(ctx, write(t, dir, "either.csv", "id,label\n1,y\n3,x\n"), write(t, dir, "from0.csv", "id,label\n0,y\n1,y\n2,x\n3,x\n"), eigenmap.Options{})
	refused(t, err, "ids-from", "counted from 0 and counted from 1")
}

// Lists of labels in .npy, IDX and JSON lines are sides, as they are files of labels elsewhere.
func TestEvaluateLists(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	header := "{'descr': '|u1', 'fortran_order': False, 'shape': (5,), }"
	header += strings.Repeat(" ", 117-len(header)) + "\n"
	npy := write(t, dir, "y.npy", "\x93NUMPY\x01\x00"+string([]byte{byte(len(header)), 0})+header+"\x07\x07\x09\x09\x09")
	idx := write(t, dir, "y.idx", "\x00\x00\x08\x01\x00\x00\x00\x05\x07\x07\x09\x09\x09")
	lines := write(t, dir, "y.jsonl", `{"id": "1", "label": "7"}`+"\n"+`{"id": "2", "label": "7"}`+"\n"+`{"id": "3", "label": "9"}`+"\n"+`{"id": "4", "label": "9"}`+"\n"+`{"id": "5", "label": "9"}`+"\n")
	clusters := write(t, dir, "clusters.csv", "id,cluster\n1,1\n2,1\n3,0\n4,0\n5,0\n")
	for _, list := range []string{npy, idx, lines} {
		for _, side := range [][2]string{{list, clusters}, {clusters, list}, {list, npy}} {
			v, err := eigenmap.Evaluate(ctx, side[0], side[1], eigenmap.Options{})
			if err != nil {
				t.Errorf("%s and %s: %v", side[0], side[1], err)
			} else if v.Documents != 5 || v.Metrics.Accuracy != 1 {
				t.Errorf("%s and %s: %d documents, accuracy %v", side[0], side[1], v.Documents, v.Metrics.Accuracy)
			}
		}
	}
	x, _ := embedded(5, 3)
	_, err := eigenmap.Evaluate(ctx, npyFile(t, "x.npy", x), clusters, eigenmap.Options{})
	refused(t, err, "has no labels to compare")
}

// A side may be an array of labels that NumPy saved, which has no columns.
func TestEvaluateArrays(t *testing.T) {
	dir := t.TempDir()
	head := "{'descr': '|u1', 'fortran_order': False, 'shape': (4,), }"
	head += strings.Repeat(" ", 63-(len(head)+10)%64) + "\n"
	array := "\x93NUMPY\x01\x00" + string(rune(len(head))) + "\x00" + head
	truth, found := write(t, dir, "y.npy", array+"\x01\x01\x02\x02"), write(t, dir, "p.npy", array+"\x05\x05\x05\x07")
	v, err := eigenmap.Evaluate(t.Context(), truth, found, eigenmap.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v.Documents != 4 || v.Metrics.Accuracy != 0.75 {
		t.Errorf("%+v", v)
	}
	_, err = eigenmap.Evaluate(t.Context(), truth, found, eigenmap.Options{}, eigenmap.Columns{Truth: "label"})
	if err == nil || !strings.Contains(err.Error(), "leave the column") {
		t.Error(err)
	}
}
