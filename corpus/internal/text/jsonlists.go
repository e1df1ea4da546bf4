package text

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// longestLists is the most bytes of a file of which all lists of objects are looked at.
const longestLists = 64 << 20

// objectList is a list of objects in the one object of a file.
type objectList struct {
	path  []string
	start int // the byte of its bracket
	words int // in its strings of more than three words
	size  int // its objects
}

// chooseList returns the list of a file's object that has nearly all of the words in such lists,
// and the paths of the others, for instance of people and of tags; nil if there is none, if these
// are few words for each object, and for files that are packed or long.
func chooseList(in *input.File) (chosen *objectList, others []string) {
	if in.At == nil || in.Size > longestLists {
		return nil, nil
	}
	lists := objectLists(io.NewSectionReader(in.At, 0, in.Size), max(in.Mem.Limit/lineShare, listLook))
	words := 0
	for i := range lists {
		if words += lists[i].words; chosen == nil || lists[i].words > chosen.words {
			chosen = &lists[i]
		}
	}
	const share, each = 4, 5 // of five, and words of an object
	if len(lists) < 2 || 5*chosen.words < share*words || chosen.words < each*chosen.size {
		return nil, nil
	}
	for i := range lists {
		if &lists[i] != chosen {
			others = append(others, strings.Join(lists[i].path, "."))
		}
	}
	return chosen, others
}

// objectLists are the lists of objects in an object, as [listWalk] finds them, to the end of the
// object or the first fault, such as a value for which most bytes are read.
func objectLists(r io.Reader, most int64) (lists []objectList) {
	from := &tokenReader{r: &offsetReader{r: r}, most: most}
	d := json.NewDecoder(from)
	w := listWalk{d: d, from: from}
	for {
		start, ok := w.next()
		if !ok {
			return lists
		}
		list := objectList{path: w.path(), start: start}
		for depth := 1; depth > 0; {
			from.left = most
			token, err := d.Token()
			if err != nil {
				return lists
			}
			switch token {
			case json.Delim('{'), json.Delim('['):
				if depth == 1 {
					list.size++
				}
				depth++
			case json.Delim('}'), json.Delim(']'):
				depth--
			default:
				if s, isText := token.(string); isText {
					if n := len(strings.Fields(s)); n > 3 {
						list.words += n
					}
				}
			}
		}
		lists = append(lists, list)
		w.levels[len(w.levels)-1].wait = true
	}
}

// offsetReader passes over a byte-order mark, which JSON has not.
type offsetReader struct {
	r     io.Reader
	begun bool
}

// Read gives blanks in place of the mark, so that places in the file stay.
func (o *offsetReader) Read(p []byte) (int, error) {
	n, err := o.r.Read(p)
	if !o.begun && n > 0 {
		o.begun = true
		if n >= len(input.ByteOrderMark) && string(p[:len(input.ByteOrderMark)]) == input.ByteOrderMark {
			copy(p, "   ")
		}
	}
	return n, err
}
