package corpus

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzTar reads arbitrary bytes as an archive of texts.
func FuzzTar(f *testing.F) {
	f.Add(tarred("a/1", "some words", "a/2", "more words", "b/3", "others"))
	f.Add(tarred("a.sgm", doctype+wire("1", "TRAIN", "YES", "earn", story("Profit", "profit"))))
	f.Add(tarred())
	whole := tarred("a/1", "some words")
	f.Add(whole[:1024])
	f.Add(append(bytes.Clone(whole[:len(whole)-512]), whole...))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 512 {
			return
		}
		data = bytes.Clone(data)
		copy(data[257:], "ustar") // so that it is recognised
		fuzzRead(t, data, "", ReadOptions{Text: TextOptions{MinDF: 1}})
	})
}

// FuzzPacked reads arbitrary bytes as a compressed file of JSON lines, and what follows its first
// bytes in each of the formats that are unpacked or named.
func FuzzPacked(f *testing.F) {
	line := `{"text": "some words"}` + "\n"
	f.Add([]byte(gzipped(line)))
	f.Add([]byte(gzipped(line) + gzipped(line) + "\x00\x00"))
	f.Add([]byte(gzipped(line) + "garbage"))
	f.Add(xzipped(f, line))
	f.Add(xzipped(f, strings.Repeat(line, 9))[:80])
	f.Add([]byte("BZh91AY&SY"))
	f.Add([]byte("\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4F\x02\x00!\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, magic := range []string{"", "\x1f\x8b\x08", "\xfd7zXZ\x00", "BZh"} {
			fuzzRead(t, append([]byte(magic), data...), "jsonl", ReadOptions{Text: TextOptions{MinDF: 1}})
			if magic != "" {
				fuzzRead(t, append([]byte(magic), data...), "", ReadOptions{Text: TextOptions{MinDF: 1}})
			}
		}
	})
}

// FuzzFolder reads trees of files: lines of the input are a path, a colon and the content.
func FuzzFolder(f *testing.F) {
	f.Add("a/1:some words\na/2:more words\nb/3:others", uint8(0))
	f.Add("train/a/1:some words\ntest/a/1:more words\n.hidden/x:no\n1:top", uint8(1))
	f.Add("x.sgm:<REUTERS>\ny.sgm:", uint8(2))
	f.Add("a/\xff:\x1f\x8b\x08\na/b.gz:"+strings.ReplaceAll(gzipped("words"), "\n", " "), uint8(3))
	f.Fuzz(func(t *testing.T, tree string, choice uint8) {
		dir := t.TempDir()
		for i, line := range strings.SplitN(tree, "\n", 40) {
			name, content, _ := strings.Cut(line, ":")
			path := filepath.Join(dir, filepath.Clean("/"+name))
			if i > 30 || len(path) > 200 || strings.Contains(name, "\x00") || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
				continue
			}
			os.WriteFile(path, []byte(content), 0o600) // a name may be taken by a folder
		}
		opt := ReadOptions{MaxBytes: fuzzMemory, Text: TextOptions{MinDF: 1}}
		opt.ClassFolder = []string{"", "first", "last", "none"}[choice%4]
		opt.Encoding = []string{"", "auto", "latin1", "utf-16"}[choice/4%4]
		c, err := Read(context.Background(), dir, opt)
		if err != nil {
			checkFault(t, err)
			return
		}
		checkInvariants(t, c)
	})
}

// FuzzVocabulary reads arbitrary bytes as a list of terms, and as files that may hold one.
func FuzzVocabulary(f *testing.F) {
	f.Add([]byte("one\ntwo\n# a comment\n\nthree"), uint8(0))
	f.Add([]byte("one\rtwo\r"), uint8(0))
	f.Add([]byte("one,two\n1,2\n"), uint8(1))
	f.Add([]byte("\xff\xfeo\x00"), uint8(0))
	f.Add([]byte(gzipped("one\ntwo\n")), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, kind uint8) {
		name := []string{"terms.txt", "terms.csv", "terms.npz", "terms.mtx"}[kind%4]
		terms, err := ReadVocabulary(context.Background(), writeFile(t, t.TempDir(), name, data))
		if err != nil {
			checkFault(t, err)
			return
		}
		if len(terms) == 0 {
			t.Fatal("no terms and no error")
		}
	})
}
