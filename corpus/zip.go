package corpus

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/klauspost/compress/flate"
)

// zipMagic begins an archive of zip, also one of NumPy and of spreadsheets.
const zipMagic = "PK\x03\x04"

// zipKind is what an archive of zip is: "npz" with arrays of NumPy, "xlsx" with the sheets of a
// spreadsheet, "ods" with those of OpenDocument, else "zip".
func zipKind(z *zip.Reader) string {
	for _, f := range z.File {
		if f.Name == "xl/workbook.xml" {
			return "xlsx"
		}
	}
	if table.IsODS(z) {
		return "ods"
	}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, ".npy") {
			return "npz"
		}
	}
	return "zip"
}

// openZip opens the content as an archive of zip; nil if it is none, or one of NumPy's that is
// damaged.
func openZip(in *input.File) (*zip.Reader, error) {
	head, err := in.Peek(len(zipMagic))
	if err != nil || string(head) != zipMagic {
		return nil, err
	}
	at, size, err := in.Random()
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(at, size)
	if err != nil {
		return nil, nil // the reader of NumPy's says what is wrong
	}
	z.RegisterDecompressor(zip.Deflate, flate.NewReader)
	return z, nil
}

// zipFiles are the files in an archive that are not hidden.
func zipFiles(z *zip.Reader) []*zip.File {
	var files []*zip.File
	for _, f := range z.File {
		name := path.Clean("/" + strings.ReplaceAll(f.Name, `\`, "/"))
		hidden := slices.ContainsFunc(strings.Split(name, "/"), input.IsHidden)
		if f.Mode().IsRegular() && !strings.HasSuffix(f.Name, "/") && !hidden {
			files = append(files, f)
		}
	}
	return files
}

// zipMembers are the files in an archive. Each is unpacked into memory while it is open.
func zipMembers(in *input.File, z *zip.Reader) (list []member) {
	for _, f := range zipFiles(z) {
		inner := strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(f.Name, `\`, "/")), "/")
		open := func() (*input.File, func(), error) {
			out := boundedBuffer{mem: in.Mem}
			if err := unzip(in, f, &out); err != nil {
				return nil, nil, err
			}
			file, err := input.New(in.Ctx, in.Name+"/"+message.Plain(inner), bytes.NewReader(out.Bytes()), int64(out.Len()), input.Limits{MaxBytes: in.Mem.Limit - in.Mem.Used()})
			if err != nil {
				return nil, nil, err
			}
			return file, func() { in.Mem.Give(int64(out.Cap()), 1) }, nil
		}
		list = append(list, member{path: inner, size: int64(f.UncompressedSize64), open: open, look: open})
	}
	slices.SortFunc(list, func(a, b member) int { // as the files of a folder
		return slices.Compare(strings.Split(a.path, "/"), strings.Split(b.path, "/"))
	})
	return list
}

// unzipped is the content of an archive: of its one file, or a tar of its files, which is read as
// the folder that they are. It lies in memory, within the budget.
func unzipped(in *input.File, z *zip.Reader, opt ReadOptions) (*input.File, error) {
	files := zipFiles(z)
	if len(files) == 0 {
		return nil, input.NoDocuments(in.Fail("", "the archive is empty; put files into it"))
	}
	var out boundedBuffer
	out.mem = in.Mem
	name := in.Name
	if len(files) == 1 {
		if err := unzip(in, files[0], &out); err != nil {
			return nil, err
		}
		name += "/" + message.Plain(path.Base(files[0].Name))
		in.Notef("The file is %s in the archive.", message.Clip(files[0].Name, 120))
	} else {
		w := tar.NewWriter(&out)
		for _, f := range files {
			inner := strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(f.Name, `\`, "/")), "/")
			err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: inner, Mode: 0o644, Size: int64(f.UncompressedSize64), Format: tar.FormatPAX})
			if err == nil {
				err = unzip(in, f, w)
			}
			if err != nil {
				return nil, in.Wrap("file "+message.Clip(f.Name, 120), err)
			}
		}
		if err := w.Close(); err != nil {
			return nil, in.Wrap("", err)
		}
	}
	limits := opt.limits()
	limits.MaxBytes = in.Mem.Limit - in.Mem.Used()
	inside, err := input.New(in.Ctx, name, bytes.NewReader(out.Bytes()), int64(out.Len()), limits)
	if err != nil {
		return nil, err
	}
	inside.Notes = append(inside.Notes, in.Notes...)
	return inside, nil
}

// unzip writes the content of a file in an archive.
func unzip(in *input.File, f *zip.File, w io.Writer) error {
	place := "file " + message.Clip(f.Name, 120)
	if f.Flags&1 != 0 {
		return in.Fail(place, "is encrypted, which is not read here; unpack the archive with its password")
	}
	r, err := f.Open()
	if err == nil {
		defer r.Close()
		_, err = io.Copy(w, r)
	}
	switch {
	case err == nil:
		return nil
	case err == zip.ErrAlgorithm:
		return in.Fail(place, "is compressed in a way that is not read here; pack the archive with zip's usual one")
	case err == zip.ErrChecksum, err == zip.ErrFormat:
		return in.Fail(place, "is damaged; copy or download the archive again")
	}
	return in.Wrap(place, err)
}

// boundedBuffer is a buffer within a budget.
type boundedBuffer struct {
	bytes.Buffer
	mem *input.Budget
}

// Write takes memory before the buffer grows: it may double.
func (b *boundedBuffer) Write(p []byte) (int, error) {
	if need := b.Len() + len(p); need > b.Cap() {
		grow := max(2*b.Cap(), need, 1<<16)
		if err := b.mem.Take(int64(grow), 1); err != nil {
			return 0, err
		}
		had := b.Cap()
		grown := make([]byte, b.Len(), grow)
		copy(grown, b.Bytes())
		b.Buffer = *bytes.NewBuffer(grown)
		b.mem.Give(int64(had), 1)
	}
	return b.Buffer.Write(p)
}
