package language

import (
	"embed"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/regular"
	"golang.org/x/text/unicode/norm"
)

// maxStopWords bounds the bytes of a file of stop words.
const maxStopWords = 16 << 20

//go:embed stopwords_*.txt
var stopFiles embed.FS

// stopSets are this package's own lists by language: the complete list of English, and for the
// other languages the words that the stemmers' lists lack.
var stopSets = sync.OnceValue(func() map[string]map[string]bool {
	sets := make(map[string]map[string]bool)
	for _, language := range Sorted() {
		text, err := stopFiles.ReadFile("stopwords_" + language + ".txt")
		if err != nil {
			panic(err) // each language has its file
		}
		sets[language] = wordSet(string(text))
	}
	return sets
})

// IsStop reports whether a word, in lower case and composed (NFC), is a stop word of a language.
func IsStop(language, word string) bool {
	s := stemmers[language]
	return s.stop != nil && s.stop(word) || stopSets()[language][word]
}

// Stops returns the test for a list by its name: "none", languages or a file.
func Stops(which string) (func(string) bool, error) {
	if which == "none" {
		return func(string) bool { return false }, nil
	}
	if stemmers[which] != nil {
		return func(word string) bool { return IsStop(which, word) }, nil
	}
	if of := Several(which); of != nil {
		return func(word string) bool {
			return slices.ContainsFunc(of, func(l Tongue) bool { return IsStop(Names[l], word) })
		}, nil
	}
	set, err := ReadStops(which)
	if err != nil {
		return nil, err
	}
	return func(word string) bool { return set[word] }, nil
}

// ReadStops reads a file of stop words: words separated by white space, # begins a comment.
func ReadStops(which string) (map[string]bool, error) {
	data, err := regular.Read(which, "a list of stop words", maxStopWords)
	var refused *regular.Error
	switch {
	case errors.As(err, &refused):
		return nil, invalid.Errorf("stop words %q: the file %s", which, refused.Why)
	case err != nil:
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, invalid.Errorf("stop words %q: %w; give none, a file of words, or one of %s or several with commas between", which, err, strings.Join(Sorted(), ", "))
	}
	if wide := input.WideEncoding(data); wide != "" {
		return nil, invalid.Errorf("stop words %q: the file %s", which, input.WideRefusal(wide))
	}
	if !utf8.Valid(data) {
		return nil, invalid.Errorf("stop words %q: the file is not a list of words in UTF-8; give one word per line", which)
	}
	return wordSet(string(data)), nil
}

// wordSet reads words separated by white space. # begins a comment; a byte-order mark is ignored.
func wordSet(text string) map[string]bool {
	set := make(map[string]bool)
	for line := range strings.Lines(strings.TrimPrefix(text, input.ByteOrderMark)) {
		line, _, _ = strings.Cut(line, "#")
		for word := range strings.FieldsSeq(line) {
			set[norm.NFC.String(strings.ToLower(strings.ReplaceAll(word, "\u2019", "'")))] = true
		}
	}
	return set
}

// StopsOf is the test for a list of stop words that is given in place of a file.
func StopsOf(words []string) func(string) bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return func(word string) bool { return set[word] }
}
