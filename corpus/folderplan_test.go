package corpus

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/must"
)

func TestFolderParts(t *testing.T) {
	bydate := map[string]string{
		"20news-bydate-train/sci.med/1": "some words", "20news-bydate-train/sci.space/2": "some words", "20news-bydate-test/sci.med/1": "some words",
		"20news-bydate-test/sci.med/sub/3.gz": gzipped("some words"),
	}
	imdb := map[string]string{
		"train/pos/1": "some words", "train/unsup/2": "some words", "test/neg/1": "some words", "train/urls.txt": "urls", "README": "readme",
	}
	// A class named train is not a part.
	classes := map[string]string{"train/1": "words", "plane/old/1": "words"}
	for _, tc := range []struct {
		name  string
		files map[string]string
		opt   ReadOptions
		want  string
		note  string
	}{
		{"20 newsgroups", bydate, ReadOptions{}, "test/sci.med/1:sci.med test/sci.med/sub/3:sci.med train/sci.med/1:sci.med train/sci.space/2:sci.space", "test 2, train 2"},
		{"the part train", bydate, ReadOptions{Split: []string{"train"}}, "train/sci.med/1:sci.med train/sci.space/2:sci.space", "train 2"},
		{"first", bydate, ReadOptions{ClassFolder: "first"}, "test/sci.med/1:sci.med test/sci.med/sub/3:sci.med train/sci.med/1:sci.med train/sci.space/2:sci.space", "test 2, train 2"},
		{"last", bydate, ReadOptions{ClassFolder: "last", Split: []string{"test"}}, "test/sci.med/1:sci.med test/sci.med/sub/3:sub", ""},
		{"none", bydate, ReadOptions{ClassFolder: "none", Split: []string{"test"}}, "test/sci.med/1: test/sci.med/sub/3:", ""},
		{"reviews", imdb, ReadOptions{}, "test/neg/1:neg train/pos/1:pos train/unsup/2:", "2 files beside"},
		{"class train", classes, ReadOptions{}, "plane/old/1:plane train/1:train", ""},
		{"last of two levels", classes, ReadOptions{ClassFolder: "last"}, "plane/old/1:old train/1:train", ""},
	} {
		tc.opt.Text.MinDF = 1
		c, err := Read(context.Background(), makeFolder(t, tc.files), tc.opt)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if got := classOf(c); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
		if tc.note != "" {
			wantNote(t, c, tc.note)
		}
	}
	_, err := Read(context.Background(), makeFolder(t, classes), ReadOptions{Split: []string{"train"}})
	wantFault(t, err, "not divided", "‹split›")
	_, err = Read(context.Background(), makeFolder(t, bydate), ReadOptions{Split: []string{"dev"}})
	wantFault(t, err, "no part dev", "test, train")
}

// TestLabelsOfOtherParts: a list of labels for all parts can be used with one of them, but a name
// that no part has stays an error.
func TestLabelsOfOtherParts(t *testing.T) {
	files := map[string]string{"train/x/1": "some words", "train/y/2": "some words", "test/x/3": "some words", "test/y/4": "some words"}
	all := "id,label\ntrain/x/1,a\ntrain/y/2,b\ntest/x/3,a\ntest/y/4,b\n"
	dir := t.TempDir()
	var data []string
	for name, text := range files {
		data = append(data, "n/"+name, text)
	}
	for _, path := range []string{makeFolder(t, files), writeFile(t, dir, "n.tar", tarred(data...))} {
		opt := ReadOptions{Split: []string{"test"}}
		c := must.Get(Read(t.Context(), path, opt))(t)
		labels := writeFile(t, dir, "labels.csv", []byte(all))
		given, err := ReadGiven(t.Context(), labels, c.SelectRows([]int{1, 0}))
		if err != nil || !slices.Equal(given.Labels, []int{1, 0}) {
			t.Errorf("labels %v: %v", given, err)
		}
		opt.Labels = labels
		if c, err = Read(t.Context(), path, opt); err != nil || classOf(c) != "test/x/3:a test/y/4:b" {
			t.Errorf("as truth: %v", err)
		}
		for _, stranger := range []string{"test/x/9,a\n", "dev/x/1,a\n"} {
			opt.Labels = writeFile(t, dir, "more.csv", []byte(all+stranger))
			_, err = Read(t.Context(), path, opt)
			wantFault(t, err, stranger[:5])
			_, err = ReadGiven(t.Context(), opt.Labels, c)
			wantFault(t, err, stranger[:5])
		}
	}
	c, err := readBytes([]byte(wires), "reuters", ReadOptions{Split: []string{"train"}, Text: TextOptions{MinDF: 1}})
	if err != nil || !c.isUnread("test/1") || c.isUnread("train/1") || c.isUnread("test") {
		t.Errorf("unread parts %q: %v", c.unread, err)
	}
}

// TestFolderTwins: the error on a text beside its compressed copy names both.
func TestFolderTwins(t *testing.T) {
	for other, text := range map[string]string{"a/1.txt.gz": gzipped("some words"), "a/1.txt.xz": string(xzipped(t, "some words")), "a/1.txt ": "some words", "a/1.txt\r": "more"} {
		files := map[string]string{"a/1.txt": "some words", other: text}
		_, err := Read(t.Context(), makeFolder(t, files), ReadOptions{})
		wantFault(t, err, "1.txt and ", message.Clip(other, 60)[2:]+" would", "remove or rename one")
		_, err = readBytes(tarred("n/a/1.txt", "some words", "n/"+other, text), "", ReadOptions{})
		wantFault(t, err, "1.txt and ", message.Clip(other, 60)[2:]+" would", "remove or rename one")
	}
}

func TestFolderEncodings(t *testing.T) {
	dir := makeFolder(t, map[string]string{"a/1": "caf\xe9 \x93quoted\x94", "a/2": "café"})
	plain := TextOptions{MinDF: 1, Language: "none", StopWords: "none"}
	for encoding, want := range map[string]string{"": "caf café quoted", "auto": "café quoted", "latin1": "cafã café quoted", "utf-8": "caf café quoted"} {
		c := must.Get(Read(context.Background(), dir, ReadOptions{Text: plain, Encoding: encoding}))(t)
		if got := strings.Join(c.Terms, " "); got != want {
			t.Errorf("encoding %q: %q, want %q", encoding, got, want)
		}
		switch encoding {
		case "":
			wantNote(t, c, "‹encoding› auto")
		case "auto":
			wantNote(t, c, "1 document is not UTF-8 and was read as Windows-1252 (first: a/1)")
		}
	}
	little, big := "\xff\xfec\x00a\x00f\x00\xe9\x00", "\xfe\xff\x00c\x00a\x00f\x00\xe9"
	for encoding, files := range map[string]map[string]string{
		"utf-16le": {"a/1": little, "a/2": little[2:], "a/3": big}, "utf-16": {"a/1": big, "a/2": little},
		"utf-16be": {"a/1": big, "a/2": big[2:], "a/3": little}, "": {"a/1": big, "a/2": little, "a/3": "\ufeffcafé", "a/4.html": "\xff\xfe" + wideText("<html><meta charset=utf-16><body><i>café</i></html>", false), "a/5.eml": "\xff\xfe" + wideText("Subject: café\n\n", false)}, "auto": {"a/1": big, "a/2": little, "a/3": "\ufeffcafé", "a/4": "caf\xe9"},
	} {
		c, err := Read(context.Background(), makeFolder(t, files), ReadOptions{Text: plain, Encoding: encoding})
		if err != nil {
			t.Errorf("%s: %v", encoding, err)
			continue
		}
		for i := range c.Len() {
			if got := textOf(c, i); got != "café" || len(c.Terms) != 1 {
				t.Errorf("%s: %s holds %q", encoding, c.ID(i), got)
			}
		}
	}
	_, err := Read(context.Background(), makeFolder(t, map[string]string{"a/1": "\xff\xfe\x00\x00c\x00\x00\x00"}), ReadOptions{Encoding: "utf-16"})
	wantFault(t, err, "is UTF-32")
	// Lists of labels are decoded, and other lists not, so that the error names their encoding.
	list := writeFile(t, t.TempDir(), "list.txt", []byte("\xff\xfea\x00,\x00b\x00\n\x00"))
	if l, err := ReadLabeling(context.Background(), list, ""); err != nil || !slices.Equal(l.IDs, []string{"a"}) || !slices.Equal(l.Labels, []string{"b"}) {
		t.Errorf("%v, %+v", err, l)
	}
	_, err = ReadVocabulary(context.Background(), list)
	wantFault(t, err, "is UTF-16", "iconv")
	_, err = Read(context.Background(), list, ReadOptions{})
	wantFault(t, err, "is UTF-16", "iconv")
	_, err = TextOptions{StopWords: list}.StopList()
	wantFault(t, err, "is UTF-16", "iconv")
}
