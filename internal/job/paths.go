package job

import (
	"context"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/shards"
)

// HasExtension ignores the extension of a compression at the end.
func HasExtension(file string, extensions ...string) bool {
	name := corpus.UnpackedName(strings.ToLower(file))
	return slices.ContainsFunc(extensions, func(e string) bool { return strings.HasSuffix(name, e) })
}

// Present refuses files that are not there. "" is no file.
func Present(files ...string) error {
	for _, file := range files {
		if _, err := shards.Stat(file); file != "" && err != nil {
			return err
		}
	}
	return nil
}

// CheckFiles refuses files of folders of results that are not of one run.
func CheckFiles(ctx context.Context, files ...string) error {
	for _, file := range files {
		if file == "" {
			continue
		}
		if err := folder.Check(ctx, file); err != nil {
			return err
		}
	}
	return nil
}
