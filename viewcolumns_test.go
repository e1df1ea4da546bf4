package eigenmap_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// tickets is a CSV file of the texts of documents and of columns beside them. A product is of the
// class in five of six documents and missing in every seventh; an amount is larger by class; region
// and opened tell nothing; ticket numbers the documents and mail is of one alone.
func tickets(docs []document, header string) string {
	rng := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	w := csv.NewWriter(&b)
	names := strings.Split(header, ",")
	w.Write(names)
	classes := []string{"kitchen", "sky", "garden"}
	for i, d := range docs {
		class := slices.Index(classes, d.Label)
		product := fmt.Sprintf("product %d", class)
		if rng.IntN(6) == 0 {
			product = fmt.Sprintf("product %d", rng.IntN(3))
		}
		if i%7 == 0 {
			product = ""
		}
		values := map[string]string{"id": d.ID, "text": d.Text, "label": d.Label, "product": product,
			"amount": strconv.FormatFloat(math.Exp(2*float64(class)+rng.NormFloat64()), 'f', 2, 64),
			"region": []string{"north", "south", "east", "west"}[rng.IntN(4)],
			"opened": fmt.Sprintf("2026-%02d-%02d", 1+rng.IntN(12), 1+rng.IntN(28)),
			"ticket": strconv.Itoa(1000 + i), "mail": fmt.Sprintf("person%d@example.org", i), "one": "yes"}
		row := make([]string, len(names))
		for j, name := range names {
			row[j] = values[name]
		}
		w.Write(row)
	}
	w.Flush()
	return b.String()
}

const ticketHeader = "id,text,label,product,amount,region,opened,ticket,mail"

// weightsOf are the weights of the columns of a run.
func weightsOf(run *eigenmap.Run) map[string]float64 {
	weights := map[string]float64{}
	for _, v := range run.Views() {
		weights[v.Name] = v.Weight
	}
	return weights
}

// Columns that agree with the texts take part in the comparison and the others do not; those that
// name single documents are left out with a note.
func TestColumnsAreAView(t *testing.T) {
	docs := trainingTexts(t)
	file := write(t, t.TempDir(), "tickets.csv", tickets(docs, ticketHeader))
	run := cluster(t, file, options(t, "", "views", "words", "views", "columns"))
	w := weightsOf(run)
	if !(w["product"] > 0 && w["amount"] > 0) || w["region"] != 0 || w["opened"] != 0 || w["words"] != 1 {
		t.Errorf("weights %v", w)
	}
	if _, ok := w["ticket"]; ok {
		t.Errorf("the numbers of the documents are compared: %v", w)
	}
	notes := strings.Join(run.NotesAs(func(s string) string { return s }), "\n")
	for _, want := range []string{"mail (", "ticket (", "take no part: opened, region", "weights beside 1 of the texts: amount"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q:\n%s", want, notes)
		}
	}
	if !run.HasTerms() || run.Scores.Accuracy < .95 {
		t.Errorf("accuracy %.3f, terms %v", run.Scores.Accuracy, run.HasTerms())
	}
	named := cluster(t, file, options(t, "", "view-columns", "product", "view-columns", "amount", "view-columns", "region"))
	if !slices.Equal(named.Labels, run.Labels) || len(named.Views()) != 4 {
		t.Errorf("named columns alone, with views %v, give another result", named.Views())
	}
}

// The texts of two classes are alike, and the column tells them apart.
func TestColumnTellsClasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	bag := [][]string{strings.Fields("card fee refund invoice charge bank"), strings.Fields("router wifi signal cable modem reset")}
	var b strings.Builder
	b.WriteString("text,label,product,junk\n")
	n := 240
	for i := range n {
		class := i % 4
		var words []string
		for range 9 {
			words = append(words, bag[class/2][rng.IntN(6)])
		}
		if rng.IntN(10) < 6 { // a word that tells the halves of a topic apart, somewhat
			words = append(words, []string{"urgent", "question"}[class%2])
		}
		fmt.Fprintf(&b, "%s,%d,%s,%d\n", strings.Join(words, " "), class, []string{"old", "new"}[class%2], rng.IntN(5))
	}
	file := write(t, t.TempDir(), "t.csv", b.String())
	opt := eigenmap.Options{Clusters: 4, Seed: 1}
	words := cluster(t, file, opt)
	opt.Vectors = eigenmap.Vectors{ViewColumns: []string{"product", "junk"}}
	both := cluster(t, file, opt)
	if w := weightsOf(both); !(w["product"] > 0) || w["junk"] != 0 || both.Scores.Accuracy < words.Scores.Accuracy+.1 {
		t.Errorf("accuracy %.3f with the column and %.3f without; weights %v", both.Scores.Accuracy, words.Scores.Accuracy, w)
	}
}

// Columns that tell nothing change nothing: the run is the one without them.
func TestUselessColumns(t *testing.T) {
	docs := trainingTexts(t)
	file := write(t, t.TempDir(), "tickets.csv", tickets(docs, "id,text,label,region,opened,one"))
	_, err := eigenmap.Cluster(context.Background(), file, options(t, "nmf", "label-column", "label", "views", "words", "views", "columns"))
	refused(t, err, "nmf", "no entries below 0") // before it is known what the columns tell
	for _, method := range []string{"", "kmeans", "lsi"} {
		words := cluster(t, file, options(t, method, "label-column", "label"))
		run := cluster(t, file, options(t, method, "label-column", "label", "views", "words", "views", "columns"))
		if !slices.Equal(run.Labels, words.Labels) || !same(run.Embedding, words.Embedding) {
			t.Errorf("%s: other clusters than without the columns", method)
		}
		for _, v := range run.Views() {
			if v.Name != "words" && v.Weight != 0 {
				t.Errorf("%s: %+v", method, v)
			}
		}
	}
}

// Neither the order of the rows nor that of the columns decides, and one seed gives the same bits.
func TestColumnsOrder(t *testing.T) {
	docs := trainingTexts(t)
	text := tickets(docs, ticketHeader)
	first := cluster(t, write(t, t.TempDir(), "a.csv", text), options(t, "le", "views", "words", "views", "columns"))
	again := cluster(t, write(t, t.TempDir(), "a.csv", text), options(t, "le", "views", "words", "views", "columns"))
	if !slices.Equal(first.Labels, again.Labels) || !same(first.Embedding, again.Embedding) {
		t.Error("the same file gives another result")
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	slices.Reverse(lines[1:])
	turned := cluster(t, write(t, t.TempDir(), "b.csv", strings.Join(lines, "\n")+"\n"), options(t, "le", "views", "words", "views", "columns"))
	of := map[string]int{}
	for i, k := range turned.Labels {
		of[turned.Corpus.ID(i)] = k
	}
	other := make([]int, len(first.Labels))
	for i := range other {
		other[i] = of[first.Corpus.ID(i)]
	}
	if a := agree(first.Labels, other); a < .98 {
		t.Errorf("in another order the clusters agree on %.2f", a)
	}
	for name, w := range weightsOf(first) {
		if v := weightsOf(turned)[name]; math.Abs(v-w) > 1e-9 {
			t.Errorf("%s has the weight %g, and %g in another order", name, w, v)
		}
	}
}

// A column that is wrong in a sixth of the documents does not spoil texts that tell the classes.
func TestColumnsDoNotDrownTexts(t *testing.T) {
	docs := trainingTexts(t)
	file := write(t, t.TempDir(), "a.csv", tickets(docs, "id,text,label,product"))
	for _, method := range []string{"", "kmeans", "le"} {
		words := cluster(t, file, options(t, method, "label-column", "label"))
		run := cluster(t, file, options(t, method, "label-column", "label", "view-columns", "product"))
		if weightsOf(run)["product"] == 0 || run.Scores.Accuracy < words.Scores.Accuracy-.02 {
			t.Errorf("%s: accuracy %.3f, and %.3f of the texts alone; weights %v", method, run.Scores.Accuracy, words.Scores.Accuracy, weightsOf(run))
		}
	}
}

// A document without values is compared by its text: such documents are no cluster of their own.
func TestMissingValues(t *testing.T) {
	docs := trainingTexts(t)
	run := cluster(t, write(t, t.TempDir(), "a.csv", tickets(docs, "id,text,label,product")), options(t, "", "label-column", "label", "view-columns", "product"))
	if weightsOf(run)["product"] == 0 || run.Scores.Accuracy < .95 {
		t.Errorf("accuracy %.3f, weights %v", run.Scores.Accuracy, weightsOf(run))
	}
	seen := map[int]int{}
	for i, k := range run.Labels {
		if i%7 == 0 {
			seen[k]++
		}
	}
	if len(seen) != 3 {
		t.Errorf("documents without a product are in the clusters %v", seen)
	}
}

// New documents are placed by the views that they have.
func TestPredictColumns(t *testing.T) {
	ctx := context.Background()
	docs := trainingTexts(t)
	dir := t.TempDir()
	file := write(t, dir, "tickets.csv", tickets(docs, ticketHeader))
	x, _ := embedded(len(docs), 3)
	vectors := npyFile(t, "v.npy", x)
	for _, views := range []string{"words,columns", "vectors,columns", "words,vectors,columns"} {
		var pairs []string
		for v := range strings.SplitSeq(views, ",") {
			pairs = append(pairs, "views", v)
		}
		var with eigenmap.Options
		if strings.Contains(views, "vectors") {
			pairs = append(pairs, "vectors", vectors)
			set(t, &with, "vectors", vectors)
		}
		run := cluster(t, file, options(t, "le", pairs...))
		if len(run.Views()) < 5 {
			t.Errorf("%s: views %+v", views, run.Views())
		}
		model := saveModel(t, run)
		p, err := eigenmap.Predict(ctx, model, file, with)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.Labels, run.Labels) || p.Scores == nil || p.Novelty == nil {
			t.Errorf("%s: the documents of the fit are not where they were, or have no novelty", views)
		}
		without := write(t, dir, "without.csv", tickets(docs, "id,text,label"))
		p, err = eigenmap.Predict(ctx, model, without, with)
		if err != nil {
			t.Fatal(err)
		}
		if weightsOf(run)["product"] > 0 && (p.Novelty != nil || !strings.Contains(strings.Join(p.Notes(), " "), "alone")) {
			t.Errorf("%s: documents without the columns have a novelty, or nothing says so: %q", views, p.Notes())
		}
		if views == "words,columns" && p.Scores.Accuracy < .9 {
			t.Errorf("by the texts alone the accuracy is %.3f", p.Scores.Accuracy)
		}
		other := write(t, dir, "other.csv", strings.ReplaceAll(tickets(docs, "id,text,label,product"), "product ", "thing "))
		p, err = eigenmap.Predict(ctx, model, other, with)
		if err != nil {
			t.Fatal(err)
		}
		if weightsOf(run)["product"] > 0 && !strings.Contains(strings.Join(p.Notes(), " "), "the model knows: product") {
			t.Errorf("%s: nothing says that the products are new: %q", views, p.Notes())
		}
		some := write(t, dir, "some.csv", tickets(docs, "id,text,label,product"))
		p, err = eigenmap.Predict(ctx, model, some, with)
		if err != nil {
			t.Fatal(err)
		}
		if weightsOf(run)["amount"] > 0 && !strings.Contains(strings.Join(p.Notes(), " "), "have no value: amount") {
			t.Errorf("%s: nothing says that amount is missing: %q", views, p.Notes())
		}
	}
}

// Columns in memory are those of a file.
func TestColumnsInMemory(t *testing.T) {
	docs := trainingTexts(t)
	file := write(t, t.TempDir(), "tickets.csv", tickets(docs, ticketHeader))
	want := cluster(t, file, options(t, "le", "view-columns", "product"))
	texts := make([]string, len(docs))
	column := corpus.Column{Name: "product"}
	rows, err := csv.NewReader(strings.NewReader(tickets(docs, ticketHeader))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows[1:] {
		texts[i] = row[1]
		at := int32(-1)
		if word := row[3]; word != "" {
			if at = int32(slices.Index(column.Words, word)); at < 0 {
				at = int32(len(column.Words))
				column.Words = append(column.Words, word)
			}
		}
		column.Of = append(column.Of, at)
	}
	opt := options(t, "le")
	opt.Vectors.Columns = []corpus.Column{column}
	run := must.Get(eigenmap.ClusterTexts(context.Background(), texts, opt))(t)
	if !slices.Equal(run.Labels, want.Labels) {
		t.Error("columns in memory give other clusters than a file")
	}
	opt.Vectors.Columns[0].Of = column.Of[1:]
	_, err = eigenmap.ClusterTexts(context.Background(), texts, opt)
	refused(t, err, "59 values")
	column.Name = "other"
	twice := eigenmap.Vectors{Columns: []corpus.Column{column, column}}
	opt.Vectors = twice
	_, err = eigenmap.ClusterTexts(context.Background(), texts, opt)
	refused(t, err, "two columns have the name other")
	opt.Vectors = eigenmap.Vectors{Views: []string{"words", "columns"}}
	_, err = eigenmap.ClusterTexts(context.Background(), texts, opt)
	refused(t, err, "Vectors.Columns")

	m := must.Get(eigenmap.LoadModel(context.Background(), saveModel(t, run)))(t)
	column.Name = "product"
	with := func(columns ...corpus.Column) eigenmap.Options {
		return eigenmap.Options{Vectors: eigenmap.Vectors{Columns: columns}}
	}
	p, err := m.PredictTexts(context.Background(), texts, with(column))
	if err != nil || !slices.Equal(p.Labels, run.Labels) {
		t.Errorf("%v: the documents of the fit are not where they were", err)
	}
	strange := column
	strange.Words = []string{"x", "y", "z"}
	for want, c := range map[string]corpus.Column{"the model knows: product": strange} {
		p := must.Get(m.PredictTexts(context.Background(), texts, with(c)))(t)
		if said := p.Warnings(func(s string) string { return s }); !slices.ContainsFunc(said, func(w eigenmap.Warning) bool { return strings.Contains(w.Text, want) }) {
			t.Errorf("no warning says %q: %q", want, said)
		}
	}
	if said := p.Warnings(func(s string) string { return s }); len(said) > 0 {
		t.Errorf("columns of the fit warn: %q", said)
	}
	short, numbers := column, corpus.Column{Name: "product", Values: []float64{1}}
	short.Of = column.Of[1:]
	for _, bad := range [][]corpus.Column{{short}, {numbers}, {column, column}} {
		_, err = m.PredictTexts(context.Background(), texts, with(bad...))
		if err == nil {
			t.Errorf("%d columns that do not fit the documents are taken", len(bad))
		}
	}
	other, upper := column, column
	other.Name, upper.Name = "origin", "Product"
	_, err = m.PredictTexts(context.Background(), texts, with(other))
	refused(t, err, "by other columns", "it has product")
	if p, err = m.PredictTexts(context.Background(), texts, with(other, upper)); err != nil || !slices.Equal(p.Labels, run.Labels) {
		t.Errorf("%v: among other columns the model's is not taken", err)
	}
	without := must.Get(eigenmap.ClusterTexts(context.Background(), texts, options(t, "le")))(t)
	if m, err = eigenmap.LoadModel(context.Background(), saveModel(t, without)); err != nil {
		t.Fatal(err)
	}
	_, err = m.PredictTexts(context.Background(), texts, with(column))
	refused(t, err, "by no columns")
	if m, err = eigenmap.LoadModel(context.Background(), saveModel(t, run)); err != nil {
		t.Fatal(err)
	}
	long := column
	long.Of = append(slices.Clone(column.Of), 0)
	_, err = m.PredictTexts(context.Background(), texts, with(long))
	refused(t, err, "values")
}

// What cannot be compared is refused with a way out.
func TestColumnsRefused(t *testing.T) {
	docs := trainingTexts(t)
	dir := t.TempDir()
	file := write(t, dir, "tickets.csv", tickets(docs, ticketHeader))
	numbers := write(t, dir, "numbers.csv", "a,b\n1,2\n3,4\n5,7\n2,2\n1,1\n")
	plain := write(t, dir, "plain.csv", tickets(docs, "id,text"))
	classes := write(t, dir, "classes.csv", tickets(docs, "id,text,label"))
	for want, c := range map[string]struct {
		file  string
		pairs []string
	}{
		"classes":                     {file, []string{"view-columns", "label", "label-column", "label"}},
		"names of the documents":      {file, []string{"view-columns", "id", "id-column", "id"}},
		"compared by their words":     {file, []string{"view-columns", "text", "text-column", "text"}},
		"names of documents":          {file, []string{"view-columns", "mail"}},
		"numbers the documents":       {file, []string{"view-columns", "ticket"}},
		"amount, region, opened":      {file, []string{"view-columns", "priority"}},
		"twice":                       {file, []string{"view-columns", "product", "view-columns", "Product=category"}},
		"none of its values is a dat": {file, []string{"view-columns", "region=date"}},
		"views words,columns to":      {file, []string{"views", "columns"}},
		"leaves view-columns out":     {file, []string{"vectors", "x.npy", "views", "vectors", "view-columns", "product"}},
		"may be one":                  {classes, []string{"views", "words", "views", "columns", "label-column", "label"}},
		"has no columns":              {plain, []string{"views", "words", "views", "columns"}},
		"holds no texts":              {numbers, []string{"views", "words", "views", "columns"}},
		"no use for":                  {file, []string{"method", "plsa", "view-columns", "product"}},
		"double precision":            {file, []string{"precision", "single", "view-columns", "product"}},
	} {
		name := "kmeans"
		if c.pairs[0] == "method" {
			name, c.pairs = c.pairs[1], c.pairs[2:]
		}
		_, err := eigenmap.Cluster(context.Background(), c.file, options(t, name, c.pairs...))
		refused(t, err, want)
	}
	var opt eigenmap.Options
	set(t, &opt, "view-columns", "product")
	_, err := eigenmap.Predict(context.Background(), saveModel(t, cluster(t, file, options(t, "kmeans"))), file, opt)
	refused(t, err, "view-columns")
}

// A plan counts the rows that the columns make, and a run goes on with what is finished.
func TestColumnsPlanAndWork(t *testing.T) {
	docs := trainingTexts(t)
	file := write(t, t.TempDir(), "tickets.csv", tickets(docs, ticketHeader))
	opt := options(t, "le", "view-columns", "product", "view-columns", "amount")
	p := must.Get(eigenmap.MakePlan(context.Background(), file, opt))(t)
	if !slices.ContainsFunc(p.Stages, func(s eigenmap.PlanStage) bool { return s.Name == "rows of terms and more" }) {
		t.Errorf("stages %+v", p.Stages)
	}
	want := cluster(t, file, opt)
	opt.Work = t.TempDir()
	for range 2 {
		if run := cluster(t, file, opt); !slices.Equal(run.Labels, want.Labels) || !same(run.Embedding, want.Embedding) {
			t.Error("a run with finished stages gives another result")
		}
	}
}

// An explanation of a joined row names terms of the document and columns with their values, and no
// number of a vector.
func TestExplainJoinedRows(t *testing.T) {
	ctx := context.Background()
	docs := trainingTexts(t)
	file := write(t, t.TempDir(), "tickets.csv", tickets(docs, "id,text,label,product"))
	x, _ := embedded(len(docs), 3)
	with := eigenmap.Options{Vectors: eigenmap.Vectors{Rows: x}}
	for _, views := range []string{"words,vectors", "words,vectors,columns"} {
		opt := options(t, "kmeans", "label-column", "label")
		opt.Vectors = eigenmap.Vectors{Rows: x, Views: strings.Split(views, ",")}
		p := must.Get(eigenmap.Predict(ctx, saveModel(t, cluster(t, file, opt)), file, with))(t)
		list := must.Get(p.Explain(ctx, 1, 2, 3))(t)
		for at, e := range list {
			if len(e.Terms) == 0 {
				t.Errorf("%s: %s is explained by nothing", views, e.ID)
			}
			for _, w := range e.Terms {
				if column := strings.HasPrefix(w.Term, "product: "); column && views == "words,vectors" || !column && !strings.Contains(strings.ToLower(docs[1+at].Text), w.Term) {
					t.Errorf("%s: %s is explained by %q", views, e.ID, w.Term)
				}
			}
		}
	}
}

// Columns are left out with a note, and memory that the columns named do not have is an error that
// says so: a run never compares fewer columns in silence.
func TestColumnsLeftOut(t *testing.T) {
	const columns = 257
	var b strings.Builder
	for i, d := range trainingTexts(t) {
		fmt.Fprintf(&b, `{"text": %q`, d.Text)
		for k := range columns {
			fmt.Fprintf(&b, `, "c%d": "%d"`, k, i%2)
		}
		b.WriteString("}\n")
	}
	run := cluster(t, write(t, t.TempDir(), "a.jsonl", b.String()), options(t, "kmeans", "views", "words", "views", "columns"))
	if notes := strings.Join(run.NotesAs(func(s string) string { return s }), "\n"); !strings.Contains(notes, "Columns beside the texts: The file has more than 256 columns") {
		t.Errorf("the notes do not say that a column is left out:\n%s", notes)
	}
	b.Reset()
	b.WriteString("text,code\n")
	for i := range 600 {
		fmt.Fprintf(&b, "%s,%s%d\n", []string{"red apple", "blue plum"}[i%2], strings.Repeat("c", 55), i/2)
	}
	opt := options(t, "kmeans", "view-columns", "code", "min-df", "1")
	opt.MaxBytes = 30_000
	_, err := eigenmap.Cluster(context.Background(), write(t, t.TempDir(), "a.csv", b.String()), opt)
	refused(t, err, "memory")
	refused(t, err, "the values of 1 column")
}

// Few documents, and many of which few differ, have fewer than the usual 15 neighbours: that is no
// error if no number was given.
func TestFewDocumentsByOthers(t *testing.T) {
	docs := trainingTexts(t)[:10]
	few := write(t, t.TempDir(), "few.csv", tickets(docs, "id,text,product"))
	x, _ := embedded(len(docs), 3)
	opt := options(t, "le", "min-df", "1", "clusters", "2")
	opt.Vectors.Rows = x
	cluster(t, few, opt)
	set(t, &opt, "neighbors", "15")
	_, err := eigenmap.Cluster(context.Background(), few, opt)
	refused(t, err, "give at most 9")

	var b strings.Builder
	b.WriteString("text,product\n")
	for i := range 80 { // one of each pair of texts and products
		fmt.Fprintf(&b, "%s,%c\n", []string{"red apple pie", "blue plum cake", "red plum juice", "blue apple tart"}[i%4], 'a'+i%2)
	}
	run := cluster(t, write(t, t.TempDir(), "copies.csv", b.String()), options(t, "le", "clusters", "2", "view-columns", "product"))
	if weightsOf(run)["product"] == 0 {
		t.Errorf("weights %v", weightsOf(run))
	}
}

// The column of times may be compared too.
func TestTimesAreAView(t *testing.T) {
	docs := trainingTexts(t)
	file := write(t, t.TempDir(), "tickets.csv", tickets(docs, ticketHeader))
	run := cluster(t, file, options(t, "kmeans", "view-columns", "opened", "view-columns", "product", "time-column", "opened"))
	if _, compared := weightsOf(run)["opened"]; !compared || run.OverTime == nil {
		t.Errorf("views %v, over time %v", run.Views(), run.OverTime)
	}
}

// The weights of columns do not depend on the order of the file, though equal texts with other
// values are equally near to each other.
func TestColumnsOrderOfEqualTexts(t *testing.T) {
	topics := [][]string{strings.Fields("fee card bank refund"), strings.Fields("cable modem router signal")}
	rng := rand.New(rand.NewPCG(4, 4))
	var lines []string
	for i := range 240 {
		words, kind := topics[i%2], rng.IntN(3)
		if rng.IntN(3) > 0 {
			kind = i % 2
		}
		at := i / 2 % 3
		lines = append(lines, fmt.Sprintf("%d,%s %s %s,kind%d", i, words[at], words[at], words[at+1], kind))
	}
	weight := func(lines []string) float64 {
		text := "id,text,kind\n" + strings.Join(lines, "\n") + "\n"
		return weightsOf(cluster(t, write(t, t.TempDir(), "a.csv", text), options(t, "kmeans", "clusters", "2", "view-columns", "kind")))["kind"]
	}
	first := weight(lines)
	for range 3 {
		rng.Shuffle(len(lines), func(a, b int) { lines[a], lines[b] = lines[b], lines[a] })
		if w := weight(lines); first == 0 || math.Abs(w-first) > 1e-9 {
			t.Errorf("the weight is %g, and %g in another order", first, w)
		}
	}
}

// Rows of a matrix are placed with the vectors and the columns that belong to them.
func TestPredictMatrixBeside(t *testing.T) {
	ctx, n := context.Background(), 90
	x, near := mat.NewDense(n, 4, nil), mat.NewDense(n, 3, nil)
	kind := corpus.Column{Name: "kind", Words: []string{"a", "b", "c"}, Of: make([]int32, n)}
	number := corpus.Column{Name: "number", Values: make([]float64, n)}
	for i := range n {
		x.Set(i, i%3, 1)
		x.Set(i, 3, .1*float64(i%5))
		near.Set(i, i%3, 1)
		kind.Of[i], number.Values[i] = int32(i%3), float64(i%3)+.01*float64(i%7)
	}
	opt := eigenmap.Options{Method: "kmeans", Clusters: 3, Vectors: eigenmap.Vectors{Rows: near, Columns: []corpus.Column{kind, number}, Views: []string{"words", "vectors", "columns"}, ViewColumns: []string{"kind=category"}}}
	run := must.Get(eigenmap.ClusterMatrix(ctx, x, opt))(t)
	if w := weightsOf(run); w["kind"] == 0 || w["number"] == 0 {
		t.Errorf("the weights are %v", w)
	}
	m := must.Get(run.Model(ctx))(t)
	beside := eigenmap.Options{Vectors: eigenmap.Vectors{Rows: near, Columns: []corpus.Column{kind, number}}}
	p, err := m.PredictMatrix(ctx, x, beside)
	if err != nil || !slices.Equal(p.Labels, run.Labels) {
		t.Errorf("%v: the rows of the fit are not where they were", err)
	}
	beside.Vectors.Rows = mat.NewDense(n-1, 3, nil)
	_, err = m.PredictMatrix(ctx, x, beside)
	refused(t, err, "89 vectors")
	beside.Vectors = eigenmap.Vectors{Columns: []corpus.Column{{Name: "kind", Words: kind.Words, Of: kind.Of[1:]}}}
	_, err = m.PredictMatrix(ctx, x, beside)
	refused(t, err, "89 values")
}
