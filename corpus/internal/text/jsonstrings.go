package text

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// fewestStrings is from how many strings on a list in an object holds documents, and not the tags
// of one. A field beside it with more than wordsAbout words is a text itself.
const fewestStrings, wordsAbout = 10, 60

// stringList returns the name of the one list in an object that head begins with, and where its
// bracket is, if it holds strings alone and the other fields are no lists and no objects, such as
// {"about": "...", "quotes": ["...", ...]}; "" for another text.
func stringList(head []byte) (name string, start int) {
	d := json.NewDecoder(bytes.NewReader(head))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return "", 0
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			break
		}
		value, err := d.Token()
		if err != nil {
			break
		}
		if _, nested := value.(json.Delim); !nested {
			if text, _ := value.(string); len(strings.Fields(text)) > wordsAbout {
				return "", 0
			}
			continue
		}
		bracket := int(d.InputOffset()) - 1
		if value != json.Delim('[') || name != "" {
			return "", 0
		}
		count, end := 0, error(nil)
		for end == nil && d.More() {
			var element json.Token
			if element, end = d.Token(); end == nil {
				if _, is := element.(string); !is {
					return "", 0
				}
				count++
			}
		}
		if count < fewestStrings || key == "text" {
			return "", 0
		}
		name, start = key.(string), bracket
		if end == nil {
			_, end = d.Token() // the bracket
		}
		if end != nil {
			break // of what was looked at
		}
	}
	return name, start
}

// takeStrings is the path to the list of texts in the one JSON object that a file is, and where its
// bracket is; nil for another file.
func takeStrings(head []byte) (path []string, start int) {
	from := len(head) - len(bytes.TrimLeft(bytes.TrimPrefix(head, []byte(input.ByteOrderMark)), " \t\r\n"))
	name, at := stringList(head[from:])
	if end := objectEnd(head[from:]); name == "" || end >= 0 && len(bytes.TrimSpace(head[from+end:])) > 0 {
		return nil, 0
	}
	return []string{name}, from + at
}
