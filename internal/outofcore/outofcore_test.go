package outofcore

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

func drawnOf(n, size int, seed uint64) []int {
	s := NewSample[int](size, seed)
	for i := range n {
		s.Offer(func() (int, int64) { return 10 * i, 8 })
	}
	items, numbers := s.Items()
	for k, i := range numbers {
		if items[k] != 10*i {
			panic("an item has another one's number")
		}
	}
	return numbers
}

// A sample has its size, in order, is all there is of less, and is a part of a larger one; other
// seeds draw others.
func TestSampleOfAStream(t *testing.T) {
	small, large := drawnOf(10000, 50, 3), drawnOf(10000, 400, 3)
	if len(small) != 50 || len(large) != 400 || !slices.IsSorted(small) || !slices.IsSorted(large) {
		t.Fatalf("%d and %d items, sorted %v, %v", len(small), len(large), slices.IsSorted(small), slices.IsSorted(large))
	}
	for _, i := range small {
		if !slices.Contains(large, i) {
			t.Errorf("%d is in the sample of 50 and not in the sample of 400", i)
		}
	}
	if slices.Equal(small, drawnOf(10000, 50, 4)) {
		t.Error("two seeds draw the same")
	}
	if got := drawnOf(7, 50, 1); len(got) != 7 {
		t.Errorf("%d of 7 items", len(got))
	}
	if got := drawnOf(7, 0, 1); len(got) != 0 {
		t.Errorf("%d items of none", len(got))
	}
}

// Each item has the same chance: over many seeds the counts of ten parts of the stream, and of
// pairs of neighbours, are as of draws without replacement, within five standard deviations.
func TestSampleHasEqualChances(t *testing.T) {
	const n, size, seeds = 1000, 100, 400
	var parts [10]int
	pairs := 0
	for seed := range uint64(seeds) {
		last := -2
		for _, i := range drawnOf(n, size, seed) {
			parts[i*10/n]++
			if i == last+1 {
				pairs++
			}
			last = i
		}
	}
	mean := float64(size*seeds) / 10
	for k, count := range parts {
		if math.Abs(float64(count)-mean) > 5*math.Sqrt(mean) {
			t.Errorf("part %d: %d items, expected %v", k, count, mean)
		}
	}
	expected := float64(seeds) * (n - 1) * float64(size*(size-1)) / float64(n*(n-1))
	if math.Abs(float64(pairs)-expected) > 5*math.Sqrt(expected) {
		t.Errorf("%d pairs of neighbours, expected %v", pairs, expected)
	}
}

func TestSampleHoldsItsBytes(t *testing.T) {
	s := NewSample[string](3, 0)
	for i := range 50 {
		text := fmt.Sprint(i * i)
		s.Offer(func() (string, int64) { return text, int64(len(text)) })
	}
	held := s.Held()
	items, _ := s.Items()
	for _, text := range items {
		held -= int64(len(text))
	}
	if held != 0 {
		t.Errorf("%d bytes more than the items have", held)
	}
}

// Blocks hold all items in order and are the same however the items come.
func TestBlocksDoNotDependOnTheStream(t *testing.T) {
	items := make([]int, 100)
	for i := range items {
		items[i] = i * 37 % 23
	}
	cut := func(step int) (list [][]int) {
		b := &Blocks[int]{Items: 9, Bytes: 60, Size: func(i int) int64 { return int64(i) }, Each: func(b []int) error {
			list = append(list, b)
			return nil
		}}
		for part := range slices.Chunk(items, step) {
			must.Do(t, b.Add(part))
		}
		must.Do(t, b.Flush())
		return list
	}
	want := cut(1)
	if !slices.Equal(slices.Concat(want...), items) {
		t.Fatal("the blocks are not the items")
	}
	for _, step := range []int{2, 7, 100} {
		if got := cut(step); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("by %d: %v, not %v", step, got, want)
		}
	}
}

// Names that occur twice are found among many, in memory and on the disk, whatever their order: the
// pair whose second name comes first.
func TestNamesThatOccurTwice(t *testing.T) {
	for _, n := range []int{300, nameParts * nameHeld * 2} {
		for _, twins := range [][][2]int{nil, {{0, n - 1}}, {{5, 200}, {3, 250}}, {{1, 2}}} {
			var names Names
			of := make(map[int]int)
			for _, p := range twins {
				of[p[1]] = p[0]
			}
			for i := range n {
				name, again := of[i]
				if !again {
					name = i
				}
				must.Do(t, names.Add(fmt.Sprintf("document-%d", name)))
			}
			a, b, count, err := names.Twice()
			names.Close()
			if err != nil || count != len(twins) || count > 0 && (a != twins[0][0] || b != twins[0][1]) {
				t.Errorf("%d names with twins %v: %d and %d, %v, %v", n, twins, a, b, count, err)
			}
		}
	}
}

func TestRowsAreNumPys(t *testing.T) {
	var b bytes.Buffer
	r, err := NewRows(&b, 2, 3)
	for _, row := range [][]float64{{1, 2, 3}, {4, 5, 6}} {
		if err == nil {
			err = r.Write(row)
		}
	}
	if err != nil || b.Len()%64 != 48 || b.Len() < 128+48 || !bytes.Contains(b.Bytes(), []byte("'shape': (2, 3)")) {
		t.Errorf("%d bytes, %v: %q", b.Len(), err, b.Bytes())
	}
	defer func() {
		if recover() == nil {
			t.Error("a third row is written")
		}
	}()
	_ = r.Write([]float64{7, 8, 9})
}
