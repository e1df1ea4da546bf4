// Command eigenmap reduces and clusters document corpora by the eigenvectors of graph Laplacians.
//
// This package turns flags into options, makes one call a stage and turns results into files and
// tables; the mathematics lives in the packages below it.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		<-signals // the second one does not wait for anything
		atomicfile.RemovePending()
		os.Exit(exitInterrupted)
	}()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
