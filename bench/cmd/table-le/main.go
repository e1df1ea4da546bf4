// Command table-le prints the Laplacian Eigenmaps column of the tables of Chen et al. (2010) beside ours.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"github.com/eigenmap/eigenmap/bench"
	"github.com/eigenmap/eigenmap/bench/papers"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx))
}

func run(ctx context.Context) int {
	var table papers.LETable
	flag.StringVar(&table.Dir, "data", "../shared/data", "folder with TDT2.mat and Reuters21578.mat")
	flag.IntVar(&table.Draws, "draws", 20, "random choices of classes a line")
	flag.Uint64Var(&table.Seed, "seed", 0, "seed of everything random")
	threads := flag.Int("threads", 0, "threads; 0 means all cores")
	asJSON := flag.Bool("json", false, "print one JSON object")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "table-le: %q is not a flag; table-le -h lists them\n", flag.Arg(0))
		return 2
	}
	native.SetThreads(*threads)
	table.Observer = func(e progress.Event) {
		if e.Message != "" {
			fmt.Fprintln(os.Stderr, e.Message)
		} else if e.Done%20 == 0 || e.Done == e.Total {
			fmt.Fprintf(os.Stderr, "%s: %d of %d %s\n", e.Stage, e.Done, e.Total, e.Unit)
		}
	}
	result, err := table.Run(ctx)
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "table-le: interrupted")
		return 130
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
		fmt.Fprintln(os.Stderr, "table-le:", err)
		return 2
	case err != nil:
		fmt.Fprintln(os.Stderr, "table-le:", err)
		return 1
	}
	machine := bench.DescribeMachine(ctx)
	if *asJSON {
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", "  ")
		err = enc.Encode(struct {
			Machine bench.Machine `json:"machine"`
			*papers.LEResult
		}{machine, result})
	} else {
		for _, line := range machine.Lines() {
			fmt.Println(line)
		}
		err = result.WriteText(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "table-le:", err)
		return 1
	}
	return 0
}
