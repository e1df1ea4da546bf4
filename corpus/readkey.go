package corpus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
	"github.com/eigenmap/eigenmap/internal/regular"
	"github.com/eigenmap/eigenmap/internal/store"
)

// source is a file that [Read] reads, or would read if it were there.
type source struct {
	path     string
	size     int64 // -1: it is not there
	modified time.Time
}

// sources are the files of a corpus.
type sources []source

// same says whether the files are unchanged, by their sizes and times.
func (s sources) same(other sources) bool {
	return slices.EqualFunc(s, other, func(a, b source) bool { return a.path == b.path && a.size == b.size && a.modified.Equal(b.modified) })
}

// bytes is the length of all files.
func (s sources) bytes() (n int64) {
	for _, f := range s {
		n += max(f.size, 0)
	}
	return n
}

// filesOf lists the files on which the result of [Read] depends: the file or the files of the
// folder, what may lie beside it, and the files that options name.
func filesOf(ctx context.Context, path string, opt ReadOptions) (sources, error) {
	var list sources
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	parts, err := dividable(ctx, path, opt)
	switch {
	case err == nil && parts != nil && info.IsDir():
		// Other names in a folder of such files are not read.
	case info.IsDir():
		root, err := filepath.EvalSymlinks(path)
		if err == nil {
			err = list.addFolder(root)
		}
		if err != nil {
			return nil, err
		}
	default:
		dir, base := filepath.Dir(path), filepath.Base(path)
		list.add(path)
		for _, name := range append(besides(base), matrix.VocabularyNames(base)...) {
			list.add(filepath.Join(dir, name))
		}
	}
	if err == nil && parts != nil {
		for _, part := range parts.paths { // those that a list names lie anywhere
			list.add(part)
		}
	}
	for _, name := range []string{opt.Labels, opt.Text.StopWords} {
		if name != "" {
			list.add(name)
		}
	}
	return list, nil
}

// add adds a file, whether it is there or not, once.
func (s *sources) add(path string) {
	if slices.ContainsFunc(*s, func(f source) bool { return f.path == path }) {
		return
	}
	f := source{path: path, size: -1}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		f.size, f.modified = info.Size(), info.ModTime()
	}
	*s = append(*s, f)
}

// addFolder adds the files below a folder in the order of their names. Links to files count as
// files; hidden names are passed over, as by the reader.
func (s *sources) addFolder(root string) error {
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == root:
			return nil
		case input.IsHidden(e.Name()):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !e.IsDir():
			s.add(path)
		}
		return nil
	})
}

// hashBuffer is how many bytes are hashed between two looks at the context.
const hashBuffer = 1 << 20

// readKey is the key of what [Read] makes of the files under the options. It reads every byte of
// them.
func readKey(ctx context.Context, path string, opt ReadOptions, files sources) (store.Key, error) {
	observer, total := opt.Observer, files.bytes()
	opt.Observer, opt.MaxBytes = nil, 0
	h := store.NewHasher("corpus 4")
	h.Text(path)
	h.Value(opt)
	h.Value(opt.Text.Vocabulary == nil)
	for _, term := range opt.Text.Vocabulary {
		h.Text(term) // of any bytes, which JSON does not keep
	}
	buf := make([]byte, hashBuffer)
	var done int64
	pdfs := false
	for _, f := range files {
		h.Text(f.path)
		if f.size < 0 {
			h.Text("")
			continue
		}
		first := true
		sum, err := sumOf(ctx, f.path, buf, func(n int) {
			if pdfs, first = pdfs || first && text.MayHoldPDF(buf[:n]), false; n == hashBuffer {
				observer.Report("read", done+int64(n), total, "bytes")
			}
			done += int64(n)
		})
		if err != nil {
			return store.Key{}, err
		}
		h.Text(sum)
	}
	if pdfs {
		h.Text("pdftotext " + text.PDFVersion()) // which decides what their texts are
	}
	return h.Key(), nil
}

// sumOf is the SHA-256 of a file.
func sumOf(ctx context.Context, path string, buf []byte, each func(n int)) (string, error) {
	f, _, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	for {
		n, err := f.Read(buf)
		sum.Write(buf[:n])
		if each(n); err == io.EOF {
			return hex.EncodeToString(sum.Sum(nil)), nil
		}
		if err != nil {
			return "", err
		}
		if err := ctx.Err(); err != nil {
			return "", err
		}
	}
}
