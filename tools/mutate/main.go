// Command mutate measures how many small faults the tests would find. It changes one place of a
// mathematical package at a time (a sign, a comparison, a constant, a missing absolute value), runs
// that package's short tests and those of the packages named with it, and lists the changes that no
// test noticed.
//
// Nothing in the working tree is written: a changed file lies in a temporary folder and takes part
// by `go test -overlay`. The mutants depend on the seed and the sources alone.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// suites are the packages that are changed and the packages whose tests must notice.
var suites = map[string][]string{
	"sparse":               {"sparse", "eigen"},
	"eigen":                {"eigen"},
	"methods/graph":        {"methods/graph"},
	"methods/links":        {"methods/links", "methods/cle"},
	"methods/kmeans":       {"methods/kmeans"},
	"methods/metrics":      {"methods/metrics"},
	"methods/labels":       {"methods/labels"},
	"methods/le":           {"methods/le"},
	"methods/semile":       {"methods/semile"},
	"methods/cle":          {"methods/cle"},
	"methods/nystrom":      {"methods/nystrom", "methods/le"},
	"methods/lsi":          {"methods/lsi"},
	"methods/pca":          {"methods/pca"},
	"methods/nmf":          {"methods/nmf"},
	"methods/gmm":          {"methods/gmm", "methods/lapgmm"},
	"methods/lapgmm":       {"methods/lapgmm"},
	"methods/lpp":          {"methods/lpp"},
	"methods/lda":          {"methods/lda"},
	"methods/lars":         {"methods/lars"},
	"methods/plsa":         {"methods/plsa"},
	"methods/labelprop":    {"methods/labelprop"},
	"methods/isomap":       {"methods/isomap"},
	"methods/lle":          {"methods/lle"},
	"methods/geodesic":     {"methods/geodesic"},
	"methods/lecas":        {"methods/lecas"},
	"methods/kernelkmeans": {"methods/kernelkmeans"},
}

type settings struct {
	root      string
	count     int
	seed      uint64
	packages  []string
	limit     time.Duration
	list      bool
	least     float64
	goCommand string
	skip      int
}

func main() {
	var s settings
	var packages string
	flag.StringVar(&s.root, "root", ".", "root of the module")
	flag.IntVar(&s.count, "n", 100, "number of mutants")
	flag.Uint64Var(&s.seed, "seed", 1, "chooses the mutants")
	flag.StringVar(&packages, "packages", "", "packages to change, separated by commas (default: all mathematical ones)")
	flag.DurationVar(&s.limit, "timeout", 3*time.Minute, "time for the tests of one mutant; a longer one counts as caught, since a change may loop for ever")
	flag.BoolVar(&s.list, "list", false, "print the mutants and run nothing")
	flag.IntVar(&s.skip, "skip", 0, "leave out the first mutants, to go on with a run that was stopped")
	flag.Float64Var(&s.least, "least", 0, "fail if a smaller share than this is caught, 0 to 1")
	flag.StringVar(&s.goCommand, "go", "go", "the go command")
	flag.Parse()
	for name := range suites {
		s.packages = append(s.packages, name)
	}
	if packages != "" {
		s.packages = strings.Split(packages, ",")
	}
	slices.Sort(s.packages)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// run makes the mutants one after another and prints the survivors.
func run(ctx context.Context, s settings) error {
	var all []site
	for _, p := range s.packages {
		if suites[p] == nil {
			return fmt.Errorf("there is no package %q in the list of tools/mutate/main.go", p)
		}
		found, err := sitesOf(s.root, p)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	rand.New(rand.NewPCG(s.seed, 1)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Printf("%d places to change in %d packages, seed %d\n", len(all), len(s.packages), s.seed)
	var survivors []site
	sound := map[string]bool{}
	tried, caught, late := 0, 0, 0
	for _, m := range all {
		if tried == s.count {
			break
		}
		if s.list {
			tried++
			fmt.Print(m)
			continue
		}
		if !sound[m.dir] { // a mutant of a package whose tests fail anyway would count as caught
			if out, err := s.test(ctx, m.dir, ""); err != nil {
				return fmt.Errorf("the tests of %s fail without any change: %w\n%s", m.dir, err, out)
			}
			sound[m.dir] = true
		}
		overlay, err := m.overlay(s.root, dir)
		if err != nil {
			return err
		}
		if _, err := s.command(ctx, "build", "-overlay", overlay, "./"+m.dir).CombinedOutput(); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			continue // the compiler caught it: no mutant
		}
		tried++
		if tried <= s.skip {
			continue
		}
		_, err = s.test(ctx, m.dir, overlay)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			late++
			fmt.Printf("%3d timeout  %s\n", tried, m.place())
			continue
		case err != nil:
			caught++
			fmt.Printf("%3d caught   %s\n", tried, m.place())
			continue
		}
		survivors = append(survivors, m)
		fmt.Printf("%3d SURVIVED %s", tried, m)
	}
	if s.list {
		return nil
	}
	tried -= min(s.skip, tried)
	fmt.Printf("%d mutants, %d caught by a test, %d by the time, %d survived\n", tried, caught, late, len(survivors))
	for _, m := range survivors {
		fmt.Print(m)
	}
	if float64(caught+late) < s.least*float64(tried) {
		return fmt.Errorf("%d of %d caught, fewer than %.0f %%", caught+late, tried, 100*s.least)
	}
	return nil
}

// test runs the tests of a package's suite; an error says that a test failed or the time was up.
func (s settings) test(ctx context.Context, dir, overlay string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	args := []string{"test", "-short", "-count=1", "-failfast"}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	for _, p := range suites[dir] {
		args = append(args, "./"+p)
	}
	out, err := s.command(ctx, args...).CombinedOutput()
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if bytes.Contains(out, []byte("[build failed]")) {
		return out, errors.New("the tests do not build")
	}
	return out, err
}

func (s settings) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, s.goCommand, args...)
	c.Dir = s.root
	c.WaitDelay = 10 * time.Second
	return c
}

// overlay writes the changed file and the file that names it into dir.
func (m site) overlay(root, dir string) (string, error) {
	changed := filepath.Join(dir, "changed.go")
	if err := os.WriteFile(changed, m.source(), 0o600); err != nil {
		return "", err
	}
	original, err := filepath.Abs(filepath.Join(root, m.file))
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{original: changed}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, text, 0o600)
}
