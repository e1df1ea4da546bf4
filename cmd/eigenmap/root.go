package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/cores"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/spf13/cobra"
)

// Time that is left to the work after an interrupt, two seconds in all with the end of the program.
// A stage normally stops by itself much sooner; a call into a library that cannot be interrupted is
// abandoned, and so is saving on a disk that is too slow. They are variables for tests, which must
// pass on a machine that other programs hold.
var (
	graceForWork   = 300 * time.Millisecond
	graceForSaving = 1500 * time.Millisecond
)

// app is one call of the program.
type app struct {
	stdout *bufio.Writer
	output *gate // that stdout writes to
	stderr *gate
	own    ownOptions
	args   []string // of the call; nil if all commands are to have their flags
	ui     *ui
	width  int  // of help and lists in characters, see outputWidth
	began  bool // the request was understood and the work has begun
	out    atomic.Pointer[folder.Folder]
	pieces atomic.Pointer[string] // the folder of --work; nil: none was asked for
	saving atomic.Bool            // finished parts are being written after an interrupt
	// partial is set where what is being written is only a part of the results.
	partial atomic.Bool
	// parts is not 0 if the run is to be begun again by so many members of a team.
	parts atomic.Int64
	// shards is set where each rank writes its own part of the results.
	shards bool
	// first is what to print of the first run if the second one of --retry is stopped.
	first atomic.Pointer[string]
	// running is what run began and may have abandoned after an interrupt; tests wait for its end.
	running sync.WaitGroup
}

// newApp makes a call of the program; watch sees every event of the work and may be nil.
func newApp(stdout, stderr io.Writer, watch progress.Observer) *app {
	output := &gate{w: stdout}
	a := &app{stdout: bufio.NewWriter(output), output: output, stderr: &gate{w: stderr}, width: outputWidth(stdout)}
	a.ui = newUI(stderr, watch)
	a.ui.w = a.stderr
	return a
}

// run does what args say and returns the exit status. Cancelling ctx is an interrupt.
func (a *app) run(ctx context.Context, args []string) int {
	done := make(chan int, 1)
	a.running.Add(1)
	go func() {
		defer a.running.Done()
		done <- a.execute(ctx, args)
	}()
	select {
	case status := <-done:
		return status
	case <-ctx.Done():
	}
	select {
	case status := <-done:
		return status
	case <-time.After(graceForWork):
	}
	out := a.out.Load()
	saving := a.saving.Load()
	if !saving {
		saving = out.Abandon() != folder.Uncommitted
	}
	if saving {
		select {
		case status := <-done:
			return status
		case <-time.After(graceForSaving):
		}
	}
	if out.Abandon() == folder.Uncommitted {
		atomicfile.RemovePending()
		out.RemoveEmpty()
	}
	a.ui.stop()
	err := a.interrupted(ctx)
	a.printFirst(err)
	a.output.close()
	a.stderr.last("eigenmap: " + err.Error() + "\n")
	return exitInterrupted
}

// execute runs the command line and reports its error in one sentence.
func (a *app) execute(ctx context.Context, args []string) (status int) {
	defer func() {
		if p := recover(); p != nil {
			status = a.broken(p)
		}
	}()
	if !asksCompletion(args) {
		a.args = append([]string{}, args...)
	}
	root := a.command()
	completed(root, args)
	root.SetArgs(args)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(ctx)
	a.ui.stop()
	printed := a.stdout.Flush()
	if err == nil && printed != nil {
		err = &printError{printed}
	}
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, syscall.EPIPE):
		return exitFailed // nothing reads the output any more
	}
	if errors.Is(err, context.Canceled) {
		err = a.interrupted(ctx)
	}
	a.printFirst(err)
	a.stderr.last("eigenmap: " + printable(sentence(err)) + "\n") // the last: work abandoned at this moment prints nothing after it
	if !a.began && !errors.As(err, new(*printError)) {
		return exitRequest // cobra did not accept the command line
	}
	return exitStatus(err)
}

// interrupted is the error of a run that was stopped: what is in its folders.
func (a *app) interrupted(ctx context.Context) error {
	var e interruptedError
	o := a.out.Load()
	switch stage := o.Abandon(); {
	case stage != folder.Uncommitted:
		part := a.partial.Load()
		e.dir, e.whole, e.part = o.Dir, stage == folder.Committed && !part, stage == folder.Committed && part
		e.half, e.shut = stage == folder.Committing, o.Listed()
	case o != nil && o.Earlier:
		e.dir, e.kept = o.Dir, true
	}
	return a.stopped(ctx, e)
}

// stopped adds to an interrupt which signal it was, and the folder that keeps finished work.
func (a *app) stopped(ctx context.Context, e interruptedError) error {
	e.by = signalOf(ctx)
	if work := a.pieces.Load(); work != nil && store.Holds(*work) {
		e.work = *work
	}
	return &e
}

// broken reports a defect of the program itself.
func (a *app) broken(p any) int {
	a.ui.stop()
	atomicfile.RemovePending()
	stack := debug.Stack()
	if second, ok := p.(*panicked); ok {
		p, stack = second.with, second.stack
	}
	text := strings.ReplaceAll(fmt.Sprint(p), "\n", " ")
	fmt.Fprintf(a.stderr, "eigenmap: defect in the program: %s; please report it with the command line to %s (EIGENMAP_DEBUG=1 shows where)\n", text, issuesPage)
	if os.Getenv("EIGENMAP_DEBUG") != "" {
		a.stderr.Write(stack)
	}
	return exitFailed
}

const issuesPage = "https://github.com/eigenmap/eigenmap/issues"

// work wraps a command's body: it reads --config, checks the operands and sets up the engine.
// names are the operands, "FILE" being the one that a configuration file can name too.
func (a *app) work(body func(ctx context.Context, cmd *cobra.Command, args []string) error, names ...string) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a.began = true
		path := text(cmd.Flags(), "config")
		if work := text(cmd.Flags(), "work"); path == "" && len(args) == 0 && text(cmd.Flags(), "merge") == "true" && work != "" {
			path = filepath.Join(work, eigenmap.WorkConfig) // of the blocks
			if _, err := os.Stat(path); err != nil {
				return requestf("%s: it holds no blocks of a graph: make them with --block i/N and --work, or give FILE", work)
			}
		}
		if path != "" {
			file, err := readConfig(path, cmd.Flags())
			if err != nil {
				return err
			}
			if file != "" && len(names) != 1 {
				return requestf("%s: this command takes no %q from a configuration file", path, eigenmap.FileKey)
			}
			if file != "" && len(args) == 0 {
				args = []string{file}
			}
		}
		if err := checkOperands(cmd, args, names); err != nil {
			return err
		}
		if work := text(cmd.Flags(), "work"); work != "" {
			a.pieces.Store(&work)
		}
		if err := own(cmd.Flags(), &a.own); err != nil {
			return err
		}
		a.ui.quiet = a.own.Quiet
		a.noteRepeated(cmd.Flags())
		choice := cores.Choose(a.own.Threads)
		for _, set := range choice.Unusable {
			if a.ui.quiet {
				break
			}
			fmt.Fprintf(a.stderr, "eigenmap: note: %s is no number of threads: it has no effect\n", set)
		}
		if err := eigenmap.SetEngine(threads(onMachine(cmd.Context()), choice), a.own.Backend); err != nil {
			return err
		}
		ctx, idle, err := a.ranked(cmd.Context(), cmd, args)
		if err != nil || idle {
			return err
		}
		ctx, err = a.within(ctx)
		if err != nil {
			return err
		}
		return ofResults(args, names, placed(cmd.Flags(), body(ctx, cmd, args)))
	}
}

// within bounds the memory of the work by --max-memory and by what the machine has, and refuses
// where there is too little for the program itself. It is not done before, since it begins with a
// garbage collection, which the help does not need.
func (a *app) within(ctx context.Context) (context.Context, error) {
	if err := memory.Enough(); err != nil {
		return nil, err
	}
	if a.own.MaxMemory == "" {
		memory.LimitHeap(ctx)
		return apportioned(ctx)
	}
	most, err := memory.Parse(a.own.MaxMemory)
	if err != nil {
		return nil, requestf("--%s %q: %v", memory.OptionName, a.own.MaxMemory, err)
	}
	if most < memory.Least {
		return nil, requestf("--%s %q: the program alone takes some 40 MB: give at least %s", memory.OptionName, a.own.MaxMemory, words.Bytes(memory.Least))
	}
	ctx = memory.Within(ctx, memory.Bytes(most, partsHere(ctx))) // the limit is for each part
	memory.LimitHeap(ctx)
	return apportioned(ctx)
}

// apportioned gives each part that this process works on its share of what the process may take
// still: the arrays of one stage of a part are within the share, and all that the process has is
// within the bound of the context. All parts ask before any of them begins.
func apportioned(ctx context.Context) (context.Context, error) {
	m, ok := ranks.From(ctx).(*ranks.Hosted)
	if !ok {
		return ctx, nil
	}
	if left := memory.Left(ctx); left != memory.Unknown {
		ctx = memory.Bound(ctx, max(1, left/int64(m.Here())))
	}
	return ctx, ranks.Agree(m, nil)
}

// gate is a writer that can be shut after a last word, against output of work that was abandoned.
type gate struct {
	mu   sync.Mutex
	w    io.Writer
	shut bool
}

func (g *gate) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut {
		return len(p), nil
	}
	return g.w.Write(p)
}

func (g *gate) last(text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.shut {
		io.WriteString(g.w, text)
	}
	g.shut = true
}

// close shuts the gate without a word. A write that is under way, perhaps for ever, is not waited
// for.
func (g *gate) close() {
	if g.mu.TryLock() {
		g.shut = true
		g.mu.Unlock()
	}
}

// inputs are all files that a command reads: the values of flags, and the files named, of which the
// last one is a corpus.
func inputs(cmd *cobra.Command, files ...string) []string {
	last := len(files) - 1
	files = append(files[:last:last], corpus.Files(cmd.Context(), files[last], text(cmd.Flags(), "input-format"))...)
	return append(files, inputFlags(cmd.Flags())...)
}

// openOutput opens the folder of --out for the results of a command that reads the files, of which
// the last one is a corpus; nil without --out. It remembers the folder in case the work is
// abandoned. Nothing that the command reads may be written over.
func (a *app) openOutput(cmd *cobra.Command, command string, files ...string) (*folder.Folder, error) {
	dir := text(cmd.Flags(), "out")
	if dir == "" || ranks.From(cmd.Context()).Rank() > 0 {
		return nil, nil
	}
	if err := eigenmap.CheckOut(dir, command, inputs(cmd, files...)...); err != nil {
		return nil, err
	}
	out, err := eigenmap.OpenFolder(dir)
	a.out.Store(out)
	return out, err
}
