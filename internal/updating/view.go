package updating

import (
	"fmt"

	"github.com/eigenmap/eigenmap/internal/drift"
	"github.com/eigenmap/eigenmap/internal/predicting"
	"github.com/eigenmap/eigenmap/internal/words"
)

// DriftJSON is [drift.Counts] with its shares.
type DriftJSON struct {
	drift.Counts
	IsolatedShare float64 `json:"isolated_share"`
	NovelShare    float64 `json:"novel_share"`      // at most 0.05 or so of documents like the model's
	Distance      float64 `json:"novelty_distance"` // one-sided Kolmogorov–Smirnov, from the novelties of the model's documents
	NewTermShare  float64 `json:"new_term_share"`
}

// UpdateJSON is an update as one JSON object.
type UpdateJSON struct {
	predicting.PredictionJSON
	Update UpdateDetails `json:"update"`
}

// UpdateDetails is what an update made of the model, and the drift.
type UpdateDetails struct {
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
}

// JSON is the update as an object for JSON.
func (u *Updated) JSON(name func(string) string, files []string) UpdateJSON {
	v := UpdateJSON{PredictionJSON: u.Prediction.JSON(name, files)}
	of := func(d drift.Counts) DriftJSON {
		return DriftJSON{Counts: d, IsolatedShare: d.IsolatedShare(), NovelShare: d.NovelShare(), Distance: d.Distance(), NewTermShare: d.NewTermShare()}
	}
	now := predicting.Stored(u.Model)
	if u.grew != nil {
		now = u.grew
	}
	w := &v.Update
	w.Added, w.AddedTerms, w.Documents, w.Columns = u.Added, u.AddedTerms, now.Documents, now.Rows.Columns
	w.Fitted, w.Updates, w.Drift, w.Since = u.Updates.Fitted, u.Updates.Count, of(u.Drift), of(u.Updates.Since)
	w.Refit, w.Reasons = len(u.Refit) > 0, words.NotNil(u.Refit)
	return v
}

// DriftRows are the lines about the drift, for a person.
func (u *Updated) DriftRows() [][]string {
	rows := [][]string{{"drift", "documents", "known", "empty", "nothing in common", "novel", "distance", "new terms"}}
	line := func(name string, d drift.Counts) {
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
		rows = append(rows, []string{name, words.Thousands(d.Documents), words.Thousands(d.Known), words.Thousands(d.Empty), text(d.IsolatedShare(), d.Compared() > 0), text(d.NovelShare(), d.Novelty != nil), distance, text(d.NewTermShare(), d.Terms > 0)})
	}
	line("these", u.Drift)
	line("since the fit", u.Updates.Since)
	return rows
}
