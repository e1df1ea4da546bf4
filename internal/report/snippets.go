package report

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/regular"
	"github.com/klauspost/compress/flate"
)

// maxPage bounds the page that is read, in bytes. Pages take at most 20 MB.
const maxPage = 64 << 20

// ReadSnippets returns the beginnings of the texts of the page in a file, in the order of the
// documents; nil if it has none, or not those of all documents. Errors: those of reading the file,
// and fs.ErrInvalid if it is no page of this package.
func ReadSnippets(file string) ([]string, error) {
	page, err := regular.Read(file, "a report", maxPage)
	if err != nil {
		return nil, err
	}
	head, found := scriptBody(page, `<script type="application/json" id="data">`)
	if !found {
		return nil, nil // a page without documents
	}
	var is packed
	if err := json.Unmarshal(head, &is); err != nil {
		return nil, invalid.Errorf("%s: its data are damaged (%v): cluster again", file, err)
	}
	packedTexts, found := scriptBody(page, `<script type="text/plain" id="texts">`)
	if !found || !is.HasText || is.Count != is.Total {
		return nil, nil
	}
	texts, err := io.ReadAll(io.LimitReader(flate.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(packedTexts))), 8*textBytes))
	if err != nil {
		return nil, invalid.Errorf("%s: its texts are damaged (%v): cluster again", file, err)
	}
	lines := strings.Split(strings.TrimSuffix(string(texts), "\n"), "\n")
	from := 0
	if is.HasIDs {
		from = is.Count
	}
	if len(lines) != from+is.Count {
		return nil, invalid.Errorf("%s: it has %d lines of texts for %d documents: cluster again", file, len(lines), is.Count)
	}
	return lines[from:], nil
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
