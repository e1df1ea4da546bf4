package corpus

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// Bounds of an object of texts with their keys: the fewest texts, so that one document is none, and
// the most bytes.
const (
	leastKeyed = 20
	mostKeyed  = 64 << 20
)

// keyedTexts makes CSV of one object of JSON in a file *.json that holds nothing but texts with
// their keys, in further objects too, as translations of programs are; false of another file.
func keyedTexts(in *input.File, head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(input.ByteOrderMark)), " \t\r\n")
	if filepath.Ext(strings.ToLower(in.Name)) != ".json" || !bytes.HasPrefix(head, []byte("{")) || in.At == nil || in.Size > mostKeyed {
		return false
	}
	var out bytes.Buffer
	k := keyed{d: json.NewDecoder(io.NewSectionReader(in.At, 0, in.Size)), w: csv.NewWriter(&out), names: make(map[string]bool)}
	k.w.Write(keyedNames)
	if !k.object("") || k.texts < leastKeyed || 3*k.wide < k.texts || 2*len(k.names) < k.texts {
		return false
	}
	if _, err := k.d.Token(); err != io.EOF { // further objects are lines
		return false
	}
	k.w.Flush()
	if in.Mem.Take(int64(out.Cap()), 1) != nil {
		return false
	}
	in.Notef("The file is one object of texts with their keys: each is a document.")
	in.Stream = bufio.NewReaderSize(&out, 64<<10)
	return true
}

// keyed writes the texts of an object.
type keyed struct {
	d     *json.Decoder
	w     *csv.Writer
	texts int
	wide  int             // texts of several words
	names map[string]bool // of the texts in their objects: records have the same ones
}

// object writes the texts of an object, whose keys follow outer; false if it holds anything else.
func (k *keyed) object(outer string) bool {
	if t, err := k.d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	return k.members(outer)
}

// members is object after its bracket.
func (k *keyed) members(outer string) bool {
	for k.d.More() {
		name, err := k.d.Token()
		if err != nil || outer == "" && name == "text" { // a document
			return false
		}
		key := outer + name.(string)
		switch value, err := k.d.Token(); v := value.(type) {
		case string:
			k.w.Write([]string{key, v})
			k.names[name.(string)] = true
			if k.texts++; strings.Contains(v, " ") {
				k.wide++
			}
		case json.Delim:
			if err != nil || v != '{' || strings.Count(key, ".") > 20 || !k.members(key+".") {
				return false
			}
		default:
			return false
		}
	}
	_, err := k.d.Token()
	return err == nil
}
