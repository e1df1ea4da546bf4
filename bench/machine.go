package bench

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/native"
)

// Machine is the machine and the program that the figures are of.
type Machine struct {
	CPU      string             `json:"cpu"`
	MemoryGB float64            `json:"memory_gb"`
	Library  native.Information `json:"library"`
	Revision string             `json:"revision,omitempty"`
	Date     time.Time          `json:"date"`
}

// DescribeMachine looks at this machine and this program; what the system does not report is left
// out.
func DescribeMachine(ctx context.Context) Machine {
	m := Machine{CPU: runtime.GOARCH, Library: native.Info(), Date: time.Now().UTC().Truncate(time.Second)}
	if v := firstField("/proc/cpuinfo", "model name"); v != "" {
		m.CPU = v
	}
	var kB float64
	if _, err := fmt.Sscan(firstField("/proc/meminfo", "MemTotal"), &kB); err == nil {
		m.MemoryGB = kB / (1 << 20)
	}
	if out, err := exec.CommandContext(ctx, "git", "describe", "--tags", "--always", "--dirty").Output(); err == nil {
		m.Revision = strings.TrimSpace(string(out))
	}
	return m
}

// Load is the number of processes that ran or waited to, on average over the last minute; 0 where
// the system does not say.
func Load() float64 {
	var load float64
	if raw, err := os.ReadFile("/proc/loadavg"); err == nil {
		_, _ = fmt.Sscan(string(raw), &load) // stays 0
	}
	return load
}

// firstField returns what follows "key :" in the first line of a /proc file that has it.
func firstField(path, key string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if k, v, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// Lines describes the machine in lines for a person.
func (m Machine) Lines() []string {
	cores := "cores"
	if m.Library.Cores == 1 {
		cores = "core"
	}
	lines := []string{
		fmt.Sprintf("%s, %d %s, %.0f GB; %d threads; %s %s/%s; %s",
			m.CPU, m.Library.Cores, cores, m.MemoryGB, m.Library.Threads, m.Library.Go, m.Library.OS, m.Library.Arch, m.Date.Format(time.RFC3339)),
		fmt.Sprintf("engines %s; %s", strings.Join(m.Library.Engines, ", "), m.Library.BLAS),
	}
	if why := m.Library.Kernels.Why(); why != "" {
		lines[1] += "; kernels for " + m.Library.Core + ", " + why
	}
	if m.Revision != "" {
		lines[1] += "; revision " + m.Revision
	}
	return lines
}
