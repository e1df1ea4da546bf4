// Package memory returns how much memory this process can still allocate. Callers use it to refuse
// work that needs more before it begins, because a system that is out of memory kills the process
// without a message.
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

// Unknown is the result of [Available] if the system gives no figure.
const Unknown = math.MaxInt64

// Limit returns the smaller of most and [Available], but at least 1, because 0 means a default in
// many options. Bytes.
func Limit(most int64) int64 { return max(1, min(most, Available())) }

// Available returns the number of bytes that this process can still allocate: the smallest of the
// system's free memory without swap, the rest of the limits of the control groups (version 2 or 1)
// and the rest of the address space limit (ulimit -v). On systems other than Linux it returns
// Unknown.
func Available() int64 { return (&machine{"/proc", "/sys/fs/cgroup", addressSpace()}).available() }

// forThreads is the part of a limited address space, in bytes, that is kept for the memory that
// threads and libraries reserve when they start.
const forThreads = 256 << 20

// machine holds the paths that describe the system, and its address space limit.
type machine struct {
	proc, groups string
	space        int64 // limit of the address space, bytes
}

func (m *machine) available() int64 {
	size, resident := m.taken()
	least := m.free()
	if limit := m.group(); limit != Unknown {
		least = min(least, limit-resident)
	}
	if m.space != Unknown {
		left := max(0, m.space-size)
		// Small work may fit even if forThreads bytes are not left.
		least = min(least, max(left-forThreads, left/4))
	}
	return max(0, least)
}

// taken returns the address space and the resident memory of the process, in bytes.
func (m *machine) taken() (size, resident int64) {
	data, _ := os.ReadFile(filepath.Join(m.proc, "self/statm"))
	f := bytes.Fields(data)
	if len(f) < 2 {
		return 0, 0
	}
	page := int64(os.Getpagesize())
	return number(f[0]) * page, number(f[1]) * page
}

// free returns MemAvailable in bytes, or MemTotal on old systems without MemAvailable.
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

// group returns the smallest limit, in bytes, of the control groups of the process and of
// their parents. In a container the visible root is the container's own group.
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
		if limit := number(bytes.TrimSpace(data)); err == nil && limit > 0 { // "max" means no limit
			least = min(least, limit)
		}
	}
	return least
}

// number parses an int64. It returns 0 if text is not a number in that range.
func number(text []byte) int64 {
	v, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return 0
	}
	return v
}
