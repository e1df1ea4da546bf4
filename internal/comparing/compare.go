// Package comparing runs several methods over one corpus and compares what they find.
package comparing

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/version"
	"github.com/eigenmap/eigenmap/internal/words"
)

// Compare runs several methods over one corpus with several seeds each. Every run gets
// the options for which its method has a use; an option for which no method has a use is refused.
// The corpus is read once.
//
// Runs go on after one that fails: its Run says why. If the context ends, Compare returns
// what was finished beside the error. Errors: as of a single run.
func Compare(ctx context.Context, file string, opt request.Options, c request.CompareOptions) (*Comparison, error) {
	requests, err := request.ForMethods(opt, &c)
	if err != nil {
		return nil, fault.Wrap(err)
	}
	out := &Comparison{File: file, Reference: -1, Versions: version.Current()}
	for s := range c.Seeds {
		out.Seeds = append(out.Seeds, requests[0].Seed+uint64(s))
	}
	first := (&result.Prepared{Request: requests[0]}).NewRun(file)
	for _, r := range requests {
		if err := job.Present(r.Graph, r.Labels, r.Constraints); err != nil {
			return nil, fault.Wrap(err)
		}
	}
	if err = first.J.Load(ctx); err == nil {
		err = first.J.ReadVectors(ctx)
	}
	if err != nil {
		return nil, fault.Wrap(first.J.InDocuments(err))
	}
	all := materialOf(first.J)
	out.named = first.J.Notes.As(func(name string) string { return "‹" + name + "›" }, true)
	out.Notes = out.NotesAs(func(name string) string { return name })
	out.corpus, out.Documents = first.J.Corpus, first.J.Corpus.Len()
	labels, err := out.readKnown(ctx, requests)
	if err != nil {
		return nil, fault.Wrap(err)
	}
	configs := map[string]map[string]any{}
	var stop, failed error // failed is of the first run that has no result
	for i := 0; i < c.Seeds*len(requests) && stop == nil; i++ {
		p, seed := &result.Prepared{Request: requests[i%len(requests)]}, out.Seeds[i/len(requests)]
		opt.Observer.Report("compare", int64(i), int64(c.Seeds*len(requests)), "runs")
		run, result, err := compareOne(ctx, p, file, all, seed, labels)
		if ctx.Err() != nil {
			stop, out.Stopped = ctx.Err(), true
			break
		}
		if err != nil {
			failed = cmp.Or(failed, errors.Unwrap(fault.Wrap(err))) // with its marked names
			result.Failed = words.Plain(strings.TrimSuffix(fault.Wrap(err).Error(), "."))
			if i < len(requests) && errors.Is(err, fs.ErrInvalid) && len(requests) == 1 {
				return nil, err
			}
		} else {
			result.known, result.knownNames = knownOf(run), run.J.Prior.Names
			result.classes = run.Classes
			if err := all.choose(run); err != nil {
				return nil, fault.Wrap(err)
			}
			out.corpus = run.Corpus // after the choice of classes
			out.Documents = run.Corpus.Len()
			if configs[result.Method] == nil {
				configs[result.Method] = job.Config(run.Settings())
			}
		}
		out.Runs = append(out.Runs, result)
	}
	if stop == nil {
		if stop = out.holdOut(ctx, requests, all, labels); stop != nil {
			out.Stopped = true
		}
	}
	if err := out.summarize(c.Methods, configs); err != nil {
		return nil, fault.Wrap(err)
	}
	if out.Reference < 0 && stop == nil {
		return out, fault.Wrap(invalid.Errorf("no method has a result; the first failed: %w", failed))
	}
	return out, fault.Wrap(stop)
}

// compareOne makes one run over documents that were read. If k is not nil, its labels are known, in
// place of those that the request names. A method that learns from none then looks for as many
// clusters as they have classes, if the request does not say how many.
func compareOne(ctx context.Context, p *result.Prepared, file string, of *material, seed uint64, k *known) (*result.Run, Run, error) {
	result := Run{Method: p.Request.Spec.Name, Seed: seed}
	measured := memory.ResetPeak() // so that the peak is this run's
	run := p.NewRun(file)
	run.J.Seed = seed
	err := run.J.SettleText(ctx)
	if err == nil {
		of.give(run.J)
		err = run.J.ReadGiven(ctx)
	}
	if err == nil && k != nil {
		if run.J.Prior.Labels != nil {
			run.J.Prior.Labels = slices.Clone(k.labels)
		} else if run.J.CountOpen() {
			run.J.Clusters = len(k.names)
		}
	}
	if err == nil {
		err = run.J.Prepare(ctx)
	}
	if err != nil {
		return nil, result, fault.Wrap(run.J.InDocuments(err))
	}
	begun := time.Now()
	run, err = run.Finish(ctx)
	result.Seconds = time.Since(begun).Seconds()
	if measured {
		result.Peak = memory.Peak()
	}
	if err != nil {
		return nil, result, err
	}
	result.Clusters, result.Metrics, result.Labels, result.Notes = len(run.Sizes), run.Scores, run.Labels, run.Notes()
	return run, result, nil
}

// knownOf are the known labels of a run, of all documents; nil if it had none.
func knownOf(r *result.Run) []int { return r.J.Prior.Labels }
