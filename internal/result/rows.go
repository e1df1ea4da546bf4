package result

import "github.com/eigenmap/eigenmap/model"

// ModelRows says how new documents become rows; nil if the affinity was given.
func (r *Run) ModelRows() (*model.Rows, error) {
	switch {
	case r.J.X == nil || r.rows != nil:
		return r.rows, nil
	case r.J.VectorRows != nil:
		return r.J.VectorRows, nil
	}
	return r.J.TermRows()
}
