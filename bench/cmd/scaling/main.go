// Command scaling measures time against the number of documents, stage by stage, and writes
// scaling.json, scaling.md, scaling.png and scaling.svg.
//
//	go run ./bench/cmd/scaling --out out/scaling --sizes 1000,3000,10000
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/eigenmap/eigenmap/bench/scaling"
	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer native.Hold()()
	var err error
	if len(os.Args) > 1 && os.Args[1] == scaling.ChildFlag {
		err = scaling.Child(ctx, os.Stdout, os.Args[2:])
	} else {
		err = run(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "scaling:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	var opt scaling.Options
	sizes := flag.String("sizes", "1000,3000,10000,30000,100000", "numbers of documents, ascending")
	flag.StringVar(&opt.OutDir, "out", "", "folder for the figures and the corpora")
	flag.StringVar(&opt.Python, "python", "python3", "Python interpreter of the peers; empty leaves them out")
	flag.IntVar(&opt.Runs, "runs", 0, "runs of sizes below 10,000; 0: 3")
	flag.IntVar(&opt.Threads, "threads", 0, "threads of every contestant; 0: 1")
	flag.DurationVar(&opt.Limit, "limit", 0, "processor time that a stage of ours may take; 0: 10m")
	flag.DurationVar(&opt.PeerTime, "peer-limit", 0, "the same of a peer; 0: 2m")
	flag.Float64Var(&opt.MemoryMB, "memory", 0, "memory in MB that a run may take; 0: what is free")
	drawn := flag.String("draw", "", "write table and pictures of this scaling.json again, and measure nothing")
	flag.Parse()
	if flag.NArg() > 0 {
		return fmt.Errorf("%q is not a flag; scaling -h lists them", flag.Arg(0))
	}
	if opt.OutDir == "" {
		return errors.New("--out is missing: name a folder")
	}
	if err := os.MkdirAll(opt.OutDir, 0o755); err != nil {
		return err
	}
	if *drawn != "" {
		raw, err := os.ReadFile(*drawn)
		if err != nil {
			return err
		}
		var r scaling.Report
		if err := json.Unmarshal(raw, &r); err != nil {
			return fmt.Errorf("%s: %w", *drawn, err)
		}
		return write(opt.OutDir, &r)
	}
	for field := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 100 {
			return fmt.Errorf("--sizes: %q is no number of documents of at least 100", field)
		}
		opt.Sizes = append(opt.Sizes, n)
	}
	if !slices.IsSorted(opt.Sizes) {
		return errors.New("--sizes must ascend: the time of a size is predicted from the one before")
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	opt.Program = program
	opt.Observer = func(e progress.Event) {
		if e.Message != "" {
			fmt.Fprintln(os.Stderr, e.Message)
		}
	}
	var last *scaling.Report
	err = scaling.Run(ctx, opt, func(r *scaling.Report) error {
		last = r
		return write(opt.OutDir, r)
	})
	if err != nil {
		return err
	}
	return last.WriteTable(os.Stdout)
}

// write replaces the figures in a folder.
func write(dir string, r *scaling.Report) error {
	for name, content := range map[string]func(io.Writer) error{
		"scaling.json": func(w io.Writer) error {
			enc := json.NewEncoder(w)
			enc.SetIndent("", " ")
			return enc.Encode(r)
		},
		"scaling.md":  r.WriteTable,
		"scaling.png": func(w io.Writer) error { return r.WritePlot(w, "png") },
		"scaling.svg": func(w io.Writer) error { return r.WritePlot(w, "svg") },
	} {
		if err := atomicfile.Write(filepath.Join(dir, name), content); err != nil {
			return err
		}
	}
	return nil
}
