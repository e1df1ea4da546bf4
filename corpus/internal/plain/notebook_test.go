package plain

import (
	"strings"
	"testing"
)

// The text of a notebook is what is written and the code, in the order of the cells.
func TestNotebook(t *testing.T) {
	for book, want := range map[string]string{
		`{"cells": [{"cell_type": "markdown", "source": ["# Head\n", "*some* words"]}, {"cell_type": "code", "source": "x = 1", "outputs": [{"text": ["printed"], "data": {"image/png": "iVBO"}}]}, {"cell_type": "raw", "source": []}], "metadata": {"name": "no"}, "nbformat": 4}`: "Head some words x = 1",
		`{"worksheets": [{"cells": [{"cell_type": "heading", "source": ["Head"]}, {"cell_type": "code", "input": ["a\n", "b"], "outputs": []}]}]}`:                                                                                                                                   "Head a b",
		`{"cells": []}`: "",
	} {
		if got, ok := Notebook([]byte(book)); !ok || strings.Join(strings.Fields(got), " ") != want {
			t.Errorf("%s: %q %v", book, got, ok)
		}
	}
	for _, other := range []string{"{", `{"a": 1}`, `{"cells": 1}`, `{"cells": [{"source": {"a": 1}}]}`} {
		if got, ok := Notebook([]byte(other)); ok {
			t.Errorf("%s is the notebook %q", other, got)
		}
	}
}
