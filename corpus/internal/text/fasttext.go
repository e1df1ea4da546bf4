package text

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// labelMark begins the labels in a line of fastText.
const labelMark = "__label__"

// LooksLikeFastText reports whether most of the first lines that are not blank begin with a label.
func LooksLikeFastText(head []byte) bool {
	lines, labelled := 0, 0
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines++
			if len(line) > len(labelMark) && bytes.HasPrefix(line, []byte(labelMark)) {
				labelled++
			}
		}
	}
	return 2*labelled > lines
}

// readFastText reads a text of one document per line, whose words that begin with __label__ are
// its labels and no part of the text. Of several labels ReadOptions.LabelColumn takes one by its
// number, from 1; else the document is one of no single class.
func readFastText(in *source) (*counting.Collection, error) {
	take := 0
	if want := in.opt.LabelColumn; want != "" && want != columns.None {
		var err error
		if take, err = strconv.Atoi(want); err != nil || take < 1 {
			return nil, in.Fail("‹label-column› "+message.Clip(want, 40), "is not the number of one of several labels, from 1; give 1 for the first, or none")
		}
	}
	in.oddWay = "‹label-column› 1 takes the first of each, none says that there are no labels"
	return in.readLines(func(d *counting.Document) {
		labels := cutLabels(d)
		switch {
		case in.opt.LabelColumn == columns.None || len(labels) == 0 || take > len(labels):
		case take > 0:
			d.Label, d.HasLabel = labels[take-1], true
		case len(labels) == 1:
			d.Label, d.HasLabel = labels[0], true
		default:
			d.Odd = !in.opt.LabelsGiven
		}
	})
}

// cutLabels takes the labels out of the text of a document.
func cutLabels(d *counting.Document) (labels []string) {
	if !strings.Contains(d.Text, labelMark) {
		return nil
	}
	var words []string
	for word := range strings.FieldsSeq(d.Text) {
		if label, marked := strings.CutPrefix(word, labelMark); marked && label != "" {
			labels = append(labels, label)
			continue
		}
		words = append(words, word)
	}
	d.Text = strings.Join(words, " ")
	return labels
}
