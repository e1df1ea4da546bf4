package result

import (
	"context"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/native"
)

// Prepared is a request that was understood, before anything is read.
type Prepared struct {
	Request *request.Request
	options request.Options // that it was made of
}

// Prepare checks a request, so that a wrong one is refused before any work. command is "cluster" or
// "embed".
func Prepare(opt request.Options, command string) (*Prepared, error) {
	r, err := request.ForRun(opt, command)
	if err != nil {
		return nil, fault.Wrap(err)
	}
	return &Prepared{r, opt}, nil
}

// OnFile runs the request over a file.
func (p *Prepared) OnFile(ctx context.Context, file string) (*Run, error) {
	return p.onRead(ctx, p.NewRun(file))
}

// OnTexts runs the request over texts, one document each.
func (p *Prepared) OnTexts(ctx context.Context, texts []string) (*Run, error) {
	run := p.NewRun(job.TextsName)
	run.J.Texts = texts
	if texts == nil {
		run.J.Texts = []string{}
	}
	return p.onRead(ctx, run)
}

// onRead runs the request over what the job reads.
func (p *Prepared) onRead(ctx context.Context, run *Run) (*Run, error) {
	defer native.Hold()()
	if err := run.J.SameOnRanks(ctx); err != nil {
		return nil, fault.Wrap(err)
	}
	if err := run.J.CheckRanks(ctx); err != nil {
		return nil, fault.Wrap(err)
	}
	run.J.NoteWhole(ctx)
	if err := run.J.Read(ctx); err != nil {
		return nil, fault.Wrap(run.J.InDocuments(err))
	}
	return run.Finish(ctx)
}

// OnCorpus runs the request over documents in memory.
//
// When it returns, nothing reads the matrix any more but what the run keeps in its fields.
func (p *Prepared) OnCorpus(ctx context.Context, c *corpus.Corpus) (*Run, error) {
	defer native.Hold()()
	run := p.NewRun(c.Name)
	run.J.InMemory = true
	taken, err := run.J.Take(c, run.J.InSingle(), nil)
	if err == nil {
		err = run.J.SameOnRanks(ctx)
	}
	if err == nil {
		err = run.J.CheckRanks(ctx)
	}
	if err == nil {
		run.J.Corpus = taken
		if from := run.J.Source.IDsFrom; from != "" {
			taken.IDsFrom = from
		}
		err = run.J.CheckFormats(taken.Format)
	}
	if err == nil {
		run.J.NoteWhole(ctx)
		err = run.J.Settle(ctx)
	}
	if err != nil {
		return nil, fault.Wrap(run.J.InDocuments(err))
	}
	return run.Finish(ctx)
}

// OnReading runs the request over documents that were read, with terms made of texts as text and
// strip say: new texts are counted so with a model of the run.
func (p *Prepared) OnReading(ctx context.Context, c *corpus.Corpus, text request.Text, strip []string) (*Run, error) {
	own := *p.Request
	own.Text, own.Source.Strip = text, strip
	return (&Prepared{Request: &own}).OnCorpus(ctx, c)
}

// NewRun makes a run whose decisions leave the request alone: it can be run again.
func (p *Prepared) NewRun(file string) *Run {
	own := *p.Request
	return &Run{J: &job.Job{Request: &own, File: file}, Command: own.Command, started: time.Now()}
}
