package bench

import (
	"bufio"
	"fmt"
	"io"

	"github.com/eigenmap/eigenmap/sparse"
)

// WriteTexts writes a line of JSON for each row of counts, with its id, topic and text: the words
// in the order of their columns.
func WriteTexts(out io.Writer, x *sparse.CSR, topics []int) error {
	w := bufio.NewWriterSize(out, 1<<20)
	words := make([]string, x.NumCols)
	for j := range words {
		words[j] = word(j)
	}
	for i, t := range topics {
		fmt.Fprintf(w, `{"id": "%d", "label": "topic%d", "text": "`, i+1, t)
		cols, counts := x.Row(i)
		for k, j := range cols {
			for range int(counts[k]) {
				w.WriteString(words[j])
				w.WriteByte(' ')
			}
		}
		if _, err := w.WriteString("\"}\n"); err != nil {
			return err
		}
	}
	return w.Flush()
}

// word is a word for a column, without vowels, so that no stemmer shortens it and no list of stop
// words has it.
func word(column int) string {
	const letters = "bcdfghjklmnpqrtv"
	out := []byte("x")
	for shift := 16; shift >= 0; shift -= 4 {
		out = append(out, letters[column>>shift&15])
	}
	return string(out)
}
