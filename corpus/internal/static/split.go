package static

import (
	"strings"
	"unicode"
)

// splitters makes the splitters of a component, none of nil.
func (r *tokenizerReader) splitters(c *component) []splitter {
	if c == nil || r.err != nil {
		return nil
	}
	switch c.Type {
	case "Sequence":
		var s struct {
			List []*component `json:"pretokenizers"`
		}
		r.settings(c, &s)
		var out []splitter
		for _, one := range s.List {
			out = append(out, r.splitters(one)...)
		}
		return out
	case "BertPreTokenizer":
		return []splitter{atSpace, atPunctuation}
	case "WhitespaceSplit":
		return []splitter{atSpace}
	case "Whitespace":
		return []splitter{atSpace, atKinds}
	case "Punctuation":
		var s struct {
			Behavior string `json:"behavior"`
		}
		if r.settings(c, &s); s.Behavior != "" && s.Behavior != "Isolated" {
			r.fail("its splitting Punctuation with the behavior %s is not known here", s.Behavior)
		}
		return []splitter{atPunctuation}
	case "Digits":
		var s struct {
			Each bool `json:"individual_digits"`
		}
		r.settings(c, &s)
		return []splitter{func(word string, _ bool) []string {
			return cut(word, func(a, b rune) bool {
				return unicode.IsNumber(a) != unicode.IsNumber(b) || s.Each && unicode.IsNumber(a)
			})
		}}
	case "Metaspace":
		return []splitter{r.metaspace(c)}
	}
	r.fail("its splitting into words by %s is not known here", c.Type)
	return nil
}

// cut divides a word between two characters where apart says so.
func cut(word string, apart func(a, b rune) bool) []string {
	var out []string
	begin, before := 0, rune(-1)
	for at, c := range word {
		if before >= 0 && apart(before, c) {
			out = append(out, word[begin:at])
			begin = at
		}
		before = c
	}
	return append(out, word[begin:])
}

func atSpace(word string, _ bool) []string { return strings.FieldsFunc(word, unicode.IsSpace) }

func atPunctuation(word string, _ bool) []string {
	return cut(word, func(a, b rune) bool { return isPunctuation(a) || isPunctuation(b) })
}

// isPunctuation takes all signs of ASCII for punctuation, as BERT does.
func isPunctuation(c rune) bool {
	if c < unicode.MaxASCII {
		return c > ' ' && !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z') && c != 0x7f
	}
	return unicode.IsPunct(c)
}

// atKinds divides between letters and what are none.
func atKinds(word string, _ bool) []string {
	return cut(word, func(a, b rune) bool { return isLetter(a) != isLetter(b) })
}

// isLetter is \w of a regular expression with Unicode.
func isLetter(c rune) bool {
	return unicode.In(c, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic) || c == '\u200c' || c == '\u200d'
}

// metaspace puts a mark in the place of blanks and divides before it.
func (r *tokenizerReader) metaspace(c *component) splitter {
	s := struct {
		Mark   string `json:"replacement"`
		Scheme string `json:"prepend_scheme"`
		Prefix *bool  `json:"add_prefix_space"`
		Split  *bool  `json:"split"`
	}{Mark: "▁"}
	r.settings(c, &s)
	if s.Scheme == "" {
		if s.Scheme = "always"; s.Prefix != nil && !*s.Prefix {
			s.Scheme = "never"
		}
	}
	whole := s.Split != nil && !*s.Split
	mark := []rune(s.Mark)
	if len(mark) != 1 {
		r.fail("its splitting Metaspace has the mark %q, where one character is known here", s.Mark)
		return nil
	}
	return func(word string, first bool) []string {
		word = strings.ReplaceAll(word, " ", s.Mark)
		if !strings.HasPrefix(word, s.Mark) && (s.Scheme == "always" || s.Scheme == "first" && first) {
			word = s.Mark + word
		}
		if whole {
			return []string{word}
		}
		return cut(word, func(_, b rune) bool { return b == mark[0] })
	}
}
