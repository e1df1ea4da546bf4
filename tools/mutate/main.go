// Command mutate measures how many small faults the tests would find. It changes one place of a
// package at a time (a sign, a comparison, a constant, a missing absolute value), runs
// that package's short tests, and lists the changes that no test noticed. If the package's own
// tests pass, the tests of the packages named with it run too.
//
// A mutant is caught if a test fails, or if the tests use many times the processor time that they
// need without the change (it loops). One that runs past the wall-clock limit counts as neither
// caught nor survived: the machine may have been busy. Run it again with -skip and -n.
//
// Nothing in the working tree is written: a changed file lies in a temporary folder and takes part
// by `go test -c -overlay`, and property tests keep no files of their failures. explained.txt lists
// changes that no test need notice, each with its reason: they are counted but not run, and others
// of the draw take their places. The mutants depend
// on the seed and the sources alone, so the sources must stay as they are during a run. Property
// tests draw from a fixed seed.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// suites are the packages that are changed and the packages whose tests must notice.
var suites = map[string][]string{
	"sparse":                        {"sparse", "eigen"},
	"eigen":                         {"eigen"},
	"eigen/internal/space":          {"eigen/internal/space", "eigen"},
	"eigen/internal/problem":        {"eigen"},
	"eigen/internal/dense":          {"eigen"},
	"eigen/internal/krylov":         {"eigen/internal/krylov", "eigen"},
	"eigen/internal/factor":         {"eigen/internal/factor", "eigen"},
	"eigen/internal/series":         {"eigen/internal/series", "eigen"},
	"methods/graph":                 {"methods/graph"},
	"methods/graph/internal/exact":  {"methods/graph/internal/exact", "methods/graph"},
	"methods/graph/internal/approx": {"methods/graph/internal/approx", "methods/graph"},
	"methods/links":                 {"methods/links", "methods/cle"},
	"methods/kmeans":                {"methods/kmeans"},
	"methods/metrics":               {"methods/metrics"},
	"methods/labels":                {"methods/labels"},
	"methods/le":                    {"methods/le"},
	"methods/semile":                {"methods/semile"},
	"methods/cle":                   {"methods/cle"},
	"methods/nystrom":               {"methods/nystrom", "methods/le"},
	"methods/lsi":                   {"methods/lsi"},
	"methods/pca":                   {"methods/pca"},
	"methods/nmf":                   {"methods/nmf"},
	"methods/gmm":                   {"methods/gmm", "methods/lapgmm"},
	"methods/lapgmm":                {"methods/lapgmm"},
	"methods/lpp":                   {"methods/lpp"},
	"methods/lda":                   {"methods/lda"},
	"methods/lars":                  {"methods/lars"},
	"methods/plsa":                  {"methods/plsa"},
	"methods/labelprop":             {"methods/labelprop"},
	"methods/isomap":                {"methods/isomap"},
	"methods/lle":                   {"methods/lle"},
	"methods/geodesic":              {"methods/geodesic"},
	"methods/lecas":                 {"methods/lecas"},
	"methods/kernelkmeans":          {"methods/kernelkmeans"},

	"methods/choosek":          {"methods/choosek"},
	"methods/diffusion":        {"methods/diffusion"},
	"methods/leiden":           {"methods/leiden"},
	"methods/spectral":         {"methods/spectral"},
	"corpus":                   {"corpus"},
	"corpus/internal/text":     {"corpus/internal/text", "corpus"},
	"corpus/internal/counting": {"corpus/internal/counting", "corpus/internal/text", "corpus"},
	"corpus/internal/tokens":   {"corpus/internal/tokens", "corpus/internal/counting"},
	"corpus/internal/language": {"corpus/internal/language", "corpus/internal/counting", "corpus/internal/text"},
	"corpus/internal/parquet":  {"corpus/internal/parquet", "corpus"},
	"corpus/internal/plain":    {"corpus/internal/plain", "corpus/internal/text"},
	"corpus/internal/matrix":   {"corpus/internal/matrix", "corpus"},
	"corpus/internal/input":    {"corpus/internal/input", "corpus"},
	"corpus/internal/classes":  {"corpus/internal/classes", "corpus"},
	"corpus/internal/lexical":  {"corpus/internal/lexical", "corpus"},
	"internal/store":           {"internal/store"},
	"model":                    {"model"},
	"capi":                     {"capi"},
	"cmd/eigenmap":             {"cmd/eigenmap"},
}

type settings struct {
	root      string
	count     int
	seed      uint64
	packages  []string
	only      []string
	limit     time.Duration
	list      bool
	least     float64
	goCommand string
	skip      int
	tests     string
}

func main() {
	var s settings
	var packages, only string
	flag.StringVar(&s.root, "root", ".", "root of the module")
	flag.IntVar(&s.count, "n", 100, "number of places to change, with those that -skip leaves out")
	flag.Uint64Var(&s.seed, "seed", 0, "chooses the places")
	flag.StringVar(&packages, "packages", "", "packages to choose places from, separated by commas (default: all of the list)")
	flag.StringVar(&only, "only", "", "of the chosen places, run only those in these packages or files, separated by commas: a part of a longer run")
	flag.DurationVar(&s.limit, "timeout", 10*time.Minute, "wall-clock time for the tests of one package; a mutant that needs longer is neither caught nor survived")
	flag.BoolVar(&s.list, "list", false, "print the mutants and run nothing")
	flag.IntVar(&s.skip, "skip", 0, "leave out the first places, to go on with a run that was stopped")
	flag.Float64Var(&s.least, "least", 0, "fail if a smaller share than this is caught, 0 to 1")
	flag.StringVar(&s.tests, "tests", "", "run the tests whose names match this expression alone (default: all)")
	flag.StringVar(&s.goCommand, "go", "go", "the go command")
	flag.Parse()
	for name := range suites {
		s.packages = append(s.packages, name)
	}
	if packages != "" {
		s.packages = strings.Split(packages, ",")
	}
	if only != "" {
		s.only = strings.Split(only, ",")
	}
	slices.Sort(s.packages)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		stop()
		os.Exit(1)
	}
}

// choose lists the mutants of a run, numbered from 1 in the order of the draw. Those of one package
// come together, so that the build cache helps.
func (s settings) choose() (chosen, excused []site, places int, err error) {
	reasons, err := readExplained(explanations)
	if err != nil {
		return nil, nil, 0, err
	}
	var all []site
	for _, p := range s.packages {
		if suites[p] == nil {
			return nil, nil, 0, fmt.Errorf("there is no package %q in the list of tools/mutate/main.go", p)
		}
		found, err := sitesOf(s.root, p)
		if err != nil {
			return nil, nil, 0, err
		}
		all = append(all, found...)
	}
	rand.New(rand.NewPCG(s.seed, 1)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	number := 0
	for _, m := range all {
		if m.idle {
			continue
		}
		if reasons[m.change()] != "" {
			excused = append(excused, m)
			continue
		}
		if number++; number > s.count {
			break
		}
		m.number = number
		if number > s.skip && (s.only == nil || slices.Contains(s.only, m.dir) || slices.Contains(s.only, m.file)) {
			chosen = append(chosen, m)
		}
	}
	slices.SortStableFunc(chosen, func(a, b site) int { return strings.Compare(a.dir, b.dir) })
	return chosen, excused, len(all), nil
}

// run makes the mutants one after another and prints the survivors.
func run(ctx context.Context, s settings) error {
	chosen, excused, places, err := s.choose()
	if err != nil {
		return err
	}
	fmt.Printf("%d places to change in %d packages, seed %d\n", places, len(s.packages), s.seed)
	if s.list {
		for _, m := range chosen {
			fmt.Printf("%3d %s", m.number, m)
		}
		return nil
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{settings: s, dir: dir, needs: map[string]time.Duration{}}
	counts := map[verdict]int{}
	var survivors []site
	for _, m := range chosen {
		begin := time.Now()
		v, by, err := b.try(ctx, m)
		if err != nil {
			return err
		}
		counts[v]++
		fmt.Printf("%3d %-9s %5.1f s %s  %s\n", m.number, v, time.Since(begin).Seconds(), by, m.place())
		if v == survived {
			survivors = append(survivors, m)
		}
	}
	valid := len(chosen) - counts[invalid]
	fmt.Printf("%d mutants (%d more do not compile): %d caught by a test, %d by the processor time, %d survived, %d out of time; %d more are explained\n",
		valid, counts[invalid], counts[caught], counts[endless], counts[survived], counts[late], len(excused))
	for _, m := range survivors {
		fmt.Printf("%3d %s", m.number, m)
	}
	if got := counts[caught] + counts[endless]; float64(got) < s.least*float64(valid) {
		return fmt.Errorf("%d of %d caught, fewer than %.0f %%", got, valid, 100*s.least)
	}
	return nil
}

// verdict is what the tests say of a mutant.
type verdict string

const (
	caught   verdict = "caught"   // a test failed
	endless  verdict = "endless"  // the tests used far more processor time than without the change
	survived verdict = "SURVIVED" // all tests passed
	late     verdict = "late"     // out of wall-clock time: no verdict
	invalid  verdict = "invalid"  // it does not compile
)

// A test that uses this many times the processor time that it needs without a change, and that many
// seconds more, loops.
const (
	endlessTimes = 10
	endlessMore  = 30 * time.Second
)

// bench runs tests, and knows the processor time that each package's tests need.
type bench struct {
	settings
	dir   string
	needs map[string]time.Duration
}

// try runs the tests of a mutant's suite until one fails, and says which package's.
func (b *bench) try(ctx context.Context, m site) (verdict, string, error) {
	overlay, err := m.overlay(b.root, b.dir)
	if err != nil {
		return "", "", err
	}
	for _, p := range suites[m.dir] {
		if err := b.sound(ctx, p); err != nil {
			return "", "", err
		}
		program, _, err := b.build(ctx, p, "-overlay", overlay)
		if err != nil {
			return invalid, "", ctx.Err()
		}
		out, _, err := b.test(ctx, p, program, endlessTimes*b.needs[p]+endlessMore)
		switch {
		case ctx.Err() != nil:
			return "", "", ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			return late, p, nil
		case errors.Is(err, errEndless):
			return endless, p, nil
		case err != nil:
			return caught, p + " " + failed(out), nil
		}
	}
	return survived, "", nil
}

// sound runs the tests of a package without a change: if they fail, every mutant would count as
// caught.
func (b *bench) sound(ctx context.Context, p string) error {
	if _, known := b.needs[p]; known {
		return nil
	}
	program, out, err := b.build(ctx, p)
	if err != nil {
		return fmt.Errorf("the tests of %s do not build: %w\n%s", p, err, out)
	}
	out, used, err := b.test(ctx, p, program, math.MaxInt32*time.Second)
	if err != nil {
		return fmt.Errorf("the tests of %s fail without any change: %w\n%s", p, err, out)
	}
	b.needs[p] = used
	return nil
}

// build compiles the tests of a package.
func (b *bench) build(ctx context.Context, p string, args ...string) (program string, out []byte, err error) {
	program = filepath.Join(b.dir, "tests")
	args = append([]string{"test", "-c", "-ldflags=-s -w", "-o", program}, args...)
	c := exec.CommandContext(ctx, b.goCommand, append(args, "./"+p)...)
	c.Dir, c.WaitDelay = b.root, 10*time.Second
	out, err = c.CombinedOutput()
	return program, out, err
}

var errEndless = errors.New("the tests use far more processor time than without the change")

// test runs compiled tests until the first fails, in their package's folder as the go command does,
// and returns the processor time that they used. They may use at most most.
func (b *bench) test(ctx context.Context, p, program string, most time.Duration) ([]byte, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, b.limit)
	defer cancel()
	args := []string{"-c", fmt.Sprintf(`ulimit -t %d; exec "$0" "$@"`, int(most.Seconds())), program, "-test.short", "-test.failfast", "-test.timeout=0", "-test.run=" + b.tests}
	help, _ := exec.CommandContext(ctx, program, "-help").CombinedOutput()
	if bytes.Contains(help, []byte("-rapid.nofailfile")) {
		args = append(args, "-rapid.nofailfile", "-rapid.shrinktime=0s", "-rapid.seed=1")
	}
	c := exec.CommandContext(ctx, "sh", args...)
	c.Dir, c.WaitDelay = filepath.Join(b.root, filepath.FromSlash(p)), 10*time.Second
	out, err := c.CombinedOutput()
	if c.ProcessState == nil {
		return out, 0, err
	}
	used := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	switch {
	case ctx.Err() != nil:
		return out, used, ctx.Err()
	case err != nil && used >= most-time.Second:
		return out, used, errEndless
	}
	return out, used, err
}

// failed is the name of the first test that failed, or what ended the tests.
func failed(out []byte) string {
	for _, mark := range []string{"--- FAIL: ", "panic: ", "fatal error: "} {
		if _, rest, ok := bytes.Cut(out, []byte(mark)); ok {
			name, _, _ := bytes.Cut(rest, []byte{'\n'})
			if mark == "--- FAIL: " {
				name, _, _ = bytes.Cut(name, []byte{' '})
			}
			return string(name[:min(len(name), 60)])
		}
	}
	return "ended"
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
