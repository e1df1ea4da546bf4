package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/reading"
)

// Reading is a corpus, or an affinity graph, that was read and not worked on.
type Reading = reading.Reading

// ClassSize is one class of a corpus.
type ClassSize = reading.ClassSize

// CorpusJSON describes a corpus as one JSON object.
type CorpusJSON = reading.CorpusJSON

// ClassAgreement says of how many documents of a sample the nearest other one has the same class.
type ClassAgreement = reading.ClassAgreement

// Survey is what a person asks of sparse documents before a run.
type Survey = reading.Survey

// Read reads a corpus under the options of the source, and selects its classes. It is weighted only
// if the options name a weighting or a normalization.
func Read(ctx context.Context, file string, opt Options) (*Reading, error) {
	r, err := reading.Read(ctx, file, opt)
	return r, fault.Wrap(err)
}

// ReadingOf counts the terms of texts, one document each, as [ClusterTexts] does, and works on them
// no further. Errors: as of [Read], and [corpus.ErrNoTerms] if no word is left.
func ReadingOf(ctx context.Context, texts []string, opt Options) (*Reading, error) {
	r, err := reading.OfTexts(ctx, texts, opt)
	return r, fault.Wrap(err)
}

// ReadTexts reads the whole texts of a corpus, with their line breaks, by the names of the
// documents. Of the options only [Source] counts, and MaxBytes and Observer. Memory: the texts, and
// their counts while they are read. Errors (fs.ErrInvalid): as of [corpus.Read], and a corpus
// without texts.
func ReadTexts(ctx context.Context, file string, opt Options) (map[string]string, error) {
	texts, err := reading.ReadTexts(ctx, file, opt)
	return texts, fault.Wrap(err)
}
