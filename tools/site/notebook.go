package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// notebook returns a Jupyter notebook as Markdown: its texts, its code, and what the code printed
// and drew when it was last run.
func notebook(source []byte) ([]byte, error) {
	type lines []string
	var book struct {
		Cells []struct {
			Type    string `json:"cell_type"`
			Source  lines
			Outputs []struct {
				Name string
				Text lines
				Data struct {
					Plain lines  `json:"text/plain"`
					PNG   string `json:"image/png"`
				}
			}
		}
	}
	if err := json.Unmarshal(source, &book); err != nil {
		return nil, err
	}
	var b strings.Builder
	fence := func(language string, text lines) {
		if len(text) > 0 {
			fmt.Fprintf(&b, "```%s\n%s\n```\n\n", language, strings.TrimRight(strings.Join(text, ""), "\n"))
		}
	}
	for _, c := range book.Cells {
		if c.Type == "markdown" {
			b.WriteString(strings.Join(c.Source, "") + "\n\n")
			continue
		}
		fence("python", c.Source)
		for _, o := range c.Outputs {
			if o.Name == "stderr" {
				continue
			}
			fence("output", o.Text)
			if o.Data.PNG != "" {
				fmt.Fprintf(&b, "![what the code draws](data:image/png;base64,%s)\n\n", strings.ReplaceAll(o.Data.PNG, "\n", ""))
			} else {
				fence("output", o.Data.Plain)
			}
		}
	}
	return []byte(b.String()), nil
}
