package counting

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/language"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
	"github.com/eigenmap/eigenmap/corpus/internal/tokens"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

// Options says how raw text becomes term counts. The zero value is the documented default.
//
// A text is cut into words: runs of Unicode letters, digits and combining marks. Letters become
// lower case and are composed (NFC). An apostrophe between two letters belongs to the word
// ("don't"), and an ending 's is cut off; in French and Italian an apostrophe separates
// ("l'avion"). Nothing separates the words of Chinese characters and Japanese kana, so these make
// overlapping pairs instead, and Thai, Lao, Khmer and Burmese overlapping triples of characters
// with their marks, unless the text has blanks between its words. An emoji is a word of any length;
// those that differ in the tone of the skin are one.
//
// Words without a letter, words shorter than MinLength and words longer than 64 characters are
// dropped, then stop words; the others are stemmed. A column of the corpus is a stem. Its name in
// Corpus.Terms is the stem's most frequent word; of equally frequent words it is the alphabetically
// first. Columns are in the order of their names' bytes. With NGrams, runs of stems are columns
// too: those that follow each other in a document after the other words are dropped. A run is named
// by its words with a blank between.
type Options struct {
	// Language is the Snowball stemmer, by the name of its language or the code: "danish" or "da",
	// "dutch", "english", "finnish", "french", "german", "hungarian", "italian", "norwegian",
	// "portuguese", "russian", "spanish", "swedish"; "none" leaves words as they are. "auto"
	// (default) reads each document in its own language, which its words alone decide: in English
	// unless they are plainly of another. Words of a language that is not listed are left as they
	// are. With several languages between commas, "german,english", each document is read in the one
	// that it is written in. If that is not plain, the language is the one of which the document
	// has the most words; English, if two have as many; the first of the list, if it has none. With
	// Vocabulary and without VocabularyStems "auto" is English, and a list is an error.
	Language string `json:"language,omitempty"`
	// StopWords are the words left out: "none", a language of the list above or several, or the
	// name of a text file of words separated by white space, with comments that begin with #. Empty
	// or "auto": the words of Language (of several languages those of each text's own), or English
	// ones if Language is "none".
	StopWords string `json:"stop_words,omitempty"`
	// Stop, if not nil, are the words left out in place of StopWords, in the form that StopList
	// returns.
	Stop []string `json:"stop,omitempty"`
	// MinDF is the least number of documents that a term must occur in; 0 means 2. A term of one
	// document says nothing about the similarity of documents, and such terms are most of a
	// vocabulary. 1 keeps all.
	MinDF int `json:"min_df,omitempty"`
	// MinDFShare is the least share of the documents that a term must occur in, in [0, 1]. If it is
	// above 0, MinDF 0 means 1. Both limits hold.
	MinDFShare float64 `json:"min_df_share,omitempty"`
	// MaxDF is the largest share of the documents that a term may occur in, in (0, 1]; 0 means 1,
	// no limit.
	MaxDF float64 `json:"max_df,omitempty"`
	// MaxDFCount is the largest number of documents that a term may occur in; 0 means no limit.
	// Both it and MaxDF hold.
	MaxDFCount int `json:"max_df_count,omitempty"`
	// NGrams is the most words of a term, 1 to 3; 0 means 1, single words. Memory grows with the
	// number of distinct runs in the texts, most of which occur once.
	NGrams int `json:"ngrams,omitempty"`
	// Collocations keeps, of runs of words, those alone whose words belong together, by the
	// documents that hold the run and its words. It has no effect with Vocabulary.
	Collocations bool `json:"collocations,omitempty"`
	// Vocabulary, if not nil, are the columns of the corpus in their order, such as the Terms of an
	// older corpus. Each counts the words of its stem. The limits of document frequency are then
	// ignored, and terms of several words raise NGrams as needed.
	Vocabulary []string `json:"vocabulary,omitempty"`
	// VocabularyStems are the stems of the terms of Vocabulary, as [Collection.Stems]; nil: by
	// Language.
	VocabularyStems []string `json:"-"`
	// Index has the column of each stem of VocabularyStems, where these are the stems of an
	// [Outline] ([Outline.Columns]): the terms are then not looked for one by one. nil: they are.
	Index map[string]int32 `json:"-"`
	// AnyText takes texts of which no term of the Vocabulary occurs, as rows of zeros.
	AnyText bool `json:"-"`
	// ForModel says that a model's options read the texts: notes advise no other.
	ForModel bool `json:"-"`
	// MinLength is the least number of characters of a word; 0 means 2.
	MinLength int `json:"min_length,omitempty"`
	// Markup says what becomes of HTML in a text: "auto" (default) leaves out tags of the elements
	// of HTML, comments, scripts and styles, and decodes entities; "keep" takes all as words. Each
	// text is looked at by itself.
	Markup string `json:"markup,omitempty"`
}

// validateLanguage refuses a language that is not known, and several for a vocabulary.
func (o Options) validateLanguage() error {
	o.Language = language.Name(o.Language)
	if o.Language != "" && !language.Known(o.Language) {
		return invalid.Errorf("text language %q has no stemmer here; use one of %s, none, or several with commas between", message.Clip(o.Language, 60), language.Choices())
	}
	if language.Several(o.Language) != nil && o.Vocabulary != nil && o.VocabularyStems == nil && !o.ForModel {
		return invalid.Errorf("the terms of a vocabulary are of one language, not of %s; name that of the terms", message.Clip(o.Language, 60))
	}
	return nil
}

// Validate lists every violation; such an error satisfies errors.Is(err, fs.ErrInvalid).
func (o Options) Validate() error {
	var errs []error
	if err := o.validateLanguage(); err != nil {
		errs = append(errs, err)
	}
	if o.MinDF < 0 {
		errs = append(errs, invalid.Errorf("min-df is %d; it is the least number of documents that hold a term, 1 or more (0 means the default, 2)", o.MinDF))
	}
	if math.IsNaN(o.MaxDF) || o.MaxDF < 0 || o.MaxDF > 1 {
		errs = append(errs, invalid.Errorf("max-df is %v; it is the largest share of the documents that hold a term, above 0 and up to 1 (0 means the default, 1)", o.MaxDF))
	}
	if math.IsNaN(o.MinDFShare) || o.MinDFShare < 0 || o.MinDFShare > 1 {
		errs = append(errs, invalid.Errorf("min-df is the share %v; it is the least share of the documents that hold a term, between 0 and 1", o.MinDFShare))
	}
	if o.MaxDFCount < 0 {
		errs = append(errs, invalid.Errorf("max-df is %d; it is the largest number of documents that hold a term, 1 or more (0 means no limit)", o.MaxDFCount))
	}
	if o.NGrams < 0 || o.NGrams > maxGram {
		errs = append(errs, invalid.Errorf("ngrams is %d; it is the most words of a term, between 1 and %d (0 means the default, 1)", o.NGrams, maxGram))
	}
	if o.VocabularyStems != nil && len(o.VocabularyStems) != len(o.Vocabulary) {
		errs = append(errs, invalid.Errorf("there are %d stems of the vocabulary's %d terms", len(o.VocabularyStems), len(o.Vocabulary)))
	}
	for j, t := range o.Vocabulary {
		if n := len(strings.Fields(t)); n == 0 || n > maxGram {
			errs = append(errs, invalid.Errorf("term %d of the vocabulary, %q, has %d words; give terms of 1 to %d words", j+1, message.Clip(t, 60), n, maxGram))
			break
		}
	}
	if o.MinLength < 0 || o.MinLength > tokens.MaxLength {
		errs = append(errs, invalid.Errorf("the least word length is %d; it must be between 1 and %d (0 means the default, 2)", o.MinLength, tokens.MaxLength))
	}
	if o.Markup != "" && o.Markup != plain.ReadMarkup && o.Markup != plain.KeepMarkup {
		errs = append(errs, invalid.Errorf("markup is %q; it is %s or %s", message.Clip(o.Markup, 40), plain.ReadMarkup, plain.KeepMarkup))
	}
	return invalid.Join(errs...)
}

// withDefaults replaces zero values by the defaults.
func (o Options) withDefaults() Options {
	o.Language, o.StopWords = cmp.Or(language.Name(o.Language), language.Auto), language.Name(o.StopWords)
	if (o.Language == language.Auto || language.Several(o.Language) != nil) && o.Vocabulary != nil && o.VocabularyStems == nil {
		o.Language = language.Usual
	}
	if o.StopWords == "" || o.StopWords == language.Auto {
		switch {
		case o.Language == language.None:
			o.StopWords = language.Usual
		case language.Several(o.Language) != nil:
			o.StopWords = language.Auto // of each text's own; the list names those of all
		default:
			o.StopWords = o.Language
		}
	}
	if o.MinDF == 0 {
		o.MinDF = 2
		if o.MinDFShare > 0 {
			o.MinDF = 1
		}
	}
	o.MaxDF = cmp.Or(o.MaxDF, 1)
	o.MinLength = cmp.Or(o.MinLength, 2)
	o.NGrams = max(o.NGrams, 1)
	o.Markup = cmp.Or(o.Markup, plain.ReadMarkup)
	for _, t := range o.Vocabulary {
		o.NGrams = max(o.NGrams, len(strings.Fields(t)))
	}
	return o
}

// limits returns the least and the largest number of documents that a term may occur in, of n
// documents.
func (o Options) limits(n int) (least, most int) {
	// The slack makes a share such as 0.7 of 10 documents mean 7 in spite of rounding.
	least = max(o.MinDF, int(math.Ceil(o.MinDFShare*float64(n)*(1-1e-12))))
	most = int(o.MaxDF * float64(n) * (1 + 1e-12))
	if o.MaxDFCount > 0 {
		most = min(most, o.MaxDFCount)
	}
	return least, most
}

// StopList returns the words, sorted, of the file of stop words that these options name; nil if
// they name languages or none. A model keeps the words in place of the file's name.
func (o Options) StopList() ([]string, error) {
	o = o.withDefaults()
	if language.Known(o.StopWords) {
		return nil, nil
	}
	set, err := language.ReadStops(o.StopWords)
	if err != nil {
		return nil, err
	}
	words := make([]string, 0, len(set))
	for w := range set {
		words = append(words, w)
	}
	slices.Sort(words)
	return words, nil
}
