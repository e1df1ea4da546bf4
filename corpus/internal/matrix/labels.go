package matrix

import (
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/classes"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
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

// isVector reports whether there is one label per document, as against a one-hot matrix.
func (l *Labels) isVector() bool { return l.Words != nil || l.Rows == 1 || l.Cols == 1 }

func (l *Labels) count() int {
	if l.Words != nil {
		return len(l.Words)
	}
	return len(l.Nums)
}

// fits reports whether the labels can belong to n documents.
func (l *Labels) fits(n int) bool {
	if l.isVector() {
		return l.count() == n
	}
	return l.Rows == n || l.Cols == n
}

// size describes the number of labels for a message.
func (l *Labels) size() string {
	if l.isVector() {
		return message.Plural(l.count(), "entry", "entries")
	}
	return fmt.Sprintf("size %d×%d", l.Rows, l.Cols)
}

// classes numbers the classes of the labels, which fit n documents.
func (d *draft) classes(in *source, n int) (labels []int, names []string, err error) {
	l, none := d.labels, ""
	lexical.TidyAll(d.classNames)
	switch {
	case l.Words != nil:
		lexical.TidyAll(l.Words)
		labels, names = classes.OfWords(l.Words)
		_, none = classes.Unlabel(l.Words)
	case l.isVector():
		if labels, names, err = classes.OfNumbers(l.Nums); err == nil {
			none = classes.NumbersNote(l.Nums)
			names = classes.Rename(names, d.classNames)
		}
	default:
		if labels, names, err = classes.OfOneHot(l.Nums, l.Rows, l.Cols, n); err == nil {
			in.Notef("%s is one-hot; classes that occur: %d of %d.", strings.ToUpper(l.What[:1])+l.What[1:], len(names), len(l.Nums)/n)
			names = classes.Rename(names, d.classNames)
		}
	}
	if err != nil {
		why := err.Error()
		if l.Without != "" {
			why += ", or " + l.Without
		}
		return nil, nil, input.Failf(l.File, l.What, "%s", why)
	}
	if none != "" {
		in.Notef("%s", none)
	}
	if len(names) == 0 {
		in.Notef("No document has a label in %s, so the corpus has none.", l.What)
		return nil, nil, nil
	}
	if n := classes.Unlabelled(labels); n > 0 {
		in.Notef("%s no label.", message.Plural(n, "document has", "documents have"))
	}
	return labels, names, nil
}
