package shares

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/methods/crossval"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/svm"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

const (
	folds      = 5
	leastKnown = 3     // labels of a class whose share is estimated
	steps      = 1000  // of EM, at most
	settled    = 1e-6  // change of the shares at which it ends
	mostAsked  = 20000 // documents without a label that EM looks at: every second, third, ... of more
	tiny       = 1e-12
	// wrongly is the level of the test whether scores are distributed as they are taken to be.
	wrongly = 0.01
)

// Estimate are shares of classes among the documents without a label.
type Estimate struct {
	// Shares are numbers from 0 to 1, of sum 1.
	Shares []float64
	// Errors are their standard errors, of three parts: the jackknife over the five folds of the
	// labels; the documents without a label, which leave shares open where classes overlap; and by
	// how much more than by chance the shares that are found among the documents with a label miss
	// what these are, as where scores are not normally distributed.
	Errors []float64
	// Asked says for which classes the documents were asked. The others, of fewer than three labels,
	// have the shares of their labels; with fewer than two others all have.
	Asked []bool
}

// Of estimates the shares of the classes among the rows of x without a label. known holds a class
// from 0 to classes−1, or labels.Unknown, for each row, with at least one label of each class.
//
// It takes six trainings of linear machines on the labelled rows, the scores of all rows, and some
// hundred passes over the scores. Errors are as of svm.OneVsRest.
func Of(ctx context.Context, x mat.Matrix, known []int, classes int, seed uint64) (*Estimate, error) {
	n, _ := x.Dims()
	of, err := labels.Check(known, n, classes, nil)
	if err != nil {
		return nil, err
	}
	e := &Estimate{Shares: OfLabels(known, classes), Errors: make([]float64, classes), Asked: make([]bool, classes)}
	asked := 0
	for k, list := range of {
		if e.Asked[k] = len(list) >= leastKnown; e.Asked[k] {
			asked++
		}
	}
	if asked < 2 {
		clear(e.Asked)
		return e, nil
	}
	opt := svm.Options{Seed: seed}
	whole, err := svm.OneVsRest(ctx, x, known, classes, opt)
	if err != nil {
		return nil, fmt.Errorf("class shares: %w", err)
	}
	held := mat.DenseCopyOf(whole.Scores)
	dealt := crossval.Folds(known, classes, folds, seed)
	for _, fold := range dealt {
		if len(fold) == 0 {
			continue
		}
		m, err := svm.OneVsRest(ctx, x, crossval.Without(known, fold, labels.Unknown), classes, opt)
		if err != nil {
			return nil, fmt.Errorf("class shares: %w", err)
		}
		for _, i := range fold {
			copy(held.RawRowView(i), m.Scores.RawRowView(i))
		}
	}
	others := open(known)
	start, all := e.Shares, densities(held, of)
	like := all.of(whole.Scores, others)
	e.Shares = shares(like, start, e.Asked)
	for _, fold := range dealt {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		part := shares(densities(held, without(of, fold)).of(whole.Scores, others), start, e.Asked)
		for k, v := range part {
			e.Errors[k] += (v - e.Shares[k]) * (v - e.Shares[k]) * (folds - 1) / folds
		}
	}
	drawn := variances(like, e.Shares, e.Asked)
	missed := misses(all.of(held, several(of)), start, e.Asked)
	for k, v := range e.Errors {
		e.Errors[k] = math.Sqrt(v + drawn[k] + missed[k]*missed[k])
	}
	return e, nil
}

// misses is by how much the shares that are found by the likelihoods of documents with a label miss
// the shares that these have; 0 if that may be by chance, which is the likelihood-ratio test at the
// level wrongly. Else the scores are not distributed as they are taken to be.
func misses(like, known []float64, free []bool) []float64 {
	found, terms := shares(like, known, free), -1.0
	for _, f := range free {
		if f {
			terms++
		}
	}
	chance := distuv.ChiSquared{K: max(1, terms)}.Survival(2 * (logLikelihood(like, found) - logLikelihood(like, known)))
	for k, v := range known {
		if found[k] -= v; chance >= wrongly {
			found[k] = 0
		}
	}
	return found
}

// logLikelihood is that of shares, by rows with these likelihoods of the classes.
func logLikelihood(like, list []float64) (sum float64) {
	for at := 0; at < len(like); at += len(list) {
		all := 0.0
		for k, l := range like[at : at+len(list)] {
			all += list[k] * l
		}
		sum += math.Log(max(all, math.SmallestNonzeroFloat64))
	}
	return sum
}

// open are the rows without a label, or every second, third, ... of more than mostAsked.
func open(known []int) (list []int) {
	for i, k := range known {
		if k == labels.Unknown {
			list = append(list, i)
		}
	}
	return thinned(list)
}

// several are the rows of classes of two labels or more, or every second, third, ... of more than
// mostAsked.
func several(of [][]int32) (list []int) {
	for _, rows := range of {
		if len(rows) < 2 {
			continue
		}
		for _, i := range rows {
			list = append(list, int(i))
		}
	}
	return thinned(list)
}

func thinned(list []int) (out []int) {
	for at := 0; at < len(list); at += 1 + (len(list)-1)/mostAsked {
		out = append(out, list[at])
	}
	return out
}

// without are the documents of each class that are not in a fold, which is ascending.
func without(of [][]int32, fold []int) [][]int32 {
	out := make([][]int32, len(of))
	for k, list := range of {
		for _, i := range list {
			if _, held := slices.BinarySearch(fold, int(i)); !held {
				out[k] = append(out[k], i)
			}
		}
	}
	return out
}

// OfLabels returns the shares of the classes among the known labels.
func OfLabels(known []int, classes int) []float64 {
	list, count := make([]float64, classes), 0.0
	for _, k := range known {
		if k >= 0 {
			list[k]++
			count++
		}
	}
	for k := range list {
		list[k] /= count
	}
	return list
}

// normals are normal distributions of scores: a mean of each class, and a variance of each column.
type normals struct {
	mean     *mat.Dense // class × column
	variance []float64
}

// densities fits the distributions to held-out scores. The mean of a class is drawn by one document
// to the mean of all classes: in its own column, and in the column of another class. The only
// document of a class was not held out, so its class has the mean of all.
func densities(held *mat.Dense, of [][]int32) normals {
	classes := len(of)
	own := 0.0
	rest, documents := make([]float64, classes), 0.0
	sum := mat.NewDense(classes, classes, nil)
	for k, list := range of {
		for _, i := range list {
			for j, v := range held.RawRowView(int(i)) {
				sum.Set(k, j, sum.At(k, j)+v)
			}
		}
		if len(list) < 2 {
			continue
		}
		documents += float64(len(list))
		own += sum.At(k, k)
		for j := range rest {
			if j != k {
				rest[j] += sum.At(k, j)
			}
		}
	}
	d := normals{mean: mat.NewDense(classes, classes, nil), variance: make([]float64, classes)}
	for k, list := range of {
		size := float64(len(list))
		for j := range classes {
			usual := own / documents
			if j != k {
				usual = rest[j] / max(1, documents-sized(of[j]))
			}
			if size < 2 {
				d.mean.Set(k, j, usual)
			} else {
				d.mean.Set(k, j, (sum.At(k, j)+usual)/(size+1))
			}
		}
		if size < 2 {
			continue
		}
		for _, i := range list {
			for j, v := range held.RawRowView(int(i)) {
				away := v - sum.At(k, j)/size
				d.variance[j] += away * away * size / (size - 1) / documents
			}
		}
	}
	return d
}

// sized is the number of documents that were held out of a class.
func sized(list []int32) float64 {
	if len(list) < 2 {
		return 0
	}
	return float64(len(list))
}

// of returns the likelihoods of rows of scores, one after the other.
func (d normals) of(scores *mat.Dense, rows []int) (like []float64) {
	for _, i := range rows {
		like = append(like, d.likelihoods(scores.RawRowView(i))...)
	}
	return like
}

// shares is EM on the shares alone, of rows with these likelihoods of the classes. Classes that are
// not free keep the share that they have at the start.
func shares(like, start []float64, free []bool) []float64 {
	classes, open := len(start), 0.0
	for k, v := range start {
		if free[k] {
			open += v
		}
	}
	now := slices.Clone(start)
	for range steps {
		mass, sum := make([]float64, classes), 0.0
		for at := 0; at < len(like); at += classes {
			row, all := like[at:at+classes], 0.0
			for k, l := range row {
				all += now[k] * l
			}
			for k, l := range row {
				if free[k] && all > 0 {
					mass[k] += now[k] * l / all
				}
			}
		}
		for _, v := range mass {
			sum += v
		}
		if !(sum > 0) {
			break
		}
		moved := 0.0
		for k, v := range mass {
			if free[k] {
				next := open * v / sum
				moved = max(moved, math.Abs(next-now[k]))
				now[k] = next
			}
		}
		if moved < settled {
			break
		}
	}
	return now
}

// variances returns the variance of each free share, at most 1, that rows with these likelihoods
// leave: of the inverse of the observed information at the shares, among shares of equal sum. The
// more classes overlap, the larger it is. A share of less than a row is at the end of its range,
// where the likelihood falls with it by a slope: the square of that counts as information, too.
func variances(like, at []float64, free []bool) []float64 {
	classes := len(at)
	rows := float64(len(like) / classes)
	info, slope, sum := mat.NewSymDense(classes, nil), mat.NewVecDense(classes, nil), mat.NewVecDense(classes, nil)
	for i := 0; i < len(like); i += classes {
		row, all := like[i:i+classes], 0.0
		for k, l := range row {
			all += at[k] * l
		}
		if !(all > 0) {
			continue
		}
		for k, l := range row {
			if slope.SetVec(k, 0); free[k] {
				slope.SetVec(k, l/all)
			}
		}
		sum.AddVec(sum, slope)
		info.SymRankOne(info, 1, slope)
	}
	for k, share := range at {
		info.SetSym(k, k, info.At(k, k)+1) // no share is less sure than one drawn from 0 to 1
		if steep := sum.AtVec(k) - rows; free[k] && share*rows < 1 && steep < 0 {
			info.SetSym(k, k, info.At(k, k)+steep*steep)
		}
	}
	out := make([]float64, classes)
	var factor mat.Cholesky
	var inverse mat.SymDense
	if !factor.Factorize(info) || factor.InverseTo(&inverse) != nil {
		for k := range out {
			out[k] = 1
		}
		return out
	}
	ones, all := mat.NewVecDense(classes, nil), 0.0
	for k, f := range free {
		for l := range free {
			if f && free[l] {
				ones.SetVec(k, ones.AtVec(k)+inverse.At(k, l))
			}
		}
		all += ones.AtVec(k)
	}
	for k, f := range free {
		if f {
			out[k] = min(1, max(0, inverse.At(k, k)-ones.AtVec(k)*ones.AtVec(k)/all))
		}
	}
	return out
}

// likelihoods are the densities of a row of scores under each class, over the largest of them.
func (d normals) likelihoods(row []float64) []float64 {
	list := make([]float64, len(row))
	for k := range list {
		for j, v := range row {
			away := v - d.mean.At(k, j)
			list[k] -= away * away / (2*d.variance[j] + tiny)
		}
	}
	most := slices.Max(list)
	for k, v := range list {
		list[k] = math.Exp(v - most)
	}
	return list
}
