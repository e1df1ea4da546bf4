package text

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/office"
	"github.com/eigenmap/eigenmap/corpus/internal/pdf"
)

// pdf takes the text of a PDF.
func (t *fileTexts) pdf(d *document, name string, data []byte) error {
	text, err := t.pdfs.Text(t.ctx, data, t.limit)
	if err == input.ErrTooLong {
		return tooLong(name, "", "", t.limit)
	} else if why := input.Unread(""); errors.As(err, &why) {
		return input.Failf(name, "", "%s", why)
	} else if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	d.text, d.plain, d.pdf = text, true, t.pdfs.Version()
	return nil
}

// pdfNote says how many documents are PDFs, and of which version the program is that read them:
// their texts depend on it.
func pdfNote(pdfs int, by string) (notes []string) {
	if pdfs == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s, read by pdftotext %s.", message.Plural(pdfs, "document is a PDF", "documents are PDFs"), by)}
}

// samePDFs refuses ranks whose programs for PDFs are of other versions, which find other texts.
func (d *division) samePDFs() error {
	by := ""
	for _, f := range d.each {
		if by != "" && f.PDFsBy != "" && f.PDFsBy != by {
			return d.in.Fail("", "its PDFs are read by pdftotext %s on one rank and %s on another; install one version on all nodes", by, f.PDFsBy)
		}
		by = cmp.Or(by, f.PDFsBy)
	}
	return nil
}

// PDFVersion is the version of the program that reads PDFs; "" if there is none.
func PDFVersion() string { return pdf.New(0).Version() }

// MayHoldPDF reports whether a file is a PDF or may hold one, an archive or a packed file, by its
// first bytes.
func MayHoldPDF(head []byte) bool {
	return pdf.Is(head) || input.IsPacked(head) || input.IsTar(head) || bytes.HasPrefix(head, []byte(office.ZipMagic))
}
