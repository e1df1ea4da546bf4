package eigenmap

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/drift"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// mostGrowth is how many times the documents and the terms of its fit a model has at most.
const mostGrowth = 2

// Drift counts new documents by how they meet a model: see [Updated].
type Drift = drift.Counts

// Updates are what a model has taken since it was fitted.
type Updates struct {
	Count      int   `json:"count"`       // updates with new documents
	Fitted     int   `json:"fitted"`      // documents of the fit
	Terms      int   `json:"terms"`       // columns of the fit
	Added      int   `json:"added"`       // documents by which others are placed now too
	AddedTerms int   `json:"added_terms"` // terms that were added
	Since      Drift `json:"since"`       // of all new documents since the fit
}

// Updated is a model with new documents: the prediction of these, and what they say of the model.
type Updated struct {
	*Prediction
	// Drift is of these documents, Updates of all since the fit. Documents of the model count in
	// neither.
	Drift   Drift
	Updates Updates
	// Added and AddedTerms are by how much the model grew now.
	Added, AddedTerms int
	// Refit says why the model should be made again, each in words without a full stop; nil: it
	// need not be.
	Refit []string

	file string       // of the model
	grew *model.Model // nil: the model is as it was, byte for byte
}

// Update places new documents by a model, as [Predict] does, lets the model grow by them, and
// measures how far they are from what it was made from.
//
// Models of le, semi-le, cle, spectral and diffusion with a neighbour graph grow: the new documents
// become neighbours by which later ones are placed, at the coordinates that they got, and terms
// that two of them have and the model lacks become columns, with ln(documents/df) as idf. Their
// clusters, coordinates and eigenvalues stay. A model grows to twice the documents and twice the
// terms of its fit at most. Models of other methods place each document alone, and count it.
//
// [Updated.Refit] follows the rule of [drift.Reasons], on these documents and on all since the fit:
// more than 5 % have nothing in common with the model's, more than 10 % have a novelty of 0.95 or
// more, a one-sided Kolmogorov–Smirnov distance of novelties above 0.15, more than 20 % new terms,
// or half as many documents as the fit had.
//
// Documents that are the model's own count for nothing: an update by documents that the model has
// gives the same model, byte for byte. Time: that of Predict, and of the graph of all documents if
// the model grows. Errors: as of Predict.
func Update(ctx context.Context, modelFile, file string, opt ...Options) (*Updated, error) {
	p, err := Predict(ctx, modelFile, file, opt...)
	if err != nil {
		return nil, err
	}
	u := &Updated{Prediction: p, file: modelIn(modelFile)}
	if err := u.update(ctx); err != nil {
		return nil, wrapped(p.Run.j.inDocuments(err))
	}
	u.Timings = p.Run.j.times
	p.Timings = u.Timings
	return u, nil
}

func (u *Updated) update(ctx context.Context) error {
	j, m := u.Run.j, u.Model.m
	defer j.stage("update")()
	defer native.Hold()()
	if before := u.Model.Summary.Updates; before != nil {
		u.Updates = *before
	} else {
		u.Updates = Updates{Fitted: m.Documents, Terms: m.Rows.Columns}
	}
	fresh := u.fresh()
	if err := u.measure(fresh); err != nil {
		return err
	}
	if u.Drift.Documents == 0 {
		u.Refit = drift.Reasons(u.Updates.Since, u.Updates.Fitted)
		return nil
	}
	u.Updates.Count++
	u.Updates.Since = u.Updates.Since.Plus(u.Drift)
	u.Refit = drift.Reasons(u.Drift, u.Updates.Fitted)
	for _, why := range drift.Reasons(u.Updates.Since, u.Updates.Fitted) {
		if u.Refit == nil || u.Updates.Count > 1 && !slices.Contains(u.Refit, why) {
			u.Refit = append(u.Refit, why)
		}
	}
	if err := u.grow(ctx, fresh); err != nil {
		return err
	}
	u.noteUpdate()
	return nil
}

// fresh are the documents that are not the model's own, ascending.
func (u *Updated) fresh() []int {
	var list []int
	for i := range u.Corpus.Len() {
		if u.Placed(i) != PlacedKnown {
			list = append(list, i)
		}
	}
	return list
}

// measure counts the new documents.
func (u *Updated) measure(fresh []int) error {
	u.Drift.Documents = len(fresh)
	u.Drift.Isolated = len(u.Isolated)
	if u.Novelty != nil {
		u.Drift.Measure(pick(u.Novelty, fresh), novel)
	}
	if u.Corpus.Terms == nil || len(fresh) == 0 {
		return nil
	}
	df := documentsOf(u.Corpus.X, fresh)
	unknown, err := u.Model.m.Rows.Unknown(u.Corpus)
	if err != nil {
		return err
	}
	for _, n := range df {
		if n >= leastNewTerm {
			u.Drift.Terms++
		}
	}
	for _, c := range unknown {
		if df[c] >= leastNewTerm {
			u.Drift.NewTerms++
		}
	}
	return nil
}

// leastNewTerm is the number of new documents that a term must have to count.
const leastNewTerm = 2

// documentsOf counts, for each column, the rows with an entry among some.
func documentsOf(x mat.Matrix, rows []int) []int {
	_, cols := x.Dims()
	df := make([]int, cols)
	s, ok := x.(*sparse.CSR)
	for _, i := range rows {
		if ok {
			for k := s.RowPtr[i]; k < s.RowPtr[i+1]; k++ {
				if s.Val[k] != 0 {
					df[s.Col[k]]++
				}
			}
			continue
		}
		for c := range cols {
			if x.At(i, c) != 0 {
				df[c]++
			}
		}
	}
	return df
}

// grow makes the model with the new documents.
func (u *Updated) grow(ctx context.Context, fresh []int) error {
	m := *u.Model.m
	u.grew = &m
	if m.Clusters != nil {
		sizes := slices.Clone(m.Clusters.Sizes)
		for _, i := range fresh {
			if k := u.Labels[i]; k >= 0 {
				sizes[k]++
			}
		}
		m.Clusters = &model.Clusters{Sizes: sizes, Centers: m.Clusters.Centers}
	}
	if err := u.growRows(ctx, &m, fresh); err != nil {
		return err
	}
	u.Updates.Added += u.Added
	u.Updates.AddedTerms += u.AddedTerms
	summary := map[string]json.RawMessage{}
	if m.Summary != nil {
		if err := json.Unmarshal(m.Summary, &summary); err != nil {
			return err
		}
	}
	var err error
	if summary["updates"], err = json.Marshal(u.Updates); err != nil {
		return err
	}
	m.Summary, err = json.Marshal(summary)
	return err
}

// growRows adds the documents, and their terms, to what the method places by, if it can.
func (u *Updated) growRows(ctx context.Context, m *model.Model, fresh []int) error {
	part, can := m.Part.(method.Grower)
	room := mostGrowth*u.Updates.Fitted - m.Documents
	place := slices.DeleteFunc(slices.Clone(fresh), func(i int) bool { _, alone := slices.BinarySearch(u.Isolated, i); return alone })
	if place = place[:max(0, min(len(place), room))]; !can || len(place) == 0 || u.oneView || u.Run.j.vectors != nil || m.Rows.Beside > 0 {
		return nil
	}
	rows, err := u.widerRows(m, fresh)
	if err != nil {
		return err
	}
	placed := sparse.SelectRows(u.weighted, place)
	wide := placed
	if rows.Columns > m.Rows.Columns {
		x, _, err := rows.Of(u.Corpus)
		if err != nil {
			return err
		}
		wide = sparse.SelectRows(x, place)
	}
	grown, err := part.Grow(memory.Bound(ctx, u.Run.j.MaxBytes), placed, wide, m.Documents, u.Run.j.observe)
	if errors.Is(err, memory.ErrLimit) {
		u.Run.j.warn("The model does not grow, for want of memory: " + err.Error())
		return nil
	}
	if err != nil || grown == nil {
		return err
	}
	u.Added, u.AddedTerms = len(place), rows.Columns-m.Rows.Columns
	if u.AddedTerms > 0 && m.Novelty != nil {
		measured := *m.Novelty
		if measured.Columns == 0 {
			measured.Columns = m.Rows.Columns
		}
		m.Novelty = &measured
	}
	m.Part, m.Rows, m.Documents = grown, rows, m.Documents+len(place)
	return nil
}

// widerRows are the model's rows with the new terms that two of the documents have.
func (u *Updated) widerRows(m *model.Model, fresh []int) (model.Rows, error) {
	unknown, err := m.Rows.Unknown(u.Corpus)
	if err != nil || unknown == nil {
		return m.Rows, err
	}
	df := documentsOf(u.Corpus.X, fresh)
	unknown = slices.DeleteFunc(unknown, func(c int) bool { return df[c] < leastNewTerm })
	unknown = unknown[:max(0, min(len(unknown), mostGrowth*u.Updates.Terms-m.Rows.Columns))]
	var idf []float64
	if corpus.NeedsIDF(m.Rows.Weighting) {
		all := float64(m.Documents + len(fresh))
		for _, c := range unknown {
			idf = append(idf, math.Log(all/float64(df[c])))
		}
	}
	rows, ok := m.Rows.Grown(u.Corpus, unknown, idf)
	if !ok {
		return m.Rows, nil
	}
	return rows, nil
}

// noteUpdate says what became of the model, and why it should be made again.
func (u *Updated) noteUpdate() {
	j := u.Run.j
	switch {
	case u.Added > 0:
		j.note(fmt.Sprintf("The model grew by %s and %s; it has %s, and had %s when it was fitted.", words.Counted(u.Added, "document"), words.Counted(u.AddedTerms, "term"),
			words.Counted(u.grew.Documents, "document"), words.Thousands(u.Updates.Fitted)))
	case u.grew.Documents >= mostGrowth*u.Updates.Fitted:
		j.note(fmt.Sprintf("The model has twice the %s of its fit and grows no more: new documents are placed alone.", words.Counted(u.Updates.Fitted, "document")))
	default:
		j.note("New documents are placed alone: a model of the method " + u.Model.Method() + " does not grow by these.")
	}
	for _, why := range u.Refit {
		j.warn("Make the model again: " + why + ".")
	}
}

// SaveIn writes the results into an open folder: those of the prediction, and the model with the
// new documents. Where there are none the model's file has the same bytes.
func (u *Updated) SaveIn(ctx context.Context, out *Folder) ([]string, error) {
	err := out.Add(ctx, ModelName, func(w io.Writer) error {
		if u.grew != nil {
			return u.grew.Encode(w)
		}
		data, err := os.ReadFile(u.file)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, bytes.NewReader(data))
		return err
	})
	if err != nil {
		return nil, wrapped(err)
	}
	return u.Prediction.SaveIn(ctx, out)
}

// Save writes the results into a folder, which must not be the model's own.
func (u *Updated) Save(dir string) error {
	out, err := u.OpenFolder(dir)
	if err != nil {
		return err
	}
	defer out.Discard()
	_, err = u.SaveIn(context.Background(), out)
	return err
}

// DriftJSON is a [Drift] with its shares.
type DriftJSON struct {
	Drift
	IsolatedShare float64 `json:"isolated_share"`
	NovelShare    float64 `json:"novel_share"`      // 0.05 of documents like the model's
	Distance      float64 `json:"novelty_distance"` // one-sided Kolmogorov–Smirnov, from those of the model's documents
	NewTermShare  float64 `json:"new_term_share"`
}

// UpdateJSON is an update as one JSON object.
type UpdateJSON struct {
	PredictionJSON
	Update struct {
		Added      int       `json:"added_documents"`
		AddedTerms int       `json:"added_terms"`
		Documents  int       `json:"model_documents"` // by which the model places others, after the update
		Columns    int       `json:"model_terms"`
		Fitted     int       `json:"fitted_documents"`
		Updates    int       `json:"updates"` // since the fit
		Drift      DriftJSON `json:"drift"`
		Since      DriftJSON `json:"since_fit"`
		Refit      bool      `json:"refit"`
		Reasons    []string  `json:"refit_reasons"`
	} `json:"update"`
}

// JSON is the update as an object for JSON.
func (u *Updated) JSON(name func(string) string, files []string) UpdateJSON {
	v := UpdateJSON{PredictionJSON: u.Prediction.JSON(name, files)}
	of := func(d Drift) DriftJSON {
		return DriftJSON{Drift: d, IsolatedShare: d.IsolatedShare(), NovelShare: d.NovelShare(), Distance: d.Distance(), NewTermShare: d.NewTermShare()}
	}
	now := u.Model.m
	if u.grew != nil {
		now = u.grew
	}
	w := &v.Update
	w.Added, w.AddedTerms, w.Documents, w.Columns = u.Added, u.AddedTerms, now.Documents, now.Rows.Columns
	w.Fitted, w.Updates, w.Drift, w.Since = u.Updates.Fitted, u.Updates.Count, of(u.Drift), of(u.Updates.Since)
	w.Refit, w.Reasons = len(u.Refit) > 0, nonNil(u.Refit)
	return v
}

// DriftRows are the lines about the drift, for a person.
func (u *Updated) DriftRows() [][]string {
	rows := [][]string{{"drift", "documents", "nothing in common", "novel", "distance", "new terms"}}
	line := func(name string, d Drift) {
		text := func(share float64, known bool) string {
			if !known {
				return "-"
			}
			return fmt.Sprintf("%.1f %%", 100*share)
		}
		distance := "-"
		if d.Novelty != nil {
			distance = fmt.Sprintf("%.3f", d.Distance())
		}
		rows = append(rows, []string{name, words.Thousands(d.Documents), text(d.IsolatedShare(), d.Documents > 0), text(d.NovelShare(), d.Novelty != nil), distance, text(d.NewTermShare(), d.Terms > 0)})
	}
	line("these", u.Drift)
	line("since the fit", u.Updates.Since)
	return rows
}
