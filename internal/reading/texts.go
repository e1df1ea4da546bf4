package reading

import (
	"context"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/request"
)

// ReadTexts reads the whole texts of a corpus, with their line breaks, by the names of the
// documents. Of the options only Source counts, and MaxBytes and Observer. Memory: the texts, and
// their counts while they are read. Errors (fs.ErrInvalid): as of [corpus.Read], and a corpus
// without texts.
func ReadTexts(ctx context.Context, file string, opt request.Options) (map[string]string, error) {
	texts, err := readTexts(ctx, file, opt)
	return texts, fault.Wrap(err)
}

func readTexts(ctx context.Context, file string, opt request.Options) (map[string]string, error) {
	r, err := request.New(opt, "predict")
	if err != nil {
		return nil, err
	}
	j := &job.Job{Request: r, File: file}
	if err := j.CheckSource(ctx); err != nil {
		return nil, err
	}
	read := j.ReadOptions()
	read.Snippets, read.MaxBytes = corpus.WholeTexts, opt.MaxBytes
	read.Text = corpus.TextOptions{Language: "none", StopWords: "none", MinDF: 1}
	c, err := corpus.Read(ctx, file, read)
	if err != nil {
		return nil, j.InFile(err)
	}
	if c.Snippets == nil {
		return nil, invalid.Errorf("%s: it has no texts to show: leave it out, or give the corpus of texts", file)
	}
	texts := make(map[string]string, c.Len())
	for i := range c.Len() {
		texts[c.ID(i)] = c.Snippets[i]
	}
	return texts, nil
}
