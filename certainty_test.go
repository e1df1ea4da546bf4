package eigenmap_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"gonum.org/v1/gonum/mat"
)

// rowsOf are the lines of a clusters.csv, the header first.
func rowsOf(t *testing.T, dir string) [][]string {
	t.Helper()
	return rowsIn(t, dir, "clusters.csv")
}

// rowsIn are the records of a table in a folder of results.
func rowsIn(t *testing.T, dir, name string) [][]string {
	t.Helper()
	f := must.Get(os.Open(filepath.Join(dir, name)))(t)
	defer f.Close()
	records := must.Get(csv.NewReader(f).ReadAll())(t)
	return records
}

// Distances and confidences of k-means follow the definition.
func TestCertaintyOfCenters(t *testing.T) {
	x := mat.NewDense(5, 1, []float64{0, 2, 10, 12, 5})
	run := must.Get(eigenmap.ClusterMatrix(context.Background(), x, eigenmap.Options{Method: "kmeans", Clusters: 2}))(t)
	own, other := 7.0/3, 11.0 // centres
	for i, v := range []float64{0, 2, 10, 12, 5} {
		a, b := math.Abs(v-own), math.Abs(v-other)
		near, far := min(a, b), max(a, b)
		if math.Abs(run.Distance[i]-near) > 1e-12 || math.Abs(run.Confidence[i]-(1-near/far)) > 1e-12 || run.Placed(i) != "yes" {
			t.Errorf("document %d: distance %v, confidence %v, placed %s; want %v and %v", i, run.Distance[i], run.Confidence[i], run.Placed(i), near, 1-near/far)
		}
	}
}

// The unsure are left in no cluster, and the scores are of the others.
func TestReject(t *testing.T) {
	for _, name := range []string{"kmeans", "le", "nmf", "isomap"} {
		all := cluster(t, train, options(t, name))
		limit := min(.999, slices.Sorted(slices.Values(all.Confidence))[20])
		opt := options(t, name)
		opt.Reject = limit
		run := cluster(t, train, opt)
		rejected, sum := 0, 0
		for i, k := range run.Labels {
			switch {
			case all.Confidence[i] < limit:
				rejected++
				if k != eigenmap.Rejected {
					t.Errorf("%s: document %d of confidence %v is in cluster %d", name, i, all.Confidence[i], k)
				}
			case k != all.Labels[i]:
				t.Errorf("%s: document %d is in cluster %d and was in %d", name, i, k, all.Labels[i])
			}
		}
		for _, n := range run.Sizes {
			sum += n
		}
		v := run.ClusterJSON(func(s string) string { return s }, nil)
		if rejected == 0 || run.RejectedCount != rejected || sum != 60-rejected || v.Rejected != rejected || v.Reject != limit || v.Scored != 60-rejected {
			t.Errorf("%s: %d rejected, %d counted, %d in clusters, JSON %+v", name, rejected, run.RejectedCount, sum, v.Rejected)
		}
		if notes := strings.Join(run.Notes(), " "); !strings.Contains(notes, "left in no cluster (-1)") || !strings.Contains(notes, "scores cover the others") {
			t.Errorf("%s: %s", name, notes)
		}
		dir := t.TempDir()
		save(t, run, dir)
		rows := rowsOf(t, dir)
		if got := strings.Join(rows[0], ","); strings.Replace(got, ",second", "", 1) != "id,cluster,label,distance,confidence,placed,terms" { // nmf knows no second
			t.Errorf("%s: %s", name, got)
		}
		e, err := eigenmap.Evaluate(context.Background(), train, filepath.Join(dir, "clusters.csv"), eigenmap.Options{})
		if err != nil || e.Documents != 60-rejected || e.LeftOut != rejected || math.Abs(e.Metrics.NMI-run.Scores.NMI) > 1e-12 {
			t.Errorf("%s: eval has %+v, %v", name, e, err)
		}
	}
	_, err := eigenmap.Embed(context.Background(), train, eigenmap.Options{Method: "le", Reject: .1})
	refused(t, err, "reject")
	_, err = eigenmap.Cluster(context.Background(), train, eigenmap.Options{Method: "le", Reject: 1.5})
	refused(t, err, "reject")
}

// A share of the documents, the least confident ones, is left in no cluster, and the model leaves
// new documents of lower confidences in none.
func TestRejectShare(t *testing.T) {
	all := cluster(t, train, options(t, "kmeans"))
	opt := options(t, "kmeans")
	must.Do(t, opt.Set("reject-share", "20%"))
	run := cluster(t, train, opt)
	if n := run.RejectedCount; n < 8 || n > 12 || run.RejectBelow != slices.Sorted(slices.Values(all.Confidence))[12] {
		t.Errorf("%d rejected below %v", n, run.RejectBelow)
	}
	model := saveModel(t, run)
	again, err := eigenmap.Predict(context.Background(), model, train)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(again.Labels, run.Labels) || again.RejectBelow != run.RejectBelow {
		t.Errorf("the model rejects %d below %v, the run %d below %v", again.RejectedCount, again.RejectBelow, run.RejectedCount, run.RejectBelow)
	}
	if own, err := eigenmap.Predict(context.Background(), model, train, eigenmap.Options{Reject: 1e-9}); err != nil || own.RejectedCount > 1 {
		t.Errorf("an own limit: %d rejected, %v", own.RejectedCount, err)
	}
	_, err = eigenmap.Cluster(context.Background(), train, eigenmap.Options{Method: "kmeans", Reject: .1, RejectShare: .1})
	refused(t, err, "reject-share")
}

// Confidences of different methods have one scale, near the accuracy. What a document gets is the
// same alone, before and after the model was stored; the raw score is another.
func TestConfidenceIsCalibrated(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const n, d, k = 600, 20, 3
	x := mat.NewDense(n, d, nil)
	truth := make([]int, n)
	for i := range n {
		truth[i] = i % k
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
			if j%k == i%k && i%2 == 0 {
				x.Set(i, j, x.At(i, j)+2)
			}
		}
	}
	for _, name := range []string{"kmeans", "gmm", "lapgmm", "pca", "spectral"} {
		run := must.Get(eigenmap.ClusterMatrix(context.Background(), x, eigenmap.Options{Method: name, Clusters: k}))(t)
		table := must.Get(metrics.NewTable(truth, run.Labels))(t)
		mean, clear := 0.0, 0.0
		for i, c := range run.Confidence {
			mean += c / n
			if i%2 == 0 {
				clear += 2 * c / n
			}
		}
		if accuracy := table.Scores().Accuracy; math.Abs(mean-accuracy) > 0.2 || name != "lapgmm" && clear < mean+0.005 {
			t.Errorf("%s: mean confidence %.3f, of documents with a group %.3f, accuracy %.3f", name, mean, clear, accuracy)
		}
		model := must.Get(run.Model(context.Background()))(t)
		some := mat.DenseCopyOf(x.Slice(10, 13, 0, d))
		p := must.Get(model.PredictMatrix(context.Background(), some))(t)
		one, err := model.PredictMatrix(context.Background(), some.Slice(1, 2, 0, d))
		if err != nil || one.Confidence[0] != p.Confidence[1] || math.Abs(p.Confidence[1]-run.Confidence[11]) > 1e-6 {
			t.Errorf("%s: confidence %v alone, %v among others, %v in the run (%v)", name, one.Confidence, p.Confidence[1], run.Confidence[11], err)
		}
		raw, err := eigenmap.ClusterMatrix(context.Background(), x, eigenmap.Options{Method: name, Clusters: k, Confidence: "raw"})
		if err != nil || !slices.Equal(raw.Labels, run.Labels) || slices.Equal(raw.Confidence, run.Confidence) {
			t.Errorf("%s: raw confidences are the calibrated ones, or other clusters (%v)", name, err)
		}
	}
}

// The reliability of a run's confidences is measured against true labels in tenths.
func TestReliability(t *testing.T) {
	dir := t.TempDir()
	var found, truth strings.Builder
	found.WriteString("id,cluster,label,distance,confidence,placed\n")
	for i := range 100 {
		fmt.Fprintf(&found, "d%d,%d,x,1,%g,yes\n", i, i%2, float64(i)/100)
		class := i % 2
		if i%10 >= i/10 { // of the tenth g, g documents are right
			class = 1 - class
		}
		fmt.Fprintf(&truth, "d%d,c%d\n", i, class)
	}
	e, err := eigenmap.Evaluate(context.Background(), write(t, dir, "truth.csv", truth.String()), write(t, dir, "clusters.csv", found.String()), eigenmap.Options{})
	if err != nil || len(e.Reliability) != 10 {
		t.Fatalf("%+v, %v", e, err)
	}
	flipped := e.Assignment[0] == 1 // 45 of 100 agree, so that the matching may be the other one
	for g, p := range e.Reliability {
		want := float64(g) / 10
		if flipped {
			want = 1 - want
		}
		if p.Documents != 10 || math.Abs(p.Confidence-(float64(g)/10+0.045)) > 1e-9 || math.Abs(p.Right-want) > 1e-9 {
			t.Errorf("tenth %d: %+v, want %v right", g, p, want)
		}
	}
	var b bytes.Buffer
	if err := e.WriteReliability(&b); err != nil || !bytes.HasPrefix(b.Bytes(), []byte("\x89PNG")) {
		t.Errorf("%d bytes, %v", b.Len(), err)
	}
}

// A prediction says which documents it knows, which have nothing in common with the model's, and
// how sure it is of the others.
func TestPredictCertainty(t *testing.T) {
	ctx := context.Background()
	run := cluster(t, train, options(t, "le"))
	model := saveModel(t, run)
	dir := t.TempDir()
	strange := write(t, dir, "new.jsonl", `{"id":"odd","text":"quux zyzzyva"}`+"\n"+`{"id":"sky","text":"star moon sky cloud rain"}`+"\n")
	p := must.Get(eigenmap.Predict(ctx, model, strange, eigenmap.Options{Reject: .05}))(t)
	if p.Placed(0) != "isolated" || p.Confidence[0] != 0 || p.Labels[0] != eigenmap.Rejected || p.RejectedCount < 1 {
		t.Errorf("nothing in common: %s, confidence %v, cluster %d", p.Placed(0), p.Confidence[0], p.Labels[0])
	}
	if p.Placed(1) == "isolated" || p.Confidence[1] < 0 || p.Confidence[1] > 1 || p.Distance[1] < 0 {
		t.Errorf("%s, confidence %v, distance %v", p.Placed(1), p.Confidence[1], p.Distance[1])
	}
	if v := p.JSON(func(s string) string { return s }, nil); v.Rejected != p.RejectedCount || v.Isolated != 1 || v.Reject != .05 {
		t.Errorf("%+v", v)
	}
	again := must.Get(eigenmap.Predict(ctx, model, train))(t)
	for i := range run.Labels {
		if again.Placed(i) != "known" || math.Abs(again.Confidence[i]-run.Confidence[i]) > 1e-8 {
			t.Fatalf("document %d of the model: %s, confidence %v and %v", i, again.Placed(i), again.Confidence[i], run.Confidence[i])
		}
	}
	if notes := strings.Join(again.Notes(), " "); !strings.Contains(notes, "Nothing new: all 60 documents have the terms of one of the model's") {
		t.Error(notes)
	}
}

// A document of the model that has nothing in common with the others, though a copy of it has its
// terms, is isolated in a prediction as it is in the fit: its cluster is arbitrary there too.
func TestPredictIsolatedOfTheModel(t *testing.T) {
	text := must.Get(os.ReadFile(train))(t)
	const odd = `{"id":"x%d","text":"quux zyzzyva","label":"%s"}` + "\n"
	first, _, _ := strings.Cut(string(text), "\n")
	var one struct{ Label string }
	must.Do(t, json.Unmarshal([]byte(first), &one))
	dir, known := t.TempDir(), "id,label\n"
	file := write(t, dir, "all.jsonl", string(text)+fmt.Sprintf(odd, 1, one.Label)+fmt.Sprintf(odd, 2, one.Label))
	for n, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var d struct{ ID, Label string }
		must.Do(t, json.Unmarshal([]byte(line), &d))
		if n%4 == 0 {
			known += d.ID + "," + d.Label + "\n"
		}
	}
	known = write(t, dir, "known.csv", known+"x1,"+one.Label+"\n")
	for _, method := range []string{"diffusion", "le", "leiden", "label-propagation", "semi-le", "isomap"} {
		opt := options(t, method)
		if method == "label-propagation" {
			opt = options(t, method, "labeled-fraction", "0.2")
		}
		if method == "semi-le" { // which draws an isolated document with a known label to its class
			opt = options(t, method, "labels", known)
		}
		run := cluster(t, file, opt)
		p := must.Get(eigenmap.Predict(t.Context(), saveModel(t, run), file))(t)
		isolated := 0
		for i := range run.Labels {
			alone := run.Placed(i) == eigenmap.PlacedIsolated
			if alone {
				isolated++
			}
			if (p.Placed(i) == eigenmap.PlacedIsolated) != alone || math.Abs(p.Confidence[i]-run.Confidence[i]) > 1e-8 || p.Labels[i] != run.Labels[i] {
				t.Errorf("%s: document %d: %s, cluster %d with %v in the fit; %s, cluster %d with %v in the prediction",
					method, i, run.Placed(i), run.Labels[i], run.Confidence[i], p.Placed(i), p.Labels[i], p.Confidence[i])
			}
		}
		if isolated != 2 || p.Known != len(run.Labels)-2 {
			t.Errorf("%s: %d isolated, %d known of %d", method, isolated, p.Known, len(run.Labels))
		}
	}
}

// No documents are no fault of a prediction.
func TestPredictNothing(t *testing.T) {
	model := saveModel(t, cluster(t, train, options(t, "le")))
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder")
	must.Do(t, os.Mkdir(folder, 0o777))
	for _, file := range []string{folder, write(t, dir, "empty.jsonl", ""), write(t, dir, "blank.jsonl", "\n\n"), write(t, dir, "empty.csv", "")} {
		p, err := eigenmap.Predict(context.Background(), model, file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if notes := strings.Join(p.Notes(), " "); !strings.Contains(notes, "Nothing new: "+file) {
			t.Errorf("%s: %s", file, notes)
		}
		out := t.TempDir()
		if err := p.Save(out); err != nil {
			t.Error(err)
		}
		if rows := rowsOf(t, out); len(rows) != 1 || strings.Join(rows[0], ",") != "id,cluster,distance,confidence,placed,terms" {
			t.Errorf("%s: %v", file, rows)
		}
		if v := p.JSON(func(s string) string { return s }, nil); v.Documents != 0 || len(v.Sizes) != 3 {
			t.Errorf("%s: %+v", file, v)
		}
		if len(p.Rows()) == 0 {
			t.Error("there are no rows")
		}
	}
}

// Labels given start k-means in cle, semi-le and lda, unless another start is asked for.
func TestLabelsStartKMeans(t *testing.T) {
	for _, name := range []string{"cle", "semi-le", "lda"} {
		run := cluster(t, train, options(t, name, "labeled-fraction", "0.2"))
		asked := cluster(t, train, options(t, name, "labeled-fraction", "0.2", "init", "labels"))
		if !slices.Equal(run.Labels, asked.Labels) || !strings.Contains(strings.Join(run.Notes(), " "), "init labels: k-means starts") {
			t.Errorf("%s: %v", name, run.Notes())
		}
		for _, s := range run.Settings() {
			if s.Name == "init" && s.Text != "labels" {
				t.Errorf("%s: init is %s", name, s.Text)
			}
		}
		other := cluster(t, train, options(t, name, "labeled-fraction", "0.2", "init", "k-means++"))
		if strings.Contains(strings.Join(other.Notes(), " "), "init labels: k-means starts") {
			t.Errorf("%s with k-means++: %v", name, other.Notes())
		}
	}
	run := cluster(t, train, options(t, "cle", "labeled-fraction", "0.2", "clusters", "4"))
	if strings.Contains(strings.Join(run.Notes(), " "), "init labels") {
		t.Errorf("with a cluster without labels: %v", run.Notes())
	}
}

// A cluster of more than half of the documents is noted, with what usually helps.
func TestNoteOfALargeCluster(t *testing.T) {
	x := mat.NewDense(20, 1, nil)
	for i := range 20 {
		x.Set(i, 0, float64(i%3)/100)
	}
	x.Set(18, 0, 50)
	x.Set(19, 0, 100)
	run := must.Get(eigenmap.ClusterMatrix(context.Background(), x, eigenmap.Options{Method: "kmeans", Clusters: 3}))(t)
	if notes := strings.Join(run.Notes(), " "); !strings.Contains(notes, "Cluster 0 has 90 % of the documents; what usually helps: another method") {
		t.Error(notes)
	}
	// The method itself is none of the others.
	x = mat.NewDense(20, 4, nil)
	for i := range 20 {
		x.SetRow(i, []float64{1, float64(i%3) / 100, float64(i%5) / 100, float64(i%7) / 100})
	}
	x.SetRow(18, []float64{0, 50, 0, 0})
	x.SetRow(19, []float64{0, 0, 50, 0})
	for _, method := range []string{"nmf", "isomap"} {
		run := must.Get(eigenmap.ClusterMatrix(context.Background(), x, eigenmap.Options{Method: method, Clusters: 3}))(t)
		_, others, found := strings.Cut(strings.Join(run.Notes(), " "), "another method such as ")
		if others, _, _ = strings.Cut(others, "."); !found || strings.Contains(others, method) {
			t.Errorf("%s: another method is %q", method, others)
		}
	}
}
