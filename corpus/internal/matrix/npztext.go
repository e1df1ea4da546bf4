package matrix

import (
	"io"
	"path"
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// readWords reads an array of texts.
func (z *arrayFile) readWords(name string) ([]string, error) {
	m, err := z.open(name)
	if err != nil {
		return nil, err
	}
	if m.text == 0 || m.problem != "" {
		m.r.Close()
		return nil, z.in.Fail(m.place, "is not an array of texts that can be read; save it with astype(str)")
	}
	words, err := readWords(z.in, m.npyArray, m.r, m.backed)
	if err != nil {
		m.r.Close()
		return nil, z.fault(m.place, err)
	}
	return words, m.close(z)
}

// readWords reads the texts of an array behind its header; backed is the number of bytes that the
// file can hold.
func readWords(in *source, a *npyArray, r io.Reader, backed int64) ([]string, error) {
	if a.words != nil {
		return a.words()
	}
	var words []string
	var word []byte
	var err error
	for range a.count {
		// Empty texts take no bytes, so their number must not exceed the file's bytes.
		if a.width == 0 && int64(len(words)) >= backed {
			break
		}
		word, err = a.readWord(r, word[:0])
		if err == nil {
			err = in.Mem.Take(int64(len(word)), 1)
		}
		if err == nil {
			words, err = input.Push(in.Mem, words, 16, a.decode(word))
		}
		if err != nil {
			return nil, err
		}
	}
	if guess := charset.Settle(words); guess != "" {
		in.Notef("Texts of an array of bytes are not UTF-8 and are read as %s; write them as UTF-8 if they are in another encoding.", guess)
	}
	return words, nil
}

// readWord reads the bytes of one text without its padding, in steps, because the width in the
// header may be wrong.
func (a *npyArray) readWord(r io.Reader, buf []byte) ([]byte, error) {
	var part [4096]byte
	used := 0
	for left := a.width; left > 0; {
		p := part[:min(left, int64(len(part)))]
		if err := input.ReadFull(r, p); err != nil {
			return nil, err
		}
		left -= int64(len(p))
		buf = append(buf, p...)
		for k, c := range p {
			if c != 0 {
				used = len(buf) - len(p) + k + 1
			}
		}
	}
	if a.text == 'U' {
		used = (used + 3) / 4 * 4
	}
	return buf[:used], nil
}

// decode makes a string of the bytes of a text, without its padding.
func (a *npyArray) decode(b []byte) string {
	if a.text == 'S' {
		return string(b)
	}
	runes := make([]rune, 0, len(b)/4)
	for ; len(b) >= 4; b = b[4:] {
		runes = append(runes, rune(a.order.Uint32(b)))
	}
	return string(runes)
}

// readNames reads terms, names of documents and names of classes.
func (z *arrayFile) readNames(d *draft, labels string) error {
	rows, _ := d.size()
	for _, name := range z.names {
		group, short := path.Dir(name), path.Base(name)
		if group != "." && group != d.group {
			continue // of another group of HDF5
		}
		isTerms, isClasses := slices.Contains(termNames, short), slices.Contains(classNameNames, short)
		if name == labels || !isTerms && !isClasses && !slices.Contains(docNames, short) {
			continue
		}
		m, err := z.open(name)
		if err != nil {
			return err
		}
		m.r.Close()
		numbered := !isTerms && !isClasses && m.kind.isInteger() && m.isList() && m.count == int64(rows)
		if (m.text == 0 || m.problem != "") && !numbered {
			z.in.Notef("Array %s was passed over: it holds no texts.", message.Clip(name, 60))
			continue
		}
		words, err := z.list(name)
		if err != nil {
			return err
		}
		if numbered && len(slices.Compact(slices.Sorted(slices.Values(words)))) < rows {
			z.in.Notef("Array %s was passed over: its numbers are not all different, as names of documents are.", message.Clip(name, 60))
			continue
		}
		z.takeNames(d, name, words, isTerms, isClasses)
	}
	return nil
}

// takeNames takes the words of an array for terms, names of classes or names of documents.
func (z *arrayFile) takeNames(d *draft, name string, words []string, isTerms, isClasses bool) {
	rows, cols := d.size()
	switch {
	case isClasses:
		d.classNames = words
	case isTerms && len(words) == cols:
		d.colNames = words
	case isTerms && len(words) == rows:
		d.rowTerms, d.rowTermsAt = words, "array "+message.Clip(name, 60)
	case !isTerms && len(words) == rows:
		d.rowNames = words
	default:
		z.in.Notef("Array %s was passed over: it has %s, which fits neither rows nor columns.", message.Clip(name, 60), message.Plural(len(words), "name", "names"))
	}
}
