package papers

import (
	"errors"
	"sync"
	"testing"
)

// A result is made once for all that need it at once, and again after an error or if it was
// dropped.
func TestMemo(t *testing.T) {
	m := memo[int, int]{most: 2}
	made := 0
	get := func(key int) int {
		v, err := m.get(key, func() (int, error) { made++; return 10 * key, nil })
		if err != nil {
			t.Error(err)
		}
		return v
	}
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			if v := get(1); v != 10 {
				t.Errorf("%d", v)
			}
		}()
	}
	all.Wait()
	if made != 1 {
		t.Errorf("made %d times", made)
	}
	get(2)
	get(1) // 2 is now the oldest
	get(3)
	if get(1); made != 3 {
		t.Errorf("made %d times", made)
	}
	if get(2); made != 4 || len(m.results) != 2 || len(m.order) != 2 {
		t.Errorf("made %d times, %d kept", made, len(m.results))
	}
	broken := errors.New("broken")
	if _, err := m.get(4, func() (int, error) { return 0, broken }); err != broken {
		t.Error(err)
	}
	if v := get(4); v != 40 {
		t.Errorf("%d after an error", v)
	}
	keeps := memo[int, int]{}
	for i := range 100 {
		keeps.get(i, func() (int, error) { return i, nil })
	}
	if len(keeps.results) != 100 || len(keeps.order) != 0 {
		t.Errorf("%d kept", len(keeps.results))
	}
}
