package corpus

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"
)

// filesInBatch is how many files one worker reads and counts at a time.
const filesInBatch = 16

// sniffBytes is how much of a file is looked at to tell text from other files.
const sniffBytes = 8000

// readFolder reads the files of a folder as texts. A sub-folder is a class, and all files below it belong to it;
// files that lie in the folder itself are unlabelled. A document's id is its path inside the folder with
// slashes, without a final .gz; gzip is unpacked. Names that begin with a dot are skipped. Links to files are
// followed; links to folders and what is neither file nor folder (a pipe, a device) are skipped and told.
// Documents are in the order of the names' bytes, folder by folder.
//
// A file that holds a NUL byte among its first 8000, UTF-16 text and a PDF are refused, as is a file that cannot
// be read. Memory is as for [readJSONL]; a single file may take an eighth of the memory allowed. The observer
// hears of stage "read" in files.
func readFolder(ctx context.Context, dir string, opt ReadOptions) (*Corpus, error) {
	in := &input{ctx: ctx, name: dir, opt: opt, mem: newBudget(opt.MaxBytes)}
	a, err := newAnalyzer(opt.Text)
	if err != nil {
		return nil, err
	}
	tree := &folder{in: in, root: dir}
	if err := tree.walk("", ""); err != nil {
		return nil, in.wrap("", err)
	}
	if len(tree.files) == 0 {
		return nil, in.fail("", "the folder holds no files; put one text a file into it, in one sub-folder for each class")
	}
	limit := in.mem.limit / lineShare
	last := time.Now()
	t, err := countTexts(ctx, a, in.mem, func(emit func(batch) bool) error {
		for files := tree.files; len(files) > 0; {
			n := min(len(files), filesInBatch)
			if !emit(&fileBatch{root: dir, files: files[:n], limit: limit}) {
				return nil
			}
			files = files[n:]
		}
		return nil
	}, func(docs int) {
		if time.Since(last) > 200*time.Millisecond {
			last = time.Now()
			opt.Observer.Report("read", int64(docs), int64(len(tree.files)), "files")
		}
	})
	if err != nil {
		return nil, in.wrap("", err)
	}
	c, err := t.corpus(ctx, a, in.mem, dir)
	if err != nil {
		return nil, in.wrap("", err)
	}
	c.Format = "folder"
	c.Notes = append(c.Notes, tree.notes()...)
	return c, nil
}

// textFile is a file of a folder and the class it lies in, if any.
type textFile struct{ path, class string }

// folder collects the files of a tree.
type folder struct {
	in      *input
	root    string
	files   []textFile
	skipped int // links to folders, pipes, devices
	first   string
}

// walk collects the files below the folder at path (relative, slashes), in order of their names.
func (f *folder) walk(path, class string) error {
	if err := f.in.ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Join(f.root, filepath.FromSlash(path))) // sorted
	if err != nil {
		return openError(filepath.Join(f.root, filepath.FromSlash(path)), err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		inner, below := e.Name(), class
		if path != "" {
			inner = path + "/" + inner
		} else {
			below = e.Name()
		}
		kind := e.Type()
		if kind&os.ModeSymlink != 0 {
			name := filepath.Join(f.root, filepath.FromSlash(inner))
			info, err := os.Stat(name)
			if err != nil {
				return failf(name, "", "is a link that leads nowhere; remove it or restore its target")
			}
			if kind = info.Mode().Type(); kind.IsDir() {
				kind = os.ModeSymlink
			}
		}
		switch {
		case kind.IsDir():
			if err := f.walk(inner, below); err != nil {
				return err
			}
		case kind.IsRegular():
			if err := f.in.mem.take(documentBytes+int64(len(inner)), 1); err != nil {
				return err
			}
			f.files = append(f.files, textFile{inner, class})
		default:
			if f.skipped++; f.skipped == 1 {
				f.first = inner
			}
		}
	}
	return nil
}

// notes tells what was skipped.
func (f *folder) notes() []string {
	if f.skipped == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s skipped: neither files nor folders, but links to folders or the like (first: %s).", plural(f.skipped, "name in the folder was", "names in the folder were"), clip(f.first, 120))}
}

// fileBatch is a few files of a folder.
type fileBatch struct {
	root  string
	files []textFile
	limit int64 // bytes of a text
}

func (b *fileBatch) len() int { return len(b.files) }

// document reads file i.
func (b *fileBatch) document(i int) (document, error) {
	f := b.files[i]
	d := document{id: strings.TrimSuffix(f.path, ".gz"), hasID: true, label: f.class, hasLabel: f.class != ""}
	name := filepath.Join(b.root, filepath.FromSlash(f.path))
	file, err := os.Open(name)
	if err != nil {
		return d, openError(name, err)
	}
	defer file.Close()
	data, err := readLimited(file, b.limit)
	if err == nil && bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, err = readLimited(z, b.limit)
		}
	}
	if err == errTooLong {
		return d, failf(name, "", "is longer than %s, an eighth of the memory allowed; split the document or allow more memory", humanBytes(b.limit))
	}
	if err != nil {
		return d, (&input{ctx: context.Background(), name: name}).wrap("", err)
	}
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	switch head := data[:min(len(data), sniffBytes)]; {
	case bytes.HasPrefix(head, []byte("%PDF-")):
		return d, failf(name, "", "is a PDF, not text; convert it, for instance with pdftotext, or move it out of the folder")
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return d, failf(name, "", "is UTF-16 text; convert it to UTF-8, for instance with iconv -f UTF-16 -t UTF-8")
	case bytes.IndexByte(head, 0) >= 0:
		return d, failf(name, "", "is not text, it holds NUL bytes; move it out of the folder")
	}
	d.damaged = !utf8.Valid(data)
	d.text = string(data)
	return d, nil
}

// readLimited reads all of r, or tells errTooLong where that is more than limit bytes.
func readLimited(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, errTooLong
	}
	return data, err
}
