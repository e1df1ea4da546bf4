package artefact

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/drift"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/summary"
	"github.com/eigenmap/eigenmap/internal/version"
	"github.com/eigenmap/eigenmap/internal/view"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// mapAnchors is the most documents that a model keeps the places of.
const mapAnchors = 20_000

// modelMap are the places by which a model places new documents in the map; nil if there is no map,
// or no coordinates to find the nearest documents by. Of more than mapAnchors documents it has
// every second, third and so on.
func modelMap(r *result.Run) *model.Map {
	if r.Drawn != nil {
		r = r.Drawn
	}
	if r.Map == nil || r.Embedding == nil || r.Fitted.Placer == nil {
		return nil
	}
	n := r.Corpus.Len()
	if r.HasCopies() {
		n = len(r.J.Whole.Groups.First)
	}
	step := (n + mapAnchors - 1) / mapAnchors
	var kept []int
	for k := 0; k < n; k += step {
		i := k
		if r.HasCopies() {
			i = r.J.Whole.Groups.First[k]
		}
		kept = append(kept, i)
	}
	var ids []string
	for _, i := range kept {
		ids = append(ids, r.Corpus.ID(i))
	}
	return &model.Map{IDs: ids, Places: sparse.SelectRows(r.Map, kept).(*mat.Dense), Coordinates: sparse.SelectRows(r.Embedding, kept).(*mat.Dense)}
}

// ModelName is the file of a model in a folder of results.
const ModelName = "model.npz"

// ModelSummary is what a model's file says about the run that made it, beside what new documents
// need.
type ModelSummary struct {
	Method      string          `json:"method"`
	Documents   int             `json:"documents"`
	Terms       int             `json:"terms"`
	Dims        int             `json:"dims,omitempty"`
	Eigenvalues summary.Numbers `json:"eigenvalues,omitempty"`
	Singular    summary.Numbers `json:"singular_values,omitempty"`
	Variances   summary.Numbers `json:"variances,omitempty"`
	Residuals   summary.Numbers `json:"residuals,omitempty"`
	MapClasses  []string        `json:"map_classes,omitempty"`
	Sizes       []int           `json:"cluster_sizes,omitempty"`
	Classes     []string        `json:"cluster_classes,omitempty"`  // class of the known labels that each cluster is
	Majority    []string        `json:"majority_classes,omitempty"` // of each cluster, if the corpus had labels or labels were given
	// Matched is the class of each cluster by the scores of the run, "" for none, and LabelClasses are
	// the classes of the corpus' labels.
	Matched      []string   `json:"matched_classes,omitempty"`
	LabelClasses []string   `json:"label_classes,omitempty"`
	TopTerms     [][]string `json:"top_terms,omitempty"` // of each cluster, the best first, if the corpus has names of terms
	// Differences are the columns of TopTerms with their means, of measurements.
	Differences [][]result.Difference `json:"differences,omitempty"`
	// Typical are the most typical documents of each cluster with the beginnings of their texts, if
	// these are kept (Options.Snippets).
	Typical   [][]TypicalText `json:"typical,omitempty"`
	Objective float64         `json:"objective,omitempty"`
	Graph     *summary.Graph  `json:"graph,omitempty"`
	Config    map[string]any  `json:"config"`
	// Columns are those of the corpus' texts, names and classes that no option named, and of a table
	// of numbers all but the terms.
	Columns *corpus.UsualColumns `json:"columns,omitempty"`
	// Format is the format of the corpus, and Extension that of its file without compression, as
	// ".csv".
	Format    string         `json:"format,omitempty"`
	Extension string         `json:"extension,omitempty"`
	Updates   *drift.Updates `json:"updates,omitempty"` // since the fit; nil: none
	Versions  version.Info   `json:"versions"`
}

func summaryOf(r *result.Run) ModelSummary {
	v := ModelSummary{Method: r.J.Spec.Name, Documents: r.Corpus.Len(), Terms: r.J.Columns(), Eigenvalues: view.ValuesOf(r, method.Eigenvalue),
		Singular: view.ValuesOf(r, method.SingularValue), Variances: view.ValuesOf(r, method.Variance), MapClasses: view.MapClasses(r),
		Graph: view.GraphOf(r), Config: job.Config(r.Settings()), Versions: version.Current()}
	if r.Embedding != nil {
		_, v.Dims = r.Embedding.Dims()
	}
	if r.Fitted.Values != nil {
		v.Residuals = r.Fitted.Values.Residuals
	}
	if r.Found != nil {
		v.Sizes, v.Objective, v.Classes = r.Found.Sizes, r.Found.Objective, r.Found.Classes
	}
	if v.Matched = r.MatchedClasses(); v.Matched != nil {
		v.LabelClasses = r.Corpus.ClassNames
	}
	if v.Format = r.Corpus.Format; r.J.File != "" {
		v.Extension = strings.ToLower(filepath.Ext(corpus.UnpackedName(r.J.File)))
	}
	v.Typical = typicalTexts(r)
	if u := r.Corpus.Columns; u.Earlier != nil || u.Numbered != nil {
		v.Columns = &u
	} else if r.J.File != "" {
		if u := corpus.GuessedColumns(context.Background(), r.J.File, r.J.ReadOptions()); len(u.GuessedText) > 0 || u.Earlier != nil {
			v.Columns = &u
		}
	}
	names, terms := make([]string, len(r.Clusters)), r.HasTerms()
	for i, k := range r.Clusters {
		names[i] = k.Major
		if terms {
			v.TopTerms = append(v.TopTerms, words.NotNil(k.Terms))
		}
	}
	v.Differences = result.DifferencesOf(r.Clusters)
	if slices.ContainsFunc(names, func(n string) bool { return n != "" }) {
		v.Majority = names
	}
	return v
}

// writeModel writes what new documents need.
func writeModel(r *result.Run, w io.Writer) error {
	m, err := ModelOf(r)
	if err != nil {
		return err
	}
	return m.Encode(w)
}

// ModelOf is what new documents need.
func ModelOf(r *result.Run) (*model.Model, error) { return modelOf(r, false) }

// modelOf is ModelOf; apart: where ranks divide the documents, of this rank's documents.
func modelOf(r *result.Run, apart bool) (*model.Model, error) {
	whole := !r.Partial()
	m := &model.Model{Method: r.J.Spec.Name, Documents: r.Corpus.Len(), Seed: r.J.Seed}
	if r.HasCopies() { // the rows that it keeps are of the distinct documents
		m.Documents = len(r.J.Whole.Groups.First)
	}
	var err error
	if m.Summary, err = json.Marshal(summaryOf(r)); err != nil {
		return nil, err
	}
	rows, err := r.ModelRows()
	if err != nil {
		return nil, err
	}
	if rows != nil {
		m.Rows = *rows
	}
	if c := r.Found; c != nil {
		m.Clusters = &model.Clusters{Sizes: c.Sizes, Centers: c.Centers, Terms: c.Terms}
		m.Calibration = r.Calibration
		if r.J.RejectShare > 0 {
			m.Reject = r.RejectBelow
		}
		if whole || apart {
			m.Novelty = r.NoveltyOfRows()
		}
	}
	m.Map = modelMap(r)
	if p := r.Fitted.Placer; p != nil && whole {
		m.Part = p
	} else if apart {
		m.Part = r.PlacerHere()
	} else {
		m.Why = closed(r)
	}
	return m, nil
}

// closed is the reason why the model takes no new documents.
func closed(r *result.Run) string {
	switch {
	case r.Partial():
		return job.ClosedByShare
	case r.Fitted.Why != "":
		return r.Fitted.Why
	case r.J.Spec.Closed != "":
		return r.J.Spec.Closed
	case r.J.Affinity != nil && r.J.X != nil && r.J.Joined == nil:
		return "its graph was made elsewhere (" + r.J.Graph + "), and nothing says how that joined the documents"
	case r.J.X != nil:
		return "the run that made it ended before it had what places them: run it again"
	}
	return "it was made from an affinity matrix, without documents to find neighbours among"
}
