package planning

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/outofcore"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
)

// FitOnAuto says whether a clustering of a file needs a sample to fit on: the number of documents
// to give a clustering by a sample, the largest of 50,000, 20,000, 10,000 ... 1,000 whose plan
// fits, 0 if all documents fit; and a sentence that says what each takes. Errors: as of
// [PlanRanks], and where not even 1,000 documents fit.
func FitOnAuto(ctx context.Context, file string, opt request.Options) (size int, why string, err error) {
	size, why, err = fitOnAuto(ctx, file, opt)
	return size, why, fault.Wrap(err)
}

func fitOnAuto(ctx context.Context, file string, opt request.Options) (int, string, error) {
	all, err := planOfSize(ctx, file, opt, nil)
	if err != nil {
		return 0, "", err
	}
	of := fmt.Sprintf("‹%s› auto: all %s documents", job.FitOnKey, words.Thousands(all.Documents))
	if all.Fits {
		return 0, fmt.Sprintf("%s fit, which take %s of %s", of, words.Bytes(all.Peak), words.Bytes(all.Allowed)), nil
	}
	for _, n := range []int{50_000, 20_000, 10_000, 5_000, 2_000, 1_000} {
		if n >= all.Documents {
			continue
		}
		p, err := planOnSample(ctx, file, opt, n, all.size)
		if err != nil {
			return 0, "", err
		}
		if p.Fits {
			return n, fmt.Sprintf("%s would take %s and %s are allowed; a fit on %s takes %s", of, words.Bytes(all.Peak), words.Bytes(all.Allowed), words.Thousands(n), words.Bytes(p.Peak)), nil
		}
	}
	return 0, "", invalid.Errorf("%s: not even a fit on 1,000 documents takes less than the %s that are allowed: allow more with %s, or choose a method that takes less",
		file, words.Bytes(all.Allowed), words.Option(memory.OptionName))
}

// PlanOnSample is [PlanRanks] of a clustering by a sample: the fit on so many
// documents, and the two passes over the file. Its Documents, Terms and Entries are of the sample.
// The time of the passes is not known. size -1 is what [FitOnAuto] finds.
func PlanOnSample(ctx context.Context, file string, opt request.Options, size int) (*Plan, error) {
	why := ""
	if size < 0 {
		var err error
		if size, why, err = FitOnAuto(ctx, file, opt); err != nil {
			return nil, err
		}
		if size == 0 {
			p, err := PlanRanks(ctx, file, opt, 0, false)
			if err == nil {
				p.Notes = append(p.Notes, why+".")
			}
			return p, err
		}
	}
	p, err := planOnSample(ctx, file, opt, size, nil)
	if err == nil && why != "" {
		p.Notes = append(p.Notes, why+".")
	}
	return p, fault.Wrap(err)
}

// planOfSize is a plan of a clustering of documents of a size; nil: the file's.
func planOfSize(ctx context.Context, file string, opt request.Options, sized *corpus.Size) (*Plan, error) {
	opt.Work = ""
	r, err := request.ForRun(opt, "plan")
	if err != nil {
		return nil, err
	}
	j := &job.Job{Request: r, File: file, Dry: "cluster"}
	p, err := plan(ctx, j, 0, false, sized)
	if errors.Is(err, memory.ErrLimit) && sized == nil { // not even the sizes are found in memory
		if sized, err = streamedSize(ctx, j); err != nil {
			return nil, err
		}
		return planOfSize(ctx, file, opt, sized)
	}
	return p, j.InDocuments(err)
}

// streamedSize is the size of a corpus by one pass that does not hold it: documents and classes are
// counted, terms and entries are extrapolated from a sample.
func streamedSize(ctx context.Context, j *job.Job) (*corpus.Size, error) {
	const looked = 2000
	opt := j.ReadOptions()
	sample := outofcore.NewSample[corpus.Document](looked, j.Seed)
	all, err := corpus.Survey(ctx, j.File, opt, func(docs []corpus.Document) error {
		for _, d := range docs {
			sample.Offer(func() (corpus.Document, int64) {
				return corpus.Document{ID: strings.Clone(d.ID), Text: strings.Clone(d.Text)}, job.DocumentBytes(d)
			})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	docs, _ := sample.Items()
	c, err := all.Corpus(ctx, docs, opt)
	if err != nil {
		return nil, err
	}
	part := &corpus.Size{Documents: len(docs), Terms: len(c.Terms), Sparse: true, Classes: all.ClassNames, Format: all.Format, Share: float64(len(docs)) / float64(all.Documents)}
	if x, ok := c.X.(*sparse.CSR); ok {
		part.Entries = x.NNZ()
	}
	return partOf(part, all.Documents), nil
}

// planOnSample is [PlanOnSample] of a file of a size; nil: it is measured.
func planOnSample(ctx context.Context, file string, opt request.Options, size int, sized *corpus.Size) (*Plan, error) {
	if sized == nil {
		if err := readInBlocks(ctx, file, opt); err != nil {
			return nil, err
		}
		whole, err := planOfSize(ctx, file, opt, nil)
		if err != nil {
			return nil, err
		}
		sized = whole.size
	}
	all := sized.Documents
	p, err := planOfSize(ctx, file, opt, partOf(sized, min(size, all)))
	if err != nil {
		return nil, err
	}
	rows := memory.Bytes(entryBytes, p.Entries)
	block := min(outofcore.BlockBytes, memory.Bytes(rows/int64(max(1, p.Documents)), outofcore.BlockItems))
	for _, s := range []PlanStage{
		{Name: "sample", Bytes: memory.Sum(rows, corpus.StreamBytes, outofcore.NamesBytes), Peak: memory.Whole(ownBytes())},
		{Name: "place", Bytes: memory.Sum(memory.Bytes(searchedTimes, int(rows)), corpus.StreamBytes, memory.Bytes(placedTimes, int(block))), Peak: p.kept}, // before the page is made
	} {
		s.Helps = []string{"‹" + job.FitOnKey + "›"}
		s.Peak = memory.Sum(s.Peak, memory.Whole(streamed*float64(s.Bytes)))
		p.Stages, p.Peak = append(p.Stages, s), max(p.Peak, s.Peak)
	}
	p.Fits = p.Peak <= p.Allowed
	p.Notes = append(p.Notes, fmt.Sprintf("‹%s›: the plan is of a fit on %s of %s documents; the time of the two passes over the file is not in it.", job.FitOnKey, words.Thousands(p.Documents), words.Thousands(all)))
	return p, nil
}

// readInBlocks refuses files of which a run takes no sample. It reads the first documents.
func readInBlocks(ctx context.Context, file string, opt request.Options) error {
	r, err := request.ForRun(opt, "plan")
	if err != nil || file == corpus.StandardInput {
		return err
	}
	read := (&job.Job{Request: r, File: file, Dry: "cluster"}).ReadOptions()
	read.Observer = nil
	seen := errors.New("seen")
	if _, err = corpus.Survey(ctx, file, read, func([]corpus.Document) error { return seen }); errors.Is(err, seen) {
		return nil
	}
	return err
}

// What a pass over documents in blocks takes.
const (
	// entryBytes is a text for one entry of its counts, roughly, and the entry itself.
	entryBytes = 12
	// placedTimes is what placing a block takes per byte of its texts: the texts, their counts and
	// rows, neighbours and coordinates, and the lines that are written.
	placedTimes = 9
	// searchedTimes is what placing takes per byte of the sample's rows beside the fit: the rows of
	// the model, the lists by which they are searched, and coordinates.
	searchedTimes = 3
	// streamed is the resident memory per byte in use while documents are read in blocks. Each block
	// is freed before the next one, and the collector lets the heap grow to twice what it holds.
	streamed = 2
)

// partOf is the size of n documents of a corpus, the terms by Heaps' law with exponent ½.
func partOf(all *corpus.Size, n int) *corpus.Size {
	part, share := *all, float64(n)/float64(all.Documents) // above 1: of more documents
	part.Documents = n
	part.Entries = int(share * float64(all.Entries))
	part.Terms = max(1, int(float64(all.Terms)*math.Sqrt(share)))
	return &part
}
