package main

import (
	"context"
	"errors"
	"os"
	"os/signal"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
)

// signalError is the cause of a context that a signal has ended. It is a cancellation.
type signalError struct{ name string }

func (e *signalError) Error() string { return "interrupted by " + e.name }
func (e *signalError) Unwrap() error { return context.Canceled }

// signalOf is the name of the signal that ended the context, "" if something else did. A context by
// context.WithoutCancel has none.
func signalOf(ctx context.Context) string {
	var s *signalError
	if errors.As(context.Cause(ctx), &s) {
		return s.name
	}
	return ""
}

// listen makes a context that ends with the first signal that asks the program to stop. The second
// one ends the program at once, unless the system repeats the signal by itself.
func listen() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, stopSignals()...)
	go func() {
		s := <-signals
		cancel(&signalError{signalName(s)})
		oneOfBoth(signals)
		for s := range signals {
			if !repeats(s) {
				atomicfile.RemovePending()
				os.Exit(exitInterrupted)
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}
