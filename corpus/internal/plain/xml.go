package plain

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/pattern"
)

// fewestXMLWords is how many words a text in XML has outside of its tags, and one in xmlShare bytes
// is of them, or in TEI, which has notes on each word at times, one in teiShare. Less is no text to
// read, as in the settings of a program and in treebanks, whose words stand in attributes.
const (
	fewestXMLWords = 10
	xmlShare       = 5
	teiShare       = 50
)

// unreadXML are elements of XML, in small letters, whose content is not the text: scripts, styles,
// what TEI says of the file, and pictures in a book of FictionBook.
var unreadXML = []string{"teiheader", "binary", "script", "style"}

var (
	altoWord  = pattern.Lazy(`<(?:\w+:)?String\b[^<>]*?\bCONTENT="([^"]*)"`)
	bookTitle = pattern.Lazy(`(?s)<book-title>(.*?)</book-title>`)
)

// xmlText returns the text of a document of XML, such as a play in TEI or a book in FictionBook:
// what stands outside of all tags, comments and instructions. Of pages that a program recognised
// (ALTO) it returns the words, which stand in attributes. It reports false of another text, of one
// with hardly a word outside of its tags, of HTML, and where a comment does not end. Cost
// O(length).
func xmlText(s string) (text string, ok bool) {
	start := strings.TrimLeft(s, " \t\r\n")
	if !strings.HasPrefix(start, "<?xml") && !strings.HasPrefix(start, "<TEI") && !strings.HasPrefix(start, "<FictionBook") {
		return s, false
	}
	x := xmlScan{s: start}
	if x.read(); x.root == "html" || x.cut {
		return s, false
	}
	text = x.out.String()
	if x.root == "alto" {
		var words strings.Builder
		for _, m := range altoWord().FindAllStringSubmatch(start, -1) {
			words.WriteString(m[1] + " ")
		}
		text = words.String()
	}
	words, bytes, share := 0, 0, xmlShare
	switch x.root {
	case "tei", "tei.2", "teicorpus", "fictionbook", "alto": // of which pictures and places are most
		share = teiShare
	}
	for word := range strings.FieldsSeq(text) {
		words++
		bytes += len(word)
	}
	if words < fewestXMLWords || share*bytes < len(s) {
		return s, false
	}
	return text, true
}

// xmlScan collects what stands between the tags of XML.
type xmlScan struct {
	s    string
	at   int
	out  strings.Builder
	root string // the name of the first element, in small letters and without its prefix
	cut  bool   // a comment or an element that is left out does not end
}

func (x *xmlScan) read() {
	for x.at < len(x.s) && x.root != "html" {
		next := strings.IndexByte(x.s[x.at:], '<')
		if next < 0 {
			x.out.WriteString(x.s[x.at:])
			return
		}
		x.out.WriteString(x.s[x.at : x.at+next])
		x.at += next
		switch rest := x.s[x.at:]; {
		case strings.HasPrefix(rest, "<!--"):
			x.skip("-->")
		case strings.HasPrefix(rest, "<![CDATA["):
			begin := x.at + len("<![CDATA[")
			x.skip("]]>")
			x.out.WriteString(strings.TrimSuffix(x.s[min(begin, x.at):x.at], "]]>"))
		case strings.HasPrefix(rest, "<?"):
			x.skip("?>")
		case strings.HasPrefix(rest, "<!"):
			x.doctype()
		default:
			x.tag()
		}
	}
}

// skip goes behind the next occurrence of end. Without one it goes to the end of the text, which is
// no XML then.
func (x *xmlScan) skip(end string) {
	if k := strings.Index(x.s[x.at:], end); k >= 0 {
		x.at += k + len(end)
	} else {
		x.at, x.cut = len(x.s), true
	}
}

// doctype goes behind a declaration, which may declare entities in brackets.
func (x *xmlScan) doctype() {
	if k := strings.IndexAny(x.s[x.at:], "[>"); k >= 0 && x.s[x.at+k] == '[' {
		x.skip("]")
	}
	x.skip(">")
}

// tag goes behind a tag, and behind the element if its content is not the text.
func (x *xmlScan) tag() {
	end := x.tagEnd()
	if end < 0 { // a sign of less
		x.out.WriteByte('<')
		x.at++
		return
	}
	first, tag := x.at, x.s[x.at+1:end]
	name := strings.TrimPrefix(tag, "/")
	if k := strings.IndexAny(name, " \t\r\n/>"); k >= 0 {
		name = name[:k]
	}
	local := strings.ToLower(name[strings.LastIndexByte(name, ':')+1:])
	if x.root == "" {
		x.root = local
	}
	x.at = end + 1
	x.out.WriteString(between(local, x.insideWord(first, end)))
	if strings.HasPrefix(tag, "/") || strings.HasSuffix(tag, "/") {
		return
	}
	for _, n := range unreadXML {
		if local == n {
			x.skip("</" + name + ">")
		}
	}
	if x.root == "fictionbook" && local == "description" {
		begin := x.at
		x.skip("</" + name + ">")
		if m := bookTitle().FindStringSubmatch(x.s[begin:x.at]); m != nil {
			x.out.WriteString(m[1] + "\n")
		}
	}
}

// letterTags may stand inside of a word, as tags of HTML do. wordTags hold whole words, and the
// next word may follow without a blank.
var (
	letterTags = []string{"hi", "bold", "italic", "emphasis", "sc"}
	wordTags   = []string{"w", "pc", "c", "seg", "name", "persname", "placename", "ref"}
)

// between is what takes the place of a tag: a line break, a blank inside of a sentence, or nothing
// inside of a word.
func between(name string, insideWord bool) string {
	letters := slices.Contains(letterTags, name) || slices.Contains(inlineTags, name)
	switch {
	case letters && insideWord && name != "s": // in TEI a sentence
		return ""
	case letters, slices.Contains(wordTags, name):
		return " "
	}
	return "\n"
}

// insideWord reports whether a tag, from its first byte to its last, has text before and behind it,
// without a blank or another tag between.
func (x *xmlScan) insideWord(first, last int) bool {
	const outside = "<> \t\r\n"
	return first > 0 && last+1 < len(x.s) && strings.IndexByte(outside, x.s[first-1]) < 0 && strings.IndexByte(outside, x.s[last+1]) < 0
}

// tagEnd returns where the tag ends that begins at the place; -1 if none begins there.
func (x *xmlScan) tagEnd() int {
	s := x.s[x.at:min(len(x.s), x.at+longestTag)]
	if len(s) < 3 || s[1] != '/' && s[1] != '_' && s[1] < 0x80 && (s[1]|0x20 < 'a' || s[1]|0x20 > 'z') {
		return -1
	}
	quote := byte(0)
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return x.at + i
		case c == '<':
			return -1
		}
	}
	return -1
}
