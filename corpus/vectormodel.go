package corpus

import (
	"context"

	"github.com/eigenmap/eigenmap/corpus/internal/plain"
	"github.com/eigenmap/eigenmap/corpus/internal/static"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

// VectorModel says which model of static embeddings made the vectors of documents.
type VectorModel struct {
	Name  string `json:"name"`  // as the user named it
	Hash  string `json:"hash"`  // SHA-256 of its files, 64 hexadecimal digits
	Width int    `json:"width"` // numbers of a vector
	// Without is the number of documents without a token that has a vector. Their vectors are zero.
	Without int `json:"-"`
}

// EmbedTexts makes a vector of each text by a model of static embeddings: the mean of the vectors
// of its tokens, in double precision. X of the result is texts × numbers.
//
// path is a folder with model.safetensors and tokenizer.json, as model2vec and the StaticEmbedding
// of Sentence Transformers write it, or a file of word vectors: GloVe's text, word2vec's text or
// binary format, packed or not. The tokenizer of a folder (WordPiece, WordLevel or Unigram)
// finds the tokens of a text, all of them, where model2vec by itself reads the first 512; the token
// for what is not known is left out, as model2vec does. In a file of word vectors a word of a text
// is looked up as it is, then in lower case, then its parts between hyphens and apostrophes.
//
// Memory: the vectors of tokens that occur, 4 bytes a number; 4 bytes for each token of the texts;
// and the result. Of the options MaxBytes and Observer count. Errors (fs.ErrInvalid): a
// *[FormatError] about a file of the model, such as a tokenizer that is not known; memory that does
// not suffice; the context's.
func EmbedTexts(ctx context.Context, path string, texts []string, opt ReadOptions) (*Corpus, *VectorModel, error) {
	if len(texts) == 0 {
		return nil, nil, invalid.Errorf("there are no texts to make vectors of")
	}
	r, err := static.Embed(ctx, path, texts, opt.limits())
	if err != nil {
		return nil, nil, err
	}
	return &Corpus{Name: path, X: r.X}, &VectorModel{Name: path, Hash: r.Hash, Width: r.Width, Without: r.Without}, nil
}

// MeasureVectorModel returns how many numbers a vector of a model for [EmbedTexts] has, and the
// most memory that its table takes, in bytes. It reads the beginning of a file.
func MeasureVectorModel(ctx context.Context, path string) (width int, bytes int64, err error) {
	return static.Width(ctx, path, ReadOptions{}.limits())
}

// Shorten makes [Corpus].Snippets of whole texts the beginnings of at most so many characters, as
// ReadOptions.Snippets makes them; 0: none.
func (c *Corpus) Shorten(characters int) {
	if characters == WholeTexts || c.Snippets == nil {
		return
	}
	if characters < 1 {
		c.Snippets = nil
		return
	}
	short := make([]string, len(c.Snippets))
	for i, s := range c.Snippets {
		short[i] = plain.Snippet(s, characters)
	}
	c.Snippets = short
}
