package input

import (
	"fmt"
	"io"
	"runtime/debug"
)

const (
	// aheadBlock is the size of a block of an [Ahead], in bytes, and aheadBlocks how many there are.
	aheadBlock  = 64 << 10
	aheadBlocks = 4
)

// Ahead reads another reader on a goroutine of its own, up to 256 KiB ahead of its caller: so
// unpacking runs beside what is done with the content. Content, errors and their places are as the
// other reader gives them. If it panics, so does Read, with the stack of the goroutine in the text.
type Ahead struct {
	filled chan aheadPart // closed after the last part
	empty  chan []byte    // blocks to fill; closed by Close
	part   aheadPart      // what the caller reads
	rest   []byte         // what is left of it
}

// aheadPart is a block of content, and the error that followed it; or what the reader panicked
// with.
type aheadPart struct {
	block []byte
	err   error
	crash any
}

// NewAhead begins to read r, which nothing else may read until Close has returned.
func NewAhead(r io.Reader) *Ahead {
	a := &Ahead{filled: make(chan aheadPart, aheadBlocks), empty: make(chan []byte, aheadBlocks)}
	for range aheadBlocks {
		a.empty <- make([]byte, aheadBlock)
	}
	go func() {
		defer close(a.filled)
		defer func() {
			if p := recover(); p != nil {
				a.filled <- aheadPart{crash: fmt.Sprintf("%v\n%s", p, debug.Stack())}
			}
		}()
		for block := range a.empty {
			n, err := 0, error(nil)
			for n < len(block) && err == nil {
				var more int
				more, err = r.Read(block[n:])
				n += more
			}
			a.filled <- aheadPart{block: block[:n], err: err}
			if err != nil {
				return
			}
		}
	}()
	return a
}

// Read implements io.Reader. After an error it returns that error again.
func (a *Ahead) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.part.err != nil {
			return 0, a.part.err
		}
		if a.part.block != nil {
			a.empty <- a.part.block[:aheadBlock]
		}
		if a.part = <-a.filled; a.part.crash != nil {
			panic(a.part.crash)
		}
		a.rest = a.part.block
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// Close ends the goroutine and waits for it. Read must not be called afterwards.
func (a *Ahead) Close() {
	close(a.empty)
	for range a.filled {
	}
}
