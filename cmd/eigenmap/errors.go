package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

// Exit statuses.
const (
	exitDone        = 0
	exitFailed      = 1   // while working: not converged, out of memory, write error
	exitRequest     = 2   // the request was wrong: flag, file, label
	exitInterrupted = 130 // with what was finished saved
)

// interruptedError is a run that was told to stop.
type interruptedError struct {
	dir   string
	saved []string // names of the finished files in dir
	kept  bool     // dir keeps an earlier run's files, instead of partial ones
}

func (e *interruptedError) Error() string {
	switch {
	case len(e.saved) > 0:
		return "interrupted; what was finished is saved in " + e.dir + ": " + strings.Join(e.saved, ", ")
	case e.kept:
		return "interrupted; nothing was saved, and the files of an earlier run in " + e.dir + " were left as they were"
	}
	return "interrupted; nothing was saved"
}

// writeError is a failure to write results: the work's failure even where the cause (a closed or
// invalid file) would elsewhere be the caller's.
type writeError struct {
	err  error
	what string // that could be chosen elsewhere: "--out", "OUT"
}

func (e *writeError) Error() string {
	if errors.Is(e.err, syscall.ENOSPC) {
		return sentence(e.err) + ": free some space or choose another " + e.what + "; nothing half-written was left"
	}
	return sentence(e.err) + "; nothing half-written was left"
}
func (e *writeError) Unwrap() error { return e.err }

// printError is a failure to write to standard output.
type printError struct{ err error }

func (e *printError) Error() string { return "standard output: " + e.err.Error() }
func (e *printError) Unwrap() error { return e.err }

// exitStatus maps an error to the program's exit status.
func exitStatus(err error) int {
	var stopped *interruptedError
	var writing *writeError
	var printing *printError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &stopped), errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &writing), errors.As(err, &printing):
		return exitFailed
	case errors.Is(err, fs.ErrInvalid), errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission),
		errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		return exitRequest
	}
	return exitFailed
}

// sentence is the error on one line, in the user's words.
func sentence(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted; nothing was saved"
	}
	var open *fs.PathError
	if errors.As(err, &open) && err == error(open) {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return open.Path + ": there is no such file or folder; check the path"
		case errors.Is(err, fs.ErrPermission):
			return open.Path + ": permission denied"
		}
		return open.Path + ": " + open.Err.Error()
	}
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' })
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Join(lines, "; ")
}

// wayOut says in terms of flags what can be done about an error of the engine.
func wayOut(err error) error {
	var nc *eigen.NotConvergedError
	if errors.As(err, &nc) && nc.Result != nil {
		if nc.Unsearched && nc.Result.Converged == nc.Wanted {
			said, _, _ := strings.Cut(nc.Error(), ";") // what follows is the way out in terms of the library
			return &flagError{said + ": give a larger --max-iter", err}
		}
		return &flagError{fmt.Sprintf("%d of %d eigenpairs converged after %s of %s (largest residual %.1e, tolerance %.1e): give a larger --max-iter or --tol, or another --solver",
			nc.Result.Converged, nc.Wanted, plural(nc.Result.Stats.Restarts, "restart", "restarts"), nc.Result.Stats.Solver, nc.Worst, nc.Tol), err}
	}
	return err
}

// flagError says an error in terms of flags and stays that error for errors.As.
type flagError struct {
	text string
	err  error
}

func (e *flagError) Error() string { return e.text }
func (e *flagError) Unwrap() error { return e.err }

// ctxWriter fails as soon as the context is done, so that writing stops between two buffers.
type ctxWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c ctxWriter) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}

// inFile names the file that an error is about, unless it does so itself.
func inFile(file string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || strings.HasPrefix(err.Error(), file) {
		return err
	}
	return fmt.Errorf("%s: %w", file, err)
}

// requestf is an error in the request: exit status 2.
func requestf(format string, args ...any) error { return invalid.Errorf(format, args...) }
