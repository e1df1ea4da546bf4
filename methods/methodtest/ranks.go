package methodtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime/debug"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/shards"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

// Sums over ranks are taken in another order than sums of one process, so numbers differ by
// rounding: at most sameValue for numbers of the whole fit, relative to the largest, and sameRow
// for numbers of a document.
const (
	sameValue = 1e-10
	sameRow   = 1e-8
)

// ranksTime is how long a fit of ranks may take; ranks that take longer wait for each other.
const ranksTime = 60 * time.Second

// rankFit is what one rank of a team has of a fit.
type rankFit struct {
	share *ranks.Share
	out   *method.Fitted
	err   error
	notes []string
	part  method.Placer // this rank's part of the placer, if the ranks divide it; else nil
}

// checkRanks: with the documents divided among the ranks of a team the method finds what one
// process finds; a rank whose context ends, or whose rows are wrong, ends the fit of all.
func checkRanks(s *suite) {
	shares, ok := s.options().(method.Sharer)
	if ok != s.spec.Divided {
		s.badf("Divided is %v, and that the options are a Sharer is %v", s.spec.Divided, ok)
		return
	}
	if !ok || !shares.Shares() {
		return
	}
	compared := 0
	for _, sm := range s.samples(small) {
		if in := sm.input(); in.X == nil || in.Links != nil {
			continue
		}
		compared++
		s.sameOnRanks(sm)
		s.stopRanks(sm)
		s.wrongRanks(sm)
	}
	if compared == 0 {
		s.badf("no sample has rows that ranks could divide")
	}
}

// onRanks fits a sample on the ranks of a team of goroutines; later ranks have more documents.
// change, if not nil, changes the rank's context and input. It returns nil, and records a fault, if
// the ranks do not end.
func (s *suite) onRanks(what string, in func() *method.Input, size int, change func(ctx context.Context, rank int, in *method.Input) context.Context) []rankFit {
	fits := make([]rankFit, size)
	done, broken := make(chan struct{}), make(chan *panicError, size)
	go func() {
		defer close(done)
		ranks.Together(size, func(team ranks.Team) {
			defer func() {
				if p := recover(); p != nil { // the other ranks may wait for this one
					broken <- &panicError{p, debug.Stack()}
				}
			}()
			fits[team.Rank()] = s.onRank(team, in(), change)
		})
	}()
	select {
	case <-done:
	case p := <-broken:
		s.badf("%s: on one of %d ranks: %v", what, size, p)
		return nil
	case <-time.After(s.patience):
		s.badf("%s: %d ranks wait for each other for ever", what, size)
		return nil
	}
	for _, f := range fits {
		s.said = append(s.said, f.notes...)
	}
	return fits
}

// onRank fits the documents of one rank of a team.
func (s *suite) onRank(team ranks.Team, in *method.Input, change func(ctx context.Context, rank int, in *method.Input) context.Context) (f rankFit) {
	size, r, n := team.Size(), team.Rank(), in.Len()
	until := func(r int) int { return n * r * (r + 1) / (size * (size + 1)) }
	f.share = ranks.NewShare(team, until(r+1)-until(r))
	ctx := ranks.With(background, team)
	if change != nil {
		ctx = change(ctx, r, in)
	}
	observer := in.Observer
	in.Observer = func(e event) {
		if e.Message != "" && !e.Detail {
			f.notes = append(f.notes, e.Message)
		}
		if observer != nil {
			observer(e)
		}
	}
	own := make([]int, f.share.Own())
	for i := range own {
		own[i] = f.share.First() + i
	}
	in.X, in.Share = rows.Select(in.X, own), f.share
	if in.Counts != nil {
		in.Counts = rows.Select(in.Counts, own)
	}
	if in.Given != nil {
		in.Given = &method.Given{Labels: ranks.Own(f.share, in.Given.Labels), Names: in.Given.Names}
	}
	if f.out, f.err = s.spec.Fit(ctx, s.options(), in); f.err != nil || f.out == nil {
		return f
	}
	if p, ok := f.out.Placer.(method.Gatherer); ok && f.share.Divided() && p.Partial() { // as a run does it
		whole := *f.out
		whole.Placer = p.Gather(&method.Gathering{Share: f.share})
		f.out, f.part = &whole, p.Gather(&method.Gathering{Share: f.share, Apart: true})
	}
	return f
}

// sameOnRanks compares teams of 1, 2 and 3 ranks with one process; a team of 1 gives the same bits.
func (s *suite) sameOnRanks(sm sample) {
	alone := rankFit{}
	in := sm.input()
	in.Observer = func(e event) {
		if e.Message != "" && !e.Detail {
			alone.notes = append(alone.notes, e.Message)
		}
	}
	if alone.out, alone.err = s.fit(background, s.options(), in); alone.err != nil {
		s.badf("%s: the fit fails: %v", sm.name, alone.err)
		return
	}
	for size := 1; size <= 3; size++ {
		fits := s.onRanks(sm.name, sm.input, size, nil)
		if len(fits) == size && fits[0].part != nil {
			if err := s.sameInParts(sm, fits); err != nil {
				s.badf("%s: the model in %d parts: %v", sm.name, size, err)
			}
		}
		for r, f := range fits {
			var d string
			switch {
			case f.err != nil || f.out == nil:
				d = fmt.Sprintf("the fit fails: %v", f.err)
			case size == 1:
				d = difference(alone.out, f.out)
			default:
				d = s.rankDifference(sm, alone, f)
			}
			if d != "" {
				s.badf("%s: rank %d of %d: %s", sm.name, r, size, d)
			}
		}
	}
}

// sameInParts compares the model that the ranks write in parts with the model that rank 0 writes:
// the parts joined, and read as one, have its bytes.
func (s *suite) sameInParts(sm sample, fits []rankFit) error {
	dir, err := os.MkdirTemp("", "parts")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var want bytes.Buffer
	if err := s.modelOf(sm, fits[0].out).Encode(&want); err != nil {
		return err
	}
	file := filepath.Join(dir, "model.npz")
	var paths []string
	for r, f := range fits {
		own := *f.out
		own.Placer = f.part
		var b bytes.Buffer
		if err := s.modelOf(sm, &own).EncodeShard(&b, r+1, len(fits)); err != nil {
			return err
		}
		paths = append(paths, filepath.Join(dir, shards.Name("model.npz", r+1, len(fits))))
		if err := os.WriteFile(paths[r], b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	var got bytes.Buffer
	if err := model.Join(background, &got, paths); err != nil {
		return err
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		return errors.New("joined they are another file")
	}
	read, err := model.Read(background, file, func(string) model.Part { return s.spec.Placer() })
	if err != nil {
		return err
	}
	got.Reset()
	if err := read.Encode(&got); err != nil {
		return err
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		return errors.New("read they are another model")
	}
	return nil
}

// rankDifference says where a rank found something else than one process, "" if nowhere.
func (s *suite) rankDifference(sm sample, alone, f rankFit) string {
	want, got := alone.out, f.out
	if len(alone.notes)+len(f.notes) > 0 && !slices.Equal(alone.notes, f.notes) {
		return fmt.Sprintf("the notes are %q, not %q", f.notes, alone.notes)
	}
	if d := rowsDifference("embedding", f.share, want.Embedding, got.Embedding); d != "" {
		return d
	}
	if d := rowsDifference("soft labels", f.share, want.Soft, got.Soft); d != "" {
		return d
	}
	if a, b := want.Values, got.Values; (a == nil) != (b == nil) {
		return "one of them has values of the coordinates"
	} else if a != nil && !nearFloats(a.Values, b.Values, sameValue) {
		return fmt.Sprintf("the values are %v, not %v", b.Values, a.Values)
	}
	if d := sharedClusters(f.share, want.Clusters, got.Clusters); d != "" {
		return d
	}
	if d := factDifference(want.Facts, got.Facts); d != "" {
		return d
	}
	if d := directionDifference(want.Directions, got.Directions); d != "" {
		return d
	}
	return s.placerDifference(sm, want.Placer, got.Placer)
}

// rowsDifference says how a rank's rows differ from one process's, "" if only by rounding.
func rowsDifference(what string, share *ranks.Share, want, got *mat.Dense) string {
	if want == nil || got == nil {
		if want != got {
			return "one of them has no " + what
		}
		return ""
	}
	own := make([]int, share.Own())
	for i := range own {
		own[i] = share.First() + i
	}
	if gap := worst(want, got, own); !(gap <= sameRow*largest(want)) {
		return fmt.Sprintf("%s: it differs by %g, with numbers up to %g", what, gap, largest(want))
	}
	return ""
}

// sharedClusters compares a rank's clusters: labels and probabilities of its own documents, the
// rest of all.
func sharedClusters(share *ranks.Share, want, got *method.Clusters) string {
	if want == nil || got == nil {
		if want != got {
			return "one of them has clusters"
		}
		return ""
	}
	switch {
	case !slices.Equal(ranks.Own(share, want.Labels), got.Labels):
		return fmt.Sprintf("the clusters are %v, not %v", got.Labels, ranks.Own(share, want.Labels))
	case !slices.Equal(want.Sizes, got.Sizes) || !slices.Equal(want.Classes, got.Classes):
		return fmt.Sprintf("the sizes are %v of %q, not %v of %q", got.Sizes, got.Classes, want.Sizes, want.Classes)
	case !nearFloats([]float64{want.Objective}, []float64{got.Objective}, sameValue):
		return fmt.Sprintf("the objective is %v, not %v", got.Objective, want.Objective)
	case withoutResiduals(want.How) != withoutResiduals(got.How) || want.By != got.By || want.Spread != got.Spread:
		return fmt.Sprintf("the clusters are found by %s, %s; not %s, %s", got.By, got.How, want.By, want.How)
	case (want.Centers == nil) != (got.Centers == nil):
		return "one of them has no centres"
	}
	if a, b := want.Centers, got.Centers; a != nil {
		if gap := worst(a, b, nil); !(gap <= sameRow*largest(a)) {
			return fmt.Sprintf("the centres differ by %g", gap)
		}
	}
	return rowsDifference("posterior", share, want.Posterior, got.Posterior)
}

// residual is a number that only rounding decides, as texts write it.
var residual = regexp.MustCompile(`\d\.\de-\d\d`)

// withoutResiduals is a text without the residuals of solvers, which rounding decides.
func withoutResiduals(text string) string { return residual.ReplaceAllString(text, "r") }

// nearFloats says whether numbers are equal up to a part of the largest.
func nearFloats(a, b []float64, part float64) bool {
	top := 0.0
	for _, v := range a {
		top = max(top, math.Abs(v))
	}
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.Abs(x-y) <= part*top })
}

// factDifference compares facts: numbers up to rounding, the rest exactly.
func factDifference(want, got []method.Fact) string {
	if len(want) != len(got) {
		return fmt.Sprintf("there are %d facts, not %d", len(got), len(want))
	}
	for i, a := range want {
		b := got[i]
		same := reflect.DeepEqual(a.Value, b.Value)
		switch v := a.Value.(type) {
		case float64:
			w, ok := b.Value.(float64)
			if a.ID == "residual" { // what a solver left below its tolerance is rounding
				same = ok && max(v, w) < sameRow
				break
			}
			same = ok && nearFloats([]float64{v}, []float64{w}, sameRow)
		case []float64:
			w, ok := b.Value.([]float64)
			same = ok && nearFloats(v, w, sameRow)
		}
		if a.ID != b.ID || a.Line != b.Line || a.Words != b.Words || !same {
			return fmt.Sprintf("the fact %+v is not %+v", b, a)
		}
	}
	return ""
}

// directionDifference compares the terms of coordinates: their weights up to rounding, so that
// terms of nearly equal weight may come in another order.
func directionDifference(want, got [][]method.Weight) string {
	if len(want) != len(got) {
		return fmt.Sprintf("there are %d directions, not %d", len(got), len(want))
	}
	for c, a := range want {
		weights := func(list []method.Weight) (w []float64) {
			for _, t := range list {
				w = append(w, t.Weight)
			}
			return w
		}
		if !nearFloats(weights(a), weights(got[c]), sameRow) {
			return fmt.Sprintf("direction %d is %v, not %v", c, got[c], a)
		}
	}
	return ""
}

// placerDifference compares how two models place new rows. The model of ranks may take none, and
// what of it the ranks divided is rank 0's.
func (s *suite) placerDifference(sm sample, want, got method.Placer) string {
	if got == nil || want == nil {
		if want == nil && got != nil {
			return "the model takes new documents"
		}
		return ""
	}
	a, b := s.place(sm.name, want, sm.fresh), s.place(sm.name+" with ranks", got, sm.fresh)
	if a == nil || b == nil {
		return ""
	}
	if (a.Embedding == nil) != (b.Embedding == nil) || (a.Posterior == nil) != (b.Posterior == nil) {
		return "new rows get other parts"
	}
	if a.Embedding != nil {
		if gap := worst(a.Embedding, b.Embedding, nil); !(gap <= sameRow*largest(a.Embedding)) {
			return fmt.Sprintf("new rows are placed %g apart", gap)
		}
	}
	if a.Posterior != nil {
		if gap := worst(a.Posterior, b.Posterior, nil); !(gap <= sameRow) {
			return fmt.Sprintf("the probabilities of new rows differ by %g", gap)
		}
	}
	if !slices.Equal(a.Labels, b.Labels) || !slices.Equal(a.Isolated, b.Isolated) {
		return fmt.Sprintf("new rows are in clusters %v, not %v", b.Labels, a.Labels)
	}
	return ""
}

// stopRanks: a context that ends on the last rank alone, before the fit, at one of its events or
// when the fit looks at it, ends the fit of all ranks or of none.
func (s *suite) stopRanks(sm sample) {
	const size = 2
	var events int
	var looks func() int64
	counted := func(ctx context.Context, rank int, in *method.Input) context.Context {
		if rank == size-1 {
			in.Observer = func(event) { events++ }
			ctx, looks = ranks.Looked(ctx, 0)
		}
		return ctx
	}
	if s.onRanks(sm.name, sm.input, size, counted) == nil {
		return
	}
	stops := []moment{{event: 0}, {event: 1}}
	parts := int64(6)
	if !s.short {
		stops, parts = append(stops, moment{event: (events + 1) / 2}, moment{event: events}), 24
	}
	last := looks()
	if parts = min(parts, last); os.Getenv("EIGENMAP_LONG") != "" {
		parts = last // every look
	}
	for k := range parts {
		stops = append(stops, moment{look: 1 + k*last/parts})
	}
	for _, at := range stops {
		fits := s.onRanks(fmt.Sprintf("%s, stopped at %s", sm.name, at), sm.input, size, stopLast(size, at))
		if fits == nil {
			return
		}
		early := at.look == 0 && at.event <= 1 && events > 0
		for r, f := range fits {
			if (f.err == nil) != (fits[0].err == nil) || f.err == nil && early || f.err != nil && !errors.Is(f.err, context.Canceled) {
				s.badf("%s: stopped at %s on the last rank, rank %d ends with %v, and rank 0 with %v", sm.name, at, r, f.err, fits[0].err)
			}
		}
	}
}

// moment is when a context ends: at a look at it, or at an event, each counted from 1; the event 0
// is before the fit.
type moment struct {
	look  int64
	event int
}

func (m moment) String() string {
	if m.look > 0 {
		return fmt.Sprintf("look %d at its context", m.look)
	}
	return fmt.Sprintf("event %d", m.event)
}

// stopLast ends the context of the last rank.
func stopLast(size int, at moment) func(ctx context.Context, rank int, in *method.Input) context.Context {
	return func(ctx context.Context, rank int, in *method.Input) context.Context {
		if rank < size-1 {
			return ctx
		}
		if at.look > 0 {
			ctx, _ = ranks.Looked(ctx, at.look)
			return ctx
		}
		ctx, stop := context.WithCancel(ctx)
		if at.event == 0 {
			stop()
		}
		seen := 0
		in.Observer = func(event) {
			if seen++; seen == at.event {
				stop()
			}
		}
		return ctx
	}
}

// wrongRanks: wrong numbers in a row of the last rank are the error of all ranks, and of one
// process: it names the document.
func (s *suite) wrongRanks(sm sample) {
	for _, v := range []float64{math.NaN(), math.Inf(1), -1, 1e200} {
		wrong := func() *method.Input {
			in := sm.input()
			in.X, in.Counts = with(in.X, small-2, v), nil
			return in
		}
		_, want := s.fit(background, s.options(), wrong())
		for r, f := range s.onRanks(fmt.Sprintf("%s, with %v", sm.name, v), wrong, 2, nil) {
			if (f.err == nil) != (want == nil) || want != nil && (f.err.Error() != want.Error() || refusal(f.err) != refusal(want)) {
				s.badf("%s: of a row with %v rank %d says %v, not %v", sm.name, v, r, f.err, want)
			}
		}
	}
}
