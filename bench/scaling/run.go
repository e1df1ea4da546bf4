package scaling

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/bench"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
)

//go:embed peers.py
var peers string

// The contestants.
const (
	byNative = "native"
	byGo     = "pure Go"
	byPeer   = "scikit-learn, SciPy"
)

// Options say what to measure.
type Options struct {
	Sizes    []int         // numbers of documents, ascending
	Runs     int           // runs of sizes below 10,000, of which the median counts; 0 = 3. Larger sizes run once
	Threads  int           // of every contestant; 0 = 1
	OutDir   string        // folder of the corpora and the report
	Program  string        // this program ([ChildFlag])
	Python   string        // interpreter of the peers; empty: no peers
	Limit    time.Duration // processor time that a stage of ours is expected to take at most; 0 = 10 minutes
	PeerTime time.Duration // the same of a peer's; 0 = 2 minutes
	MemoryMB float64       // peak memory that a run is expected to have at most; 0: what is free
	Observer progress.Observer
}

// Point is a stage of one contestant at one size. Times are medians in seconds.
type Point struct {
	Docs    int     `json:"documents"`
	By      string  `json:"by"`
	Stage   string  `json:"stage"`
	Seconds float64 `json:"seconds,omitempty"`
	CPU     float64 `json:"cpu_s,omitempty"`
	Runs    int     `json:"runs,omitempty"`
	Note    string  `json:"note,omitempty"`
	LeftOut string  `json:"left_out,omitempty"` // why there are no figures
}

// Peak is the peak memory of a run's process.
type Peak struct {
	Docs int     `json:"documents"`
	By   string  `json:"by"`
	Kind string  `json:"kind"` // exact, approx, complete, or peer
	MB   float64 `json:"mb"`
}

// Report is what was measured.
type Report struct {
	Machine bench.Machine `json:"machine"`
	Threads int           `json:"threads"`
	Peers   string        `json:"peers"` // versions, or why there are none
	Load    [2]float64    `json:"load"`  // the machine's load, smallest and largest; 0 where the system does not say
	Points  []Point       `json:"points"`
	Peaks   []Peak        `json:"peaks"`
	Took    float64       `json:"seconds"`
}

// contestant is one process per run: its stages, and the kind of its graph.
type contestant struct {
	by, engine, kind string
	stages           []string
}

// contestants are the runs at each size. The first keeps graph and coordinates for the peers.
var contestants = []contestant{
	{byNative, "openblas", kindExact, []string{stageRead, stageExact, stageEigen, stageKMeans}},
	{byNative, "openblas", kindComplete, []string{stageComplete}},
	{byPeer, "", kindPeer, []string{stageRead, stageExact, stageEigen, stageKMeans}},
	{byGo, "go", kindExact, []string{stageRead, stageExact, stageEigen, stageKMeans}},
	{byNative, "openblas", kindApprox, []string{stageApprox}},
}

// large are the stages of a run whose exact graph would take too long.
var large = []string{stageRead, stageApprox, stageEigen, stageKMeans}

// growth is an exponent to predict the time at the next size from the one before.
var growth = map[string]float64{stageExact: 2}

// Run measures all sizes, the smallest first, and calls each after every contestant with what there
// is.
func Run(ctx context.Context, opt Options, each func(*Report) error) error {
	if opt.Runs <= 0 {
		opt.Runs = 3
	}
	if opt.Threads <= 0 {
		opt.Threads = 1
	}
	if opt.Limit <= 0 {
		opt.Limit = 10 * time.Minute
	}
	if opt.PeerTime <= 0 {
		opt.PeerTime = 2 * time.Minute
	}
	began := time.Now()
	r := &runner{Options: opt, report: &Report{Machine: bench.DescribeMachine(ctx), Threads: opt.Threads, Peers: peerVersions(ctx, opt.Python), Load: [2]float64{math.Inf(1), 0}}}
	for _, n := range opt.Sizes {
		err := r.size(ctx, n, func() error {
			r.report.Took = time.Since(began).Seconds()
			return each(r.report)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

type runner struct {
	Options
	report *Report
}

// size measures one number of documents.
func (r *runner) size(ctx context.Context, n int, each func() error) error {
	file := filepath.Join(r.OutDir, "abstracts.jsonl")
	kept := filepath.Join(r.OutDir, "kept")
	if err := os.MkdirAll(kept, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(kept)
	defer os.Remove(file)
	if err := writeCorpus(file, n); err != nil {
		return err
	}
	runs := 1
	if n < 10_000 {
		runs = r.Runs
	}
	for _, c := range contestants {
		if c.by != byPeer && !slices.ContainsFunc(native.Engines(), func(e native.Engine) bool { return e.Name() == c.engine }) {
			r.leaveOut(n, c, c.stages, "this program has no engine "+c.engine)
		} else if err := r.contest(ctx, n, runs, c, file, kept); err != nil {
			return err
		}
		if err := each(); err != nil {
			return err
		}
	}
	return nil
}

func writeCorpus(file string, n int) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	x, topics := bench.Abstracts(n, seed).Counts()
	return errors.Join(bench.WriteTexts(f, x, topics), f.Close())
}

// contest runs a contestant and adds its points.
func (r *runner) contest(ctx context.Context, n, runs int, c contestant, file, kept string) error {
	if c.kind == kindExact {
		if why := r.slow(n, c, stageExact); why != "" {
			r.leaveOut(n, c, []string{stageExact}, why)
			c.kind, c.stages = kindLarge, large
		}
	}
	if p := r.last(c.by, stageApprox); c.kind == kindApprox && p != nil && p.Docs == n && p.LeftOut == "" {
		return nil // it was measured with all stages
	}
	stages := r.affordable(n, c)
	if len(stages) == 0 {
		return nil
	}
	found := map[string][]measured{}
	var failed error
	for range runs {
		r.Observer.Notef("scaling", "%d documents, %s, %s", n, c.by, c.kind)
		r.load()
		lines, peak, err := r.process(ctx, c, file, kept, stages)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, m := range lines {
			found[m.Stage] = append(found[m.Stage], m)
		}
		if c.by != byPeer || slices.Contains(stages, stageExact) { // the graph is what takes the peers' memory
			r.peak(n, c, peak)
		}
		if err != nil {
			failed = err
			break
		}
	}
	for _, s := range stages {
		ms := found[s]
		if len(ms) == 0 {
			r.leaveOut(n, c, []string{s}, fmt.Sprint(failed))
			continue
		}
		slices.SortFunc(ms, func(a, b measured) int { return int(math.Copysign(1, a.CPU-b.CPU)) })
		middle := ms[len(ms)/2]
		r.report.Points = append(r.report.Points, Point{Docs: n, By: c.by, Stage: s, Seconds: middle.Seconds, CPU: middle.CPU, Runs: len(ms), Note: middle.Note})
	}
	return nil
}

// affordable returns the stages that are expected to stay within the limits of time, none if the
// memory would not suffice, and notes the others with the reason.
func (r *runner) affordable(n int, c contestant) (stages []string) {
	if c.by == byPeer && r.Python == "" {
		r.leaveOut(n, c, c.stages, "there is no Python interpreter")
		return nil
	}
	free := r.MemoryMB
	if free == 0 {
		free = freeMB()
	}
	heavy := c.stages // the stages that are left out where memory would not suffice
	if c.by == byPeer {
		heavy = []string{stageExact}
	}
	if last := r.lastPeak(c); last != nil && free > 0 {
		if expected := last.MB * float64(n) / float64(last.Docs); expected > free {
			c.stages = slices.DeleteFunc(slices.Clone(c.stages), func(s string) bool { return slices.Contains(heavy, s) })
			r.leaveOut(n, c, heavy, fmt.Sprintf("would take some %.1f GB by the size before; %.1f GB are there", expected/1024, free/1024))
		}
	}
	for _, s := range c.stages {
		if why := r.slow(n, c, s); why != "" {
			r.leaveOut(n, c, []string{s}, why)
		} else {
			stages = append(stages, s)
		}
	}
	// Our stages run one after the other on what the one before found.
	if c.by != byPeer && len(stages) < len(c.stages) {
		r.leaveOut(n, c, stages, "the stage before was left out")
		return nil
	}
	return stages
}

// slow is the reason why a stage is left out for its time, "" if it is not.
func (r *runner) slow(n int, c contestant, stage string) string {
	limit := r.Limit
	if c.by == byPeer {
		limit = r.PeerTime
	}
	p := r.last(c.by, stage)
	if p == nil || stage == stageApprox && p.LeftOut != "" {
		return "" // the search alone does not depend on the stages after it
	}
	if p.LeftOut != "" {
		return p.LeftOut
	}
	expected := p.CPU * math.Pow(float64(n)/float64(p.Docs), max(1, growth[stage]))
	if expected <= limit.Seconds() {
		return ""
	}
	return fmt.Sprintf("would take some %.0f s of processor time; the limit is %.0f s", expected, limit.Seconds())
}

// process runs a contestant once and returns the stages that it finished and its peak memory in MB.
func (r *runner) process(ctx context.Context, c contestant, file, kept string, stages []string) ([]measured, float64, error) {
	threads := fmt.Sprint(r.Threads)
	cmd := exec.CommandContext(ctx, r.Program, ChildFlag, file, c.engine, c.kind, threads, "")
	switch {
	case c.by == byPeer:
		var names []string
		for _, s := range stages {
			name, _, _ := strings.Cut(s, ",")
			names = append(names, name)
		}
		cmd = exec.CommandContext(ctx, r.Python, "-W", "ignore", "-c", peers, file, filepath.Join(kept, "affinity.npz"), filepath.Join(kept, "embedding.npy"), strings.Join(names, ","), threads)
	case c.by == byNative && (c.kind == kindExact || c.kind == kindLarge):
		cmd.Args[len(cmd.Args)-1] = kept
	}
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS="+threads, "OPENBLAS_NUM_THREADS="+threads)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	memory.ResetPeak()
	err := cmd.Run()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(said.String()), "\n") // the last one is Python's error
		err = errors.New(strings.TrimSpace(lines[len(lines)-1] + " (" + err.Error() + ")"))
	}
	var found []measured
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		var m measured
		if e := json.Unmarshal(lines.Bytes(), &m); e != nil {
			return found, 0, errors.Join(err, e)
		}
		if slices.Contains(stages, m.Stage) {
			found = append(found, m)
		}
	}
	if cmd.ProcessState == nil {
		return found, 0, err
	}
	_, peak := bench.Ended(cmd.ProcessState)
	return found, peak, err
}

func (r *runner) leaveOut(n int, c contestant, stages []string, why string) {
	for _, s := range stages {
		r.report.Points = append(r.report.Points, Point{Docs: n, By: c.by, Stage: s, LeftOut: why})
	}
}

// last is the latest point of a stage, nil at the first size.
func (r *runner) last(by, stage string) *Point {
	for i := len(r.report.Points) - 1; i >= 0; i-- {
		if p := &r.report.Points[i]; p.By == by && p.Stage == stage {
			return p
		}
	}
	return nil
}

func (r *runner) lastPeak(c contestant) *Peak {
	for i := len(r.report.Peaks) - 1; i >= 0; i-- {
		if p := &r.report.Peaks[i]; p.By == c.by && p.Kind == c.kind {
			return p
		}
	}
	return nil
}

// peak keeps the largest peak of a contestant's runs at a size.
func (r *runner) peak(n int, c contestant, mb float64) {
	if p := r.lastPeak(c); p != nil && p.Docs == n {
		p.MB = max(p.MB, mb)
		return
	}
	r.report.Peaks = append(r.report.Peaks, Peak{n, c.by, c.kind, mb})
}

// load keeps the range of the machine's load.
func (r *runner) load() {
	now := bench.Load()
	r.report.Load[0], r.report.Load[1] = min(r.report.Load[0], now), max(r.report.Load[1], now)
}

// freeMB is the memory that programs can still take, 0 where the system does not say.
func freeMB() float64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var kB float64
		if _, err := fmt.Sscanf(lines.Text(), "MemAvailable: %f", &kB); err == nil {
			return kB / 1024
		}
	}
	return 0
}

// peerVersions are the versions of the peers' packages, or why there are none.
func peerVersions(ctx context.Context, python string) string {
	if python == "" {
		return "none"
	}
	out, err := exec.CommandContext(ctx, python, "-c", "import sys, scipy, sklearn; print(f'scikit-learn {sklearn.__version__}, SciPy {scipy.__version__}, Python {sys.version.split()[0]}')").Output()
	if err != nil {
		return "none: " + python + " has no scikit-learn (make bench-peers installs it)"
	}
	return strings.TrimSpace(string(out))
}
