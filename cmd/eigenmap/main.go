// Command eigenmap reduces and clusters document corpora by the eigenvectors of graph Laplacians.
//
// This package turns flags into options, calls the root package, and prints what that returns.
package main

import (
	"os"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/progress"
)

func main() { os.Exit(program(nil)) }

// program is the process: signals, standard streams and arguments. watch sees every event of the
// work; it is there for tests.
func program(watch progress.Observer) int {
	memory.LimitHeap()
	ctx, stop := listen()
	defer stop()
	return newApp(os.Stdout, os.Stderr, watch).run(ctx, os.Args[1:])
}
