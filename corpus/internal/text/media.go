package text

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// mediaExtensions are the extensions of pictures, sound, films and fonts, which lie beside texts in
// folders of notes, of documentation and of saved pages.
var mediaExtensions = strings.Fields(".png .jpg .jpeg .gif .svg .webp .bmp .ico .tif .tiff .heic .avif .psd .mp3 .wav .ogg .m4a .flac .opus .mp4 .mov .avi .mkv .webm .woff .woff2 .ttf .otf .eot")

// IsMedia reports whether a file is a picture, sound, film or font, by its name.
func IsMedia(name string) bool {
	return slices.Contains(mediaExtensions, path.Ext(input.UnpackedName(strings.ToLower(name))))
}

// withoutMedia are the paths of a folder's files but for media, of which it takes note. A folder of
// nothing else keeps them, so that reading it says what they are.
func (l *folderPlan) withoutMedia(paths []string) []string {
	first := slices.IndexFunc(paths, IsMedia)
	if first < 0 {
		return paths
	}
	kept := slices.DeleteFunc(slices.Clone(paths), IsMedia)
	if len(kept) == 0 {
		return paths
	}
	l.media, l.firstMedia = len(paths)-len(kept), paths[first]
	return kept
}

// mediaNote says which files are left out; nil if there are none.
func (l *folderPlan) mediaNote() []string {
	if l.media == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s left out, by their names pictures, sound, films or fonts (first: %s).", message.Plural(l.media, "file is", "files are"), message.Clip(l.firstMedia, 120))}
}
