package text

import (
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
)

// TestBesideNames: a name that an earlier column has, whatever its case, has its number behind it;
// letters are one where [strings.EqualFold] says so.
func TestBesideNames(t *testing.T) {
	names := []string{"Size", "", "size", "K", "\u212a", "stra\u00dfe", "STRA\u1e9eE", "strasse", "\u03c3", "\u03c2", "\xff", "\xfe", ""}
	list := &table.Table{}
	for _, name := range names {
		list.Columns = append(list.Columns, columns.Column{Name: name})
	}
	for j, got := range besideNames(list) {
		again := slices.ContainsFunc(names[:j], func(n string) bool { return n != "" && strings.EqualFold(n, names[j]) })
		if numbered := strings.HasSuffix(got, ")"); numbered != again || !strings.HasPrefix(got, names[j]) {
			t.Errorf("column %d, %q: %q; an earlier one has the name: %v", j+1, names[j], got, again)
		}
	}
}
