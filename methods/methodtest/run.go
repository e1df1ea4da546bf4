package methodtest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
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
			took, err := s.cancelAt(sm, at)
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
func (s *suite) cancelAt(sm sample, at int) (took time.Duration, err error) {
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
	return time.Since(began), err
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

// checkProgress: what is done never falls within a stage and never passes the total, and a stage
// with a total ends at it.
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

// checkUsed: the options with everything decided filled in give the same bits again, as they are
// and after a way through text.
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
		if reflect.TypeOf(used) != reflect.TypeOf(s.spec.New()) {
			s.badf("%s: the options used are a %T, and new ones a %T", sm.name, used, s.spec.New())
			continue
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
		read := s.reread(sm, used)
		again, err = s.fit(background, read, sm.input())
		if err != nil {
			s.badf("%s: the options used, written and read, fail: %v", sm.name, err)
		} else if d := difference(out, again); d != "" {
			s.badf("%s: the options used, written and read, give another result: %s", sm.name, d)
		}
	}
}

// reread are new options set by the text of others.
func (s *suite) reread(sm sample, used method.Options) method.Options {
	read := s.spec.New()
	list := option.Of(read)
	for _, f := range option.Of(used) {
		if f.String() == "" {
			continue
		}
		if to := option.Find(list, f.Name); to == nil {
			s.badf("%s: the options used have %s, which new ones lack", sm.name, f.Name)
		} else if err := to.Set(f.String()); err != nil {
			s.badf("%s: ‹%s› was %q, which is not read: %v", sm.name, f.Name, f, err)
		}
	}
	for i, f := range option.Of(used) {
		if was, is := current(f), current(list[i]); was != is {
			s.badf("%s: ‹%s› was %q and is read as %q", sm.name, f.Name, was, is)
		}
	}
	return read
}

// current is an option's value as text, its default if it is unset.
func current(f *option.Field) string {
	if text := f.String(); text != "" {
		return text
	}
	return f.Default
}

// checkDefaults: defaults that are spelled out give the bits that options left out give. An option
// that has no effect beside this input may be refused by its name.
func checkDefaults(s *suite) {
	for _, sm := range s.samples(small) {
		want := s.plain(sm)
		if want == nil {
			continue
		}
		defaults := s.defaults(sm)
		for {
			out, err := s.withDefaults(sm, defaults)
			if i := slices.IndexFunc(defaults, func(d [2]string) bool {
				return refusal(err) && strings.Contains(err.Error(), words.Option(d[0]))
			}); i >= 0 {
				defaults = slices.Delete(defaults, i, i+1)
				continue
			}
			if err != nil {
				s.badf("%s: the defaults spelled out (%v) fail: %v", sm.name, defaults, err)
			} else if d := difference(want, out); d != "" {
				s.badf("%s: the defaults spelled out (%v) give another result: %s", sm.name, s.wrongDefaults(sm, want, defaults), d)
			}
			break
		}
	}
}

// defaults are the options that a sample's fit leaves unset, with their documented defaults.
func (s *suite) defaults(sm sample) (set [][2]string) {
	list := option.Of(s.options())
	for _, f := range list {
		text := f.Default
		switch {
		case text == "" && sm.data == option.SparseData:
			text = f.Sparse
		case text == "" && sm.data == option.DenseData:
			text = f.Dense
		}
		if ok, _ := option.Relevant(list, f, sm.data); f.String() == "" && text != "" && ok {
			set = append(set, [2]string{f.Name, text})
		}
	}
	return set
}

// withDefaults fits a sample with some defaults spelled out.
func (s *suite) withDefaults(sm sample, defaults [][2]string) (*method.Fitted, error) {
	o := s.options()
	list := option.Of(o)
	for _, d := range defaults {
		if err := option.Find(list, d[0]).Set(d[1]); err != nil {
			s.badf("the default of %s, %q, is not read: %v", d[0], d[1], err)
		}
	}
	return s.fit(background, o, sm.input())
}

// wrongDefaults are the defaults each of which alone gives another result, all of them if none
// does.
func (s *suite) wrongDefaults(sm sample, want *method.Fitted, defaults [][2]string) (wrong [][2]string) {
	for _, d := range defaults {
		if out, err := s.withDefaults(sm, [][2]string{d}); err != nil || difference(want, out) != "" {
			wrong = append(wrong, d)
		}
	}
	if wrong == nil {
		return defaults
	}
	return wrong
}
