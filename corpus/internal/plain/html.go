// Package plain takes from a text what is no word to its readers: tags of HTML, marks of Markdown,
// commands of LaTeX, times of subtitles, headers, quotes and signatures of mail.
package plain

import (
	"bytes"
	"mime"
	"path"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"golang.org/x/net/html"
)

// inlineTags are the tags that occur inside words and sentences; any other begins a new line.
var inlineTags = []string{"a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "em", "font", "i", "ins", "kbd", "mark", "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr"}

// unreadTags are the elements whose content is not text.
var unreadTags = []string{"script", "style"}

// HTML returns the text of HTML as a reader sees it: without tags, comments, scripts and
// styles, and with entities decoded. A tag that is cut off is dropped; anything else that is not
// HTML stays as it is. Cost O(length).
func HTML(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	z := html.NewTokenizer(strings.NewReader(s))
	unread := "" // the element whose content is left out
	for {
		kind := z.Next()
		switch kind {
		case html.ErrorToken: // the end
			return out.String()
		case html.TextToken:
			if unread == "" {
				out.Write(z.Text())
			}
			continue
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
		default:
			continue
		}
		tag, _ := z.TagName()
		name := string(tag)
		switch {
		case kind == html.StartTagToken && slices.Contains(unreadTags, name):
			unread = name
		case name == unread:
			unread = ""
		}
		if !slices.Contains(inlineTags, name) {
			out.WriteByte('\n')
		}
	}
}

// IsHTML reports whether a file is a page of HTML: by its name, else by how it begins.
func IsHTML(name string, data []byte) bool {
	name = strings.ToLower(name)
	name = input.UnpackedName(name)
	switch path.Ext(name) {
	case ".html", ".htm", ".xhtml":
		return true
	}
	head := bytes.TrimLeft(data[:min(len(data), input.SniffBytes)], " \t\r\n")
	begins := func(with string) bool {
		return len(head) >= len(with) && strings.EqualFold(string(head[:len(with)]), with)
	}
	return begins("<!doctype html") || begins("<html")
}

// HTMLDecoder is the decoder of the encoding that a page declares in a meta element at its
// beginning, else dec.
func HTMLDecoder(data []byte, dec charset.Decoder) charset.Decoder {
	name := DeclaredCharset(data)
	if name == "" {
		return dec
	}
	declared, _ := charset.New(name)
	return declared
}

// DeclaredCharset is the encoding that a page declares in a meta element at its beginning; "" if it
// declares none that is known. UTF-16 is UTF-8: a meta element can only be read in an encoding that
// keeps ASCII.
func DeclaredCharset(data []byte) string {
	z := html.NewTokenizer(bytes.NewReader(data[:min(len(data), input.SniffBytes)]))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
		default:
			continue
		}
		if tag, attributes := z.TagName(); string(tag) != "meta" || !attributes {
			continue
		}
		name := metaCharset(z)
		if declared, err := charset.New(name); err == nil && !declared.Auto {
			if declared.Wide {
				return "utf-8"
			}
			return name
		}
	}
}

// metaCharset is the encoding that the meta element at hand names, "" for none.
func metaCharset(z *html.Tokenizer) string {
	name := ""
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "charset":
			return string(value)
		case "content":
			if _, params, err := mime.ParseMediaType(string(value)); err == nil {
				name = params["charset"]
			}
		}
	}
	return name
}
