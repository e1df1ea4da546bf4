//go:build cgo

package main

/*
#cgo LDFLAGS: -lm
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
)

// pollEvery is how often a call asks the host whether to go on.
const pollEvery = 50 * time.Millisecond

// call is one call of a host's thread.
type call struct {
	c     *C.eigenmap_call
	names map[string]string // of options in the host's language, where they are others
	host  chan func()       // what the work wants done on the calling thread; nil: nothing
}

// guarded runs f on the calling thread, and makes a code and a text of its error or panic.
func (c call) guarded(f func() error) (code C.int) {
	defer c.caught(&code)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	return c.failed(f())
}

// caught makes a code and a text of a panic, when it is deferred. A fault of memory is the host's:
// an array ends before the sizes say.
func (c call) caught(code *C.int) {
	p := recover()
	if p == nil {
		return
	}
	if fault, ok := p.(interface{ Addr() uintptr }); ok {
		*code = c.failed(invalid.Errorf("there is no memory to read at %#x: an array is shorter than the sizes of the call say", fault.Addr()))
		return
	}
	*code = c.failed(panicked(p))
}

// run runs work on another goroutine, and the host's callbacks on the calling thread meanwhile. It
// returns after the work has ended, cancelled or not.
func (c call) run(work func(ctx context.Context, obs progress.Observer) error) C.int {
	return c.guarded(func() error {
		if err := native.Usable(); err != nil {
			return err
		}
		memory.FollowHeap()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		over, done := make(chan struct{}), make(chan error, 1)
		defer close(over)
		events := make(chan progress.Event)
		var obs progress.Observer
		if c.c.progress != nil {
			obs = func(e progress.Event) {
				select {
				case events <- e:
				case <-over:
				}
			}
		}
		go func() {
			defer func() {
				if p := recover(); p != nil {
					done <- panicked(p)
				}
			}()
			done <- work(ctx, obs)
		}()
		var poll <-chan time.Time
		if c.c.cancelled != nil {
			t := time.NewTicker(pollEvery)
			defer t.Stop()
			poll = t.C
			if C.eigenmap_call_cancelled(c.c) != 0 {
				cancel()
			}
		}
		for {
			select {
			case err := <-done:
				return err
			case e := <-events:
				if c.report(e) {
					cancel()
				}
			case f := <-c.host:
				f()
			case <-poll:
				if C.eigenmap_call_cancelled(c.c) != 0 {
					cancel()
				}
			}
		}
	})
}

// report passes an event to the host, and says whether the host cancels.
func (c call) report(e progress.Event) bool {
	var event C.eigenmap_event
	texts := []*C.char{C.CString(e.Stage), C.CString(e.Unit)}
	event.stage, event.unit = texts[0], texts[1]
	if e.Message != "" {
		texts = append(texts, C.CString(e.Message))
		event.message = texts[2]
	}
	event.done, event.total = C.int64_t(e.Done), C.int64_t(e.Total)
	stop := C.eigenmap_call_progress(c.c, &event)
	for _, t := range texts {
		C.free(unsafe.Pointer(t))
	}
	return stop != 0
}

// panicked is an error that says where the library is at fault.
func panicked(p any) error {
	return fmt.Errorf("an error of the library itself, please report it: %v\n%s", p, debug.Stack())
}

// failed keeps the text of an error for the thread, and returns its code.
func (c call) failed(err error) C.int {
	code := eigenmap.ExitStatus(err)
	switch code {
	case eigenmap.StatusDone:
		return 0
	case eigenmap.StatusInterrupted:
		c.say("the call was cancelled")
	default:
		text := words.Rename(err.Error(), c.name)
		if e := (*eigenmap.Error)(nil); errors.As(err, &e) {
			text = e.Text(c.name)
		}
		c.say(text)
	}
	return C.int(code)
}

// name is the name of an option in texts for the host.
func (c call) name(option string) string { return cmp.Or(c.names[option], option) }

// warn keeps the warnings of a call for the thread as JSON, as many of them as there is room for.
func (c call) warn(list []eigenmap.Warning) {
	out := unsafe.Slice((*byte)(unsafe.Pointer(&c.c.warnings[0])), len(c.c.warnings))
	for k := len(list); k > 0; k-- {
		if text, err := json.Marshal(list[:k]); err == nil && len(text) < len(out) {
			out[copy(out, text)] = 0
			return
		}
	}
}

func (c call) say(text string) {
	const room = len(c.c.error) - 1
	if len(text) > room {
		text = strings.ToValidUTF8(text[:room], "")
	}
	text = strings.ReplaceAll(text, "\x00", " ")
	out := unsafe.Slice((*byte)(unsafe.Pointer(&c.c.error[0])), room+1)
	out[copy(out, text)] = 0
}

// settings are what the JSON text of a call says.
type settings struct {
	eigenmap.Options
	threads int
	dims    string            // as it was given, "" if it was not
	views   bool              // they say by what documents are compared
	names   map[string]string // of options in the host's language
	columns []string          // names of the columns of the rows, which are the terms; nil: none
}

// defaultMethod is the method of an embedding whose options name none. For a clustering the
// pipeline chooses one.
const defaultMethod = "le"

// settingsOf reads the options of a call, and gives it their names. others, if it is not nil, takes
// options in place of the pipeline's.
func (c *call) settingsOf(text *C.char, others ...func(name, value string) error) (*settings, error) {
	s := &settings{names: map[string]string{}}
	c.names = s.names
	own := func(name, value string) (bool, error) {
		switch name {
		case memory.OptionName:
			n, err := memory.Parse(value)
			if err != nil {
				return true, invalid.Errorf("%s %q: %w", name, value, err)
			}
			s.MaxBytes = n
			return true, nil
		case "threads":
			n, err := strconv.Atoi(value)
			if err != nil || n < 0 {
				return true, invalid.Errorf("threads %q: it must be a whole number of at least 0 (0: one for each core)", value)
			}
			s.threads = n
			return true, nil
		case "names":
			option, name, found := strings.Cut(value, "=")
			if !found {
				return true, invalid.Errorf("names %q: it must be a list of texts such as \"clusters=n_clusters\"", value)
			}
			s.names[option] = name
			return true, nil
		case "column-names":
			s.columns = append(s.columns, value)
			return true, nil
		}
		for _, take := range others {
			return true, take(name, value)
		}
		switch name {
		case "dims":
			s.dims = value
		case "views":
			s.views = true
		case "method":
			s.Method = value
			return true, nil
		}
		return false, nil
	}
	if text != nil {
		if t := strings.TrimSpace(C.GoString(text)); t != "" {
			if err := s.SetJSON([]byte(t), own); err != nil {
				return nil, err
			}
			if len(others) > 0 && (s.Known != nil || s.Links != nil) {
				return nil, invalid.Errorf("this call learns from no labels and no constraints: leave them out")
			}
		}
	}
	return s, nil
}

// setDims asks for the number of dimensions that the caller's array of an embedding has.
func (s *settings) setDims(dims C.int32_t) error {
	s.Method = cmp.Or(s.Method, defaultMethod)
	want := strconv.Itoa(int(dims))
	switch {
	case dims < 1:
		return invalid.Errorf("dims is %s: it must be at least 1", want)
	case s.dims != "" && s.dims != want:
		return invalid.Errorf("the options say %s dimensions, and the argument dims %s: give one of them", s.dims, want)
	case s.dims != "" || len(eigenmap.Fields(s.Method, "dims")) == 0:
		return nil
	}
	return s.Set("dims", want)
}

// runWith is run in a lease of the threads that the options ask for.
func (c call) runWith(s *settings, work func(ctx context.Context) error) C.int {
	return c.run(func(ctx context.Context, obs progress.Observer) error {
		release, err := withThreads(ctx, s.threads)
		if err != nil {
			return err
		}
		defer release()
		s.Observer = obs
		return work(ctx)
	})
}
