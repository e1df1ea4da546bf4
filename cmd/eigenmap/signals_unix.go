//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// stopping are the signals that stop a run: of a person, a batch system, a limit of CPU time (XCPU)
// and a terminal that goes away (HUP).
var stopping = map[os.Signal]string{
	syscall.SIGINT: "SIGINT", syscall.SIGTERM: "SIGTERM", syscall.SIGHUP: "SIGHUP",
	syscall.SIGUSR1: "SIGUSR1", syscall.SIGUSR2: "SIGUSR2", syscall.SIGXCPU: "SIGXCPU",
}

// stopSignals are the signals that stop this run. SIGHUP is left out if whoever started the program
// wants it ignored, as nohup does. SIGINT is never left out: shells ignore it for background jobs
// of scripts, which batch systems stop by it.
func stopSignals() []os.Signal {
	var list []os.Signal
	for s := range stopping {
		if s == syscall.SIGHUP && signal.Ignored(s) {
			continue
		}
		list = append(list, s)
	}
	return list
}

func signalName(s os.Signal) string { return stopping[s] }

// repeats says whether the system sends a signal again: SIGXCPU comes with every second of CPU time
// beyond the limit.
func repeats(s os.Signal) bool { return s == syscall.SIGXCPU }
