package corpus

import (
	"bytes"
	"context"
	"io"
	"strings"
)

// ReadVocabulary reads terms for [TextOptions.Vocabulary]: a text file of one term a line (empty lines and comments, which begin with # and a
// blank, are left out), or a corpus file that
// names its columns, such as the .npz that [Write] makes.
func ReadVocabulary(ctx context.Context, path string) ([]string, error) {
	if format := formatByExtension(path); format != "" {
		c, err := Read(ctx, path, ReadOptions{Format: format})
		if err != nil {
			return nil, err
		}
		if c.Terms == nil {
			return nil, failf(path, "", "does not name its columns, so it is no vocabulary; give a file with names of terms, or one term a line")
		}
		return c.Terms, nil
	}
	lines, err := readLines(ctx, path, ReadOptions{})
	if err != nil {
		return nil, err
	}
	terms := lines[:0]
	for _, t := range lines {
		if t != "" && t != "#" && !strings.HasPrefix(t, "# ") {
			terms = append(terms, t)
		}
	}
	if len(terms) == 0 {
		return nil, failf(path, "", "holds no terms; write one a line")
	}
	return terms, nil
}

// readLines reads the lines of a file, without blanks around them.
func readLines(ctx context.Context, path string, opt ReadOptions) ([]string, error) {
	f, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	opt.Observer = nil
	in, err := newInput(ctx, path, f, size, opt)
	if err != nil {
		return nil, err
	}
	if err := in.refuseWide(); err != nil {
		return nil, err
	}
	var out []string
	for r := (lineReader{in: in}); ; {
		line, err := r.next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if len(out) == 0 {
			line = bytes.TrimPrefix(line, []byte(byteOrderMark))
		}
		if err := in.mem.take(int64(len(line))+16, 1); err != nil {
			return nil, in.wrap(r.place(), err)
		}
		out = append(out, string(bytes.TrimSpace(line)))
	}
}
