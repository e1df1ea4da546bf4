// Command eigenmap reduces and clusters document corpora by the eigenvectors of graph Laplacians.
//
// This package turns flags into options, calls the root package, and prints what that returns.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/progress"
)

func main() {
	status, done := guard()
	if !done {
		status = program(nil)
	}
	os.Exit(status)
}

// program is the process: signals, standard streams and arguments. watch sees every event of the
// work; it is there for tests.
func program(watch progress.Observer) int {
	memory.LimitHeap(context.Background())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		oneOfBoth(signals)
		<-signals // the second one does not wait for anything
		atomicfile.RemovePending()
		os.Exit(exitInterrupted)
	}()
	return newApp(os.Stdout, os.Stderr, watch).run(ctx, os.Args[1:])
}
