// Package memory returns how much memory this process can still allocate. Callers use it to refuse
// work that needs more before it begins, because a system that is out of memory kills the process
// without a message.
package memory

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/cgroup"
)

// Unknown is the result of [Available] if the system gives no figure.
const Unknown = math.MaxInt64

// Available returns the number of bytes that this process can still allocate: the smallest of the
// system's free memory without swap, the rest of the limits of the control groups (version 2 or 1)
// and the rest of the address space limit (ulimit -v). On systems other than Linux it returns
// Unknown.
func Available() int64 { return (&machine{"/proc", "/sys/fs/cgroup", addressSpace()}).available() }

// AddressSpace returns the limit of the address space (ulimit -v) in bytes, Unknown without one.
func AddressSpace() int64 { return addressSpace() }

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
	least := m.group(resident, m.free())
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

// group returns what the control groups of the process and their parents leave of least bytes: each
// limit less what its group takes, file cache aside. A group that does not tell what it takes is
// taken to hold this process alone.
func (m *machine) group(resident, least int64) int64 {
	for _, g := range (cgroup.System{Proc: m.proc, Root: m.groups}).Folders("memory") {
		limitFile, usageFile := "memory.limit_in_bytes", "memory.usage_in_bytes"
		if g.Second {
			limitFile, usageFile = "memory.max", "memory.current"
		}
		limit := g.Number(limitFile)
		if limit <= 0 || limit > Unknown/2 { // no limit: "max", in version 1 the largest number of pages
			continue
		}
		used := g.Number(usageFile)
		if limit-max(resident, used) >= least {
			continue // whatever cache there is: the kernel takes long to count it
		}
		least = min(least, max(0, limit-max(resident, used-cache(g))))
	}
	return least
}

// cache returns the bytes of file cache in a group, which the system drops before memory runs out.
func cache(g cgroup.Folder) int64 {
	data, _ := os.ReadFile(filepath.Join(g.Dir, "memory.stat"))
	total := int64(0)
	for line := range bytes.Lines(data) {
		f := bytes.Fields(line)
		if len(f) == 2 && (string(f[0]) == "inactive_file" || string(f[0]) == "active_file") {
			total += number(f[1])
		}
	}
	return total
}

// field returns a size in bytes of a file of /proc, given there in kB; 0 without it.
func field(data []byte, name string) int64 {
	for line := range bytes.Lines(data) {
		if f := bytes.Fields(line); len(f) > 1 && string(f[0]) == name {
			return number(f[1]) << 10
		}
	}
	return 0
}

// number parses an int64. It returns 0 if text is not a number in that range.
func number(text []byte) int64 {
	v, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return 0
	}
	return v
}
