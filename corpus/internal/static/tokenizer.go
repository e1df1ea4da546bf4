package static

import (
	"encoding/json"
	"os"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// tokenizer makes numbers of tokens of a text, as a tokenizer.json says: the text is divided at
// special tokens, its characters are normalised, it is split into words, and each word into pieces
// of the vocabulary.
type tokenizer struct {
	special   []special
	normalize []normalizer
	split     []splitter
	pieces    pieces
	unknown   int32 // the token for what is not known; -1 for none
	last      int32 // the largest number of a token
}

// special is a token that stands for itself wherever it is in a text.
type special struct {
	text string
	id   int32
}

// normalizer changes the characters of a text. splitter divides words into smaller ones: first says
// whether the word is at the beginning of the text.
type (
	normalizer func(text string) string
	splitter   func(word string, first bool) []string
)

// pieces adds the numbers of the pieces of a word to a list.
type pieces interface {
	add(ids []int32, word string) []int32
}

// component is a part of a tokenizer.json, by its type.
type component struct {
	Type string `json:"type"`
	raw  json.RawMessage
}

func (c *component) UnmarshalJSON(text []byte) error {
	c.raw = slices.Clone(text)
	var head struct {
		Type string `json:"type"`
	}
	err := json.Unmarshal(text, &head)
	c.Type = head.Type
	return err
}

// into reads the settings of a component.
func (c *component) into(settings any) error { return json.Unmarshal(c.raw, settings) }

// readTokenizer reads a tokenizer.json. A part that is not known is an error that names it.
func readTokenizer(path string) (*tokenizer, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, input.OpenError(path, err)
	}
	var file struct {
		Added []struct {
			ID         int32  `json:"id"`
			Content    string `json:"content"`
			Special    bool   `json:"special"`
			Normalized bool   `json:"normalized"`
		} `json:"added_tokens"`
		Normalizer *component `json:"normalizer"`
		Splitter   *component `json:"pre_tokenizer"`
		Model      *component `json:"model"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, input.Failf(path, "", "it cannot be read as JSON: %v; copy the model again", err)
	}
	if file.Model == nil {
		return nil, input.Failf(path, "", "it has no model, so it is no tokenizer; copy the model again")
	}
	t := &tokenizer{unknown: -1}
	r := &tokenizerReader{path: path}
	if t.pieces = r.model(t, file.Model); r.err == nil {
		t.normalize = r.normalizers(file.Normalizer)
	}
	if r.err == nil {
		t.split = r.splitters(file.Splitter)
	}
	for _, a := range file.Added {
		if a.ID < 0 || a.Content == "" {
			r.fail("its added token %q has the number %d", a.Content, a.ID)
			break
		}
		t.last = max(t.last, a.ID)
		if a.Normalized && !a.Special {
			r.fail("its added token %q is looked for in the normalised text, which is not known here", message.Clip(a.Content, 40))
			break
		}
		t.special = append(t.special, special{a.Content, a.ID})
	}
	return t, r.err
}

// most is the largest number of a token.
func (t *tokenizer) most() int { return int(t.last) }

// tokenizerReader keeps the first error.
type tokenizerReader struct {
	path string
	err  error
}

func (r *tokenizerReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = input.Failf(r.path, "", format+"; make the vectors by another program and give them as a file of vectors", args...)
	}
}

// settings reads the settings of a component into a value.
func (r *tokenizerReader) settings(c *component, into any) {
	if err := c.into(into); err != nil {
		r.fail("the settings of its %s cannot be read: %v", message.Clip(c.Type, 40), err)
	}
}

// encode returns the numbers of the tokens of a text.
func (t *tokenizer) encode(text string) []int32 {
	var ids []int32
	first := true
	for text != "" {
		part, id, rest := t.nextSpecial(text)
		ids = t.encodePart(ids, part, first)
		if id >= 0 {
			ids = append(ids, id)
		}
		text, first = rest, false
	}
	return ids
}

// nextSpecial cuts a text at the first special token, of several the longest. id is -1 if there is
// none.
func (t *tokenizer) nextSpecial(text string) (part string, id int32, rest string) {
	at, best := len(text), special{id: -1}
	for _, s := range t.special {
		if k := strings.Index(text, s.text); k >= 0 && (k < at || k == at && len(s.text) > len(best.text)) {
			at, best = k, s
		}
	}
	return text[:at], best.id, text[at+len(best.text):]
}

// encodePart adds the tokens of a text without special tokens.
func (t *tokenizer) encodePart(ids []int32, text string, first bool) []int32 {
	for _, change := range t.normalize {
		text = change(text)
	}
	if text == "" {
		return ids
	}
	list := []string{text}
	for _, split := range t.split {
		var next []string
		for k, word := range list {
			next = append(next, split(word, first && k == 0)...)
		}
		list = next
	}
	for _, word := range list {
		if word != "" {
			ids = t.pieces.add(ids, word)
		}
	}
	return ids
}
