package text

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// ReadTar reads an archive as the folder that it was made of: files of Reuters-21578 in SGML, or
// texts. Ids, classes and links depend on all names. It therefore reads the archive twice, or a
// compressed one once if the names allow that (see readTarOnce). It does not keep contents. Texts
// are in the order of the unpacked folder, files of SGML in the order of the archive. A folder that
// holds all files is not a class but the folder itself.
//
// A hard or symbolic link to a file of the archive is a document with the text of that file. Other
// entries that are not files (links that lead outside the archive, pipes, devices) are left out,
// and a note says so. Memory is as for [Read].
func ReadTar(file *input.File, opt ReadOptions) (*counting.Collection, error) {
	in := &source{File: file, opt: opt}
	if opt.Share != nil && opt.Share.Measures {
		return nil, ErrMeasured // the documents are divided by their names
	}
	if opt.Format != "reuters" && in.At == nil && opt.Share == nil {
		list, c, ok, err := in.readTarOnce()
		if ok || err != nil {
			return in.finishTar(c, list, "folder", err)
		}
		again, err := in.Rewind()
		if err != nil {
			return nil, in.Wrap("", err)
		}
		defer again()
	}
	list, err := in.tarList()
	if err != nil {
		return nil, in.Wrap("", err)
	}
	var c *counting.Collection
	format := "folder"
	if opt.Format == "reuters" || opt.Format == "" && (list.reuters || slices.ContainsFunc(list.names, list.isLinkedSGML)) {
		format = "reuters"
		c, err = in.readTarReuters(list)
	} else {
		c, err = in.readTarTexts(list)
	}
	return in.finishTar(c, list, format, err)
}

// finishTar is finish, with a note about what was skipped in the archive.
func (in *source) finishTar(c *counting.Collection, list *tarList, format string, err error) (*counting.Collection, error) {
	if err == nil && list.skipped > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s skipped: they are links that lead outside the archive, pipes or the like (first: %s).",
			message.Plural(list.skipped, "name in the archive was", "names in the archive were"), message.Clip(list.first, 120)))
	}
	return finish(in.File, c, format, err)
}

// readTarReuters reads the files of SGML of an archive. A file with several names is read once,
// because its documents have ids of their own.
func (in *source) readTarReuters(list *tarList) (*counting.Collection, error) {
	sgml := make(map[string]bool)
	for _, name := range list.names {
		if isSGML(name) {
			sgml[list.file(name)] = true
		}
	}
	return in.readReuters(func(yield func(name string, r io.Reader) error) error {
		return eachTar(in, in.Stream, func(name string, h *tar.Header, r io.Reader) error {
			if !isFile(h) || !sgml[name] {
				return nil
			}
			return in.named(in.Name+"/"+name, unpacked(in.Name+"/"+name, r, yield))
		})
	})
}

// tarPlan decides on the documents of an archive, whose files lie in the folder outer.
func (in *source) tarPlan(list *tarList) (plan *folderPlan, outer string, err error) {
	if len(list.names) == 0 {
		return nil, "", input.NoDocuments(in.Fail("", "the archive holds no files; put one text per file into it, in one folder for each class"))
	}
	outer = commonFolder(list.names)
	paths := make([]string, len(list.names))
	for i, name := range list.names {
		paths[i] = name[len(outer):]
	}
	slices.SortFunc(paths, comparePaths)
	plan, err = in.planFolder(filepath.Join(in.Name, filepath.FromSlash(outer)), paths)
	return plan, outer, err
}

// readTarTexts reads the archive of a folder of texts.
func (in *source) readTarTexts(list *tarList) (*counting.Collection, error) {
	in.left = newLeftFiles(in.Name)
	plan, outer, err := in.tarPlan(list)
	if err != nil {
		return nil, err
	}
	texts, err := in.fileTexts()
	if err != nil {
		return nil, err
	}
	// Numbers of the documents of a file and of the links to it.
	at := make(map[string][]int, len(plan.files))
	for i, f := range plan.files {
		file := list.file(outer + f.path)
		at[file] = append(at[file], i)
	}
	var order []int // the documents' numbers in the order of the archive
	lo, hi, count := 0, len(plan.files), in.countTexts
	if s := in.opt.Share; s != nil {
		lo, hi = ranks.Part(s.Team, s.Team.Rank(), hi)
		count = func(produce func(emit func(counting.Batch) bool) error, done func(int)) (*counting.Tally, *counting.Collection, error) {
			c, err := in.dividedTexts(produce, func(int) {})
			return nil, c, err
		}
	}
	_, c, err := count(func(emit func(counting.Batch) bool) error {
		b := &tarBatch{fileTexts: texts, name: in.Name + "/" + outer}
		err := eachTar(in, in.Stream, func(name string, h *tar.Header, r io.Reader) error {
			places := inRange(at[name], lo, hi)
			if !isFile(h) || len(places) == 0 {
				return nil
			}
			data, err := readLimited(r, min(h.Size, counting.BatchBytes), texts.limit)
			for _, i := range places {
				b.files, b.data, b.errs = append(b.files, plan.files[i]), append(b.data, data), append(b.errs, err)
			}
			for _, i := range places {
				order = append(order, i-lo)
			}
			if b.bytes += len(data); b.bytes < counting.BatchBytes {
				return nil
			}
			full := b
			b = &tarBatch{fileTexts: texts, name: in.Name + "/" + outer}
			if !emit(full) {
				return errStopped
			}
			return nil
		})
		if err == errStopped {
			return nil
		}
		emit(b)
		return err
	}, nil)
	if s := in.opt.Share; s != nil && s.Division != nil && s.Division.Total < len(plan.files) {
		return nil, s.NoTexts() // documents are left out: those of a rank are not those of its files
	}
	if err = in.left.none(in, plan, in.Name+"/"+outer, err); err != nil {
		return nil, err
	}
	if len(order) != hi-lo {
		return nil, in.Fail("", "the archive changed while it was read; read it again")
	}
	if err := in.hasHeader(c); err != nil {
		return nil, err
	}
	return c, in.ordered(c, in.left.without(order, plan, in.Name+"/"+outer), plan)
}

// inRange are the numbers from lo on and below hi of a list that ascends.
func inRange(list []int, lo, hi int) []int {
	a, _ := slices.BinarySearch(list, lo)
	b, _ := slices.BinarySearch(list, hi)
	return list[a:b]
}

// ordered puts documents, whose numbers in the plan order has, into the plan's order, and adds what
// the plan says of them.
func (in *source) ordered(c *counting.Collection, order []int, plan *folderPlan) error {
	if !slices.IsSorted(order) {
		entries := 0
		if c.Counts != nil {
			entries = c.Counts.NNZ()
		} else {
			entries = c.X.NNZ()
		}
		rows := make([]int, len(order))
		for row, place := range order {
			rows[place] = row
		}
		if err := in.Mem.Take(int64(entries), 12); err != nil {
			return err
		}
		c.Reorder(rows)
	}
	c.Unread = plan.unread(in.opt.Split)
	c.Notes = append(c.Notes, plan.notes()...)
	c.Notes = append(c.Notes, in.left.notes()...)
	return nil
}

// tarBatch is a few files of an archive.
type tarBatch struct {
	fileTexts
	name  string
	files []textFile
	data  [][]byte
	errs  []error
	bytes int
}

func (b *tarBatch) Len() int  { return len(b.files) }
func (b *tarBatch) Held() int { return b.bytes }

// document decodes file i.
func (b *tarBatch) Document(i int) (counting.Document, error) {
	d := b.files[i].document()
	return d, b.text(&d, b.name+b.files[i].path, b.data[i], b.errs[i])
}

// tarList lists the names in an archive.
type tarList struct {
	// names are the files and the links to files, sorted, without hidden ones (a part of the name
	// begins with a dot).
	names   []string
	files   map[string]bool   // all files
	links   map[string]string // hard and symbolic links -> the names that they lead to
	open    []string          // links that are not hidden, until finish
	skipped int               // links that lead elsewhere, pipes, devices
	first   string
	reuters bool // a file *.sgm is one of Reuters-21578
}

// linkSteps is how many links may follow one another; systems have such a limit too.
const linkSteps = 40

// file returns the file that a name stands for; empty if it is a link to no file.
func (l *tarList) file(name string) string {
	for range linkSteps {
		if l.files[name] {
			return name
		}
		next, link := l.links[name]
		if !link {
			return ""
		}
		name = next
	}
	return ""
}

func (l *tarList) skip(name string) {
	if l.skipped++; l.skipped == 1 {
		l.first = name
	}
}

// tarList lists the archive, with a reader of its own.
func (in *source) tarList() (*tarList, error) {
	r, done, err := in.Again()
	if err != nil {
		return nil, err
	}
	defer done()
	list := newTarList()
	err = eachTar(in, r, func(name string, h *tar.Header, r io.Reader) error {
		if !list.reuters && isFile(h) && h.Size > 0 && isSGML(name) && !isHidden(name) {
			list.reuters = beginsReuters(r)
		}
		return list.add(in, name, h)
	})
	if err != nil {
		return nil, err
	}
	return list, list.finish(in)
}

// isLinkedSGML reports whether a name is that of a file *.sgm and leads to a file of another name,
// whose content was not looked at.
func (l *tarList) isLinkedSGML(name string) bool {
	return isSGML(name) && !l.files[name] && !isSGML(l.file(name))
}

func newTarList() *tarList {
	return &tarList{files: make(map[string]bool), links: make(map[string]string)}
}

// isHidden says that a part of the name is hidden.
func isHidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), input.IsHidden)
}

// add lists an entry.
func (l *tarList) add(in *source, name string, h *tar.Header) error {
	if err := in.Ctx.Err(); err != nil {
		return err
	}
	hidden := isHidden(name)
	switch {
	case isFile(h):
		l.files[name] = true
		if !hidden {
			l.names = append(l.names, name)
		}
	case h.Typeflag == tar.TypeLink, h.Typeflag == tar.TypeSymlink:
		l.links[name] = linkTarget(name, h)
		if !hidden {
			l.open = append(l.open, name)
		}
	case h.Typeflag != tar.TypeDir && h.Typeflag != tar.TypeXGlobalHeader && !hidden:
		l.skip(name)
	}
	return in.Mem.Take(3*counting.DocumentBytes+int64(len(name)+len(h.Linkname)), 1)
}

// finish follows the links and sorts the names.
func (l *tarList) finish(in *source) error {
	for _, name := range l.open {
		if l.file(name) != "" {
			l.names = append(l.names, name)
		} else {
			l.skip(name)
		}
	}
	slices.Sort(l.names)
	for i, name := range l.names {
		if i > 0 && name == l.names[i-1] {
			return in.Fail("", "the archive holds the file %s twice; pack it again", message.Clip(name, 120))
		}
	}
	return nil
}

// isFile recognises the entries that have content.
func isFile(h *tar.Header) bool {
	return h.Typeflag == tar.TypeReg || h.Typeflag == tar.TypeCont || h.Typeflag == tar.TypeGNUSparse
}

// linkTarget returns the name that a link leads to; empty if that is outside the archive. A hard
// link gives the path from the archive's root, a symbolic link the path from its own folder.
func linkTarget(name string, h *tar.Header) string {
	if h.Typeflag == tar.TypeLink {
		return path.Clean("/" + h.Linkname)[1:]
	}
	target := path.Join(path.Dir(name), h.Linkname)
	if path.IsAbs(h.Linkname) || target == ".." || strings.HasPrefix(target, "../") {
		return ""
	}
	return target
}

// tarBlock is the unit of an archive, in bytes. A block of zeros, as a rule two, ends it.
const tarBlock = 512

// eachTar passes the entries of an archive to yield, by their paths. An archive without its end,
// or with more than zeros after it, is an error: documents would be missing without a word. Errors
// that are about the archive itself say after which entry they occur.
func eachTar(in *source, r io.Reader, yield func(name string, h *tar.Header, r io.Reader) error) error {
	tail := &tarTail{r: r}
	t := tar.NewReader(tail)
	last := ""
	fail := func(err error) error {
		place := "at its first entry"
		if last != "" {
			place = "after " + message.Clip(last, 120)
		}
		switch {
		case errors.Is(err, tar.ErrHeader), errors.Is(err, tar.ErrFieldTooLong):
			return in.Fail(place, "the archive is damaged, what should be an entry is none; copy, download or pack it again")
		case errors.Is(err, errJoined):
			return in.Fail(place, "the archive ends, but the file goes on; if archives were joined, unpack them all into one folder and name that")
		}
		return in.Wrap(place, err)
	}
	for {
		if err := tail.skip(t); err != nil {
			return fail(err)
		}
		tail.since = 0
		h, err := t.Next()
		if err == io.EOF {
			if err = tail.end(); err != nil {
				return fail(err)
			}
			return nil
		}
		if err != nil {
			return fail(err)
		}
		last = h.Name
		name := path.Clean("/" + h.Name)[1:]
		if name == "" {
			continue
		}
		if err := yield(name, h, t); err != nil {
			return err
		}
	}
}

// TarFiles passes each file of an archive that is not hidden to yield, with its path. A link, and
// whatever else is no file, has the content nil. It reads the archive anew. The error is what yield
// returned, or says what is wrong with the archive.
func TarFiles(file *input.File, yield func(name string, content io.Reader) error) error {
	in := &source{File: file}
	r, done, err := in.Again()
	if err != nil {
		return err
	}
	defer done()
	return eachTar(in, r, func(name string, h *tar.Header, r io.Reader) error {
		switch {
		case in.Ctx.Err() != nil:
			return in.Ctx.Err()
		case isHidden(name), h.Typeflag == tar.TypeDir, h.Typeflag == tar.TypeXGlobalHeader:
			return nil
		case !isFile(h):
			return yield(name, nil)
		}
		return yield(name, r)
	})
}

// errJoined marks bytes after the end of an archive.
var errJoined = errors.New("bytes after the end of the archive")

// tarTail passes an archive on and knows how it ended.
type tarTail struct {
	r     io.Reader
	since int // bytes read since it was set to zero
	zeros int // zeros that the bytes so far end in
}

func (t *tarTail) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	t.since += n
	kept := len(bytes.TrimRight(p[:n], "\x00"))
	if kept > 0 {
		t.zeros = 0
	}
	t.zeros += n - kept
	return n, err
}

// skip reads what is left of an entry, so that what Next reads afterwards are headers. Holes of a
// sparse file may be far longer than the archive; they are left to Next.
func (t *tarTail) skip(entry io.Reader) error {
	const most = 1 << 20
	t.since = 0
	for left := int64(0); left <= int64(t.since)+most; {
		n, err := io.CopyN(io.Discard, entry, most)
		if left += n; err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// end checks, after the last header was looked for, that there was a block of zeros in its place
// and that nothing but zeros follows. It reads to the end, so that checksums of a compressed
// archive are verified.
func (t *tarTail) end() error {
	if t.since < tarBlock || t.zeros < tarBlock {
		return io.ErrUnexpectedEOF
	}
	_, err := io.Copy(onlyZeros{}, t.r)
	return err
}

// onlyZeros takes zeros and refuses all else.
type onlyZeros struct{}

func (onlyZeros) Write(p []byte) (int, error) {
	if len(bytes.TrimRight(p, "\x00")) > 0 {
		return 0, errJoined
	}
	return len(p), nil
}

// commonFolder returns the path, with its slash, of the innermost folder that holds all files. It
// goes no deeper than one folder above the files, so that a folder of texts without classes stays
// one.
func commonFolder(names []string) string {
	outer := ""
	for {
		at := strings.IndexByte(names[0][len(outer):], '/')
		if at < 0 {
			return outer
		}
		inner := names[0][:len(outer)+at+1]
		if slices.ContainsFunc(names, func(n string) bool { return !strings.HasPrefix(n, inner) }) {
			return outer
		}
		outer = inner
	}
}

// comparePaths orders paths as a walk through the folder does, by the bytes of the names.
func comparePaths(a, b string) int {
	for {
		x, restA, _ := strings.Cut(a, "/")
		y, restB, _ := strings.Cut(b, "/")
		if x != y {
			return strings.Compare(x, y)
		}
		if restA == "" || restB == "" {
			return strings.Compare(restA, restB)
		}
		a, b = restA, restB
	}
}
