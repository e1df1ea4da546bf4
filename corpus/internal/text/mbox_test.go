package text

import (
	"io"
	"strings"
	"testing"
)

// countedReader counts the bytes that are read.
type countedReader struct {
	io.Reader
	n int
}

func (c *countedReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}

// What is no mailbox shows by its beginning, also if it has no line.
func TestMboxStart(t *testing.T) {
	r := &countedReader{Reader: strings.NewReader("A: " + strings.Repeat("x", 8<<20))}
	m := &mbox{rule: &mailRule{file: "a.mbox"}, w: window{r: r, limit: 1 << 30}}
	if err := m.start(); err == nil || r.n > 2*headBytes {
		t.Errorf("%v after %d bytes", err, r.n)
	}
}
