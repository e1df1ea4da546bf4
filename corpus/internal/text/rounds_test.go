package text

import (
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// fixed is a batch of documents.
type fixed []document

func (b fixed) Len() int                         { return len(b) }
func (b fixed) Document(i int) (document, error) { return b[i], nil }
func (b fixed) Held() int                        { return 0 }

// TestCountingTakesMemoryOnce: after any number of rounds the memory taken is for the vocabulary,
// the counts and the documents.
func TestCountingTakesMemoryOnce(t *testing.T) {
	a, err := newAnalyzer(Options{}, keeping{})
	if err != nil {
		t.Fatal(err)
	}
	mem := input.NewBudget(1 << 30)
	counts := &tally{}
	for range 5 {
		round := []batch{fixed{{text: "trees and houses"}, {text: "roads"}}, fixed{{text: "cars of other kinds"}}}
		if err := counts.count(t.Context(), a, mem, round); err != nil {
			t.Fatal(err)
		}
	}
	want := counts.vocabularyBytes() + int64(counts.docs)*documentBytes
	for _, p := range counts.parts {
		want += int64(cap(p.counts))
	}
	if counts.docs != 15 || mem.Used() != want {
		t.Errorf("%d bytes are taken for %d documents of %d bytes", mem.Used(), counts.docs, want)
	}
}
