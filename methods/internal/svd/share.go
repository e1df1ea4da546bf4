package svd

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

const (
	// firstGuess is the number of pairs with which the search for a share begins.
	firstGuess = 32
	// wholly is the distance from the wanted share, by rounding, at which a sum of eigenvalues
	// counts as having reached it.
	wholly = 1e-12
)

// share finds as many pairs as hold opt.Share of the total, which is known from the trace. A small
// Gram matrix is solved completely. Otherwise the number of pairs grows. A lower bound of the pairs
// still needed, the rest of the variance divided by the smallest eigenvalue found, decides whether
// the wanted part of the spectrum is so large that LAPACK is used instead, if it is allowed.
func (w *work) share(ctx context.Context, tol float64) (eigenpairs, error) {
	p, _ := w.m.side()
	if explicit, why := w.explicit(0, p); explicit {
		return w.wholeShare(ctx, why)
	}
	k := min(firstGuess, p)
	var pairs eigenpairs
	for {
		w.stats.Why = fmt.Sprintf("%.3g %% of the variance, %d of %d dimensions tried", 100*w.opt.Share, k, p)
		var err error
		pairs, err = w.iterate(ctx, k, tol, pairs.vectors)
		var stopped *eigen.NotConvergedError
		if err != nil && !errors.As(err, &stopped) {
			return pairs, err
		}
		count, missing := w.reached(pairs.values)
		if missing <= 0 {
			return pairs.first(count), err
		}
		if err != nil {
			return pairs, err
		}
		if k == p {
			return pairs, nil // that is all; the missing part is rounding
		}
		k = w.next(pairs.values, missing)
		if explicit, why := w.explicit(k, p); explicit {
			return w.wholeShare(ctx, why)
		}
		if iterativeBytes(p, k) > w.most {
			return pairs, invalid.Errorf("%.3g %% of the variance take more than the %d dimensions tried, which hold %.3g %%, and more need above %.1f GB: ask for a smaller share or a number of dimensions, or allow more memory",
				100*w.opt.Share, len(pairs.values), 100*(w.opt.Share-missing/w.m.Total), float64(w.most)/1e9)
		}
	}
}

// wholeShare solves for the whole spectrum and takes the pairs of the share.
func (w *work) wholeShare(ctx context.Context, why string) (eigenpairs, error) {
	pairs, err := w.dense(ctx, 0, why)
	if err != nil {
		return pairs, err
	}
	count, _ := w.reached(pairs.values)
	return pairs.first(count), nil
}

// reached returns how many of the pairs make up the share, and the missing sum if all of them do
// not.
func (w *work) reached(values []float64) (count int, missing float64) {
	want := w.opt.Share * w.m.Total * (1 - wholly)
	sum := 0.0
	for j, v := range values {
		if sum += max(v, 0); sum >= want {
			return j + 1, 0
		}
	}
	return len(values), want - sum
}

// next guesses how many pairs reach the share: at least one and a half times the lower bound, and
// at most four times the present number, because the eigenvalues of the whole spectrum differ from
// the first ones.
func (w *work) next(values []float64, missing float64) int {
	p, _ := w.m.side()
	k := len(values)
	least := missing / max(values[k-1], math.SmallestNonzeroFloat64)
	return int(min(float64(p), float64(4*k), float64(k)+max(float64(k)/2, 1.5*least)))
}

// iterativeBytes estimates the memory of the iterative solver for k of p pairs.
func iterativeBytes(p, k int) int64 { return 8 * int64(p) * 4 * int64(k) }
