package eigenmap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/crossval"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// Cluster reads a corpus, fits a method and finds clusters.
//
// Beside an error of the work it returns what was finished, nil if that is nothing. A request that
// is wrong whatever the data are is refused before anything is read. Errors are *Error:
// errors.Is(err, fs.ErrInvalid) if the request or the data are wrong, the context's, or typed
// errors of the engine such as *eigen.NotConvergedError.
func Cluster(ctx context.Context, file string, opt Options) (*Run, error) {
	return start(ctx, file, nil, opt, "cluster")
}

// ClusterMatrix clusters the rows of a matrix, documents × terms: *mat.Dense, *sparse.CSR or any
// other. Options.Clusters has no default here, since there are no labels.
func ClusterMatrix(ctx context.Context, x mat.Matrix, opt Options) (*Run, error) {
	return ClusterCorpus(ctx, &corpus.Corpus{Name: "matrix", X: x}, opt)
}

// ClusterTexts clusters texts, one document each. Their terms are counted as those of a file are,
// by Options.Text. Options.Clusters has no default here, since there are no labels. Errors: as of
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
	return start(ctx, "", orEmpty(c), opt, "cluster")
}

// Embed reads a corpus and fits a method for its embedding alone. Errors: as of [Cluster].
func Embed(ctx context.Context, file string, opt Options) (*Run, error) {
	return start(ctx, file, nil, opt, "embed")
}

// EmbedMatrix embeds the rows of a matrix.
func EmbedMatrix(ctx context.Context, x mat.Matrix, opt Options) (*Run, error) {
	return EmbedCorpus(ctx, &corpus.Corpus{Name: "matrix", X: x}, opt)
}

// EmbedCorpus embeds documents that are in memory.
func EmbedCorpus(ctx context.Context, c *corpus.Corpus, opt Options) (*Run, error) {
	return start(ctx, "", orEmpty(c), opt, "embed")
}

// start makes a run of a command over a file, or over a corpus if there is one.
func start(ctx context.Context, file string, c *corpus.Corpus, opt Options, command string) (*Run, error) {
	p, err := Prepare(opt, command)
	if err != nil {
		return nil, err
	}
	if c != nil {
		return p.OnCorpus(ctx, c)
	}
	return p.OnFile(ctx, file)
}

// Prepared is a request that was understood, before anything is read.
type Prepared struct {
	request *request
	command string
}

// Prepare checks a request, so that a wrong one is refused before any work. command is "cluster" or
// "embed".
func Prepare(opt Options, command string) (*Prepared, error) {
	r, err := requestOrCandidates(opt, command)
	if err != nil {
		return nil, wrapped(err)
	}
	return &Prepared{r, command}, nil
}

// OnFile runs the request over a file.
func (p *Prepared) OnFile(ctx context.Context, file string) (*Run, error) {
	return p.onRead(ctx, p.newRun(file))
}

// OnTexts runs the request over texts, one document each.
func (p *Prepared) OnTexts(ctx context.Context, texts []string) (*Run, error) {
	run := p.newRun(textsName)
	run.j.texts = texts
	if texts == nil {
		run.j.texts = []string{}
	}
	return p.onRead(ctx, run)
}

// textsName is the name of texts that are in memory.
const textsName = "texts"

// onRead runs the request over what the job reads.
func (p *Prepared) onRead(ctx context.Context, run *Run) (*Run, error) {
	defer native.Hold()()
	if err := run.j.sameOnRanks(ctx); err != nil {
		return nil, wrapped(err)
	}
	if err := run.j.checkRanks(ctx); err != nil {
		return nil, wrapped(err)
	}
	if err := run.j.read(ctx); err != nil {
		return nil, wrapped(run.j.inDocuments(err))
	}
	return run.finish(ctx)
}

// OnCorpus runs the request over documents in memory.
//
// When it returns, nothing reads the matrix any more but what the run keeps in its fields.
func (p *Prepared) OnCorpus(ctx context.Context, c *corpus.Corpus) (*Run, error) {
	defer native.Hold()()
	run := p.newRun(c.Name)
	run.j.inMemory = true
	taken, err := takeCorpus(c, run.j.inSingle())
	if err == nil {
		err = run.j.sameOnRanks(ctx)
	}
	if err == nil {
		err = run.j.checkRanks(ctx)
	}
	if err == nil {
		run.j.corpus = taken
		if from := run.j.Source.IDsFrom; from != "" {
			taken.IDsFrom = from
		}
		err = run.j.checkFormats(taken.Format)
	}
	if err == nil {
		err = run.j.settle(ctx)
	}
	if err != nil {
		return nil, wrapped(run.j.inDocuments(err))
	}
	return run.finish(ctx)
}

// newRun makes a run whose decisions leave the request alone: it can be run again.
func (p *Prepared) newRun(file string) *Run {
	own := *p.request
	return &Run{j: &job{request: &own, file: file}, command: p.command, started: time.Now()}
}

// finish fits, clusters and scores what was read.
func (r *Run) finish(ctx context.Context) (*Run, error) {
	r.Corpus = r.j.corpus
	err := r.fit(ctx)
	if err == nil && r.command == "cluster" {
		err = r.score(ctx)
	}
	if err == nil && r.command == "cluster" && r.j.wantsMap(false) && !r.j.share.Divided() {
		err = r.DrawMap(ctx)
	}
	if err == nil && !r.j.share.Divided() {
		err = r.FindLevels(ctx)
	}
	if err == nil {
		err = ctx.Err()
	}
	r.Timings = r.j.times
	r.Timings.Add("total", time.Since(r.started))
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			err = wayOut(r.j.inFile(err))
		}
		if r.j.share.Divided() {
			return nil, wrapped(err)
		}
		if r.Fitted == nil || r.Embedding == nil && r.clusters == nil {
			return nil, wrapped(err)
		}
		return r, wrapped(err)
	}
	return r, nil
}

// fit runs the method on the distinct documents, and carries over to their copies what it found.
func (r *Run) fit(ctx context.Context) error {
	if err := r.j.takeDistinct(ctx, r.leastDocuments()); err != nil {
		return err
	}
	err := r.j.inDocuments(r.fitDistinct(ctx))
	r.spread()
	if err == nil && r.command == "cluster" {
		r.RejectBelow = r.j.Reject
		r.reject()
	}
	return err
}

// leastDocuments is the least number of documents that the run needs, as far as it is known before
// the fit.
func (r *Run) leastDocuments() int {
	j := r.j
	wanted := max(2, j.Clusters, j.ClusterRange.To)
	if j.ClusterRange.Auto {
		wanted = leastRange + 1 + len(j.known.names)
	}
	if j.countOpen() && r.command == "cluster" {
		if wanted = max(wanted, len(j.known.names)); j.known.labels == nil {
			wanted = max(wanted, len(j.corpus.ClassNames))
		}
	}
	if f := option.Find(j.fields(), "dims"); f != nil {
		if dims, err := strconv.Atoi(f.String()); err == nil {
			wanted = max(wanted, dims+1)
		}
	}
	return wanted
}

// fitDistinct runs the method, and k-means on the coordinates if that finds the clusters.
func (r *Run) fitDistinct(ctx context.Context) error {
	in := r.j.input()
	if r.j.entrants != nil {
		var err error
		if r.Choice, err = chooseMethod(ctx, r.j, in); err != nil {
			return err
		}
	}
	r.j.noteDefault()
	if r.command == "cluster" {
		if err := r.j.decideClusters(); err != nil {
			return err
		}
		in.Clusters = r.j.Clusters
	} else {
		if r.j.corpus.Len() < 2 {
			return invalid.Errorf("%s: one document cannot be embedded: give a corpus of at least two", r.j.file)
		}
		in.Clusters = 0
	}
	if err := r.j.settleLinks(max(in.Clusters, r.j.ClusterRange.To)); err != nil {
		return err
	}
	in.Links = r.j.known.groups
	team := ranks.From(ctx)
	ctx, err := r.j.withStore(memory.Bound(ctx, r.j.MaxBytes))
	if err = ranks.Agree(team, err); err != nil {
		return err
	}
	if !r.j.ClusterRange.IsZero() {
		if r.Search, err = chooseClusters(ctx, r.j, in); err != nil {
			return err
		}
		if err := r.j.checkStarts(); err != nil {
			return err
		}
		in.Clusters = r.j.Clusters
	}
	asked := r.j.config
	fitted, err := r.j.spec.Fit(ctx, r.j.config, in)
	err = ranks.Agree(r.j.share, err)
	if err != nil && r.j.share.Divided() {
		return err // what was found of a part of the documents is nothing to keep
	}
	r.take(fitted)
	if err != nil || r.command == "embed" {
		return err
	}
	if r.clusters == nil {
		var found *method.Clusters
		if found, err = r.j.clusterCoordinates(ctx, r.Embedding); found != nil {
			r.takeClusters(found)
		}
	}
	if err == nil {
		r.nameClusters()
		err = r.measure(ctx)
	}
	if err == nil {
		err = r.calibrate(ctx, asked)
	}
	return err
}

// nameClusters names the clusters of a method that the known labels chose after most of the
// labelled documents in them, if the method does not name them itself: as it was judged.
func (r *Run) nameClusters() {
	g := &r.j.known
	if r.Choice == nil || r.Classes != nil || r.clusters == nil {
		return
	}
	r.Classes = make([]string, len(r.Sizes))
	for k, class := range crossval.Majority(r.Labels, g.labels, len(r.Sizes), len(g.names)) {
		if class >= 0 {
			r.Classes[k] = g.names[class]
		}
	}
	r.clusters.Classes, r.byMajority = r.Classes, true
}

// takeCorpus checks a corpus that was made in memory; any matrix is converted once. Rows in single
// precision stay so if the request is for that.
func takeCorpus(c *corpus.Corpus, single bool) (*corpus.Corpus, error) {
	taken := *c
	stored := method.Rows
	if single {
		stored = method.KeptRows
	}
	var err error
	if taken.X, err = stored(c.X); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	n, cols := taken.X.Dims()
	switch {
	case c.Labels != nil && len(c.Labels) != n:
		return nil, invalid.Errorf("%s: it has %d labels for %d documents", c.Name, len(c.Labels), n)
	case slices.ContainsFunc(c.Labels, func(k int) bool { return k >= len(c.ClassNames) }):
		return nil, invalid.Errorf("%s: it has %d names of classes, and a label %d", c.Name, len(c.ClassNames), slices.Max(c.Labels))
	case c.IDs != nil && len(c.IDs) != n:
		return nil, invalid.Errorf("%s: it has %d ids for %d documents", c.Name, len(c.IDs), n)
	case c.Terms != nil && len(c.Terms) != cols:
		return nil, invalid.Errorf("%s: it has %d terms for %d columns", c.Name, len(c.Terms), cols)
	}
	return &taken, nil
}
