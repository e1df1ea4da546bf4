package static

import (
	"encoding/base64"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// normalizers makes the normalizers of a component, none of nil.
func (r *tokenizerReader) normalizers(c *component) []normalizer {
	if c == nil || r.err != nil {
		return nil
	}
	switch c.Type {
	case "Sequence":
		var s struct {
			List []*component `json:"normalizers"`
		}
		r.settings(c, &s)
		var out []normalizer
		for _, one := range s.List {
			out = append(out, r.normalizers(one)...)
		}
		return out
	case "BertNormalizer":
		return []normalizer{r.bertNormalizer(c)}
	case "Lowercase":
		return []normalizer{lower}
	case "NFC":
		return []normalizer{norm.NFC.String}
	case "NFD":
		return []normalizer{norm.NFD.String}
	case "NFKC":
		return []normalizer{norm.NFKC.String}
	case "NFKD":
		return []normalizer{norm.NFKD.String}
	case "StripAccents":
		return []normalizer{func(s string) string { return leaveOut(s, unicode.M) }}
	case "Strip":
		var s struct {
			Left  bool `json:"strip_left"`
			Right bool `json:"strip_right"`
		}
		r.settings(c, &s)
		return []normalizer{func(text string) string {
			if s.Left {
				text = strings.TrimLeftFunc(text, unicode.IsSpace)
			}
			if s.Right {
				text = strings.TrimRightFunc(text, unicode.IsSpace)
			}
			return text
		}}
	case "Prepend":
		var s struct {
			Text string `json:"prepend"`
		}
		r.settings(c, &s)
		return []normalizer{func(text string) string {
			if text == "" {
				return text
			}
			return s.Text + text
		}}
	case "Replace":
		return []normalizer{r.replacement(c)}
	case "Precompiled":
		return []normalizer{r.precompiled(c)}
	}
	r.fail("its normalizer %s is not known here", c.Type)
	return nil
}

// bertNormalizer is the normalizer of BERT.
func (r *tokenizerReader) bertNormalizer(c *component) normalizer {
	s := struct {
		Clean   bool  `json:"clean_text"`
		Chinese bool  `json:"handle_chinese_chars"`
		Strip   *bool `json:"strip_accents"`
		Lower   bool  `json:"lowercase"`
	}{true, true, nil, true}
	r.settings(c, &s)
	strip := s.Lower
	if s.Strip != nil {
		strip = *s.Strip
	}
	return func(text string) string {
		if s.Clean {
			text = strings.Map(cleaned, text)
		}
		if s.Chinese && strings.ContainsFunc(text, isChinese) {
			text = spaced(text)
		}
		if strip {
			text = leaveOut(norm.NFD.String(text), unicode.Mn)
		}
		if s.Lower {
			text = lower(text)
		}
		return text
	}
}

// cleaned is a blank for white space, and -1 for a control character, which is left out.
func cleaned(c rune) rune {
	switch {
	case unicode.IsSpace(c):
		return ' '
	case c == unicode.ReplacementChar || unicode.Is(unicode.C, c) || !unicode.In(c, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z):
		return -1
	}
	return c
}

// lower is a text in lower case, each character by itself.
func lower(text string) string {
	if strings.ContainsRune(text, 'İ') { // the one letter that becomes two characters
		text = strings.ReplaceAll(text, "İ", "i̇")
	}
	return strings.Map(unicode.ToLower, text)
}

// leaveOut leaves characters of a class out.
func leaveOut(text string, class *unicode.RangeTable) string {
	return strings.Map(func(c rune) rune {
		if unicode.Is(class, c) {
			return -1
		}
		return c
	}, text)
}

// chinese are the blocks of characters that BERT takes for words of their own.
var chinese = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x3400, Hi: 0x4dbf, Stride: 1}, {Lo: 0x4e00, Hi: 0x9fff, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x20000, Hi: 0x2a6df, Stride: 1}, {Lo: 0x2a700, Hi: 0x2b73f, Stride: 1}, {Lo: 0x2b740, Hi: 0x2b81f, Stride: 1}, {Lo: 0x2b920, Hi: 0x2ceaf, Stride: 1}, {Lo: 0x2f800, Hi: 0x2fa1f, Stride: 1}},
}

func isChinese(c rune) bool { return unicode.Is(chinese, c) }

// spaced has blanks around Chinese characters.
func spaced(text string) string {
	var b strings.Builder
	for _, c := range text {
		if isChinese(c) {
			b.WriteByte(' ')
			b.WriteRune(c)
			b.WriteByte(' ')
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// replacement puts a text in the place of another one, or of what a regular expression matches.
func (r *tokenizerReader) replacement(c *component) normalizer {
	var s struct {
		Pattern struct {
			String *string
			Regex  *string
		} `json:"pattern"`
		Content string `json:"content"`
	}
	r.settings(c, &s)
	switch {
	case s.Pattern.String != nil:
		return func(text string) string { return strings.ReplaceAll(text, *s.Pattern.String, s.Content) }
	case s.Pattern.Regex != nil:
		if e, err := regexp.Compile(*s.Pattern.Regex); err == nil {
			return func(text string) string { return e.ReplaceAllLiteralString(text, s.Content) }
		}
	}
	r.fail("its normalizer Replace has a pattern that is not known here")
	return nil
}

// precompiled is a table of SentencePiece.
func (r *tokenizerReader) precompiled(c *component) normalizer {
	var s struct {
		Map *string `json:"precompiled_charsmap"`
	}
	if r.settings(c, &s); s.Map == nil {
		return func(text string) string { return text }
	}
	raw, err := base64.StdEncoding.DecodeString(*s.Map)
	if err == nil {
		if m := newCharsMap(raw); m != nil {
			return m.normalize
		}
	}
	r.fail("the table of its normalizer Precompiled cannot be read")
	return nil
}
