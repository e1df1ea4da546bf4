package corpus

import (
	"fmt"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// Values of ReadOptions.IDsFrom and Corpus.IDsFrom.
const (
	// FromZero says that files number the documents 0, 1, 2, ...
	FromZero = "0"
	// FromOne says that files number the documents 1, 2, 3, ...
	FromOne = "1"
)

// numbered translates the ids that a file of labels or constraints uses for documents into names of
// the corpus. Ids that the corpus has are never changed. Documents without ids are named by their
// numbers from 1; a file may count from 1 or from 0. IDsFrom says which, else the only reading that
// fits every id is taken, and note says so. If both fit, the file is refused, because a wrong guess
// would move every label to the next document.
func (c *Corpus) numbered(file string, ids []string) (names []string, note string, err error) {
	n := c.Documents()
	if c.IDs != nil || len(ids) == 0 {
		return ids, "", nil
	}
	low, high := n+1, -1
	values := make([]int, len(ids))
	for i, id := range ids {
		v, err := strconv.Atoi(id)
		if err != nil || v < 0 || strconv.Itoa(v) != id {
			return ids, "", nil // a name: no document has it
		}
		values[i], low, high = v, min(low, v), max(high, v)
	}
	one, zero := low >= 1 && high <= n, high <= n-1
	switch {
	case c.IDsFrom == "" && !zero && one:
		return ids, fmt.Sprintf("The ids in %s count the documents from 1.", file), nil
	case c.IDsFrom == FromOne, c.IDsFrom == "" && !zero:
		return ids, "", nil
	case c.IDsFrom == "" && one:
		return nil, "", input.Failf(file, "", "its ids %d to %d are numbers of documents, and %s gives its %d documents no ids: they fit counted from 0 and counted from 1; give ‹ids-from› 0 or 1, the number of the first document", low, high, c.Name, n)
	case c.IDsFrom == "":
		note = fmt.Sprintf("The ids in %s count the documents from 0.", file)
	}
	names = make([]string, len(ids))
	for i, v := range values {
		names[i] = strconv.Itoa(v + 1)
	}
	return names, note, nil
}
