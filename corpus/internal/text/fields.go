package text

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// fields are the fields of JSON objects that documents are made of. A name with points, such as
// meta.title, names a field inside an object; a number is an element of a list, from 0.
type fields struct {
	texts     []string
	lists     []string // the texts that are lists of strings
	id, label string   // "": none
	// plain says that these are text, id and label, which need no search for names.
	plain bool
	// found says that the fields of the texts were seen. An object that lacks them is then an empty
	// document, and otherwise one of another kind.
	found    bool
	anyLabel bool // nobody asked for the label: one that is no class is left out
	beside   bool // the other fields are read too
}

// plainFields are the fields of the usual names.
func plainFields() *fields {
	return &fields{texts: []string{"text"}, id: "id", label: "label", plain: true, anyLabel: true}
}

// sampledObjects is how many objects decide on the fields.
const sampledObjects = 200

// settleFields finds the fields by the objects that come first, and notes what was guessed. Objects
// that cannot be read are left to the reader, which names their places.
func (in *source) settleFields(objects [][]byte) (*fields, error) {
	want := in.opt.columns()
	want.Kind, want.Header = columns.Field, true
	if len(objects) == 1 && len(want.Text) == 0 {
		if why := cmp.Or(columnsOfNumbers(objects[0]), wholeFile(objects[0])); why != "" {
			return nil, in.Fail("", "%s", why)
		}
	}
	list := profileObjects(objects)
	f := plainFields()
	f.beside = in.opt.Beside
	if len(list) == 0 {
		f.ask(want)
		return f, nil
	}
	for _, path := range slices.Concat([]string{want.ID, want.Label, want.Usual.ID, want.Usual.Label}, want.Text, want.Usual.Text) {
		list = addElement(list, path)
	}
	want = want.Recall(list)
	roles, err := columns.Settle(list, want)
	var fault *columns.Fault
	if errors.As(err, &fault) {
		way := ""
		if fault.Numbers {
			way = numberFields(objects[0])
		}
		return nil, in.Fail(fault.Place, "%s%s", fault.Why, way)
	}
	if err != nil {
		return nil, err
	}
	if roles.Text == nil {
		f.ask(want)
		return f, nil
	}
	f.texts, f.id, f.label, f.anyLabel, f.found = nil, "", "", roles.AnyLabel, true
	for _, j := range roles.Text {
		f.texts = append(f.texts, list[j].Name)
		if list[j].IsStrings() {
			f.lists = append(f.lists, list[j].Name)
		}
	}
	if roles.ID >= 0 {
		f.id = list[roles.ID].Name
	} else if want.ID == "" && !slices.ContainsFunc(list, func(c columns.Column) bool { return strings.EqualFold(c.Name, "id") }) {
		f.id = "id" // of later objects
	}
	if roles.Label >= 0 {
		f.label = list[roles.Label].Name
	} else if want.Label == "" && !slices.ContainsFunc(list, func(c columns.Column) bool { return strings.EqualFold(c.Name, "label") }) {
		f.label = "label" // of later objects; one that is known is no class
	}
	f.settlePlain()
	in.Notes = append(in.Notes, roles.Notes...)
	return f, nil
}

// addElement adds a column for an element of a list, such as label.0, if the path names one and the
// list occurs.
func addElement(list []columns.Column, path string) []columns.Column {
	for _, c := range list {
		if rest, inside := strings.CutPrefix(path, c.Name+"."); inside && c.Odd != "" {
			if _, err := strconv.Atoi(strings.SplitN(rest, ".", 2)[0]); err == nil {
				element := columns.Column{Name: path}
				element.Add("an element", 0, false)
				return append(list, element)
			}
		}
	}
	return list
}

// ask sets what the user asked for, where no object shows what there is.
func (f *fields) ask(want columns.Request) {
	if len(want.Text) > 0 {
		f.texts = want.Text
	}
	if want.ID != "" {
		f.id = strings.TrimPrefix(want.ID, columns.None)
	}
	if want.Label != "" {
		f.label, f.anyLabel = strings.TrimPrefix(want.Label, columns.None), false
	}
	f.settlePlain()
}

func (f *fields) settlePlain() {
	f.plain = len(f.texts) == 1 && f.lists == nil && strings.EqualFold(f.texts[0], "text") && (f.id == "" || strings.EqualFold(f.id, "id")) && (f.label == "" || strings.EqualFold(f.label, "label"))
}

// profileObjects is what the fields of some objects hold, in the order in which they occur first. A
// list of parts of a text is this text where other objects have a string in its place.
func profileObjects(objects [][]byte) []columns.Column {
	var list []columns.Column
	at, plain := make(map[string]int), make(map[string]bool)
	all := make([][]field, 0, len(objects))
	for _, raw := range objects {
		var found []field
		if !flatten(finiteJSON(raw), "", 0, &found) {
			continue
		}
		for _, f := range found {
			plain[f.name] = plain[f.name] || f.raw[0] == '"'
		}
		all = append(all, found)
	}
	for seen, found := range all {
		for _, f := range found {
			j, known := at[f.name]
			if !known {
				j = len(list)
				at[f.name] = j
				list = append(list, columns.Column{Name: f.name})
				for range seen {
					list[j].Add("", 0, false) // the objects before lack it
				}
			}
			if s, ok := partsOfText(f.raw); ok && plain[f.name] {
				list[j].Add(s, 0, false)
				continue
			}
			f.add(&list[j])
		}
		for j := range list {
			if list[j].Rows <= seen {
				list[j].Add("", 0, false)
			}
		}
	}
	return list
}

// innerTexts are the texts of a list of objects that each have one under a usual name, such as the
// opinions of a judgment or the answers to a question.
func innerTexts(raw json.RawMessage) (list []string, ok bool) {
	var objects []map[string]json.RawMessage
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &objects) != nil || len(objects) == 0 {
		return nil, false
	}
	for _, object := range objects {
		text, known := innerText(object)
		if !known {
			return nil, false
		}
		list = append(list, text)
	}
	return list, true
}

// innerText is the text of an object in a list.
func innerText(object map[string]json.RawMessage) (text string, known bool) {
	for _, name := range append(lexical.TextNames, "value") {
		if raw := object[name]; len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &text) == nil {
			return text, true
		}
	}
	for _, name := range glosses { // of dictionaries
		var list []string
		if raw := object[name]; len(raw) > 0 && json.Unmarshal(raw, &list) == nil {
			return strings.Join(list, "\n"), true
		}
	}
	return "", false
}

// glosses are names of lists of what a word means.
var glosses = []string{"glosses", "definitions"}

// partsOfText joins a list of parts of a text, as Telegram writes a message with links and marks. A
// part is a string, or an object with a string called text; one at least is an object.
func partsOfText(raw json.RawMessage) (s string, ok bool) {
	var list []json.RawMessage
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return "", false
	}
	var out strings.Builder
	for _, e := range list {
		var part struct {
			Text *string `json:"text"`
		}
		switch part.Text = new(string); {
		case e[0] == '"' && json.Unmarshal(e, part.Text) == nil:
		case e[0] == '{' && json.Unmarshal(e, &part) == nil && part.Text != nil:
			ok = true
		default:
			return "", false
		}
		out.WriteString(*part.Text)
	}
	return out.String(), ok
}

// field is a field of an object and its value.
type field struct {
	name string
	raw  json.RawMessage
}

// add adds the value to what is known of its column.
func (f *field) add(c *columns.Column) {
	switch f.raw[0] {
	case '"':
		var s string
		_ = json.Unmarshal(f.raw, &s)
		c.Add(s, 0, false)
	case '[':
		var several []any
		c.Add("", 0, false)
		if _, nested := json.Unmarshal(f.raw, &several), slices.ContainsFunc(several, isNested); c.Odd == "" && len(several) > 1 || nested {
			c.Odd, c.Several = "a list", !nested
		}
		var list []string
		if json.Unmarshal(f.raw, &list) == nil && len(list) > 0 {
			c.AddStrings(list)
		} else if list, ok := innerTexts(f.raw); ok {
			c.AddStrings(list)
			c.Inner = true
		}
	case 't', 'f':
		c.Add(string(f.raw), 0, false)
	case 'n':
		c.Add("", 0, false)
	default:
		v, ok := lexical.Number(string(f.raw))
		c.Add(string(f.raw), v, ok)
	}
}

func isNested(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// deepest is how many objects a field may be inside.
const deepest = 4

// mostFields is how many fields of an object are looked at; as many texts behind them are too.
const mostFields = 1000

// flatten lists the fields of an object, with their path for objects inside it; false if raw is no
// object.
func flatten(raw []byte, prefix string, depth int, found *[]field) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return false
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return false
		}
		path := prefix + name.(string)
		if isInverted(path) {
			if text, is := invertedText(value); is {
				value, _ = json.Marshal(text)
			}
		}
		if value[0] == '{' {
			if depth >= deepest || !flatten(value, path+".", depth+1, found) {
				return false
			}
			continue
		}
		if n := len(*found); n < mostFields || value[0] == '"' && n < 2*mostFields {
			*found = append(*found, field{path, value})
		}
	}
	_, err := d.Token()
	return err == nil || err == io.EOF
}

// lookup finds the value at a path in an object; nil if there is none.
func lookup(object map[string]json.RawMessage, path string) json.RawMessage {
	if raw, ok := object[path]; ok {
		return raw
	}
	for i := range len(path) {
		if path[i] != '.' {
			continue
		}
		raw, ok := object[path[:i]]
		if !ok {
			continue
		}
		return inside(raw, path[i+1:])
	}
	for name, raw := range object {
		if strings.EqualFold(name, path) {
			return raw
		}
	}
	return nil
}

// inside finds the value at a path in an object or a list.
func inside(raw json.RawMessage, path string) json.RawMessage {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 {
		return nil
	}
	switch raw[0] {
	case '{':
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) == nil {
			return lookup(object, path)
		}
	case '[':
		name, rest, more := strings.Cut(path, ".")
		k, err := strconv.Atoi(name)
		var list []json.RawMessage
		if err != nil || json.Unmarshal(raw, &list) != nil || k < 0 || k >= len(list) {
			return nil
		}
		if more {
			return inside(list[k], rest)
		}
		return list[k]
	}
	return nil
}

// finiteJSON replaces NaN, Infinity and -Infinity, which Python writes and JSON does not know, by
// null. It returns the same bytes if there is nothing to replace.
func finiteJSON(raw []byte) []byte {
	if !bytes.Contains(raw, []byte("NaN")) && !bytes.Contains(raw, []byte("Infinity")) {
		return raw
	}
	var out []byte
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '"':
			end := i + 1
			for end < len(raw) && raw[end] != '"' {
				if raw[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(raw))
			out = append(out, raw[i:end]...)
			i = end
			continue
		case c == 'N' || c == 'I' || c == '-':
			done := false
			for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
				if bytes.HasPrefix(raw[i:], []byte(word)) {
					out, i, done = append(out, "null"...), i+len(word), true
					break
				}
			}
			if done {
				continue
			}
		}
		out = append(out, raw[i])
		i++
	}
	return out
}

// columns is what the user says of the columns.
func (o *ReadOptions) columns() columns.Request {
	return columns.Request{Text: o.TextColumn, ID: o.IDColumn, Label: o.LabelColumn, Time: o.TimeColumn, Beside: o.ViewColumns, Usual: o.Usual, Settled: o.Settled, LabelsGiven: o.LabelsGiven}
}

// firstLines are the whole lines among the first 64 KB of a stream, or the first two lines where
// they are longer. The stream keeps them.
func firstLines(file *input.File) [][]byte {
	head, whole := aheadOfLines(file)
	head = bytes.TrimPrefix(head, []byte(input.ByteOrderMark))
	var lines [][]byte
	for len(head) > 0 && len(lines) < sampledObjects {
		line, rest, ends := bytes.Cut(head, []byte("\n"))
		if head = rest; !ends && !whole {
			break
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines = append(lines, slices.Clone(line))
		}
	}
	return lines
}

// aheadOfLines returns the first bytes of a stream, which stay in it, and whether they are all. It
// is 64 KB, or as much more as two lines need, up to 16 MB within the budget.
func aheadOfLines(file *input.File) (head []byte, whole bool) {
	const least, most = 64 << 10, 16 << 20
	for size := least; ; size *= 4 {
		head, err := file.Stream.Peek(size) // an error comes again where it is read
		lines := bytes.Count(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
		if err != nil || lines >= 2 || size == most || file.Mem.Take(4*int64(size), 1) != nil {
			return head, err == io.EOF
		}
		file.Stream = bufio.NewReaderSize(file.Stream, 4*size)
	}
}

// lookAtFields settles the fields by the first lines of a file, once.
func (in *source) lookAtFields(file *input.File) (err error) {
	if in.fields == nil {
		if head, _ := file.Stream.Peek(input.HeadSize); len(head) > 0 { // an error comes again
			if m := pairsBelow().FindSubmatch(head); m != nil {
				name := message.Clip(string(m[1]), 60)
				return in.Fail("", "is one JSON object over several lines, and the list in its field %s holds lists that may be a text and its label each; write objects, for instance with jq -c '.[%q][] | {text: .[0], label: .[1]}' FILE > documents.jsonl", name, name)
			}
			if path := listBelow(head); path != nil {
				name, more := message.Clip(strings.Join(path, "."), 60), ""
				if inner := listWithin(head, path); inner != "" {
					name, more = name+"."+message.Clip(inner, 60), jqPath([]string{inner})+"[]"
				}
				return in.Fail("", "is one JSON object over several lines, and the list in its field %s may hold the documents; write it alone, one object per line, for instance with jq -c '.%s[]%s' FILE > documents.jsonl", name, jqPath(path), more)
			}
		}
		lines := firstLines(file)
		if len(lines) > 1 && bulkLine(lines[0]) && !bulkLine(lines[1]) {
			return in.Fail("", "is a file for the bulk interface of Elasticsearch, in which a line before each document says what to do with it; leave these out, with awk 'NR %% 2 == 0' FILE > documents.jsonl")
		}
		in.fields, err = in.settleFields(lines)
	}
	return err
}

// lookAtParts is lookAtFields of the first of several files that holds JSON lines.
func (in *source) lookAtParts(parts []part) error {
	for _, p := range parts {
		if p.format != "jsonl" && p.format != xmlFormat || p.size == 0 {
			continue
		}
		if p.format == xmlFormat {
			return in.settleXMLParts(parts)
		}
		file, done, err := input.Open(in.Ctx, p.path, input.Limits{MaxBytes: in.Mem.Limit})
		if err != nil {
			return err
		}
		defer done()
		return in.lookAtFields(file)
	}
	return nil
}
