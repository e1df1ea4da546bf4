package labels

import (
	"errors"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"pgregory.net/rapid"
)

// truths draws labellings with gaps in the numbers of their classes and documents without a label.
func truths() *rapid.Generator[[]int] {
	return rapid.SliceOfN(rapid.IntRange(Unknown, 6), 1, 120)
}

func known(truth []int) map[int]int {
	sizes := map[int]int{}
	for _, k := range truth {
		if k != Unknown {
			sizes[k]++
		}
	}
	return sizes
}

// The drawn labels are true ones, as many of each class as promised, and the same every time.
func TestDrawKeepsAShareOfEachClass(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		truth := truths().Draw(t, "truth")
		share := 1 - rapid.Float64Range(0, 0.9999).Draw(t, "1-share")
		seed := rapid.Uint64().Draw(t, "seed")
		before := slices.Clone(truth)
		drawn, err := Draw(truth, share, seed)
		if len(known(truth)) == 0 {
			if !errors.Is(err, fs.ErrInvalid) {
				t.Fatalf("no labels at all: %v", err)
			}
			return
		}
		if err != nil || len(drawn) != len(truth) || !slices.Equal(before, truth) {
			t.Fatalf("%v, %d labels of %d", err, len(drawn), len(truth))
		}
		for i, k := range drawn {
			if k != Unknown && k != truth[i] {
				t.Fatalf("document %d is of class %d and was drawn as %d", i, truth[i], k)
			}
		}
		kept := known(drawn)
		for k, c := range known(truth) {
			if want := max(1, int(math.Round(share*float64(c)))); kept[k] != want {
				t.Fatalf("class %d keeps %d of %d with share %v, want %d", k, kept[k], c, share, want)
			}
		}
		again, _ := Draw(truth, share, seed)
		if !slices.Equal(drawn, again) {
			t.Fatal("a second draw differs")
		}
	})
}

// Other classes, and documents added between, do not change the draw of a class. A larger share
// keeps the labels that a smaller one keeps.
func TestDrawOfAClassStandsAlone(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		truth := truths().Draw(t, "truth")
		if len(known(truth)) == 0 {
			return
		}
		seed := rapid.Uint64().Draw(t, "seed")
		share := rapid.Float64Range(0.01, 1).Draw(t, "share")
		class := rapid.SampledFrom(slices.DeleteFunc(slices.Clone(truth), func(k int) bool { return k == Unknown })).Draw(t, "class")
		alone := slices.DeleteFunc(slices.Clone(truth), func(k int) bool { return k != class })
		all, _ := Draw(truth, share, seed)
		one, _ := Draw(alone, share, seed)
		more, _ := Draw(truth, min(1, 1.5*share), seed)
		at := 0
		for i, k := range truth {
			if all[i] != Unknown && more[i] != all[i] {
				t.Fatalf("document %d is labelled with share %v and not with a larger one", i, share)
			}
			if k == class {
				if all[i] != one[at] {
					t.Fatalf("document %d of the class is drawn as %d alone and as %d among others", at, one[at], all[i])
				}
				at++
			}
		}
	})
}

// Seeds draw differently, and every document of a class about equally often.
func TestDrawIsFair(t *testing.T) {
	truth := make([]int, 20)
	counts := make([]int, 20)
	const draws = 4000
	for seed := range uint64(draws) {
		drawn := must.Get(Draw(truth, 0.25, seed))(t)
		for i, k := range drawn {
			counts[i] += k + 1
		}
	}
	for i, n := range counts {
		// 1,000 expected; the standard deviation is 27.
		if n < 860 || n > 1140 {
			t.Errorf("document %d was drawn %d times of %d, want about %d", i, n, draws, draws/4)
		}
	}
}

func TestDrawRefuses(t *testing.T) {
	for _, share := range []float64{0, -0.1, 1.0001, math.NaN(), math.Inf(1)} {
		if _, err := Draw([]int{0, 1}, share, 0); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("share %v: %v", share, err)
		}
	}
	for _, truth := range [][]int{nil, {Unknown}, {0, -2}} {
		if _, err := Draw(truth, 0.5, 0); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("truth %v: %v", truth, err)
		}
	}
}

// Check returns the inverse of the labelling, and a labelling that it refuses breaks one of its
// rules.
func TestCheck(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		given := rapid.SliceOfN(rapid.IntRange(-2, 4), 0, 12).Draw(t, "labels")
		n := max(0, len(given)+rapid.SampledFrom([]int{0, 0, 0, -1, 1}).Draw(t, "longer"))
		classes := rapid.IntRange(-1, 5).Draw(t, "classes")
		of, err := Check(given, n, classes, nil)
		good := len(given) == n && classes >= 2
		for _, k := range given {
			good = good && k >= Unknown && k < classes
		}
		for k := range max(0, classes) {
			good = good && slices.Contains(given, k)
		}
		if good != (err == nil) {
			t.Fatalf("%v of %d documents and %d classes: %v", given, n, classes, err)
		}
		if err != nil {
			if !errors.Is(err, fs.ErrInvalid) || of != nil {
				t.Fatalf("%v, %v", of, err)
			}
			return
		}
		back := make([]int, n)
		for i := range back {
			back[i] = Unknown
		}
		for k, rows := range of {
			if !slices.IsSorted(rows) {
				t.Fatalf("class %d: %v", k, rows)
			}
			for _, i := range rows {
				back[i] = k
			}
		}
		if !slices.Equal(back, given) {
			t.Fatalf("%v became %v", given, of)
		}
	})
}

// One error has all faults, with the names of the classes; many of a kind are counted.
func TestCheckNamesAllFaults(t *testing.T) {
	_, err := Check([]int{0, 7, -5, 0}, 3, 4, []string{"mail", "fonts", "games", "sound"})
	for _, part := range []string{"4 labels for 3 documents", "7 (document 1)", "-5 (document 2)", "fonts, games, sound"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v does not say %q", err, part)
		}
	}
	far := make([]int, 1000)
	for i := range far {
		far[i] = 9
	}
	if _, err := Check(far, 1000, 2, nil); err == nil || !strings.Contains(err.Error(), "(1000 in all)") || len(err.Error()) > 600 {
		t.Errorf("a thousand faults: %v", err)
	}
	if _, err := Check([]int{0, 1}, 2, 1<<40, nil); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("more classes than memory: %v", err)
	}
}

// Two classes that alternate, one of two documents, and documents without a label.
func TestSpread(t *testing.T) {
	known, all := make([]int, 4300), 0
	for i := range known {
		if known[i] = i % 2; i%10 == 9 {
			known[i] = Unknown
			continue
		}
		all++
	}
	known[7], known[len(known)-6] = 2, 2
	for _, most := range []int{2000, 300, 3, 2, all} {
		list, counts := Spread(known, 4, most), make([]int, 3)
		for _, k := range Pick(known, list) {
			counts[k]++
		}
		if !slices.IsSorted(list) || len(list) != most {
			t.Errorf("%d documents of at most %d, %v of each class", len(list), most, counts)
		}
		if share := float64(counts[1]) / float64(counts[0]+counts[1]); most > 2 && counts[2] == 0 || most > 3 && math.Abs(share-4./9) > 0.01 {
			t.Errorf("at most %d documents: %v of each class", most, counts)
		}
	}
	if list := Spread([]int{0, 1, 2, 3}, 4, 4); !slices.Equal(list, []int{0, 1, 2, 3}) {
		t.Errorf("one of each class: %v", list)
	}
}

func TestKeep(t *testing.T) {
	if got := Keep([]int{0, 1, 2}, []int{Unknown, 0, Unknown}); !slices.Equal(got, []int{0, 0, 2}) {
		t.Errorf("%v", got)
	}
}

func TestKnown(t *testing.T) {
	list, class := Known([]int{Unknown, 2, 0, Unknown, 1})
	if !slices.Equal(list, []int{1, 2, 4}) || !slices.Equal(class, []int{2, 0, 1}) {
		t.Errorf("documents %v of classes %v", list, class)
	}
}
