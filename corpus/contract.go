package corpus

import (
	"context"
	"io"

	"gonum.org/v1/gonum/mat"
)

// TextOptions: how raw text becomes counts.
type TextOptions struct {
	Language  string // Snowball: "english" default; "none"
	StopWords string // "english" default, "none" or a file
	MinDF     int    // 0 = 1... the owner decides
	MaxDF     float64
	MinLength int
}

// Weighting "tf" (counts as they are), "tfidf", "binary"; normalize "l2" or "none". New X, the corpus is unchanged.
func (c *Corpus) Weighted(weighting, normalize string) (mat.Matrix, error) { panic("stub") }


func readJSONL(ctx context.Context, r io.Reader, name string, opt ReadOptions) (*Corpus, error) {
	panic("stub")
}
func readFolder(ctx context.Context, dir string, opt ReadOptions) (*Corpus, error) { panic("stub") }
