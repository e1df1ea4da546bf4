package main

import (
	"bufio"
	"context"
	"errors"
	"runtime/debug"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap"
)

// retryOption asks for a second run.
type retryOption struct {
	Retry bool `flag:"retry" default:"false" help:"run once more with the options that the notes of the run say may help, and say so; the result is the second run's" group:"program"`
}

// panicked is a panic of the second run, for the goroutine that waits for it.
type panicked struct {
	with  any
	stack []byte
}

// retry runs the request once more. What the first run found is printed, and saved by the caller,
// if the second one is stopped; one that does not look at its context is abandoned.
func (a *app) retry(ctx context.Context, p *eigenmap.Prepared, first *eigenmap.Run) (*eigenmap.Run, error) {
	a.keepFirst(first)
	type end struct {
		run    *eigenmap.Run
		err    error
		defect *panicked
	}
	ended := make(chan end, 1)
	a.running.Add(1)
	go func() {
		defer a.running.Done()
		defer func() {
			if p := recover(); p != nil {
				ended <- end{defect: &panicked{p, debug.Stack()}}
			}
		}()
		run, err := p.Retry(ctx, first)
		ended <- end{run: run, err: err}
	}()
	var second end
	select {
	case second = <-ended:
	case <-ctx.Done():
		a.saving.Store(true) // there are whole results
		select {
		case second = <-ended:
		case <-time.After(graceForWork / 2):
			return first, ctx.Err()
		}
	}
	switch {
	case second.defect != nil:
		panic(second.defect)
	case second.err != nil:
		a.keepFirst(second.run) // the first, with the note that the second did not end
	default:
		a.first.Store(nil)
	}
	return second.run, second.err
}

// keepFirst keeps what would be printed of a run.
func (a *app) keepFirst(run *eigenmap.Run) {
	var text strings.Builder
	before := a.stdout
	a.stdout = bufio.NewWriter(&text)
	if a.own.JSON {
		a.printJSON(run.ClusterJSON(flagName, nil))
	} else {
		a.printClustering(run, nil)
	}
	a.stdout.Flush()
	a.stdout = before
	whole := text.String()
	a.first.Store(&whole)
}

// printFirst prints what keepFirst kept, as the last of standard output, and lets the error of the
// second run say so.
func (a *app) printFirst(err error) {
	var stopped *interruptedError
	if text := a.first.Load(); text != nil && errors.As(err, &stopped) {
		a.output.last(*text)
		stopped.second = true
	}
}
