package model

import (
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Part is what a method keeps in a model's file. Each method's package has its own.
type Part interface {
	// Fields names what is kept, for writing and for reading alike.
	Fields(f *Fields)
	// Check refuses a part that does not fit the rest of the file, or whose pieces do not fit each
	// other (fs.ErrInvalid).
	Check(of Frame) error
	// Width is the number of coordinates that the part gives new rows, 0 if they keep their own.
	Width() int
}

// Frame is the shape of the model that a part belongs to.
type Frame struct {
	Documents int  // rows that the model was made from
	Columns   int  // of these rows
	Sparse    bool // how they are stored
	Clusters  int  // 0: the model has none
}

// CheckLabels refuses anything but one cluster from low to below k for each document.
func (of Frame) CheckLabels(what string, labels []int, low, k int) error {
	if len(labels) != of.Documents {
		return invalid.Errorf("the model has %s of %d documents and was made from %d", what, len(labels), of.Documents)
	}
	for _, c := range labels {
		if c < low || c >= k {
			return invalid.Errorf("the model's %s name cluster %d of %d", what, c, k)
		}
	}
	return nil
}

// CheckList refuses a list that is not ascending or names no documents.
func (of Frame) CheckList(what string, list []int) error {
	for i, j := range list {
		if j < 0 || j >= of.Documents || i > 0 && j <= list[i-1] {
			return invalid.Errorf("the model's list of %s is no ascending list of documents", what)
		}
	}
	return nil
}

// CheckTraining refuses rows that the model was not trained on.
func (of Frame) CheckTraining(x mat.Matrix) error {
	if x == nil {
		return invalid.Errorf("the model lacks its training rows")
	}
	var errs []error
	if n, cols := x.Dims(); n != of.Documents || cols != of.Columns {
		errs = append(errs, invalid.Errorf("the model has %d × %d training rows of %d documents and %d columns", n, cols, of.Documents, of.Columns))
	}
	if sparse.Is(x) != of.Sparse {
		errs = append(errs, invalid.Errorf("the model's training rows are not stored as it says"))
	}
	return invalid.Join(errs...)
}

// CheckCoordinates refuses coordinates that are not one row per document of the given width; a
// negative width is any.
func (of Frame) CheckCoordinates(y *mat.Dense, width int) error {
	if y == nil {
		return invalid.Errorf("the model lacks the coordinates of its documents")
	}
	if n, d := y.Dims(); n != of.Documents || width >= 0 && d != width {
		return invalid.Errorf("the model has %d × %d coordinates of %d documents", n, d, of.Documents)
	}
	return nil
}

// CheckComponents refuses components that are not as many as their values, over the model's
// columns.
func (of Frame) CheckComponents(components *mat.Dense, values int) error {
	if components == nil {
		return invalid.Errorf("the model lacks its components")
	}
	if k, cols := components.Dims(); k != values || cols != of.Columns {
		return invalid.Errorf("the model has %d × %d components of %d values and %d columns", k, cols, values, of.Columns)
	}
	return nil
}
