package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// What is read ahead has the bytes and the error of the reader, in parts of any size.
func TestAhead(t *testing.T) {
	broken := errors.New("broken")
	for _, size := range []int{0, 1, aheadBlock - 1, aheadBlock, aheadBlock + 1, 7*aheadBlock + 5} {
		content := make([]byte, size)
		for i := range content {
			content[i] = byte(rand.IntN(256))
		}
		for _, want := range []error{nil, broken, io.ErrUnexpectedEOF} {
			var r io.Reader = bytes.NewReader(content)
			if want != nil {
				r = io.MultiReader(r, iotest.ErrReader(want))
			}
			a := NewAhead(iotest.HalfReader(r))
			got, err := io.ReadAll(iotest.HalfReader(a))
			if !bytes.Equal(got, content) || !errors.Is(err, want) {
				t.Errorf("%d bytes and %v: got %d and %v", size, want, len(got), err)
			}
			if n, again := a.Read(make([]byte, 1)); n != 0 || want != nil && !errors.Is(again, want) || want == nil && again != io.EOF {
				t.Errorf("after the end: %d bytes, %v", n, again)
			}
			a.Close()
		}
	}
}

// Close ends the goroutine in the middle of the content: afterwards nothing reads any more.
func TestAheadCloses(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		a := NewAhead(endlessZeros{})
		if _, err := io.ReadFull(a, make([]byte, 3*aheadBlock+1)); err != nil {
			t.Fatal(err)
		}
		a.Close()
	}
	if now := runtime.NumGoroutine(); now > before {
		t.Errorf("%d goroutines, before %d", now, before)
	}
}

// A panic of the reader, or of an observer that it calls, comes to the caller of Read, which Close
// still follows.
func TestAheadCarriesPanics(t *testing.T) {
	a := NewAhead(io.MultiReader(io.LimitReader(endlessZeros{}, 3*aheadBlock), panicking{}))
	defer a.Close()
	defer func() {
		if p := recover(); !strings.Contains(fmt.Sprint(p), "no more") || !strings.Contains(fmt.Sprint(p), "panicking") {
			t.Errorf("the panic is %v", p)
		}
	}()
	n, err := io.Copy(io.Discard, a)
	t.Errorf("%d bytes and %v, and no panic", n, err)
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("no more") }

type endlessZeros struct{}

func (endlessZeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
