package corpus

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Ordinary tables and texts are not taken for the files of owners that look like them at first.
func TestKindOrdinary(t *testing.T) {
	said := func(i int) string { return fmt.Sprintf("the engine of the car %d stops", i) }
	counts := func(i int) string {
		return fmt.Sprintf("%d 0 %d 4 0 1 0 0 0 0 0 0 0 0 0 0 0 0 %d", 12+i, i*7%13, i*5%17)
	}
	vectors := func(end string) string {
		return times(60, func(i int) string { return fmt.Sprintf("0.%d 0.%d 0.%d%s", 1+i%89, 1+i*7%83, 1+i*5%71, end) })
	}
	commas := func(i int) string {
		if i%4 == 0 {
			return fmt.Sprintf("%s, and more,a;b;c", said(i))
		}
		return said(i) + ",a;b;c"
	}
	checkKinds(t, []kind{
		{name: "counts.txt", content: times(60, counts), rows: 60, cols: 19},
		{name: "a.txt", content: times(60, func(i int) string { return fmt.Sprintf("%d |%s at 10:%d", i+1, said(i), 10+i%50) }), rows: 60, ids: true},
		{name: "a.txt", content: times(60, func(i int) string { return fmt.Sprintf("%d | %s at 10:%d | a%d", i+1, said(i), 10+i%50, i%2) }), rows: 60, classes: 2, ids: true},
		{name: "vw.txt", content: times(6, func(i int) string { return fmt.Sprintf("%d | price:.2%d sqft:.25 age:.05 2006", i%2, i) }), refused: "numbers for Vowpal Wabbit"},
		{name: "vw.txt", content: times(6, func(i int) string { return fmt.Sprintf("%d |text %s |num price:0.%d", i%2, said(i), i) }), refused: "Vowpal Wabbit"},
		{name: "mail.log", content: "#Software: a server\n#Fields: date-time,event-id,subject\n" + times(60, func(i int) string { return fmt.Sprintf("2024-01-01T00:%02d,SEND,\"%s, %d\"", i, said(i), i) }), rows: 60},
		{name: "a.csv", content: "#Fields: id;kind;text\n" + times(60, func(i int) string { return fmt.Sprintf("%d;k%d;%s", i, i%2, said(i)) }), rows: 60, classes: 2, ids: true},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("# %d,%s,k%d", i, said(i), i%2) }), rows: 60},
		{name: "a.tsv", content: "# id\ttext\tlabel\n" + times(60, func(i int) string { return fmt.Sprintf("# %d\t%s\tk%d", i, said(i), i%2) }), rows: 60, classes: 2},
		{name: "a.csv", content: "# The car,k0\n# The road,k1\n" + times(60, func(i int) string { return fmt.Sprintf("%s,k%d", said(i), i%2) }), rows: 62, classes: 2},
		{name: "a.csv", content: "# made by, a program\n# at noon\n# id,text,label\n" + times(60, func(i int) string { return fmt.Sprintf("%d,%s,k%d", i, said(i), i%2) }), rows: 60, classes: 2, ids: true},
		{name: "a.csv", content: vectors(";0.5 0.25 0.125"), refused: "none of its 60 documents has a word left"},
		{name: "a.csv", content: "title,kinds\n" + times(60, commas), refused: "has 3 fields where the first line has 2"},
		{name: "a.sub", content: "id,text,label\n" + times(60, func(i int) string { return fmt.Sprintf("%d,%s,k%d", i, said(i), i%2) }), rows: 60, classes: 2, ids: true},
		{name: "a.csv", content: "title,abstract\n" + times(60, func(i int) string { return fmt.Sprintf("Head of sales %c,%s", 'A'+i%2, said(i)) }), rows: 60, cols: 3, note: "The texts are column 2 (abstract)"},
		{name: "a.sub", content: "{1}{20}Good morning\n{25}{40}to all\n", refused: "is subtitles of one recording"},
	})
}

// Rows of logs, lists and chats are read whole: fields between quotes or tabs, rows that begin with
// a star, and messages that go on below an empty line.
func TestKindWholeRows(t *testing.T) {
	const rule = "-----------------------------\n"
	const fields = "#Fields: date time-taken agent\n"
	stock := func(i int) string {
		return fmt.Sprintf("|%-5s|pump %4d |%7d |", []string{"*new*", "old"}[i%2], i, i*7%13)
	}
	long := "10:01\tAnn\t\"the engine\n\nstops on the road\nrain\"\n10:02\tBob\t\"Cars\" he said\n"
	chat := "[LINE] Chat history with Bob\nSaved on: 2024/01/03 09:00\n\n2024/01/03(Wed)\n"
	again := strings.Repeat(long, 10)
	list := "List\n\n" + rule + "|Kind |Text      |     Qty|\n" + rule + times(20, stock) + rule + "|*    |          |     99 |\n|**   |          |     99 |\n" + rule
	checkKinds(t, []kind{
		{name: "a.log", content: fields + times(20, func(i int) string { return fmt.Sprintf("2024-01-01 %d \"an engine of car %d\"", i*7%13, i) }), rows: 20, note: "column 3 (agent)"},
		{name: "a.log", content: fields + times(20, func(i int) string { return fmt.Sprintf("2024-01-01\t%d\tan engine of car %d", i*7%13, i) }), rows: 20, note: "column 3 (agent)"},
		{name: "a.log", content: fields + times(20, func(i int) string { return fmt.Sprintf("2024-01-01 %d \"an \"\"engine\"\" of %d\"", i*7%13, i) }), rows: 20, cols: 1, ids: true, terms: "time-taken"},
		{name: "a.log", content: fields + times(20, func(i int) string { return fmt.Sprintf("2024-01-01 %d \"an engine of %d", i*7%13, i) }), refused: "‹input-format› lines"},
		{name: "a.txt", content: list, rows: 20, terms: "pump", note: "rows of sums"},
		{name: "a.txt", content: strings.ReplaceAll(list, "\n", "\r\n"), rows: 20, terms: "pump", note: "rows of sums"},
		{name: "chat.txt", content: chat + again, rows: 20, terms: "cars engine rain road stops"},
		{name: "chat.txt", content: chat + again + "2024/01/04(Thu)\n" + again, rows: 40, terms: "cars engine rain road stops"},
		{name: "chat.txt", content: chat + strings.Repeat("10:02\tBob\t\"Cars\n", 10) + again, rows: 30, terms: "cars engine rain road stops"},
		{name: "chat.txt", content: chat + again + "10:03\tAnn\tlast\n\n", rows: 21, terms: "cars engine last rain road stops"},
	})
}

// Of a folder of mailboxes each message is a document, folders of texts called cur and
// new are classes, and a note names what is left out beside the folders of a Maildir.
func TestMailFolders(t *testing.T) {
	const head = "From: Ann <a@example.org>\nTo: b@example.org\nDate: Wed, 03 Jan 2024 09:00:00 +0000\nSubject: a car\nMessage-ID: <1@x>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"x\"\n\n"
	part := func(text string) string { return "--x\nContent-Type: text/plain\n\n" + text + "\n--x--\n" }
	box := "From a@example.org Wed Jan  3 09:00:00 2024\n" + head + part("the engine") + "\nFrom a@example.org Wed Jan  3 09:05:00 2024\n" + head + part("the road")
	read := func(files map[string]string) (*Corpus, string) {
		c := must.Get(Read(t.Context(), makeFolder(t, files), ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
		return c, strings.Join(append(c.Terms, c.Notes...), "\n")
	}
	// Mailboxes alone are one corpus of their messages, also packed, without a line break at the end
	// or in an archive.
	files := map[string]string{"2024-a.txt": box, "2024-b": strings.TrimSpace(box), "c.mbox.gz": gzipped(box), "c.msf": "an index"}
	path := writeFile(t, t.TempDir(), "a.zip", zipped("2024-a.txt", box, "2024-b", box, "c.mbox", box))
	for way, c := range map[string]*Corpus{"folder": must.Get(Read(t.Context(), makeFolder(t, files), ReadOptions{Text: TextOptions{MinDF: 1}}))(t), "zip": must.Get(Read(t.Context(), path, ReadOptions{Text: TextOptions{MinDF: 1}}))(t)} {
		if all := strings.Join(append(c.Terms, c.Notes...), "\n"); c.Len() != 6 || c.Format != "mbox" || !strings.Contains(all, "engine\n") || !strings.Contains(all, "road\n") || !strings.Contains(all, "The corpus is 3 mailboxes") {
			t.Errorf("%s: %d documents of three mailboxes: %s", way, c.Len(), all)
		}
	}
	_, err := Read(t.Context(), makeFolder(t, map[string]string{"a": box, "b": box, "c.txt": "a road"}), ReadOptions{})
	wantFault(t, err, "a: is a mailbox of several messages, in a folder of texts", "name the mailbox itself")
	if _, all := read(map[string]string{"a": head + part("the engine"), "b": head + part("the road")}); strings.Contains(all, "boundary") || !strings.Contains(all, "engine\n") {
		t.Errorf("of two messages: %s", all)
	}
	if c, all := read(map[string]string{"cur/1.txt": "the engine", "cur/2.txt": "a car", "new/1.txt": "the road", "new/2.txt": "a car"}); len(c.ClassNames) != 2 {
		t.Errorf("of folders of texts: %s", all)
	}
	if c, all := read(map[string]string{"cur/1704272400.M0P1.host": head + part("the engine"), "new/1704272401.M0P1.host": head + part("the road"), "notes.txt": "a list"}); c.Len() != 2 || !strings.Contains(all, "1 file is left out, beside the folders of a mailbox (Maildir)") || !strings.Contains(all, "notes.txt") {
		t.Errorf("of a Maildir: %d documents, %s", c.Len(), all)
	}
}

// A file of JSON whose name ends with info is a document if it has the fields of the others, and a
// note says from how many books the licence is left out.
func TestNothingLeftOutInSilence(t *testing.T) {
	files := make(map[string]string)
	for i := range 12 {
		files[fmt.Sprintf("page %d.json", i)] = fmt.Sprintf(`[{"text": "the engine of car %d"}, {"text": "a road of car %d"}]`, i, i)
	}
	files["tcp info.json"] = `[{"text": "the state of a connection"}]`
	c := must.Get(Read(t.Context(), makeFolder(t, files), ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	if c.Len() != 25 {
		t.Errorf("%d documents, notes %q", c.Len(), c.Notes)
	}
	book := "Title\n*** START OF THE PROJECT GUTENBERG EBOOK A ROAD ***\nwords of it\n*** END OF THE PROJECT GUTENBERG EBOOK A ROAD ***\nlicence\n"
	c = must.Get(Read(t.Context(), makeFolder(t, map[string]string{"a.txt": book, "b.txt": "other words"}), ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	if all := strings.Join(c.Notes, "\n"); !strings.Contains(all, "1 text is a book of Project Gutenberg") {
		t.Errorf("notes %q", c.Notes)
	}
}

// What payments in MT940 are for goes on in further lines, which the command that is named takes
// too.
func TestWayOutOfPayments(t *testing.T) {
	file := writeFile(t, t.TempDir(), "a.sta", []byte(":20:START\r\n:61:2401\r\n:86:105?00RENT?20rent of Janu\r\nary and?21February\r\n:61:2402\r\n:86:cakes\r\n-}\r\n"))
	_, err := Read(t.Context(), file, ReadOptions{})
	if err == nil {
		t.Fatal("it is read")
	}
	_, way, _ := strings.Cut(err.Error(), "out, with ")
	way, _, _ = strings.Cut(way, ", and give")
	cmd := exec.Command("sh", "-c", strings.ReplaceAll(way, "FILE", filepath.Base(file)))
	cmd.Dir = filepath.Dir(file)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", way, err, said)
	}
	text := string(must.Get(os.ReadFile(file + ".txt"))(t))
	if want := "RENT rent of January and February|cakes"; strings.Join(strings.Fields(strings.ReplaceAll(text, "\n", " | ")), " ") != strings.ReplaceAll(want, "|", " | ")+" |" {
		t.Errorf("%q, want %q", text, want)
	}
}
