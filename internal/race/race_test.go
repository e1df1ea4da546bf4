package race

import (
	"slices"
	"testing"
)

func TestBeyond(t *testing.T) {
	if got, want := Beyond(3), map[bool]int{true: 3}[On]; got != want {
		t.Errorf("from %d on, not %d", got, want)
	}
}

func TestThreads(t *testing.T) {
	want := []int{1, 2, 5}
	if On {
		want = want[1:]
	}
	if got := Threads(1, 2, 5); !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}
