package text

import (
	"bytes"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

const (
	reutersOpen  = "<REUTERS"
	reutersClose = "</REUTERS>"
)

// reutersRecord is one <REUTERS> element.
type reutersRecord struct {
	id, split, marked string // NEWID, LEWISSPLIT, TOPICS
	topics            []string
	title, body       string
	text              string // the whole TEXT if it has neither title nor body
	line              int
}

// readReuters reads one file of Reuters-21578 in SGML.
func readReuters(in *source) (*counting.Collection, error) {
	return in.readReuters(func(yield func(name string, r io.Reader) error) error { return yield(in.Name, in.Stream) })
}

// readReuters reads the documents of all files that each yields, in their order.
func (in *source) readReuters(each func(yield func(name string, r io.Reader) error) error) (*counting.Collection, error) {
	rule := &reutersRule{}
	rule.ReutersOptions, rule.split = in.opt.Reuters.withPreset(in.opt.Split)
	rule.seen = make([]atomic.Bool, len(rule.TopicList))
	for _, s := range rule.split {
		if !slices.Contains(reutersSplits, s) {
			return nil, in.Fail("", "Reuters-21578 has no part %q; its parts are %s", message.Clip(s, 40), strings.Join(reutersSplits, ", "))
		}
	}
	name := in.opt.Encoding
	if name == "" {
		name = "latin1"
	}
	var err error
	if rule.dec, err = charset.New(name); err != nil {
		return nil, err
	}
	t, c, err := in.countTexts(func(emit func(counting.Batch) bool) error {
		err := each(func(name string, r io.Reader) error {
			f := reutersFile{rule: rule, name: name, w: window{r: r, limit: in.Mem.Limit / lineShare}}
			return f.batches(emit)
		})
		if err == errStopped {
			return nil
		}
		return err
	}, nil)
	if err != nil {
		return nil, err
	}
	for _, part := range reutersSplits {
		if len(rule.split) > 0 && !slices.Contains(rule.split, part) {
			c.Unread = append(c.Unread, part)
		}
	}
	in.noteReuters(t, c, rule)
	return c, nil
}

// noteReuters adds a note on the documents that were kept.
func (in *source) noteReuters(t *counting.Tally, c *counting.Collection, rule *reutersRule) {
	var parts []string
	for _, s := range reutersSplits {
		n := 0
		for _, id := range c.IDs {
			if strings.HasPrefix(id, s+"/") {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, s+" "+strconv.Itoa(n))
		}
	}
	note := "Reuters-21578: " + message.Plural(t.Docs, "document", "documents")
	if len(parts) > 0 {
		note += " (" + strings.Join(parts, ", ") + ")"
	}
	if t.Skipped > 0 {
		note += ", " + strconv.Itoa(t.Skipped) + " left out by the selection"
	}
	if rule.Preset != "" {
		note += " " + rule.Preset
	}
	c.Notes = append(c.Notes, note+"; counted: "+rule.Text+".")
	if absent := rule.unseen(); len(absent) > 0 {
		c.Notes = append(c.Notes, "No document that was looked at has the topic "+strings.Join(absent, " or ")+".")
	}
}

// reutersFile cuts a file into documents.
type reutersFile struct {
	rule *reutersRule
	name string
	w    window
}

// batches emits all documents of the file; errStopped if emit refuses one.
func (f *reutersFile) batches(emit func(counting.Batch) bool) error {
	b := f.newBatch()
	any := false
	for {
		raw, line, err := f.next()
		switch {
		case err == io.EOF && !any:
			emit(b)
			return input.Failf(f.name, "", "holds no <REUTERS> document; give files of Reuters-21578 in SGML")
		case err != nil && err != io.EOF:
			emit(b) // an error in an earlier document comes first
			return err
		}
		if raw != nil {
			any = true
			b.add(raw, line)
		}
		if err == io.EOF || len(b.data) >= counting.BatchBytes {
			if !emit(b) {
				return errStopped
			}
			if err == io.EOF {
				return nil
			}
			b = f.newBatch()
		}
	}
}

func (f *reutersFile) newBatch() *recordBatch {
	return &recordBatch{decode: func(raw []byte, line int) (counting.Document, error) {
		rec, err := f.rule.parse(raw, line, f.name)
		if err != nil {
			return counting.Document{}, err
		}
		return f.rule.choose(rec), nil
	}}
}

// next returns the next element with its tags, valid until the following call; io.EOF after the
// last.
func (f *reutersFile) next() (raw []byte, line int, err error) {
	w := &f.w
	// Text between documents is dropped, whatever its length.
	for {
		at := bytes.Index(w.data, []byte(reutersOpen))
		if at >= 0 {
			w.skip(at)
			break
		}
		w.skip(max(0, len(w.data)-len(reutersOpen)+1))
		if w.end {
			return nil, 0, io.EOF
		}
		if err := w.fill(); err != nil {
			return nil, 0, err
		}
	}
	line = w.line + 1
	end, err := w.find(reutersClose, len(reutersOpen))
	switch {
	case err == input.ErrTooLong:
		return nil, line, tooLong(f.name, "line "+strconv.Itoa(line), "the document that begins here ", w.limit)
	case err != nil:
		return nil, line, err
	case end < 0:
		return nil, line, input.Failf(f.name, "line "+strconv.Itoa(line), "the document that begins here does not end, the file was cut off; copy or download it again")
	}
	raw = w.data[:end+len(reutersClose)]
	if again := bytes.LastIndex(raw, []byte(reutersOpen)); again > 0 {
		return nil, line, input.Failf(f.name, "line "+strconv.Itoa(line), "the document that begins here does not end before the next one begins in line %d; correct the file", line+bytes.Count(raw[:again], []byte("\n")))
	}
	w.skip(len(raw))
	return raw, line, nil
}

// parse reads an element.
func (r *reutersRule) parse(raw []byte, line int, file string) (*reutersRecord, error) {
	text, _, _ := r.dec.Decode(raw)
	head, rest, closed := strings.Cut(text[len(reutersOpen):], ">")
	if !closed || !strings.HasSuffix(rest, reutersClose) {
		return nil, input.Failf(file, "line "+strconv.Itoa(line), "the tag <REUTERS is not closed; correct the file")
	}
	rec := &reutersRecord{line: line}
	for head != "" {
		name, value, rest := nextAttribute(head)
		switch name {
		case "NEWID":
			rec.id = value
		case "LEWISSPLIT":
			rec.split = value
		case "TOPICS":
			rec.marked = value
		}
		head = rest
	}
	fail := func(name string) (*reutersRecord, error) {
		return nil, input.Failf(file, "line "+strconv.Itoa(line), "in the document that begins here the element %s is not closed; correct the file", name)
	}
	topics, _, state := cutElement(rest, "TOPICS")
	if state == elementOpen {
		return fail("TOPICS")
	}
	for state == elementWhole {
		var topic string
		topic, topics, state = cutElement(topics, "D")
		if state == elementOpen {
			return fail("D")
		}
		if topic = strings.TrimSpace(html.UnescapeString(topic)); topic != "" {
			rec.topics = append(rec.topics, topic)
		}
	}
	content, _, state := cutElement(rest, "TEXT")
	if state == elementOpen {
		return fail("TEXT")
	}
	title, _, titled := cutElement(content, "TITLE")
	body, _, bodied := cutElement(content, "BODY")
	switch {
	case titled == elementOpen:
		return fail("TITLE")
	case bodied == elementOpen:
		return fail("BODY")
	case titled == elementNone && bodied == elementNone:
		rec.text = html.UnescapeString(content)
	}
	rec.title, rec.body = html.UnescapeString(title), html.UnescapeString(body)
	return rec, nil
}

// nextAttribute cuts NAME="VALUE" off the inside of a tag.
func nextAttribute(s string) (name, value, rest string) {
	name, rest, found := strings.Cut(s, "=")
	if !found {
		return "", "", ""
	}
	name = name[strings.LastIndexAny(name, " \t\r\n")+1:]
	rest = strings.TrimLeft(rest, " \t\r\n")
	if strings.HasPrefix(rest, `"`) {
		value, rest, _ = strings.Cut(rest[1:], `"`)
		return name, value, rest
	}
	if end := strings.IndexAny(rest, " \t\r\n"); end >= 0 {
		return name, rest[:end], rest[end:]
	}
	return name, rest, ""
}

// The results of cutElement.
const (
	elementNone = iota
	elementWhole
	elementOpen // its end is missing
)

// cutElement returns the content of the first element of a name, without its tags, and what follows
// it.
func cutElement(s, name string) (inside, after string, state int) {
	for {
		at := strings.Index(s, "<"+name)
		if at < 0 {
			return "", "", elementNone
		}
		s = s[at+1+len(name):]
		if s != "" && strings.IndexByte("> \t\r\n", s[0]) >= 0 {
			break
		}
	}
	_, s, whole := strings.Cut(s, ">")
	inside, after, closed := strings.Cut(s, "</"+name+">")
	if !whole || !closed {
		return "", "", elementOpen
	}
	return inside, after, elementWhole
}
