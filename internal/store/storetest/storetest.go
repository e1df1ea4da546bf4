// Package storetest checks that work with a folder of finished stages gives the same result however
// often it was stopped, and whatever happened to the pieces.
package storetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/progress"
)

// Open makes a store in a new folder, which keeps every state and every finished part.
func Open(t testing.TB) *store.Store {
	t.Helper()
	s, err := store.Open(t.TempDir(), store.Header{Data: "test"})
	if err != nil {
		t.Fatal(err)
	}
	s.Always = true
	return s
}

// Files lists the pieces and states in a store.
func Files(t testing.TB, s *store.Store) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(s.Dir, "*-*.p*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Resumed is [Same] for work that keeps something before its end.
func Resumed[R any](t *testing.T, work func(ctx context.Context, o progress.Observer) (R, error)) {
	t.Helper()
	if Same(t, work) == 0 {
		t.Error("no stopped run left a piece")
	}
}

// Same checks work whose results compare by reflect.DeepEqual. It runs the work without a store,
// with one, from the pieces of a finished run, stopped at its first, second, fourth, ... event and
// continued, and with every piece removed or damaged in turn. It returns how many of the stopped
// runs left something.
func Same[R any](t *testing.T, work func(ctx context.Context, o progress.Observer) (R, error)) int {
	t.Helper()
	events := 0
	want, err := work(context.Background(), func(progress.Event) { events++ })
	if err != nil {
		t.Fatal(err)
	}
	same := func(s *store.Store, what string) {
		t.Helper()
		got, err := work(store.With(context.Background(), s), func(progress.Event) {})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the result differs (%v)", what, err)
		}
	}
	s := Open(t)
	same(s, "with a store")
	finished := Files(t, s)
	if len(finished) == 0 {
		t.Fatal("nothing was kept")
	}
	for _, path := range finished {
		if strings.HasSuffix(path, ".progress") {
			t.Errorf("%s is there after the end of the work", path)
		}
	}
	same(s, "from finished pieces")
	kept := stopAndGoOn(t, work, same, events)
	for _, path := range finished {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for what, harm := range map[string]func() error{
			"removed": func() error { return os.Remove(path) },
			"cut":     func() error { return os.WriteFile(path, text[:len(text)-1], 0o666) },
			"changed": func() error {
				text[len(text)-9] ^= 1
				return os.WriteFile(path, text, 0o666)
			},
		} {
			if err := harm(); err != nil {
				t.Fatal(err)
			}
			same(s, filepath.Base(path)+" "+what)
		}
	}
	return kept
}

// stopAndGoOn stops runs at some of their events, twice each, and lets a third one end. It returns
// how many runs left something.
func stopAndGoOn[R any](t *testing.T, work func(ctx context.Context, o progress.Observer) (R, error), same func(*store.Store, string), events int) (kept int) {
	t.Helper()
	for at := 1; at <= events; at += 1 + at/2 {
		s := Open(t)
		for range 2 {
			ctx, cancel := context.WithCancel(store.With(context.Background(), s))
			n := 0
			_, err := work(ctx, func(progress.Event) {
				if n++; n == at {
					cancel()
				}
			})
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatalf("stopped at event %d: %v", at, err)
			}
			cancel()
		}
		if len(Files(t, s)) > 0 {
			kept++
		}
		same(s, "stopped twice")
	}
	return kept
}
