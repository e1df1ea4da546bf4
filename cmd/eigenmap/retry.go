package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/eigenmap/eigenmap"
)

// retryOption asks for a second run.
type retryOption struct {
	Retry bool `flag:"retry" default:"false" help:"run once more with the options that the notes of the run say may help, and say so; the result is the second run's" group:"program"`
}

// retry runs the request once more. What the first run found is printed if the second one is
// stopped.
func (a *app) retry(ctx context.Context, p *eigenmap.Prepared, first *eigenmap.Run) (*eigenmap.Run, error) {
	a.keepFirst(first)
	run, err := p.Retry(ctx, first)
	if err != nil {
		a.keepFirst(first) // with the note that the second run did not end
		return run, err
	}
	a.first.Store(nil)
	return run, nil
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

// printFirst prints what keepFirst kept, once, and lets the error of the second run say so.
func (a *app) printFirst(w io.Writer, err error) {
	var stopped *interruptedError
	if text := a.first.Swap(nil); text != nil && errors.As(err, &stopped) {
		io.WriteString(w, *text)
		stopped.second = true
	}
}
