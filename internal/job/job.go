// Package job is one run over one corpus up to the method: it reads the documents and what is known
// of them, settles the choices that the request leaves open, and makes the rows or the graph that
// the method works on.
package job

import (
	"context"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// TextsName is the name of texts that are in memory.
const TextsName = "texts"

// Job is one run over one file or matrix: what was asked, what was read, and what to report about
// it.
type Job struct {
	*request.Request
	Dry      string         // the command whose run is planned and not made; "" of a run, and of a plan
	File     string         // name of the corpus, for messages
	Corpus   *corpus.Corpus // X is the affinity matrix if that is what the file holds
	X        mat.Matrix     // weighted documents; nil if the affinity is given
	repeats  bool           // equal rows of a table count once, since few differ
	often    bool           // they count as often as they occur in k-means, since many occur again
	times    []int          // how often each row of X, of all ranks, counts in k-means; nil: once
	Affinity *graph.Graph   // the affinity that was given
	Joined   *graph.Options // how it was built of the documents; nil if that is not known
	Prior    Prior          // what the method is given beforehand
	Dates    []time.Time    // of the documents, zero for one without; nil if they have none
	terms    []string       // of a vocabulary file
	// UsualColumns are those of the model that new documents are read for; else empty.
	UsualColumns corpus.UsualColumns
	// UsualFormat is the format of the model's file, and NamedFormat the one that was named for it, if
	// the new file has the same extension; "" without a model.
	UsualFormat, NamedFormat string
	Texts                    []string     // the documents, in place of a file; nil if there is one
	store                    *store.Store // of finished stages; nil without ‹work›
	// settled says that the store is open for the documents at work.
	settled bool
	// InMemory says that the matrix is the caller's, so that nothing may read it after the run.
	InMemory bool
	Times    Timings
	Notes    notes
	// Share says which rows are here, if the ranks divide them, and part is the corpus of these;
	// entries counts the entries of all rows, and empty are the documents without any. Else nil and
	// 0.
	Share   *ranks.Share
	part    *corpus.Corpus // see RowsHere
	Entries int
	Empty   []int
	// Whole is what there was before the documents were reduced to the distinct ones; nil if they
	// were not.
	Whole *whole
	// VectorsRead are the vectors by which the documents are compared, in their order, until they
	// are rows; vectorRows says how these were made. nil without vectors.
	VectorsRead *corpus.Corpus
	VectorRows  *model.Rows
	VectorModel *corpus.VectorModel // what made the vectors; nil if they were given
	// ColumnsRead are columns beside the texts by which the documents are compared; nil without.
	ColumnsRead *ColumnsRead
	// Views are what the documents are compared by, where that is more than one.
	Views []View
	// alone says that isolated documents were counted as clusters ([Job.CountAlone]).
	alone bool
	// usualNeighbors says that the number of neighbours is the one of graphs of vectors, and was not
	// given.
	usualNeighbors bool
	// HeldOut is what the run's method did with known labels that were hidden from it, where these
	// chose it; else nil.
	HeldOut *HeldOut
	// asked is the request as it was before known labels chose the method; nil of other runs.
	asked *request.Request

	// counted has the settings by which the number of clusters was chosen with isolated documents
	// counted, which the number alone does not repeat ([Job.KeepRange]); nil of other runs.
	counted []Setting
	// unsettled are the options of the method before its fit; nil: there was none.
	unsettled method.Options
	// counts says that the entries are counts of terms, of texts or of a file of numbers.
	counts bool
	// columnWeights are the weights of the columns under Weighting, which Weigh finds; nil before, and
	// of a weighting that takes none.
	columnWeights []float64
	// empty are the rows without entries of emptyOf, which are looked for once.
	empty   []int
	emptyOf *mat.Dense
}

// Note keeps a sentence for the user.
func (j *Job) Note(text string) { j.say(progress.Note, text) }

// Warn keeps a sentence about a result that is not all that was asked for.
func (j *Job) Warn(text string) { j.say(progress.Warning, text) }

// Advise keeps a sentence of a kind with the option that may mend what it says ([progress.Event]).
func (j *Job) Advise(kind progress.Kind, retry, text string) {
	j.Observe(progress.Event{Message: text, Kind: kind, Retry: retry})
}

func (j *Job) say(kind progress.Kind, text string) { j.Advise(kind, "", text) }

// Observe receives the events of all work. The choice of an eigensolver is reported with the
// solver.
func (j *Job) Observe(e progress.Event) {
	if e.Message != "" {
		j.Notes.add(e)
		e.Message = words.Plain(e.Message)
	}
	if j.Observer != nil {
		j.Observer(e)
	}
}

// GiveBack returns free memory of the heap to the system before work that takes much
// ([memory.GiveBack]), unless the documents are of a program that calls again and again.
func (j *Job) GiveBack() {
	if !j.InMemory {
		memory.GiveBack()
	}
}

// Stage opens a timed stage; calling what it returns closes it.
func (j *Job) Stage(name string) func() {
	j.GiveBack()
	start := time.Now()
	j.Observe(progress.Event{Stage: name})
	return func() { j.Times.Add(name, time.Since(start)) }
}

// Data is the kind of the rows, as far as it is known.
func (j *Job) Data() option.Data {
	switch j.X.(type) {
	case nil:
		return option.Unknown
	case sparse.Rows:
		return option.SparseData
	}
	return option.DenseData
}

// Columns is the number of terms, 0 if the affinity is given.
func (j *Job) Columns() int {
	if j.X == nil {
		return 0
	}
	_, cols := j.X.Dims()
	return cols
}

// Input is what the method works on.
func (j *Job) Input() *method.Input {
	first := j.Share.First()
	in := &method.Input{X: j.X, Counts: j.Corpus.X, Checked: j.asTaken(), Share: j.Share, Graph: j.Affinity, Joined: j.Joined, Clusters: j.Clusters, Together: j.CountsOnce(), Seed: j.Seed, Links: j.Prior.Groups,
		Terms: j.Corpus.Terms, Document: func(i int) string { return words.Name(j.Corpus.ID(first + i)) }, Observer: j.Observe, Stages: j.Stage}
	if j.ByOthers() {
		in.Counts, in.Terms = nil, nil
	}
	if j.Corpus.Labels != nil {
		in.Classes = len(j.Corpus.ClassNames)
	}
	if j.Prior.Labels != nil {
		in.Given = &method.Given{Labels: ranks.Own(j.Share, j.Prior.Labels), Names: j.Prior.Names}
	}
	return in
}

// Await runs f, which does not look at a context itself, and returns when it is done or the context
// is. In the latter case f runs on, so it must not write to anything that the caller still uses. A
// panic of f is raised here.
func Await[T any](ctx context.Context, f func() (T, error)) (T, error) {
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

// Files are the files that a run reads: a folder of results must not lose them.
func (j *Job) Files() []string {
	return []string{j.File, j.Graph, j.Vectors.File, j.Labels, j.Constraints, j.Source.Truth, j.Text.Vocabulary, j.Text.StopWords}
}
