// Package pdf takes the text out of PDFs by pdftotext, a program of poppler: see [Tool].
package pdf

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// What files are that cannot be read.
const (
	noProgram input.Unread = "is a PDF, which is read where pdftotext of poppler is installed: apt-get install poppler-utils, brew install poppler, or conda install poppler"
	encrypted input.Unread = "is a PDF with a password; save it without one, for instance with qpdf --decrypt --password=PASSWORD FILE NEW"
	noText    input.Unread = "is a PDF without text, such as a scan or a drawing; recognise its text, for instance with ocrmypdf FILE FILE, or move it out of the folder"
	tooSlow   input.Unread = "is a PDF that pdftotext has not done after a minute of processor time; print it into a new PDF, or move it out of the folder"
	tooMuch   input.Unread = "is a PDF that prints more than 64 MB of text; divide it, or move it out of the folder"
	tooLarge  input.Unread = "is a PDF for which pdftotext asks for more memory than 512 MB beside the file; print it into a new PDF, or move it out of the folder"
)

// What pdftotext may take for one document. On Linux the limits of processor time and of address
// space hold; elsewhere only the time that passes, which is so long that it ends what hangs.
const (
	mostSeconds = 60
	mostWait    = 10 * time.Minute
	spaceBeside = 512 << 20 // bytes of address space beside a multiple of the document
	spaceOf     = 3         // address space per byte of the document
	mostText    = 64 << 20
)

// Is reports whether a file is a PDF, by its first bytes. White space and a byte-order mark may
// stand before them, as servers and mail programs put there.
func Is(data []byte) bool {
	const mostBefore = 1024 // which is how far readers of PDFs look
	data = bytes.TrimLeft(data[:min(len(data), mostBefore)], "\ufeff \t\r\n")
	return bytes.HasPrefix(data, []byte("%PDF-"))
}

// Tool is the program pdftotext of poppler, which is looked for in PATH when it is first needed.
// Several goroutines may use it.
//
// Each document is read by a process of its own, which gets it on standard input and no file. The
// process has limits of processor time and memory before it has a byte of the document (on Linux),
// writes no file, and ends with the context.
type Tool struct {
	slots   chan struct{} // holds a value for each process that runs
	once    sync.Once
	program string // "": there is none
	version string
}

// New returns a Tool whose processes may take memory bytes together: as many run at a time as have
// room, one at least.
func New(memory int64) *Tool {
	const most = 1 << 10
	return &Tool{slots: make(chan struct{}, min(max(memory/spaceBeside, 1), most))}
}

// versionLine matches the first line of what poppler's pdftotext says of itself.
var versionLine = pattern.Lazy(`^pdftotext version ([0-9][0-9.]*)`)

// find looks for the program. Those of other makers read no standard input.
func (t *Tool) find() {
	program, err := exec.LookPath("pdftotext")
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), mostWait/10)
	defer cancel()
	said, _ := exec.CommandContext(ctx, program, "-v").CombinedOutput()
	if m := versionLine().FindSubmatch(said); m != nil && bytes.Contains(said, []byte("Poppler")) {
		t.program, t.version = program, string(m[1])
	}
}

// Version is the version of the program; "" if there is none.
func (t *Tool) Version() string {
	t.once.Do(t.find)
	return t.version
}

// Text returns the text of a PDF in the order of reading. Words that are divided at the end of a
// line are joined (by pdftotext), ligatures are letters, and lines that head or foot the pages
// count once ([withoutRepeats]). The text has limit bytes at most, else the error is
// input.ErrTooLong; any other error is an input.Unread, the context's, or the system's if no
// process could be started.
func (t *Tool) Text(ctx context.Context, data []byte, limit int64) (string, error) {
	if t.Version() == "" {
		return "", noProgram
	}
	select {
	case t.slots <- struct{}{}:
		defer func() { <-t.slots }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	out, said, err := t.run(ctx, data, min(limit, mostText))
	var start *startError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, input.ErrTooLong) && limit > mostText:
		return "", tooMuch
	case errors.Is(err, input.ErrTooLong), errors.As(err, &start):
		return "", err
	case err != nil:
		return "", unread(err, said)
	}
	text := strings.ToValidUTF8(out, "\ufffd")
	if !lexical.HasWord(text) {
		return "", noText
	}
	return ligatures.Replace(withoutRepeats(text)), nil
}

// ligatures are the characters of Unicode for joined letters, which fonts of some programs have.
var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

// startError says that the system starts no process, which is no fault of a document.
type startError struct{ err error }

// Error names the program.
func (e *startError) Error() string { return "pdftotext could not be started: " + e.err.Error() }

// Unwrap returns the error of the system.
func (e *startError) Unwrap() error { return e.err }

// run starts the program for a document, and returns what it writes and what it says.
func (t *Tool) run(ctx context.Context, data []byte, limit int64) (text, said string, err error) {
	inner, cancel := context.WithTimeout(ctx, mostWait)
	defer cancel()
	cmd := exec.CommandContext(inner, t.program, "-enc", "UTF-8", "-eol", "unix", "-", "-")
	alone(cmd)
	out, messages := &head{most: limit, stop: cancel}, &head{most: 4 << 10}
	cmd.Stdout, cmd.Stderr = out, messages
	cmd.WaitDelay = time.Second // where a process that it started holds the pipes
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start() // which closes the pipe if it fails
	}
	if err != nil {
		return "", "", &startError{err}
	}
	bound(cmd.Process.Pid, mostSeconds, spaceBeside+spaceOf*uint64(len(data)))
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = io.Copy(in, bytes.NewReader(data)) // one that reads no further says why itself
		in.Close()
	}()
	err = cmd.Wait()
	<-written
	switch {
	case out.over:
		return "", "", input.ErrTooLong
	case err != nil && ctx.Err() == nil && (inner.Err() != nil || outOfTime(cmd.ProcessState)):
		err = tooSlow
	}
	return out.kept.String(), messages.kept.String(), err
}

// unread is what is wrong with a document by the end of the program and what it said.
func unread(err error, said string) error {
	var known input.Unread
	switch {
	case errors.As(err, &known):
		return known
	case strings.Contains(said, "Incorrect password"):
		return encrypted
	case strings.Contains(said, "ut of memory"), strings.Contains(said, "bad_alloc"):
		return tooLarge
	}
	return input.Unread(fmt.Sprintf("is a PDF that pdftotext does not read (%s); copy or download it again, print it into a new PDF, or move it out of the folder", firstWords(err, said)))
}

// place matches the place in the file, and what differs between files that are damaged alike.
var place = pattern.Lazy(`^(Syntax |Command Line |Internal |I/O |)(Error|Warning)( \(\d+\))?: `)

// firstWords is the first error that the program names, else how it ended.
func firstWords(err error, said string) string {
	first := ""
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		switch m := place().FindStringSubmatch(line); {
		case m == nil:
			first = cmp.Or(first, line)
		case m[2] == "Error":
			return clip(line[len(m[0]):])
		}
	}
	if first != "" {
		return clip(first)
	}
	return err.Error()
}

// printable makes a blank of what is no character to print, and brackets of parentheses, inside of
// which the words stand.
func printable(r rune) rune {
	switch {
	case !unicode.IsPrint(r):
		return ' '
	case r == '(':
		return '['
	case r == ')':
		return ']'
	}
	return r
}

// clip cuts what a damaged file may put into a message.
func clip(s string) string {
	const most = 80
	s = strings.TrimSpace(strings.Map(printable, s))
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// head keeps what is written up to most bytes. Beyond these stop is called, if there is one, and
// nothing is kept.
type head struct {
	most int64
	kept bytes.Buffer
	over bool
	stop func()
}

// Write keeps p, or the beginning of it.
func (h *head) Write(p []byte) (int, error) {
	fits := p[:min(int64(len(p)), max(0, h.most-int64(h.kept.Len())))]
	h.kept.Write(fits)
	if len(fits) < len(p) {
		h.over = true
		if h.stop != nil {
			h.stop()
			return 0, input.ErrTooLong
		}
	}
	return len(p), nil
}
