package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/native/start"
)

// guardVariable is set in the environment of the process that works under a guard.
const guardVariable = "EIGENMAP_GUARDED"

// underGuard is true in the process that works under a guard.
var underGuard bool

// errorsAt is the descriptor at which the working process finds the standard error of its guard.
const errorsAt = 3

// guard runs the program in a second process if the address space is limited (ulimit -v). The Go
// runtime and the libraries end a process that gets no more address space with a trace and status
// 2; the guard turns that into one sentence and status 1. Signals are passed on, and a guard that
// is killed takes the working process with it. Without such a limit there is no second process.
//
// done is false in the process that has to do the work.
func guard() (status int, done bool) {
	if os.Getenv(guardVariable) != "" {
		os.Unsetenv(guardVariable)
		underGuard = true
		os.Stderr = os.NewFile(errorsAt, "/dev/stderr")
		return 0, false
	}
	space := memory.AddressSpace()
	if space == memory.Unknown {
		return 0, false
	}
	if err := start.Check(space); err != nil {
		fmt.Fprintln(os.Stderr, "eigenmap: "+err.Error())
		return exitFailed, true
	}
	status, err := watchOver(space)
	if err != nil { // no second process: the work is done here, without a guard
		return 0, false
	}
	return status, true
}

// watchOver starts the working process and returns its exit status.
func watchOver(space int64) (int, error) {
	program, err := os.Executable()
	if err != nil {
		return 0, err
	}
	runtime.LockOSThread() // the working process ends with the thread that started it
	last := &tail{most: 1 << 20}
	work := exec.Command(program)
	work.Args = os.Args
	work.Env = append(os.Environ(), guardVariable+"=1")
	work.Stdin, work.Stdout, work.Stderr = os.Stdin, os.Stdout, last
	work.ExtraFiles = []*os.File{os.Stderr}
	work.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, append(stopSignals(), syscall.SIGQUIT)...)
	if err := work.Start(); err != nil {
		signal.Stop(signals)
		return 0, err
	}
	go func() {
		for s := range signals {
			work.Process.Signal(s)
		}
	}()
	err = work.Wait()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		fmt.Fprintln(os.Stderr, "eigenmap: "+err.Error())
		return exitFailed, nil
	}
	return verdict(os.Stderr, work.ProcessState, last.text(), space), nil
}

// verdict is the exit status for the end of the working process, and prints what it wrote outside
// of its own messages: a trace of the runtime that is out of memory becomes one sentence.
func verdict(w io.Writer, state *os.ProcessState, text string, space int64) int {
	status, crashed := state.ExitCode(), false
	if ended, ok := state.Sys().(syscall.WaitStatus); ok && ended.Signaled() {
		status, crashed = 128+int(ended.Signal()), true
	}
	if (crashed || status == exitRequest) && outOfMemory(text) {
		if os.Getenv("EIGENMAP_DEBUG") != "" {
			io.WriteString(w, text)
		}
		fmt.Fprintf(w, "eigenmap: out of memory: ulimit -v allows %s of address space, and the work needed more: raise it, or give fewer --threads or less data\n", words.Bytes(space))
		return exitFailed
	}
	io.WriteString(w, text)
	return status
}

// outOfMemory reports whether the last words of a process say that it got no more memory.
func outOfMemory(text string) bool {
	for _, sign := range []string{"out of memory", "cannot allocate memory", "Cannot allocate memory", "failed to reserve", "failed to allocate", "pthread_create failed",
		"newosproc", "Resource temporarily unavailable", "memory allocation", "Memory allocation", "errno=12", "runtime: mmap"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// tail keeps the beginning of what is written, up to most bytes.
type tail struct {
	most int
	kept bytes.Buffer
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept.Write(p[:min(len(p), max(0, t.most-t.kept.Len()))])
	return len(p), nil
}

func (t *tail) text() string { return t.kept.String() }

// oneOfBoth drops copies of a signal that reach a guarded process twice, from the terminal or the
// batch system and from the guard, within a moment.
func oneOfBoth(signals <-chan os.Signal) {
	if !underGuard {
		return
	}
	const moment = 300 * time.Millisecond
	for end := time.After(moment); ; {
		select {
		case <-signals:
		case <-end:
			return
		}
	}
}
