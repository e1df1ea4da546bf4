package text

import (
	"errors"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// A type of column that the library does not know is no damage.
func TestParquetOfUnknownTypes(t *testing.T) {
	p := &parquetFile{in: &input.File{Ctx: t.Context(), Name: "a.parquet"}}
	for cause, want := range map[string]string{"parquet: invalid logical type": "a type that is not known here", "thrift: no field": "damaged"} {
		if err := p.damage("the footer", errors.New(cause)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", cause, err)
		}
	}
}
