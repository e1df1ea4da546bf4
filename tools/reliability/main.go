// Command reliability runs the suites that hold the promises of docs/reliability.md and prints one
// table of what they found.
//
// The short form takes some 10 minutes on two cores. -long runs what the document calls the long
// form, which takes hours.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"time"
)

type settings struct {
	goCommand  string
	only       string
	long, list bool
	fuzzTime   time.Duration
	mutants    int
	limit      time.Duration
}

func main() {
	var s settings
	flag.StringVar(&s.goCommand, "go", "go", "the go command")
	flag.StringVar(&s.only, "only", "", "suites to run, separated by commas (default: all)")
	flag.BoolVar(&s.list, "list", false, "print the names of the suites and run nothing")
	flag.BoolVar(&s.long, "long", false, "10,000 pencils, all faults, 100,000 checks of predict, 10 minutes of each fuzz target, 100 mutants")
	flag.DurationVar(&s.fuzzTime, "fuzztime", 3*time.Second, "time of each fuzz target")
	flag.IntVar(&s.mutants, "mutants", 5, "number of mutants")
	flag.DurationVar(&s.limit, "timeout", 10*time.Minute, "time for one suite in the short form")
	flag.Parse()
	if s.long {
		s.limit = 12 * time.Hour
		given := map[string]bool{}
		flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
		if !given["fuzztime"] {
			s.fuzzTime = 10 * time.Minute
		}
		if !given["mutants"] {
			s.mutants = 100
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "reliability:", err)
		os.Exit(1)
	}
}

// run runs the suites one after another and prints a line for each.
func run(ctx context.Context, s settings) error {
	chosen := map[string]bool{}
	for _, name := range strings.FieldsFunc(s.only, func(r rune) bool { return r == ',' }) {
		chosen[name] = true
	}
	known := map[string]bool{}
	for _, u := range suites(s) {
		known[u.name] = true
		if s.list {
			fmt.Printf("%-12s %s\n", u.name, u.promise)
		}
	}
	for name := range chosen {
		if !known[name] {
			return fmt.Errorf("there is no suite %q; -list names them", name)
		}
	}
	if s.list {
		return nil
	}
	fmt.Printf("%s, %s, commit %s\n\n", time.Now().UTC().Format("2 January 2006"), machine(), commit(ctx))
	fmt.Println("| suite | promise | figures | time |\n|---|---|---|---:|")
	var broken []string
	for _, u := range suites(s) {
		if len(chosen) > 0 && !chosen[u.name] {
			continue
		}
		from := time.Now()
		out, err := u.output(ctx, s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		figures := u.figures(out)
		if err != nil {
			figures = "**FAILED** " + figures
			broken = append(broken, u.name)
			os.Stderr.WriteString(out)
			fmt.Fprintf(os.Stderr, "%s: %v\n", u.name, err)
		}
		fmt.Printf("| %s | %s | %s | %.0f s |\n", u.name, u.promise, figures, time.Since(from).Seconds())
	}
	if broken != nil {
		return fmt.Errorf("promises that do not hold: %s", strings.Join(broken, ", "))
	}
	return nil
}

// output runs a suite and returns what it printed.
func (u suite) output(ctx context.Context, s settings) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	var all bytes.Buffer
	var failed error
	for _, c := range u.commands {
		cmd := exec.CommandContext(ctx, c[0], c[1:]...)
		cmd.Env = append(os.Environ(), u.env...)
		cmd.Stdout, cmd.Stderr = &all, &all
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.WaitDelay = 20 * time.Second
		err := cmd.Run()
		if ctx.Err() != nil && err != nil {
			err = fmt.Errorf("it took longer than %v", s.limit)
		}
		failed = errors.Join(failed, err)
	}
	return all.String(), failed
}

// machine names the processor and the number of cores.
func machine() string {
	name := runtime.GOARCH
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			name = strings.TrimSpace(value)
			break
		}
	}
	return fmt.Sprintf("%s, %d cores, %s", name, runtime.NumCPU(), runtime.Version())
}

func commit(ctx context.Context) string {
	text, err := exec.CommandContext(ctx, "git", "describe", "--tags", "--always", "--dirty").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(text))
}
