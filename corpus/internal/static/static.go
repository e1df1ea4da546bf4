// Package static reads models of static embeddings, and makes a vector of a text by them: the mean
// of the vectors of its tokens, each looked up in a table.
//
// A model is a folder with model.safetensors and tokenizer.json, as model2vec and the
// StaticEmbedding of Sentence Transformers write it, or a file of word vectors in the text or
// binary format of word2vec, which GloVe and fastText's .vec share, packed or not.
//
// The tokenizers are our own, since the Go libraries that read tokenizer.json need Rust, or lack
// WordPiece and Unigram, or bring modules that are no longer kept. They are checked against the
// library tokenizers 0.23 on texts in testdata. What they do not know is refused by its name.
package static

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/words"
	"gonum.org/v1/gonum/mat"
)

// grain is the number of texts that one chunk of a loop takes.
const grain = 64

// Result are vectors of texts.
type Result struct {
	Hash    string     // SHA-256 of the model's files, in hexadecimal digits
	Width   int        // numbers of a vector
	X       *mat.Dense // texts × Width; a text without a token has zeros
	Rows    int        // of the table, that were read
	Without int        // texts without a token that has a vector
}

// table are the vectors of tokens that occur.
type table struct {
	width  int
	row    []int32   // of each token: its row in values, -1 if it has no vector
	values []float32 // rows × width
	unit   bool      // the model scales vectors of texts to length 1
}

// Embed makes a vector of each text by the model at path. Only rows of tokens that occur are kept,
// 4 bytes a number, beside 4 bytes for each token of the texts and the result.
//
// Errors: a *input.FormatError about a file of the model, such as a tokenizer that is not known;
// memory that does not suffice; the context's.
func Embed(ctx context.Context, path string, texts []string, limits input.Limits) (*Result, error) {
	m, err := open(ctx, path, limits)
	if err != nil {
		return nil, err
	}
	ids, err := m.tokenize(ctx, texts)
	if err != nil {
		return nil, err
	}
	t, err := m.lookUp(ctx, ids)
	if err != nil {
		return nil, err
	}
	r := &Result{Width: t.width, Rows: len(t.values) / max(1, t.width)}
	if r.Hash, err = hashed(ctx, m.files()); err != nil {
		return nil, err
	}
	if err := need(ctx, limits, memory.Bytes(8, len(texts), t.width), "%s of %d numbers", words.Counted(len(texts), "vector"), t.width); err != nil {
		return nil, err
	}
	return r, r.fill(ctx, t, ids)
}

// model is an opened model, of either kind.
type model interface {
	// tokenize returns the numbers of the tokens of each text.
	tokenize(ctx context.Context, texts []string) ([][]int32, error)
	// lookUp reads the vectors of the tokens that occur.
	lookUp(ctx context.Context, ids [][]int32) (*table, error)
	files() []string
}

func open(ctx context.Context, path string, limits input.Limits) (model, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, input.OpenError(path, err)
	}
	if !info.IsDir() {
		return &wordFile{path: path, limits: limits}, nil
	}
	return openFolder(ctx, path, limits)
}

// Width returns the numbers of a vector of the model at path, and the most memory that its table
// takes, in bytes. It reads heads of files only.
func Width(ctx context.Context, path string, limits input.Limits) (width int, bytes int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, 0, input.OpenError(path, err)
	}
	if info.IsDir() {
		dir, err := findFolder(path)
		if err != nil {
			return 0, 0, err
		}
		h, err := readHead(filepath.Join(dir, tensorFile))
		if err != nil {
			return 0, 0, err
		}
		return h.table.Shape[1], memory.Bytes(4, h.table.Shape...), nil
	}
	f := &wordFile{path: path, limits: limits}
	return f.measure(ctx)
}

// fill sets X to the means. Each is a sum in the order of the tokens, so that it is the same at any
// number of threads.
func (r *Result) fill(ctx context.Context, t *table, ids [][]int32) error {
	r.X = mat.NewDense(max(1, len(ids)), t.width, nil)
	counts := make([]int, len(ids))
	err := parallel.For(ctx, len(ids), grain, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			out := r.X.RawRowView(i)
			for _, id := range ids[i] {
				if at := t.row[id]; at >= 0 {
					counts[i]++
					for j, v := range t.values[int(at)*t.width:][:t.width] {
						out[j] += float64(v)
					}
				}
			}
			scale(out, counts[i], t.unit)
		}
		return nil
	})
	for _, n := range counts {
		if n == 0 {
			r.Without++
		}
	}
	return err
}

// scale makes a mean of a sum of n vectors, of length 1 if that is wanted.
func scale(sum []float64, n int, unit bool) {
	by := 1 / float64(max(1, n))
	if unit {
		square := 0.0
		for _, v := range sum {
			square += v * v
		}
		if by = 0; square > 0 {
			by = 1 / math.Sqrt(square)
		}
	}
	for j := range sum {
		sum[j] *= by
	}
}

// need asks for memory.
func need(ctx context.Context, limits input.Limits, bytes int64, what string, args ...any) error {
	return memory.Need(memory.Bound(ctx, limits.MaxBytes), bytes, "give a smaller model, or fewer documents", what, args...)
}

// hashed is the SHA-256 of files, one after the other.
func hashed(ctx context.Context, files []string) (string, error) {
	h := sha256.New()
	for _, path := range files {
		if err := addFile(ctx, h, path); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func addFile(ctx context.Context, h hash.Hash, path string) error {
	f, _, err := input.OpenRegular(path)
	if err != nil {
		return err
	}
	defer f.Close()
	buffer := make([]byte, 1<<20)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.Read(buffer)
		h.Write(buffer[:n])
		if err == io.EOF {
			return nil
		} else if err != nil {
			return input.OpenError(path, err)
		}
	}
}
