package corpus

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/entries"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
)

// mostPlain is how many files that are texts by their names an archive may hold before it is taken
// for one of texts, if those of other kinds are not ten times as many.
const mostPlain = mostLineFiles * mostLineParts

// tarMembers are the files of an archive, which lie in memory; nil of an archive of texts, and of
// one that is damaged, of which its reader says what is wrong. release gives the memory back.
func tarMembers(in *input.File, opt ReadOptions) (list []member, release func(), err error) {
	release = func() {}
	if opt.Format != "" || opt.UsualFormat == "folder" || opt.Split != nil || opt.outline != nil {
		return nil, release, nil
	}
	if named, err := mayBeOne(in, opt); err != nil || !named {
		return nil, release, in.Ctx.Err()
	}
	var held int64
	release = func() { in.Mem.Give(held, 1) }
	err = text.TarFiles(in, func(name string, file io.Reader) error {
		if file == nil {
			list = append(list, member{path: name, odd: true})
			return nil
		}
		content := boundedBuffer{mem: in.Mem}
		_, err := io.Copy(&content, file)
		if held += int64(content.Cap()); err == nil {
			list = append(list, heldMember(in, name, content.Bytes()))
		}
		return err
	})
	if err != nil {
		release()
		return nil, func() {}, in.Wrap("", err)
	}
	slices.SortFunc(list, func(a, b member) int { // as the files of a folder
		return slices.Compare(strings.Split(a.path, "/"), strings.Split(b.path, "/"))
	})
	return list, release, nil
}

// mayBeOne reports whether an archive may be one corpus by the names of its files, or holds
// mailboxes or references.
func mayBeOne(in *input.File, opt ReadOptions) (bool, error) {
	plain, many, boxes := 0, 0, 0
	var list []member
	err := text.TarFiles(in, func(name string, file io.Reader) error {
		if file == nil || text.IsMedia(name) || text.IsAbout(name) {
			return nil
		}
		list = append(list, member{path: name, size: 1})
		switch {
		case holdsEntries(name, file):
			many++
			boxes++
		case holdsMany(name):
			many++
		default:
			if plain++; plain > mostPlain && 10*plain > many {
				return io.EOF // an archive of texts
			}
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	g := sortMembers(list)
	found, _ := tenxOf(list)
	lines := len(g.lines) > 1 && len(g.lines) <= mostPlain && g.others == 0
	sole := soleFile(list, opt, true)
	if sole != nil && formatByExtension(sole.path) == "list" { // of files that are elsewhere
		return false, nil
	}
	return len(g.tables)+len(g.objects)+boxes+len(found) > 0 || lines || sole != nil, nil
}

// holdsEntries reports whether a file, which may be packed, begins as a mailbox or references do.
func holdsEntries(name string, file io.Reader) bool {
	content, _, err := input.Unpack(bufio.NewReader(file))
	if err != nil {
		return false
	}
	head, _ := io.ReadAll(io.LimitReader(content, input.HeadSize))
	return text.LooksLikeMbox(head) || entries.Format(name, head) == entries.References
}

// heldMember is a file of an archive that lies in memory.
func heldMember(in *input.File, name string, data []byte) member {
	open := func() (*input.File, func(), error) {
		file, err := input.New(in.Ctx, in.Name+"/"+message.Plain(name), bytes.NewReader(data), int64(len(data)), input.Limits{MaxBytes: in.Mem.Limit - in.Mem.Used()})
		return file, func() {}, err
	}
	return member{path: name, size: int64(len(data)), open: open, look: open}
}

// readTar reads an archive: as one corpus if its files are one, or the only one of documents, else
// as the folder of texts that it was made of.
func readTar(in *input.File, opt ReadOptions, given *Labeling) (*Corpus, error) {
	list, release, err := tarMembers(in, opt)
	if err != nil {
		return nil, err
	}
	if list != nil {
		if c, err := readTenx(in, list, opt, given); c != nil || err != nil {
			return c, err
		}
		if c, err := readMembers(in, list, opt, given); c != nil || err != nil {
			return c, err
		}
		if c, err := readSoleInside(in, list, opt, given); c != nil || err != nil {
			return c, err
		}
		release()
	}
	return readTexts(in, opt, text.ReadTar)
}

// passTar is pass of an archive whose files are one corpus.
func (c *Contents) passTar(in *input.File, opt ReadOptions) error {
	list, _, err := tarMembers(in, opt)
	if err != nil {
		return err
	}
	if done, err := c.passMembers(in, list, opt); done || err != nil {
		return err
	}
	if done, err := c.passSole(list, opt); done || err != nil {
		return err
	}
	return notStreamed(in.Name, "tar")
}

// passSole is pass of the only file of documents in an archive; false if there is none.
func (c *Contents) passSole(list []member, opt ReadOptions) (bool, error) {
	m := soleFile(list, opt, true)
	if m == nil {
		return false, nil
	}
	inside, done, err := m.open()
	if err != nil {
		return true, err
	}
	defer done()
	return true, inside.Blame(c.passFile(inside, opt))
}
