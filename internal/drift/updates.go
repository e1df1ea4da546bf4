package drift

// Updates are what a model has taken since it was fitted.
type Updates struct {
	Count      int    `json:"count"`       // updates with new documents
	Fitted     int    `json:"fitted"`      // documents of the fit
	Distinct   bool   `json:"distinct"`    // equal ones count once in Fitted
	Terms      int    `json:"terms"`       // columns of the fit
	Added      int    `json:"added"`       // documents by which others are placed now too
	AddedTerms int    `json:"added_terms"` // terms that were added
	Since      Counts `json:"since"`       // of all documents since the fit
}

// What names the documents of the fit, and by which the model places others, for a count of them.
func (u Updates) What() string {
	if u.Distinct {
		return "different document"
	}
	return "document"
}
