package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// wholeFile says what the only object of a file is if it holds many documents, and how to take them
// out; "" for one that may be a document.
func wholeFile(raw []byte) string {
	var object map[string]json.RawMessage
	if json.Unmarshal(finiteJSON(raw), &object) != nil {
		return ""
	}
	names := slices.Sorted(maps.Keys(object))
	for _, name := range names {
		if firstOfArray(object[name]) == '{' && !hasField(raw, "text") {
			return fmt.Sprintf("has no text of its own; if the list in its field %s holds the documents, write that alone, for instance with jq '.[%q]' FILE > documents.json; if it holds texts of one document, name them, such as ‹text-column› %s.0.FIELD", message.Clip(name, 60), message.Clip(name, 60), message.Clip(name, 60))
		}
	}
	if object["data"] != nil && object["columns"] != nil || len(names) > 0 && (sameFields(object, names) || sameLengths(object, names)) {
		return "is one JSON object of all documents, as pandas' to_json writes it by columns; write one object each, with to_json('documents.jsonl', orient='records', lines=True), or, if its fields are the documents, with jq -c '.[]'"
	}
	return ""
}

// sameFields reports whether all fields of an object are objects with the same two fields or more.
func sameFields(object map[string]json.RawMessage, names []string) bool {
	var first []string
	for i, name := range names {
		var inner map[string]json.RawMessage
		if json.Unmarshal(object[name], &inner) != nil || len(inner) < 2 {
			return false
		}
		fields := slices.Sorted(maps.Keys(inner))
		if i == 0 {
			first = fields
		} else if !slices.Equal(fields, first) {
			return false
		}
	}
	return len(names) > 1 || len(first) > 20
}

// sameLengths reports whether all fields of an object are lists of one length, of strings in one.
func sameLengths(object map[string]json.RawMessage, names []string) bool {
	length, strings := -1, false
	for _, name := range names {
		var list []json.RawMessage
		if json.Unmarshal(object[name], &list) != nil || len(list) < 2 || length >= 0 && len(list) != length {
			return false
		}
		length, strings = len(list), strings || bytes.HasPrefix(list[0], []byte(`"`))
	}
	return strings
}

// vectorField says of an object with a list of numbers how such vectors are read, and of one with a
// list of words how to make a text of it; "" without one.
func vectorField(raw []byte) string {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		var vector []float64
		var list []string
		if json.Unmarshal(object[name], &list) == nil && len(list) > 1 {
			return fmt.Sprintf(" (a list of words such as %s is no text: join it, for instance with jq -c '.text = (.[%q] | join(\" \"))')", message.Clip(name, 60), message.Clip(name, 60))
		}
		if json.Unmarshal(object[name], &vector) == nil && len(vector) > 1 {
			return fmt.Sprintf(" (vectors such as %s are read beside the texts, by ‹vectors›, or alone from .npy; convert them: python -c \"import json, numpy; numpy.save('FILE.npy', [json.loads(line)['%s'] for line in open('FILE.jsonl')])\")", message.Clip(name, 60), message.Clip(name, 60))
		}
	}
	return ""
}
