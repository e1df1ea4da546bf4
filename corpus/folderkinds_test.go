package corpus

import (
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Files that Windows, macOS and Office add to a folder are no texts.
func TestHiddenFiles(t *testing.T) {
	files := map[string]string{"a/1.txt": "the engine of a car", "a/2.txt": "a cake in the oven", "a/desktop.ini": "[.ShellClassInfo]\n", "a/Thumbs.db": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "__MACOSX/a/1.txt": "more", "a/~$1.docx": "\x03Ann\x00"}
	var members []string
	for name, content := range files {
		members = append(members, name, content)
	}
	for _, path := range []string{makeFolder(t, files), writeFile(t, t.TempDir(), "a.zip", zipped(members...)), writeFile(t, t.TempDir(), "a.tar", tarred(members...))} {
		c := must.Get(Read(t.Context(), path, ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
		if c.Len() != 2 {
			t.Errorf("%s: documents %q", path, c.IDs)
		}
	}
}

// Text with times of day is no svmlight, and a table in UTF-16 needs no name.
func TestKindOfTextByLook(t *testing.T) {
	chat := strings.Repeat("2026-01-02 10:15 - Ann: the engine of a car\n2026-01-02 10:16 - Bob: a cake in the oven\n", 6)
	wide := "id\ttext\tlabel\n" + strings.Repeat("#\tthe engine of a car\tp\n#\ta cake in the oven\tq\n", 6)
	for i := range 12 {
		wide = strings.Replace(wide, "#", string(rune('a'+i)), 1)
	}
	checkKinds(t, []kind{
		{name: "chat.txt", content: chat, rows: 12, note: "12 messages of WhatsApp"},
		{name: "chat.txt", content: strings.ReplaceAll(chat, "Ann: the", "the"), opt: ReadOptions{Format: "lines"}, rows: 12},
		{name: "talk.txt", content: strings.ReplaceAll(chat, " - ", " "), refused: "‹input-format› lines"},
		{name: "chat.txt", content: "1/2/26, 10:15 - Ann: words\n", refused: "cannot be recognised"},
		{name: "chat.txt", content: chat, opt: ReadOptions{Format: "lines"}, rows: 12},
		{name: "a.txt", content: "\ufeff" + wide, rows: 12, classes: 2, ids: true},
		{name: "a.txt", content: wideText("\ufeff"+wide, false), rows: 12, classes: 2, ids: true, note: "UTF-16"},
		{name: "a.txt", content: wideText("\ufeff"+wide, true), rows: 12, classes: 2, ids: true, note: "UTF-16"},
		{name: "a.txt", content: wideText(wide, false), rows: 12, classes: 2, ids: true, note: "UTF-16"},
		{name: "a.txt", content: "1 qid:3 1:0.5 2:1 # first\n2 qid:3 2:1\n", rows: 2, cols: 2, classes: 2},
		{name: "a.txt", content: "1 1:0.5 # first\n2 2:1\n", rows: 2, cols: 2, classes: 2},
		{name: "a.txt", content: "1 1:0.5 2:x\n2 2:1\n", refused: "cannot be recognised"},
		{name: "a.svm", content: "1 1:0.5 2:x\n2 2:1\n", refused: "line 1"},
	})
}
