package corpus

import (
	"bytes"
	"context"
	"io"
	"os"
	"sync"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// StandardInput is the path by which [Read] reads the standard input of the process. It is read
// once and kept in memory, so that a second Read of it gets the same bytes.
const StandardInput = "-"

// standardInput are the bytes of the standard input, once they were read.
var standardInput struct {
	sync.Mutex
	done bool
	data []byte
	err  error
}

// readStandardInput reads a corpus from the standard input.
func readStandardInput(ctx context.Context, opt ReadOptions, given *Labeling) (*Corpus, error) {
	in, err := openStandardInput(ctx, opt)
	if err != nil {
		return nil, err
	}
	c, err := readInput(in, opt, given)
	if err != nil {
		return nil, in.Blame(err)
	}
	in.Finished()
	return c, nil
}

// openStandardInput opens the bytes of the standard input.
func openStandardInput(ctx context.Context, opt ReadOptions) (*input.File, error) {
	const name = "standard input"
	data, err := keptInput(ctx, os.Stdin, opt.MaxBytes)
	if err != nil {
		return nil, (&input.File{Ctx: ctx, Name: name, Mem: input.NewBudget(opt.MaxBytes)}).Wrap("", err)
	}
	limits := opt.limits()
	if limits.MaxBytes > 0 {
		limits.MaxBytes = max(1, limits.MaxBytes-int64(len(data)))
	}
	return input.New(ctx, name, bytes.NewReader(data), int64(len(data)), limits)
}

// keptInput reads the stream the first time it is called, at most half of limit bytes, and returns
// the same bytes later.
func keptInput(ctx context.Context, r io.Reader, limit int64) ([]byte, error) {
	s := &standardInput
	s.Lock()
	defer s.Unlock()
	if s.done {
		return s.data, s.err
	}
	budget := input.NewBudget(limit)
	out := boundedBuffer{mem: input.NewBudget(max(1, budget.Limit/2))}
	finished := make(chan error, 1)
	go func() {
		_, err := io.Copy(&out, r)
		finished <- err
	}()
	select {
	case <-ctx.Done(): // the copy ends with the process
		return nil, ctx.Err()
	case s.err = <-finished:
	}
	s.done, s.data = true, out.Bytes()
	return s.data, s.err
}
