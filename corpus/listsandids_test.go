package corpus

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Without names of the documents the classes are where they are with them, beside the column that
// would be the names.
func TestNoIDsKeepsClasses(t *testing.T) {
	text := "id,label,a,b\n"
	for i := range 12 {
		text += fmt.Sprintf("%d,%d,%d.5,%d\n", 70+i%3, i%2, i*i, 3*i)
	}
	dir := t.TempDir()
	writeFile(t, dir, "a.csv", []byte(text))
	c := must.Get(Read(t.Context(), filepath.Join(dir, "a.csv"), ReadOptions{IDColumn: "none"}))(t)
	if !slices.Equal(c.Terms, []string{"a", "b"}) || !slices.Equal(c.ClassNames, []string{"0", "1"}) || c.IDs != nil {
		t.Errorf("terms %q, classes %q, ids %q; %q", c.Terms, c.ClassNames, c.IDs, c.Notes)
	}
}

// A table without texts that has lists of numbers in brackets is refused as one of vectors, and the
// lists are no texts beside short ones.
func TestListsAreNoTexts(t *testing.T) {
	dir := t.TempDir()
	short, long := "id,embedding\n", "id,title,year,embedding\n"
	numbers := "id,size,embedding\n"
	wide := strings.Repeat("0.25, ", 20) + "0.5"
	for i := range 12 {
		short += fmt.Sprintf("d%d,\"[0.%d, 0.2]\"\n", i, i)
		long += fmt.Sprintf("d%d,boats on the river %d,%d,\"[%d, %s]\"\n", i, i%2, 2000+i%4, i, wide)
		numbers += fmt.Sprintf("d%d,%d,\"[%d, %s]\"\n", i, i*i, i, wide)
	}
	for name, text := range map[string]string{"short": short, "numbers": numbers} {
		writeFile(t, dir, name+".csv", []byte(text))
		_, err := Read(t.Context(), filepath.Join(dir, name+".csv"), ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), "holds lists of numbers in brackets and no texts") {
			t.Errorf("%s: %v", name, err)
		}
	}
	writeFile(t, dir, "long.csv", []byte(long))
	c, err := Read(t.Context(), filepath.Join(dir, "long.csv"), ReadOptions{Text: TextOptions{MinDF: 1}})
	if err != nil || !slices.Contains(c.Terms, "boats") {
		t.Errorf("lists beside titles: %v", err)
	}
}

// A list of numbers in brackets is one field without quotes around it too, whatever separates the
// fields: it is refused as in quotes, and read as the vector of its document.
func TestListsWithoutQuotes(t *testing.T) {
	dir := t.TempDir()
	for name, line := range map[string]struct{ head, row string }{
		"alone.csv":      {"", "[%d, 0.5, -2e-3]\n"},
		"alone.txt":      {"", "[%d,0.5,-2e-3]\n"},
		"header.csv":     {"embedding\n", "[%d, 0.5, -2e-3]\n"},
		"ids.csv":        {"id,embedding\n", "d%[1]d,[%[1]d, 0.5, -2e-3]\n"},
		"first.csv":      {"embedding,id\n", "[%[1]d, 0.5, -2e-3],d%[1]d\r\n"},
		"tabs.tsv":       {"id\tembedding\n", "d%[1]d\t[%[1]d, 0.5, -2e-3]\n"},
		"semicolons.csv": {"id;embedding\n", "d%[1]d;[%[1]d, 0.5, -2e-3]\n"},
		"nested.csv":     {"id,embedding\n", "d%[1]d,[[%[1]d, 0.5, -2e-3]]\n"},
	} {
		text := line.head
		for i := range 12 {
			text += fmt.Sprintf(line.row, i*i)
		}
		path := writeFile(t, dir, name, []byte(text))
		_, err := Read(t.Context(), path, ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), "holds lists of numbers in brackets and no texts") {
			t.Errorf("%s: %v", name, err)
		}
		c, err := ReadVectors(t.Context(), path, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		rows, terms := c.X.Dims()
		if rows != 12 || terms != 3 || c.X.At(3, 0) != 9 || c.X.At(11, 1) != .5 || c.X.At(11, 2) != -2e-3 {
			t.Errorf("%s: %d rows of %d", name, rows, terms)
		}
		if named := strings.Contains(line.head, "id"); named != (c.IDs != nil) {
			t.Errorf("%s: ids %q", name, c.IDs)
		}
	}
}

// Brackets that are no list of numbers, or stand within a text, stay as they are.
func TestBracketsInTexts(t *testing.T) {
	text := "id,text,embedding\n"
	for i := range 12 {
		text += fmt.Sprintf("d%d,\"[see, 2] %s\n[1, 2]\n of the [1, 2] river\",[%d, 0.5]\n", i, []string{"boats", "ships"}[i%2], i)
	}
	c := readNamed(t, "a.csv", text, ReadOptions{Text: TextOptions{MinDF: 1}})
	if c.Len() != 12 || c.IDs[11] != "d11" || !slices.Contains(c.Terms, "boats") {
		t.Errorf("%d documents, terms %q; %q", c.Len(), c.Terms, c.Notes)
	}
}
