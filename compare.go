package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/comparing"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/request"
)

// CompareOptions say what is compared.
type CompareOptions = request.CompareOptions

// Comparison is the result of [Compare].
type Comparison = comparing.Comparison

// CompareRun is one run of a comparison.
type CompareRun = comparing.Run

// HeldOut is the verdict of a comparison on a method by known labels that it did not see.
type HeldOut = comparing.HeldOut

// CompareMethod is what the runs of one method have in common.
type CompareMethod = comparing.Method

// MeanOf is a mean over the runs of a method with its standard error, 0 for one run.
type MeanOf = comparing.MeanOf

// Agreement of two clusterings, averaged over pairs of runs.
type Agreement = comparing.Agreement

// Compare runs several methods over one corpus with several seeds each. Every run gets
// the options for which its method has a use; an option for which no method has a use is refused.
// The corpus is read once.
//
// Runs go on after one that fails: its CompareRun says why. If the context ends, Compare returns
// what was finished beside the error. Errors: as of [Cluster].
func Compare(ctx context.Context, file string, opt Options, c CompareOptions) (*Comparison, error) {
	out, err := comparing.Compare(ctx, file, opt, c)
	return out, fault.Wrap(err)
}
