package drift

// Updates are what a model has taken since it was fitted.
type Updates struct {
	Count      int    `json:"count"`       // updates with new documents
	Fitted     int    `json:"fitted"`      // documents of the fit
	Terms      int    `json:"terms"`       // columns of the fit
	Added      int    `json:"added"`       // documents by which others are placed now too
	AddedTerms int    `json:"added_terms"` // terms that were added
	Since      Counts `json:"since"`       // of all documents since the fit
}
