package corpus

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
)

// fortyTexts is an archive of forty texts, each with its own word and longer than a block.
func fortyTexts() []byte {
	var list []string
	for i := range 40 {
		list = append(list, fmt.Sprintf("a/%02d", i), strings.Repeat(fmt.Sprintf("word%d common ", i), 60))
	}
	return tarred(list...)
}

// An archive that ends anywhere before its end mark is refused, at block boundaries too, where the
// entries before are whole; so is one that goes on after it.
func TestTarIsReadToItsEnd(t *testing.T) {
	whole := fortyTexts()
	end := len(bytes.TrimRight(whole, "\x00"))
	end = (end + 511) / 512 * 512 // of the last text
	opt := ReadOptions{Text: TextOptions{MinDF: 1}}
	for cut := 512; cut < end+512; cut += 512 {
		if _, err := readBytes(whole[:cut], "", opt); err == nil {
			t.Fatalf("cut to %d of %d bytes: no error", cut, end+1024)
		} else if checkFault(t, err); !strings.Contains(err.Error(), "cut off") || cut > 2048 && !strings.Contains(err.Error(), "after ") {
			t.Errorf("cut to %d: %v", cut, err)
		}
	}
	for _, n := range []int{512, 1024, 9 * 512} { // one block of zeros, two, as many as tapes need
		c, err := readBytes(append(bytes.Clone(whole[:end]), make([]byte, n)...), "", opt)
		if err != nil || c.Len() != 40 {
			t.Errorf("%d bytes of zeros at the end: %v", n, err)
		}
	}
	_, err := readBytes(append(bytes.Clone(whole), whole...), "", opt)
	wantFault(t, err, "after news/link", "joined")
}

// Every byte of a header that is changed is found, and named as the archive's fault.
func TestTarWithADamagedHeader(t *testing.T) {
	whole := fortyTexts()
	header := bytes.Index(whole, []byte("a/02"))
	for at := header; at < header+512; at += 7 {
		data := bytes.Clone(whole)
		data[at] ^= 0x15
		_, err := readBytes(data, "", ReadOptions{Text: TextOptions{MinDF: 1}})
		wantFault(t, err, "test.", "after a/01", "again")
	}
}

// No part of a compressed file passes for the whole.
func TestCompressedIsReadToItsEnd(t *testing.T) {
	text := strings.Repeat(`{"text": "words of a text"}`+"\n", 30)
	tarFile := string(fortyTexts())
	dir := t.TempDir()
	for name, data := range map[string][]byte{"a.jsonl.gz": []byte(gzipped(text)), "a.jsonl.xz": xzipped(t, text), "a.tar.gz": []byte(gzipped(tarFile)), "a.tar.xz": xzipped(t, tarFile)} {
		step := max(1, len(data)/200)
		for cut := 1; cut < len(data); cut += step {
			_, err := Read(t.Context(), writeFile(t, dir, name, data[:cut]), ReadOptions{Text: TextOptions{MinDF: 1}})
			if err == nil {
				t.Fatalf("%s: %d of %d bytes pass", name, cut, len(data))
			}
			if checkFault(t, err); cut > 6 && !strings.Contains(err.Error(), "cut off") && !strings.Contains(err.Error(), "damaged") {
				t.Errorf("%s cut to %d of %d: %v", name, cut, len(data), err)
			}
		}
	}
}

// A compressed file inside a folder or an archive is held to the same.
func TestCutOffInsideAnArchive(t *testing.T) {
	z := gzipped(strings.Repeat("many words ", 50))
	_, err := readBytes(tarred("a/1.gz", z[:len(z)-9], "a/2", "words"), "", ReadOptions{})
	wantFault(t, err, "a/1.gz", "cut off")
	dir := makeFolder(t, map[string]string{"a/1.gz": z[:len(z)-9], "a/2.xz": "\xfd7zXZ\x00", "a/3": "words"})
	_, err = Read(context.Background(), dir, ReadOptions{})
	wantFault(t, err, "1.gz", "cut off")
}

// What follows the members of a gzip file, and filters of xz, have messages of their own.
func TestSoundButNotRead(t *testing.T) {
	a, b := `{"text": "one word"}`+"\n", `{"text": "another word"}`+"\n"
	opt := ReadOptions{Text: TextOptions{MinDF: 1}}
	for _, tail := range []string{"", gzipped(b), "\x00\x00\x00", gzipped("") + gzipped(b)} {
		c, err := readBytes([]byte(gzipped(a)+tail), "jsonl", opt)
		if err != nil || c.Len() != 1+strings.Count(tail, gzipped(b)) {
			t.Errorf("%q after: %v, %v", tail, c, err)
		}
	}
	_, err := readBytes([]byte(gzipped(a)+"garbage"), "jsonl", opt)
	wantFault(t, err, "after the compressed data", "gzip -dc")
	_, err = readBytes([]byte(gzipped(a)+gzipped(b)[:12]), "jsonl", opt)
	wantFault(t, err, "cut off")
	if !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	var empty bytes.Buffer
	gzip.NewWriter(&empty).Close()
	_, err = readBytes(empty.Bytes(), "jsonl", opt)
	wantFault(t, err, "")
	// Sound files that xz made with --x86 and --delta.
	for _, packed := range []string{
		"/Td6WFoAAATm1rRGAgEEACEBFgANhjUf4AApAB1dAD2IioaUiBPg84ckt2g2CYQD/t0hPHWMlATa5wAAAAAAALmXtoCWT3JXAAE5KkfxufUftvN9AQAAAAAEWVo=",
		"/Td6WFoAAATm1rRGAgEDAQAhARZ5IMTu4AApAB5dAD2pxk8QoPH7R9NCCg0r+Z18gH0eRvBR9Lum1S44AAAAALmXtoCWT3JXAAE6KoSilN4ftvN9AQAAAAAEWVo=",
	} {
		data, _ := base64.StdEncoding.DecodeString(packed)
		_, err := readBytes(data, "jsonl", opt)
		wantFault(t, err, "filter", "--x86")
		data[15] ^= 1
		_, err = readBytes(data, "jsonl", opt)
		wantFault(t, err, "damaged")
	}
}

// A file whose lines end with carriage returns alone is read as if these were line feeds, whether
// its format is named or recognised.
func TestCarriageReturnsAlone(t *testing.T) {
	for name, text := range map[string]string{"a.csv": "id,a,b\np,1,0\nq,0,1\n", "a.svm": "1 1:2 2:1\n2 2:3\n", "a.txt": "1,0\n0,1\n",
		"a.mtx": "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n"} {
		path := writeFile(t, t.TempDir(), name, []byte(strings.ReplaceAll(text, "\n", "\r")))
		c, err := Read(t.Context(), path, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		wantNote(t, c, "carriage returns")
		if r, cols := c.X.Dims(); r != 2 || cols != 2 {
			t.Errorf("%s: %d×%d", name, r, cols)
		}
	}
	path := writeFile(t, t.TempDir(), "a.csv", []byte("1,0\r0,1\r"))
	labels := writeFile(t, t.TempDir(), "l.csv", []byte("a\rb\r"))
	if c, err := Read(t.Context(), path, ReadOptions{Labels: labels}); err != nil || len(c.ClassNames) != 2 {
		t.Errorf("labels: %v", err)
	}
}
