package text

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/words"
)

// read takes a document from a JSON object.
func (f *fields) read(d *counting.Document, raw []byte) error {
	if f.beside {
		d.Beside = f.valuesBeside(raw)
	}
	if !f.plain {
		return f.readPaths(d, raw)
	}
	if !d.Damaged {
		if id, text, label, ok := scanPlain(raw); ok {
			var err error
			if d.Text, err = unquoted(text); err == nil {
				return f.names(d, id, label)
			}
		}
	}
	var object struct {
		ID    json.RawMessage `json:"id"`
		Text  *string         `json:"text"`
		Label json.RawMessage `json:"label"`
	}
	if err := json.Unmarshal(raw, &object); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) && kind.Field == "text" && kind.Value == "array" && f.readPaths(d, raw) == nil {
			return nil // in parts
		}
		if why := wholeFile(raw); why != "" && d.Line == 1 {
			return errors.New(why)
		}
		return notObject(raw, err)
	}
	d.NoText = object.Text == nil && (hasField(raw, "text") || f.found && isObject(raw))
	if d.NoText {
		return f.names(d, object.ID, object.Label)
	}
	if object.Text == nil {
		if why := wholeFile(raw); why != "" && d.Line == 1 {
			return errors.New(why)
		}
		return fmt.Errorf("has no string text; its fields are %s%s; ‹text-column› names the field of the texts", fieldNames(raw), cmp.Or(vectorField(raw), numberFields(raw)))
	}
	d.Text = *object.Text
	return f.names(d, object.ID, object.Label)
}

// isObject reports whether JSON is an object, and not null.
func isObject(raw []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) }

// notObject says why a line is no object with a text.
func notObject(raw []byte, err error) error {
	var kind *json.UnmarshalTypeError
	raw = bytes.TrimSpace(raw)
	switch {
	case string(raw) == "{":
		return errors.New("does not end with }, so it was cut off, or the object is written over several lines; write one object per line, for instance with jq -c . FILE, or with jq -c '.FIELD[]' FILE if a list in it holds the documents")
	case bytes.HasSuffix(raw, []byte("},")) && json.Valid(raw[:len(raw)-1]):
		return errors.New("ends with a comma, which JSON lines do not; leave the commas out, with sed 's/},[[:space:]]*$/}/' FILE > documents.jsonl")
	case bytes.HasPrefix(raw, []byte("//")), bytes.HasPrefix(raw, []byte("/*")):
		return errors.New(`is a comment, which JSON does not have; leave comments out, with sed -E -e 's,^[[:space:]]*//.*,,' -e 's,/\*[^*]*\*/,,g' FILE > documents.json`)
	case severalObjects(raw):
		return errors.New("holds several objects; write each on a line, with jq -c . FILE > documents.jsonl")
	case bytes.HasPrefix(raw, []byte("{")) && !bytes.HasSuffix(raw, []byte("}")):
		return errors.New("does not end with }, so it was cut off or holds a line break; write one object per line, or copy or download the file again")
	case bytes.HasPrefix(raw, []byte("{'")):
		return errors.New("has single quotes, as Python prints an object; write JSON, with python -c \"import ast, json, sys; [print(json.dumps(ast.literal_eval(line))) for line in sys.stdin]\" < FILE > documents.jsonl")
	case errors.As(err, &kind) && kind.Field == "text":
		return fmt.Errorf("the field text is a JSON %s, where a string is needed; make it one, or name another field with ‹text-column›", kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf(`is a JSON %s, where an object {"id": ..., "text": "...", "label": ...} is needed`, kind.Value)
	}
	return fmt.Errorf("is not a JSON object (%s); write one object per line", strings.TrimPrefix(err.Error(), "json: "))
}

// severalObjects reports whether a line is one object of JSON and then another.
func severalObjects(raw []byte) bool {
	end := objectEnd(raw)
	return len(raw) > 0 && raw[0] == '{' && end > 0 && bytes.HasPrefix(bytes.TrimSpace(raw[end:]), []byte("{")) && json.Valid(raw[:end])
}

// names takes id and label of a document.
func (f *fields) names(d *counting.Document, id, label json.RawMessage) error {
	var ok bool
	if f.id != "" {
		if d.ID, d.HasID, ok = scalar(id); !ok {
			return fmt.Errorf("the field %s is neither a string nor a number; ‹id-column› names another, or none", message.Clip(f.id, 60))
		}
	}
	if f.label == "" {
		return nil
	}
	if d.Label, d.HasLabel, ok = classOf(label); !ok {
		if !f.anyLabel {
			name := message.Clip(f.label, 60)
			return fmt.Errorf("the field %s is neither a string nor a number; give each document one class, name an element of a list (‹label-column› %s), or none", name, words.ShellWord(name+".0"))
		}
		d.Odd = true
	}
	return nil
}

// readPaths is read for fields of any names.
func (f *fields) readPaths(d *counting.Document, raw []byte) error {
	object, scanned := map[string]json.RawMessage(nil), false
	if !d.Damaged {
		object, scanned = scanNamed(raw, append([]string{f.id, f.label}, f.texts...)...)
	}
	if !scanned {
		object = nil
		if err := json.Unmarshal(raw, &object); err != nil {
			return notObject(raw, err)
		}
	}
	var parts []string // together no longer than the line that they are from
	for _, path := range f.texts {
		value := lookup(object, path)
		text, present, ok := scalar(value)
		if !ok && slices.Contains(f.lists, path) {
			text, present, ok = stringsOf(value)
		}
		if !ok {
			text, ok = partsOfText(value)
			present = ok
		}
		if !ok && isInverted(path) {
			text, ok = invertedText(value)
			present = ok
		}
		switch {
		case !ok:
			return fmt.Errorf("the field %s is a JSON %s, where a string is needed; make it one, or name another field with ‹text-column›", message.Clip(path, 60), kindOf(value))
		case present:
			parts = append(parts, text)
		}
	}
	if d.NoText = parts == nil && f.found && isObject(raw); parts == nil && !d.NoText {
		if len(f.texts) == 1 && f.texts[0] == columns.None {
			return fmt.Errorf("is JSON, of which texts are read and no numbers alone, as ‹text-column› none asks; its fields are %s%s", fieldNames(raw), numberFields(raw))
		}
		return fmt.Errorf("has no string %s; its fields are %s; leave out documents without a text, or give them an empty one", message.List(f.texts, 6), fieldNames(raw))
	}
	d.Text, _ = joinTexts(parts, 0)
	var id, label json.RawMessage
	if f.id != "" {
		id = lookup(object, f.id)
	}
	if f.label != "" {
		label = lookup(object, f.label)
	}
	return f.names(d, id, label)
}

// stringsOf joins the strings of a list, or the texts of its objects, a line each; ok is false of
// another value.
func stringsOf(raw json.RawMessage) (s string, present, ok bool) {
	var list []string
	if raw[0] != '[' {
		return "", false, false
	}
	if json.Unmarshal(raw, &list) != nil {
		if list, ok = innerTexts(raw); !ok {
			return "", false, false
		}
	}
	return strings.Join(list, "\n"), true, true
}

// kindOf names the type of a value that is no string.
func kindOf(raw json.RawMessage) string {
	switch raw[0] {
	case '[':
		return "array"
	case '{':
		return "object"
	}
	return "bool"
}

// classOf is scalar for a class, which may be true or false, or a list of one.
func classOf(raw json.RawMessage) (s string, present, ok bool) {
	if string(raw) == "true" || string(raw) == "false" {
		return string(raw), true, true
	}
	if len(raw) > 0 && raw[0] == '[' {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil || len(list) > 1 {
			return "", false, false
		}
		if len(list) == 0 {
			return "", false, true
		}
		return classOf(list[0])
	}
	return scalar(raw)
}

// scalar returns a string or the digits of a number; null and a missing field are not present.
func scalar(raw json.RawMessage) (s string, present, ok bool) {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return "", false, true
	case raw[0] == '"':
		s, err := unquoted(raw)
		return s, true, err == nil
	case raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9':
		return string(raw), true, true
	}
	return "", false, false
}

// hasField reports whether an object has a field, comparing names as encoding/json does.
func hasField(raw []byte, name string) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return false
	}
	for field := range fields {
		if strings.EqualFold(field, name) {
			return true
		}
	}
	return false
}

// fieldNames lists the fields of an object for a message.
func fieldNames(raw []byte) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil || len(fields) == 0 {
		return "none"
	}
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return message.List(names, 12)
}
