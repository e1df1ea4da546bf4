package office

import (
	"encoding/xml"
	"path"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
)

// office reads a document of Word or slides of PowerPoint.
func (b *bundle) office(func(string) string) (string, error) {
	rels, err := b.relations("")
	if err != nil {
		return "", err
	}
	main := rels.of("/officeDocument")
	if len(main) == 0 {
		return "", damaged
	}
	title := ""
	for _, name := range rels.of("/core-properties") {
		if title, err = b.title(name); err != nil {
			return "", err
		}
	}
	text := ""
	if strings.HasPrefix(main[0], "ppt/") {
		text, err = b.slides(main[0])
	} else {
		text, err = b.document(main[0])
	}
	return titled(title, text), err
}

// document is the text of a document of Word: its body, then its diagrams, footnotes and endnotes.
func (b *bundle) document(name string) (string, error) {
	var out strings.Builder
	if err := b.words(name, &out); err != nil {
		return "", err
	}
	rels, err := b.relations(name)
	if err != nil {
		return "", err
	}
	err = b.wordsOf(rels, &out, diagrams, "/footnotes", "/endnotes")
	return out.String(), err
}

// diagrams is the kind of the parts that hold the texts of diagrams (SmartArt).
const diagrams = "/diagramData"

// wordsOf writes the text of the parts of the given kinds that are there.
func (b *bundle) wordsOf(rels *relations, out *strings.Builder, kinds ...string) error {
	for _, kind := range kinds {
		for _, part := range rels.of(kind) {
			if b.files[part] == nil {
				continue
			}
			if err := b.words(part, out); err != nil {
				return err
			}
		}
	}
	return nil
}

// slides is the text of the slides in their order, each with its diagrams and notes; slides that
// are hidden are left out.
//
// Notes count because they are what is said: slides alone often have few words.
func (b *bundle) slides(name string) (string, error) {
	rels, err := b.relations(name)
	if err != nil {
		return "", err
	}
	var order []string
	err = b.walk(name, func(t xml.Token) bool {
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "sldId" {
			for _, a := range e.Attr {
				if slide := rels.target[a.Value]; a.Name.Local == "id" && slide != "" {
					order = append(order, slide)
				}
			}
		}
		return false
	})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, slide := range order {
		hidden := false
		err := b.walk(slide, func(t xml.Token) bool {
			e, ok := t.(xml.StartElement)
			hidden = hidden || ok && e.Name.Local == "sld" && lexical.Attribute(e, "show") == "0"
			return ok // the root says it
		})
		if err == nil && !hidden {
			err = b.words(slide, &out)
		}
		if err != nil {
			return "", err
		}
		if hidden {
			continue
		}
		of, err := b.relations(slide)
		if err != nil {
			return "", err
		}
		if err := b.wordsOf(of, &out, diagrams, "/notesSlide"); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}

// words writes the text of a part of a document of Word or PowerPoint. It passes over what was
// deleted or moved away, the second form of what is new in a format, and fields of slides, which
// are their numbers and dates. Codes of fields have elements of their own.
func (b *bundle) words(name string, out *strings.Builder) error {
	inText, run, hidden := false, false, false
	return b.walk(name, func(t xml.Token) bool {
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "fld", "del", "moveFrom", "Fallback":
				return true
			case "footnote", "endnote":
				kind := lexical.Attribute(t, "type")
				return strings.HasPrefix(kind, "separator") || strings.HasPrefix(kind, "continuation")
			case "r":
				run, hidden = true, false
			case "vanish":
				value := lexical.Attribute(t, "val")
				hidden = run && value != "0" && value != "false"
			case "t":
				inText = !hidden
			case "tab":
				if run { // else a place where a tab stops
					out.WriteByte('\t')
				}
			case "br", "cr":
				out.WriteByte('\n')
			case "noBreakHyphen":
				out.WriteByte('-')
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "t":
				inText = false
			case "r":
				run, hidden = false, false
			case "p":
				out.WriteByte('\n')
			}
		case xml.CharData:
			if inText {
				out.Write(t)
			}
		}
		return false
	})
}

// relations are what a part of a document of Microsoft Office refers to.
type relations struct {
	ids    []string // in the order of the file
	kind   map[string]string
	target map[string]string // names of files
}

// of are the names of the files of a kind, by the end of its name.
func (r *relations) of(kind string) (names []string) {
	for _, id := range r.ids {
		if strings.HasSuffix(r.kind[id], kind) {
			names = append(names, r.target[id])
		}
	}
	return names
}

// relations reads those of a part; "" is the whole document.
func (b *bundle) relations(part string) (*relations, error) {
	r := &relations{kind: make(map[string]string), target: make(map[string]string)}
	folder, file := path.Split(part)
	name := folder + "_rels/" + file + ".rels"
	if b.files[name] == nil {
		return r, nil
	}
	return r, b.walk(name, func(t xml.Token) bool {
		e, ok := t.(xml.StartElement)
		if !ok || e.Name.Local != "Relationship" || lexical.Attribute(e, "TargetMode") == "External" {
			return false
		}
		id, target := lexical.Attribute(e, "Id"), lexical.Attribute(e, "Target")
		if !strings.HasPrefix(target, "/") {
			target = "/" + folder + target
		}
		r.ids = append(r.ids, id)
		r.kind[id], r.target[id] = lexical.Attribute(e, "Type"), strings.TrimPrefix(path.Clean(target), "/")
		return false
	})
}
