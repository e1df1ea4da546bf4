package eigenmap

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/option"
)

// takesFormat says whether an option can act on a file of the format; format "" is a matrix in
// memory.
func takesFormat(f *option.Field, format string) bool {
	return f.Formats == nil || slices.Contains(f.Formats, format)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// hasExtension ignores the extension of a compression at the end.
func hasExtension(file string, extensions ...string) bool {
	name := corpus.UnpackedName(strings.ToLower(file))
	return slices.ContainsFunc(extensions, func(e string) bool { return strings.HasSuffix(name, e) })
}

func baseName(file string) string {
	s := strings.TrimRight(file, "/")
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		s = s[i+1:]
	}
	return s
}

// checkFiles refuses files of folders of results that are not of one run.
func checkFiles(ctx context.Context, files ...string) error {
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
