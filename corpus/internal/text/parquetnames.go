package text

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
)

// classNames returns the names of the classes 0, 1, ... of a column, as the library datasets of
// Hugging Face keeps them in the metadata of the file; nil if it has none for the column, or if two
// classes would have one name.
func (p *parquetFile) classNames(column string) []string {
	stored, ok := p.Footer.About["huggingface"]
	if !ok {
		return nil
	}
	return huggingNames(stored, column)
}

// huggingNames is classNames of the metadata that the writer keeps.
func huggingNames(stored, column string) []string {
	var said struct {
		Info struct {
			Features map[string]json.RawMessage `json:"features"`
		} `json:"info"`
	}
	var feature struct {
		Type  string   `json:"_type"`
		Names []string `json:"names"`
	}
	if json.Unmarshal([]byte(stored), &said) != nil || json.Unmarshal(said.Info.Features[column], &feature) != nil || feature.Type != "ClassLabel" {
		return nil
	}
	lexical.TidyAll(feature.Names)
	sorted := slices.Sorted(slices.Values(feature.Names))
	if len(sorted) == 0 || sorted[0] == "" || len(slices.Compact(sorted)) < len(feature.Names) {
		return nil
	}
	return feature.Names
}

// named is the name of a class that the column holds by its number, or what it holds.
func (c *parquetRole) named(value string) string { return nameOf(c.names, value) }

// nameOf is the name of a class that value numbers, or value.
func nameOf(names []string, value string) string {
	if len(names) == 0 {
		return value
	}
	if k, err := strconv.Atoi(value); err == nil && k >= 0 && k < len(names) {
		return names[k]
	}
	return value
}

// index is the name of the only column that pandas has written as the index of its rows; "" if
// there is none, or several are.
func (p *parquetFile) index() string {
	stored, ok := p.Footer.About["pandas"]
	if !ok {
		return ""
	}
	var about struct {
		Columns []json.RawMessage `json:"index_columns"` // names, or descriptions of a range
	}
	var name string
	if json.Unmarshal([]byte(stored), &about) != nil || len(about.Columns) != 1 || json.Unmarshal(about.Columns[0], &name) != nil {
		return ""
	}
	return name
}

// Index is the name of the column that is the index of the rows; "" for none.
func (r *NumberRows) Index() string { return r.p.index() }
