package kmeans

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// placesAndTerms are documents of four subjects: coordinates that tell them badly, and terms.
func placesAndTerms(t testing.TB, n int) (*mat.Dense, *sparse.CSR, []int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, uint64(n)))
	at, words, truth := mat.NewDense(n, 3, nil), mat.NewDense(n, 80, nil), make([]int, n)
	for i := range n {
		truth[i] = rng.IntN(4)
		for j := range 3 {
			at.Set(i, j, 0.5*rng.NormFloat64())
		}
		if truth[i] < 3 {
			at.Set(i, truth[i], 1+at.At(i, truth[i]))
		}
		for range 1 + rng.IntN(9) {
			words.Set(i, truth[i]*15+rng.IntN(35), float64(1+rng.IntN(3)))
		}
	}
	words.SetRow(n/2, make([]float64, 80)) // a document without terms
	x := must.Get(sparse.FromMatrix(words))(t)
	return at, x, truth
}

func clustersAt(t testing.TB, at mat.Matrix, k int) *method.Clusters {
	t.Helper()
	m := must.Get(Fit(context.Background(), at, Options{K: k, Seed: 3}))(t)
	return m.Found(10)
}

func right(labels, truth []int) int {
	count := map[[2]int]int{}
	for i, c := range labels {
		count[[2]int{c, truth[i]}]++
	}
	most := map[int]int{}
	for of, n := range count {
		most[of[0]] = max(most[of[0]], n)
	}
	sum := 0
	for _, n := range most {
		sum += n
	}
	return sum
}

// literally is the distance of a document from a cluster of k-means by the formula of [ByTerms].
func literally(at *mat.Dense, x *sparse.CSR, found *method.Clusters) func(i, of int) float64 {
	unit := func(row []float64) []float64 {
		out, length := slices.Clone(row), mat.Norm(mat.NewVecDense(len(row), row), 2)
		for j := range out {
			out[j] /= max(length, math.SmallestNonzeroFloat64)
		}
		return out
	}
	words, sums := x.ToDense(), mat.NewDense(len(found.Sizes), 80, nil)
	for i, of := range found.Labels {
		for j, v := range unit(words.RawRowView(i)) {
			sums.Set(of, j, sums.At(of, j)+v)
		}
	}
	return func(i, of int) float64 {
		sum, z, centre := 0.0, at.RawRowView(i), found.Centers.RawRowView(of)
		for j := range z {
			sum += (z[j] - centre[j]) * (z[j] - centre[j])
		}
		u, row := unit(sums.RawRowView(of)), unit(words.RawRowView(i))
		cos := 0.0
		for j := range u {
			cos += u[j] * row[j]
		}
		return math.Sqrt(sum + 3*(2-2*cos))
	}
}

// nearestTwo is the nearest cluster of a document, and the distance to the next one.
func nearestTwo(distance func(i, of int) float64, i, k int) (nearest int, next float64) {
	for of := 1; of < k; of++ {
		if distance(i, of) < distance(i, nearest) {
			nearest = of
		}
	}
	next = math.Inf(1)
	for of := range k {
		if of != nearest {
			next = min(next, distance(i, of))
		}
	}
	return nearest, next
}

// TestByTerms compares with the formula taken literally, on dense matrices: the nearest cluster,
// the distances to it and to the next one, and the clusters of the documents as new ones.
func TestByTerms(t *testing.T) {
	const n, k = 700, 4
	ctx := context.Background()
	at, x, truth := placesAndTerms(t, n)
	found := clustersAt(t, at, k)
	before := slices.Clone(found.Labels)
	c := must.Get(ByTerms(ctx, found, at, x, nil))(t)
	if !slices.Equal(before, found.Labels) || found.Terms != nil {
		t.Error("the clusters of k-means were changed")
	}
	distance := literally(at, x, found)
	sure := must.Get(Certain(ctx, method.Certainty{}, c, at, x))(t)
	if own := c.Certainty; !slices.Equal(sure.Distance, own.Distance) || !slices.Equal(sure.Confidence, own.Confidence) || !slices.Equal(sure.Second, own.Second) {
		t.Error("the clusters say another certainty than their terms give")
	}
	number := map[int]int{} // of k-means, and then
	for i := range n {
		nearest, next := nearestTwo(distance, i, k)
		if to, ok := number[nearest]; ok && to != c.Labels[i] {
			t.Fatalf("document %d is in cluster %d and not in %d", i, c.Labels[i], to)
		}
		number[nearest] = c.Labels[i]
		own := distance(i, nearest)
		if math.Abs(sure.Distance[i]-own) > 1e-12 || math.Abs(sure.Confidence[i]-(1-own/next)) > 1e-12 {
			t.Fatalf("document %d: distance %v for %v, confidence %v for %v", i, sure.Distance[i], own, sure.Confidence[i], 1-own/next)
		}
	}
	if len(number) != k || !slices.IsSortedFunc(c.Sizes, func(a, b int) int { return b - a }) || !slices.Equal(c.Sizes, method.SizesOf(c.Labels, k)) {
		t.Errorf("clusters %v of sizes %v", number, c.Sizes)
	}
	if again, err := Nearest(ctx, c, at, x); err != nil || !slices.Equal(again, c.Labels) {
		t.Errorf("as new documents they are elsewhere: %v", err)
	}
	single := must.Get(sparse.NewSingle(x))(t)
	if other, err := ByTerms(ctx, found, at, single, nil); err != nil || !slices.Equal(other.Labels, c.Labels) || !slices.Equal(other.Terms.Val, c.Terms.Val) {
		t.Errorf("in single precision they are elsewhere: %v", err)
	}
	if a, b := right(before, truth), right(c.Labels, truth); b < a+n/10 {
		t.Errorf("%d documents in the right cluster by coordinates and %d with terms", a, b)
	}
}

// A term that came after the clusters lengthens a document, and moves it to none.
func TestNewTerms(t *testing.T) {
	at, x, _ := placesAndTerms(t, 300)
	c := must.Get(ByTerms(context.Background(), clustersAt(t, at, 4), at, x, nil))(t)
	wide := &sparse.CSR{NumRows: x.NumRows, NumCols: 85, RowPtr: make([]int, 1, 301)}
	for i := range x.NumRows {
		cols, vals := x.Row(i)
		wide.Col, wide.Val = append(append(wide.Col, cols...), 84), append(append(wide.Val, vals...), 1e-9)
		wide.RowPtr = append(wide.RowPtr, len(wide.Col))
	}
	if got, err := Nearest(context.Background(), c, at, wide); err != nil || !slices.Equal(got, c.Labels) {
		t.Errorf("with a new term they are elsewhere: %v", err)
	}
}

// A cluster that all its documents would leave keeps them.
func TestKeepsLastDocuments(t *testing.T) {
	at := mat.NewDense(6, 1, []float64{0, 0.1, 0.2, 1, 1.1, 0.6})
	words := mat.NewDense(6, 2, []float64{1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0})
	x := must.Get(sparse.FromMatrix(words))(t)
	found := &method.Clusters{Labels: []int{0, 0, 0, 1, 1, 2}, Sizes: []int{3, 2, 1}, Centers: mat.NewDense(3, 1, []float64{0.1, 1.05, 5})}
	c, err := ByTerms(context.Background(), found, at, x, nil)
	if err != nil || !slices.Equal(c.Labels, found.Labels) || !slices.Equal(c.Sizes, found.Sizes) {
		t.Errorf("%v %v, %v", c.Labels, c.Sizes, err)
	}
}

// Of rows that ranks share the clusters are one process's.
func TestByTermsOnRanks(t *testing.T) {
	at, x, _ := placesAndTerms(t, 500)
	found := clustersAt(t, at, 4)
	want := must.Get(ByTerms(context.Background(), found, at, x, nil))(t)
	for _, size := range []int{2, 3} {
		ranks.Together(size, func(team ranks.Team) {
			first, more := 500*team.Rank()/size, 500*(team.Rank()+1)/size
			share := ranks.NewShare(team, more-first)
			own := *found
			own.Labels = found.Labels[first:more]
			got, err := ByTerms(context.Background(), &own, at.Slice(first, more, 0, 3).(*mat.Dense), partOf(t, x, share).(*sparse.CSR), share)
			if err != nil || !slices.Equal(got.Labels, want.Labels[first:more]) || !slices.Equal(got.Sizes, want.Sizes) || got.How != want.How {
				t.Errorf("rank %d of %d: other clusters, of sizes %v: %v", team.Rank(), size, got, err)
			}
		})
	}
}
