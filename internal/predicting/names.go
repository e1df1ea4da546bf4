package predicting

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/words"
)

// noColumn is the name of a column that stands for none.
const noColumn = "none"

// named reports whether the documents of the model had names, as far as it has any of them: others
// than their numbers.
func (m *Model) named() bool {
	if column := m.columns().ID; column != "" {
		return column != noColumn
	}
	name := func(id string) bool {
		n, err := strconv.Atoi(id)
		return err != nil || n < 1 || n > m.Summary.Documents
	}
	for _, list := range m.Summary.Typical {
		for _, d := range list {
			if name(d.ID) {
				return true
			}
		}
	}
	return m.m.Map != nil && slices.ContainsFunc(m.m.Map.IDs, name)
}

// warnOfNumbers warns if the new documents of a table have numbers for names, where the model's had
// names: their column may have another name now.
func (p *Prediction) warnOfNumbers() {
	j, c := p.Run.J, p.Corpus
	if j.Source.IDColumn != "" || !slices.Contains(corpus.TableFormats(), c.Format) || c.Len() == 0 || !p.Model.named() {
		return
	}
	if p.Held() {
		for i := range c.Len() {
			if c.ID(i) != strconv.Itoa(i+1) {
				return
			}
		}
	} else if !p.numbered {
		return
	}
	missing := ""
	if column := p.Model.columns().ID; column != "" {
		missing = fmt.Sprintf(" in %s, which %s lacks", words.Name(column), words.Name(c.Name))
	}
	j.Warn(fmt.Sprintf("The documents have no names but their numbers, 1 to %d, and the model's have names%s; ‹id-column› names the column or field that holds them, or none.", c.Len(), missing))
}
