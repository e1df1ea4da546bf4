package corpus

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
)

// archived are folders that are one corpus of several files, or of one among words on it, and what
// is read of each.
func archived(t *testing.T) map[string]struct {
	files map[string]string
	read  string
} {
	rows := func(words string) string {
		return "id,text\n1," + words + "\n2," + words + "\n3," + words + "\n4," + words + " again\n"
	}
	box := "From a@x.org Wed Jan  3 09:00:00 2024\nSubject: a car\n\nthe engine\n\nFrom a@x.org Wed Jan  3 09:05:00 2024\nSubject: a road\n\nthe road\n"
	lines := func(words string) (all string) {
		for i := range 20 {
			all += strings.Repeat(fmt.Sprint("very", i, " "), 1+i*7%9) + "much " + words + " came down.\n"
		}
		return all
	}
	mboxes := make(map[string]string)
	for i := range 22 {
		mboxes[fmt.Sprintf("2024-%d.txt.gz", i)] = gzipped(box)
	}
	return map[string]struct {
		files map[string]string
		read  string
	}{
		"tables":       {map[string]string{"spam.csv": rows("buy now"), "ham.csv": rows("see you"), "README": "on them"}, "table 8 [ham spam]"},
		"JSON lines":   {map[string]string{"part-0.jsonl": `{"text": "a car", "label": "a"}` + "\n", "part-1.jsonl": `{"text": "a cake", "label": "b"}` + "\n"}, "jsonl 2 [a b]"},
		"lines":        {map[string]string{"neg.txt": lines("rain"), "pos.txt": lines("sun")}, "table 40 [neg pos]"},
		"mailboxes":    {map[string]string{"2024-a.mbox": box, "2024-b.mbox": box}, "mbox 4 []"},
		"mbox, packed": {mboxes, "mbox 44 []"},
		"a table":      {map[string]string{"data.csv": rows("a car"), "LICENSE": "free"}, "table 4 []"},
		"SPSS":         {map[string]string{"a.sav": statFile(t, "codes.sav")}, "table 8 []"},
		"Excel":        {map[string]string{"data/a.xls": statFile(t, "sheets.xls")}, "table 12 [a b]"},
		"cells":        {map[string]string{"matrix.mtx": "%%MatrixMarket matrix coordinate integer general\n3 2 3\n1 1 4\n2 1 1\n3 2 5\n", "barcodes.tsv": "AAA\nCCC\n", "genes.tsv": "g1\tA\ng2\tB\ng3\tC\n"}, "mtx 2 []"},
	}
}

// A corpus in several files, or in one, is the same in a folder, a tar, a packed tar and a zip,
// read whole, in blocks and on ranks.
func TestCorpusInTar(t *testing.T) {
	for name, tc := range archived(t) {
		opt := ReadOptions{Text: TextOptions{MinDF: 1, StopWords: "none"}}
		for _, path := range packings(t, tc.files) {
			c, err := Read(t.Context(), path, opt)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			checkInvariants(t, c)
			if got := fmt.Sprint(c.Format, " ", c.Documents(), " ", c.ClassNames); got != tc.read {
				t.Errorf("%s, %s: %s, want %s: %q", name, path, got, tc.read, c.Notes)
			}
			if c.Format == "mtx" { // which ranks do not divide by rows
				continue
			}
			if !strings.HasPrefix(tc.read, "mbox") && name != "Excel" { // which are not read in blocks
				n := 0
				_, err := Survey(t.Context(), path, opt, func(docs []Document) error { n += len(docs); return nil })
				if err != nil || n != c.Documents() {
					t.Errorf("%s, %s: %d documents in blocks, %v", name, path, n, err)
				}
			}
			parts, errs := togetherRead(context.Background(), 2, path, opt, nil)
			must.Do(t, errors.Join(errs...))
			joined(t, parts, c)
		}
	}
}

// A mailbox of several messages among texts is refused, in a folder and in archives of it, or left
// out where ten times as many texts are beside it; --input-format folder takes it for one text.
func TestMailboxAmongTexts(t *testing.T) {
	box := "From a@x.org Wed Jan  3 09:00:00 2024\nSubject: a car\n\nthe engine\n\nFrom a@x.org Wed Jan  3 09:05:00 2024\nSubject: a road\n\nthe road\n"
	files := map[string]string{"a.txt": "a car in the rain", "b.txt": "a road", "list": box}
	for _, path := range packings(t, files) {
		_, err := Read(t.Context(), path, ReadOptions{})
		wantFault(t, err, "list: is a mailbox of several messages", "name the mailbox itself", "‹input-format› folder")
		c := must.Get(Read(t.Context(), path, ReadOptions{Format: "folder", Text: TextOptions{MinDF: 1}}))(t)
		if c.Len() != 3 || !hasNote(c, "1 file is a mailbox of several messages and read as one text") {
			t.Errorf("%s: %d documents, %q", path, c.Len(), c.Notes)
		}
	}
	for i := range 21 {
		files[fmt.Sprint("t", i)] = "a road in the rain"
	}
	for _, path := range packings(t, files) {
		c := must.Get(Read(t.Context(), path, ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
		if c.Len() != 23 || !hasNote(c, "list is a mailbox of several messages") {
			t.Errorf("%s: %d documents, %q", path, c.Len(), c.Notes)
		}
	}
}

// What does not fit into memory of an archive is refused, and links are named.
func TestTarLimits(t *testing.T) {
	files := archived(t)["tables"].files
	var members []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		members = append(members, name, files[name]+strings.Repeat("z,more words\n", 1<<16))
	}
	path := writeFile(t, t.TempDir(), "a.tar", tarred(members...))
	_, err := Read(t.Context(), path, ReadOptions{MaxBytes: 1 << 20})
	if !errors.Is(err, input.ErrMemory) {
		t.Errorf("got %v", err)
	}
	path = writeFile(t, t.TempDir(), "a.tar", tarred(members...)[:1<<20])
	_, err = Read(t.Context(), path, ReadOptions{})
	wantFault(t, err, "a.tar")
}
