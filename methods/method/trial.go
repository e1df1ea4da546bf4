package method

// Trialled is implemented by options that have a cheaper form, by which a comparison of methods
// judges the method before one of them runs.
type Trialled interface {
	// Trial returns a copy in the cheaper form.
	Trial() Options
}
