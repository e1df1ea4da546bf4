package corpus

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/sparse"
)

// Size is the size of a corpus.
type Size struct {
	Documents, Terms, Entries int
	Sparse                    bool
	// Single says that the entries are read in single precision with ReadOptions.AsStored, if that was
	// given.
	Single  bool
	Classes []string // nil: it has no labels, or they were not looked at
	Format  string
	// Share is the part of the file that was read: 1 means that the numbers are exact, 0 that they
	// come from the file's header.
	Share float64
}

// Sizes up to which [Measure] reads a file whole, and of the part that it reads of a longer one, in
// bytes on the disk and unpacked.
const (
	wholeBytes  = 32 << 20
	sampleBytes = 8 << 20
)

// sampled are the formats of which the first lines are a corpus of its own.
var sampled = []string{"jsonl", "svm", "csv", "tsv"}

// Measure finds the size of a corpus without reading a long file whole. Of files above 32 MiB it
// reads the header (mtx) or the first 8 MiB (jsonl, svm, csv, tsv) and extrapolates: documents and
// entries in proportion to the bytes, terms by Heaps' law with the exponent of the sample. Folders,
// archives, the standard input and other formats are read whole.
//
// Errors are as for [Read].
func Measure(ctx context.Context, path string, opt ReadOptions) (*Size, error) {
	s, _, err := MeasureRead(ctx, path, opt)
	return s, err
}

// MeasureRead is [Measure], and also returns what it read: the corpus, or that of the first part of
// a long file. It is nil if the header has all sizes.
func MeasureRead(ctx context.Context, path string, opt ReadOptions) (*Size, *Corpus, error) {
	opt.Divide, opt.Single = false, false // sizes alone are looked at
	long, err := isLong(path)
	if err != nil {
		return nil, nil, err
	}
	if long {
		if err := opt.Validate(); err != nil {
			return nil, nil, err
		}
		if s, c, err := measureLong(ctx, path, opt); s != nil || err != nil {
			return s, c, err
		}
	}
	c, err := Read(ctx, path, opt)
	if err != nil {
		return nil, nil, err
	}
	s := sizeOf(c)
	s.Share = 1
	return s, c, nil
}

// isLong reports whether a corpus is a file of more than wholeBytes. The standard input is none: it
// is in memory.
func isLong(path string) (bool, error) {
	if path == StandardInput {
		return false, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return false, input.OpenError(path, err)
	}
	return info.Mode().IsRegular() && info.Size() > wholeBytes, nil
}

func sizeOf(c *Corpus) *Size {
	s := &Size{Format: c.Format}
	s.Documents, s.Terms = c.X.Dims()
	s.Entries = s.Documents * s.Terms
	if x, ok := c.X.(interface{ NNZ() int }); ok {
		s.Sparse, s.Entries = true, x.NNZ()
	}
	s.Single = sparse.IsSingle(c.X)
	if c.Labels != nil {
		s.Classes = c.ClassNames
	}
	return s
}

// measureLong measures a long file by its header or a sample; nil if that cannot be done.
func measureLong(ctx context.Context, path string, opt ReadOptions) (*Size, *Corpus, error) {
	in, done, err := input.Open(ctx, path, opt.limits())
	if err != nil {
		return nil, nil, err
	}
	defer done()
	if archive, err := isTar(in, opt.Format); err != nil || archive {
		return nil, nil, err
	}
	if wide, err := wideJSON(in, opt.Format); err != nil || wide != "" {
		return nil, nil, err
	}
	format, err := opt.detect(in)
	if err != nil {
		return nil, nil, err
	}
	if format == "mtx" {
		rows, cols, entries, isSparse, err := matrix.MtxSize(in)
		if err != nil || opt.Labels != "" {
			return nil, nil, err
		}
		if opt.Transpose {
			rows, cols = cols, rows
		}
		return &Size{Documents: rows, Terms: cols, Entries: entries, Sparse: isSparse, Format: format}, nil, nil
	}
	if !slices.Contains(sampled, format) || opt.Labels != "" || opt.Transpose {
		return nil, nil, nil
	}
	head, err := io.ReadAll(io.LimitReader(in.Stream, sampleBytes))
	if err != nil {
		return nil, nil, in.Wrap("", err)
	}
	end := bytes.LastIndexByte(head, '\n')
	if end < 0 || len(head) < sampleBytes {
		return nil, nil, nil
	}
	share := float64(in.Consumed()) / float64(in.Size) * float64(end) / float64(len(head))
	part, err := input.New(ctx, path, bytes.NewReader(head[:end+1]), int64(end+1), opt.limits())
	if err != nil {
		return nil, nil, err
	}
	opt.Format = format
	c, err := readInput(part, opt, nil)
	if err != nil {
		return nil, nil, err
	}
	return extrapolated(c, share), c, nil
}

// extrapolated is the size of a corpus of whose file c is a share.
func extrapolated(c *Corpus, share float64) *Size {
	s := sizeOf(c)
	times := func(n int, factor float64) int { return int(min(math.MaxInt32, math.Round(float64(n)*factor))) }
	if x, ok := c.X.(*sparse.CSR); ok && s.Documents > 1 {
		half := x.RowPtr[s.Documents/2]
		exponent := math.Log2(float64(distinct(x.Col)) / float64(max(1, distinct(x.Col[:half]))))
		s.Terms = times(s.Terms, math.Pow(1/share, min(1, max(0, exponent))))
	}
	s.Documents, s.Entries, s.Share = times(s.Documents, 1/share), int(float64(s.Entries)/share), share
	return s
}

// distinct counts the different columns.
func distinct(cols []int32) int {
	seen := map[int32]struct{}{}
	for _, j := range cols {
		seen[j] = struct{}{}
	}
	return len(seen)
}
