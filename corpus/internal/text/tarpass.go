package text

import (
	"archive/tar"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
)

// holdBytes is how much content is held until a name shows whether the archive is divided into
// parts, in bytes.
const holdBytes = 32 << 20

// errTwice says that an archive has to be read twice.
var errTwice = errors.New("the archive has to be read twice")

// readTarOnce reads a compressed archive of texts in one pass, which saves unpacking it a second
// time: it counts files while it lists their names. Which files are documents follows only from all
// names, so it takes the likely ones, and compares at the end.
//
// It returns false if the files counted are not the documents, for texts with several names, for
// files of SGML and for every error but the context's. The caller then reads the archive twice, and
// errors always come from there.
func (in *source) readTarOnce() (list *tarList, c *counting.Collection, ok bool, err error) {
	before := in.Mem.Used()
	list, c, err = in.tryTarOnce()
	if cause := in.Ctx.Err(); cause != nil && err != nil {
		return nil, nil, false, err
	}
	if err != nil {
		in.Mem.Give(in.Mem.Used()-before, 1)
		return nil, nil, false, nil
	}
	return list, c, true, nil
}

func (in *source) tryTarOnce() (*tarList, *counting.Collection, error) {
	if in.opt.LabelHeader != "" { // classes are in the files, and not in their names
		return nil, nil, errTwice
	}
	in.left = newLeftFiles(in.Name)
	texts, err := in.fileTexts()
	if err != nil {
		return nil, nil, err
	}
	a, err := in.opt.analyzer()
	if err != nil {
		return nil, nil, err
	}
	list := newTarList()
	p := &tarPass{in: in, texts: texts, guess: newPartGuess(in.opt)}
	t, err := counting.Count(in.Ctx, a, in.Mem, func(emit func(counting.Batch) bool) error {
		p.emit = emit
		p.next()
		err := eachTar(in, in.Stream, func(name string, h *tar.Header, r io.Reader) error {
			if err := list.add(in, name, h); err != nil || !isFile(h) || isHidden(name) {
				return err
			}
			if in.opt.Format == "" && isSGML(name) {
				return errTwice
			}
			return p.file(name, h, r)
		})
		if err == nil {
			err = p.end()
		}
		return err
	}, func(int) {})
	if err != nil {
		return nil, nil, err
	}
	if err := list.finish(in); err != nil {
		return nil, nil, err
	}
	plan, outer, err := in.tarPlan(list)
	if err != nil {
		return nil, nil, err
	}
	order, ok := p.places(plan, list, outer)
	if !ok {
		return nil, nil, errTwice
	}
	if in.left.none(in, plan, in.Name+"/"+outer, nil) != nil {
		return nil, nil, errTwice
	}
	order = in.left.without(order, plan, in.Name+"/"+outer)
	t.Assign(func(i int) counting.Document { return plan.files[order[i]].document() })
	c, err := t.Collection(in.Ctx, a, in.Mem, in.Name)
	if err != nil {
		return nil, nil, err
	}
	return list, c, in.ordered(c, order, plan)
}

// tarPass counts the files of an archive that are likely to be documents.
type tarPass struct {
	in    *source
	texts fileTexts
	guess *partGuess
	emit  func(counting.Batch) bool
	batch *tarBatch
	names []string // the files counted
	held  []heldFile
	size  int64 // bytes held
}

// heldFile is a file of which it is open whether it is a document.
type heldFile struct {
	name string
	data []byte
	err  error
}

// file counts a file, holds it or leaves it out.
func (p *tarPass) file(name string, h *tar.Header, r io.Reader) error {
	verdict := p.guess.of(name)
	if p.guess.parts && p.held != nil {
		p.in.Mem.Give(p.size, 1) // files beside the parts
		p.held, p.size = nil, 0
	}
	if verdict == guessOut {
		return nil
	}
	data, err := readLimited(r, min(h.Size, counting.BatchBytes), p.texts.limit)
	if verdict == guessIn {
		return p.count(heldFile{name, data, err})
	}
	if err := p.in.Mem.Take(int64(len(data)), 1); err != nil {
		return err
	}
	p.held = append(p.held, heldFile{name, data, err})
	if p.size += int64(len(data)); p.size < holdBytes {
		return nil
	}
	p.guess.whole = true
	return p.release()
}

// release counts the files that were held.
func (p *tarPass) release() error {
	for _, f := range p.held {
		if err := p.count(f); err != nil {
			return err
		}
	}
	p.in.Mem.Give(p.size, 1)
	p.held, p.size = nil, 0
	return nil
}

// end counts the files that are left.
func (p *tarPass) end() error {
	if err := p.release(); err != nil {
		return err
	}
	if !p.emit(p.batch) {
		return errStopped
	}
	return nil
}

func (p *tarPass) next() {
	p.batch = &tarBatch{fileTexts: p.texts, name: p.in.Name + "/"}
}

func (p *tarPass) count(f heldFile) error {
	b := p.batch
	b.files, b.data, b.errs = append(b.files, textFile{path: f.name, id: f.name}), append(b.data, f.data), append(b.errs, f.err)
	p.names = append(p.names, f.name)
	if b.bytes += len(f.data); b.bytes < counting.BatchBytes {
		return nil
	}
	p.next()
	if !p.emit(b) {
		return errStopped
	}
	return nil
}

// places returns the numbers in the plan of the files counted, and whether these are exactly the
// plan's documents, each under one name.
func (p *tarPass) places(plan *folderPlan, list *tarList, outer string) (order []int, ok bool) {
	if len(p.names) != len(plan.files) {
		return nil, false
	}
	at := make(map[string]int, len(plan.files))
	for i, f := range plan.files {
		if !list.files[outer+f.path] {
			return nil, false // a link
		}
		at[outer+f.path] = i
	}
	order = make([]int, len(p.names))
	for i, name := range p.names {
		if order[i], ok = at[name]; !ok {
			return nil, false
		}
	}
	return order, true
}

// What partGuess expects of a file.
const (
	guessOpen = iota
	guessIn
	guessOut
)

// partGuess says of each file of an archive whether it is likely to be a document of the
// folderPlan, by the names so far.
type partGuess struct {
	split []string
	whole bool // every file is a document
	parts bool // a folder was named like a part
}

func newPartGuess(opt ReadOptions) *partGuess {
	return &partGuess{split: opt.Split, whole: !dividedInParts(opt)}
}

func (g *partGuess) of(name string) int {
	if g.whole {
		return guessIn
	}
	folders := strings.Split(name, "/")
	folders = folders[:len(folders)-1]
	for i, folder := range folders {
		part := partName(folder)
		if part == "" {
			continue
		}
		g.parts = true
		if i+1 < len(folders) && (len(g.split) == 0 || slices.Contains(g.split, part)) {
			return guessIn
		}
		return guessOut
	}
	if g.parts {
		return guessOut
	}
	return guessOpen
}
