package updating

import (
	"context"
	"io"

	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
)

// SaveIn writes the results into an open folder: the prediction's, and the model with the
// new documents. Where there are none, the model is its file, byte for byte, or the one in memory.
func (u *Updated) SaveIn(ctx context.Context, out *folder.Folder) ([]string, error) {
	err := out.Add(ctx, artefact.ModelName, func(w io.Writer) error {
		if u.grew != nil {
			return u.grew.Encode(w)
		}
		if u.Model.File == "" {
			return u.Model.Encode(w)
		}
		return artefact.CopyFile(ctx, w, u.Model.File)
	})
	if err != nil {
		return nil, fault.Wrap(err)
	}
	return u.Prediction.SaveIn(ctx, out)
}
