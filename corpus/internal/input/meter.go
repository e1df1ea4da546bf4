package input

import (
	"context"
	"io"
	"time"

	"github.com/eigenmap/eigenmap/progress"
)

// Step is how many bytes or entries a reader handles between two looks at the context.
const Step = 1 << 20

// reportEvery is the shortest time between two reports of progress.
const reportEvery = 200 * time.Millisecond

// meter counts the bytes of a file as they are fetched and reports them a few times per second.
type meter struct {
	ctx         context.Context
	done, total int64
	observer    progress.Observer
	last        time.Time
}

func (m *meter) count(n int) {
	m.done += int64(n)
	if m.observer == nil {
		return
	}
	if now := time.Now(); now.Sub(m.last) > reportEvery {
		m.last = now
		m.observer.Report("read", min(m.done, m.total), m.total, "bytes")
	}
}

// Metered returns r with its bytes counted as progress of this file.
func (in *File) Metered(r io.Reader) io.Reader { return &meteredReader{r, in.meter} }

// Expect adds n to the bytes that progress is reported of.
func (in *File) Expect(n int64) { in.meter.total += n }

// Finished reports that all bytes were read.
func (in *File) Finished() { in.Observer.Report("read", in.meter.total, in.meter.total, "bytes") }

type meteredReader struct {
	r io.Reader
	m *meter
}

func (r *meteredReader) Read(p []byte) (int, error) {
	if err := r.m.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.r.Read(p[:min(len(p), Step)])
	r.m.count(n)
	return n, err
}

type meteredReaderAt struct {
	r io.ReaderAt
	m *meter
}

func (r *meteredReaderAt) ReadAt(p []byte, off int64) (int, error) {
	total := 0
	for {
		if err := r.m.ctx.Err(); err != nil {
			return total, err
		}
		part := p[total:min(len(p), total+Step)]
		n, err := r.r.ReadAt(part, off+int64(total))
		total += n
		r.m.count(n)
		if err != nil || total == len(p) {
			return total, err
		}
	}
}

// Consumed is how many bytes of the file were fetched so far, packed as they are there.
func (in *File) Consumed() int64 { return in.meter.done }
