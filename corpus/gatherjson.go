package corpus

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/network"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
)

// gatherObjects makes JSON lines, in memory, of the objects in files of JSON. A file holds a list
// of them, an object with one list that is most of it, or one object.
func gatherObjects(in *input.File, list []member, opt ReadOptions, labelled bool) (*gathered, error) {
	if graph, err := soleNetwork(list); graph || err != nil {
		return nil, err
	}
	list, about := withoutInfo(list)
	n := classesOf(list)
	for _, m := range n.list {
		if is, err := isJSON(m); err != nil || !is {
			return nil, err
		}
	}
	expect(in, n.list)
	g := &objects{in: in, out: boundedBuffer{mem: in.Mem}}
	named := opt.LabelColumn == "" && !labelled && n.classes != nil
	if g.whole = len(n.list) >= fewestWhole; g.whole {
		for _, m := range n.list[:fewestWhole] {
			is, err := holdsSections(m)
			if err != nil {
				return nil, err
			}
			g.whole = g.whole && is
		}
	}
	for i, m := range n.list {
		g.class = ""
		if named {
			g.class = n.classes[i]
		}
		before := g.count
		if err := g.file(m); err != nil {
			return nil, err
		}
		if !strings.Contains(m.path, "/") && g.count <= before+1 {
			named = false // files of one document each, whose names are theirs
		}
	}
	if g.count == 0 {
		return nil, nil
	}
	if named = named && !g.labelled; !named {
		n = n.without()
	}
	content := g.out.Bytes()
	if !named && g.classed {
		content = withoutClasses(content)
	}
	noteMembers(in, n, "files of JSON")
	if len(about) > 0 {
		in.Notef("%s left out, by name about the others (first: %s); ‹input-format› folder takes each file for one text.", message.Plural(len(about), "file is", "files are"), message.Clip(about[0].path, 120))
	}
	if g.system > 0 {
		in.Notef("%s of Slack left out: about people and channels, or without a text.", message.Plural(g.system, "message", "messages"))
	}
	limits := opt.limits()
	limits.MaxBytes = in.Mem.Limit - in.Mem.Used()
	inside, err := input.New(in.Ctx, in.Name, bytes.NewReader(content), int64(len(content)), limits)
	if err != nil {
		return nil, err
	}
	inside.Notes, inside.LabelNote = in.Notes, in.LabelNote
	opt.Format = "jsonl"
	return &gathered{lines: inside, opt: opt, close: func() {}}, nil
}

// infoWords end the names of files that say something of others, such as group_info.json beside
// messages.json.
var infoWords = []string{"info", "metadata", "meta", "manifest", "settings", "preferences", "profile", "config", "schema"}

// withoutInfo leaves out files that by their names say something of the others, if they are a small
// part of all.
func withoutInfo(list []member) (kept, about []member) {
	const share = 5 // of the bytes
	total, size := int64(0), int64(0)
	for _, m := range list {
		name := strings.ToLower(strings.TrimSuffix(path.Base(m.path), path.Ext(m.path)))
		total += m.size
		if slices.Contains(infoWords, name[strings.LastIndexAny(name, "_-. ")+1:]) {
			about, size = append(about, m), size+m.size
			continue
		}
		kept = append(kept, m)
	}
	if len(about) == 0 || len(kept) == 0 || share*size > total {
		return list, nil
	}
	usual := fieldsOfFirst(kept[0])
	if slices.ContainsFunc(about, func(m member) bool { return slices.Equal(fieldsOfFirst(m), usual) }) {
		return list, nil // of documents with such names
	}
	return kept, about
}

// fieldsOfFirst are the names of the fields of the object that a file of JSON is, or of the first
// one in its list, as far as they begin in its head.
func fieldsOfFirst(m member) (names []string) {
	in, done, err := m.look()
	if err != nil {
		return nil // reading it says why
	}
	defer done()
	head, _ := in.Peek(input.HeadSize)
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(head, []byte(input.ByteOrderMark))))
	first, err := d.Token()
	if err == nil && first == json.Delim('[') {
		_, err = d.Token()
	}
	for err == nil && d.More() {
		var name json.Token
		if name, err = d.Token(); err == nil {
			names = append(names, fmt.Sprint(name))
			err = d.Decode(new(json.RawMessage))
		}
	}
	slices.Sort(names)
	return names
}

// objects are the objects of files as JSON lines.
type objects struct {
	in       *input.File
	out      boundedBuffer
	class    string // of the file that is read; "": none
	classed  bool   // some lines begin with a class
	count    int
	labelled bool // objects have a field of classes
	whole    bool // each file is one document, whose lists are its sections
	system   int  // messages of Slack itself, or without a text
}

// classPrefix begins a line with a class.
const classPrefix = `{"` + classColumn + `":`

// withoutClasses are the lines without the field that they begin with.
func withoutClasses(lines []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(lines) {
		rest, ok := bytes.CutPrefix(line, []byte(classPrefix))
		var class string
		d := json.NewDecoder(bytes.NewReader(rest))
		if !ok || d.Decode(&class) != nil {
			out.Write(line)
			continue
		}
		out.WriteByte('{')
		out.Write(bytes.TrimPrefix(rest[d.InputOffset():], []byte(",")))
	}
	return out.Bytes()
}

// file adds the objects of a file.
func (g *objects) file(m member) error {
	in, done, err := m.open()
	if err != nil {
		return err
	}
	defer done()
	if !g.whole && !isOneObject(in) {
		text.TakeList(in)
	}
	d, begun := json.NewDecoder(in.Stream), g.count+g.system
	fail := func(err error) error {
		syntax, kind := new(json.SyntaxError), new(json.UnmarshalTypeError)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return in.Wrap("", io.ErrUnexpectedEOF)
		}
		if errors.As(err, &syntax) || errors.As(err, &kind) {
			return in.Fail(fmt.Sprintf("object %d", g.count+g.system-begun+1), "is no JSON (%s); correct it, or move the file out of the folder", err)
		}
		return in.Wrap("", err)
	}
	first, err := in.Peek(4096)
	if err != nil {
		return err
	}
	if mark := []byte(input.ByteOrderMark); bytes.HasPrefix(first, mark) {
		first = first[len(mark):]
		if _, err := in.Stream.Discard(len(mark)); err != nil {
			return in.Wrap("", err)
		}
	}
	array := bytes.HasPrefix(bytes.TrimLeft(first, " \t\r\n"), []byte("["))
	if array {
		if _, err := d.Token(); err != nil {
			return fail(err)
		}
	}
	for !array || d.More() {
		var raw json.RawMessage
		err := d.Decode(&raw)
		if err == io.EOF && !array {
			return nil
		}
		if err != nil {
			return fail(err)
		}
		if raw[0] != '{' {
			return in.Fail("", "holds something else than objects with a text, such as %s; move it out of the folder", message.Clip(string(raw), 40))
		}
		if err := g.add(raw); err != nil {
			return in.Wrap("", err)
		}
	}
	_, err = d.Token()
	if err != nil {
		return fail(err)
	}
	return nil
}

// isJSON reports whether a file begins with an object or a list of objects.
func isJSON(m member) (bool, error) {
	in, done, err := m.look()
	if err != nil {
		return false, err
	}
	defer done()
	head, err := in.Peek(input.HeadSize)
	look := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(input.ByteOrderMark)), " \t\r\n")
	return bytes.HasPrefix(look, []byte("{")) || text.IsJSONArray(head), err
}

// soleNetwork reports whether the only file is JSON of a graph, which is no object of a document.
func soleNetwork(list []member) (bool, error) {
	if len(list) != 1 {
		return false, nil
	}
	in, done, err := list[0].look()
	if err != nil {
		return false, err
	}
	defer done()
	return network.LooksNodeLink(in)
}

// fewestWhole is how many of the first files of many are looked at for lists of sections.
const fewestWhole = 3

// sectionWords are in the names of lists whose members are parts of one document.
var sectionWords = strings.Fields("abstract body section paragraph passage page chapter segment")

// holdsSections reports whether a file is one object with a list of the sections of a document by
// its name, such as the paragraphs of a paper: objects with a text, and no name or class of their
// own. In no list have they what messages and answers have, an author or a time.
func holdsSections(m member) (bool, error) {
	const longest = 8 << 20
	if m.size > longest {
		return false, nil
	}
	in, done, err := m.look()
	if err != nil {
		return false, err
	}
	defer done()
	content, err := io.ReadAll(io.LimitReader(in.Stream, longest))
	if err != nil {
		return false, in.Wrap("", err)
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(bytes.TrimPrefix(content, []byte(input.ByteOrderMark)), &object) != nil {
		return false, nil
	}
	sections := false
	for field, raw := range object {
		texts, named := false, slices.ContainsFunc(sectionWords, func(word string) bool { return strings.Contains(strings.ToLower(field), word) })
		var list []map[string]json.RawMessage
		if raw[0] != '[' || json.Unmarshal(raw, &list) != nil || len(list) == 0 {
			continue
		}
		for name := range list[0] {
			name = strings.ToLower(name)
			named = named && !slices.Contains([]string{"id", "label", "class", "category"}, name)
			if slices.ContainsFunc([]string{"time", "date", "author", "sender", "from", "user", "created", "creator"}, func(word string) bool { return strings.Contains(name, word) }) {
				return false, nil
			}
			texts = texts || name == "text"
		}
		sections = sections || named && texts
	}
	return sections, nil
}

// isOneObject reports whether a file is one object most of which is no list of objects.
func isOneObject(in *input.File) bool {
	const looked = 64 << 10
	head, _ := in.Stream.Peek(looked) // an error comes again where it is read
	var object map[string]json.RawMessage
	if len(head) == looked || json.Unmarshal(bytes.TrimPrefix(head, []byte(input.ByteOrderMark)), &object) != nil {
		return false
	}
	for _, value := range object {
		if text.IsJSONArray(value) && 2*len(value) > len(head) {
			return false
		}
	}
	return true
}

// slackMessage is what is looked at of a message of Slack.
type slackMessage struct {
	Type, Subtype, TS string
	Text              *string
	Attachments       []struct{ Pretext, Title, Text, Fallback string }
}

// words are the text of the message, or without one the texts that a program attached to it.
func (m *slackMessage) words() string {
	text := strings.TrimSpace(plain.Slack(*m.Text))
	for _, a := range m.Attachments {
		if text != "" {
			return text
		}
		for _, part := range []string{a.Pretext, a.Title, a.Text} {
			text = strings.TrimSpace(text + "\n" + plain.Slack(part))
		}
		text = cmp.Or(text, strings.TrimSpace(plain.Slack(a.Fallback)))
	}
	return text
}

// add adds an object as a line, with the class of its file.
func (g *objects) add(raw json.RawMessage) error {
	var slack slackMessage
	if json.Unmarshal(raw, &slack) == nil && slack.Type == "message" && slack.TS != "" && slack.Text != nil {
		text := slack.words()
		if isSystem(slack.Subtype) || text == "" {
			g.system++
			return nil
		}
		var err error
		if raw, err = withText(raw, text); err != nil {
			return err
		}
	}
	if g.count < 100 && !g.labelled {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(raw, &object); err != nil {
			return err
		}
		for name := range object {
			g.labelled = g.labelled || hasClasses(name)
		}
	}
	var line bytes.Buffer
	if err := json.Compact(&line, raw); err != nil {
		return err
	}
	g.count++
	content := line.Bytes()
	if g.class != "" && len(content) > 2 && !g.labelled {
		g.classed = true
		class, err := json.Marshal(g.class)
		if err != nil {
			return err
		}
		content = slices.Concat([]byte(classPrefix), class, []byte(","), content[1:])
	}
	_, err := g.out.Write(append(content, '\n'))
	return err
}

// withText is a message with another text and without its parts, which repeat it.
func withText(raw json.RawMessage, text string) (json.RawMessage, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		return nil, err
	}
	object["text"] = quoted
	for _, name := range []string{"blocks", "attachments", "reactions", "replies", "reply_users", "edited", "user_profile", "files"} {
		delete(object, name)
	}
	return json.Marshal(object)
}

// isSystem reports whether messages of a kind are Slack's own.
func isSystem(subtype string) bool {
	return slices.ContainsFunc([]string{"channel_", "group_", "mpim_", "pinned_", "unpinned_", "bot_add", "bot_remove", "reminder_", "sh_room_", "huddle_", "tombstone"}, func(kind string) bool { return strings.HasPrefix(subtype, kind) })
}
