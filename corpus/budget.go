package corpus

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
)

// fallbackMemory is taken for the machine's memory where the system does not tell it.
const fallbackMemory = 8 << 30

// budget bounds the memory one reader takes. It is asked before memory is taken, so a file can
// never make the program ask the system for more than the user allowed.
type budget struct{ limit, used int64 }

// newBudget makes a budget of limit bytes; 0 or less means three quarters of what the machine has free.
func newBudget(limit int64) *budget {
	if limit <= 0 {
		limit = availableMemory() / 4 * 3
	}
	return &budget{limit: limit}
}

// take reserves n items of size bytes each.
func (b *budget) take(n, size int64) error {
	if n < 0 || size < 0 || (size > 0 && n > (b.limit-b.used)/size) {
		return errMemory
	}
	b.used += n * size
	return nil
}

// give returns what take reserved.
func (b *budget) give(n, size int64) { b.used -= n * size }

// availableMemory returns the bytes the system says can be taken without swapping, or the limit of the container where that is less.
func availableMemory() int64 {
	return min(freeMemory("/proc/meminfo"), containerMemory("/sys/fs/cgroup"))
}

// containerMemory returns the least limit that control groups, version 2 or 1, set to this process' memory; the largest integer for none.
func containerMemory(groups string) int64 {
	least := int64(math.MaxInt64)
	for _, file := range []string{"memory.max", "memory/memory.limit_in_bytes"} {
		data, err := os.ReadFile(filepath.Join(groups, file))
		if err != nil {
			continue
		}
		if limit, err := strconv.ParseInt(string(bytes.TrimSpace(data)), 10, 64); err == nil && limit > 0 { // "max" is none
			least = min(least, limit)
		}
	}
	return least
}

// freeMemory reads a file such as /proc/meminfo.
func freeMemory(file string) int64 {
	data, err := os.ReadFile(file)
	if err != nil {
		return fallbackMemory
	}
	var total int64
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
		f := bytes.Fields(sc.Bytes())
		if len(f) < 2 {
			continue
		}
		kib, err := strconv.ParseInt(string(f[1]), 10, 64)
		if err != nil {
			continue
		}
		switch string(f[0]) {
		case "MemAvailable:":
			return kib << 10
		case "MemTotal:":
			total = kib << 10
		}
	}
	if total > 0 {
		return total
	}
	return fallbackMemory
}

// push appends v to s; where s must grow, the budget is asked first. Growth is by half, so that the
// old and the new array together stay below three times the content.
func push[T any](b *budget, s []T, size int64, v T) ([]T, error) {
	if len(s) == cap(s) {
		grown := max(1024, cap(s)+cap(s)/2)
		var err error
		if s, err = regrow(b, s, size, grown); err != nil {
			return s, err
		}
	}
	return append(s, v), nil
}

// regrow moves s into an array of the given capacity.
func regrow[T any](b *budget, s []T, size int64, capacity int) ([]T, error) {
	if err := b.take(int64(capacity), size); err != nil {
		return s, err
	}
	grown := make([]T, len(s), capacity)
	copy(grown, s)
	b.give(int64(cap(s)), size)
	return grown, nil
}
