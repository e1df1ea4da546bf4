package eigenmap

import (
	"context"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Run is a finished clustering or embedding, or a partial one beside an error. Its fields are the
// embedded Result's: Labels, Confidence, Sizes, Embedding, Map, Scores, Clusters, Fitted,
// Corpus, Timings and more, which docs/api.txt lists.
type Run struct {
	*result.Result
	run *result.Run
}

// newRun is the run of a result; nil of none.
func newRun(r *result.Run, err error) (*Run, error) {
	if r == nil {
		return nil, fault.Wrap(err)
	}
	return &Run{&r.Result, r}, fault.Wrap(err)
}

// Rejected is the cluster of a document whose confidence is below Options.Reject.
const Rejected = result.Rejected

// Cluster reads a corpus, fits a method and finds clusters.
//
// Beside an error of the work it returns what was finished, nil if that is nothing. A request that
// is wrong whatever the data are is refused before anything is read. Errors are *Error:
// errors.Is(err, fs.ErrInvalid) if the request or the data are wrong, the context's, or typed
// errors of the engine such as *eigen.NotConvergedError.
func Cluster(ctx context.Context, file string, opt Options) (*Run, error) {
	return onFile(ctx, file, opt, "cluster")
}

// ClusterMatrix clusters the rows of a matrix, documents × terms: *mat.Dense, *sparse.CSR or any
// other. Options.Clusters has no default here, since there are no labels.
func ClusterMatrix(ctx context.Context, x mat.Matrix, opt Options) (*Run, error) {
	return ClusterCorpus(ctx, &corpus.Corpus{Name: "matrix", X: x}, opt)
}

// ClusterTexts clusters texts, one document each. Their terms are counted as of a file, by
// Options.Text. Options.Clusters has no default here, since there are no labels. Errors: as of
// [Cluster], and [corpus.ErrNoTerms] if no word is left.
func ClusterTexts(ctx context.Context, texts []string, opt Options) (*Run, error) {
	p, err := Prepare(opt, "cluster")
	if err != nil {
		return nil, err
	}
	return p.OnTexts(ctx, texts)
}

// ClusterCorpus clusters documents that are in memory.
func ClusterCorpus(ctx context.Context, c *corpus.Corpus, opt Options) (*Run, error) {
	return onCorpus(ctx, c, opt, "cluster")
}

// Embed reads a corpus and fits a method for its embedding alone. Errors: as of [Cluster].
func Embed(ctx context.Context, file string, opt Options) (*Run, error) {
	return onFile(ctx, file, opt, "embed")
}

// EmbedMatrix embeds the rows of a matrix.
func EmbedMatrix(ctx context.Context, x mat.Matrix, opt Options) (*Run, error) {
	return EmbedCorpus(ctx, &corpus.Corpus{Name: "matrix", X: x}, opt)
}

// EmbedCorpus embeds documents that are in memory.
func EmbedCorpus(ctx context.Context, c *corpus.Corpus, opt Options) (*Run, error) {
	return onCorpus(ctx, c, opt, "embed")
}

func onFile(ctx context.Context, file string, opt Options, command string) (*Run, error) {
	p, err := Prepare(opt, command)
	if err != nil {
		return nil, err
	}
	return p.OnFile(ctx, file)
}

// onCorpus makes a run of a command over documents in memory; nil are none.
func onCorpus(ctx context.Context, c *corpus.Corpus, opt Options, command string) (*Run, error) {
	p, err := Prepare(opt, command)
	if err != nil {
		return nil, err
	}
	if c == nil {
		c = &corpus.Corpus{Name: "corpus"}
	}
	return p.OnCorpus(ctx, c)
}

// Prepared is a request that was understood, before anything is read.
type Prepared struct{ p *result.Prepared }

// Prepare checks a request, so that a wrong one is refused before any work. command is "cluster" or
// "embed".
func Prepare(opt Options, command string) (*Prepared, error) {
	p, err := result.Prepare(opt, command)
	if err != nil {
		return nil, fault.Wrap(err)
	}
	return &Prepared{p}, nil
}

// Undivided is why the ranks of an MPI run, or the parts of --parts, cannot share the work of the
// request, a sentence without its full stop; "" if they can. name writes the names of options.
func (p *Prepared) Undivided(name func(option string) string) string {
	return words.Rename(p.p.Request.Undivided(), name)
}

// Alone is why rank 0 alone is to do the work of the request, of so many ranks of an MPI run, a
// sentence without its full stop; "" if the ranks share it. name writes the names of options.
func (p *Prepared) Alone(size int, name func(option string) string) string {
	return words.Rename(p.p.Request.Alone(size), name)
}

// SameOnRanks refuses ranks of an MPI run whose requests differ, and requests that ranks refuse.
// All ranks of the context call it, before any of them begins.
func (p *Prepared) SameOnRanks(ctx context.Context) error {
	err := p.p.Request.SameOnRanks(ctx)
	if err == nil {
		err = p.p.Request.CheckRanks(ctx)
	}
	return fault.Wrap(err)
}

// WithoutSnippets makes later runs keep no beginnings of texts ([Options].Snippets): for a caller
// that writes no files and shows no texts. Each document then takes 160 bytes less by default.
func (p *Prepared) WithoutSnippets() { p.p.Request.NoSnippets = true }

// OnFile runs the request over a file.
func (p *Prepared) OnFile(ctx context.Context, file string) (*Run, error) {
	return newRun(p.p.OnFile(ctx, file))
}

// Retry runs the request once more over the file of a run, with the options that notes of the run
// say may help ([Run.Remedies]), and returns the second run, which has a note that says so. Where
// no note names an option, or the second run fails, it returns the first one with a note. Errors:
// the context's, beside the first run, which is complete.
func (p *Prepared) Retry(ctx context.Context, first *Run) (*Run, error) {
	return newRun(p.p.Retry(ctx, first.run))
}

// OnTexts runs the request over texts, one document each.
func (p *Prepared) OnTexts(ctx context.Context, texts []string) (*Run, error) {
	return newRun(p.p.OnTexts(ctx, texts))
}

// OnCorpus runs the request over documents in memory.
//
// When it returns, nothing reads the matrix any more but what the run keeps in its fields.
func (p *Prepared) OnCorpus(ctx context.Context, c *corpus.Corpus) (*Run, error) {
	return newRun(p.p.OnCorpus(ctx, c))
}

// OnReading runs the request over documents that were read, so that several requests need one
// reading. How new texts are counted with a model of the run is what the reading says; the
// request's own options of texts have no effect. Errors: as of [Prepared.OnCorpus].
func (p *Prepared) OnReading(ctx context.Context, read *Reading) (*Run, error) {
	text, strip := read.HowTexts()
	return newRun(p.p.OnReading(ctx, read.Corpus, text, strip))
}

// Affinity is the graph of neighbours by which the method joined the documents, n × n and
// symmetric. Documents that are copies of one share its edges, as of [Graph]. It is nil if the
// method has no such graph, has it of landmarks alone, or never writes it down.
func (r *Run) Affinity() (*sparse.CSR, error) {
	w, err := r.run.Affinity()
	return w, fault.Wrap(err)
}

// DrawMap sets Map if it is nil: the graph of the run, or of the nearest neighbours in its
// coordinates or its weighted rows, laid out in the plane (package methods/layout). Copies get the
// place of their original. Where a run can have no map, or there is no memory for one, Map stays
// nil and a note says why.
//
// Time: 200 passes over the edges, and what a graph of the neighbours takes if the run has none.
// Errors: the context's.
func (r *Run) DrawMap(ctx context.Context) error { return r.run.DrawMap(ctx) }

// Calibrate takes the second looks that Options.LazyConfidence has left and sets Confidence to
// calibrated confidences; without any it does nothing. Where the looks fail, Confidence stays the
// method's own score and a note says why. Save calls it. Time: two fits of at most 2,000 documents
// each, or at most five of 8,000 where known labels are hidden. Errors: the context's.
func (r *Run) Calibrate(ctx context.Context) error { return r.run.Calibrate(ctx) }

// FindLevels sets Levels as Options.Levels asks, if it is nil: clusters that are merged two by two
// by the graph of the run, and divided by the communities of the edges inside them (package
// methods/leiden). Where there can be no levels, a note says why. Errors: the context's.
func (r *Run) FindLevels(ctx context.Context) error { return r.run.FindLevels(ctx) }

// FindRunnerUp sets RunnerUp if it is nil and k-means on the coordinates of a neighbour graph found
// the clusters, without known labels or links. Save calls it where it writes the page. Time: a
// k-means of twice as many clusters and three starts. Errors: the context's; where k-means fails
// there is none, and a note says why.
func (r *Run) FindRunnerUp(ctx context.Context) error { return r.run.FindRunnerUp(ctx) }

// CountOverTime counts the documents of each cluster by periods. times are the times of the
// documents of Labels, the zero time for one without; a document belongs to the day on which it was
// written in its own zone. length is a length of a period, "" for the shortest by which there are
// at most 60. O(documents + periods · clusters).
//
// Errors (fs.ErrInvalid): as many times as documents are needed, one of which is not zero; an
// unknown length; more than 10,000 periods.
func (r *Run) CountOverTime(times []time.Time, length string) (*OverTime, error) {
	v, err := r.run.CountOverTime(times, length)
	return v, fault.Wrap(err)
}

// Collect makes the run of rank 0 one of the documents of all ranks, whose files, model and
// pictures are as of one process: it joins the embedding, the rows and counts, the graph, and what
// new documents are placed by. All ranks call it before rank 0 saves; without ranks it does
// nothing.
//
// Rank 0 takes 8 bytes per document and dimension, twice if the model has coordinates, 12 per entry
// and 24 per edge, within the memory that the machine and ctx leave it; the context's end stops
// nothing. Without memory for the rows it joins the embedding alone: then the model takes no new
// documents, and the map is drawn by neighbours in the embedding. Notes say so.
func (r *Run) Collect(ctx context.Context) error { return fault.Wrap(r.run.Collect(ctx)) }

// Divided reports whether ranks divide the documents of the run, and rank 0 has not joined them.
func (r *Run) Divided() bool { return r.run.Divided() }

// RoomToCollect returns to all ranks an error if rank 0 has no memory for what [Run.Collect] joins.
// All ranks call it.
func (r *Run) RoomToCollect(ctx context.Context) error { return fault.Wrap(r.run.RoomToCollect(ctx)) }
