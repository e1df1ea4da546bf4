package matrix

import (
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
)

func TestSVM(t *testing.T) {
	c := mustRead(t, []byte("# made by hand\n+1 qid:3 1:1 3:2 # note\n-1 2:3\r\n\n1\t1:4 \n-1 3:5"), "svm", Options{}, small)
	if !slices.Equal(c.Labels, []int{1, 0, 1, 0}) || !slices.Equal(c.ClassNames, []string{"-1", "1"}) {
		t.Errorf("labels %v of %v", c.Labels, c.ClassNames)
	}
	// From 0, unsorted, an empty document, words and a missing label.
	c = mustRead(t, []byte("b 2:2 0:1\na\n1:7\nnan 2:1\n"), "svm", Options{}, [][]float64{{1, 0, 2}, {0, 0, 0}, {0, 7, 0}, {0, 0, 1}})
	if !slices.Equal(c.Labels, []int{1, 0, -1, -1}) || !slices.Equal(c.ClassNames, []string{"a", "b"}) {
		t.Errorf("labels %v of %v", c.Labels, c.ClassNames)
	}
	wantNote(t, c, "from 0")
	// Many labels: one numeric class however it is spelled.
	c = mustRead(t, []byte("1 1:1\n1.0 1:2\n10 1:3\n9 1:1\n"), "svm", Options{}, nil)
	if !slices.Equal(c.ClassNames, []string{"1", "9", "10"}) {
		t.Errorf("classes %v", c.ClassNames)
	}
}

func TestSVMRefusals(t *testing.T) {
	for _, c := range []struct {
		text  string
		parts []string
	}{
		{"1 1:1\n# c\n2 1:1 3:4 1:2\n", []string{"line 3", "term 1 has two values"}},
		{"2 0:1 3:4 0:2\n", []string{"line 1", "term 0 has two values"}},
		{"1 1:x\n", []string{"line 1", `"1:x"`}},
		{"1 a:1\n", []string{"line 1", `"a:1"`}},
		{"1 1:1\n1 5\n", []string{"line 2", `"5"`}},
		{"1 1:nan\n", []string{"line 1", "term 1", "NaN"}},
		{"1 -4:1\n", []string{"line 1", "-4"}},
		{"1 4294967299:1\n", []string{"line 1", "4294967299"}},
		{"1\n-1\n", []string{"no entries"}},
		{"# nothing\n\n", []string{"no documents"}},
	} {
		_, err := readBytes([]byte(c.text), "svm", Options{})
		corpustest.WantFault(t, err, c.parts...)
	}
}

func FuzzSVM(f *testing.F) {
	f.Add([]byte("+1 1:1 3:2 # note\n-1 2:3\n1\n"))
	f.Add([]byte("cat 0:1 7:0.5\ndog qid:1 2:1e3"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzRead(t, data, "svm", Options{}) })
}

// Several labels of a document do not end a run: one can be chosen, and else there are none.
func TestSVMSeveralLabels(t *testing.T) {
	const data = "324,674,234 1:1 3:3\n674 2:3 1:1\n5,7 1:2\n"
	for _, c := range []struct {
		opt     Options
		classes int
		note    string
	}{{Options{}, 0, "2 documents have several labels"}, {Options{LabelColumn: "1"}, 3, ""}, {Options{LabelColumn: "none"}, 0, ""}} {
		got := mustRead(t, []byte(data), "svm", c.opt, [][]float64{{1, 0, 3}, {1, 3, 0}, {2, 0, 0}})
		if len(got.ClassNames) != c.classes {
			t.Errorf("%+v: classes %q", c.opt, got.ClassNames)
		}
		if c.note != "" {
			wantNote(t, got, c.note)
		}
	}
	if got := mustRead(t, []byte("2 3 2\n1 1:1\n0 2:3\n"), "svm", Options{}, [][]float64{{1, 0}, {0, 3}}); len(got.ClassNames) != 2 {
		t.Errorf("after a line of sizes: classes %q", got.ClassNames)
	}
	_, err := readBytes([]byte(data), "svm", Options{LabelColumn: "x"})
	corpustest.WantFault(t, err, "‹label-column› x", "none")
}
