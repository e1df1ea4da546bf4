package matrix

import (
	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// earlierNumbers returns how an earlier file of the format numbered its terms; nil for none.
func (in *source) earlierNumbers(format string) *columns.Numbered {
	if e := in.opt.Numbered; e != nil && e.Format == format {
		return e
	}
	return nil
}

// renumber makes columns of the numbers of the terms, as an earlier file of the same terms numbered
// them, and notes it where this file alone would be read otherwise. Entries of terms that the
// earlier file did not have are left out. It is an error if the earlier file began with 1 and this
// one has a term 0.
func (t *svmEntries) renumber(e *columns.Numbered, alone columns.Numbered) error {
	if e.From > 0 && t.lowest == 0 {
		return t.in.Fail("", "it has a term 0, and the earlier documents number their terms from 1: number the terms as those")
	}
	kept := 0
	for k, j := range t.col {
		if j -= int32(e.From); int(j) < e.Count {
			t.row[kept], t.col[kept], t.val[kept] = t.row[k], j, t.val[k]
			kept++
		}
	}
	left := len(t.col) - kept
	t.row, t.col, t.val = t.row[:kept], t.col[:kept], t.val[:kept]
	last := e.From + e.Count - 1
	switch {
	case left > 0:
		t.in.Notef("The terms are numbered from %d to %d, as those of the earlier documents: %s of higher numbers left out.", e.From, last, message.Plural(left, "entry", "entries"))
	case alone.From != e.From || alone.Count != e.Count:
		t.in.Notef("The terms are numbered from %d to %d, as those of the earlier documents.", e.From, last)
	}
	return nil
}
