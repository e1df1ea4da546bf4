package memory

import (
	"os"
	"path/filepath"
	"testing"
)

const giB = 1 << 30

// TestAvailable checks with prepared system files that the smallest of the limits is returned.
func TestAvailable(t *testing.T) {
	const free = "proc/meminfo"
	own := func(n int64) int64 { return n * int64(os.Getpagesize()) }
	statm := "100 10 1 1 0 1 0\n" // pages of address space and of resident memory
	meminfo := "MemTotal: 8388608 kB\nMemFree: 1 kB\nMemAvailable: 4194304 kB\n"
	for name, tc := range map[string]struct {
		files map[string]string
		space int64
		want  int64
	}{
		"nothing known":       {nil, Unknown, Unknown},
		"free":                {map[string]string{free: meminfo}, Unknown, 4 * giB},
		"old system":          {map[string]string{free: "MemTotal: 8388608 kB\n"}, Unknown, 8 * giB},
		"damaged":             {map[string]string{free: "MemAvailable:\nMemAvailable: x kB\n\n", "sys/memory.max": "what"}, Unknown, Unknown},
		"container":           {map[string]string{free: meminfo, "sys/memory.max": "1073741824\n", "proc/self/statm": statm}, Unknown, giB - own(10)},
		"no limit":            {map[string]string{free: meminfo, "sys/memory.max": "max\n", "sys/memory/memory.limit_in_bytes": "9223372036854771712\n"}, Unknown, 4 * giB},
		"version 1":           {map[string]string{free: meminfo, "sys/memory/memory.limit_in_bytes": "2147483648\n"}, Unknown, 2 * giB},
		"used up":             {map[string]string{free: meminfo, "sys/memory.max": "4096\n", "proc/self/statm": statm}, Unknown, 0},
		"address space":       {map[string]string{free: meminfo, "proc/self/statm": statm}, 2 * giB, 2*giB - own(100) - forThreads},
		"small address space": {map[string]string{free: meminfo, "proc/self/statm": statm}, own(100) + 4096, 1024},
		"a group above": {map[string]string{free: meminfo, "proc/self/cgroup": "0::/user.slice/user-1.slice/run.scope\n",
			"sys/user.slice/user-1.slice/run.scope/memory.max": "max\n", "sys/user.slice/user-1.slice/memory.max": "3221225472\n", "sys/user.slice/memory.max": "max\n"}, Unknown, 3 * giB},
		"version 1 below": {map[string]string{free: meminfo, "proc/self/cgroup": "5:cpu,cpuacct:/a\n4:memory:/job/1\n",
			"sys/memory/job/1/memory.limit_in_bytes": "1073741824\n", "sys/memory/a/memory.limit_in_bytes": "1\n"}, Unknown, giB},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range tc.files {
				path := filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			m := &machine{filepath.Join(dir, "proc"), filepath.Join(dir, "sys"), tc.space}
			if got := m.available(); got != tc.want {
				t.Errorf("%d bytes, want %d", got, tc.want)
			}
		})
	}
}

func TestLimit(t *testing.T) {
	if got := Limit(1); got != 1 {
		t.Errorf("of one byte: %d", got)
	}
	if got := Limit(Unknown); got <= 0 || got > Available()+giB {
		t.Errorf("of all there is: %d", got)
	}
}
