package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/pattern"
	"github.com/eigenmap/eigenmap/internal/words"
)

// wholeFile says what the only object of a file is if it holds many documents, and how to take them
// out; "" for one that may be a document.
func wholeFile(raw []byte) string {
	var object map[string]json.RawMessage
	if json.Unmarshal(finiteJSON(raw), &object) != nil {
		return ""
	}
	names := slices.Sorted(maps.Keys(object))
	if why := graphObject(object); why != "" {
		return why
	}
	if path := listOfObjects(object, 3); path != nil && !hasField(raw, "text") {
		name := message.Clip(strings.Join(path, "."), 60)
		return fmt.Sprintf("has no text of its own; if the list in its field %s holds the documents, write that alone, for instance with jq '.%s' FILE > documents.json; if it holds texts of one document, name them, such as ‹text-column› %s", name, jqPath(path), words.ShellWord(name+".0.FIELD"))
	}
	if len(names) > manyFields && !slices.ContainsFunc(names, func(name string) bool { return !bytes.HasPrefix(object[name], []byte(`"`)) }) {
		return "is one JSON object with a text under each name; write one object each, for instance with jq -c 'to_entries[] | {id: .key, text: .value}' FILE > documents.jsonl"
	}
	const one = "is one JSON object of all documents, "
	switch {
	case object["data"] != nil && object["columns"] != nil:
		return one + "as pandas' to_json writes it by orient='split'; write one object each, with jq -c '.columns as $c | .data[] | [$c, .] | transpose | map({(.[0] | tostring): .[1]}) | add' FILE > documents.jsonl"
	case sameFields(object, names) && len(names) > len(fieldsOf(object[names[0]])):
		return one + "each under its name; write one object each, with jq -c 'to_entries[] | {id: .key} + .value' FILE > documents.jsonl"
	case sameFields(object, names) || sameLengths(object, names):
		return one + "a field for each column, as pandas' to_json writes it; write one object each, with jq -c '(.[keys_unsorted[0]] | keys_unsorted[]) as $i | map_values(.[$i])' FILE > documents.jsonl"
	case listsOfTexts(object, names):
		return one + "a list of texts for each class; write one object each, with jq -c 'to_entries[] | .key as $k | .value[] | {label: $k, text: .}' FILE > documents.jsonl"
	}
	return ""
}

// fieldsOf is an object by its fields; nil of another value.
func fieldsOf(raw json.RawMessage) (object map[string]json.RawMessage) {
	if json.Unmarshal(raw, &object) != nil {
		return nil
	}
	return object
}

// listsOfTexts reports whether an object has two fields or more, and each is a list of strings of
// which most have several words.
func listsOfTexts(object map[string]json.RawMessage, names []string) bool {
	texts, all := 0, 0
	for _, name := range names {
		var list []string
		if json.Unmarshal(object[name], &list) != nil || len(list) == 0 {
			return false
		}
		for _, s := range list {
			if all++; len(strings.Fields(s)) >= 3 {
				texts++
			}
		}
	}
	return len(names) > 1 && all > manyFields && 2*texts > all
}

// manyFields is from how many fields on an object is taken for many documents and not for one.
const manyFields = 20

// listOfObjects is the path to the first list of objects in an object, at most depth names long;
// nil without one. Lists further inside count where no string on the way has several words, since
// the object may be one document else.
func listOfObjects(object map[string]json.RawMessage, depth int) []string {
	names := slices.Sorted(maps.Keys(object))
	for _, name := range names {
		if firstOfArray(object[name]) == '{' {
			return []string{name}
		}
	}
	if depth == 1 || slices.ContainsFunc(names, func(name string) bool {
		var s string
		return json.Unmarshal(object[name], &s) == nil && len(strings.Fields(s)) > 3
	}) {
		return nil
	}
	for _, name := range names {
		var inner map[string]json.RawMessage
		if json.Unmarshal(object[name], &inner) != nil {
			continue
		}
		if path := listOfObjects(inner, depth-1); path != nil {
			return append([]string{name}, path...)
		}
	}
	return nil
}

// jqPath is a path as jq writes it, without the point before it.
func jqPath(path []string) string {
	var out strings.Builder
	for _, name := range path {
		fmt.Fprintf(&out, "[%q]", message.Clip(name, 60))
	}
	return out.String()
}

// graphObject says of an object that holds a graph, as networkx and D3 write it, how it is read; ""
// for another.
func graphObject(object map[string]json.RawMessage) string {
	if object["nodes"] == nil {
		return ""
	}
	for _, name := range []string{"links", "edges"} {
		var list []map[string]json.RawMessage
		if json.Unmarshal(object[name], &list) == nil && len(list) > 0 && list[0]["source"] != nil && list[0]["target"] != nil {
			return fmt.Sprintf("is a graph of nodes and %s; write it into a file of its own, and read it with ‹input-format› node-link", name)
		}
	}
	return ""
}

// numberFields says of an object with two numbers or more how such objects are read as a table; ""
// for another.
func numberFields(raw []byte) string {
	var object map[string]any
	if json.Unmarshal(raw, &object) != nil {
		return ""
	}
	numbers, nulls := 0, 0
	for _, v := range object {
		if _, ok := v.(float64); ok {
			numbers++
		} else if v == nil {
			nulls++
		}
	}
	const convert = " (numbers are read from a table; convert them: python -c \"import json, pandas; "
	if _, ok := object["geometry"]; ok && object["type"] == "Feature" {
		return convert + "pandas.json_normalize([f['properties'] for f in json.load(open('FILE'))['features']]).to_csv('FILE.csv', index=False)\")"
	}
	if flat, inner := flatObjects(object); flat && inner && numbers > 0 {
		return convert + "s = open('FILE').read(); pandas.json_normalize(json.loads(s) if s[0] == '[' else [json.loads(l) for l in s.splitlines()]).to_csv('FILE.csv', index=False)\")"
	}
	if numbers == 0 || numbers+nulls < 2 {
		return ""
	}
	return " (numbers are read from a table; convert them: python -c \"import pandas; pandas.read_json('FILE', lines=open('FILE').read(1) == '{').to_csv('FILE.csv', index=False)\")"
}

// flatObjects reports whether the objects inside an object have none inside them, and whether there
// are any.
func flatObjects(object map[string]any) (flat, inner bool) {
	flat = true
	for _, v := range object {
		of, is := v.(map[string]any)
		inner = inner || is
		for _, w := range of {
			_, deeper := w.(map[string]any)
			flat = flat && !deeper
		}
	}
	return flat, inner
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
	return len(names) > 1 || len(first) > manyFields
}

// sameLengths reports whether all fields of an object are lists of one length, of strings in one.
func sameLengths(object map[string]json.RawMessage, names []string) bool {
	if listsOfTexts(object, names) && !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(lexical.TextNames, strings.ToLower(name)) }) {
		return false
	}
	length, texts := -1, false
	for _, name := range names {
		var list []json.RawMessage
		if json.Unmarshal(object[name], &list) != nil || len(list) < 2 || length >= 0 && len(list) != length {
			return false
		}
		length, texts = len(list), texts || bytes.HasPrefix(list[0], []byte(`"`))
	}
	return texts
}

// columnsOfNumbers says of the only object of a file, whose fields are lists of as many numbers,
// how it is written as a table; "" for another.
func columnsOfNumbers(raw []byte) string {
	var object map[string][]*float64
	if json.Unmarshal(finiteJSON(raw), &object) != nil || len(object) < 2 {
		return ""
	}
	rows := -1
	for _, list := range object {
		if len(list) < 2 || rows >= 0 && len(list) != rows {
			return ""
		}
		rows = len(list)
	}
	return "is one JSON object with a list of numbers for each column; write it as a table, with python -c \"import pandas; pandas.read_json('FILE').to_csv('FILE.csv', index=False)\""
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
			return fmt.Sprintf(" (vectors such as %s are read beside the texts, by ‹vectors›, or alone as a table; write it with jq -r '.. | .[%q]? // empty | @csv' FILE > FILE.csv)", message.Clip(name, 60), message.Clip(name, 60))
		}
	}
	return ""
}

// fieldOfObjects matches the name of a field that is a list of objects.
var fieldOfObjects = pattern.Lazy(`"([^"\\\n]+)"\s*:\s*\[\s*\{`)

// listWithin is the name of the first list of objects in the first object of the list at a path, of
// which head is the beginning, such as the messages of a chat; "" without one.
func listWithin(head []byte, path []string) string {
	all := fieldOfObjects().FindAllSubmatchIndex(head, 20)
	for i, m := range all {
		if string(head[m[2]:m[3]]) != path[len(path)-1] || i+1 == len(all) {
			continue
		}
		inner, s := all[i+1], jsonState{depth: 1}
		for _, c := range head[m[1]:inner[0]] {
			if s.add(c); s.depth == 0 {
				return ""
			}
		}
		if s.depth != 1 {
			return ""
		}
		return string(head[inner[2]:inner[3]])
	}
	return ""
}

// pairsBelow matches the beginning of an object over several lines whose first field is a list of
// lists of two strings; the group is the name of the field.
var pairsBelow = pattern.Lazy(`^\s*\{\s*\n\s*"([^"\\\n]+)"\s*:\s*\[\s*\[\s*"(?:[^"\\]|\\.)*"\s*,\s*"(?:[^"\\]|\\.)*"\s*\]`)

// listBelow is the path, at most three names long, to the first list of objects in an object that
// is written over several lines, of which head is the beginning; nil for other files and without
// one.
func listBelow(head []byte) []string {
	first, rest, _ := bytes.Cut(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n"), []byte("\n"))
	if string(bytes.TrimSpace(first)) != "{" || len(rest) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(append([]byte("{"), rest...)))
	type level struct {
		list bool
		name string // of the field that is being read, of an object
		wait bool   // the name of a field comes next
	}
	var levels []level
	for {
		token, err := d.Token()
		if err != nil {
			return nil
		}
		at := len(levels) - 1
		if at >= 0 && !levels[at].list && levels[at].wait {
			if name, ok := token.(string); ok {
				levels[at].name, levels[at].wait = name, false
				continue
			}
		}
		switch token {
		case json.Delim('{'):
			if at >= 0 && levels[at].list {
				var path []string
				for _, l := range levels[:at] {
					if l.list {
						return nil
					}
					path = append(path, l.name)
				}
				if len(path) > 3 {
					return nil
				}
				return path
			}
			levels = append(levels, level{wait: true})
			continue
		case json.Delim('['):
			levels = append(levels, level{list: true})
			continue
		case json.Delim('}'), json.Delim(']'):
			levels = levels[:at]
			at--
		}
		if at < 0 {
			return nil
		}
		levels[at].wait = !levels[at].list
	}
}
