package text

import (
	"errors"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/parquet"
)

// A type of column that is not known is no damage.
func TestParquetOfUnknownTypes(t *testing.T) {
	p := &parquetFile{File: parquet.File{In: &input.File{Ctx: t.Context(), Name: "a.parquet"}}}
	for cause, want := range map[error]string{parquet.ErrLogical: "a type that is not known here", errors.New("the page is short"): "damaged"} {
		if err := p.damage("the footer", cause); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", cause, err)
		}
	}
}
