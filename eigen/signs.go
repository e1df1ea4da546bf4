package eigen

import (
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"gonum.org/v1/gonum/mat"
)

// CanonicalSigns fixes the sign of every column of v: it makes the first entry whose magnitude is
// within a millionth of the column's largest positive. The margin keeps the choice the same if
// several entries are equal up to rounding. Zero columns do not change.
func CanonicalSigns(v *mat.Dense) { space.Space{}.CanonicalSigns(v.RawMatrix()) }
