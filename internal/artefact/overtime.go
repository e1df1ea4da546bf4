package artefact

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/result"
)

// writeOverTime writes period,cluster,name,terms,documents,share: a line for each period and
// cluster. period is the first day, and share the part of the period's documents
// that the cluster has.
func writeOverTime(r *result.Run, w io.Writer) error {
	t := csv.NewWriter(w)
	if err := t.Write([]string{"period", "cluster", "name", "terms", "documents", "share"}); err != nil {
		return err
	}
	for _, p := range r.OverTime.Periods {
		for k, n := range p.Counts {
			name := ""
			if r.Classes != nil {
				name = Cell(r, r.ClassName(k))
			}
			if err := t.Write([]string{p.Start, strconv.Itoa(k), name, Cell(r, r.ClusterTerms(k)), strconv.Itoa(n), strconv.FormatFloat(p.Shares[k], 'g', -1, 64)}); err != nil {
				return err
			}
		}
	}
	t.Flush()
	return t.Error()
}
