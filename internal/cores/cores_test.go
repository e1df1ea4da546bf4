package cores

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/cgroup"
	"github.com/eigenmap/eigenmap/internal/must"
)

// TestChoose checks the order of the sources of the number of threads with prepared files.
func TestChoose(t *testing.T) {
	for name, tc := range map[string]struct {
		asked int
		env   map[string]string
		files map[string]string
		want  int
		why   string
		own   bool
	}{
		"all":               {want: 16, why: "processors"},
		"asked":             {asked: 40, env: map[string]string{"OMP_NUM_THREADS": "2"}, want: 40, why: "--threads", own: true},
		"OpenMP":            {env: map[string]string{"OMP_NUM_THREADS": "4,2", "SLURM_CPUS_PER_TASK": "8"}, want: 4, why: "OMP_NUM_THREADS", own: true},
		"Slurm":             {env: map[string]string{"SLURM_CPUS_PER_TASK": "8"}, want: 8, why: "SLURM_CPUS_PER_TASK", own: true},
		"no number":         {env: map[string]string{"OMP_NUM_THREADS": "many", "SLURM_CPUS_PER_TASK": "3"}, want: 3, why: "SLURM", own: true},
		"zero":              {env: map[string]string{"OMP_NUM_THREADS": "0"}, want: 16, why: "processors"},
		"more than present": {env: map[string]string{"OMP_NUM_THREADS": "64"}, want: 16, why: "processors"},
		"GOMAXPROCS":        {env: map[string]string{"GOMAXPROCS": "3"}, want: 3, why: "GOMAXPROCS"},
		"quota":             {files: map[string]string{"sys/cpu.max": "250000 100000\n"}, want: 3, why: "quota"},
		"quota below 1":     {files: map[string]string{"sys/cpu.max": "5000 100000\n"}, want: 1, why: "quota"},
		"no quota":          {files: map[string]string{"sys/cpu.max": "max 100000\n"}, want: 16, why: "processors"},
		"quota and Slurm":   {env: map[string]string{"SLURM_CPUS_PER_TASK": "8"}, files: map[string]string{"sys/cpu.max": "400000 100000\n"}, want: 4, why: "quota"},
		"quota above Slurm": {env: map[string]string{"SLURM_CPUS_PER_TASK": "2"}, files: map[string]string{"sys/cpu.max": "400000 100000\n"}, want: 2, why: "SLURM", own: true},
		"a group above": {files: map[string]string{"proc/self/cgroup": "0::/job/step\n", "sys/job/step/cpu.max": "800000 100000\n", "sys/job/cpu.max": "200000 100000\n"},
			want: 2, why: "quota"},
		"version 1": {files: map[string]string{"proc/self/cgroup": "3:cpu,cpuacct:/job\n", "sys/cpu/job/cpu.cfs_quota_us": "150000\n", "sys/cpu/job/cpu.cfs_period_us": "100000\n"},
			want: 2, why: "quota"},
		"version 1 together": {files: map[string]string{"proc/self/cgroup": "3:cpu,cpuacct:/job\n", "sys/cpu,cpuacct/job/cpu.cfs_quota_us": "500000\n",
			"sys/cpu,cpuacct/job/cpu.cfs_period_us": "100000\n"}, want: 5, why: "quota"},
		"version 1 without": {files: map[string]string{"sys/cpu/cpu.cfs_quota_us": "-1\n", "sys/cpu/cpu.cfs_period_us": "100000\n"}, want: 16, why: "processors"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range tc.files {
				path := filepath.Join(dir, file)
				must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
				must.Do(t, os.WriteFile(path, []byte(text), 0o644))
			}
			m := &machine{16, cgroup.System{Proc: filepath.Join(dir, "proc"), Root: filepath.Join(dir, "sys")}, func(name string) string { return tc.env[name] }}
			got := m.choose(tc.asked)
			if bad := tc.env["OMP_NUM_THREADS"]; len(got.Unusable) > 0 != (bad == "many" || bad == "0") {
				t.Errorf("unusable are %v", got.Unusable)
			}
			if got.Own != tc.own {
				t.Errorf("%d threads are the process's own: %v", got.Threads, got.Own)
			}
			if got.Threads != tc.want || !strings.Contains(got.Why, tc.why) {
				t.Errorf("%d threads because of %q, want %d because of %q", got.Threads, got.Why, tc.want, tc.why)
			}
		})
	}
}
