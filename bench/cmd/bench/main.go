// Command bench measures the engine on this machine: native against pure Go, and against SciPy and
// scikit-learn.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/eigenmap/eigenmap/bench"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx))
}

func run(ctx context.Context) int {
	defer native.Hold()() // the program has no other use for OpenBLAS
	if len(os.Args) == 3 && os.Args[1] == bench.ChildFlag {
		return status(ctx, bench.Child(ctx, os.Stdout, os.Args[2]))
	}
	if len(os.Args) == 2 && os.Args[1] == bench.SpinFlag {
		bench.Spin(ctx)
		return 0
	}
	var opt bench.Options
	names := flag.String("sections", "all", "what to measure, comma-separated: "+strings.Join(bench.Sections(), ", "))
	flag.StringVar(&opt.DataDir, "data", "", "folder with TDT2.mat; without it a corpus of the same size is made up")
	flag.StringVar(&opt.OutDir, "out", "", "folder for the matrices that the peers read; empty: a temporary one")
	flag.StringVar(&opt.Python, "python", "python3", "Python interpreter of the peers; empty leaves them out")
	flag.BoolVar(&opt.Quick, "quick", false, "smaller inputs, fewer runs")
	flag.BoolVar(&opt.Long, "long", false, "also a million points and 100,000 reviews, whole processes")
	flag.BoolVar(&opt.ARPACK, "arpack", false, "with --long: also ARPACK with 150 vectors on a million points")
	flag.StringVar(&opt.Eigenmap, "eigenmap", "", "the program, for whole processes; empty leaves them out")
	flag.Uint64Var(&opt.Seed, "seed", 0, "seed of everything random")
	flag.IntVar(&opt.Plan.Runs, "runs", 0, "runs of each contestant; 0: 5, or 3 if one is slow")
	threads := flag.Int("threads", 0, "threads; 0: all cores")
	asJSON := flag.Bool("json", false, "print one JSON object")
	asMarkdown := flag.Bool("markdown", false, "print Markdown")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "bench: %q is not a flag; bench -h lists them\n", flag.Arg(0))
		return 2
	}
	native.SetThreads(*threads)
	opt.Sections = strings.Split(*names, ",")
	if program, err := os.Executable(); err == nil {
		opt.Program = program
	}
	opt.Observer = func(e progress.Event) {
		if e.Message != "" {
			fmt.Fprintln(os.Stderr, e.Message)
		}
	}
	report, err := bench.Run(ctx, opt)
	if err == nil {
		switch {
		case *asJSON:
			err = report.WriteJSON(os.Stdout)
		case *asMarkdown:
			err = report.WriteMarkdown(os.Stdout)
		default:
			err = report.WriteText(os.Stdout)
		}
	}
	return status(ctx, err)
}

// status prints the error and returns the exit status that it means.
func status(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "bench: interrupted")
		return 130
	case errors.Is(err, fs.ErrInvalid):
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 2
	}
	fmt.Fprintln(os.Stderr, "bench:", err)
	return 1
}
