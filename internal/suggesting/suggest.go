// Package suggesting reads the results of a clustering back, and suggests which documents to label
// next.
package suggesting

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/spreadsheet"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/active"
	"github.com/eigenmap/eigenmap/progress"
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

// SuggestOptions say which documents [Results.Suggest] may suggest.
type SuggestOptions struct {
	// Number of documents to suggest; 0 = 20.
	Number int `flag:"number" short:"n" range:">=1" default:"20" help:"documents to suggest" group:"output"`
	// Labels is a file of labels that are known by now, in the forms of [corpus.ReadLabeling]; "" =
	// those alone that the run was given.
	Labels string `flag:"labels" path:"true" help:"file of the labels that are known by now: id,label; its documents are not suggested" group:"input"`
	// Known are all labels that are known, one per document and "" for none. They replace the
	// labels of the run and of the file Labels; nil: these two count.
	Known []string
	// Observer receives progress.
	Observer progress.Observer
}

// Suggestion is a document to label, or one whose label is known.
type Suggestion struct {
	ID         string   `json:"id"`
	Label      string   `json:"label"` // "" of a document to label
	Cluster    int      `json:"cluster"`
	Class      string   `json:"class,omitempty"` // class of the known labels that the cluster is
	Confidence *float64 `json:"confidence"`      // of the document in its cluster, 0 to 1; nil if not known
	Why        string   `json:"why"`
	Text       string   `json:"text"` // its beginning; "" if the result does not have it
}

// Suggestions are documents to label next, the most useful first, and those with a label.
type Suggestions struct {
	Next  []Suggestion `json:"suggestions"`
	Known []Suggestion `json:"known"` // in the order of the corpus
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
func (r *Results) Suggest(ctx context.Context, opt SuggestOptions) (*Suggestions, error) {
	s, err := r.suggest(ctx, opt)
	return s, fault.Wrap(err)
}

// Suggest is [Results.Suggest] on a run in memory. [Options.Map] gives it the better places.
func Suggest(ctx context.Context, r *result.Run, opt SuggestOptions) (*Suggestions, error) {
	if r.Labels == nil {
		return nil, fault.Wrap(invalid.Errorf("%s: it was embedded, and has no clusters to suggest labels for", r.J.File))
	}
	return results(ctx, r).Suggest(ctx, opt)
}

// usualSuggestions is SuggestOptions.Number if that is 0.
const usualSuggestions = 20

func (r *Results) suggest(ctx context.Context, opt SuggestOptions) (*Suggestions, error) {
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

// KnownLabels returns the known label of each document, "" for none: from a file
// ([SuggestOptions].Labels; "" for no file), or else as the run was given it. Errors
// (fs.ErrInvalid): the file is no list of labels, or names other documents.
func (r *Results) KnownLabels(ctx context.Context, file string) ([]string, error) {
	known, err := r.knownLabels(ctx, file)
	return known, fault.Wrap(err)
}

func (r *Results) knownLabels(ctx context.Context, file string) ([]string, error) {
	known := make([]string, len(r.IDs))
	copy(known, r.Known)
	if file == "" {
		return known, nil
	}
	if err := job.CheckFiles(ctx, file); err != nil {
		return nil, err
	}
	l, err := corpus.ReadLabeling(ctx, file, "")
	if err != nil {
		return nil, err
	}
	given, _ := l.Known()
	if l.IDs == nil && len(given) != len(known) {
		return nil, invalid.Errorf("%s: it has %d labels, and the result has %d documents: write lines id,label", file, len(given), len(known))
	}
	row := make(map[string]int, len(known))
	for i, id := range r.IDs {
		row[id] = i
	}
	for k, label := range given {
		i, found := k, true
		if l.IDs != nil {
			i, found = row[l.IDs[k]]
		}
		if !found {
			return nil, invalid.Errorf("%s: line %d: the result has no document %q: give the labels of its documents", file, l.Lines[k], words.Clip(l.IDs[k], 60))
		}
		if label != "" {
			known[i] = label
		}
	}
	return known, nil
}

// WriteCSV writes id,label,cluster,confidence,why,text, a line for each document to label, with an
// empty label, and then for each one whose label is known. Filled in, it is a file that
// Options.Labels takes. Without raw, texts that a spreadsheet would run as formulas get an
// apostrophe in front, and the column escaped says so.
func (s *Suggestions) WriteCSV(w io.Writer, raw bool) error {
	all := slices.Concat(s.Next, s.Known)
	head := []string{"id", "label", "cluster", "confidence", "why", "text"}
	marked := !raw && slices.ContainsFunc(all, func(v Suggestion) bool { return spreadsheet.Changes(v.ID, v.Label, v.Text) })
	if marked {
		head = append(head, spreadsheet.Mark)
	}
	return artefact.WriteTable(w, head, len(all), func(i int, record []string) []string {
		v, changed := &all[i], ""
		text := func(cell string) string {
			if raw || !spreadsheet.Changes(cell) {
				return cell
			}
			changed = spreadsheet.Changed
			return spreadsheet.Escape(cell)
		}
		sure := ""
		if v.Confidence != nil {
			sure = strconv.FormatFloat(*v.Confidence, 'g', 6, 64)
		}
		record = append(record, text(v.ID), text(v.Label), strconv.Itoa(v.Cluster), sure, v.Why, text(v.Text))
		if marked {
			record = append(record, changed)
		}
		return record
	})
}
