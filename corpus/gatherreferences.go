package corpus

import (
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/entries"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
)

// mostBeside is how many files that hold no references are looked at in search of one that does.
const mostBeside = 20

// gatherReferences joins the files of a folder if all of them are references of any format, as
// literature databases export a search in parts; nil if they are others. Neither names of files nor
// folders are classes: they say where or when a reference was found. beside is a file of references
// among the first files of a folder of others, "" if there is none.
func gatherReferences(in *input.File, list []member, opt ReadOptions) (out *gathered, beside string, err error) {
	var files []member
	others := 0
	for _, m := range list {
		if m.odd || m.size == 0 || text.IsMedia(m.path) || text.IsAbout(m.path) {
			continue
		}
		is, err := isReferences(m)
		if err != nil && others == 0 { // else the files are read as others, which says what is wrong
			return nil, "", err
		}
		if !is {
			if others++; others == mostBeside {
				break
			}
			continue
		}
		m.format, m.open = entries.References, tellingOmissions(in, m)
		files = append(files, m)
	}
	switch {
	case files == nil:
		return nil, "", nil
	case others > 0:
		return nil, files[0].path, nil
	}
	out, err = joinTables(in, nameSet{list: files}, "files of references", opt.ofEntries(entries.References), true)
	return out, "", err
}

// isReferences reports whether a file holds references.
func isReferences(m member) (bool, error) {
	in, done, err := m.look()
	if err != nil {
		return false, err
	}
	defer done()
	head, err := in.Peek(input.HeadSize)
	return err == nil && entries.Format(m.path, head) == entries.References, err
}

// tellingOmissions opens a file as m does, and at its end passes its notes on what it leaves out on
// to the folder.
func tellingOmissions(in *input.File, m member) func() (*input.File, func(), error) {
	return func() (*input.File, func(), error) {
		part, done, err := m.open()
		if err != nil {
			return nil, nil, err
		}
		return part, func() {
			for _, note := range part.Notes {
				if strings.Contains(note, "left out") {
					in.Notef("%s: %s", message.Clip(m.path, 60), note)
				}
			}
			done()
		}, nil
	}
}
