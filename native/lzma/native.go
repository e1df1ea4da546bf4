//go:build cgo && linux

package lzma

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// The stream of liblzma 5, whose layout its library number fixes (lzma/base.h).
typedef struct {
	const uint8_t *next_in;
	size_t avail_in;
	uint64_t total_in;
	uint8_t *next_out;
	size_t avail_out;
	uint64_t total_out;
	const void *allocator;
	void *internal;
	void *reserved_pointers[4];
	uint64_t reserved_numbers[2];
	size_t reserved_sizes[2];
	int reserved_enums[2];
} em_stream;

static int (*em_decoder)(em_stream *, uint64_t, uint32_t);
static int (*em_code)(em_stream *, int);
static void (*em_end)(em_stream *);

// em_open finds the library and its functions, and says whether all are there.
static int em_open(void) {
	void *lib = dlopen("liblzma.so.5", RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		return 0;
	em_decoder = (int (*)(em_stream *, uint64_t, uint32_t))dlsym(lib, "lzma_stream_decoder");
	em_code = (int (*)(em_stream *, int))dlsym(lib, "lzma_code");
	em_end = (void (*)(em_stream *))dlsym(lib, "lzma_end");
	return em_decoder && em_code && em_end;
}

static em_stream *em_new(uint64_t memory, uint32_t flags, int *status) {
	em_stream *s = calloc(1, sizeof *s);
	if (!s)
		return s;
	*status = em_decoder(s, memory, flags);
	return s;
}

// em_step unpacks from in to out, and sets how much of each was used.
static int em_step(em_stream *s, const uint8_t *in, size_t *read, uint8_t *out, size_t *written,
		int action) {
	s->next_in = in;
	s->avail_in = *read;
	s->next_out = out;
	s->avail_out = *written;
	int status = em_code(s, action);
	*read -= s->avail_in;
	*written -= s->avail_out;
	s->next_in = NULL; // memory of Go is not kept here
	s->next_out = NULL;
	return status;
}

static void em_free(em_stream *s) {
	em_end(s);
	free(s);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"sync"
	"unsafe"
)

// Of lzma/base.h and lzma/container.h.
const (
	statusOK     = 0
	statusEnd    = 1
	statusMemory = 5
	statusLimit  = 6
	statusFormat = 7
	statusFilter = 8
	statusData   = 9
	statusBuffer = 10

	actionRun    = 0
	actionFinish = 3

	concatenated = 0x08
)

var opened = sync.OnceValue(func() bool { return C.em_open() != 0 })

// inputBytes is how much of the file is read at a time.
const inputBytes = 64 << 10

// release frees the memory of a stream.
func release(s *C.em_stream) {
	C.em_free(s)
	streams.Add(-1)
}

// reader is a file being unpacked. Its memory in C is freed at the end of the file, at an error, by
// Close, or when nothing holds the reader any more.
type reader struct {
	from    io.Reader
	stream  *C.em_stream
	free    runtime.Cleanup
	in      []byte // read and not unpacked
	buffer  []byte
	ended   bool  // from is at its end
	status  error // of from, after what was read before it
	outcome error // that all further reads give
}

// NewReader unpacks the streams of an .xz file one after another, the zeros between and after them
// included. It takes at most the given memory in bytes beside 64 KiB. nil: the library is not
// there, or has no memory. Close frees its memory and leaves r open; a reader at its end, and one
// that nothing holds, has none.
//
// Errors of Read: io.ErrUnexpectedEOF of a file that is cut off, ErrFilter, ErrDictionary,
// ErrMemory, what is wrong in a damaged one, the errors of r after all content that was before
// them, and fs.ErrClosed.
func NewReader(r io.Reader, memory uint64) io.ReadCloser {
	if !opened() {
		return nil
	}
	var status C.int
	s := C.em_new(C.uint64_t(memory), concatenated, &status)
	if s == nil {
		return nil
	}
	if status != statusOK {
		C.em_free(s)
		return nil
	}
	streams.Add(1)
	x := &reader{from: r, stream: s, buffer: make([]byte, inputBytes)}
	x.free = runtime.AddCleanup(x, release, s)
	return x
}

// Read implements io.Reader.
func (x *reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for x.outcome == nil {
		if len(x.in) == 0 && !x.ended {
			n, err := x.from.Read(x.buffer)
			x.in = x.buffer[:n]
			if err != nil {
				x.ended = true
				if err != io.EOF {
					x.status = err
				}
			}
		}
		if n := x.step(p); n > 0 {
			return n, nil
		}
		if len(x.in) == 0 && x.status != nil && x.outcome == nil {
			x.close(x.status)
		}
	}
	return 0, x.outcome
}

// step unpacks what was read into p.
func (x *reader) step(p []byte) int {
	action := C.int(actionRun)
	if x.ended && x.status == nil {
		action = actionFinish
	}
	read, written := C.size_t(len(x.in)), C.size_t(len(p))
	var from *C.uint8_t
	if len(x.in) > 0 {
		from = (*C.uint8_t)(unsafe.Pointer(&x.in[0]))
	}
	status := C.em_step(x.stream, from, &read, (*C.uint8_t)(unsafe.Pointer(&p[0])), &written, action)
	x.in = x.in[read:]
	switch {
	case status == statusOK, status == statusBuffer && !x.ended:
	case status == statusEnd:
		x.close(io.EOF)
	case status == statusBuffer && x.status == nil:
		if written == 0 {
			x.close(io.ErrUnexpectedEOF)
		}
	case status == statusBuffer: // the error of the file follows
	default:
		x.close(problem(int(status)))
	}
	return int(written)
}

// Close implements io.Closer.
func (x *reader) Close() error {
	if x.outcome == nil {
		x.close(fs.ErrClosed)
	}
	return nil
}

// close frees the memory in C and settles the outcome.
func (x *reader) close(outcome error) {
	x.outcome = outcome
	x.free.Stop()
	release(x.stream)
	x.stream, x.in, x.buffer = nil, nil, nil
}

// problem is the error of a status.
func problem(status int) error {
	switch status {
	case statusMemory:
		return ErrMemory
	case statusLimit:
		return ErrDictionary
	case statusFormat:
		return errors.New("it is no .xz file")
	case statusFilter:
		return ErrFilter
	case statusData:
		return errors.New("its content does not fit its checksum")
	}
	return fmt.Errorf("liblzma reports the error %d", status)
}
