package counting

import (
	"maps"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus/internal/classes"
)

// Outline is what [Keep].Outline keeps of documents whose rows, names and labels are let go
// of as soon as they were counted. It says what the documents have in common, so that blocks of
// them can be counted by the same terms and classes later.
type Outline struct {
	// Each gets the name of each document, in their order: a document without one has its number,
	// from 1.
	Each func(id string) error

	Documents  int
	Entries    int64            // of the rows
	Empty      int              // documents without a term
	FirstEmpty int              // the number of the first of these, from 0
	Stems      []string         // of each column
	Class      map[string]int   // of each word for a class, -1 for one that means none; nil: no document has a label
	Sizes      []int            // documents of each class
	words      map[string]int   // documents of each label
	column     map[string]int32 // see Columns
	anyLabel   bool
	firsts     map[int]Document // the first documents of each kind that notes name, by number
	from       map[int]*Origin  // where they are from
}

// Columns maps the stem of each column to the column, for [Options].Index.
func (o *Outline) Columns() map[string]int32 {
	if o.column == nil {
		o.column = make(map[string]int32, len(o.Stems))
		for j, s := range o.Stems {
			o.column[s] = int32(j)
		}
	}
	return o.column
}

// labelBytes is the estimated memory of a label beside its characters, which a counter has too.
const labelBytes = 128

// take takes the documents of a batch that was counted, and returns the memory of what it keeps.
func (o *Outline) take(p *counted) (bytes int64, err error) {
	o.Entries += p.entries
	at := 0
	for i := range p.docs {
		d := &p.docs[i]
		id := d.ID
		if !d.HasID {
			id = strconv.Itoa(o.Documents + 1)
		}
		if p.ends[i] == at {
			if o.Empty++; o.Empty == 1 {
				o.FirstEmpty = o.Documents
			}
		}
		at = p.ends[i]
		if o.anyLabel = o.anyLabel || d.HasLabel; d.Label != "" {
			if o.words == nil {
				o.words = make(map[string]int)
			}
			if o.words[d.Label]++; o.words[d.Label] == 1 {
				bytes += labelBytes + 2*int64(len(d.Label))
			}
		}
		o.Documents++
		if err := o.Each(id); err != nil {
			return 0, err
		}
	}
	return bytes, nil
}

// name numbers the classes of the labels, and returns the note on labels that mean none; without is
// for documents whose labels are no classes.
func (o *Outline) name(c *Collection, without bool) (note string) {
	if !o.anyLabel {
		return ""
	}
	list := slices.Sorted(maps.Keys(o.words))
	counts, unlabelled := make([]int, len(list), len(list)+1), o.Documents
	for i, w := range list {
		counts[i] = o.words[w]
		unlabelled -= counts[i]
	}
	if unlabelled > 0 {
		list, counts = append(list, ""), append(counts, unlabelled)
	}
	labels, names, note := classes.OfCounted(list, counts)
	if len(names) == 0 || without {
		return note
	}
	c.ClassNames, o.Class, o.Sizes = names, make(map[string]int, len(list)), make([]int, len(names))
	for i, w := range list {
		if o.Class[w] = labels[i]; labels[i] >= 0 {
			o.Sizes[labels[i]] += counts[i]
		}
	}
	return note
}

// keep keeps the document of a part that is the first of a kind.
func (o *Outline) keep(i int, p *counted, d *Document) {
	if o.firsts == nil {
		o.firsts, o.from = make(map[int]Document), make(map[int]*Origin)
	}
	o.firsts[i], o.from[i] = *d, p.from
}

// find is [Tally.find] of a document that was kept.
func (o *Outline) find(i int) (*counted, *Document) {
	d := o.firsts[i]
	return &counted{from: o.from[i]}, &d
}
