package text

import (
	"path/filepath"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/office"
	"github.com/eigenmap/eigenmap/corpus/internal/pdf"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
)

// IsOneText reports whether a file is one text by its name and its first bytes: a document of an
// office program that is no archive of zip, a PDF, a page, a message, a notebook, subtitles, a
// transcript, LaTeX.
func IsOneText(name string, head []byte) bool {
	return pdf.Is(head) || office.Is(head) && string(head[:min(len(head), len(office.ZipMagic))]) != office.ZipMagic ||
		plain.IsHTML(name, head) || plain.IsMarkdown(name) || isMessage(name, head) || plain.IsNotebook(name, head) || plain.IsSubtitles(name, head) || plain.IsTranscript(name) || plain.IsLaTeX(name)
}

// readOne reads a file as the one text that it is in a folder of texts. The document has the name
// of the file.
func readOne(in *source) (*counting.Collection, error) {
	texts, err := in.fileTexts()
	if err != nil {
		return nil, err
	}
	name := filepath.Base(input.UnpackedName(in.Name))
	_, c, err := in.countTexts(func(emit func(counting.Batch) bool) error {
		data, err := readLimited(in.Stream, 0, texts.limit)
		emit(&oneText{texts: texts, name: in.Name, id: lexical.Tidy(name), data: data, err: err})
		return nil
	}, nil)
	return c, err
}

// oneText is the batch of one file.
type oneText struct {
	texts    fileTexts
	name, id string
	data     []byte
	err      error
}

func (b *oneText) Len() int  { return 1 }
func (b *oneText) Held() int { return len(b.data) }

// document makes the text, or says why there is none.
func (b *oneText) Document(int) (counting.Document, error) {
	d := counting.Document{ID: b.id, HasID: true}
	return d, b.texts.content(&d, b.name, b.data, b.err)
}

// IsMarkup reports whether a file is a text of Markdown or LaTeX, by its name.
func IsMarkup(name string) bool { return plain.IsMarkdown(name) || plain.IsLaTeX(name) }
