package eigenmap_test

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// rings are n points of two circles around one centre: classes that a graph parts and no linear
// method does.
func rings(n int) *corpus.Corpus {
	r := rand.New(rand.NewPCG(3, 1))
	x, labels := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		labels[i] = i % 2
		angle, radius := 2*math.Pi*r.Float64(), 1+2*float64(i%2)+0.05*r.NormFloat64()
		x.Set(i, 0, radius*math.Cos(angle))
		x.Set(i, 1, radius*math.Sin(angle))
	}
	return &corpus.Corpus{Name: "rings", X: x, Labels: labels, ClassNames: []string{"inner", "outer"}}
}

// hidden are n points whose classes differ in one column of many, in which neighbours do not show:
// classes for a linear method.
func hidden(n int) *corpus.Corpus {
	r := rand.New(rand.NewPCG(5, 1))
	x, labels := mat.NewDense(n, 30, nil), make([]int, n)
	for i := range n {
		labels[i] = i % 2
		for j := range 30 {
			x.Set(i, j, r.NormFloat64())
		}
		x.Set(i, 7, 0.2*x.At(i, 7)+float64(2*(i%2)-1))
	}
	return &corpus.Corpus{Name: "hidden", X: x, Labels: labels, ClassNames: []string{"a", "b"}}
}

// around are n points of two normal classes with one centre, one twice as wide as the other in each
// of 20 columns: no line divides them, and most neighbours of a wide point are narrow ones.
func around(n int) *corpus.Corpus {
	r := rand.New(rand.NewPCG(7, 1))
	x, labels := mat.NewDense(n, 20, nil), make([]int, n)
	for i := range n {
		labels[i] = i % 2
		for j := range 20 {
			x.Set(i, j, r.NormFloat64()*float64(1+i%2))
		}
	}
	return &corpus.Corpus{Name: "around", X: x, Labels: labels, ClassNames: []string{"inner", "outer"}}
}

func byLabels(t *testing.T, c *corpus.Corpus, pairs ...string) *eigenmap.Run {
	t.Helper()
	opt := eigenmap.Options{Seed: 1}
	set(t, &opt, pairs...)
	run := must.Get(eigenmap.ClusterCorpus(context.Background(), c, opt))(t)
	return run
}

// Known labels choose a method that suits the data, at any number of threads, and the run is that
// of the method chosen.
func TestLabelsChooseTheMethod(t *testing.T) {
	defer native.SetThreads(0)
	for _, c := range []struct {
		corpus   *corpus.Corpus
		suited   []string
		accuracy float64
	}{
		{rings(300), []string{"label-propagation", "semi-le", "cle", "diffusion"}, 0.95},
		{hidden(300), []string{"lda", "tsvm", "semi-ldc", "logistic", "committee"}, 0.8},
		{around(300), []string{"kernel-ridge"}, 0.95},
	} {
		var first *eigenmap.Run
		for _, threads := range []int{1, 3} {
			native.SetThreads(threads)
			run := byLabels(t, c.corpus, "labeled-fraction", "0.2")
			choice := run.Choice
			if choice == nil || choice.By != "cross-validation" || len(choice.Table) != 11 || !slices.Contains(c.suited, eigenmap.Config(run.Settings())["method"].(string)) {
				t.Fatalf("%s: %+v", c.corpus.Name, choice)
			}
			if run.Unlabeled.Accuracy < c.accuracy {
				t.Errorf("%s: %s has accuracy %.3f", c.corpus.Name, choice.Method, run.Unlabeled.Accuracy)
			}
			if blind := byLabels(t, c.corpus); run.Unlabeled.Accuracy < blind.Scores.Accuracy-0.02 {
				t.Errorf("%s has accuracy %.3f, and diffusion without labels %.3f", choice.Method, run.Unlabeled.Accuracy, blind.Scores.Accuracy)
			}
			if first == nil {
				first = run
			} else if !reflect.DeepEqual(first.Choice, choice) || !slices.Equal(first.Labels, run.Labels) {
				t.Errorf("%d threads choose otherwise: %+v", threads, choice)
			}
		}
		name := strings.Fields(first.Choice.Method)[0]
		pairs := []string{"method", name, "labeled-fraction", "0.2"}
		if strings.Contains(first.Choice.Method, "class-mass") {
			pairs = append(pairs, "class-mass", "true")
		}
		if name == eigenmap.DefaultMethod {
			continue // which takes no labels
		}
		if named := byLabels(t, c.corpus, pairs...); named.Choice != nil || !slices.Equal(named.Labels, first.Labels) {
			t.Errorf("%v finds other clusters than the run that chose it", pairs)
		}
	}
}

// The run says what was chosen, by how much and over what, everywhere.
func TestChoiceIsTold(t *testing.T) {
	run := cluster(t, train, eigenmap.Options{LabeledFraction: 0.3})
	notes := strings.Join(run.Notes(), "\n")
	for _, want := range []string{"method " + run.Choice.Method + ": no method was named, and labels are given; of 18 known labels, held out in 5 folds, it got ", "diffusion without labels "} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q: %s", want, notes)
		}
	}
	dir := t.TempDir()
	save(t, run, dir)
	var manifest struct {
		Choice eigenmap.Choice `json:"method_choice"`
	}
	text, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil || !reflect.DeepEqual(&manifest.Choice, run.Choice) {
		t.Errorf("run.json: %v: %+v", err, manifest)
	}
	object, err := json.Marshal(run.ClusterJSON(func(name string) string { return name }, nil))
	if err != nil || !strings.Contains(string(object), `"method_choice":{"method":"`) {
		t.Errorf("%v: no choice in %.300s", err, object)
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil || !strings.Contains(string(page), "<h2>Method</h2>") || !strings.Contains(string(page), "tsvm") {
		t.Errorf("%v: no table of methods in the report", err)
	}
}

// Clusters of a method that names none have the names of most of the labelled documents in them; a
// cluster without such a document has none. Accuracy goes by these names, so that documents of a
// cluster without one are wrong, and no note speaks of labels that were kept.
func TestClustersGetNames(t *testing.T) {
	c := rings(300)
	for _, pairs := range [][]string{{"labeled-fraction", "0.1", "dims", "2"}, {"labeled-fraction", "0.01", "dims", "2", "clusters", "12"}} {
		run := byLabels(t, c, pairs...)
		if run.Choice == nil || run.Choice.Method != "semi-le" || len(run.Classes) != len(run.Sizes) {
			t.Fatalf("%v: %+v: %v", pairs, run.Choice, run.Classes)
		}
		right := 0
		for i, k := range run.Labels {
			if run.Classes[k] == c.ClassNames[c.Labels[i]] {
				right++
			}
		}
		if want := float64(right) / 300; math.Abs(run.Scores.Accuracy-want) > 1e-12 {
			t.Errorf("%v: accuracy %v, by the names %v", pairs, run.Scores.Accuracy, want)
		}
		if empty := slices.Contains(run.Classes, ""); empty != (len(run.Sizes) == 12) {
			t.Errorf("%v: clusters are named %v", pairs, run.Classes)
		}
		if notes := strings.Join(run.Notes(), "\n"); strings.Contains(notes, "not the class that was given") {
			t.Errorf("%v: %s", pairs, notes)
		}
	}
}

// New documents get the names of the clusters.
func TestModelKeepsNames(t *testing.T) {
	var opt eigenmap.Options
	set(t, &opt, "labeled-fraction", "0.3", "dims", "3")
	run := cluster(t, train, opt)
	dir := t.TempDir()
	save(t, run, dir)
	placed, err := eigenmap.Predict(context.Background(), filepath.Join(dir, eigenmap.ModelName), fresh)
	if err != nil || len(run.Classes) != 3 || !slices.Equal(placed.Classes, run.Classes) {
		t.Errorf("%v: %s names %v, and new documents are in %v", err, run.Choice.Method, run.Classes, placed.Classes)
	}
}

// Options that some candidates take never refuse the run in the name of another one.
func TestOptionsOfCandidates(t *testing.T) {
	few := []string{"labeled-fraction", "0.2"}
	for _, c := range []struct {
		pairs  []string
		method string // how the name of the method begins
		by     string
	}{
		{[]string{"class-mass", "true"}, "label-propagation", "cross-validation"},
		{[]string{"form", "zhou"}, "label-propagation", "cross-validation"},
		{[]string{"kernel", "gaussian"}, "tsvm", "default"}, // no other method takes it
		{[]string{"method", ""}, "", "cross-validation"},
	} {
		run := byLabels(t, rings(120), append(few[:2:2], c.pairs...)...)
		if run.Choice == nil || !strings.HasPrefix(run.Choice.Method, c.method) || run.Choice.By != c.by {
			t.Errorf("%v: %+v", c.pairs, run.Choice)
		}
		if c.by == "default" && strings.Contains(run.Choice.Why, "without") {
			t.Errorf("%v: %s", c.pairs, run.Choice.Why)
		}
	}
}

// The method that learns from no labels does not start from them either.
func TestBlindCandidateStaysBlind(t *testing.T) {
	run := byLabels(t, rings(120), "labeled-fraction", "0.2", "init", "labels")
	for _, row := range run.Choice.Table {
		if row.Method == eigenmap.DefaultMethod && (row.Documents > 0 || !strings.Contains(row.Note, "it learns from none")) {
			t.Errorf("%+v", row)
		}
	}
	if !strings.Contains(run.Choice.Why, "diffusion without labels was not compared") {
		t.Errorf("%s", run.Choice.Why)
	}
}

// Where labels cannot choose, the run says why and which method it takes.
func TestLabelsThatDoNotChoose(t *testing.T) {
	for _, c := range []struct {
		pairs       []string
		method, why string
	}{
		{[]string{"labeled-fraction", "0.05"}, "committee", "3 labels in 3 classes are too few to compare methods by"},
		{[]string{"labeled-fraction", "0.05", "spread", "0.9"}, "label-propagation with class-mass", "3 labels in 3 classes are too few to compare methods by"}, // which the committee does not take
		{[]string{"labeled-fraction", "0.3", "clusters", "3-5", "drop-zeros", "true"}, "semi-le", "the number of clusters is chosen too"},                       // without labels diffusion would choose it
	} {
		var opt eigenmap.Options
		set(t, &opt, c.pairs...)
		run := cluster(t, train, opt)
		if run.Choice == nil || run.Choice.By != "default" || run.Choice.Method != c.method || !strings.Contains(run.Choice.Why, c.why) ||
			!strings.Contains(strings.Join(run.Notes(), "\n"), c.why) {
			t.Errorf("%v: %+v", c.pairs, run.Choice)
		}
	}
}

// Five labels of each class tell that the clusters are not the classes: two groups lie far apart,
// and both have points of both classes, which a line parts.
func TestFewLabelsChoose(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	const n = 300
	x, labels := mat.NewDense(n, 3, nil), make([]int, n)
	for i := range n {
		labels[i] = i % 2
		x.SetRow(i, []float64{float64(8*(i/2%2)) + r.NormFloat64(), 2*float64(i%2) + 0.4*r.NormFloat64(), r.NormFloat64()})
	}
	c := &corpus.Corpus{Name: "crossed", X: x, Labels: labels, ClassNames: []string{"a", "b"}}
	run := byLabels(t, c, "labeled-fraction", "0.033")
	if got := run.Unlabeled.Accuracy; run.Choice.By != "cross-validation" || got < 0.9 {
		t.Errorf("accuracy %.3f by %s: %s", got, run.Choice.Method, run.Choice.Why)
	}
}

// Members that the run names stay, however few labels there are.
func TestMembersNamedWithFewLabels(t *testing.T) {
	var opt eigenmap.Options
	set(t, &opt, "labeled-fraction", "0.05", "members", "tsvm,logistic")
	run := cluster(t, train, opt)
	if members := eigenmap.Config(run.Settings())["members"]; members != "label-propagation=1,tsvm=1,logistic=1" {
		t.Errorf("%+v: members %v", run.Choice, members)
	}
}

// A plan of a run whose method known labels choose is of the votes, which most such runs take.
func TestPlanOfLabelsIsOfTheVotes(t *testing.T) {
	var opt eigenmap.Options
	set(t, &opt, "labeled-fraction", "0.3")
	p, err := eigenmap.MakePlan(t.Context(), train, opt)
	if err != nil || p.Method != "committee" || !strings.Contains(strings.Join(p.Notes, "\n"), "the fit is planned as that of committee") {
		t.Errorf("%v: %+v", err, p)
	}
}

// An option leaves out the methods that have no use for it, with the reason; a request that no
// method takes is refused as before.
func TestOptionsLimitTheChoice(t *testing.T) {
	var opt eigenmap.Options
	set(t, &opt, "labeled-fraction", "0.3", "neighbors", "9")
	run := cluster(t, train, opt)
	at := slices.IndexFunc(run.Choice.Table, func(row eigenmap.ChoiceRow) bool { return row.Method == "tsvm" })
	if at < 0 || run.Choice.Table[at].Documents > 0 || !strings.Contains(run.Choice.Table[at].Note, "tsvm has no use for neighbors") {
		t.Errorf("%+v", run.Choice.Table)
	}
	if f := eigenmap.Config(run.Settings())["neighbors"]; f != 9 {
		t.Errorf("%v neighbours", f)
	}
	opt = eigenmap.Options{Labels: "x.csv", LabeledFraction: 0.1}
	_, err := eigenmap.Cluster(context.Background(), train, opt)
	refused(t, err, "give one of them")
	opt = eigenmap.Options{LabeledFraction: 0.3, Clusters: 4}
	if run := cluster(t, train, opt); len(run.Sizes) != 4 {
		t.Errorf("%d clusters", len(run.Sizes))
	}
}

// On the shipped corpus the method chosen is better than the answer without labels, and its mean
// confidence is its accuracy.
func TestLabelsChooseOnDebian(t *testing.T) {
	if testing.Short() || native.Default().Name() == "go" {
		t.Skip("long: it compares methods on the shipped corpus for half a minute")
	}
	const file = "examples/debian/packages.jsonl.gz"
	run := cluster(t, file, eigenmap.Options{LabeledFraction: 0.02})
	blind := cluster(t, file, eigenmap.Options{})
	if run.Unlabeled.Accuracy < 0.68 || run.Unlabeled.Accuracy < blind.Scores.Accuracy {
		t.Errorf("%s has accuracy %.3f, without labels %.3f", run.Choice.Method, run.Unlabeled.Accuracy, blind.Scores.Accuracy)
	}
	if sure := stat.Mean(run.Confidence, nil); math.Abs(sure-run.Unlabeled.Accuracy) > 0.05 {
		t.Errorf("mean confidence %.3f, accuracy %.3f", sure, run.Unlabeled.Accuracy)
	}
}
