package plain

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Whole is the limit of snippets that are whole texts, with their line breaks.
const Whole = math.MaxInt

// cutMark ends a snippet whose text goes on.
const cutMark = "…"

// Snippet returns the beginning of a text on one line, at most limit characters (runes) long; ""
// if limit is 0. White space is folded into single blanks; control characters, marks that change
// the direction of writing and bytes that are not UTF-8 are left out, and tags of HTML where the
// beginning has any. A message that begins with headers is shown by its subject and its body. A
// text that is longer is cut between words, if one ends in the second half, else between
// characters, and ends in "…". It shares no memory with the text. Cost: O(limit), and O(headers).
func Snippet(text string, limit int) string {
	if limit < 1 {
		return ""
	}
	text = subjectFirst(text)
	if limit == Whole {
		return wholeText(text)
	}
	// Tags, and blanks between words, may take more than what is shown.
	window := text[:min(len(text), 16*limit+256)]
	if strings.Contains(window, "</") || strings.Contains(window, "<br") {
		window = HTML(window)
	}
	out := make([]rune, 0, limit+1)
	blank := false
	for at, r := range window {
		switch {
		case unicode.IsSpace(r):
			blank = len(out) > 0
			continue
		case r == utf8.RuneError && !strings.HasPrefix(window[at:], string(utf8.RuneError)),
			unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			continue
		}
		if blank {
			out, blank = append(out, ' '), false
		}
		if out = append(out, r); len(out) > limit {
			return shortened(out, limit)
		}
	}
	return string(out)
}

// wholeText is a text with its line breaks and tabs, and without what Snippet leaves out.
func wholeText(text string) string {
	if strings.Contains(text, "</") || strings.Contains(text, "<br") {
		text = HTML(text)
	}
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return strings.Clone(strings.TrimSpace(text)) // not a part of the batch
}

// shortened cuts characters that are too many.
func shortened(out []rune, limit int) string {
	end := limit - 1 // of what stays before the mark
	for k := end; 2*k > limit; k-- {
		if out[k] == ' ' {
			return string(out[:k]) + cutMark
		}
	}
	for end > 0 && (unicode.Is(unicode.M, out[end]) || out[end] == '\u200d' || out[end-1] == '\u200d') {
		end-- // a character stays with its marks
	}
	return strings.TrimRight(string(out[:end]), " ") + cutMark
}

// subjectFirst is a message without its headers, behind its subject; a text without headers that
// only messages have is as it is.
func subjectFirst(text string) string {
	if _, typical := headersOf(text); !typical {
		return text
	}
	body := withoutHeaders(text)
	for line := range strings.Lines(text[:len(text)-len(body)]) {
		if name, value, _ := strings.Cut(line, ":"); strings.EqualFold(name, "Subject") {
			return strings.TrimSpace(value) + "\n" + body
		}
	}
	if strings.TrimSpace(body) == "" {
		return text
	}
	return body
}
