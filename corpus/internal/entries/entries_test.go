package entries

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// read returns the rows of a file below the header, with bars between the fields, or the error.
func read(t *testing.T, name, content string) (rows []string, err error) {
	t.Helper()
	in := &input.File{Ctx: t.Context(), Name: name, Stream: bufio.NewReaderSize(strings.NewReader(content), 64<<10), Mem: input.NewBudget(1 << 30)}
	r, err := Open(in, Format(name, []byte(content)))
	for err == nil {
		var row []string
		if row, err = r.Next(); err == nil {
			rows = append(rows, strings.Join(row, "|"))
		}
	}
	if err == io.EOF {
		return rows[1:], nil
	}
	return nil, err
}

// The same two references in every format are the same two rows.
func TestReferencesOfAllFormats(t *testing.T) {
	want := []string{"On cats\nCats sleep long.|On cats|Cats sleep long.|cat; sleep|Ann, A.; Bob, B.|2019|Pets", "Dogs|Dogs||||2020|"}
	for name, content := range map[string]string{
		"a.ris":  "Provider: X\nContent: text/plain\n\nTY  - JOUR\r\nAU  - Ann, A.\r\nAU  - Bob, B.\r\nTI  - On cats\r\nAB  - Cats sleep\r\nlong.\r\nKW  - cat\r\nKW  - sleep\r\nPY  - 2019/01/02/\r\nT2  - Pets\r\nDO  - 1\r\nER  - \r\n\r\nTY  - CONF\r\nT1  - Dogs\r\nY1  - 2020\r\nER  -\r\n",
		"a.nbib": "\nPMID- 1\nOWN - NLM\nTI  - On\n      cats\nAB  - Cats sleep\n      long.\nOT  - cat\nOT  - sleep\nFAU - Ann, A.\nFAU - Bob, B.\nDP  - 2019 Jan 2\nJT  - Pets\n\nPMID- 2\nTI  - Dogs\nDP  - 2020\n",
		"a.txt":  "\ufeffFN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU Ann, A.\n   Bob, B.\nTI On\n   cats\nSO Pets\nDE cat; sleep\nAB Cats sleep\n   long.\nPY 2019\nUT 1\nER\n\nPT J\nTI Dogs\nPY 2020\nER\n\nEF\n",
		"b.txt":  "RT Journal Article\nID 1\nA1 Ann, A.\nA1 Bob, B.\nT1 On cats\nJF Pets\nYR 2019\nK1 cat\nK1 sleep\nAB Cats sleep long.\n\nRT Conference\nT1 Dogs\nYR 2020\n",
		"a.enw":  "%0 Journal Article\n%A Ann, A.\n%A Bob, B.\n%T On cats\n%J Pets\n%D 2019\n%K cat\nsleep\n%X Cats sleep long.\n%M 1\n\n%0 Book\n%T Dogs\n%D 2020\n",
		"a.bib":  "Made by a program, for a@b.org\n@comment{x}\n@string{pets = \"Pets\"}\n@Article{1,\n author = {Ann, A. and Bob, B.},\n title = {On {C}ats},\n abstract = \"Cats sleep\n long.\",\n keywords={cat; sleep}, year = 2019, journal = pets\n}\n@book(k2, title={Dogs}, year={2020},)\n",
	} {
		rows, err := read(t, name, content)
		if err != nil || len(rows) != 2 {
			t.Errorf("%s: %d rows %q, %v", name, len(rows), rows, err)
			continue
		}
		for i, row := range rows {
			row = row[strings.Index(row, "|")+1 : strings.LastIndex(row, "|")] // without the name and the type
			row = strings.NewReplacer("On Cats", "On cats", " and Bob", "; Bob", "cat sleep|", "cat; sleep|").Replace(row)
			if row != want[i] {
				t.Errorf("%s: row %d is %q, not %q", name, i, row, want[i])
			}
		}
		if !strings.HasPrefix(rows[0], "1|") {
			t.Errorf("%s: the first name is not 1: %q", name, rows[0])
		}
	}
}

// Entries without a title and an abstract are left out; an entry of BibTeX that does not end is
// refused.
func TestReferencesWithoutText(t *testing.T) {
	rows, err := read(t, "a.ris", "TY  - JOUR\nAU  - Ann\nER  - \nTY  - JOUR\nTI  - Words\n")
	if err != nil || len(rows) != 1 {
		t.Errorf("rows %q, %v", rows, err)
	}
	if _, err := read(t, "a.bib", "@article{k, title = {Words},\n year = 2020\n\n@article{l, title = {More}}\n"); err == nil || !strings.Contains(err.Error(), "does not end") {
		t.Errorf("a broken entry: %v", err)
	}
}

func TestPlainTeX(t *testing.T) {
	for tex, want := range map[string]string{
		`{\"o}ffentlich`: "öffentlich", `Erd\H{o}s`: "Erdős", `na\"{\i}ve`: "naïve", `\'{e}t\'e`: "été", `\v{C}ech`: "Čech",
		`Stra{\ss}e`: "Straße", `{\O}rsted`: "Ørsted", `A \& B, 5\%`: "A & B, 5%", "a\n   b~c": "a b c", `\emph{new} $x$`: "new x", `\textbf{Bold}`: "Bold",
	} {
		if got := plainTeX(tex); got != want {
			t.Errorf("%s is %q, not %q", tex, got, want)
		}
	}
}

// Messages of a chat have their lines, and none of what the phone says.
func TestChat(t *testing.T) {
	android := "26/01/2020, 4:19 pm - Messages and calls are end-to-end encrypted.\n" +
		"26/01/2020, 4:19 pm - Ann created group \"a: b\"\n" +
		"26/01/2020, 4:20\u202fpm - Ann: one\n\ntwo: three\n" +
		"27/01/2020, 4:20 pm - +49 171 1: <Media omitted>\n" +
		"27/01/2020, 4:21 pm - Bob: four <This message was edited>\n" +
		"27/01/2020, 4:22 pm - Bob: #include <stdio.h>\n"
	iphone := "\u200e[26.01.20, 16:19:07] Ann: \u200eMessages and calls are encrypted.\r\n" +
		"[26.01.20, 16:19:07] Ann: one\r\n\r\ntwo: three\r\n" +
		"\u200e[26.01.20, 16:19:07] Bob: \u200eimage omitted\r\n" +
		"[27.01.20, 16:19:07] Bob: four\r\n" +
		"[27.01.20, 16:19:07] Bob: #include <stdio.h>\r\n"
	want := []string{"Ann|one\n\ntwo: three", "Bob|four", "Bob|#include <stdio.h>"}
	for _, content := range []string{android, iphone} {
		rows, err := read(t, "chat.txt", content)
		for i, row := range rows {
			rows[i] = row[strings.Index(row, "|")+1:]
		}
		if err != nil || !slices.Equal(rows, want) {
			t.Errorf("%.20q: %q, %v", content, rows, err)
		}
	}
}

// Lines of logs, tables and texts are none of the formats.
func TestOthersAreNoEntries(t *testing.T) {
	for _, content := range []string{
		"2020-01-02 10:11:12,123 - root - INFO - a: b\n2020-01-02 10:11:13,123 - root - INFO - a: b\n",
		"[2020-01-02 10:11:12] INFO: a\n[2020-01-02 10:11:13] INFO: a\n", "[Sun Dec 04 04:47:44 2005] [notice] a: b\n",
		"TY,TI\nJOUR,words\n", "PT\tAU\tTI\nJ\tAnn\tWords\n", "@ann: hello {x}\n", "% of people\nwords\n", "FN is a name\n", "", "PMID 12 words\n",
		"26/01/2020, 16:19 - a line alone\nwords: more\n",
	} {
		if f := Format("a.txt", []byte(content)); f != "" {
			t.Errorf("%q is %s", content, f)
		}
	}
}

// Any bytes are read or refused, and no row has another number of fields than the header.
func FuzzEntries(f *testing.F) {
	for _, content := range []string{"TY  - JOUR\nTI  - a\nER  - \n", "@a{k, t = {x}}", "PMID- 1\nTI  - a\n", "1/1/20, 1:00 - A: b\n1/1/20, 1:00 - A: c\n"} {
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content string) {
		for _, format := range Formats() {
			in := &input.File{Ctx: t.Context(), Name: "a", Stream: bufio.NewReaderSize(strings.NewReader(content), 64<<10), Mem: input.NewBudget(1 << 30)}
			r, err := Open(in, format)
			for err == nil {
				var row []string
				if row, err = r.Next(); err == nil && len(row) != len(r.header) {
					t.Fatalf("a row of %d fields", len(row))
				}
			}
		}
	})
}

// A log whose lines begin with a date and a time in brackets is no chat.
func TestLogsAreNoChats(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		want    string
	}{
		"a chat":           {"[26.01.20, 16:19:07] Ann: hello\n[26.01.20, 16:20:07] Bob: INFO is what I need\n[26.01.20, 16:20:09] Ann: ok\n", Chat},
		"levels":           {"[26.01.20, 16:19:07] INFO: server started\n[26.01.20, 16:20:07] WARN: disk is slow\n[26.01.20, 16:20:08] INFO: done\n", ""},
		"levels in small":  {"[2024-01-26, 16:19:07] info: server started\n[2024-01-26, 16:20:07] error: disk is full\n", ""},
		"levels in a list": {"[2024-01-26, 16:19:07] [INFO] app: server started\n[2024-01-26, 16:20:07] [ERROR] app: disk is full\n", ""},
		"levels in texts":  {"2024-01-26, 16:19 - worker-1: INFO server started\n2024-01-26, 16:20 - worker-2: ERROR disk is full\n", ""},
		"most of a log":    {"[26.01.20, 16:19:07] INFO: start\n[26.01.20, 16:20:07] main: x\n[26.01.20, 16:20:08] main: y\n[26.01.20, 16:20:08] INFO: a\n[26.01.20, 16:20:08] DEBUG: b\n", ""},
	} {
		if got := Format("a.txt", []byte(c.content)); got != c.want {
			t.Errorf("%s: format %q", name, got)
		}
	}
}
