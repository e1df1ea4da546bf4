package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/eigenmap/eigenmap/bench/papers"
)

// tablesFolder holds the papers' tables beside ours, as eigenmap reproduce wrote them.
const tablesFolder = "docs/tables"

// tables are the text, CSV and JSON of every table whose JSON is stored.
func tables(root string) ([]page, error) {
	files, err := filepath.Glob(filepath.Join(root, tablesFolder, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []page
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		t, err := papers.ReadStored(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		var words, records, object bytes.Buffer
		if err := t.WriteText(&words); err != nil {
			return nil, err
		}
		if err := t.WriteCSV(&records); err != nil {
			return nil, err
		}
		if err := papers.WriteJSON(&object, t); err != nil {
			return nil, err
		}
		name := tablesFolder + "/" + strings.TrimSuffix(filepath.Base(file), ".json")
		all = append(all, page{name + ".txt", words.Bytes()}, page{name + ".csv", records.Bytes()}, page{name + ".json", object.Bytes()})
	}
	return all, nil
}
