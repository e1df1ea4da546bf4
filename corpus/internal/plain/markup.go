package plain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/pattern"
	"golang.org/x/net/html"
)

// What becomes of HTML in a text: its tags are left out and its entities are characters, or all is
// words.
const (
	ReadMarkup = "auto"
	KeepMarkup = "keep"
)

// markupTags are the names of elements by which HTML in a text is recognised.
var markupTags = func() map[string]bool {
	tags := make(map[string]bool)
	for _, name := range append(strings.Fields("blockquote body br button center col colgroup dd del details dfn div dl dt embed figcaption figure footer form frame h1 h2 h3 h4 h5 h6 head header hr html iframe img input label legend li link main map meta nav noscript object ol option p param pre q section select summary table tbody td textarea tfoot th thead title tr ul video article aside audio"), append(inlineTags, unreadTags...)...) {
		tags[name] = true
	}
	return tags
}()

// longestTag bounds the bytes of a tag: what goes on for longer is text.
const longestTag = 16 << 10

// plainly are elements of which one tag shows that a text is HTML. A text may name others, as
// words.
var plainly = strings.Fields("br p hr li td tr div")

// manyTags is how many tags of other elements show it.
const manyTags = 4

// entity is a character that HTML writes by its name or number. Its ampersand may have been escaped
// again, as in &amp;amp; and &amp;lt;.
var entity = pattern.Lazy(`&(?:amp;)*(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});`)

// WithoutMarkup returns a text without the tags, comments, scripts and styles of HTML in it, with
// entities decoded, and whether there were any. Only tags of the elements of HTML count, and of
// these what has the form of one: <br>, <a href="x">, </p>. So "a < b", "<me@example.org>" and
// "<stdio.h>" stay, and so do all tags of a text that has fewer than four, none of them with an
// attribute or of a line or paragraph: "the <form> element". Tags inside of words and sentences
// leave nothing behind, others a line break. A text that begins as XML does loses all its tags.
// Cost: O(length), and two searches for a byte in a text without any.
func WithoutMarkup(s string) (text string, found bool) {
	if strings.IndexByte(s, '<') >= 0 {
		var tags bool
		s, found = xmlText(s)
		s, tags = withoutTags(s) // of XML those of HTML in CDATA
		found = found || tags
	}
	if strings.IndexByte(s, '&') < 0 {
		return s, found
	}
	text = entity().ReplaceAllStringFunc(s, func(e string) string {
		for strings.HasPrefix(e, "&amp;") && len(e) > len("&amp;") {
			e = "&" + e[len("&amp;"):]
		}
		return html.UnescapeString(e)
	})
	return text, found || text != s
}

// withoutTags is WithoutMarkup but for entities.
func withoutTags(s string) (string, bool) {
	var out strings.Builder
	kept, tags, sure := 0, 0, false // what is before kept is in out
	var open unended
	for at := 0; ; {
		next := strings.IndexByte(s[at:], '<')
		if next < 0 {
			break
		}
		at += next
		end, name := tagEnd(s[at:])
		if strings.HasPrefix(s[at:], "<!--") {
			end = max(0, open.end(s, at, "-->")-at)
		}
		if end == 0 {
			at++
			continue
		}
		tags++
		sure = sure || slices.Contains(plainly, name) || strings.IndexByte(s[at:at+end], '=') >= 0
		out.WriteString(s[kept:at])
		if !slices.Contains(inlineTags, name) {
			out.WriteByte('\n')
		}
		at += end
		if slices.Contains(unreadTags, name) {
			at = max(at, open.end(s, at, name))
		}
		kept = at
	}
	if !sure && tags < manyTags {
		return s, false
	}
	out.WriteString(s[kept:])
	return out.String(), true
}

// unended are the names of elements, and "-->", of which no end was found: none comes later.
type unended []string

// end returns where the content of an element, which begins at a place of s, ends: before the tag
// that closes it; or where a comment ends, behind its "-->". -1 if it does not end. All calls for a
// text take time in proportion to its length.
func (u *unended) end(s string, at int, name string) int {
	if slices.Contains(*u, name) {
		return -1
	}
	if name == "-->" {
		if end := strings.Index(s[at:], name); end >= 0 {
			return at + end + len(name)
		}
	}
	for from := at; name != "-->"; {
		next := strings.Index(s[from:], "</")
		if next < 0 {
			break
		}
		from += next
		if tag := s[from+2:]; len(tag) >= len(name) && strings.EqualFold(tag[:len(name)], name) {
			return from
		}
		from += 2
	}
	*u = append(*u, name)
	return -1
}

// tagEnd returns the length of the tag that a text begins with, and the name of its element; 0 if
// it begins with none.
func tagEnd(s string) (end int, name string) {
	s = s[:min(len(s), longestTag)]
	rest := s[1:]
	closing := strings.HasPrefix(rest, "/")
	if closing {
		rest = rest[1:]
	}
	letters := 0
	for letters < len(rest) && (rest[letters]|0x20 >= 'a' && rest[letters]|0x20 <= 'z' || letters > 0 && rest[letters] >= '1' && rest[letters] <= '6') {
		letters++
	}
	name = strings.ToLower(rest[:letters])
	if !markupTags[name] {
		return 0, ""
	}
	rest = strings.TrimLeft(rest[letters:], " \t\r\n")
	if tail := strings.TrimPrefix(rest, "/"); strings.HasPrefix(tail, ">") {
		return len(s) - len(tail) + 1, name
	}
	if closing {
		return 0, ""
	}
	for n := 0; ; n++ { // attributes
		rest = strings.TrimLeft(rest, " \t\r\n")
		if tail := strings.TrimPrefix(rest, "/"); strings.HasPrefix(tail, ">") && n > 0 {
			return len(s) - len(tail) + 1, name
		}
		key := attribute().FindString(rest)
		if key == "" || n == 0 && !strings.HasSuffix(key, "=") {
			return 0, ""
		}
		if rest = rest[len(key):]; strings.HasSuffix(key, "=") {
			value := attributeValue().FindString(rest)
			rest = rest[len(value):]
		}
	}
}

// An attribute of a tag, with the equals sign before its value if it has one, and the value.
var (
	attribute      = pattern.Lazy(`^[a-zA-Z_:@][-a-zA-Z0-9_:.]*(\s*=)?`)
	attributeValue = pattern.Lazy(`^\s*("[^"]*"|'[^']*'|[^\s"'<>]+)`)
)

// MarkupNote says in how many texts HTML was left out, and with a choice how to keep it.
func MarkupNote(texts int, choice bool) (notes []string) {
	if texts == 0 {
		return nil
	}
	way := ""
	if choice {
		way = "; ‹markup› keep counts them as words"
	}
	return []string{fmt.Sprintf("%s HTML or XML: tags are left out and entities are characters%s.", message.Plural(texts, "text holds", "texts hold"), way)}
}
