package corpus

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
	c, err := Read(t.Context(), filepath.Join(dir, "a.csv"), ReadOptions{IDColumn: "none"})
	if err != nil {
		t.Fatal(err)
	}
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
