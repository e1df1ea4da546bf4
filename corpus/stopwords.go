package corpus

import (
	_ "embed"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"golang.org/x/text/unicode/norm"
)

// maxStopWords bounds the bytes of a file of stop words.
const maxStopWords = 16 << 20

//go:embed stopwords_english.txt
var englishList string

var englishSet = sync.OnceValue(func() map[string]bool { return wordSet(englishList) })

// englishStopWord tells whether a canonical word carries no topic in English.
func englishStopWord(word string) bool { return englishSet()[word] }

// stopWords returns the test for the list that which names: "none", a language or a file.
func stopWords(which string) (func(string) bool, error) {
	if which == "none" {
		return func(string) bool { return false }, nil
	}
	if s := stemmers[which]; s != nil {
		return s.stop, nil
	}
	set, err := readStopWords(which)
	if err != nil {
		return nil, err
	}
	return func(word string) bool { return set[word] }, nil
}

// readStopWords reads a file of stop words.
func readStopWords(which string) (map[string]bool, error) {
	f, err := os.Open(which)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, invalid.Errorf("stop words %q: %w; give none, a file of words or one of %s", which, err, strings.Join(languages(), ", "))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxStopWords+1))
	if err != nil {
		return nil, invalid.Errorf("stop words %q: %w", which, err)
	}
	if len(data) > maxStopWords || !utf8.Valid(data) {
		return nil, invalid.Errorf("stop words %q: the file is no list of words in UTF-8 of at most %s; give one word a line", which, humanBytes(maxStopWords))
	}
	return wordSet(string(data)), nil
}

// wordSet reads words separated by white space; # begins a comment.
func wordSet(text string) map[string]bool {
	set := make(map[string]bool)
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for _, word := range strings.Fields(line) {
			set[norm.NFC.String(strings.ToLower(strings.ReplaceAll(word, "\u2019", "'")))] = true
		}
	}
	return set
}
