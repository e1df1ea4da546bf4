package choosing

import (
	"fmt"

	"github.com/eigenmap/eigenmap/internal/words"
)

// Choice is how the known labels chose the method of a run.
type Choice struct {
	Method string `json:"method"` // the one chosen, with its options that are not defaults
	// By is "cross-validation", or "default" if the methods could not be compared.
	By  string `json:"by"`
	Why string `json:"why"` // in words, without a full stop
	// Folds is the number of parts into which the known labels were dealt by the seed. HeldOut
	// parts were held out in turn, with Documents documents in all; if these are more than Folds,
	// the labels were dealt again.
	Folds     int `json:"folds,omitempty"`
	HeldOut   int `json:"folds_held_out,omitempty"`
	Documents int `json:"documents,omitempty"`
	// Table has every candidate: the chosen one first, then by accuracy; those that were not
	// compared come last.
	Table []ChoiceRow `json:"table,omitempty"`
}

// ChoiceRow is the verdict on one candidate.
type ChoiceRow struct {
	Method string `json:"method"` // with its options that are not defaults
	// Accuracy is the share of the documents held out that got their class, Error its standard
	// error, and MacroF1 the mean over their classes; 0 if Documents is.
	Accuracy  float64 `json:"accuracy"`
	Error     float64 `json:"error"`
	MacroF1   float64 `json:"macro_f1"`
	Documents int     `json:"documents"` // that it was judged on
	// Note is why it was judged on fewer documents than others, or on none.
	Note string `json:"note,omitempty"`
}

// sentence says how many of the documents held out the chosen candidate, the next one and the one
// without labels got right: "of 119 known labels, held out in 5 folds, it got 73.9 % right, tsvm
// 73.1 %, diffusion without labels 55.5 %".
func (c *Choice) sentence(without string) string {
	best := c.Table[0]
	it := "it"
	if best.Method == without {
		it = "it, without labels,"
	}
	text := fmt.Sprintf("of %s, held out in %s, %s got %s right", words.Plural(c.Documents, "known label", "known labels"), c.rounds(), it, percent(best.Accuracy))
	for at, row := range c.Table[1:] {
		if row.Documents == 0 || at > 0 && row.Method != without {
			continue
		}
		if row.Method == without {
			row.Method += " without labels"
		}
		text += fmt.Sprintf(", %s %s", row.Method, percent(row.Accuracy))
	}
	if len(c.Table) > 1 && c.Table[1].Documents == best.Documents && c.Table[1].Accuracy > best.Accuracy {
		text += "; the votes of several methods are taken unless one of them is plainly better"
	}
	return text
}

// rounds says what was held out: "5 folds", "2 folds, dealt 3 times".
func (c *Choice) rounds() string {
	if deals := (c.HeldOut + c.Folds - 1) / max(1, c.Folds); deals > 1 {
		return fmt.Sprintf("%s, dealt %d times", words.Plural(c.Folds, "fold", "folds"), deals)
	}
	return words.Plural(c.HeldOut, "fold", "folds")
}

// percent is a share in per cent with one decimal.
func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }
