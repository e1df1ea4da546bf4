package updating

import (
	"bytes"
	"context"
	"io"
	"os"

	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/predicting"
)

// SaveIn writes the results into an open folder: the prediction's, and the model with the
// new documents. Where there are none the model's file has the same bytes.
func (u *Updated) SaveIn(ctx context.Context, out *folder.Folder) ([]string, error) {
	err := out.Add(ctx, artefact.ModelName, func(w io.Writer) error {
		if u.grew != nil {
			return u.grew.Encode(w)
		}
		data, err := os.ReadFile(predicting.ModelIn(u.Model.File))
		if err != nil {
			return err
		}
		_, err = io.Copy(w, bytes.NewReader(data))
		return err
	})
	if err != nil {
		return nil, fault.Wrap(err)
	}
	return artefact.SaveResults(ctx, u.Run, out)
}
