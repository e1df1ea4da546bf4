package text

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/office"
	"github.com/eigenmap/eigenmap/corpus/internal/pdf"
)

// pdf takes the text of a PDF.
func (t *fileTexts) pdf(d *counting.Document, name string, data []byte) error {
	text, err := t.pdfs.Text(t.ctx, data, t.limit)
	if err == input.ErrTooLong {
		return tooLong(name, "", "", t.limit)
	} else if why := input.Unread(""); errors.As(err, &why) {
		return input.Failf(name, "", "%s", why)
	} else if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	d.Text, d.Plain, d.PDF = text, true, t.pdfs.Version()
	return nil
}

// PDFVersion is the version of the program that reads PDFs; "" if there is none.
func PDFVersion() string { return pdf.New(0).Version() }

// MayHoldPDF reports whether a file is a PDF or may hold one, an archive or a packed file, by its
// first bytes.
func MayHoldPDF(head []byte) bool {
	return pdf.Is(head) || input.IsPacked(head) || input.IsTar(head) || bytes.HasPrefix(head, []byte(office.ZipMagic))
}
