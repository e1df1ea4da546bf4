package statfile

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// savWriter writes records of SPSS.
type savWriter struct {
	strings.Builder
	order binary.ByteOrder
}

func (w *savWriter) ints(list ...int) {
	for _, v := range list {
		var b [4]byte
		w.order.PutUint32(b[:], uint32(int32(v)))
		w.Write(b[:])
	}
}

func (w *savWriter) reals(list ...float64) {
	for _, v := range list {
		var b [8]byte
		w.order.PutUint64(b[:], math.Float64bits(v))
		w.Write(b[:])
	}
}

func (w *savWriter) text(s string, width int) { fmt.Fprintf(w, "%-*s", width, s) }

// written is a file of SPSS in either order of bytes, in Windows-1251: a number with a range of
// missing values and one beside it, a text with a label, and weights.
func written(big bool) string {
	w := &savWriter{order: binary.LittleEndian}
	if big {
		w.order = binary.BigEndian
	}
	w.text("$FL2@(#) a program", 64)
	w.ints(2, 4, 0, 4, 5)
	w.reals(100)
	w.text("", 81)
	w.WriteString("\x00\x00\x00")
	w.ints(2, 0, 1, -3, 5<<16, 5<<16) // AGE
	w.text("AGE", 8)
	w.ints(3)
	w.text("A\xe3e", 4) // its label, filled to four bytes
	w.reals(90, math.MaxFloat64, 7)
	w.ints(2, 11, 0, 0, 1<<16, 1<<16) // NAME, a text of eleven bytes in two elements
	w.text("NAME", 8)
	w.ints(2, -1, 0, 0, 0, 0)
	w.text("", 8)
	w.ints(2, 0, 0, 0, 5<<16, 5<<16)
	w.text("W", 8)
	w.ints(3, 1) // a label
	w.reals(2)
	w.text("\x03two", 8)
	w.ints(4, 1, 4) // of the element W
	w.ints(7, 3, 4, 8, 0, 0, 0, 0, 0, 0, 0, 1251)
	w.ints(7, 13, 1, 16)
	w.text("AGE=age\tNAME=who", 16)
	w.ints(999, 0)
	for i, age := range []float64{20, 7, 95, -math.MaxFloat64, 8} {
		w.reals(age)
		w.text([]string{"\xc8\xe2\xe0\xed", "b", "", "d", "eleven byte"}[i], 16)
		w.reals([]float64{1, 1, 2, 3, 4}[i])
	}
	return w.String()
}

// A file of either order of bytes has the same rows. Ranges of missing values, encodings by number
// and weights are read as the file says.
func TestSPSSRecords(t *testing.T) {
	for _, big := range []bool{false, true} {
		got, notes, err := read([]byte(written(big)), Options{})
		must.Do(t, err)
		same(t, fmt.Sprint(big), got, []string{"age|who|W", "20|Иван|1", "|b|1", "||2", "|d|3", "8|eleven byte|4"})
		for _, note := range []string{"The file weights its rows by W,", "age (Aгe)", "W (2 two)", "are missing: age (2)."} {
			if !strings.Contains(notes, note) {
				t.Errorf("the notes lack %q: %s", note, notes)
			}
		}
	}
}

// A value without a label stands for itself where there is one at most for each four labels.
func TestLabelsOfMostValues(t *testing.T) {
	for bare, want := range map[int]bool{0: true, 1: true, 2: false} {
		v := &variable{labels: map[float64][]byte{}, seen: map[float64]bool{1: true}, bare: map[float64]bool{}, lacks: func(x float64) bool { return x == 9 }}
		for _, x := range []float64{1, 2, 3, 4, 9} {
			v.labels[x] = []byte("label")
		}
		for k := range bare {
			v.bare[float64(10+k)] = true
		}
		r := &Rows{list: []*variable{v}, Words: make(map[int]bool)}
		if r.settleLabels(Options{}); v.category != want || r.Words[0] != want {
			t.Errorf("%d without a label: %t", bare, v.category)
		}
	}
}
