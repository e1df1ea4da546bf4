package papers

import (
	"slices"
	"sync"
)

// memo keeps results that take long to make. A result that was dropped is made again, with the same
// value. While one goroutine makes a result, others wait for it. It is safe for several goroutines;
// the zero value keeps all results.
type memo[K comparable, V any] struct {
	most    int // results kept; 0: all
	mu      sync.Mutex
	results map[K]*result[V]
	order   []K // the most recent comes last; empty if most is 0
}

type result[V any] struct {
	mu    sync.Mutex
	there bool
	value V
}

// get returns the result of a key. An error is not kept.
func (m *memo[K, V]) get(key K, make func() (V, error)) (V, error) {
	r := m.of(key)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.there {
		v, err := make()
		if err != nil {
			return v, err
		}
		r.value, r.there = v, true
	}
	return r.value, nil
}

func (m *memo[K, V]) of(key K) *result[V] {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.results == nil {
		m.results = map[K]*result[V]{}
	}
	r := m.results[key]
	if r == nil {
		r = &result[V]{}
		m.results[key] = r
	}
	if m.most > 0 {
		if at := slices.Index(m.order, key); at >= 0 {
			m.order = slices.Delete(m.order, at, at+1)
		}
		if m.order = append(m.order, key); len(m.order) > m.most {
			delete(m.results, m.order[0])
			m.order = m.order[1:]
		}
	}
	return r
}
