package matrix

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
)

// Rows that are taken as dense, and fit into the memory as sparse ones only, are refused by what
// they are, with a way to keep them sparse.
func TestTooDense(t *testing.T) {
	const rows, cols, filled = 2000, 400, 60
	var table, svm strings.Builder
	for i := range rows {
		svm.WriteString("1")
		for j := range cols {
			value := 0
			if (j+7*i)%cols < filled {
				value = 1 + (31*i+j)%250
				fmt.Fprintf(&svm, " %d:%d", j+1, value)
			}
			fmt.Fprintf(&table, "%d,", value)
		}
		table.WriteString("a\n")
		svm.WriteString("\n")
	}
	for format, text := range map[string]string{"csv": table.String(), "svm": svm.String()} {
		_, err := readBytes([]byte(text), format, Options{}, 6<<20) // 1.5 MB as sparse rows, 6.4 as dense ones
		if !errors.Is(err, input.ErrMemory) || !strings.Contains(fmt.Sprint(err), "15 % of the cells of 400 columns are not 0, and need 6.1 MiB") {
			t.Errorf("%s: %v", format, err)
		}
		must.Get(readBytes([]byte(text), format, Options{}, 64<<20))(t)
	}
}
