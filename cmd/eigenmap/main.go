// Command eigenmap reduces and clusters document corpora by the eigenvectors of graph Laplacians.
//
// This package turns flags into options, calls the root package, and prints what that returns.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/eigenmap/eigenmap/progress"
)

func main() {
	if err := checkDescriptors(); err != nil {
		fmt.Fprintln(os.Stderr, "eigenmap: "+err.Error())
		os.Exit(exitFailed)
	}
	status, done := guard()
	if !done {
		status = program(nil)
	}
	os.Exit(status)
}

// program is the process: signals, standard streams and arguments. The observer that watching makes
// sees every event of the work; it is there for tests. Its context ends with the first signal.
func program(watching func(context.Context) progress.Observer) int {
	ctx, stop := listen()
	defer stop()
	var watch progress.Observer
	if watching != nil {
		watch = watching(ctx)
	}
	return asRank(ctx, watch)
}
