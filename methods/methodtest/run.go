package methodtest

import (
	"context"
	"errors"
	"time"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/native"
)

// cancelTime is how long a fit may go on after it was cancelled.
const cancelTime = 2 * time.Second

// checkCancel: a fit that is cancelled before it begins or at its first event ends soon with
// context.Canceled; one that is cancelled later does so or finishes.
func checkCancel(s *suite) {
	for _, sm := range s.samples(small) {
		events := 0
		in := sm.input()
		in.Observer = func(e event) {
			if e.Message == "" {
				events++
			}
		}
		if _, err := s.fit(background, s.options(), in); err != nil {
			s.badf("%s: the fit fails: %v", sm.name, err)
			continue
		}
		if events == 0 {
			s.badf("%s: the fit reports no progress", sm.name)
			continue
		}
		for _, at := range []int{0, 1, (events + 1) / 2, events} {
			err, took := s.cancelAt(sm, at)
			switch {
			case err == nil && at <= 1 || err != nil && !errors.Is(err, context.Canceled):
				s.badf("%s: cancelled at event %d of %d: %v", sm.name, at, events, err)
			case took > cancelTime:
				s.badf("%s: cancelled at event %d of %d, the fit goes on for %v", sm.name, at, events, took)
			}
		}
	}
}

// cancelAt fits and cancels at an event, counted from 1; 0 is before the fit.
func (s *suite) cancelAt(sm sample, at int) (err error, took time.Duration) {
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	began := time.Now()
	if at == 0 {
		cancel()
	}
	in := sm.input()
	seen := 0
	in.Observer = func(e event) {
		if e.Message != "" {
			return
		}
		if seen++; seen == at {
			began = time.Now()
			cancel()
		}
	}
	_, err = s.fit(ctx, s.options(), in)
	return err, time.Since(began)
}

// checkThreads: the result has the same bits at any number of threads.
func checkThreads(s *suite) {
	defer native.SetThreads(0)
	n := large
	if s.short {
		n = small
	}
	for _, sm := range s.samples(n) {
		native.SetThreads(1)
		want, err := s.fit(background, s.options(), sm.input())
		if err != nil {
			s.badf("%s: the fit fails: %v", sm.name, err)
			continue
		}
		for _, threads := range []int{2, 5} {
			native.SetThreads(threads)
			out, err := s.fit(background, s.options(), sm.input())
			if err != nil {
				s.badf("%s: the fit with %d threads fails: %v", sm.name, threads, err)
			} else if d := difference(want, out); d != "" {
				s.badf("%s: %d threads give another result than 1: %s", sm.name, threads, d)
			}
		}
	}
}

// checkProgress: what is done never falls within a stage and never passes the total, and a stage with
// a total ends at it.
func checkProgress(s *suite) {
	for _, sm := range s.samples(small) {
		var p stages
		in := sm.input()
		in.Observer = func(e event) { p.take(s, sm.name, e) }
		if _, err := s.fit(background, s.options(), in); err != nil {
			s.badf("%s: the fit fails: %v", sm.name, err)
			continue
		}
		p.end(s, sm.name)
	}
}

// stages follows the events of a fit. Events of one stage and unit without another between them are
// one pass; a pass of the same stage begins anew with Done 0.
type stages struct{ last event }

func (p *stages) take(s *suite, name string, e event) {
	if e.Message != "" {
		return
	}
	if e.Stage == "" {
		s.badf("%s: an event has no stage: %+v", name, e)
	}
	if e.Done < 0 || e.Total < 0 || e.Total > 0 && e.Done > e.Total {
		s.badf("%s: %s: %d of %d %s are done", name, e.Stage, e.Done, e.Total, e.Unit)
	}
	same := e.Stage == p.last.Stage && e.Unit == p.last.Unit
	if same && e.Done < p.last.Done && e.Done > 0 {
		s.badf("%s: %s: done falls from %d to %d %s", name, e.Stage, p.last.Done, e.Done, e.Unit)
	}
	if !same || e.Done < p.last.Done {
		p.end(s, name)
	}
	p.last = e
}

// end is the end of a pass.
func (p *stages) end(s *suite, name string) {
	if e := p.last; e.Total > 0 && e.Done != e.Total {
		s.badf("%s: %s ends at %d of %d %s", name, e.Stage, e.Done, e.Total, e.Unit)
	}
}

// checkUsed: the options with everything decided filled in give the same bits again, as they are and
// after a way through text.
func checkUsed(s *suite) {
	for _, sm := range s.samples(small) {
		out := s.plain(sm)
		if out == nil {
			continue
		}
		used := out.Used
		if used == nil {
			used = s.options()
		}
		if err := used.Validate(); err != nil {
			s.badf("%s: the options used are refused: %v", sm.name, err)
		}
		again, err := s.fit(background, copied(used), sm.input())
		if err != nil {
			s.badf("%s: the options used fail: %v", sm.name, err)
		} else if d := difference(out, again); d != "" {
			s.badf("%s: the options used give another result: %s", sm.name, d)
		}
		read := s.spec.New()
		list := option.Of(read)
		for _, f := range option.Of(used) {
			if f.String() == "" {
				continue
			}
			to := option.Find(list, f.Name)
			if to == nil {
				s.badf("%s: the options used have %s, which new ones lack", sm.name, f.Name)
			} else if err := to.Set(f.String()); err != nil {
				s.badf("%s: ‹%s› was %q, which is not read: %v", sm.name, f.Name, f, err)
			} else if to.String() != f.String() {
				s.badf("%s: ‹%s› was %q and is read as %q", sm.name, f.Name, f, to)
			}
		}
		again, err = s.fit(background, read, sm.input())
		if err != nil {
			s.badf("%s: the options used, written and read, fail: %v", sm.name, err)
		} else if d := difference(out, again); d != "" {
			s.badf("%s: the options used, written and read, give another result: %s", sm.name, d)
		}
	}
}

// checkDefaults: defaults that are spelled out give the bits that options left out give.
func checkDefaults(s *suite) {
	for _, sm := range s.samples(small) {
		want := s.plain(sm)
		if want == nil {
			continue
		}
		o := s.options()
		list := option.Of(o)
		var set []string
		for _, f := range list {
			text := f.Default
			switch {
			case text == "" && sm.data == option.SparseData:
				text = f.Sparse
			case text == "" && sm.data == option.DenseData:
				text = f.Dense
			}
			if ok, _ := option.Relevant(list, f, sm.data); f.String() != "" || text == "" || !ok {
				continue
			}
			if err := f.Set(text); err != nil {
				s.badf("the default of %s, %q, is not read: %v", f.Name, text, err)
			}
			set = append(set, f.Name+"="+text)
		}
		out, err := s.fit(background, o, sm.input())
		if err != nil {
			s.badf("%s: the defaults spelled out (%v) fail: %v", sm.name, set, err)
		} else if d := difference(want, out); d != "" {
			s.badf("%s: the defaults spelled out (%v) give another result: %s", sm.name, set, d)
		}
	}
}
