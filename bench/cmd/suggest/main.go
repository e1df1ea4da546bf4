// Command suggest measures what the suggestions of eigenmap suggest are worth: the accuracy of a
// clustering with labels of documents that were suggested, of the documents of the least
// confidence, and of random ones, as many of each. It labels a corpus in rounds, each of which
// takes its documents by the result of the one before; the first takes them by a clustering
// without labels. Accuracy is the share of the documents without a label that get their class.
//
//	go run ./bench/cmd/suggest [--methods a,b] [--rules random,suggest] [--class-shares auto] [FILE]
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "suggest:", err)
		os.Exit(1)
	}
}

// study says what is measured.
type study struct {
	file            string
	shares          string // class-shares of semi-ldc
	rounds, batch   int
	clusters, seeds int
}

// rule chooses documents whose label is not known by a result.
type rule struct {
	name   string
	choose func(ctx context.Context, s *study, r *eigenmap.Run, known []int, rng *rand.Rand) ([]int, error)
}

var rules = []rule{{"random", random}, {"least-certain", leastCertain}, {"suggest", suggested}}

func run(ctx context.Context) error {
	s := &study{}
	methods := flag.String("methods", "label-propagation,semi-ldc", "methods with known labels")
	names := flag.String("rules", "random,least-certain,suggest", "how documents are chosen")
	flag.IntVar(&s.seeds, "seeds", 5, "seeds, from 0 on")
	flag.IntVar(&s.rounds, "rounds", 5, "rounds of labels")
	flag.IntVar(&s.batch, "batch", 20, "documents labelled in a round")
	flag.StringVar(&s.shares, "class-shares", "labels", "shares of the classes that semi-ldc takes; suggested labels say little of them")
	flag.IntVar(&s.clusters, "k", 12, "clusters of the first clustering")
	flag.Parse()
	s.file = cmp.Or(flag.Arg(0), "examples/debian/packages.jsonl.gz")
	fmt.Printf("%-18s %-14s", "method", "rule")
	for round := range s.rounds {
		fmt.Printf("  %4d labels  ", (round+1)*s.batch)
	}
	fmt.Println()
	for method := range strings.SplitSeq(*methods, ",") {
		for _, by := range rules {
			if !slices.Contains(strings.Split(*names, ","), by.name) {
				continue
			}
			if err := s.row(ctx, method, by); err != nil {
				return err
			}
		}
	}
	return nil
}

// row prints mean and standard deviation over the seeds.
func (s *study) row(ctx context.Context, method string, by rule) error {
	found := make([][]float64, s.rounds)
	for seed := range s.seeds {
		list, err := s.label(ctx, method, by, uint64(seed))
		if err != nil {
			return err
		}
		for round, v := range list {
			found[round] = append(found[round], v)
		}
	}
	fmt.Printf("%-18s %-14s", method, by.name)
	for _, list := range found {
		mean, square := 0.0, 0.0
		for _, v := range list {
			mean += v / float64(len(list))
		}
		for _, v := range list {
			square += (v - mean) * (v - mean)
		}
		fmt.Printf("  %.3f ± %.3f", mean, math.Sqrt(square/float64(max(1, len(list)-1))))
	}
	fmt.Println()
	return nil
}

// label returns the accuracy after each round.
func (s *study) label(ctx context.Context, method string, by rule, seed uint64) ([]float64, error) {
	r, err := s.cluster(ctx, eigenmap.Options{Clusters: s.clusters, Seed: seed})
	if err != nil {
		return nil, err
	}
	truth, rng := r.Corpus.Labels, rand.New(rand.NewPCG(seed, 1))
	known := slices.Repeat([]int{-1}, len(truth))
	var out []float64
	for range s.rounds {
		list, err := by.choose(ctx, s, r, known, rng)
		if err != nil {
			return nil, err
		}
		for _, i := range list {
			known[i] = truth[i]
		}
		given := &corpus.Given{Labels: slices.Clone(known), ClassNames: r.Corpus.ClassNames}
		if r, err = s.cluster(ctx, eigenmap.Options{Method: method, Known: given, Seed: seed}); err != nil {
			return nil, err
		}
		right, rest := 0, 0
		for i, k := range known {
			if k >= 0 {
				continue
			}
			if rest++; r.Classes[r.Labels[i]] == r.Corpus.ClassNames[truth[i]] {
				right++
			}
		}
		out = append(out, float64(right)/float64(rest))
	}
	return out, nil
}

func (s *study) cluster(ctx context.Context, opt eigenmap.Options) (*eigenmap.Run, error) {
	drawn := true
	opt.Map = &drawn
	if err := opt.Set("confidence", "raw"); err != nil {
		return nil, err
	}
	if opt.Method == "semi-ldc" {
		if err := opt.Set("class-shares", s.shares); err != nil {
			return nil, err
		}
	}
	return eigenmap.Cluster(ctx, s.file, opt)
}

func random(_ context.Context, s *study, _ *eigenmap.Run, known []int, rng *rand.Rand) ([]int, error) {
	list := slices.DeleteFunc(rng.Perm(len(known)), func(i int) bool { return known[i] >= 0 })
	return list[:s.batch], nil
}

func leastCertain(_ context.Context, s *study, r *eigenmap.Run, known []int, _ *rand.Rand) ([]int, error) {
	var list []int
	for i, k := range known {
		if k < 0 && r.Placed(i) == eigenmap.PlacedYes {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(r.Confidence[a], r.Confidence[b]) })
	return list[:s.batch], nil
}

func suggested(ctx context.Context, s *study, r *eigenmap.Run, _ []int, _ *rand.Rand) ([]int, error) {
	found, err := r.Suggest(ctx, eigenmap.SuggestOptions{Number: s.batch})
	if err != nil {
		return nil, err
	}
	row := make(map[string]int, r.Corpus.Len())
	for i := range r.Corpus.Len() {
		row[r.Corpus.ID(i)] = i
	}
	var list []int
	for _, v := range found.Next {
		list = append(list, row[v.ID])
	}
	return list, nil
}
