package predicting

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/shards"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/eigenmap/eigenmap/model"
)

// IsModel says whether a file is a model, by its content, or a folder of results that holds one.
func IsModel(file string) bool { return model.Is(modelIn(file)) }

// LoadModel reads a model's file, or model.npz in a folder of results. Errors (fs.ErrInvalid): the
// file is no model, of a later version, or damaged.
func LoadModel(ctx context.Context, file string) (*Model, error) {
	m, err := loadModel(ctx, file)
	return m, fault.Wrap(err)
}

// modelIn is the model's file in a folder of results, the path itself if it is not one.
func modelIn(path string) string {
	if !folder.Is(path) {
		return path
	}
	inside := filepath.Join(path, artefact.ModelName)
	if _, err := shards.Parts(inside); err != nil || model.Is(inside) { // of parts that are missing
		return inside
	}
	return path
}

func loadModel(ctx context.Context, file string) (*Model, error) {
	file = modelIn(file)
	if !model.Is(file) {
		return nil, notModel(file)
	}
	if err := job.CheckFiles(ctx, file); err != nil {
		return nil, err
	}
	read, err := model.Read(ctx, file, registry.Blank)
	if err != nil {
		return nil, err
	}
	return NewModel(file, read)
}

// notModel says what is wrong with a file that is no model: most often there is none, or it is the
// corpus.
func notModel(file string) error {
	if info, err := shards.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return fault.Reword(err, file+": there is no such file or folder; check the path")
	} else if err != nil {
		return err
	} else if info.IsDir() {
		return invalid.Errorf("%s: it is a folder without a model: give the %s that a clustering or an embedding wrote", file, artefact.ModelName)
	}
	return invalid.Errorf("%s: it is not a model: give the %s that a clustering or an embedding wrote", file, artefact.ModelName)
}

// Method is the name of the model's method.
func (m *Model) Method() string { return m.m.Method }

// columns are the columns that the run which made the model took for texts and names, and those
// that it was asked to take for classes and times.
func (m *Model) columns() (u corpus.UsualColumns) {
	word := func(option string) string {
		s, _ := m.Summary.Config[option].(string)
		return s
	}
	u.ID, u.Label, u.Time = word("id-column"), word("label-column"), word("time-column")
	texts, _ := m.Summary.Config["text-column"].([]any)
	for _, t := range texts {
		if s, ok := t.(string); ok {
			u.Text = append(u.Text, s)
		}
	}
	if rows := &m.m.Rows; rows.Text == nil {
		u.Numbers = slices.Clone(rows.Terms) // those of categories, q=yes, are no names of columns
	}
	for _, v := range m.m.Rows.View {
		if v.Kind == model.KindNumber {
			u.Numbers = append(u.Numbers, v.Name)
		}
	}
	if c := m.Summary.Columns; c != nil {
		u.GuessedText, u.GuessedID, u.GuessedLabel = c.GuessedText, c.GuessedID, c.GuessedLabel
		if c.Earlier != nil {
			earlier := *c.Earlier
			if earlier.Text == nil {
				earlier.Terms = m.m.Rows.Terms
			}
			u.Earlier = &earlier
		}
		if n := c.Numbered; n != nil && n.Count == m.m.Rows.Columns {
			u.Numbered = n
		}
	}
	return u
}

// formats are the format of the model's documents, and the one that was named for them if the file
// has the extension of the model's.
func (m *Model) formats(file string) (usual, named string) {
	if m.Summary.Format == "" || file == "" {
		return "", ""
	}
	if folder.Is(file) {
		if m.Summary.Format == "folder" { // each file is a text again
			usual = "folder"
		}
		return usual, ""
	}
	if strings.ToLower(filepath.Ext(corpus.UnpackedName(file))) == m.Summary.Extension {
		named, _ = m.Summary.Config["input-format"].(string)
	}
	if slices.Contains([]string{"folder", "reuters", "list"}, named) {
		named = ""
	}
	return m.Summary.Format, named
}

// Rows say how documents become rows.
func (m *Model) Rows() model.Rows { return m.m.Rows }
