package text

import (
	"context"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/language"
	"github.com/eigenmap/eigenmap/corpus/internal/tokens"
	"github.com/eigenmap/eigenmap/internal/parallel"
)

// A round is what is counted between two checks of the memory taken: that many batches, or fewer if
// they hold more than that many bytes. Up to three rounds are in memory: one is counted, one waits,
// one is read.
const (
	roundBatches = 16
	roundBytes   = roundBatches * batchBytes
	// StreamBytes is about what a stream of documents holds: three rounds of batches as they are in
	// the file, and one as documents, with what was needed to decode it.
	StreamBytes = 5 * roundBytes
)

// documentBytes is the estimated memory of a document's entry in the lists, without its names.
const documentBytes = 144

// tally is the counts of a collection of texts, in the order of the documents.
type tally struct {
	workers []*counter
	parts   []counted
	docs    int
	words   int64
	odd     int                   // documents whose label is no class
	oddWay  string                // the way out for them, as in [source]
	noText  int                   // documents whose text is null or missing
	skipped int                   // documents that a reader's rule left out
	damaged int                   // documents with bytes that are invalid in their encoding
	guessed int                   // documents read as an encoding that was guessed, because they are not UTF-8
	entries int64                 // non-zero counts
	tongues [language.Tongues]int // documents by what they are written in, if that was looked at
	markup  int                   // documents in which HTML was left out
	twice   int                   // documents that were encoded twice
	pdfs    int                   // documents that are PDFs
	pdfsBy  string                // the version of the program that read them
	mail    int                   // documents of mail from which StripAuto cut something
	packed  []int                 // documents by script without blanks whose runs were cut into pieces
	emptied int                   // documents without a word out of which parts of mail were cut
	// The number of the first document of each kind, if there is one.
	firstDamaged, firstGuessed, firstNoText, firstMail, firstEmptied int
	outline                                                          *Outline // takes the documents in place of parts; nil: parts have them
}

// rounds gives each the rounds of the batches that produce emits, in their order. One goroutine
// produces while each works on earlier batches, so unpacking a compressed file takes no extra time.
// emit returns false when the work is over; produce must then return. Its own error comes after the
// rounds that it emitted.
func rounds(ctx context.Context, produce func(emit func(batch) bool) error, each func([]batch) error) error {
	inner, stop := context.WithCancel(ctx)
	rounds := make(chan []batch, 1)
	var failure error // the error of produce, valid after rounds is closed
	go func() {
		defer close(rounds)
		var round []batch
		bytes := 0
		send := func() bool {
			if len(round) == 0 {
				return true
			}
			select {
			case rounds <- round:
				round, bytes = nil, 0
				return true
			case <-inner.Done():
				return false
			}
		}
		failure = produce(func(b batch) bool {
			round = append(round, b)
			if bytes += b.held(); len(round) < roundBatches && bytes < roundBytes {
				return inner.Err() == nil
			}
			return send()
		})
		send()
	}()
	defer func() { // the producer reads what the caller closes, so wait for it
		stop()
		for range rounds {
		}
	}()
	for round := range rounds {
		if err := each(round); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return failure
}

// countTexts counts the documents of all batches that produce emits ([rounds]). Memory: about 2
// bytes per entry and the vocabulary, taken from mem. done is called after each round with the
// number of documents so far.
//
// It returns the error of the first document, in the order of the documents, that cannot be read;
// produce's own error comes after the errors of the batches that it emitted.
func countTexts(ctx context.Context, a *analyzer, mem *input.Budget, produce func(emit func(batch) bool) error, done func(docs int)) (*tally, error) {
	t := &tally{outline: a.outline}
	err := rounds(ctx, produce, func(round []batch) error {
		if err := t.count(ctx, a, mem, round); err != nil {
			return err
		}
		done(t.docs)
		return nil
	})
	return t, err
}

// countTexts counts the documents that produce emits and makes the collection, or hands the
// documents to ReadOptions.Each. done may be nil.
func (in *source) countTexts(produce func(emit func(batch) bool) error, done func(docs int)) (*tally, *Collection, error) {
	if in.opt.Each != nil {
		return &tally{}, &Collection{}, in.stream(produce)
	}
	if s := in.opt.Share; s != nil {
		if !in.divides {
			return nil, nil, s.NoTexts()
		}
		c, err := in.sharedTexts(produce, func(int) {})
		return nil, c, err
	}
	a, err := in.opt.analyzer()
	if err != nil {
		return nil, nil, err
	}
	if done == nil {
		done = func(int) {}
	}
	t, err := countTexts(in.Ctx, a, in.Mem, produce, done)
	if err != nil {
		return nil, nil, err
	}
	t.oddWay = in.oddWay
	c, err := t.collection(in.Ctx, a, in.Mem, in.Name)
	return t, c, err
}

// count counts one round and appends it.
func (t *tally) count(ctx context.Context, a *analyzer, mem *input.Budget, round []batch) error {
	for len(t.workers) < parallel.Workers(len(round), 1) {
		t.workers = append(t.workers, newCounter(a))
	}
	if t.packed == nil {
		t.packed = make([]int, tokens.Unspaced)
	}
	before := t.vocabularyBytes()
	parts := make([]counted, len(round))
	err := parallel.For(ctx, len(round), 1, func(worker, lo, hi int) error {
		for i := lo; i < hi; i++ {
			parts[i] = t.workers[worker].count(ctx, round[i])
			parts[i].worker = worker
		}
		return nil
	})
	if err != nil {
		return err
	}
	taken := t.vocabularyBytes() - before
	for _, p := range parts {
		if p.err != nil {
			return p.err
		}
		for i := range p.docs {
			t.note(&p, &p.docs[i])
			if t.outline == nil {
				taken += documentBytes + int64(len(p.docs[i].id)) + int64(len(p.docs[i].snippet))
			}
			t.docs++
		}
		t.skipped += p.skipped
		t.entries += p.entries
		t.words += p.words
		if t.outline != nil {
			bytes, err := t.outline.take(&p)
			if err != nil {
				return err
			}
			taken += bytes
			continue
		}
		taken += int64(cap(p.counts))
		t.parts = append(t.parts, p)
	}
	return mem.Take(taken, 1)
}

// note counts a document, the next one, by what notes say of it.
func (t *tally) note(p *counted, d *document) {
	one := func(is bool, n, first *int) {
		if !is {
			return
		}
		if *n++; *n == 1 {
			if *first = t.docs; t.outline != nil {
				t.outline.keep(t.docs, p, d)
			}
		}
	}
	one(d.damaged, &t.damaged, &t.firstDamaged)
	one(d.mail, &t.mail, &t.firstMail)
	one(d.emptied, &t.emptied, &t.firstEmptied)
	one(d.noText, &t.noText, &t.firstNoText)
	one(d.guessed != "", &t.guessed, &t.firstGuessed)
	t.tongues[d.tongue]++
	if d.markup {
		t.markup++
	}
	if d.twice {
		t.twice++
	}
	if d.pdf != "" {
		t.pdfs++
		t.pdfsBy = d.pdf
	}
	if d.packed > 0 {
		t.packed[d.packed-1]++
	}
	if d.odd {
		t.odd++
	}
}

// vocabularyBytes estimates the memory of the workers' words.
func (t *tally) vocabularyBytes() (n int64) {
	for _, w := range t.workers {
		n += w.bytes
	}
	return n
}
