// Package counting counts the words of documents, which a reader emits in batches: on all cores, a
// round of batches at a time ([Rounds]), into one table of words for each worker.
// [Tally.Collection] chooses the terms that become columns, names them and makes the rows;
// [Divide] does so for the documents of all ranks. [Options] says what a term is. The result does
// not depend on which worker or rank counted which document.
//
// A text is not kept but for its beginning ([Keep].Snippets).
package counting

import (
	"context"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/language"
	"github.com/eigenmap/eigenmap/corpus/internal/tokens"
	"github.com/eigenmap/eigenmap/internal/parallel"
)

// BatchBytes is about how many bytes of text one batch has.
const BatchBytes = 128 << 10

// A round is what is counted between two checks of the memory taken: that many batches, or fewer if
// they hold more than that many bytes. Up to three rounds are in memory: one is counted, one waits,
// one is read.
const (
	RoundBatches = 16
	roundBytes   = RoundBatches * BatchBytes
	// StreamBytes is about what a stream of documents holds: three rounds of batches as they are in
	// the file, and one as documents, with what was needed to decode it.
	StreamBytes = 5 * roundBytes
)

// DocumentBytes is the estimated memory of a document's entry in the lists, without its names.
const DocumentBytes = 144

// Tally is the counts of a collection of texts, in the order of the documents.
type Tally struct {
	workers []*counter
	parts   []counted
	Docs    int
	words   int64
	odd     int                   // documents whose label is no class
	OddWay  string                // the way out for them; "": that of fields
	noText  int                   // documents whose text is null or missing
	Skipped int                   // documents that a reader's rule left out
	Damaged int                   // documents with bytes that are invalid in their encoding
	guessed int                   // documents read as an encoding that was guessed, because they are not UTF-8
	entries int64                 // non-zero counts
	tongues [language.Tongues]int // documents by what they are written in, if that was looked at
	markup  int                   // documents in which HTML was left out
	twice   int                   // documents that were encoded twice
	books   int                   // documents out of which the licence of Project Gutenberg was cut
	removed int                   // documents that were taken away, which a mark in their place says
	pdfs    int                   // documents that are PDFs
	pdfsBy  string                // the version of the program that read them
	mail    int                   // documents of mail from which StripAuto cut something
	packed  []int                 // documents by script without blanks whose runs were cut into pieces
	emptied int                   // documents without a word out of which parts of mail were cut
	// The number of the first document of each kind, if there is one.
	firstDamaged, firstGuessed, firstNoText, firstMail, firstEmptied int
	outline                                                          *Outline // takes the documents in place of parts; nil: parts have them
}

// Rounds gives each the rounds of the batches that produce emits, in their order. One goroutine
// produces while each works on earlier batches, so unpacking a compressed file takes no extra time.
// emit returns false when the work is over; produce must then return. Its own error comes after the
// rounds that it emitted.
func Rounds(ctx context.Context, produce func(emit func(Batch) bool) error, each func([]Batch) error) error {
	inner, stop := context.WithCancel(ctx)
	rounds := make(chan []Batch, 1)
	var failure error // the error of produce, valid after rounds is closed
	go func() {
		defer close(rounds)
		var round []Batch
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
		failure = produce(func(b Batch) bool {
			round = append(round, b)
			if bytes += b.Held(); len(round) < RoundBatches && bytes < roundBytes {
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

// Count counts the documents of all batches that produce emits ([Rounds]). Memory: about 2
// bytes per entry and the vocabulary, taken from mem. done is called after each round with the
// number of documents so far.
//
// It returns the error of the first document, in the order of the documents, that cannot be read;
// produce's own error comes after the errors of the batches that it emitted.
func Count(ctx context.Context, a *Analyzer, mem *input.Budget, produce func(emit func(Batch) bool) error, done func(docs int)) (*Tally, error) {
	t := &Tally{outline: a.Outline}
	err := Rounds(ctx, produce, func(round []Batch) error {
		if err := t.count(ctx, a, mem, round); err != nil {
			return err
		}
		done(t.Docs)
		return nil
	})
	return t, err
}

// count counts one round and appends it.
func (t *Tally) count(ctx context.Context, a *Analyzer, mem *input.Budget, round []Batch) error {
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
				taken += DocumentBytes + int64(len(p.docs[i].ID)) + int64(len(p.docs[i].snippet))
			}
			t.Docs++
		}
		t.Skipped += p.skipped
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
func (t *Tally) note(p *counted, d *Document) {
	one := func(is bool, n, first *int) {
		if !is {
			return
		}
		if *n++; *n == 1 {
			if *first = t.Docs; t.outline != nil {
				t.outline.keep(t.Docs, p, d)
			}
		}
	}
	one(d.Damaged, &t.Damaged, &t.firstDamaged)
	one(d.Mail, &t.mail, &t.firstMail)
	one(d.emptied, &t.emptied, &t.firstEmptied)
	one(d.NoText, &t.noText, &t.firstNoText)
	one(d.Guessed != "", &t.guessed, &t.firstGuessed)
	t.tongues[d.tongue]++
	if d.markup {
		t.markup++
	}
	if d.twice {
		t.twice++
	}
	if d.removed {
		t.removed++
	}
	if d.book {
		t.books++
	}
	if d.PDF != "" {
		t.pdfs++
		t.pdfsBy = d.PDF
	}
	if d.packed > 0 {
		t.packed[d.packed-1]++
	}
	if d.Odd {
		t.odd++
	}
}

// vocabularyBytes estimates the memory of the workers' words.
func (t *Tally) vocabularyBytes() (n int64) {
	for _, w := range t.workers {
		n += w.bytes
	}
	return n
}
