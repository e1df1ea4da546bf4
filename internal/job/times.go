package job

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/dates"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
)

// readTimes reads the times of the documents, if a column of them is named.
func (j *Job) readTimes(ctx context.Context) error {
	if j.TimeColumn == "" {
		return nil
	}
	if j.InMemory || j.Texts != nil || !j.IsText() {
		return invalid.Errorf("‹time-column› names the times of texts in a table, JSON, Parquet or a mailbox, and these documents are others: leave it out (Go programs count documents in memory by Run.CountOverTime)")
	}
	defer j.Stage("read")()
	list, err := j.Corpus.ReadTimes(ctx, j.File, j.ReadOptions())
	if err != nil {
		return err
	}
	times, read, err := dates.Read(list)
	var two *dates.TwoWaysError
	if errors.As(err, &two) {
		return invalid.Errorf("%s: ‹time-column› %s: %w; write the dates as 2006-01-31", j.File, j.TimeColumn, two)
	}
	undated, odd, example := 0, 0, 0
	for i, ok := range read {
		switch {
		case ok:
		case list[i] == "":
			undated++
		default:
			if odd == 0 {
				example = i
			}
			odd++
		}
	}
	shown := func() string {
		return strconv.Quote(words.Clip(list[example], 40)) + " of " + words.Name(j.Corpus.ID(example))
	}
	if odd+undated == len(list) {
		return invalid.Errorf("%s: ‹time-column› %s holds no date, but words such as %s; write them as 2006-01-31", j.File, j.TimeColumn, shown())
	}
	if filled := len(list) - undated; 2*odd > filled {
		return invalid.Errorf("%s: ‹time-column› %s: %s of %s words are no date, the first %s: name the column that holds the dates, or leave the cells without a date empty", j.File, j.TimeColumn, words.Thousands(odd), words.Thousands(filled), shown())
	}
	if odd > 0 {
		j.Warn(fmt.Sprintf("In ‹time-column› %s %s no date, the first %s: these documents count as undated", j.TimeColumn, words.Plural(odd, "word is", "words are"), shown()))
	}
	if undated > 0 {
		j.Note(fmt.Sprintf("Without a time in ‹time-column› %s: %s", j.TimeColumn, words.Counted(undated, "document")))
	}
	j.Dates = times
	return nil
}
