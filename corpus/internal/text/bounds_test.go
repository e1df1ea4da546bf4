package text

import (
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// TestReallocateGivesBack: memory of pages that grows, shrinks and is freed is taken from the
// budget by its size alone.
func TestReallocateGivesBack(t *testing.T) {
	m := &pageMemory{budget: input.NewBudget(1 << 20)}
	b := m.Allocate(1000)
	for _, size := range []int{5000, 200, 70000} {
		if b = m.Reallocate(size, b); m.budget.Used() != int64(size) {
			t.Errorf("%d bytes are taken for %d", m.budget.Used(), size)
		}
	}
	if m.Free(b); m.budget.Used() != 0 {
		t.Errorf("%d bytes stay taken", m.budget.Used())
	}
}

// TestFromLine: a line begins a message if it has a time, digits on both sides of a colon.
func TestFromLine(t *testing.T) {
	for line, is := range map[string]bool{
		"From a@b Mon Jan  1 13:05:00 2024": true, "From a@b 1:05": true,
		"From there: we went": false, "From a:05": false, "From a@b 13:5": false, "From a@b 13:x5": false, "from a@b 13:05": false, "From a@b 13:": false,
	} {
		if isFromLine([]byte(line)) != is {
			t.Errorf("%q: %v", line, !is)
		}
	}
}
