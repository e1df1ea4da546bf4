package result

import (
	"fmt"

	"github.com/eigenmap/eigenmap/internal/summary"
	"github.com/eigenmap/eigenmap/methods/method"
)

// take takes what the method found.
func (r *Run) take(fitted *method.Fitted) {
	if fitted == nil {
		return
	}
	r.Fitted = fitted
	if fitted.Used != nil {
		r.J.TakeUsed(fitted.Used)
	}
	r.Embedding = fitted.Embedding
	if r.J.Share.Divided() {
		if g := fitted.Graph; g != nil && g.Share.Divided() {
			r.Shared = summary.OfShared(r.J.Share, fitted.Graph)
		}
	}
	if v := fitted.Values; v != nil {
		if worst := v.Worst(); v.Tol > 0 && worst > v.Tol && v.Stats != nil {
			r.J.Warn(fmt.Sprintf("The largest residual, %.1e, is what rounding allows; ‹tol› %g cannot be met on this graph.", worst, v.Tol))
		}
	}
	if fitted.Clusters != nil {
		r.TakeClusters(fitted.Clusters)
	}
}
