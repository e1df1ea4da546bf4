package text

import (
	"bytes"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// notText says of a file in a folder of texts that is often met there and holds no plain text
// what it is, and what makes a text of it; "" for another.
func notText(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("%!PS")):
		return "is PostScript, which is not read; make a PDF of it with ps2pdf, or a text with ps2ascii"
	case input.IsTar(data):
		return "is an archive inside of the folder; unpack it, or move it out of the folder"
	}
	return ""
}
