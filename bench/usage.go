package bench

import (
	"os"
	"time"
)

// stopwatch measures wall-clock and processor time of a part of a contestant's run.
type stopwatch struct {
	start time.Time
	busy  float64
}

func startStopwatch() stopwatch { return stopwatch{time.Now(), CPUSeconds()} }

// outcome is the time since the start, divided by repeats.
func (w stopwatch) outcome(repeats float64, note string) Outcome {
	return Outcome{Seconds: time.Since(w.start).Seconds() / repeats, CPU: (CPUSeconds() - w.busy) / repeats, Note: note}
}

// Ended is the processor time and the peak memory in MB of a process that has ended, 0 where the
// system does not count them.
func Ended(p *os.ProcessState) (cpu, peakMB float64) {
	return (p.UserTime() + p.SystemTime()).Seconds(), maxRSS(p)
}
