package corpus

import (
	"context"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

// ReadTimes reads the words in the column of times of the file that c is from, one for each of its
// documents, "" for one without: opt.TimeColumn, of mail a header such as Date. path and opt
// are those that c was read with, by which it has all documents of the file. It reads the file
// again.
//
// Errors: as of [Read]; no document has a time; the documents are divided among ranks.
func (c *Corpus) ReadTimes(ctx context.Context, path string, opt ReadOptions) ([]string, error) {
	if c.division != nil {
		return nil, c.errDivided("‹time-column› is not read")
	}
	column := opt.TimeColumn
	// The times are read as labels are, and of the texts nothing is counted.
	opt.TimeColumn, opt.ViewColumns, opt.Labels, opt.IDsFrom, opt.Snippets, opt.Single, opt.Divide = "", nil, "", "", 0, false, false
	if opt.LabelColumn = column; c.Format == "mbox" || c.Format == "folder" {
		opt.LabelColumn, opt.LabelHeader = "", column
	}
	opt.dates = true
	opt.Text = TextOptions{Language: "none", StopWords: "none", Vocabulary: []string{"time"}, AnyText: true}
	times, err := Read(ctx, path, opt)
	if err != nil {
		return nil, err
	}
	if times.Labels == nil {
		return nil, input.Failf(path, "", "no document has a time in ‹time-column› %s", column)
	}
	if times.Len() != c.Len() {
		return nil, invalid.Errorf("%s: it had %d documents, and %d when its times were read: run again when nothing writes to it", path, c.Len(), times.Len())
	}
	words := make([]string, times.Len())
	for i, k := range times.Labels {
		if k >= 0 {
			words[i] = times.ClassNames[k]
		}
	}
	return words, nil
}
