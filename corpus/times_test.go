package corpus

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// TestReadTimes: there is one time for each document, in the order of the documents, in every
// format that has times, and a time never becomes a class.
func TestReadTimes(t *testing.T) {
	for name, c := range map[string]struct {
		text, column string
		want         []string
	}{
		"a.csv":   {"text,day\nthe apple was red and quite round,2020-01-02\nthe car was red and quite fast,\nthe plum was blue and quite round,2020-01-02\n", "day", []string{"2020-01-02", "", "2020-01-02"}},
		"b.jsonl": {`{"text": "red apple", "at": {"day": 1585908672}}` + "\n" + `{"text": "red car", "at": {"day": 1585908673}}`, "at.day", []string{"1585908672", "1585908673"}},
		"c.mbox": {"From a@b Thu Jan 1 00:00:00 2020\nSubject: one\nDate: Fri, 3 Apr 2020 10:11:12 +0200\n\nred apple\n\nFrom a@b Thu Jan 1 00:00:00 2020\nSubject: two\n\nred car\n",
			"Date", []string{"Fri, 3 Apr 2020 10:11:12 +0200", ""}},
	} {
		path := filepath.Join(t.TempDir(), name)
		writeFile(t, filepath.Dir(path), name, []byte(c.text))
		opt := ReadOptions{TimeColumn: c.column, Text: TextOptions{MinDF: 1}}
		if strings.HasSuffix(name, ".mbox") {
			opt.LabelHeader = "Subject"
		}
		read := must.Get(Read(t.Context(), path, opt))(t)
		if read.Labels != nil && !strings.HasSuffix(name, ".mbox") {
			t.Errorf("%s: the times are classes, %q", name, read.ClassNames)
		}
		times, err := read.ReadTimes(t.Context(), path, opt)
		if err != nil || !slices.Equal(times, c.want) {
			t.Errorf("%s: %q, %v", name, times, err)
		}
		if opt.TimeColumn = "none of these"; !strings.HasSuffix(name, ".mbox") {
			if _, err := read.ReadTimes(t.Context(), path, opt); err == nil {
				t.Errorf("%s: a column that is not there was read", name)
			}
		}
	}
}
