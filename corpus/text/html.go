package text

import (
	"html"
	"slices"
	"strings"
)

// inlineTags are the tags that stand inside words and sentences; any other begins a new line.
var inlineTags = []string{"a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "em", "font", "i", "ins", "kbd", "mark", "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr"}

// unreadTags are the elements whose content is no text.
var unreadTags = []string{"script", "style"}

// htmlText returns the text of HTML as a reader sees it, well enough to count its words: without tags, comments, scripts and styles, with entities
// decoded. What is cut off inside a tag is dropped; anything else that is no HTML stays as it is. O(length).
func htmlText(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	for {
		at := strings.IndexByte(s, '<')
		if at < 0 {
			out.WriteString(html.UnescapeString(s))
			return out.String()
		}
		out.WriteString(html.UnescapeString(s[:at]))
		s = s[at:]
		switch {
		case strings.HasPrefix(s, "<!--"):
			_, s, _ = strings.Cut(s[len("<!--"):], "-->")
		case strings.HasPrefix(s, "<!"), strings.HasPrefix(s, "<?"):
			_, s, _ = strings.Cut(s, ">")
		default:
			name, rest, ok := cutTag(s)
			if !ok {
				out.WriteByte('<')
				s = s[1:]
				continue
			}
			if s = rest; slices.Contains(unreadTags, name) {
				s = afterElement(s, name)
			}
			if !slices.Contains(inlineTags, strings.TrimPrefix(name, "/")) {
				out.WriteByte('\n')
			}
		}
	}
}

// cutTag cuts a tag off a text that begins with <, and returns its name in lower case, with / before that of an end; ok is false
// where the text begins otherwise. A > in the quotes of an attribute does not end it.
func cutTag(s string) (name, rest string, ok bool) {
	end := 1
	if strings.HasPrefix(s[1:], "/") {
		end++
	}
	if end >= len(s) || byteClassOf(s[end]) != byteLetter {
		return "", "", false
	}
	for end < len(s) && (byteClassOf(s[end]) == byteLetter || byteClassOf(s[end]) == byteDigit) {
		end++
	}
	name = strings.ToLower(s[1:end])
	for s = s[end:]; ; {
		at := strings.IndexAny(s, `>"'`)
		if at < 0 {
			return name, "", true
		}
		mark := s[at]
		s = s[at+1:]
		if mark == '>' {
			return name, s, true
		}
		_, s, _ = strings.Cut(s, string(mark))
	}
}

// byteClassOf is the class of a byte of ASCII, byteBreak for others.
func byteClassOf(c byte) uint8 {
	if int(c) < len(byteClass) {
		return byteClass[c]
	}
	return byteBreak
}

// afterElement returns what follows the end of an element whose begin was cut off.
func afterElement(s, name string) string {
	for {
		at := strings.Index(s, "</")
		if at < 0 {
			return ""
		}
		s = s[at+len("</"):]
		if len(s) >= len(name) && strings.EqualFold(s[:len(name)], name) {
			_, s, _ = strings.Cut(s, ">")
			return s
		}
	}
}
