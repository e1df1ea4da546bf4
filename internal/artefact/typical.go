package artefact

import (
	"cmp"
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
)

// TypicalText is a document that is like many others of its cluster, with the beginning of its
// text.
type TypicalText struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// typicalShown is the most documents of a cluster of which a model keeps texts.
const typicalShown = 5

// typicalTexts are the typical documents of each cluster, the most typical first: those nearest to
// the others by their terms, else to the centre. Of equal texts one counts. nil where no beginnings
// of texts are kept. They have [job.TypicalChars] characters in all: of many clusters fewer
// documents each, and shorter texts.
func typicalTexts(r *result.Run) [][]TypicalText {
	n := len(r.Labels)
	if r.Found == nil || n == 0 || len(r.Corpus.Snippets) != n {
		return nil
	}
	score := r.Typicality(context.Background())
	if score == nil && r.Distance != nil {
		score = make([]float64, n)
		for i, d := range r.Distance {
			score[i] = -d
		}
	}
	if score == nil {
		score = make([]float64, n) // in the order of the documents
	}
	members := make([][]int, len(r.Sizes))
	for i, k := range r.Labels {
		if k >= 0 && r.Corpus.Snippets[i] != "" {
			members[k] = append(members[k], i)
		}
	}
	share := job.TypicalChars / max(1, len(members))
	out := make([][]TypicalText, len(members))
	for k, list := range members {
		slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
		out[k] = []TypicalText{}
		seen := map[string]bool{}
		left := share
		for _, i := range list {
			text := words.Clip(r.Corpus.Snippets[i], max(1, left))
			if len(out[k]) == typicalShown || left < 20 {
				break
			}
			if seen[text] {
				continue
			}
			seen[text] = true
			id := words.Clip(r.Corpus.ID(i), 60)
			left -= len([]rune(text)) + len([]rune(id))
			out[k] = append(out[k], TypicalText{id, text})
		}
	}
	return out
}
