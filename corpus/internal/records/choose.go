package records

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// Choice says which elements of a file are its records: those of some names that have one path.
type Choice struct {
	Parents []string // the elements that are around a record, from the root
	Names   []string // of the elements that are records, most of them first
	// Many says that the file surely holds many documents: its format is known, or it begins with many
	// records. Listed says that the records are all that it is: they are just inside the root, which
	// has no title.
	Many, Listed bool
}

// String names the elements, such as <item> in rss/channel.
func (c *Choice) String() string {
	var names []string
	for _, n := range c.Names {
		names = append(names, "<"+clip(n)+">")
	}
	s := strings.Join(names, ", ")
	if len(c.Parents) > 0 {
		s += " in " + message.Clip(strings.Join(c.Parents, "/"), 80)
	}
	return s
}

func clip(s string) string { return message.Clip(s, 40) }

// looked is how many bytes of a file decide which elements are records.
const looked = 2 << 20

// deepestRecord is the most elements around a record, and deepestField around a field inside it.
const (
	deepestRecord = 8
	deepestField  = 16
)

// known are the paths of the records of formats whose first record may be long or the only one.
var known = map[string]string{
	"rss": "rss/channel/item", "feed": "feed/entry", "mediawiki": "mediawiki/page", "teiCorpus": "teiCorpus/TEI",
	"PubmedArticleSet": "PubmedArticleSet/PubmedArticle", "dblp": "dblp/article",
}

// manyRecords is how many records in the beginning of a file are surely documents and not the
// sections of one.
const manyRecords = 100

// titles are the names of elements that give a document its title.
var titles = strings.Fields("title titel head heading headline front")

// single are the names of the roots of files that are one document, and pictures.
var single = strings.Fields("html TEI TEI.2 svg book nitf docbook")

// stat is what the beginning of a file has of the elements of one path.
type stat struct {
	name     string
	parents  []string
	n        int  // elements
	weight   int  // characters in them that are not blank, also of attributes
	outside  bool // of all elements: text with a letter stands beside them
	children []*stat
	at       map[string]*stat
	attrs    map[string]bool
}

func (s *stat) child(name string) *stat {
	c := s.at[name]
	if c == nil {
		c = &stat{name: name, at: make(map[string]*stat), attrs: make(map[string]bool)}
		if s.name != "" {
			c.parents = append(slices.Clone(s.parents), s.name)
		}
		s.at[name], s.children = c, append(s.children, c)
	}
	return c
}

// add sums the weights of the elements below.
func (s *stat) add() int {
	for _, c := range s.children {
		s.weight += c.add()
	}
	return s.weight
}

// mostStats bounds the paths of elements that are told apart.
const mostStats = 20000

// survey counts the elements in the beginning of a file. What is wrong there is found again by the
// reader.
func survey(head []byte) (*stat, error) {
	l := &lexer{r: bufio.NewReader(bytes.NewReader(head)), line: 1, most: max(1<<20, int64(len(head)))}
	top := &stat{at: make(map[string]*stat)}
	open, names, paths := []*stat{top}, []string{""}, 0
	for {
		t, err := l.next()
		if err != nil {
			top.add()
			if err == io.EOF && len(open) > 1 {
				err = io.ErrUnexpectedEOF
			}
			return top, err
		}
		last := open[len(open)-1]
		switch t.kind {
		case opens:
			at := last
			if len(open) <= deepestRecord+2 && (last.at[t.name] != nil || paths < mostStats) {
				if last.at[t.name] == nil {
					paths++
				}
				at = last.child(t.name)
				at.n++
			}
			for _, a := range t.attrs {
				if strings.HasPrefix(a.name, "xmlns") || len(at.attrs) > 1000 {
					continue
				}
				at.weight += len(a.value)
				if at != top {
					at.attrs[a.name] = true
				}
			}
			if !t.empty && len(open) < deepestElement {
				open, names = append(open, at), append(names, t.name)
			}
		case closes:
			if len(open) == 1 || names[len(open)-1] != t.name {
				top.add()
				return top, nil // the reader says what is wrong
			}
			open, names = open[:len(open)-1], names[:len(open)-1]
		case chars:
			last.weight += len(bytes.TrimSpace(t.text))
			top.outside = top.outside || last == top && bytes.ContainsFunc(t.text, unicode.IsLetter)
		}
	}
}

// ErrNone is in the chain of the error of a file whose records are not found.
var ErrNone = errors.New("no records of XML are found")

// choose finds the records by the beginning of a file, or by all of it. fields are the names of
// those that a record must have; nil: any. The error says what the file is, or which elements may
// be meant, with an ErrNone, unless the file is damaged.
func choose(in *input.File, head []byte, all bool, fields []string) (*Choice, error) {
	top, err := survey(head)
	c, none := chosen(in, top, fields)
	if none == nil {
		c.judge(top)
	}
	var f *fault
	switch {
	case none == nil:
		return c, nil
	case errors.As(err, &f):
		return nil, in.Fail(fmt.Sprintf("line %d", f.line), "%s", f.why)
	case all && err == io.ErrUnexpectedEOF && len(top.children) > 0:
		return nil, in.Fail(fmt.Sprintf("line %d", 1+bytes.Count(head, []byte("\n"))), "the file ends inside of an element or a tag: it was cut off; copy or download it again")
	}
	return nil, input.Caused(none, ErrNone)
}

// chosen is choose by a survey.
func chosen(in *input.File, top *stat, fields []string) (*Choice, error) {
	if len(top.children) == 0 {
		return nil, in.Fail("", "holds no element of XML; give its format with ‹input-format›")
	}
	if top.outside {
		return nil, in.Fail("", "has text outside of its elements, as XML never has; if each line is a document, give ‹input-format› lines; if it is one text, put it into a folder of texts, one text per file, and name the folder")
	}
	if root := top.children[0]; len(top.children) == 1 {
		if at := top.known(root.name); at != nil && hasFields(at, fields) {
			return withLike(at, siblings(top, at)), nil
		}
		if slices.ContainsFunc(single, func(s string) bool { return strings.EqualFold(s, root.name) }) {
			return nil, in.Fail("", "is one document, whose root is <%s>; put it into a folder of texts, one text per file, and name the folder", clip(root.name))
		}
	}
	if fields != nil {
		if at := withFields(top, fields, 0); at != nil {
			return withLike(at, siblings(top, at)), nil
		}
	}
	return inwards(in, top)
}

// judge says whether the records are many, or all that the file is.
func (c *Choice) judge(top *stat) {
	beside := siblings(top, &stat{parents: c.Parents})
	seen := 0
	for _, s := range beside {
		if slices.Contains(c.Names, s.name) {
			seen += s.n
		}
	}
	c.Many = seen >= manyRecords || len(top.children) == 1 && known[top.children[0].name] != ""
	c.Listed = len(c.Parents) < 2 && !slices.ContainsFunc(beside, func(s *stat) bool {
		return s.n == 1 && slices.Contains(titles, strings.ToLower(s.name))
	})
}

// known are the elements that are the records under a root of some name; nil if that is not known,
// or there are none.
func (s *stat) known(root string) *stat {
	if known[root] == "" {
		return nil
	}
	for name := range strings.SplitSeq(known[root], "/") {
		if s = s.at[name]; s == nil {
			return nil
		}
	}
	return s
}

// inwards finds the records from the root inwards.
func inwards(in *input.File, top *stat) (*Choice, error) {
	for at := top; ; {
		var most, whole *stat
		for _, c := range at.children {
			switch {
			case c.n == 1 && (whole == nil || c.weight > whole.weight):
				whole = c
			case c.n > 1 && !divides(c) && (most == nil || c.weight > most.weight):
				most = c
			}
		}
		if most != nil {
			c := withLike(most, at.children)
			sum := 0
			for _, name := range c.Names {
				sum += at.at[name].weight
			}
			if 2*sum >= at.weight && len(most.parents) <= deepestRecord {
				return c, nil
			}
		}
		if whole == nil || 2*whole.weight < at.weight {
			return nil, ambiguous(in, top)
		}
		at = whole
	}
}

// divides reports whether elements divide or mark a text and are no documents by their name. Marks
// are documents just inside the root, as in <sentences><s>.
func divides(s *stat) bool {
	name := strings.ToLower(s.name)
	return markup[name] && (!inline[name] || len(s.parents) > 1)
}

// siblings are the elements beside one.
func siblings(top, of *stat) []*stat {
	for _, name := range of.parents {
		top = top.at[name]
	}
	return top.children
}

// withLike is the choice of an element, and of those beside it that have half of its fields or
// more.
func withLike(most *stat, beside []*stat) *Choice {
	c := &Choice{Parents: most.parents, Names: []string{most.name}}
	for _, s := range beside {
		if s != most && s.n > 1 && alike(most, s) {
			c.Names = append(c.Names, s.name)
		}
	}
	return c
}

// alike reports whether two elements have fields, and share half of those of either.
func alike(a, b *stat) bool {
	all, shared := 0, 0
	for _, c := range a.children {
		if all++; b.at[c.name] != nil {
			shared++
		}
	}
	for name := range a.attrs {
		if all++; b.attrs[name] {
			shared++
		}
	}
	return 2*shared >= max(all, len(b.children)+len(b.attrs)) && shared > 1
}

// hasFields reports whether an element has all fields of some names, inside others such as a.b too.
func hasFields(s *stat, fields []string) bool {
	return !slices.ContainsFunc(fields, func(f string) bool { return !hasField(s, f) })
}

func hasField(s *stat, field string) bool {
	if field == ownText {
		return true
	}
	for name := range s.attrs {
		if strings.EqualFold(name, field) {
			return true
		}
	}
	for _, c := range s.children {
		if strings.EqualFold(c.name, field) {
			return true
		}
		if len(field) > len(c.name) && field[len(c.name)] == '.' && strings.EqualFold(field[:len(c.name)], c.name) && hasField(c, field[len(c.name)+1:]) {
			return true
		}
	}
	return false
}

// withFields is the element of most text that occurs again and has all fields, of those that are
// inside the fewest others; nil for none.
func withFields(s *stat, fields []string, depth int) *stat {
	var best *stat
	for _, c := range s.children {
		if c.n > 1 && hasFields(c, fields) && (best == nil || c.weight > best.weight) {
			best = c
		}
	}
	if best != nil || depth >= deepestRecord {
		return best
	}
	for _, c := range s.children {
		if found := withFields(c, fields, depth+1); found != nil && (best == nil || found.weight > best.weight) {
			best = found
		}
	}
	return best
}

// ambiguous refuses a file of which no elements are clearly the records.
func ambiguous(in *input.File, top *stat) error {
	var list []*stat
	var collect func(s *stat)
	collect = func(s *stat) {
		if s.n > 1 && 10*s.weight >= top.weight && !divides(s) {
			list = append(list, s)
			return
		}
		for _, c := range s.children {
			collect(c)
		}
	}
	collect(top)
	if len(list) == 0 {
		return in.Fail("", "is XML of which no element occurs again and holds the text; if it is one document, put it into a folder of texts, one text per file, and name the folder")
	}
	slices.SortStableFunc(list, func(a, b *stat) int { return cmp.Compare(b.weight, a.weight) })
	var names []string
	for _, s := range list {
		names = append(names, fmt.Sprintf("%s (%d)", &Choice{Parents: s.parents, Names: []string{s.name}}, s.n))
	}
	return in.Fail("", "is XML in which no element holds most of the text, so that the documents may be the elements %s; name a field that these alone have with ‹text-column›, such as %s", message.List(names, 6), exampleField(list[0]))
}

// exampleField is a field of an element.
func exampleField(s *stat) string {
	for _, c := range s.children {
		return clip(c.name)
	}
	for name := range s.attrs {
		return clip(name)
	}
	return ownText
}
