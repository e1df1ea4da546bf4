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

// TestTimesOfMailInAFolder: messages in a folder, or in an archive of it, have their times and
// classes by their headers, also where a plain text begins with headers, and others have none.
func TestTimesOfMailInAFolder(t *testing.T) {
	mail := "From: a@b\nDate: Fri, 3 Apr 2020 10:11:12 +0200\nSubject: one\nX-Kind: fruit\n"
	files := map[string]string{
		"box/a.eml": mail + "Content-Type: text/plain\n\nred apple\n", "box/b.txt": mail + "\nred car\n",
		"box/c.eml": "From: a@b\nSubject: two\n\nred plum\n", "box/d.txt": "Date of a red plum, and no header\n\nDate: never\n",
	}
	day := "Fri, 3 Apr 2020 10:11:12 +0200"
	for way, path := range map[string]string{"folder": makeFolder(t, files), "archive": writeFile(t, t.TempDir(), "a.tar.gz", []byte(gzipped(archiveOf(t, files))))} {
		opt := ReadOptions{TimeColumn: "date", Text: TextOptions{MinDF: 1}}
		read := must.Get(Read(t.Context(), path, opt))(t)
		if times, err := read.ReadTimes(t.Context(), path, opt); err != nil || !slices.Equal(times, []string{day, day, "", ""}) {
			t.Errorf("%s: times %q, %v", way, times, err)
		}
		opt.LabelHeader = "X-Kind"
		if kinds := must.Get(Read(t.Context(), path, opt))(t); !slices.Equal(kinds.ClassNames, []string{"fruit"}) || !slices.Equal(kinds.Labels, []int{0, 0, -1, -1}) {
			t.Errorf("%s: classes %q %v", way, kinds.ClassNames, kinds.Labels)
		}
		opt.LabelHeader = "X-None"
		if _, err := Read(t.Context(), path, opt); err == nil || !strings.Contains(err.Error(), "no message has a header X-None") {
			t.Errorf("%s: a header that is not there: %v", way, err)
		}
		opt.LabelHeader, opt.TimeColumn = "", "X-None"
		if _, err := read.ReadTimes(t.Context(), path, opt); err == nil || !strings.Contains(err.Error(), "no document has a time in ‹time-column› X-None") {
			t.Errorf("%s: times that are not there: %v", way, err)
		}
	}
}
