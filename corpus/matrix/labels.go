package matrix

import (
	"fmt"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// Labels are the labels of documents as a file holds them: words, numbers, or a one-hot matrix.
type Labels struct {
	What    string // what the user calls them: "variable gnd", "column Class"
	File    string // the file that holds them
	Without string // how to read the corpus without them, for messages
	// Words has one label per document, empty for an unlabelled one; nil if the labels are numbers.
	Words      []string
	Nums       []float64 // column by column; NaN for an unlabelled document
	Rows, Cols int       // shape of Nums
}

// IsVector reports whether there is one label per document, as against a one-hot matrix.
func (l *Labels) IsVector() bool { return l.Words != nil || l.Rows == 1 || l.Cols == 1 }

func (l *Labels) count() int {
	if l.Words != nil {
		return len(l.Words)
	}
	return len(l.Nums)
}

// fits reports whether the labels can belong to n documents.
func (l *Labels) fits(n int) bool {
	if l.IsVector() {
		return l.count() == n
	}
	return l.Rows == n || l.Cols == n
}

// size describes the number of labels for a message.
func (l *Labels) size() string {
	if l.IsVector() {
		return message.Plural(l.count(), "entry", "entries")
	}
	return fmt.Sprintf("size %d×%d", l.Rows, l.Cols)
}
