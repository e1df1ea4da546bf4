package report

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/regular"
	"github.com/klauspost/compress/flate"
)

// maxPage bounds the page that is read, in bytes. Pages take at most 20 MB.
const maxPage = 64 << 20

// Contents are what [Read] takes from a page, in the order of the documents.
type Contents struct {
	Snippets   []string  // beginnings of the texts; nil if the page has none
	Typicality []float64 // as [Levels]; nil if the page does not have it
}

// Read reads the documents of the page in a file; none if it has no documents, or a sample of them.
// Errors: what reading the file fails with, and fs.ErrInvalid if it is damaged.
func Read(file string) (*Contents, error) {
	page, err := regular.Read(file, "a report", maxPage)
	if err != nil {
		return nil, err
	}
	out := new(Contents)
	head, found := scriptBody(page, `<script type="application/json" id="data">`)
	if !found {
		return out, nil
	}
	damaged := func(why any) error {
		return invalid.Errorf("%s: its documents are damaged (%v): cluster again", file, why)
	}
	var is packed
	if err := json.Unmarshal(head, &is); err != nil {
		return nil, damaged(err)
	}
	if is.Count != is.Total {
		return out, nil
	}
	numbers, err := unpacked(page, "numbers")
	if err != nil {
		return nil, damaged(err)
	}
	for _, c := range is.Columns {
		if c.Name != typicality {
			continue
		}
		if c.Bits != 16 || c.At < 0 || c.At+2*is.Count > len(numbers) {
			return nil, damaged("a column is too short")
		}
		for i := range is.Count {
			out.Typicality = append(out.Typicality, float64(binary.LittleEndian.Uint16(numbers[c.At+2*i:])))
		}
	}
	if !is.HasText {
		return out, nil
	}
	texts, err := unpacked(page, "texts")
	if err != nil {
		return nil, damaged(err)
	}
	lines, from := strings.Split(strings.TrimSuffix(string(texts), "\n"), "\n"), 0
	if is.HasIDs {
		from = is.Count
	}
	if len(lines) != from+is.Count {
		return nil, damaged(fmt.Sprintf("%d lines of texts for %d documents", len(lines), is.Count))
	}
	out.Snippets = lines[from:]
	return out, nil
}

// typicality is the name of the column of Documents.Typicality.
const typicality = "typicality"

// Levels are the values as a page keeps them: whole numbers in the same order, of which values that
// are nearly equal share one. A value that is not known is above all others.
func Levels(values []float64) []float64 {
	if values == nil {
		return nil
	}
	c := column{Bits: 16}
	c.Low, c.High = bounds(values)
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = float64(c.level(v))
	}
	return out
}

// unpacked is the content of one of the page's packed elements.
func unpacked(page []byte, id string) ([]byte, error) {
	text, _ := scriptBody(page, `<script type="text/plain" id="`+id+`">`)
	return io.ReadAll(io.LimitReader(flate.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(text))), 8*textBytes))
}

// scriptBody is what stands between the tag of a script, as the page writes it, and its end.
func scriptBody(page []byte, tag string) ([]byte, bool) {
	_, rest, found := bytes.Cut(page, []byte(tag))
	if !found {
		return nil, false
	}
	inside, _, found := bytes.Cut(rest, []byte("</script>"))
	return inside, found
}
