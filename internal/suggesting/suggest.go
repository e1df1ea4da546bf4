// Package suggesting reads the results of a clustering back, and suggests which documents to label
// next.
package suggesting

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/active"
)

// results are the documents of the run.
func results(ctx context.Context, r *result.Run) *Results {
	n := r.Corpus.Len()
	out := &Results{IDs: make([]string, n), Clusters: r.Labels, Confidence: r.Confidence, Placed: make([]string, n), Places: r.Map,
		typicality: report.Levels(r.Typicality(ctx))}
	if out.Places == nil {
		out.Places = r.Embedding
	}
	if len(r.Corpus.Snippets) == n {
		out.Texts = r.Corpus.Snippets
	}
	if r.Classes != nil {
		out.Classes = make([]string, n)
	}
	if r.J.Prior.Labels != nil {
		out.Known = make([]string, n)
	}
	if r.HasCopies() {
		out.CopyOf = make([]string, n)
	}
	for i := range n {
		out.IDs[i], out.Placed[i] = r.Corpus.ID(i), r.Placed(i)
		if out.Classes != nil {
			out.Classes[i] = r.ClassName(r.Labels[i])
		}
		if out.Known != nil {
			out.Known[i] = r.J.Prior.Name(i)
		}
		if out.CopyOf != nil {
			out.CopyOf[i] = r.CopyOf(i)
		}
	}
	return out
}

// Suggest chooses the documents whose labels help the next clustering most: typical of many
// documents without a label, of which the run was unsure ([active.Select], on the map of the
// result, else its embedding). Typical are documents with a large mean cosine with the others of
// their cluster, in the weighted rows; without it, as of measurements, those in a dense place.
// Documents with a known label, copies of others, and documents that
// have nothing in common with any are never suggested. The same result gives the same documents.
//
// Errors: fs.ErrInvalid if the result has neither a map nor an embedding, if no document is left,
// and if Labels names other documents; the context's.
func (r *Results) Suggest(ctx context.Context, opt Options) (*Suggestions, error) {
	s, err := r.suggest(ctx, opt)
	return s, fault.Wrap(err)
}

// Suggest is [Results.Suggest] on a run in memory. Options.Map of the run gives it the better
// places.
func Suggest(ctx context.Context, r *result.Run, opt Options) (*Suggestions, error) {
	if r.Labels == nil {
		return nil, fault.Wrap(invalid.Errorf("%s: it was embedded, and has no clusters to suggest labels for", r.J.File))
	}
	return results(ctx, r).Suggest(ctx, opt)
}

// usualSuggestions is Options.Number if that is 0.
const usualSuggestions = 20

func (r *Results) suggest(ctx context.Context, opt Options) (*Suggestions, error) {
	if r.Places == nil {
		return nil, invalid.Errorf("%s: the result has neither embedding2d.npy nor embedding.npy, by which documents are compared: cluster again with ‹map›", r.Dir)
	}
	if opt.Number == 0 {
		opt.Number = usualSuggestions
	}
	known := opt.Known
	if known == nil {
		var err error
		if known, err = r.knownLabels(ctx, opt.Labels); err != nil {
			return nil, err
		}
	} else if len(known) != len(r.IDs) {
		return nil, invalid.Errorf("%d known labels were given for %d documents", len(known), len(r.IDs))
	}
	state, unsure := make([]active.State, len(r.IDs)), make([]float64, len(r.IDs))
	for i := range state {
		switch {
		case known[i] != "":
			state[i] = active.Known
		case r.CopyOf != nil && r.CopyOf[i] != "" || r.Placed != nil && r.Placed[i] == result.PlacedIsolated:
			state[i] = active.Out
		}
		if unsure[i] = 1; r.Confidence != nil && !math.IsNaN(r.Confidence[i]) {
			unsure[i] = 1 - r.Confidence[i]
		}
	}
	if !slices.Contains(state, active.Open) {
		return nil, invalid.Errorf("%s: every document has a label, equals another one or has nothing in common with any: no document is left to label", r.Dir)
	}
	picks, err := active.Select(ctx, r.Places, state, unsure, r.typicality, opt.Number, opt.Observer)
	if err != nil {
		return nil, err
	}
	s := &Suggestions{Next: make([]Suggestion, len(picks)), Known: []Suggestion{}}
	for k, p := range picks {
		s.Next[k] = r.suggestion(p.Row, "", why(p, r.Confidence != nil))
	}
	for i, label := range known {
		if label != "" {
			s.Known = append(s.Known, r.suggestion(i, label, "known"))
		}
	}
	return s, nil
}

// why says in words what a pick stands for.
func why(p active.Pick, sure bool) string {
	text := "unlike the others without a label"
	if p.Covers > 1 {
		text = fmt.Sprintf("typical of %s without a label", words.Counted(p.Covers, "document"))
	}
	if p.Labels > 0 {
		text += fmt.Sprintf(", beside %d with one", p.Labels)
	}
	if sure && p.Covers > 1 {
		text += fmt.Sprintf("; their mean confidence is %.2f", 1-p.Uncertainty)
	}
	return text
}

func (r *Results) suggestion(i int, label, why string) Suggestion {
	s := Suggestion{ID: r.IDs[i], Label: label, Cluster: r.Clusters[i], Why: why}
	if r.Classes != nil {
		s.Class = r.Classes[i]
	}
	if r.Texts != nil {
		s.Text = r.Texts[i]
	}
	if r.Confidence != nil && !math.IsNaN(r.Confidence[i]) {
		s.Confidence = &r.Confidence[i]
	}
	return s
}
