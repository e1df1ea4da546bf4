// Command classshares measures what the shares of the classes are worth to methods with known
// labels: the accuracy on the documents without a label under each rule of --class-shares. The rule
// "true" gives the shares that the documents without a label really have.
//
// Labels are a share of each class (2%) or so many documents of each class (20), drawn by the seed.
// --sizes 900,100 takes so many documents of the most frequent classes, in place of a draw of all.
//
//	go run ./bench/cmd/classshares [--labels 1%,5%,10] [--methods a,b] [--rules labels,auto] FILE ...
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/shares"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "classshares:", err)
		os.Exit(1)
	}
}

// study says what is measured.
type study struct {
	labels, methods, rules, sizes []string
	documents, classes, seeds     int
}

// truth is the rule that gives the shares of the documents without a label, and choice the method
// that the known labels choose.
const (
	truth  = "true"
	choice = "choice"
)

func run(ctx context.Context) error {
	s := &study{}
	list := func(name, value, help string) func() []string {
		text := flag.String(name, value, help)
		return func() []string {
			return strings.FieldsFunc(*text, func(r rune) bool { return r == ',' })
		}
	}
	given := list("labels", "1%,2%,5%,5", "known labels: a share of each class, or a number of documents of each class")
	methods := list("methods", "semi-ldc,tsvm,label-propagation", "methods, or choice, which the labels choose; label-propagation has --class-mass")
	rules := list("rules", "labels,auto,estimated,"+truth, "rules of --class-shares")
	sizes := list("sizes", "", "documents of the most frequent classes, in place of a draw")
	flag.IntVar(&s.documents, "documents", 2000, "documents drawn from each file")
	flag.IntVar(&s.classes, "classes", 0, "most frequent classes that are drawn from (0: all)")
	flag.IntVar(&s.seeds, "seeds", 2, "seeds, from 0 on")
	flag.Parse()
	s.labels, s.methods, s.rules, s.sizes = given(), methods(), rules(), sizes()
	if flag.NArg() == 0 {
		return fmt.Errorf("name a file with classes, such as examples/debian/packages.jsonl.gz")
	}
	fmt.Printf("%-28s %-6s %-18s", "file", "labels", "method")
	for _, rule := range s.rules {
		fmt.Printf(" %9s", rule)
	}
	fmt.Println()
	for _, file := range flag.Args() {
		all, err := corpus.Read(ctx, file, corpus.ReadOptions{})
		if err != nil {
			return err
		}
		if all.Labels == nil {
			return fmt.Errorf("%s has no classes", file)
		}
		for _, given := range s.labels {
			for _, method := range s.methods {
				if err := s.row(ctx, all, file, given, method); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// row prints the mean accuracies over the seeds.
func (s *study) row(ctx context.Context, all *corpus.Corpus, file, given, method string) error {
	sum := make([]float64, len(s.rules))
	for seed := range uint64(s.seeds) {
		part, err := s.draw(all, seed)
		if err != nil {
			return err
		}
		known, err := label(part.Labels, len(part.ClassNames), given, seed)
		if err != nil {
			return err
		}
		for at, rule := range s.rules {
			accuracy, err := score(ctx, part, known, method, rule, seed)
			if err != nil {
				return err
			}
			sum[at] += accuracy
		}
	}
	fmt.Printf("%-28s %-6s %-18s", filepath.Base(file), given, method)
	for _, v := range sum {
		fmt.Printf(" %9.3f", v/float64(s.seeds))
	}
	fmt.Println()
	return nil
}

// draw takes documents of a file, and numbers their classes by the sizes in the file.
func (s *study) draw(all *corpus.Corpus, seed uint64) (*corpus.Corpus, error) {
	sizes, _ := all.ClassSizes()
	order := indices.Falling(sizes)
	left := make([]int, len(sizes)) // documents of each class that may be taken
	most := s.documents
	if len(s.sizes) > 0 {
		most = all.Len()
		for at, text := range s.sizes {
			n, err := strconv.Atoi(text)
			if err != nil || at >= len(order) {
				return nil, fmt.Errorf("--sizes %s: give a number of documents for each of at most %d classes", text, len(order))
			}
			left[order[at]] = n
		}
	} else {
		for at, k := range order {
			if s.classes == 0 || at < s.classes {
				left[k] = sizes[k]
			}
		}
	}
	var rows []int
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(all.Len()) {
		if k := all.Labels[i]; k >= 0 && left[k] > 0 && len(rows) < most {
			rows = append(rows, i)
			left[k]--
		}
	}
	slices.Sort(rows)
	part := all.SelectRows(rows)
	out := &corpus.Corpus{Name: "draw", X: part.X}
	number := map[int]int{}
	for _, k := range order {
		if slices.Contains(part.Labels, k) {
			number[k] = len(number)
			out.ClassNames = append(out.ClassNames, fmt.Sprintf("class %d", len(number)))
		}
	}
	for _, k := range part.Labels {
		out.Labels = append(out.Labels, number[k])
	}
	return out, nil
}

// label draws known labels: a share of each class, or a number of documents of each, of which at
// least half keep no label.
func label(of []int, classes int, given string, seed uint64) ([]int, error) {
	if text, isShare := strings.CutSuffix(given, "%"); isShare {
		share, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("--labels %s: %w", given, err)
		}
		return labels.Draw(of, share/100, seed)
	}
	number, err := strconv.Atoi(given)
	if err != nil || number < 1 {
		return nil, fmt.Errorf("--labels %s is neither a share such as 2%% nor a number of documents of each class", given)
	}
	known, left := slices.Repeat([]int{labels.Unknown}, len(of)), make([]int, classes)
	for _, k := range of {
		left[k]++
	}
	for k, n := range left {
		left[k] = max(1, min(number, n/2))
	}
	for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(len(of)) {
		if k := of[i]; left[k] > 0 {
			known[i] = k
			left[k]--
		}
	}
	return known, nil
}

// score is the share of the documents without a label that get their class.
func score(ctx context.Context, c *corpus.Corpus, known []int, method, rule string, seed uint64) (float64, error) {
	open := slices.Clone(c.Labels)
	for i, k := range known {
		if k >= 0 {
			open[i] = labels.Unknown
		}
	}
	if rule == truth {
		var list []string
		for k, v := range shares.OfLabels(open, len(c.ClassNames)) {
			list = append(list, fmt.Sprintf("%s=%g", c.ClassNames[k], max(v, 1e-6)))
		}
		rule = strings.Join(list, ",")
	}
	opt := eigenmap.Options{Method: method, Seed: seed, Known: &corpus.Given{Labels: known, ClassNames: c.ClassNames}}
	set := [][2]string{{"confidence", "raw"}}
	if method == choice {
		opt.Method = ""
	}
	if rule != string(shares.Auto) { // which the choice leaves to each method
		set = append(set, [2]string{"class-shares", rule})
	}
	if method == "label-propagation" {
		set = append(set, [2]string{"class-mass", "true"})
	}
	for _, s := range set {
		if err := opt.Set(s[0], s[1]); err != nil {
			return 0, err
		}
	}
	r, err := eigenmap.ClusterCorpus(ctx, c, opt)
	if err != nil {
		return 0, err
	}
	right, n := 0, 0
	for i, k := range open {
		if k < 0 {
			continue
		}
		if n++; r.Classes[r.Labels[i]] == c.ClassNames[k] {
			right++
		}
	}
	return float64(right) / float64(n), nil
}
