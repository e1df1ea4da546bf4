package outofcore

import (
	"cmp"
	"container/heap"
	"slices"
)

// Sample draws a number of items of a stream without replacement, every set of that many with the
// same chance: it keeps the items whose hashes of seed and number are the smallest. So the draw
// depends on the seed and the number of items alone, not on how they come, and a smaller sample of
// the same seed is a part of a larger one.
//
// Time: O(log size) for an item that is kept, O(1) for others. Memory: the items that are kept.
type Sample[T any] struct {
	Seen int // items so far

	size  int
	seed  uint64
	items byHash[T]
	held  int64
}

// NewSample draws size items.
func NewSample[T any](size int, seed uint64) *Sample[T] { return &Sample[T]{size: size, seed: seed} }

// drawn is an item that is kept.
type drawn[T any] struct {
	hash   uint64
	number int
	bytes  int64
	item   T
}

// byHash is a heap with the largest hash on top.
type byHash[T any] []drawn[T]

func (h byHash[T]) Len() int           { return len(h) }
func (h byHash[T]) Less(a, b int) bool { return h[a].hash > h[b].hash }
func (h byHash[T]) Swap(a, b int)      { h[a], h[b] = h[b], h[a] }
func (h *byHash[T]) Push(x any)        { *h = append(*h, x.(drawn[T])) }
func (h *byHash[T]) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = drawn[T]{}
	*h = old[:len(old)-1]
	return last
}

// Offer takes the next item of the stream. keep, called if the item is drawn so far, returns what
// is kept of it and its bytes.
func (s *Sample[T]) Offer(keep func() (T, int64)) {
	hash := mixed(s.seed, uint64(s.Seen))
	number := s.Seen
	s.Seen++
	if len(s.items) == s.size {
		if s.size == 0 || hash > s.items[0].hash {
			return
		}
		s.held -= heap.Pop(&s.items).(drawn[T]).bytes
	}
	item, bytes := keep()
	s.held += bytes
	heap.Push(&s.items, drawn[T]{hash, number, bytes, item})
}

// Held are the bytes of the items that are kept.
func (s *Sample[T]) Held() int64 { return s.held }

// Items are the items drawn, in the order of the stream, and their numbers in it, from 0. The
// sample is empty then.
func (s *Sample[T]) Items() (items []T, numbers []int) {
	slices.SortFunc(s.items, func(a, b drawn[T]) int { return cmp.Compare(a.number, b.number) })
	for _, d := range s.items {
		items, numbers = append(items, d.item), append(numbers, d.number)
	}
	s.items, s.held = nil, 0
	return items, numbers
}

// mixed is a hash of a seed and a number: the finalizer of SplitMix64 (Steele, Lea and Flood 2014),
// twice. It is one-to-one in the number, so no two items of a stream have the same hash.
func mixed(seed, number uint64) uint64 {
	return finalized(finalized(seed+0x9e3779b97f4a7c15) + number*0x9e3779b97f4a7c15)
}

func finalized(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
