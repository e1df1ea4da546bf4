package corpus

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/shards"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// division is what a rank knows of a corpus whose documents are divided among ranks.
type division struct {
	team       ranks.Team
	sizes      []int // documents of each class, of all ranks
	unlabelled int
}

// readDivided is [Read] with ReadOptions.Divide by a team. It is a collective call, and all ranks
// get the same error.
func readDivided(ctx context.Context, team ranks.Team, path string, opt ReadOptions) (*Corpus, error) {
	var given *Labeling
	var parts *divisible
	err := ctx.Err()
	if err == nil && opt.Labels != "" {
		given, err = readLabelingLimited(ctx, opt.Labels, "", opt.MaxBytes)
	}
	if err == nil {
		parts, err = dividable(ctx, path, opt)
	}
	if err = input.Agree(team, err); err != nil {
		return nil, err
	}
	if err := sameRequest(team, path, opt, given, parts != nil); err != nil {
		return nil, err
	}
	if parts == nil {
		if c, err := readShared(ctx, team, path, opt, given); c != nil || err != nil {
			return c, err
		}
		return readKept(ctx, team, path, opt, given)
	}
	in := input.NewFolder(ctx, path, opt.limits())
	t, d, err := text.ReadDivided(in, team, parts.paths, parts.format, parts.note, opt.texts())
	if errors.Is(err, text.ErrNumbers) && parts.format != "" { // not of a folder, whose files are texts
		return readKept(ctx, team, path, opt, given)
	}
	if err != nil {
		return nil, err
	}
	c := &Corpus{Name: path, X: t.X, Labels: t.Labels, ClassNames: t.ClassNames, Terms: t.Terms, Stems: t.Stems, IDs: t.IDs, Snippets: t.Snippets, Rarities: t.Rarities, Notes: append(in.Notes, t.Notes...), Format: t.Format}
	return c.ofRank(team, d, opt, given)
}

// readKept reads a corpus whole on every rank, which keeps its rows. All ranks call it.
func readKept(ctx context.Context, team ranks.Team, path string, opt ReadOptions, given *Labeling) (*Corpus, error) {
	c, err := readWhole(ctx, path, opt, given)
	if err = input.Agree(team, err); err != nil {
		return nil, err
	}
	if err := sameInput(team, []ranks.Fact{{Name: path, Value: c.Digest()}}); err != nil {
		return nil, err
	}
	return c.Divide(team)
}

// ofRank makes the corpus of this rank's documents one of a team's, with the labels that are given.
func (c *Corpus) ofRank(team ranks.Team, d *counting.Division, opt ReadOptions, given *Labeling) (*Corpus, error) {
	c.IDsFrom, c.First, c.Total, c.division = opt.IDsFrom, d.First, d.Total, &division{team, d.Sizes, d.Unlabelled}
	if given != nil {
		if err := given.apply(c); err != nil {
			return nil, err
		}
	}
	return c, c.noteRead()
}

// readShared reads a file of texts that every rank reads from its start and counts a part of
// (text.Sharing); nil of one that each rank has to keep whole: a folder, numbers, and formats whose
// documents depend on one another. All ranks call it.
func readShared(ctx context.Context, team ranks.Team, path string, opt ReadOptions, given *Labeling) (*Corpus, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || opt.Vectors {
		return nil, nil
	}
	if err := text.SameFile(input.NewFolder(ctx, path, opt.limits()), team, path); err != nil {
		return nil, err
	}
	measured := &text.Sharing{Team: team, Measures: true}
	if team.Rank() == 0 {
		alone := opt
		alone.share, alone.Observer = measured, nil
		_, err = readFile(ctx, path, alone, given)
	}
	bytes := []float64{float64(measured.Bytes), 0}
	if errors.Is(err, text.ErrMeasured) {
		bytes[1] = 1
	}
	if team.Share(bytes); bytes[1] == 0 || ctx.Err() != nil { // an error comes again where it is read
		return nil, ranks.Agree(team, ctx.Err())
	}
	if err := ranks.Agree(team, nil); err != nil {
		return nil, err
	}
	s := &text.Sharing{Team: team, Bytes: int64(bytes[0])}
	opt.share = s
	c, err := readFile(ctx, path, opt, given)
	if s.Undivided {
		err = nil
	}
	if !s.Agreed { // the others may have begun to count
		err = input.Agree(team, err)
	}
	if err = input.Agree(team, err); err != nil || s.Undivided || s.Division == nil {
		return nil, err
	}
	return c.ofRank(team, s.Division, opt, given)
}

// sameRequest refuses ranks that read in other ways: with other options, words or labels, or a file
// of another kind. The paths may differ.
func sameRequest(team ranks.Team, path string, opt ReadOptions, given *Labeling, divisible bool) error {
	stop, err := opt.Text.StopList()
	if err = input.Agree(team, err); err != nil {
		return err
	}
	same := opt
	same.Observer, same.MaxBytes, same.Text.Vocabulary = nil, 0, nil
	if given != nil {
		same.Labels = "a file"
	}
	if stop != nil {
		same.Text.StopWords = "a file"
	}
	how, _ := json.Marshal(same) // texts and numbers cannot fail
	if err := ranks.SameOptions(team, []ranks.Fact{{Name: "the options of reading", Value: string(how)}}); err != nil {
		return err
	}
	files := []ranks.Fact{{Name: path, Value: fmt.Sprint(divisible)}, {Name: opt.Text.StopWords, Value: digest(stop...)}, {Name: "the vocabulary", Value: digest(opt.Text.Vocabulary...)}}
	if given != nil {
		files = append(files, ranks.Fact{Name: opt.Labels, Value: digest(given.IDs...) + digest(given.Labels...)})
	}
	return sameInput(team, files)
}

// sameInput is [ranks.SameInput] with a FormatError of the file.
func sameInput(team ranks.Team, files []ranks.Fact) error {
	d := ranks.Compare(team, files)
	if d == nil {
		return nil
	}
	return input.Failf(d.Name(), "", "rank %d reads other content from it than rank 0: %s", d.Rank, ranks.SameFile)
}

// digest is a hash of texts.
func digest(texts ...string) string {
	h := store.NewHasher("texts 1")
	for _, t := range texts {
		h.Text(t)
	}
	return h.Key().String()
}

// Digest is a hash of what was read: rows, labels and names. With ranks it is of the part that is
// here.
func (c *Corpus) Digest() string {
	h := store.NewHasher("corpus")
	h.Matrix(c.X)
	h.Value([]bool{c.Labels == nil, c.IDs == nil, c.Terms == nil})
	h.Ints(c.Labels)
	for _, texts := range [][]string{c.ClassNames, c.Terms, c.IDs, c.unread, {c.Format}, c.Stems} {
		h.Text(digest(texts...))
	}
	return h.Key().String()
}

// divisible is a corpus whose reading can be divided.
type divisible struct {
	paths        []string
	format, note string
}

// dividable finds the files of JSON lines and of Parquet; nil for another corpus.
func dividable(ctx context.Context, path string, opt ReadOptions) (*divisible, error) {
	info, err := shards.Stat(path)
	if err != nil {
		return nil, input.OpenError(path, err)
	}
	if opt.Transpose {
		return nil, nil // refused there
	}
	if info.IsDir() {
		paths, err := folderParts(ctx, path, opt)
		if err != nil || paths == nil {
			return nil, err
		}
		return &divisible{paths: paths, note: text.PartsNote(paths, false)}, nil
	}
	in, done, err := input.Open(ctx, path, input.Limits{MaxBytes: opt.MaxBytes})
	if err != nil {
		return nil, err
	}
	defer done()
	in.Path = path
	if archive, err := isTar(in, opt.Format); err != nil || archive {
		return nil, err
	}
	if wide, err := wideJSON(in, opt.Format); err != nil || wide != "" {
		return nil, err // it is read whole
	}
	format, err := opt.detect(in)
	switch {
	case err != nil:
		return nil, in.Blame(err)
	case format == "list":
		paths, err := text.Listed(in, opt.texts())
		if err != nil {
			return nil, err
		}
		return &divisible{paths: paths, note: text.PartsNote(paths, true)}, nil
	case text.Parts(format) && format != "xml":
		return &divisible{paths: []string{path}, format: format}, nil
	}
	return nil, nil
}

// Divide keeps this rank's rows of a corpus that every rank has read whole. All ranks call it.
//
// Errors (fs.ErrInvalid), on all ranks: corpora of different sizes, and more ranks than documents.
func (c *Corpus) Divide(team ranks.Team) (*Corpus, error) {
	n := c.Len()
	if n < team.Size() {
		return nil, counting.TooFew(c.Name, n, team)
	}
	lo, hi := ranks.Part(team, team.Rank(), n)
	out := *c
	out.division = &division{team: team}
	out.division.sizes, out.division.unlabelled = c.ClassSizes()
	out.First, out.Total = lo, n
	out.X, out.gaps = RowsOf(c.X, lo, hi), c.gapsBetween(lo, hi)
	if c.Labels != nil {
		out.Labels = append([]int{}, c.Labels[lo:hi]...)
	}
	if c.IDs != nil {
		out.IDs = append([]string{}, c.IDs[lo:hi]...)
	}
	if c.Rarities != nil {
		out.Rarities = append([]Rarity{}, c.Rarities[lo:hi]...)
	}
	if c.Snippets != nil {
		out.Snippets = append([]string{}, c.Snippets[lo:hi]...)
	}
	return &out, nil
}

// RowsOf copies the rows from lo up to hi of a matrix; sparse rows stay sparse.
func RowsOf(x mat.Matrix, lo, hi int) mat.Matrix {
	rows := make([]int, hi-lo)
	for i := range rows {
		rows[i] = lo + i
	}
	if s, ok := x.(sparse.Rows); ok {
		return s.Select(rows)
	}
	if s, ok := x.(*sparse.Counts); ok {
		return s.Select(rows)
	}
	_, cols := x.Dims()
	out := mat.NewDense(hi-lo, cols, nil)
	for i := lo; i < hi; i++ {
		mat.Row(out.RawRowView(i-lo), i, x)
	}
	return out
}

// Distinct keeps the documents with the given numbers, ascending. If the corpus is
// [Corpus.Gathered] of several ranks, here are those of them whose rows are here, counted from
// the first row that is here; else here is rows.
func (c *Corpus) Distinct(rows, here []int) *Corpus {
	if c.Total == 0 {
		return c.SelectRows(rows)
	}
	out := *c
	out.X, out.gaps, out.Total = sparse.SelectRows(c.X, here), c.gapsIn(here), len(rows)
	out.IDs = make([]string, len(rows))
	for i, r := range rows {
		out.IDs[i] = c.ID(r)
	}
	out.Labels, out.Snippets, out.Rarities = matrix.Picked(c.Labels, rows), matrix.Picked(c.Snippets, rows), matrix.Picked(c.Rarities, here)
	return &out
}

// Divided reports whether the corpus holds a part of the documents of a team of ranks.
func (c *Corpus) Divided() bool { return c.division != nil }

// Gathered is a divided corpus with the names and labels of the documents of all ranks on every
// rank, which numbers then are of, and with the snippets of all on rank 0; X keeps the rows that
// are here, which Weighted and TopTerms of the divided corpus are of. All ranks call it.
func (c *Corpus) Gathered() *Corpus {
	if c.division == nil {
		return c
	}
	type named struct {
		IDs    []string
		Labels []int
	}
	var say bytes.Buffer // texts may have any bytes, which JSON does not keep
	_ = gob.NewEncoder(&say).Encode(named{c.IDs, c.Labels})
	out := *c
	out.division, out.First, out.IDs, out.Labels = nil, 0, nil, nil
	for _, said := range ranks.Gather(c.division.team, say.Bytes()) {
		var part named
		_ = gob.NewDecoder(bytes.NewReader(said)).Decode(&part)
		out.IDs, out.Labels = append(out.IDs, part.IDs...), append(out.Labels, part.Labels...)
	}
	out.Snippets = nil
	parts := make([][]byte, c.division.team.Size())
	if c.Snippets != nil {
		var texts bytes.Buffer // others may still read the first one
		_ = gob.NewEncoder(&texts).Encode(c.Snippets)
		parts[0] = texts.Bytes()
	}
	for _, said := range c.division.team.Exchange(parts) {
		var part []string
		_ = gob.NewDecoder(bytes.NewReader(said)).Decode(&part) // nothing on other ranks
		out.Snippets = append(out.Snippets, part...)
	}
	return &out
}

// Documents is the number of documents: of all ranks, if they are divided.
func (c *Corpus) Documents() int {
	if c.division != nil {
		return c.Total
	}
	return c.Len()
}

// agree gives all ranks of a divided corpus the first error that one of them has.
func (c *Corpus) agree(err error) error {
	if c.division == nil {
		return err
	}
	return input.Agree(c.division.team, err)
}

// sum replaces numbers by their sums over all ranks of a divided corpus.
func (c *Corpus) sum(x []float64) {
	if c.division != nil {
		c.division.team.Sum(x)
	}
}

// sumInts is sum of numbers of documents, which are exact.
func (c *Corpus) sumInts(x []int) []int {
	if c.division == nil {
		return x
	}
	f := make([]float64, len(x))
	for i, v := range x {
		f[i] = float64(v)
	}
	c.division.team.Sum(f)
	for i, v := range f {
		x[i] = int(v)
	}
	return x
}

// errDivided refuses work on documents that other ranks hold.
func (c *Corpus) errDivided(what string) error {
	return invalid.Errorf("%s: its documents are divided among %d ranks, where %s; start without mpirun", c.Name, c.division.team.Size(), what)
}

// endIDs are the names of the first and the last document of all.
func (c *Corpus) endIDs() (first, last string) {
	if c.division == nil {
		return c.ID(0), c.ID(c.Len() - 1)
	}
	var own [2]string
	for k, i := range []int{0, c.Total - 1} {
		if i -= c.First; i >= 0 && i < c.Len() {
			own[k] = c.ID(i)
		}
	}
	_, a := ranks.First(c.division.team, []byte(own[0]))
	_, b := ranks.First(c.division.team, []byte(own[1]))
	return string(a), string(b)
}

// found maps each name that a document has to the document's number, counted over all ranks; -1 if
// several documents have the name.
func (c *Corpus) found(names []string) map[string]int {
	row := c.rowsByID()
	if c.division == nil {
		return row
	}
	var own []int // positions in names, and numbers of documents
	for k, name := range names {
		if i, here := row[name]; here {
			if i >= 0 {
				i += c.First
			}
			own = append(own, k, i)
		}
	}
	say, _ := json.Marshal(own) // numbers cannot fail
	all := make(map[string]int, len(names))
	seen := make(map[string]int) // the rank that has a name
	for r, said := range ranks.Gather(c.division.team, say) {
		var theirs []int
		_ = json.Unmarshal(said, &theirs)
		for ; len(theirs) > 1; theirs = theirs[2:] {
			name := names[theirs[0]]
			if other, there := seen[name]; there && other != r {
				all[name] = -1
				continue
			}
			seen[name], all[name] = r, theirs[1]
		}
	}
	return all
}

// own returns this rank's slice of list, which has an entry for every document of all ranks.
func own[T any](c *Corpus, list []T) []T {
	if c.division == nil || list == nil {
		return list
	}
	return append([]T{}, list[c.First:c.First+c.Len()]...)
}
