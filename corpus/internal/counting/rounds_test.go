package counting

import (
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
)

// fixed is a batch of documents.
type fixed []Document

func (b fixed) Len() int                         { return len(b) }
func (b fixed) Document(i int) (Document, error) { return b[i], nil }
func (b fixed) Held() int                        { return 0 }

// TestCountingTakesMemoryOnce: after any number of rounds the memory taken is for the vocabulary,
// the counts and the documents.
func TestCountingTakesMemoryOnce(t *testing.T) {
	a := must.Get(NewAnalyzer(Options{}, Keep{}))(t)
	mem := input.NewBudget(1 << 30)
	counts := &Tally{}
	for range 5 {
		round := []Batch{fixed{{Text: "trees and houses"}, {Text: "roads"}}, fixed{{Text: "cars of other kinds"}}}
		must.Do(t, counts.count(t.Context(), a, mem, round))
	}
	want := counts.vocabularyBytes() + int64(counts.Docs)*DocumentBytes
	for _, p := range counts.parts {
		want += int64(cap(p.counts))
	}
	if counts.Docs != 15 || mem.Used() != want {
		t.Errorf("%d bytes are taken for %d documents of %d bytes", mem.Used(), counts.Docs, want)
	}
}
