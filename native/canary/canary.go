// Package canary shows whether a library call touches memory outside its operands. Each operand is
// copied between canaries, the call works on the copies, and afterwards every byte that the call
// may not write is compared: before and behind the operand, between its rows, in the triangle that
// is not stored, and the whole of an operand that is only read. Numbers that the call may write are
// copied back.
//
// Canaries are NaN as floating-point numbers, so that a call that reads them spoils its result. A
// copy lies at the same offset within a cache line as the operand, for the same bits.
//
// It is for tests: native uses it under the build tag canary. An operand costs its copy.
package canary

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Number is an entry of an operand.
type Number interface {
	~uint8 | ~int32 | ~float32 | ~float64
}

const (
	margin    = 256 // bytes of canaries on each side
	cacheLine = 64
)

// Part is the stored part of a matrix.
type Part int

// Whole is every column of each row; Upper and Lower are a triangle with its diagonal.
const (
	Whole Part = iota
	Upper
	Lower
)

// Area is what a call may touch: in row i, which begins at i·Stride, the columns of Part.
type Area struct {
	Rows, Cols, Stride int
	Part               Part
}

// Vector is the area of n numbers at distance inc, which may be negative as in BLAS.
func Vector(n, inc int) Area {
	if inc == 1 {
		return Area{Rows: 1, Cols: n, Stride: n}
	}
	return Area{Rows: n, Cols: 1, Stride: max(inc, -inc, 1)}
}

// columns returns the columns [lo, hi) of row i.
func (a Area) columns(i int) (lo, hi int) {
	switch a.Part {
	case Upper:
		return min(i, a.Cols), a.Cols
	case Lower:
		return 0, min(i+1, a.Cols)
	}
	return 0, a.Cols
}

// size is the number of entries from the first to the last. Rows without columns count too, as in
// gonum's checks of lengths.
func (a Area) size() int {
	if a.Rows <= 0 {
		return 0
	}
	return max(0, (a.Rows-1)*a.Stride+a.Cols)
}

// Fault is the panic of [Call.End].
type Fault struct {
	// Routine is the name given to [Begin].
	Routine string
	// Writes has a sentence for each operand beside or in which the call wrote what it must not.
	Writes []string
}

func (f *Fault) Error() string {
	return "canary: " + f.Routine + " " + strings.Join(f.Writes, "; ")
}

// Call is one call of a library.
type Call struct {
	routine string
	checks  []func() string
	results []func()
}

var calls sync.Map // routine → *atomic.Int64

// Calls returns how many calls of each routine have ended.
func Calls() map[string]int64 {
	all := map[string]int64{}
	calls.Range(func(routine, n any) bool {
		all[routine.(string)] = n.(*atomic.Int64).Load()
		return true
	})
	return all
}

// Begin begins a call of the routine.
func Begin(routine string) *Call { return &Call{routine: routine} }

// Read returns a guarded copy of an operand that the call only reads; nil stays nil. It panics if x
// is shorter than the area.
func Read[T Number](c *Call, name string, x []T, area Area) []T {
	return guard(c, name, x, area, false)
}

// Write is Read for an operand that the call may write; End copies the area back to x.
func Write[T Number](c *Call, name string, x []T, area Area) []T {
	return guard(c, name, x, area, true)
}

// End checks all operands and copies the results back. It panics with a *[Fault] if the call wrote
// outside.
func (c *Call) End() {
	n, _ := calls.LoadOrStore(c.routine, new(atomic.Int64))
	n.(*atomic.Int64).Add(1)
	var writes []string
	for _, check := range c.checks {
		if what := check(); what != "" {
			writes = append(writes, what)
		}
	}
	if len(writes) > 0 {
		panic(&Fault{Routine: c.routine, Writes: writes})
	}
	for _, copyBack := range c.results {
		copyBack()
	}
}

func guard[T Number](c *Call, name string, x []T, area Area, written bool) []T {
	if x == nil {
		return nil
	}
	size := area.size()
	if len(x) < size {
		panic(fmt.Sprintf("canary: %s may touch %d numbers of %s, which has %d", c.routine, size, name, len(x)))
	}
	f := newFence(x, area, size)
	c.checks = append(c.checks, func() string { return f.changes(name, written) })
	if written {
		c.results = append(c.results, func() { f.rows(func(inner, outer []T) { copy(outer, inner) }) })
	}
	return f.inner
}

// fence is a copy of an operand between canaries. inner is the copy, in buffer at from.
type fence[T Number] struct {
	outer, inner, buffer []T
	area                 Area
	from                 int
}

// newFence copies the operand to the offset in a cache line that x has.
func newFence[T Number](x []T, area Area, size int) *fence[T] {
	width := int(unsafe.Sizeof(*new(T)))
	f := &fence[T]{outer: x, area: area, from: margin / width, buffer: make([]T, size+(2*margin+cacheLine)/width)}
	offset := func(p *T) int { return int(uintptr(unsafe.Pointer(p)) % cacheLine) }
	if first := unsafe.SliceData(x); first != nil {
		f.from += (offset(first) - offset(&f.buffer[0]) + cacheLine) % cacheLine / width
	}
	to := f.from + size
	f.inner = f.buffer[f.from:to:max(to, f.from+1)] // without capacity a slice would begin elsewhere
	f.surround()
	f.rows(func(inner, outer []T) { copy(inner, outer) })
	return f
}

// surround puts canaries everywhere outside the area.
func (f *fence[T]) surround() {
	canary := canaries[int(unsafe.Sizeof(*new(T)))]
	f.outside(func(part []T) bool {
		for b := bytesOf(part); len(b) > 0; {
			b = b[copy(b, canary):]
		}
		return true
	})
}

// canaries are long rows of canaries, by the width of the number.
var canaries = map[int][]byte{
	1: bytes.Repeat([]byte("\x1e"), 2*margin),
	4: bytes.Repeat([]byte("\x1e\xab\xe5\xff"), 2*margin/4),
	8: bytes.Repeat([]byte("\x1e\xab\xa1\x5c\x0d\xf0\xf8\xff"), 2*margin/8),
}

// rows calls do for each row of the area in the copy and in the operand.
func (f *fence[T]) rows(do func(inner, outer []T)) {
	for i := range f.area.Rows {
		if lo, hi := f.area.columns(i); lo < hi {
			at := i*f.area.Stride + lo
			do(f.inner[at:at+hi-lo], f.outer[at:at+hi-lo])
		}
	}
}

// outside calls do for each piece of the buffer outside the area, until do returns false.
func (f *fence[T]) outside(do func(part []T) bool) {
	next := 0
	for i := range f.area.Rows {
		if lo, hi := f.area.columns(i); lo < hi {
			at := f.from + i*f.area.Stride
			if at+lo > next && !do(f.buffer[next:at+lo]) {
				return
			}
			next = at + hi
		}
	}
	do(f.buffer[next:])
}

// changes describes what the call wrote that it must not, or is empty.
func (f *fence[T]) changes(name string, written bool) string {
	width := int(unsafe.Sizeof(*new(T)))
	canary, entire := canaries[width], true
	f.outside(func(part []T) bool {
		for b := bytesOf(part); len(b) > 0 && entire; {
			n := min(len(b), len(canary))
			entire = bytes.Equal(b[:n], canary[:n])
			b = b[n:]
		}
		return entire
	})
	if !written {
		f.rows(func(inner, outer []T) { entire = entire && bytes.Equal(bytesOf(inner), bytesOf(outer)) })
	}
	if entire {
		return ""
	}
	before := &fence[T]{outer: f.outer, area: f.area, from: f.from, buffer: slices.Clone(f.buffer)}
	before.inner = before.buffer[f.from:][:len(f.inner)]
	before.surround()
	if !written {
		before.rows(func(inner, outer []T) { copy(inner, outer) })
	}
	return difference(name, bytesOf(before.buffer), bytesOf(f.buffer), f.from, f.from+len(f.inner), width)
}

func bytesOf[T Number](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(*new(T))))
}

// difference describes the first and last byte that changed.
func difference(name string, before, now []byte, from, to, width int) string {
	first, last, count := -1, 0, 0
	for i := range now {
		if now[i] != before[i] {
			if first < 0 {
				first = i
			}
			last = i
			count++
		}
	}
	entry := first/width - from
	place := "in what it must not write of"
	switch {
	case first/width < from:
		place = "before"
	case first/width >= to:
		place = "behind"
	}
	return fmt.Sprintf("wrote %s %s: %d bytes from entry %d to entry %d, entry %d is now % x",
		place, name, count, entry, last/width-from, entry, now[first/width*width:][:width])
}
