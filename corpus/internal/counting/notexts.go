package counting

import (
	"fmt"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// noteNoTexts says how many documents have no text, and names the first of them.
func (c *Collection) noteNoTexts(n int, first string) {
	switch {
	case n == 1:
		c.Notes = append(c.Notes, fmt.Sprintf("1 document has no text, which is null or missing (%s); it counts as empty.", first))
	case n > 1:
		c.Notes = append(c.Notes, fmt.Sprintf("%d documents have no text, which is null or missing (first: %s); they count as empty.", n, first))
	}
}

// noteMail says from how many texts StripAuto cut something, of how many stripping left no word,
// and how to keep it.
func (c *Collection) noteMail(mail int, firstMail string, emptied int, firstEmptied string) {
	if mail > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s mail (first: %s): headers but the subject, signatures and lines that introduce quotations are left out; ‹strip› none counts them as words, and ‹strip› auto,quotes leaves out quoted lines too.",
			message.Plural(mail, "text is", "texts are"), firstMail))
	}
	if emptied > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s no word without the parts of mail that were left out (first: %s); ‹strip› none keeps them.", message.Plural(emptied, "text has", "texts have"), firstEmptied))
	}
}

// named names document i in a message: its place, and its id if it has one.
func (t *Tally) named(i int) string {
	part, d := t.find(i)
	if place := t.place(i); d.HasID && (part.from != nil || d.Line > 0) {
		return place + ", id " + message.Clip(d.ID, 60)
	}
	return t.place(i)
}

// refuseNoTexts refuses documents none of which has a text, but for documents that are placed by a
// model.
func refuseNoTexts(n, docs int, a *Analyzer, name string) error {
	if n < docs || a.opt.AnyText {
		return nil
	}
	why := fmt.Sprintf("the texts of all %d documents are null or missing", docs)
	if docs == 1 {
		why = "the text of its only document is null or missing"
	}
	return &input.FormatError{File: name, Err: input.ErrNoTerms, Why: why + "; ‹text-column› names another column or field"}
}

// mostlyOdd reports whether so many labels of all documents are no classes, more than a tenth, that
// the others are not classes either.
func mostlyOdd(odd, all int) bool { return 10*odd > all }

// oddNote says that the labels of some documents are no classes. way tells what to do; "" is the
// advice for fields of JSON.
func oddNote(odd, all int, way string) string {
	if odd == 0 {
		return ""
	}
	note := message.Plural(odd, "document has", "documents have") + " several labels, or one that is no class, and "
	switch {
	case mostlyOdd(odd, all):
		note += "the corpus is read without labels"
	case odd == 1:
		note += "counts as unlabelled"
	default:
		note += "count as unlabelled"
	}
	if way == "" {
		way = "‹label-column› names another field, an element of a list (such as label.0), or none"
	}
	return note + "; " + way + "."
}

// pdfNote says how many documents are PDFs, and of which version the program is that read them:
// their texts depend on it.
func pdfNote(pdfs int, by string) (notes []string) {
	if pdfs == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s, read by pdftotext %s.", message.Plural(pdfs, "document is a PDF", "documents are PDFs"), by)}
}
