package bench

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"
)

// Side is the program or library that a contestant runs. Ratios are taken against [Go] and [Peer].
type Side string

// The sides.
const (
	Native Side = "native" // this engine over OpenBLAS, LAPACK, ARPACK
	Go     Side = "go"     // this engine in pure Go
	Gonum  Side = "gonum"  // gonum called directly, as a program without this engine would
	Peer   Side = "peer"   // another program
)

// bases are the sides that others are compared with.
var bases = []Side{Go, Gonum, Peer}

// Outcome is the result of one run of a contestant besides its wall time.
type Outcome struct {
	// Seconds replaces the measured wall time if it is positive: a peer measures itself, without
	// the transfer of its task and answer.
	Seconds float64
	// CPU replaces the measured processor time of this process, in seconds, if it is positive.
	CPU float64
	// PeakMB is the peak memory of a whole process; 0 if none was measured.
	PeakMB float64
	// Note is shown beside the figure: iterations, residual, rate.
	Note string
}

// Contestant is one way to do a group's task.
type Contestant struct {
	Name string
	Side Side
	Run  func(ctx context.Context) (Outcome, error)
}

// Plan says how often contestants run.
type Plan struct {
	// Runs is the number of measured runs of each contestant; 0 = 5.
	Runs int
	// Budget is the time after which a contestant that has MinRuns runs takes no further part; 0 =
	// 20 s.
	Budget time.Duration
	// MinRuns is the number of runs that even the slowest contestant makes; 0 = 3. It is never
	// above Runs.
	MinRuns int
}

func (p Plan) withDefaults() Plan {
	if p.Runs <= 0 {
		p.Runs = 5
	}
	if p.Budget <= 0 {
		p.Budget = 20 * time.Second
	}
	if p.MinRuns <= 0 {
		p.MinRuns = 3
	}
	p.MinRuns = min(p.MinRuns, p.Runs)
	return p
}

// warmUpBelow is a time in seconds. A first run that is shorter is repeated and does not count,
// because caches, page faults and the start of threads affect it.
const warmUpBelow = 2.0

// Alternate lets the contestants take turns and returns their rows in the order given. A contestant
// that fails once gets a row with the error and takes no further part. Only the context ends
// everything.
func Alternate(ctx context.Context, plan Plan, contestants []Contestant) ([]Row, error) {
	plan = plan.withDefaults()
	rows := make([]Row, len(contestants))
	samples := make([][]float64, len(contestants)) // by round; NaN if the contestant did not run
	busy := make([][]float64, len(contestants))    // processor time, likewise
	spent := make([]float64, len(contestants))
	done := make([]bool, len(contestants))
	for i, c := range contestants {
		rows[i] = Row{Name: c.Name, Side: c.Side}
	}
	measure := func(i int) (seconds, cpu float64) {
		o, err := timeOnce(ctx, contestants[i])
		if err != nil {
			rows[i].Failed = err.Error()
			done[i] = true
			return math.NaN(), math.NaN()
		}
		rows[i].Note = o.Note
		rows[i].PeakMB = max(rows[i].PeakMB, o.PeakMB)
		spent[i] += o.Seconds
		return o.Seconds, o.CPU
	}
	for round := 0; round < plan.Runs; round++ {
		for turn := range contestants {
			i := turn
			if round%2 == 1 {
				i = len(contestants) - 1 - turn
			}
			seconds, cpu := math.NaN(), math.NaN()
			if !done[i] {
				seconds, cpu = measure(i)
				if round == 0 && seconds < warmUpBelow {
					seconds, cpu = measure(i)
				}
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			samples[i] = append(samples[i], seconds)
			busy[i] = append(busy[i], cpu)
			if round+1 >= plan.MinRuns && spent[i] > plan.Budget.Seconds() {
				done[i] = true
			}
		}
	}
	for i := range rows {
		rows[i].summarise(samples[i], busy[i])
	}
	for i := range rows {
		rows[i].Against, rows[i].LessCPU = map[Side]*Ratio{}, map[Side]*Ratio{}
		for _, base := range bases {
			if ratio := ratioToFirst(rows, samples, i, base); ratio != nil {
				rows[i].Against[base] = ratio
			}
			if ratio := ratioToFirst(rows, busy, i, base); ratio != nil {
				rows[i].LessCPU[base] = ratio
			}
		}
	}
	return rows, nil
}

// timeOnce runs c once on a collected heap.
func timeOnce(ctx context.Context, c Contestant) (Outcome, error) {
	runtime.GC()
	start, busy := time.Now(), CPUSeconds()
	o, err := c.Run(ctx)
	seconds, cpu := time.Since(start).Seconds(), CPUSeconds()-busy
	if err != nil {
		return o, fmt.Errorf("%s: %w", c.Name, err)
	}
	if o.CPU <= 0 && o.Seconds <= 0 { // what a contestant timed itself, it must count itself too
		o.CPU = cpu
	}
	if o.Seconds <= 0 {
		o.Seconds = seconds
	}
	return o, nil
}

// summarise computes the row's figures from its samples, without the rounds in which it did not
// run.
func (r *Row) summarise(samples, busy []float64) {
	taken := slices.DeleteFunc(slices.Clone(samples), math.IsNaN)
	r.Runs = len(taken)
	if r.Runs == 0 {
		return
	}
	r.Median, r.Min, r.Max = median(taken), slices.Min(taken), slices.Max(taken)
	r.CPU = median(slices.DeleteFunc(slices.Clone(busy), math.IsNaN))
}

// ratioToFirst returns how many times faster row i is than the first row of the given side, or nil
// if there is no such row, it failed, or it is row i itself.
func ratioToFirst(rows []Row, samples [][]float64, i int, side Side) *Ratio {
	j := slices.IndexFunc(rows, func(r Row) bool { return r.Side == side && r.Runs > 0 })
	if j < 0 || j == i || rows[i].Runs == 0 || rows[i].Side == side {
		return nil
	}
	of := func(samples []float64) float64 { return median(slices.DeleteFunc(slices.Clone(samples), math.IsNaN)) }
	value := of(samples[j]) / of(samples[i])
	if !(value > 0) || math.IsInf(value, 0) { // processor time that was not measured
		return nil
	}
	ratio := &Ratio{Base: rows[j].Name, Value: value, Min: math.Inf(1), Max: math.Inf(-1)}
	for round := range samples[i] {
		q := samples[j][round] / samples[i][round]
		if !math.IsNaN(q) {
			ratio.Min, ratio.Max = min(ratio.Min, q), max(ratio.Max, q)
		}
	}
	return ratio
}

// median of a non-empty slice; the mean of the middle two if the count is even.
func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	m := len(s) / 2
	if len(s)%2 == 1 {
		return s[m]
	}
	return (s[m-1] + s[m]) / 2
}
