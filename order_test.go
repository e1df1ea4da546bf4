package eigenmap_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// The same documents in another order get clusters that agree with the first ones as well as the
// clusters of other seeds do.
func TestOrderOfTheDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("clusters texts many times")
	}
	texts := must.Get(corpus.Read(context.Background(), "examples/debian/packages.jsonl.gz", corpus.ReadOptions{}))(t)
	var some []int
	for i := 0; i < texts.Len(); i += 5 {
		some = append(some, i)
	}
	all := texts.SelectRows(some)
	for name, opt := range map[string]eigenmap.Options{
		"by default": {},
		"kmeans":     {Method: "kmeans"},
		"le":         {Method: "le"},
	} {
		t.Run(name, func(t *testing.T) {
			// in runs documents in an order, and returns the clusters in theirs.
			in := func(order []int, seed uint64) []int {
				x := *all.SelectRows(order)
				x.Labels = nil
				opt.Clusters, opt.Seed = 12, seed
				run := must.Get(eigenmap.ClusterCorpus(context.Background(), &x, opt))(t)
				found := make([]int, len(order))
				for at, i := range order {
					found[i] = run.Labels[at]
				}
				return found
			}
			agreement := func(a, b []int) float64 {
				s := must.Get(metrics.Score(a, b))(t)
				return s.NMI
			}
			const others = 4
			as := make([]int, all.Len())
			for i := range as {
				as[i] = i
			}
			first, seeds, orders := in(as, 0), 0.0, 0.0
			for n := range uint64(others) {
				seeds += agreement(first, in(as, n+1)) / others
				orders += agreement(first, in(rand.New(rand.NewPCG(n, 1)).Perm(len(as)), 0)) / others
			}
			t.Logf("NMI %.3f with other seeds, %.3f with other orders", seeds, orders)
			if orders < seeds-0.05 {
				t.Errorf("clusters of other orders agree by an NMI of %.3f, of other seeds by %.3f", orders, seeds)
			}
		})
	}
}

// level says whether a method got as many of the documents held out right as the one chosen, or one
// more or fewer: by so many the searches of tsvm and k-means in the comparison may differ.
func level(c *eigenmap.Choice, method string) bool {
	for _, row := range c.Table {
		if row.Method == method {
			return math.Abs(row.Accuracy-c.Table[0].Accuracy)*float64(row.Documents) < 1.5
		}
	}
	return false
}

// With known labels another order of the documents changes neither the method that they choose,
// but for one that is level with it, nor the clusters beyond what other seeds do, if documents have
// ids.
func TestOrderWithLabels(t *testing.T) {
	named := func(c *corpus.Corpus) *corpus.Corpus {
		for i := range c.Len() {
			c.IDs = append(c.IDs, fmt.Sprintf("d%03d", i))
		}
		return c
	}
	sets := map[string]*corpus.Corpus{"rings": named(rings(240)), "hidden": named(hidden(240))}
	if !testing.Short() {
		texts := must.Get(corpus.Read(context.Background(), "examples/debian/packages.jsonl.gz", corpus.ReadOptions{}))(t)
		sets["Debian's"] = texts
	}
	for name, all := range sets {
		known := must.Get(labels.Draw(all.Labels, 0.1, 3))(t)
		// in runs documents in an order, and returns the clusters in theirs.
		in := func(order []int, seed uint64) (*eigenmap.Choice, []int) {
			x := *all.SelectRows(order)
			opt := eigenmap.Options{Seed: seed, Known: &corpus.Given{Labels: make([]int, len(order)), ClassNames: all.ClassNames}}
			for at, i := range order {
				opt.Known.Labels[at] = known[i]
			}
			run := must.Get(eigenmap.ClusterCorpus(context.Background(), &x, opt))(t)
			found := make([]int, len(order))
			for at, i := range order {
				found[i] = run.Labels[at]
			}
			return run.Choice, found
		}
		as := make([]int, all.Len())
		for i := range as {
			as[i] = i
		}
		choice, first := in(as, 0)
		const others = 2
		seeds, orders := 0.0, 0.0
		for n := range uint64(others) {
			_, seeded := in(as, n+1)
			turned, found := in(rand.New(rand.NewPCG(n, 1)).Perm(len(as)), 0)
			if turned.Documents != choice.Documents || !level(choice, turned.Method) || !level(turned, choice.Method) {
				t.Errorf("%s: another order chooses %s, not %s: %s", name, turned.Method, choice.Method, turned.Why)
			}
			for _, c := range []struct {
				mean *float64
				of   []int
			}{{&seeds, seeded}, {&orders, found}} {
				s := must.Get(metrics.Score(first, c.of))(t)
				*c.mean += s.NMI / others
			}
		}
		t.Logf("%s: %s, NMI %.3f with other seeds, %.3f with other orders", name, choice.Method, seeds, orders)
		if orders < seeds-0.05 {
			t.Errorf("%s: clusters of other orders agree by an NMI of %.3f, of other seeds by %.3f", name, orders, seeds)
		}
	}
}
