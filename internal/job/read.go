package job

import (
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
)

// Read brings in the file and makes the rows or the graph that the method works on.
func (j *Job) Read(ctx context.Context) error {
	for _, f := range j.Renamed {
		j.Note(fmt.Sprintf("%s is now called %s; the next version does not take the old name", words.Option(f.Was), words.Option(f.Name)))
	}
	if err := together(ctx, j.Load(ctx)); err != nil {
		return err
	}
	return j.Settle(ctx)
}

// Settle reads what belongs to the corpus that was read, and makes the rows or the graph. Ranks
// compare what they read before they work on it, since other input may end one of them alone.
func (j *Job) Settle(ctx context.Context) error {
	if err := together(ctx, j.ReadGiven(ctx)); err != nil {
		return err
	}
	if err := together(ctx, j.ReadVectors(ctx)); err != nil {
		return err
	}
	if err := j.sameInput(ctx); err != nil {
		return err
	}
	if err := together(ctx, j.Prepare(ctx)); err != nil {
		return err
	}
	if err := j.sameGraph(ctx); err != nil {
		return err
	}
	return j.divideRows(ctx)
}

// Prepare makes the rows or the graph of the documents that were read here.
func (j *Job) Prepare(ctx context.Context) error {
	if j.Source.Precomputed {
		if err := j.ReadAffinity(); err != nil {
			return err
		}
		if err := j.takePaper(); err != nil {
			return err
		}
		return j.settleLabels()
	}
	if j.InSingle() { // no effect on a corpus that was read so
		if err := j.Corpus.ToSingle(); err != nil {
			return err
		}
	}
	j.narrowCounts(ctx)
	if err := j.readTimes(ctx); err != nil {
		return err
	}
	if err := j.SelectClasses(); err != nil {
		return err
	}
	if err := j.settleLabels(); err != nil {
		return err
	}
	j.noteEmptyLabels()
	if err := j.Weigh(ctx); err != nil {
		return err
	}
	if err := j.readGraph(ctx); err != nil {
		return err
	}
	return j.SettleOptions()
}

// Load reads the corpus as it is.
func (j *Job) Load(ctx context.Context) error {
	defer j.Stage("read")()
	err := j.SettleText(ctx)
	stored := ctx
	if err == nil {
		stored, err = j.withEarlyStore(ctx)
	}
	if err == nil {
		err = j.CheckSource(ctx)
	}
	if err = together(ctx, err); err != nil {
		return err
	}
	opt := j.ReadOptions()
	opt.AsStored = j.ReadsAsStored()
	if err := j.ReadCorpus(stored, opt); err != nil {
		return j.singleText(ctx, err)
	}
	return nil
}

// ReadsAsStored says whether a dense file of float32 numbers stays in single precision: where the
// method is known and reads such rows as they are, the graph's search does not copy them, and the
// user does not say how they are stored. The result has the same bits.
func (j *Job) ReadsAsStored() bool {
	if j.Was("epsilon") || j.Was("graph-kind") {
		return false
	}
	return j.Takes("precision") && j.Precision == "" && (j.WithMethod() || j.Command == "graph") && !j.Source.Precomputed && j.Entrants == nil
}

// NarrowsCounts says whether the counts of a file stay in single precision, which holds whole
// numbers up to 2²⁴: where rows may stay as they are stored ([Job.ReadsAsStored]) and the method
// reads them for its graph alone, since their weights are computed when a row is read. k-means on
// sparse rows, which reads them in each of its steps, would take longer. Counts and weights take 5
// or 8 bytes per entry in place of 20, with the same bits in the result. Those of small corpora
// stay as they are, as the divisions cost more time than the memory is worth. size is the number of
// ranks, and entries that of the counts.
func (j *Job) NarrowsCounts(size, entries int) bool {
	return size <= 1 && memory.Bytes(20-8, entries) >= LeastFreed && !j.InMemory && !j.ByOthers() && !j.JoinsWords() && j.ReadsAsStored() && (j.Spec.Needs.Affinity || j.Command == "graph")
}

// narrowCounts stores the entries in single precision if that changes nothing but their memory.
func (j *Job) narrowCounts(ctx context.Context) {
	x, ok := j.Corpus.X.(*sparse.CSR)
	if !ok || !j.NarrowsCounts(ranks.From(ctx).Size(), x.NNZ()) {
		return
	}
	if narrow := sparse.SingleCounts(x); narrow != nil {
		j.Corpus.X = narrow
		memory.Dropped(memory.Bytes(8, x.NNZ()))
	}
}

// CheckSource refuses what can be refused before the file is read.
func (j *Job) CheckSource(ctx context.Context) error {
	if j.Texts == nil && model.Is(j.File) {
		return invalid.Errorf("%s: this is a model file, not a corpus: give the corpus it was made from, or eigenmap info to see the model", j.File)
	}
	if j.Source.IDsFrom != "" && j.Source.Truth == "" && j.Labels == "" && j.Constraints == "" {
		return invalid.Errorf("‹ids-from› has no effect without ‹truth›, ‹labels› or ‹constraints›: leave it out")
	}
	if j.Texts != nil {
		return CheckFiles(ctx, j.Source.Truth)
	}
	return CheckFiles(ctx, j.File, j.Source.Truth)
}

// ReadCorpus reads the corpus under the given options.
func (j *Job) ReadCorpus(ctx context.Context, opt corpus.ReadOptions) error {
	c, err := j.documents(ctx, opt)
	if err != nil {
		return err
	}
	return j.TakeRead(ctx, c)
}

// TakeRead makes what was read the corpus of the job, and checks that it has documents and that the
// options given have an effect on its format.
func (j *Job) TakeRead(ctx context.Context, c *corpus.Corpus) error {
	if j.Source.IDsFrom != "" && c.IDs != nil {
		j.Note("The documents have ids of their own, so ‹ids-from› has no effect.")
	}
	if j.Corpus = c; c.Divided() {
		j.takeShare(ranks.From(ctx), c)
	}
	if err := j.CheckFormats(c.Format); err != nil {
		return err
	}
	if slices.Contains(corpus.GraphFormats(), c.Format) && !j.Source.Precomputed {
		if err := j.TakeGraph(); err != nil {
			return j.InFile(err)
		}
		j.Note("The file is a graph, which is taken as it is, as by ‹precomputed›.")
		if err := j.CheckRelevant(j.Fields(), j.Data()); err != nil {
			return j.InFile(err)
		}
	}
	if err := j.checkColumnsAlone(); err != nil {
		return err
	}
	for _, n := range c.Notes {
		if n != c.LabelNote || j.Source.Truth == "" {
			j.Note(n)
		}
	}
	if r, cols := c.X.Dims(); r == 0 && c.Len() == 0 || cols == 0 {
		return invalid.Errorf("%s: it holds no documents: %d rows and %d columns", j.File, r, cols)
	}
	return nil
}

// DocumentBytes is the memory of a document in bytes, roughly.
func DocumentBytes(d corpus.Document) int64 {
	return int64(len(d.Text)+len(d.ID)+len(d.Label)) + 64
}

// documents reads the file, or counts the texts that are in memory.
func (j *Job) documents(ctx context.Context, opt corpus.ReadOptions) (*corpus.Corpus, error) {
	if j.Texts != nil {
		return corpus.FromTexts(ctx, j.Texts, opt)
	}
	opt.Divide = j.ReadsOwnRows(ctx)
	c, err := corpus.Read(ctx, j.File, opt)
	if err == nil && c.Divided() && c.Documents() < request.FewDocuments {
		opt.Divide = false
		c, err = corpus.Read(ctx, j.File, opt)
	}
	return c, err
}

// ReadAffinity takes the matrix that was read as the affinities of the documents.
func (j *Job) ReadAffinity() error {
	w, ok := j.Corpus.X.(*sparse.CSR)
	if !ok {
		var err error
		if w, err = sparse.FromMatrix(j.Corpus.X); err != nil {
			return j.InFile(err)
		}
	}
	from := graph.TakeAffinity
	switch {
	case j.Spec.Needs.Kernel:
		from = graph.FromKernel
	case j.InMemory:
		from = graph.FromAffinity // a copy: the matrix is the caller's
	}
	g, err := from(w)
	if err != nil {
		return j.InFile(err)
	}
	j.Affinity = g
	return nil
}
