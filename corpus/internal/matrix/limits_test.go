package matrix

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
)

// TestIDXRank: arrays of two to four dimensions are read, the first one being the documents, others
// are refused.
func TestIDXRank(t *testing.T) {
	for rank := 0; rank <= 6; rank++ {
		data := []byte{0, 0, 8, byte(rank)}
		for i := range rank {
			data = append(data, 0, 0, 0, []byte{2, 1, 1, 1, 1, 1}[i])
		}
		_, err := readBytes(append(data, 3, 4), "idx", Options{})
		if (err == nil) != (2 <= rank && rank <= 4) {
			t.Errorf("rank %d: %v", rank, err)
		}
	}
}

// TestMatDimensions: further dimensions of one are left out, others are refused by their number.
func TestMatDimensions(t *testing.T) {
	for _, c := range []struct {
		dims []int32
		want string
	}{{[]int32{2, 2, 1}, ""}, {[]int32{2, 2, 1, 1}, ""}, {[]int32{2, 1, 2}, "3 dimensions"}, {[]int32{1, 2, 1, 2}, "4 dimensions"}} {
		w := corpustest.NewMatWriter(false, false)
		w.Add(w.Array(mxDouble, 0, c.dims, "fea", 0, w.Numbers(9, 1, 2, 3, 4)))
		_, err := readBytes(w.Out, "mat", Options{})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v", c.dims, err)
		}
	}
}

// TestSVMWithoutLabel: a line may begin with an entry whose number is of one digit or more, but not
// with a colon.
func TestSVMWithoutLabel(t *testing.T) {
	c := mustRead(t, []byte("1:2 3:1\nx 2:3\n12:1\n"), "svm", Options{}, nil)
	if !slices.Equal(c.Labels, []int{-1, 0, -1}) {
		t.Errorf("labels %v", c.Labels)
	}
	for _, line := range []string{":2 3:1\n", "x :2\n"} {
		if c, err := readBytes([]byte(line+"y 1:1\n"), "svm", Options{}); err == nil {
			t.Errorf("%q is read as %v of %v", line, c.Labels, c.ClassNames)
		}
	}
}

// TestCSVLabelFirst: classes in the first column are labels and no term.
func TestCSVLabelFirst(t *testing.T) {
	c := mustRead(t, []byte("label,a,b\nx,1,2\ny,3,4\nx,5,6\n"), "csv", Options{}, [][]float64{{1, 2}, {3, 4}, {5, 6}})
	if !slices.Equal(c.Labels, []int{0, 1, 0}) || !slices.Equal(c.Terms, []string{"a", "b"}) {
		t.Errorf("labels %v, terms %q", c.Labels, c.Terms)
	}
}

// TestCSVNamesFirst: a first column of words beside known classes holds the names of the documents.
func TestCSVNamesFirst(t *testing.T) {
	c := mustRead(t, []byte("who,a,b,label\nann,1,2,x\nbob,3,4,y\ncat,5,9,x\n"), "csv", Options{}, [][]float64{{1, 2}, {3, 4}, {5, 9}})
	if !slices.Equal(c.IDs, []string{"ann", "bob", "cat"}) || !slices.Equal(c.Labels, []int{0, 1, 0}) {
		t.Errorf("ids %q, labels %v", c.IDs, c.Labels)
	}
}

// TestMatVariablesAreBounded: the place of the first variable too many is the place of its element.
func TestMatVariablesAreBounded(t *testing.T) {
	w := corpustest.NewMatWriter(false, false)
	one := w.Full(mxDouble, 9, "X", [][]float64{{1}})
	const most = 100000
	_, err := readBytes(append(w.Out, bytes.Repeat(one, most+1)...), "mat", Options{})
	if want := bytePlace(int64(len(w.Out) + most*len(one))); err == nil || !strings.Contains(err.Error(), want+": more than 100000 variables") {
		t.Errorf("want %s: %v", want, err)
	}
}
