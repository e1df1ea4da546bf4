package text

import (
	"html"
	"slices"
	"strings"
)

// inlineTags are the tags that occur inside words and sentences; any other begins a new line.
var inlineTags = []string{"a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "em", "font", "i", "ins", "kbd", "mark", "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr"}

// unreadTags are the elements whose content is not text.
var unreadTags = []string{"script", "style"}

// htmlText returns the text of HTML as a reader sees it, good enough to count its words: without
// tags, comments, scripts and styles, and with entities decoded. A tag that is cut off is dropped;
// anything else that is not HTML stays as it is. Cost O(length).
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

// cutTag cuts a tag off a text that begins with <. It returns the tag's name in lower case, with /
// before it for an end tag; ok is false if the text does not begin with a tag. A > in the quotes of
// an attribute does not end the tag.
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

// byteClassOf returns the class of an ASCII byte, byteBreak for others.
func byteClassOf(c byte) uint8 {
	if int(c) < len(byteClass) {
		return byteClass[c]
	}
	return byteBreak
}

// afterElement returns the text after the end tag of an element whose start tag was cut off.
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
