package corpus

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// isSGML tells a file of Reuters-21578 by its name.
func isSGML(name string) bool { return formatByExtension(name) == "reuters" }

// holdsSGML tells whether a file of Reuters-21578 lies in the folder itself.
func holdsSGML(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if !e.IsDir() && isSGML(e.Name()) {
			return true
		}
	}
	return false
}

// readReutersFolder reads all files *.sgm of a folder and those below it, in the order of their names. Other files are not looked at.
// The observer hears of stage "read" in bytes.
func readReutersFolder(ctx context.Context, dir string, opt ReadOptions) (*Corpus, error) {
	in := &input{ctx: ctx, name: dir, opt: opt, mem: newBudget(opt.MaxBytes)}
	tree := &folder{in: in, root: dir}
	if err := tree.walk(""); err != nil {
		return nil, in.wrap("", err)
	}
	var files []string
	in.meter = &meter{ctx: ctx, observer: opt.Observer}
	for _, f := range tree.files {
		if isSGML(f) {
			name := filepath.Join(dir, filepath.FromSlash(f))
			files = append(files, name)
			if info, err := os.Stat(name); err == nil {
				in.meter.total += info.Size()
			}
		}
	}
	if len(files) == 0 {
		return nil, in.fail("", "the folder holds no files *.sgm; name the folder of Reuters-21578 with reut2-000.sgm to reut2-021.sgm")
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
		return nil, in.wrap("", err)
	}
	c.Format = "reuters"
	if n := len(tree.files) - len(files); n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s that are not *.sgm left out.", plural(n, "file", "files")))
	}
	return c, nil
}

// withFile hands out the content of a file, unpacked where it is compressed.
func (in *input) withFile(name string, yield func(name string, r io.Reader) error) error {
	f, _, err := openRegular(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return in.named(name, unpacked(name, &meteredReader{f, in.meter}, yield))
}

// unpacked hands out what r reads, decompressed where it is compressed.
func unpacked(name string, r io.Reader, yield func(name string, r io.Reader) error) error {
	content, _, err := unpack(bufio.NewReaderSize(r, windowRead))
	if err != nil {
		return err
	}
	return yield(name, content)
}

// named puts the name of the file at hand into an error from below.
func (in *input) named(name string, err error) error {
	if err == nil || err == errStopped {
		return err
	}
	return (&input{ctx: in.ctx, name: name, mem: in.mem}).wrap("", err)
}
