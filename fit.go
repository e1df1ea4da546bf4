package eigenmap

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/choosing"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
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
func Cluster(ctx context.Context, file string, opt request.Options) (*Run, error) {
	return start(ctx, file, nil, opt, "cluster")
}

// ClusterMatrix clusters the rows of a matrix, documents × terms: *mat.Dense, *sparse.CSR or any
// other. Options.Clusters has no default here, since there are no labels.
func ClusterMatrix(ctx context.Context, x mat.Matrix, opt request.Options) (*Run, error) {
	return ClusterCorpus(ctx, &corpus.Corpus{Name: "matrix", X: x}, opt)
}

// ClusterTexts clusters texts, one document each. Their terms are counted as those of a file are,
// by Options.Text. Options.Clusters has no default here, since there are no labels. Errors: as of
// [Cluster], and [corpus.ErrNoTerms] if no word is left.
func ClusterTexts(ctx context.Context, texts []string, opt request.Options) (*Run, error) {
	p, err := Prepare(opt, "cluster")
	if err != nil {
		return nil, err
	}
	return p.OnTexts(ctx, texts)
}

// ClusterCorpus clusters documents that are in memory.
func ClusterCorpus(ctx context.Context, c *corpus.Corpus, opt request.Options) (*Run, error) {
	return start(ctx, "", orEmpty(c), opt, "cluster")
}

// Embed reads a corpus and fits a method for its embedding alone. Errors: as of [Cluster].
func Embed(ctx context.Context, file string, opt request.Options) (*Run, error) {
	return start(ctx, file, nil, opt, "embed")
}

// EmbedMatrix embeds the rows of a matrix.
func EmbedMatrix(ctx context.Context, x mat.Matrix, opt request.Options) (*Run, error) {
	return EmbedCorpus(ctx, &corpus.Corpus{Name: "matrix", X: x}, opt)
}

// EmbedCorpus embeds documents that are in memory.
func EmbedCorpus(ctx context.Context, c *corpus.Corpus, opt request.Options) (*Run, error) {
	return start(ctx, "", orEmpty(c), opt, "embed")
}

// start makes a run of a command over a file, or over a corpus if there is one.
func start(ctx context.Context, file string, c *corpus.Corpus, opt request.Options, command string) (*Run, error) {
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
	request *request.Request
	command string
}

// Prepare checks a request, so that a wrong one is refused before any work. command is "cluster" or
// "embed".
func Prepare(opt request.Options, command string) (*Prepared, error) {
	r, err := request.ForRun(opt, command)
	if err != nil {
		return nil, fault.Wrap(err)
	}
	return &Prepared{r, command}, nil
}

// OnFile runs the request over a file.
func (p *Prepared) OnFile(ctx context.Context, file string) (*Run, error) {
	return p.onRead(ctx, p.newRun(file))
}

// OnTexts runs the request over texts, one document each.
func (p *Prepared) OnTexts(ctx context.Context, texts []string) (*Run, error) {
	run := p.newRun(job.TextsName)
	run.j.Texts = texts
	if texts == nil {
		run.j.Texts = []string{}
	}
	return p.onRead(ctx, run)
}

// onRead runs the request over what the job reads.
func (p *Prepared) onRead(ctx context.Context, run *Run) (*Run, error) {
	defer native.Hold()()
	if err := run.j.SameOnRanks(ctx); err != nil {
		return nil, fault.Wrap(err)
	}
	if err := run.j.CheckRanks(ctx); err != nil {
		return nil, fault.Wrap(err)
	}
	if err := run.j.Read(ctx); err != nil {
		return nil, fault.Wrap(run.j.InDocuments(err))
	}
	return run.finish(ctx)
}

// OnCorpus runs the request over documents in memory.
//
// When it returns, nothing reads the matrix any more but what the run keeps in its fields.
func (p *Prepared) OnCorpus(ctx context.Context, c *corpus.Corpus) (*Run, error) {
	defer native.Hold()()
	run := p.newRun(c.Name)
	run.j.InMemory = true
	taken, err := job.TakeCorpus(c, run.j.InSingle())
	if err == nil {
		err = run.j.SameOnRanks(ctx)
	}
	if err == nil {
		err = run.j.CheckRanks(ctx)
	}
	if err == nil {
		run.j.Corpus = taken
		if from := run.j.Source.IDsFrom; from != "" {
			taken.IDsFrom = from
		}
		err = run.j.CheckFormats(taken.Format)
	}
	if err == nil {
		err = run.j.Settle(ctx)
	}
	if err != nil {
		return nil, fault.Wrap(run.j.InDocuments(err))
	}
	return run.finish(ctx)
}

// newRun makes a run whose decisions leave the request alone: it can be run again.
func (p *Prepared) newRun(file string) *Run {
	own := *p.request
	return &Run{j: &job.Job{Request: &own, File: file}, command: p.command, started: time.Now()}
}

// finish fits, clusters and scores what was read.
func (r *Run) finish(ctx context.Context) (*Run, error) {
	r.Corpus = r.j.Corpus
	err := r.fit(ctx)
	if err == nil && r.command == "cluster" {
		err = r.score(ctx)
	}
	if err == nil && r.command == "cluster" && r.j.WantsMap(false) && !r.j.Share.Divided() {
		err = r.DrawMap(ctx)
	}
	if err == nil && !r.j.Share.Divided() {
		err = r.FindLevels(ctx)
	}
	if err == nil {
		err = ctx.Err()
	}
	r.Timings = r.j.Times
	r.Timings.Add("total", time.Since(r.started))
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			err = wayOut(r.j.InFile(err))
		}
		if r.j.Share.Divided() {
			return nil, fault.Wrap(err)
		}
		if r.Fitted == nil || r.Embedding == nil && r.Found == nil {
			return nil, fault.Wrap(err)
		}
		return r, fault.Wrap(err)
	}
	return r, nil
}

// fit runs the method on the distinct documents, and carries over to their copies what it found.
func (r *Run) fit(ctx context.Context) error {
	if err := r.j.TakeDistinct(ctx, r.leastDocuments()); err != nil {
		return err
	}
	err := r.j.InDocuments(r.fitDistinct(ctx))
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
		wanted = job.LeastRange + 1 + len(j.Prior.Names)
	}
	if j.CountOpen() && r.command == "cluster" {
		if wanted = max(wanted, len(j.Prior.Names)); j.Prior.Labels == nil {
			wanted = max(wanted, len(j.Corpus.ClassNames))
		}
	}
	if f := option.Find(j.Fields(), "dims"); f != nil {
		if dims, err := strconv.Atoi(f.String()); err == nil {
			wanted = max(wanted, dims+1)
		}
	}
	return wanted
}

// fitDistinct runs the method, and k-means on the coordinates if that finds the clusters.
func (r *Run) fitDistinct(ctx context.Context) error {
	in := r.j.Input()
	if r.j.Entrants != nil {
		var err error
		if r.Choice, err = choosing.ChooseMethod(ctx, r.j, in); err != nil {
			return err
		}
	}
	r.j.NoteDefault()
	if r.command == "cluster" {
		if err := r.j.DecideClusters(); err != nil {
			return err
		}
		in.Clusters = r.j.Clusters
	} else {
		if r.j.Corpus.Len() < 2 {
			return invalid.Errorf("%s: one document cannot be embedded: give a corpus of at least two", r.j.File)
		}
		in.Clusters = 0
	}
	if err := r.j.SettleLinks(max(in.Clusters, r.j.ClusterRange.To)); err != nil {
		return err
	}
	in.Links = r.j.Prior.Groups
	team := ranks.From(ctx)
	ctx, err := r.j.WithStore(memory.Bound(ctx, r.j.MaxBytes))
	if err = ranks.Agree(team, err); err != nil {
		return err
	}
	if !r.j.ClusterRange.IsZero() {
		if r.Search, err = choosing.ChooseClusters(ctx, r.j, in); err != nil {
			return err
		}
		if err := r.j.CheckStarts(); err != nil {
			return err
		}
		in.Clusters = r.j.Clusters
	}
	asked := r.j.MethodOptions
	fitted, err := r.j.Spec.Fit(ctx, r.j.MethodOptions, in)
	err = ranks.Agree(r.j.Share, err)
	if err != nil && r.j.Share.Divided() {
		return err // what was found of a part of the documents is nothing to keep
	}
	r.take(fitted)
	if err != nil || r.command == "embed" {
		return err
	}
	if r.Found == nil {
		var found *method.Clusters
		if found, err = r.j.ClusterCoordinates(ctx, r.Embedding); found != nil {
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
	g := &r.j.Prior
	if r.Choice == nil || r.Classes != nil || r.Found == nil {
		return
	}
	r.Classes = make([]string, len(r.Sizes))
	for k, class := range crossval.Majority(r.Labels, g.Labels, len(r.Sizes), len(g.Names)) {
		if class >= 0 {
			r.Classes[k] = g.Names[class]
		}
	}
	r.Found.Classes, r.byMajority = r.Classes, true
}
