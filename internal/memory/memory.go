// Package memory tells how much memory this process can still take, so that work which needs more is refused before it begins:
// a system that has no more to give ends the program without a word.
package memory

import (
	"bytes"
	"math"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Unknown is what [Available] returns where the system tells nothing.
const Unknown = math.MaxInt64

// Limit is most, or what can still be taken where that is less: at least a byte, since 0 stands for a default in many options.
func Limit(most int64) int64 { return max(1, min(most, Available())) }

// Available returns the bytes that this process can still take: the least of what the system has free without swapping, what control
// groups (version 2 or 1) and what a limit of the address space (ulimit -v) leave. Linux only; elsewhere Unknown.
func Available() int64 { return (&machine{"/proc", "/sys/fs/cgroup", addressSpace()}).available() }

// forThreads is kept out of a limited address space for what threads and libraries reserve as they begin.
const forThreads = 256 << 20

// machine is where the system tells about itself.
type machine struct {
	proc, groups string
	space        int64 // limit of the address space
}

func (m *machine) available() int64 {
	size, resident := m.taken()
	least := m.free()
	if limit := m.group(); limit != Unknown {
		least = min(least, limit-resident)
	}
	if m.space != Unknown {
		left := max(0, m.space-size)
		least = min(least, max(left-forThreads, left/4)) // small work may fit where this is not to be had
	}
	return max(0, least)
}

// taken is the address space and the memory that the process has now.
func (m *machine) taken() (size, resident int64) {
	data, _ := os.ReadFile(filepath.Join(m.proc, "self/statm"))
	f := bytes.Fields(data)
	if len(f) < 2 {
		return 0, 0
	}
	page := int64(os.Getpagesize())
	return number(f[0]) * page, number(f[1]) * page
}

// free is MemAvailable, or MemTotal of systems too old to know that.
func (m *machine) free() int64 {
	data, err := os.ReadFile(filepath.Join(m.proc, "meminfo"))
	if err != nil {
		return Unknown
	}
	least := int64(Unknown)
	for line := range bytes.Lines(data) {
		f := bytes.Fields(line)
		if len(f) < 2 || number(f[1]) <= 0 {
			continue
		}
		switch string(f[0]) {
		case "MemAvailable:":
			return number(f[1]) << 10
		case "MemTotal:":
			least = number(f[1]) << 10
		}
	}
	return least
}

// group is the least limit of the control groups that the process is in, and of those above them. In a container the root of what it sees is its own group.
func (m *machine) group() int64 {
	files := []string{filepath.Join(m.groups, "memory.max"), filepath.Join(m.groups, "memory/memory.limit_in_bytes")}
	data, _ := os.ReadFile(filepath.Join(m.proc, "self/cgroup"))
	for line := range bytes.Lines(data) {
		f := strings.SplitN(strings.TrimSpace(string(line)), ":", 3) // number:controllers:path
		if len(f) < 3 {
			continue
		}
		root, name := m.groups, "memory.max"
		if f[1] != "" {
			if !strings.Contains(","+f[1]+",", ",memory,") {
				continue
			}
			root, name = filepath.Join(m.groups, "memory"), "memory.limit_in_bytes"
		}
		for at := path.Clean("/" + f[2]); at != "/"; at = path.Dir(at) {
			files = append(files, filepath.Join(root, at, name))
		}
	}
	least := int64(Unknown)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if limit := number(bytes.TrimSpace(data)); err == nil && limit > 0 { // "max" is none
			least = min(least, limit)
		}
	}
	return least
}

// number is 0 for what is no number of an int64.
func number(text []byte) int64 {
	v, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return 0
	}
	return v
}
