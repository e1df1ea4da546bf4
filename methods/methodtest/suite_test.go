package methodtest

import (
	"context"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// faulty are the options of a method that projects rows on waves, with one fault on request.
type faulty struct {
	Dims int     `flag:"dims" range:">=1" unset:"the number of clusters" help:"dimensions" group:"method"`
	Base string  `flag:"base" choices:"cosine|sine" default:"cosine" help:"waves" group:"method"`
	Rate float64 `flag:"rate" range:">0" default:"0.5" help:"waves per column" group:"method"`

	fault string
}

func (o *faulty) Validate() error {
	if o.fault == "loose" {
		return nil
	}
	return option.Check(o)
}

func (o *faulty) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	end := in.Stage("project")
	defer end()
	time.Sleep(time.Millisecond)
	err := ctx.Err()
	if o.fault != "alone" {
		err = ranks.Agree(in.Share, err)
	}
	if err != nil && o.fault != "deaf" {
		return nil, err
	}
	used := *o
	if used.Dims, err = in.Dims(o.Dims); err != nil {
		return nil, err
	}
	if err := in.MostDims(used.Dims, in.Len()); err != nil {
		return nil, err
	}
	if used.Rate == 0 {
		used.Rate = 0.5
	}
	n, cols := in.X.Dims()
	if o.fault != "hungry" {
		left := memory.Left(ctx)
		err := memory.Check(memory.Bytes(8, n, used.Dims), left, "ask for fewer ‹dims›", "the waves of %d rows", n)
		if err = ranks.Agree(in.Share, err); err != nil {
			return nil, err
		}
	}
	p := &waves{fault: o.fault, Components: mat.NewDense(used.Dims, cols, nil)}
	for k := range used.Dims {
		for j := range cols {
			p.Components.Set(k, j, math.Cos(float64(k+1)*used.Rate*float64(j)))
		}
	}
	if o.fault == "leaves" && in.Share.Divided() {
		if err := ctx.Err(); err != nil { // not together, and another rank may be in the sum
			return nil, err
		}
		in.Share.Sum([]float64{1})
	}
	y := p.project(in.X)
	out := &method.Fitted{Embedding: y, Placer: p, Used: &used}
	o.spoil(in, out, y, n)
	return out, nil
}

// Plan implements method.Planner.
func (o *faulty) Plan(in *method.Input, _ method.Rates) ([]method.Stage, error) {
	dims, err := in.Dims(o.Dims)
	if err != nil {
		return nil, err
	}
	n, cols := in.X.Dims()
	bytes := memory.Bytes(8, n+2*cols, dims)
	switch o.fault {
	case "plans little":
		bytes /= 2
	case "plans much":
		bytes *= 4
	}
	return []method.Stage{{Name: "project", Bytes: bytes, Keeps: bytes}}, nil
}

// Shares implements method.Sharer: each row is projected by itself.
func (o *faulty) Shares() bool { return true }

// spoil makes the fault.
func (o *faulty) spoil(in *method.Input, out *method.Fitted, y *mat.Dense, n int) {
	switch o.fault {
	case "plans little": // on a busy machine no collection may be seen while the fit has its arrays
		runtime.GC()
	case "panics":
		if in.X.At(0, 0) == in.X.At(n-1, 0) {
			panic("two rows are equal")
		}
	case "rounds":
		if sparse.IsSingle(in.X) {
			y.Set(0, 0, y.At(0, 0)*(1+0x1p-24))
		}
	case "threads":
		y.Set(0, 0, y.At(0, 0)+1e-9*float64(native.Threads()))
	case "parts":
		if in.Share.Divided() {
			y.Set(0, 0, y.At(0, 0)*(1+1e-6))
		}
	case "notes of ranks":
		if in.Share.First() > 0 {
			in.Notef("these are the last documents")
		}
	case "storage":
		if _, isDense := in.X.(*mat.Dense); isDense && n == small {
			y.Set(0, 0, float64(time.Now().UnixNano()))
		}
	case "falls":
		in.Observer.Report("project", 5, 9, "rows")
		in.Observer.Report("project", 4, 9, "rows")
	case "ends early":
		in.Observer.Report("project", 5, 9, "rows")
	case "writes options":
		o.Dims = 2
	case "writes rows":
		if s, ok := in.X.(*sparse.CSR); ok {
			s.Val[0]++
		}
	case "forgets":
		if o.Rate == 0 {
			y.Scale(2, y)
		}
	case "names flags":
		in.Notef("give --dims 3")
	case "infinite":
		y.Set(1, 1, math.NaN())
	case "no embedding":
		out.Embedding = nil
	case "closed":
		out.Why = "it is closed"
	}
}

// waves is the placer of faulty.
type waves struct {
	Components *mat.Dense
	fault      string
}

func (p *waves) project(x mat.Matrix) *mat.Dense {
	n, _ := x.Dims()
	k, cols := p.Components.Dims()
	y, row := mat.NewDense(n, k, nil), make([]float64, cols)
	for i := range n {
		for j := range row {
			row[j] = x.At(i, j)
		}
		for c := range k {
			sum := 0.0
			for j, v := range p.Components.RawRowView(c) {
				sum += row[j] * v
			}
			y.Set(i, c, sum)
		}
	}
	return y
}

func (p *waves) Place(ctx context.Context, x mat.Matrix, _ progress.Observer) (*method.Placement, error) {
	n, cols := x.Dims()
	if _, d := p.Components.Dims(); cols != d {
		return nil, invalid.Errorf("%d columns are not %d", cols, d)
	}
	for i := range n {
		for j := range cols {
			if v := x.At(i, j); (math.IsNaN(v) || math.IsInf(v, 0)) && p.fault != "takes NaN" {
				return nil, &sparse.NotFiniteError{Row: i, Col: j, Value: v}
			}
		}
	}
	y := p.project(x)
	switch p.fault {
	case "moves":
		y.Set(0, 0, y.At(0, 0)+1)
	case "leans":
		y.Set(0, 0, y.At(0, 0)+1e-9*float64(n))
	}
	return &method.Placement{Embedding: y}, ctx.Err()
}

func (p *waves) Fields(f *model.Fields) {
	if p.fault == "loses" && f.Writing() {
		c := mat.DenseCopyOf(p.Components)
		c.Scale(2, c)
		f.Dense("components", &c)
		return
	}
	f.Dense("components", &p.Components)
}

func (p *waves) Check(of model.Frame) error {
	if p.fault == "fits all" {
		return nil
	}
	if p.Components == nil {
		return invalid.Errorf("the model lacks its components")
	}
	k, _ := p.Components.Dims()
	return of.CheckComponents(p.Components, k)
}

func (p *waves) Width() int {
	k, _ := p.Components.Dims()
	return k
}

func faultySpec(fault string) method.Spec {
	spec := method.Spec{
		Name: "waves", Summary: "projections on waves", About: "y = X C", Reference: "none", Cost: "n·d·k",
		Grows: "n²", Yields: method.Yields{Coordinates: true}, Divided: fault != "undivided",
		New:    func() method.Options { return &faulty{fault: fault} },
		Placer: func() method.Placer { return new(waves) },
	}
	switch fault {
	case "no cost":
		spec.Cost = ""
	case "plans nothing":
		spec.New = func() method.Options { return struct{ method.Options }{&faulty{}} }
	case "rounds":
		spec.Single = true
	case "closed and open":
		spec.Closed = "it has no rule"
	}
	return spec
}

// faultsIn runs all checks and returns the names of the checks that find faults. The plans, which
// take a large fit, are checked if they have the fault, or there is none.
func faultsIn(fault string) (names []string, first string) {
	s := newSuite(faultySpec(fault), true)
	s.patience = 2 * time.Second
	for _, c := range checks {
		if c.name == "plan" && fault != "" && !strings.HasPrefix(fault, "plans") {
			continue
		}
		if list := s.faultsOf(c.run); len(list) > 0 {
			names = append(names, c.name)
			if first == "" {
				first = list[0]
			}
		}
	}
	return names, first
}

// A sound method passes every check, and each fault fails the check that is about it.
func TestSuiteFindsFaults(t *testing.T) {
	if names, first := faultsIn(""); len(names) > 0 {
		t.Errorf("a sound method fails %v: %s", names, first)
	}
	for fault, check := range map[string]string{
		"no cost": "spec", "plans little": "plan", "plans much": "plan", "plans nothing": "plan", "loose": "options", "panics": "degenerate input", "storage": "storage", "no embedding": "yields",
		"infinite": "yields", "deaf": "cancel", "hungry": "memory", "threads": "threads", "falls": "progress", "ends early": "progress",
		"writes options": "unchanged", "writes rows": "unchanged", "forgets": "used", "names flags": "messages",
		"closed": "closed", "closed and open": "closed", "loses": "store and load", "moves": "training rows",
		"leans": "rows apart", "rounds": "precision", "parts": "ranks", "notes of ranks": "ranks", "leaves": "ranks", "alone": "ranks", "undivided": "ranks", "fits all": "frame", "takes NaN": "refused rows",
	} {
		if names, _ := faultsIn(fault); !slices.Contains(names, check) {
			t.Errorf("the fault %q is not found by the check %q but by %v", fault, check, names)
		}
	}
}

// The options of a suite: a waiver leaves a check out, a setting reaches the options.
func TestSuiteOptions(t *testing.T) {
	Check(t, faultySpec(""), With("dims", "2"), Waive("threads", "shown here"))
	s := newSuite(faultySpec(""), true, With("dims", "2"), With("none", "1"), With("rate", "-1"))
	if o := s.options().(*faulty); o.Dims != 2 {
		t.Errorf("the options are %+v", o)
	}
	if len(s.faults) != 2 || !strings.Contains(s.faults[0], "no option none") {
		t.Errorf("wrong settings give %q", s.faults)
	}
}
