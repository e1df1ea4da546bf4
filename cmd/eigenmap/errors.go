package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/native/slepc"
)

// Exit statuses.
const (
	exitDone        = eigenmap.StatusDone
	exitFailed      = eigenmap.StatusFailed
	exitRequest     = eigenmap.StatusRequest
	exitInterrupted = eigenmap.StatusInterrupted // with what was finished saved
)

// interruptedError is a run that was interrupted.
type interruptedError struct {
	by     string // name of the signal; "" if it was none
	dir    string
	saved  []string // names of the finished files in dir
	kept   bool     // dir keeps an earlier run's files, instead of partial ones
	whole  bool     // all results are in dir
	part   bool     // a part of the results is in dir
	half   bool     // the results were getting their names in dir, which took too long
	shut   bool     // other commands refuse dir in that state
	work   string   // the folder of --work, if it keeps finished work; else ""
	second bool     // it was the second run of --retry: the results of the first are printed, and are what is in dir
	lost   string   // why nothing could be saved; "" if that is not so
}

func (e *interruptedError) Error() string {
	said := e.results()
	if e.work != "" && !e.whole {
		said += "; finished work is kept in " + e.work + ": the same command goes on from there"
	}
	return said
}

// results says what became of the results.
func (e *interruptedError) results() string {
	said, nothing, parts, during := "interrupted", "; nothing was saved", "; what was finished is saved in ", " while the results were put in place in "
	if e.work != "" {
		nothing = "; no results were written"
	}
	if e.by != "" {
		said += " by " + e.by
	}
	if e.second {
		said += " in the second run; the results of the first are printed"
		nothing, parts, during = ", but not saved", ", and saved in ", ", and were being put in place in "
	}
	switch {
	case e.lost != "":
		return said + nothing + ": " + e.lost
	case e.whole:
		return said + "; the results were finished already and are in " + e.dir
	case e.half && e.shut:
		return said + during + e.dir + ", which other commands refuse until a run has finished there: run the command again"
	case e.half:
		return said + during + e.dir + ": run the command again"
	case len(e.saved) == 0 && e.part:
		return said + parts + e.dir
	case len(e.saved) > 0:
		return said + parts + e.dir + ": " + strings.Join(e.saved, ", ")
	case e.kept:
		return said + nothing + ", and the files of an earlier run in " + e.dir + " were left as they were"
	}
	return said + nothing
}

// writeError is a failure to write results: the work's failure even if the cause (a closed or
// invalid file) would elsewhere be the caller's.
type writeError struct {
	err   error
	what  string // that could be chosen elsewhere: "--out", "OUT"
	mixed bool   // the folder holds files of two runs
}

func (e *writeError) Error() string {
	left := "; nothing half-written was left"
	if e.mixed {
		left = "; the folder holds files of this run and of an earlier one, which other commands refuse: run the command again"
	}
	if errors.Is(e.err, syscall.ENOSPC) {
		return sentence(e.err) + ": free some space or choose another " + e.what + left
	}
	return sentence(e.err) + left
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
	case errors.As(err, &stopped):
		return exitInterrupted
	case errors.As(err, &writing), errors.As(err, &printing):
		return exitFailed
	}
	return eigenmap.ExitStatus(err)
}

// sentence is the error on one line, in the user's words.
func sentence(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted; nothing was saved"
	}
	said := err.Error()
	var named *eigenmap.Error
	if errors.As(err, &named) {
		said = strings.Replace(said, named.Error(), named.Text(flagName), 1)
	}
	var held *folder.HeldError
	if n := slepc.Processes(); errors.As(err, &held) && n > 1 && !slepc.Available {
		return fmt.Sprintf("another eigenmap is writing to %s: mpirun or srun started %d processes, and this build has no MPI, so that each is a run of its own; "+
			"start bin/eigenmap-slepc in its place, which make deps-slepc build-slepc makes, or one process without mpirun", held.Dir, n)
	}
	said = words.Rename(said, flagName) // of libraries that are called without the pipeline
	var failed *folder.WriteError
	if errors.As(err, &failed) && !errors.As(err, new(*writeError)) {
		return (&writeError{failed.Err, "--out", failed.Mixed}).Error()
	}
	var open *fs.PathError
	if errors.As(err, &open) && (err == error(open) || named != nil && errors.Unwrap(named) == error(open)) {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return open.Path + ": there is no such file or folder; check the path"
		case errors.Is(err, fs.ErrPermission):
			return open.Path + ": permission denied"
		}
		return open.Path + ": " + open.Err.Error()
	}
	lines := strings.FieldsFunc(said, func(r rune) bool { return r == '\n' || r == '\r' })
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Join(lines, "; ")
}

// textError says an error in other words and stays that error for errors.As.
type textError struct {
	text string
	err  error
}

func (e *textError) Error() string { return e.text }
func (e *textError) Unwrap() error { return e.err }

// requestf is an error in the request: exit status 2.
func requestf(format string, args ...any) error { return invalid.Errorf(format, args...) }
