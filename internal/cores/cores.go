// Package cores decides how many threads the program uses: what was asked for, what the batch
// system gives, and what the processors and control groups allow.
package cores

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/internal/cgroup"
	"github.com/eigenmap/eigenmap/internal/words"
)

// Choice is a number of threads and why it was chosen.
type Choice struct {
	Threads int
	Why     string // "SLURM_CPUS_PER_TASK", "CPU quota of the control group", ...
	// Own says that the number was given for this process: by --threads or by a variable that decides.
	// Else the processes on one machine share it.
	Own bool
	// Unusable are the variables that are set to no number of threads, as NAME="VALUE".
	Unusable []string
}

// machine is what a choice depends on.
type machine struct {
	processors int // in the affinity mask of the process
	system     cgroup.System
	env        func(string) string
}

// Choose returns the number of threads to use. asked is the number given as --threads, 0 for none:
// it is used as it is. Without it the first of the environment variables OMP_NUM_THREADS and
// SLURM_CPUS_PER_TASK that holds a number counts, else all processors. No such number exceeds the
// processors in the affinity mask, the CPU quota of the control groups rounded up, or GOMAXPROCS.
func Choose(asked int) Choice {
	return (&machine{runtime.NumCPU(), cgroup.Host, os.Getenv}).choose(asked)
}

func (m *machine) choose(asked int) Choice {
	if asked > 0 {
		return Choice{Threads: asked, Why: "--threads", Own: true}
	}
	best := Choice{Threads: m.processors, Why: "the processors that this process may run on"}
	for _, name := range []string{"OMP_NUM_THREADS", "SLURM_CPUS_PER_TASK"} {
		// OMP_NUM_THREADS may be a list, one number for each level of nesting.
		first, _, _ := strings.Cut(m.env(name), ",")
		n, err := strconv.Atoi(strings.TrimSpace(first))
		switch {
		case err == nil && n > 0 && n <= best.Threads:
			best.Threads, best.Why, best.Own = n, name, true
		case m.env(name) != "" && (err != nil || n <= 0):
			best.Unusable = append(best.Unusable, fmt.Sprintf("%s=%q", name, m.env(name)))
			continue
		case m.env(name) == "":
			continue
		}
		break
	}
	if quota := m.quota(); quota > 0 && quota < float64(best.Threads) {
		n := max(1, int(quota+0.999))
		if n < best.Threads {
			best.Threads, best.Own = n, false
			best.Why = fmt.Sprintf("the CPU quota of the control group, %.2g of %s", quota, words.Counted(m.processors, "processor"))
		}
	}
	if n, err := strconv.Atoi(m.env("GOMAXPROCS")); err == nil && n > 0 && n < best.Threads {
		best.Threads, best.Why, best.Own = n, "GOMAXPROCS", false
	}
	return best
}

// quota returns the smallest CPU quota of the control groups of the process, in processors; 0 if
// there is none.
func (m *machine) quota() float64 {
	least := 0.0
	for _, g := range m.system.Folders("cpu") {
		var quota, period int64
		if g.Second {
			if f := g.Numbers("cpu.max"); len(f) > 1 {
				quota, period = f[0], f[1]
			}
		} else {
			quota, period = g.Number("cpu.cfs_quota_us"), g.Number("cpu.cfs_period_us")
		}
		if quota > 0 && period > 0 {
			if q := float64(quota) / float64(period); least == 0 || q < least {
				least = q
			}
		}
	}
	return least
}
