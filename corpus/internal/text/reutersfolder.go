package text

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// readReutersFolder reads all files *.sgm of a folder and those below it, in the order of their
// names. Other files are ignored. The observer gets stage "read" in bytes.
func readReutersFolder(in *source) (*counting.Collection, error) {
	dir := in.Name
	tree := &folder{in: in, root: dir}
	if err := tree.walk(""); err != nil {
		return nil, in.Wrap("", err)
	}
	var files []string
	for _, f := range tree.files {
		if isSGML(f) {
			name := filepath.Join(dir, filepath.FromSlash(f))
			files = append(files, name)
			if info, err := os.Stat(name); err == nil {
				in.Expect(info.Size())
			}
		}
	}
	if len(files) == 0 {
		return nil, in.Fail("", "the folder holds no files *.sgm; name the folder of Reuters-21578 with reut2-000.sgm to reut2-021.sgm")
	}
	c, err := in.readReuters(func(yield func(name string, r io.Reader) error) error {
		for _, name := range files {
			if err := in.withFile(name, yield); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, in.Wrap("", err)
	}
	if n := len(tree.files) - len(files); n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s that are not *.sgm left out.", message.Plural(n, "file", "files")))
	}
	return c, nil
}

// withFile passes the unpacked content of a file to yield.
func (in *source) withFile(name string, yield func(name string, r io.Reader) error) error {
	f, _, err := input.OpenRegular(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return in.named(name, unpacked(name, in.Metered(f), yield))
}

// unpacked passes the content of r to yield, decompressed if it is compressed.
func unpacked(name string, r io.Reader, yield func(name string, r io.Reader) error) error {
	content, _, err := input.Unpack(bufio.NewReaderSize(r, windowRead))
	if err != nil {
		return err
	}
	return yield(name, content)
}

// named adds the name of the current file to an error from below.
func (in *source) named(name string, err error) error {
	if err == nil || err == errStopped {
		return err
	}
	return (&input.File{Ctx: in.Ctx, Name: name, Mem: in.Mem}).Wrap("", err)
}
