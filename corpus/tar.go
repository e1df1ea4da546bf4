package corpus

import (
	"archive/tar"
	"bufio"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/sparse"
)

// isTar recognises an archive, where the format asked for may come in one.
func (in *input) isTar() (bool, error) {
	if in.opt.Format != "" && in.opt.Format != "folder" && in.opt.Format != "reuters" {
		return false, nil
	}
	const at, magic = 257, "ustar"
	head, err := in.peek(at + len(magic))
	return err == nil && len(head) == at+len(magic) && string(head[at:]) == magic, err
}

// readTar reads an archive as the folder that it was made of: files of Reuters-21578 in SGML, or texts. It is read twice, since ids and
// classes depend on all names; contents are never held. Texts come out in the order of the unpacked folder; files of SGML
// are read in the archive's order. A folder that holds everything else is not a class but the folder itself.
func readTar(in *input) (*Corpus, error) {
	names, err := in.tarNames()
	if err != nil {
		return nil, err
	}
	if in.opt.Format == "reuters" || in.opt.Format == "" && slices.ContainsFunc(names, isSGML) {
		c, err := in.readReuters(func(yield func(name string, r io.Reader) error) error {
			return eachTar(in.stream, func(name string, _ int64, r io.Reader) error {
				if !isSGML(name) {
					return nil
				}
				return in.named(in.name+"/"+name, unpacked(in.name+"/"+name, r, yield))
			})
		})
		if err != nil {
			return nil, err
		}
		c.Format = "reuters"
		return c, nil
	}
	return in.readTarTexts(names)
}

// readTarTexts reads the archive of a folder of texts.
func (in *input) readTarTexts(names []string) (*Corpus, error) {
	if len(names) == 0 {
		return nil, in.fail("", "the archive holds no files; put one text a file into it, in one folder for each class")
	}
	outer := commonFolder(names)
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = name[len(outer):]
	}
	slices.SortFunc(paths, comparePaths)
	plan, err := newFolderPlan(in, paths)
	if err != nil {
		return nil, err
	}
	texts, err := in.fileTexts()
	if err != nil {
		return nil, err
	}
	at := make(map[string]int, len(plan.files)) // place of a path among the documents
	for i, f := range plan.files {
		at[f.path] = i
	}
	var order []int // the documents' places in the order of the archive
	_, c, err := in.countTexts(func(emit func(batch) bool) error {
		b := &tarBatch{fileTexts: texts, name: in.name + "/" + outer}
		err := eachTar(in.stream, func(name string, size int64, r io.Reader) error {
			i, ok := at[name[len(outer):]]
			if !ok {
				return nil
			}
			data, err := readLimited(r, min(size, batchBytes), texts.limit)
			b.files, b.data, b.errs = append(b.files, plan.files[i]), append(b.data, data), append(b.errs, err)
			order = append(order, i)
			if b.bytes += len(data); b.bytes < batchBytes {
				return nil
			}
			full := b
			b = &tarBatch{fileTexts: texts, name: in.name + "/" + outer}
			if !emit(full) {
				return errStopped
			}
			return nil
		})
		if err == errStopped {
			return nil
		}
		emit(b)
		return err
	}, nil)
	if err != nil {
		return nil, err
	}
	if len(order) != len(plan.files) {
		return nil, in.fail("", "the archive changed while it was read; read it again")
	}
	if !slices.IsSorted(order) {
		rows := make([]int, len(order))
		for row, place := range order {
			rows[place] = row
		}
		if x, ok := c.X.(*sparse.CSR); ok {
			if err := in.mem.take(int64(x.NNZ()), 12); err != nil {
				return nil, err
			}
		}
		c = c.SelectRows(rows)
	}
	c.Format = "folder"
	c.Notes = append(c.Notes, plan.notes()...)
	return c, nil
}

// tarBatch is a few files of an archive.
type tarBatch struct {
	fileTexts
	name  string
	files []textFile
	data  [][]byte
	errs  []error
	bytes int
}

func (b *tarBatch) len() int  { return len(b.files) }
func (b *tarBatch) held() int { return b.bytes }

// document decodes file i.
func (b *tarBatch) document(i int) (document, error) {
	d := b.files[i].document()
	return d, b.text(&d, b.name+b.files[i].path, b.data[i], b.errs[i])
}

// tarNames lists the files of the archive, from a reader of its own.
func (in *input) tarNames() (names []string, err error) {
	var r io.Reader
	if in.at != nil {
		r = io.NewSectionReader(unmetered(in.at), 0, in.size)
	} else {
		f, err := os.Open(in.path)
		if err != nil {
			return nil, openError(in.path, err)
		}
		defer f.Close()
		if r, _, err = unpack(bufio.NewReaderSize(f, windowRead)); err != nil {
			return nil, err
		}
	}
	err = eachTar(r, func(name string, _ int64, _ io.Reader) error {
		if err := in.ctx.Err(); err != nil {
			return err
		}
		names = append(names, name)
		return in.mem.take(2*documentBytes+int64(len(name)), 1)
	})
	slices.Sort(names)
	for i := 1; i < len(names) && err == nil; i++ {
		if names[i] == names[i-1] {
			err = in.fail("", "the archive holds the file %s twice; pack it again", clip(names[i], 120))
		}
	}
	return names, err
}

// unmetered returns what a metered reader reads from: the first look at an archive is no progress.
func unmetered(r io.ReaderAt) io.ReaderAt {
	if m, ok := r.(*meteredReaderAt); ok {
		return m.r
	}
	return r
}

// eachTar hands out the regular files of an archive by their paths, without those whose path has a part that begins with a dot.
func eachTar(r io.Reader, yield func(name string, size int64, r io.Reader) error) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		name := path.Clean("/" + h.Name)[1:]
		if h.Typeflag != tar.TypeReg || name == "" || name[0] == '.' || strings.Contains(name, "/.") {
			continue
		}
		if err := yield(name, h.Size, t); err != nil {
			return err
		}
	}
}

// commonFolder returns the path, with its slash, of the innermost folder that holds all files, at most down to one above the
// files' own: a folder of texts without classes stays one.
func commonFolder(names []string) string {
	outer := ""
	for {
		at := strings.IndexByte(names[0][len(outer):], '/')
		if at < 0 {
			return outer
		}
		inner := names[0][:len(outer)+at+1]
		if slices.ContainsFunc(names, func(n string) bool { return !strings.HasPrefix(n, inner) }) {
			return outer
		}
		outer = inner
	}
}

// comparePaths orders paths as a walk through the folder does, names by their bytes.
func comparePaths(a, b string) int {
	for {
		x, restA, _ := strings.Cut(a, "/")
		y, restB, _ := strings.Cut(b, "/")
		if x != y {
			return strings.Compare(x, y)
		}
		if restA == "" || restB == "" {
			return strings.Compare(restA, restB)
		}
		a, b = restA, restB
	}
}
