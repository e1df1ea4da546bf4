package corpus

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestWideTables: reading a table takes time in proportion to its columns, numbers and words alike.
// Comparing each name with all names before it would take minutes here.
func TestWideTables(t *testing.T) {
	const cols, most = 200000, time.Minute
	for _, value := range []string{"%d,", "v%d,"} {
		var b strings.Builder
		for j := range cols {
			fmt.Fprintf(&b, "c%d,", j)
		}
		b.WriteString("text\n")
		for i := range 3 {
			for j := range cols {
				fmt.Fprintf(&b, value, i*j%7)
			}
			b.WriteString("some words of a text\n")
		}
		start := time.Now()
		_, err := readBytes([]byte(b.String()), "csv", ReadOptions{TextColumn: []string{"text"}})
		if took := time.Since(start); err != nil || took > most {
			t.Errorf("values %q: %v (%v), want less than %v and no error", value, took, err, most)
		}
	}
}

// TestSoleFileAmongMany: whether one file of a folder holds the documents takes time in proportion
// to the files. A copy of the list for each file of a table took minutes.
func TestSoleFileAmongMany(t *testing.T) {
	const files, most = 100000, 30 * time.Second
	list := make([]member, files)
	for i := range list {
		list[i].path, list[i].size = fmt.Sprintf("%d.csv", i), 1
	}
	start := time.Now()
	if sole := soleFile(list, ReadOptions{}, true); sole != nil || time.Since(start) > most {
		t.Errorf("%v in %v, want none in less than %v", sole, time.Since(start), most)
	}
}
