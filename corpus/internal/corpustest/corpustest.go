// Package corpustest holds the checks and the small files that tests of several packages share.
package corpustest

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
	"gonum.org/v1/gonum/mat"
)

// CheckMatrix compares a matrix with rows as a person would write it.
func CheckMatrix(t *testing.T, x mat.Matrix, want [][]float64) {
	t.Helper()
	r, k := x.Dims()
	if r != len(want) || k != len(want[0]) {
		t.Fatalf("the matrix is %d×%d, want %d×%d", r, k, len(want), len(want[0]))
	}
	for i := range want {
		for j, v := range want[i] {
			if x.At(i, j) != v {
				t.Errorf("entry (%d, %d) is %v, want %v", i, j, x.At(i, j), v)
			}
		}
	}
}

// WantFault asserts an error of one sentence that marks the request as at fault and contains all
// the parts.
func WantFault(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q lacks %q", err, p)
		}
	}
	if strings.Contains(err.Error(), "%!") {
		t.Errorf("error is badly formatted: %q", err)
	}
	CheckFault(t, err)
}

// CheckFault asserts an error that marks the request as at fault, in one line of at most 4000
// bytes.
func CheckFault(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("not marked as the request's fault: %v", err)
	}
	if s := err.Error(); strings.ContainsAny(s, "\n\r\x00") || len(s) > 4000 {
		t.Errorf("error is no clean sentence: %q", s)
	}
}

// WriteFile writes a file into a folder and returns its path.
func WriteFile(t testing.TB, dir, name string, data []byte) string {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.WriteFile(p, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

// FuzzMemory is the limit that fuzz targets read under, and FuzzAllocs is how much one reading may
// allocate in total, in bytes: growing arrays leave their smaller copies behind, and encoding/csv
// and zip have buffers of their own.
const (
	FuzzMemory = 4 << 20
	FuzzAllocs = 64 << 20
)

// Allocated returns the bytes that the program has allocated on the heap so far.
func Allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// MakeFolder writes files given by their slash paths.
func MakeFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Gunzipped returns the content of a file that gzip packed.
func Gunzipped(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Gzipped packs a text.
func Gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

// XZipped packs a text; small dictionaries keep the writer's memory small.
func XZipped(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := xz.WriterConfig{DictCap: 1 << 16}.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Wire writes one document of Reuters-21578.
func Wire(id, split, marked, topics, text string) string {
	var d strings.Builder
	for t := range strings.FieldsSeq(topics) {
		d.WriteString("<D>" + t + "</D>")
	}
	return "<REUTERS TOPICS=\"" + marked + "\" LEWISSPLIT=\"" + split + "\" CGISPLIT=\"X\" OLDID=\"9\" NEWID=\"" + id + "\">\n<DATE>26-FEB-1987</DATE>\n" +
		"<TOPICS>" + d.String() + "</TOPICS>\n<PLACES><D>usa</D></PLACES>\n<UNKNOWN>\n&#5;&#5;unknown</UNKNOWN>\n<TEXT>&#2;\n" + text + "</TEXT>\n</REUTERS>\n"
}

// Story writes the TEXT of a document with a title and a body.
func Story(title, body string) string {
	return "<TITLE>" + title + "</TITLE>\n<DATELINE>    HERE, Feb 26 - </DATELINE><BODY>" + body + "\n Reuter\n&#3;</BODY>"
}

// Doctype is the first line of a file of Reuters-21578.
const Doctype = "<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n"

// Wires is a file of Reuters-21578 with eight documents.
var Wires = Doctype +
	Wire("1", "TRAIN", "YES", "cocoa", Story("BAHIA &lt;COCOA> REVIEW", "AT&amp;T showers caf\xe9s")) +
	Wire("2", "TEST", "YES", "grain wheat", Story("Wheat up", "wheat crop")) +
	Wire("3", "TRAIN", "NO", "", Story("Nothing", "nothing at all")) +
	Wire("4", "NOT-USED", "YES", "earn", Story("Profit", "profit")) +
	Wire("5", "TRAIN", "YES", "earn", "\n*****<TITLE>headline alone</TITLE>\nBlah blah\n&#3;") +
	Wire("6", "TRAIN", "BYPASS", "", "raw Wire &lt;ABC>") +
	Wire("7", "TEST", "YES", "trade trade", Story("Trade", "deficit")) +
	Wire("8", "TEST", "YES", "wheat dlr", Story("Dollar", "wheat dollar"))

// Choppy reads a text in pieces of the given sizes, over and over.
type Choppy struct {
	Text  string
	Sizes []int
	turn  int
}

// Read returns at most the next size of the list.
func (c *Choppy) Read(p []byte) (int, error) {
	if c.Text == "" {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.Sizes[c.turn%len(c.Sizes)])], c.Text)
	c.turn++
	c.Text = c.Text[n:]
	return n, nil
}

// Message writes one message of a mailbox.
func Message(headers, body string) string {
	return "From someone@example.org Mon Apr  5 13:05:00 1993\n" + headers + "\n\n" + body + "\n\n"
}

// Mailbox is a mailbox of five messages.
var Mailbox = Message("From: a@b\nMessage-ID: <1@x>\nNewsgroups: sci.space,sci.misc\nSubject: =?utf-8?q?Caf=C3=A9?= orbits", "The shuttle flew.\n\nFrom there it went on.\n>From escaped line") +
	Message("From: c@d\nMessage-ID: <2@x>\nNewsgroups: sci.med\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=\"BB\"\nList-Id: Doctors <med.example.org>",
		"preamble words\n--BB\nContent-Type: text/plain; charset=iso-8859-2\nContent-Transfer-Encoding: quoted-printable\n\n=B3=F3d=BC soft=\nware\n--BB\nContent-Type: text/html\n\n<p>markup</p>\n--BB--\nepilogue") +
	Message("From: e@f\nMessage-ID: <1@x>\nSubject: packed\nContent-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: base64", base64.StdEncoding.EncodeToString([]byte{0xcd, 0xcf, 0xd3, 0xcb, 0xd7, 0xc1})) +
	Message("From: g@h\nSubject: markup alone\nContent-Type: text/html", "<p>visible</p>") +
	Message("From: i@j\nSubject: raw\nNewsgroups: sci.med", "caf\xe9s")

// JSONLines writes documents as JSON lines without ids and labels.
func JSONLines(texts []string) string {
	var b strings.Builder
	for _, text := range texts {
		line, _ := json.Marshal(map[string]string{"text": text})
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// Descriptions returns the texts of the example corpus, for tests of packages beside this one.
func Descriptions(t testing.TB) []string {
	t.Helper()
	f, err := os.Open("../../../examples/debian/packages.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for d := json.NewDecoder(z); ; {
		var line struct{ Text string }
		if err := d.Decode(&line); err == io.EOF {
			return texts
		} else if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, line.Text)
	}
}

// RandomTexts makes texts from a large vocabulary with inflected forms, so that workers meet words
// in changing order.
func RandomTexts(n, length int) []string {
	rng := rand.New(rand.NewPCG(1, 2))
	suffixes := []string{"", "s", "ed", "ing", "'s"}
	texts := make([]string, n)
	for i := range texts {
		var b strings.Builder
		for range length {
			// Squaring makes low numbers frequent, as words are.
			v := rng.Float64()
			fmt.Fprintf(&b, "w%c%dk%s ", 'a'+rng.IntN(26), int(v*v*300), suffixes[rng.IntN(len(suffixes))])
		}
		texts[i] = b.String()
	}
	return texts
}
