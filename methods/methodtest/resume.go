package methodtest

import (
	"context"
	"errors"
	"os"

	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/methods/method"
)

// checkResume: with a folder of finished stages a fit gives the bits that it gives without one:
// undisturbed, from the pieces of a finished fit, and stopped at some of its events and continued.
func checkResume(s *suite) {
	for _, sm := range s.samples(small) {
		events := 0
		in := sm.input()
		in.Observer = func(event) { events++ }
		want, err := s.fit(background, s.options(), in)
		if err != nil {
			s.badf("%s: the fit fails: %v", sm.name, err)
			continue
		}
		s.inFolder(sm, "a folder", want, 0)
		for at := 1; at <= events; at += 1 + 2*at {
			s.inFolder(sm, "a stop", want, at)
		}
		if s.short {
			return
		}
	}
}

// inFolder compares fits with a new folder with the one that is wanted: one that is stopped at the
// event of a number, unless that is 0, one that goes on, and one of finished pieces.
func (s *suite) inFolder(sm sample, what string, want *method.Fitted, stop int) {
	dir, err := os.MkdirTemp("", "methodtest")
	if err != nil {
		s.badf("%v", err)
		return
	}
	defer os.RemoveAll(dir)
	st, err := store.Open(dir, store.Header{Data: sm.name})
	if err != nil {
		s.badf("%v", err)
		return
	}
	defer st.Close()
	st.Always = true
	ctx := store.With(background, st)
	if stop > 0 {
		stopped, cancel := context.WithCancel(ctx)
		defer cancel()
		in, seen := sm.input(), 0
		in.Observer = func(event) {
			if seen++; seen == stop {
				cancel()
			}
		}
		if _, err := s.fit(stopped, s.options(), in); err != nil && !errors.Is(err, context.Canceled) {
			s.badf("%s: a fit that is stopped at event %d ends with %v", sm.name, stop, err)
		}
	}
	for _, then := range []string{"", ", and then from what is finished"} {
		got, err := s.fit(ctx, s.options(), sm.input())
		if err != nil {
			s.badf("%s: with %s at event %d%s: %v", sm.name, what, stop, then, err)
		} else if d := difference(want, got); d != "" {
			s.badf("%s: with %s at event %d%s the result is another: %s", sm.name, what, stop, then, d)
		}
	}
}
