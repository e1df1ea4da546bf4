package eigenmap

import (
	"context"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// job is one run over one file or matrix: what was asked, what was read, and what to report about
// it.
type job struct {
	*request
	dry       string         // the command whose run is planned and not made; "" of a run, and of a plan
	sized     *corpus.Size   // of the corpus that is planned, once it was measured
	file      string         // name of the corpus, for messages
	corpus    *corpus.Corpus // X is the affinity matrix if that is what the file holds
	x         mat.Matrix     // weighted documents; nil if the affinity is given
	graph     *graph.Graph   // the affinity that was given
	joined    *graph.Options // how it was built of the documents; nil if that is not known
	known     known          // what the method is given beforehand
	choice    *Choice        // how the known labels chose the method; nil if they did not
	dates     []time.Time    // of the documents, zero for one without; nil if they have none
	coherence *Coherence     // of the terms of the clusters; nil if they have none
	search    *Search        // how the number of clusters was chosen; nil if it was given
	terms     []string       // of a vocabulary file
	texts     []string       // the documents, in place of a file; nil if there is one
	store     *store.Store   // of finished stages; nil without ‹work›
	// settled says that the store is open for the documents at work.
	settled bool
	// inMemory says that the matrix is the caller's, so that nothing may read it after the run.
	inMemory bool
	times    Timings
	notes    notes
	// share says which rows are here, if the ranks divide them, and part is the corpus of these;
	// entries counts the entries of all rows, and empty are the documents without any. Else nil and
	// 0.
	share   *ranks.Share
	part    *corpus.Corpus // see rowsHere
	entries int
	empty   []int
	// whole is what there was before the documents were reduced to the distinct ones; nil if they
	// were not.
	whole *whole
	// vectors are the vectors by which the documents are compared, in their order, until they are
	// rows; vectorRows says how these were made. nil without vectors.
	vectors    *corpus.Corpus
	vectorRows *model.Rows
	// counts says that the entries are counts of terms, of texts or of a file of numbers.
	counts bool
}

// Timings are seconds by stage, in the order of the stages.
type Timings struct {
	Names   []string
	Seconds map[string]float64
}

// Add adds to the time of a stage.
func (t *Timings) Add(name string, d time.Duration) {
	if t.Seconds == nil {
		t.Seconds = make(map[string]float64)
	}
	if _, ok := t.Seconds[name]; !ok {
		t.Names = append(t.Names, name)
	}
	t.Seconds[name] += d.Seconds()
}

// AddBeforeTotal adds a stage that came after the rest was timed, to the total too.
func (t *Timings) AddBeforeTotal(name string, d time.Duration) {
	t.Add("total", d)
	t.Add(name, d)
	last := len(t.Names) - 1
	for i, n := range t.Names[:last] {
		if n == "total" {
			copy(t.Names[i:], t.Names[i+1:])
			t.Names[last] = n
		}
	}
}

// note keeps a sentence for the user.
func (j *job) note(text string) { j.say(progress.Note, text) }

// warn keeps a sentence about a result that is not all that was asked for.
func (j *job) warn(text string) { j.say(progress.Warning, text) }

func (j *job) say(kind progress.Kind, text string) {
	j.notes.add(progress.Event{Message: text, Kind: kind})
	if j.Observer != nil {
		j.Observer(progress.Event{Message: plainNames(text), Kind: kind})
	}
}

// observe receives the events of all work. The choice of an eigensolver is reported with the
// solver.
func (j *job) observe(e progress.Event) {
	if e.Message != "" {
		j.notes.add(e)
		e.Message = plainNames(e.Message)
	}
	if j.Observer != nil {
		j.Observer(e)
	}
}

// stage opens a timed stage; calling what it returns closes it.
func (j *job) stage(name string) func() {
	start := time.Now()
	j.observe(progress.Event{Stage: name})
	return func() { j.times.Add(name, time.Since(start)) }
}

// data is the kind of the rows, as far as it is known.
func (j *job) data() option.Data {
	switch j.x.(type) {
	case nil:
		return option.Unknown
	case sparse.Rows:
		return option.SparseData
	}
	return option.DenseData
}

// columns is the number of terms, 0 if the affinity is given.
func (j *job) columns() int {
	if j.x == nil {
		return 0
	}
	_, cols := j.x.Dims()
	return cols
}

// input is what the method works on.
func (j *job) input() *method.Input {
	first := j.share.First()
	in := &method.Input{X: j.x, Counts: j.corpus.X, Share: j.share, Graph: j.graph, Joined: j.joined, Clusters: j.Clusters, Together: j.countsOnce(), Seed: j.Seed, Links: j.known.groups,
		Terms: j.corpus.Terms, Document: func(i int) string { return clip(j.corpus.ID(first + i)) }, Observer: j.observe, Stages: j.stage}
	if j.vectors != nil {
		in.Counts, in.Terms = nil, nil
	}
	if j.corpus.Labels != nil {
		in.Classes = len(j.corpus.ClassNames)
	}
	if j.known.labels != nil {
		in.Given = &method.Given{Labels: ranks.Own(j.share, j.known.labels), Names: j.known.names}
	}
	return in
}

// await runs f, which does not look at a context itself, and returns when it is done or the context
// is. In the latter case f runs on, so it must not write to anything that the caller still uses. A
// panic of f is raised here.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
		panic any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panic = recover()
			done <- o
		}()
		o.value, o.err = f()
	}()
	select {
	case o := <-done:
		if o.panic != nil {
			panic(o.panic)
		}
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// files are the files that a run reads: a folder of results must not lose them.
func (j *job) files() []string {
	return []string{j.file, j.Graph, j.Vectors.File, j.Labels, j.Constraints, j.Source.Truth, j.Text.Vocabulary, j.Text.StopWords}
}
