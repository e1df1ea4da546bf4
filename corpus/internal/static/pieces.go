package static

import (
	"encoding/json"
	"fmt"
	"math"
	"unicode/utf8"
)

// model makes the pieces of a component, and sets the tokenizer's numbers.
func (r *tokenizerReader) model(t *tokenizer, c *component) pieces {
	var kind struct {
		Vocabulary json.RawMessage `json:"vocab"`
		Unknown    *string         `json:"unk_token"`
	}
	r.settings(c, &kind)
	if c.Type == "Unigram" {
		return r.unigram(t, c)
	}
	if c.Type != "WordPiece" && c.Type != "WordLevel" {
		r.fail("its model %s is not known here, which are WordPiece, WordLevel and Unigram", c.Type)
		return nil
	}
	var vocabulary map[string]int32
	if err := json.Unmarshal(kind.Vocabulary, &vocabulary); err != nil {
		r.fail("its vocabulary cannot be read: %v", err)
		return nil
	}
	for word, id := range vocabulary {
		if t.last = max(t.last, id); id < 0 {
			r.fail("its token %q has the number %d", word, id)
		}
	}
	if kind.Unknown != nil {
		if id, ok := vocabulary[*kind.Unknown]; ok {
			t.unknown = id
		}
	}
	if c.Type == "WordLevel" {
		return &wordLevel{vocabulary, t.unknown}
	}
	p := &wordPiece{Prefix: "##", Longest: 100, vocabulary: vocabulary, unknown: t.unknown}
	r.settings(c, p)
	return p
}

// wordLevel takes whole words.
type wordLevel struct {
	vocabulary map[string]int32
	unknown    int32
}

func (p *wordLevel) add(ids []int32, word string) []int32 {
	if id, ok := p.vocabulary[word]; ok {
		return append(ids, id)
	} else if p.unknown >= 0 {
		return append(ids, p.unknown)
	}
	return ids
}

// wordPiece takes the longest piece that the rest of a word begins with, again and again; a word
// with a rest that begins with none is unknown.
type wordPiece struct {
	Prefix     string `json:"continuing_subword_prefix"` // of all pieces but the first
	Longest    int    `json:"max_input_chars_per_word"`  // words of more characters are unknown
	vocabulary map[string]int32
	unknown    int32
}

func (p *wordPiece) add(ids []int32, word string) []int32 {
	start := len(ids)
	if utf8.RuneCountInString(word) > p.Longest {
		return p.none(ids)
	}
	key := make([]byte, 0, len(p.Prefix)+len(word))
	for from := 0; from < len(word); {
		key = key[:0]
		if from > 0 {
			key = append(key, p.Prefix...)
		}
		key = append(key, word[from:]...)
		to := len(word)
		for to > from {
			if id, ok := p.vocabulary[string(key)]; ok {
				ids = append(ids, id)
				break
			}
			_, last := utf8.DecodeLastRuneInString(word[from:to])
			to, key = to-last, key[:len(key)-last]
		}
		if to == from {
			return p.none(ids[:start])
		}
		from = to
	}
	return ids
}

func (p *wordPiece) none(ids []int32) []int32 {
	if p.unknown >= 0 {
		return append(ids, p.unknown)
	}
	return ids
}

// unigram takes the pieces whose scores have the largest sum (Kudo 2018): logarithms of their
// probabilities. A character that is in no piece is unknown, and such characters that follow each
// other are one token.
type unigram struct {
	id      map[string]int32
	score   []float64
	longest int // bytes of a piece
	unknown int32
	less    float64 // score of an unknown character
}

// unlikely is how far below the lowest score an unknown character is.
const unlikely = 10

// scored is a piece of a vocabulary: ["piece", score].
type scored struct {
	piece string
	score float64
}

func (s *scored) UnmarshalJSON(text []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(text, &pair); err != nil {
		return err
	}
	if len(pair) != 2 {
		return fmt.Errorf("%d values in place of a piece and its score", len(pair))
	}
	if err := json.Unmarshal(pair[0], &s.piece); err != nil {
		return err
	}
	return json.Unmarshal(pair[1], &s.score)
}

func (r *tokenizerReader) unigram(t *tokenizer, c *component) pieces {
	var s struct {
		Vocabulary []scored `json:"vocab"`
		Unknown    *int32   `json:"unk_id"`
		Bytes      bool     `json:"byte_fallback"`
	}
	if r.settings(c, &s); r.err != nil {
		return nil
	}
	if s.Bytes {
		r.fail("its model Unigram falls back to bytes, which is not known here")
		return nil
	}
	p := &unigram{id: make(map[string]int32, len(s.Vocabulary)), unknown: -1}
	least := math.Inf(1)
	for id, v := range s.Vocabulary {
		p.id[v.piece] = int32(id)
		p.score = append(p.score, v.score)
		p.longest = max(p.longest, len(v.piece))
		least = min(least, v.score)
	}
	t.last = max(t.last, int32(len(s.Vocabulary)-1))
	if p.less = least - unlikely; s.Unknown != nil {
		if p.unknown = *s.Unknown; p.unknown < 0 || int(p.unknown) >= len(s.Vocabulary) {
			r.fail("its token for what is not known has the number %d of %d", p.unknown, len(s.Vocabulary))
		}
	}
	t.unknown = p.unknown
	return p
}

// step is the best way to a place in a word: the piece that ends there, and where it begins.
type step struct {
	score float64
	id    int32
	from  int
	known bool
}

// add is Viterbi's algorithm: O(bytes of the word · bytes of the longest piece).
func (p *unigram) add(ids []int32, word string) []int32 {
	best := make([]step, len(word)+1)
	for k := range best {
		best[k].from = -1
	}
	reach := func(from, to int, score float64, id int32, known bool) {
		if score += best[from].score; best[to].from < 0 || score > best[to].score {
			best[to] = step{score, id, from, known}
		}
	}
	for from := 0; from < len(word); {
		_, size := utf8.DecodeRuneInString(word[from:])
		single := false
		for to := from + size; to <= len(word) && to-from <= p.longest; {
			if id, ok := p.id[word[from:to]]; ok {
				reach(from, to, p.score[id], id, true)
				single = single || to == from+size
			}
			_, next := utf8.DecodeRuneInString(word[to:])
			if next == 0 {
				break
			}
			to += next
		}
		if !single {
			reach(from, from+size, p.less, p.unknown, false)
		}
		from += size
	}
	start := len(ids)
	unknown := false
	for at := len(word); at > 0; at = best[at].from {
		s := best[at]
		if s.known || !unknown {
			if s.known || s.id >= 0 {
				ids = append(ids, s.id)
			}
		}
		unknown = !s.known
	}
	for a, b := start, len(ids)-1; a < b; a, b = a+1, b-1 {
		ids[a], ids[b] = ids[b], ids[a]
	}
	return ids
}
