package plain

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// IsNotebook reports whether a file is a notebook of Jupyter, by its name and its first bytes.
func IsNotebook(name string, data []byte) bool {
	return path.Ext(input.UnpackedName(strings.ToLower(name))) == ".ipynb" && bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{"))
}

// sourceLines is a text that JSON holds as one string or as a list of its lines.
type sourceLines string

// UnmarshalJSON joins the lines.
func (l *sourceLines) UnmarshalJSON(data []byte) error {
	var list []string
	if err := json.Unmarshal(data, &list); err == nil {
		*l = sourceLines(strings.Join(list, ""))
		return nil
	}
	return json.Unmarshal(data, (*string)(l))
}

// bookCell is a cell of a notebook, of format 4 or, with Input, 3.
type bookCell struct {
	Kind   string      `json:"cell_type"`
	Source sourceLines `json:"source"`
	Input  sourceLines `json:"input"`
}

// Notebook returns the text of a notebook: what is written and the code, not what the code
// printed and drew. ok is false of another file. Cost O(length).
func Notebook(data []byte) (text string, ok bool) {
	var book struct {
		Cells      []bookCell
		Worksheets []struct{ Cells []bookCell } // of format 3
	}
	if json.Unmarshal(data, &book) != nil {
		return "", false
	}
	cells := book.Cells
	for _, sheet := range book.Worksheets {
		cells = append(cells, sheet.Cells...)
	}
	var out strings.Builder
	for _, c := range cells {
		switch c.Kind {
		case "markdown":
			out.WriteString(Markdown(string(c.Source)))
		case "code":
			out.WriteString(string(c.Source + c.Input))
		default: // headings of format 3, and text for LaTeX or HTML
			out.WriteString(string(c.Source))
		}
		out.WriteByte('\n')
	}
	return out.String(), cells != nil
}
