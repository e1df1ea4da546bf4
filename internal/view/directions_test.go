package view

import (
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/methods/method"
)

// A direction of terms shows each word once, and one of vectors shows their numbers, also where the
// texts beside them are of several languages.
func TestSidesOfVectors(t *testing.T) {
	r := &result.Run{J: &job.Job{Corpus: &corpus.Corpus{Terms: []string{"guten", "guten/guten", "preis"}, Stems: []string{"gut", "guten", "preis"}}}}
	for _, c := range []struct {
		terms [3]string
		want  string
	}{
		{[3]string{"guten", "guten/guten", "preis"}, "guten preis"},
		{[3]string{"1", "2", "3"}, "1 2 3"},
	} {
		var list []method.Weight
		for j, term := range c.terms {
			list = append(list, method.Weight{Term: term, Column: j, Weight: 1})
		}
		if got := shownTerms(r, list); got != c.want {
			t.Errorf("%q are shown as %q", c.terms, got)
		}
	}
}
