package corpus

import (
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
)

// refuseEdges returns an error for a table with the header of a list of edges, and notes where the
// rows look like the entries of a sparse matrix.
func refuseEdges(in *input.File, t *table.Table, format string) error {
	n := len(t.Columns)
	if n > 3 && t.Header != nil && strings.EqualFold(t.Header[0], "source") && strings.EqualFold(t.Header[1], "target") {
		fields := "1,2"
		if w := slices.IndexFunc(t.Header, func(name string) bool { return strings.EqualFold(name, "weight") }); w >= 0 {
			fields += "," + strconv.Itoa(w+1)
		}
		return in.Fail(t.PlaceOf(1), "has columns %s and %s, as a list of edges has; leave the columns beside the weight out, for instance with cut -d, -f%s FILE > FILE.edges, or read it as a table with ‹input-format› %s", t.Header[0], t.Header[1], fields, format)
	}
	if n < 2 || n > 3 {
		return nil
	}
	if t.Header != nil {
		names := [2]string{strings.ToLower(strings.TrimLeft(t.Header[0], "# ")), strings.ToLower(t.Header[1])}
		if slices.Contains(matrix.EdgeNames, names) {
			return in.Fail(t.PlaceOf(1), "has columns %s and %s, as a list of edges or of the entries of a matrix has; read it as a graph with ‹edge-list›, as rows, columns and values of a matrix with ‹input-format› triplets, or as a table with ‹input-format› %s", t.Header[0], t.Header[1], format)
		}
		return nil
	}
	switch {
	case !t.Triplets():
	case len(t.Columns) == 2:
		in.Notef("The rows look like edges of a graph, of two nodes each; ‹edge-list› reads them so.")
	default:
		in.Notef("The rows look like entries of a sparse matrix: row, column, value. ‹input-format› triplets reads them so, ‹edge-list› reads them as the edges of a graph.")
	}
	return nil
}
