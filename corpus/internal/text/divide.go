package text

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/classes"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/language"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
	"github.com/eigenmap/eigenmap/corpus/internal/tokens"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// Divided reading. Every function here that takes a team is a collective call: the error of one
// rank reaches the others by input.Agree, and all return it.

// Division says which documents of all ranks a Collection holds.
type Division struct {
	First, Total int
	Sizes        []int // documents of each class, of all ranks
	Unlabelled   int
}

// ReadDivided reads the files of a corpus in parts: every rank reads its part of the bytes, in the
// order of the ranks, and holds the documents ranks.Part(team, rank, n) of all n in the end. Terms,
// classes, notes and errors are the same as in one process that reads everything. format is the
// format of all files, or "" to find it out; note is the first of the notes, "" for none.
//
// Memory in addition to [Read], on each rank: its share of the vocabulary and the ids of all, and
// the rows that move.
func ReadDivided(file *input.File, team ranks.Team, paths []string, format, note string, opt ReadOptions) (*Collection, *Division, error) {
	in := &source{File: file, opt: opt}
	parts, err := in.plan(paths, format, team.Size())
	if err = input.Agree(team, err); err != nil {
		return nil, nil, err
	}
	if err := samePlan(team, parts); err != nil {
		return nil, nil, err
	}
	d, err := in.countShare(team, parts)
	if err != nil {
		return nil, nil, err
	}
	in.Finished()
	c, err := d.collection()
	if err != nil {
		return nil, nil, err
	}
	if c.Format = formatOf(parts); note != "" {
		c.Notes = append([]string{note}, c.Notes...)
	}
	return c, &Division{d.first, d.total, d.sizes, d.unlabelled}, nil
}

// countShare counts the documents of this rank's part. A file that changed meanwhile is the first
// error, then other content on another rank, since they may be the cause of any other one: a line
// that two copies cut elsewhere.
func (in *source) countShare(team ranks.Team, parts []part) (*division, error) {
	own := sliced(parts, team.Rank(), team.Size())
	wait := in.sumsBeside(team, parts, own)
	err := in.lookAtParts(parts)
	var a *analyzer
	if err == nil {
		a, err = in.opt.analyzer()
	}
	t := &tally{}
	if err == nil {
		t, err = countTexts(in.Ctx, a, in.Mem, in.slices(own, len(parts) > 1), func(int) {})
	}
	if err != nil {
		err = in.Wrap("", in.blame(parts, err))
	}
	sums, failed := wait()
	if changed := unchanged(parts); changed != nil {
		failed = changed
	}
	if failed = input.Agree(team, failed); failed != nil {
		return nil, failed
	}
	if err := sameContent(team, parts, sums); err != nil {
		return nil, err
	}
	if err = input.Agree(team, err); err != nil {
		return nil, err
	}
	return &division{team: team, in: in, a: a, tally: t}, nil
}

// plan looks at the files, at the groups of rows of Parquet, and at the lengths of compressed JSON
// lines that would be more than the share of one of the ranks, size in all.
func (in *source) plan(paths []string, format string, size int) ([]part, error) {
	var parts []part
	var err error
	if format == "" {
		parts, err = in.parts(paths, nil)
	} else {
		for _, path := range paths {
			p, failed := in.look(path)
			if failed != nil {
				return nil, failed
			}
			p.format = format
			parts = append(parts, p)
		}
	}
	if err != nil {
		return nil, err
	}
	for i := range parts {
		if p := &parts[i]; p.format == "parquet" && !p.packed && p.size > 0 {
			if err := in.groups(p); err != nil {
				return nil, err
			}
		}
	}
	err = in.unpack(parts, size)
	if changed := unchanged(parts); changed != nil { // the cause of any other error
		return nil, changed
	}
	return parts, err
}

// unpack finds the lengths of the contents of the files of compressed JSON lines that are larger
// than the share of a rank, so that they can be divided by lines. Every rank reads them for it.
// Every other packed file counts as packed as tightly.
func (in *source) unpack(parts []part, size int) error {
	total := int64(0)
	for i := range parts {
		total += parts[i].weight()
	}
	packed, content := int64(0), int64(0)
	for i := range parts {
		p := &parts[i]
		if p.format != "jsonl" || !p.packed || p.size <= share(total, 1, size) {
			continue
		}
		if err := in.measure(p); err != nil {
			return err
		}
		packed, content = packed+p.size, content+p.unpacked
	}
	for i := range parts {
		if p := &parts[i]; packed > 0 && p.format == "jsonl" && p.packed && p.unpacked == 0 {
			p.about = int64(float64(p.size) / float64(packed) * float64(content))
		}
	}
	return nil
}

// measure finds the length of the content of a compressed file.
func (in *source) measure(p *part) error {
	in.Expect(p.size)
	file, done, err := in.Part(p.path)
	if err != nil {
		return err
	}
	defer done()
	p.unpacked, err = io.Copy(io.Discard, file.Stream)
	return file.Wrap("", err)
}

// groups finds the sizes of the groups of rows of a file.
func (in *source) groups(p *part) error {
	file, done, err := in.Part(p.path)
	if err != nil {
		return err
	}
	defer done()
	rows, err := in.openParquet(file, &origin{ctx: in.Ctx, file: p.path, unit: "row"})
	if err != nil {
		return err
	}
	defer rows.close()
	for g := range rows.until {
		p.bytes = append(p.bytes, rows.bytesOf(g))
		p.chunks = append(p.chunks, rows.extentsOf(g))
	}
	p.footer = p.size - 8 - rows.footer
	return nil
}

// sliced returns the bytes that a rank reads: the bytes of all parts are divided evenly among size
// ranks. A line belongs to the rank in whose bytes it begins; a file that cannot be cut, to the
// rank that has its middle. Compressed JSON lines that are cut have the bytes of their content.
func sliced(parts []part, rank, size int) []slice {
	total := int64(0)
	for i := range parts {
		total += parts[i].weight()
	}
	lo, hi := share(total, rank, size), share(total, rank+1, size)
	mine := func(start, weight int64) bool {
		middle := min(start+weight/2, max(0, total-1))
		return lo <= middle && middle < hi || total == 0 && rank == 0
	}
	var own []slice
	at := int64(0)
	for _, p := range parts {
		weight := p.weight()
		switch {
		case p.format == "jsonl" && (!p.packed || p.unpacked > 0):
			if a, b := max(lo, at), min(hi, at+weight); a < b {
				own = append(own, slice{p, a - at, b - at})
			}
		case p.bytes != nil:
			s, inside := slice{part: p}, at
			for g, n := range p.bytes {
				if mine(inside, n) {
					if s.hi == 0 {
						s.lo = int64(g)
					}
					s.hi = int64(g) + 1
				}
				inside += n
			}
			if s.hi > 0 {
				own = append(own, s)
			}
		case mine(at, weight):
			own = append(own, slice{part: p})
		}
		at += weight
	}
	return own
}

// weight is the bytes of a part by which the reading is divided.
func (p *part) weight() (n int64) {
	switch {
	case p.unpacked > 0:
		return p.unpacked
	case p.about > 0:
		return p.about
	case p.bytes == nil:
		return p.size
	}
	for _, b := range p.bytes {
		n += b
	}
	return n
}

// division makes one collection of the tallies of all ranks.
type division struct {
	*tally
	team        ranks.Team
	in          *source
	a           *analyzer
	each        []rankFacts
	first       int // documents of the ranks before this one, as they were read
	total       int
	sizes       []int
	unlabelled  int
	distinct    int
	apart       int // runs within the limits whose words do not belong together
	allOdd      int // documents of all ranks whose label is no class
	anyID, anyL bool
}

// rankFacts are what every rank says of its tally.
type rankFacts struct {
	Docs, Skipped, Damaged, Guessed, Odd, NoText, Markup, Twice, PDFs, Mail, Emptied int
	Words                                                                            int64
	PDFsBy                                                                           string
	ID, Label                                                                        bool
	Tongues, Packed                                                                  []int
}

// agree is input.Agree with the name of the corpus in the error.
func (d *division) agree(err error) error { return input.Agree(d.team, d.in.Wrap("", err)) }

// collection is [tally.collection] of all ranks.
func (d *division) collection() (*Collection, error) {
	all := d.sum()
	switch {
	case d.total == 0:
		return nil, input.NoDocuments(d.in.Fail("", "it holds no documents; give at least one text"))
	case d.total < d.team.Size():
		return nil, TooFew(d.in.Name, d.total, d.team)
	}
	if err := d.samePDFs(); err != nil {
		return nil, err
	}
	if err := refuseNoTexts(all.NoText, d.total, d.a, d.in.Name); err != nil {
		return nil, err
	}
	moved, vocabulary, err := d.vocabulary()
	if err = d.agree(err); err != nil {
		return nil, err
	}
	mixed := d.a.each != nil && language.Mixed(all.Tongues[:])
	vocabulary.mixed = mixed
	terms, stems, column, df, err := d.columns(vocabulary)
	if err != nil {
		return nil, err
	}
	f := facts{docs: d.total, words: all.Words, distinct: d.distinct, apart: d.apart, terms: len(terms), mixed: mixed, foreign: mixed && language.NoneKnown(all.Tongues), emptied: all.Emptied}
	if f.met, err = d.met(vocabulary, column, len(terms)); err != nil {
		return nil, err
	}
	if err := f.check(d.a, d.in.Name); err != nil {
		return nil, err
	}
	c := &Collection{Terms: terms, Snippets: d.snippets(d.a)}
	if mixed {
		c.Stems = stems
	}
	if !d.a.opt.ForModel {
		if err = d.in.Mem.Take(int64(d.docs), 8); err == nil {
			c.Rarities = d.rarities(moved, vocabulary, df, d.total, column)
		}
		if err = d.agree(err); err != nil {
			return nil, err
		}
	}
	if err = d.in.Mem.Take(d.entries, 12); err == nil {
		c.X, err = d.asCounted(moved, column, len(terms)).Expand(d.in.Ctx)
	}
	if err = d.agree(err); err != nil {
		return nil, err
	}
	if err := d.names(c); err != nil {
		return nil, err
	}
	d.labels(c)
	c.Notes = append(c.Notes, f.note(d.a))
	c.noteBytes(all.Damaged, d.placeOfFirst(func(f rankFacts) int { return f.Damaged }, d.firstDamaged, d.place),
		all.Guessed, d.placeOfFirst(func(f rankFacts) int { return f.Guessed }, d.firstGuessed, d.guess))
	c.noteNoTexts(all.NoText, d.placeOfFirst(func(f rankFacts) int { return f.NoText }, d.firstNoText, d.named))
	if d.a.each != nil {
		c.Notes = append(c.Notes, language.Notes(all.Tongues, !d.a.opt.ForModel && d.a.among == nil)...)
	}
	c.Notes = append(append(c.Notes, plain.MarkupNote(all.Markup, !d.a.opt.ForModel)...), charset.TwiceNote(all.Twice)...)
	c.Notes = append(c.Notes, pdfNote(all.PDFs, all.PDFsBy)...)
	if !d.a.opt.ForModel {
		c.noteMail(all.Mail, d.placeOfFirst(func(f rankFacts) int { return f.Mail }, d.firstMail, d.place),
			all.Emptied, d.placeOfFirst(func(f rankFacts) int { return f.Emptied }, d.firstEmptied, d.place))
	}
	c.Notes = append(c.Notes, tokens.UnspacedNotes(all.Packed)...)
	d.parts, d.workers = nil, nil
	return c, d.move(c)
}

// sum adds up what the ranks say of their tallies.
func (d *division) sum() (all rankFacts) {
	own := rankFacts{Docs: d.docs, Skipped: d.skipped, Damaged: d.damaged, Guessed: d.guessed, Odd: d.odd, NoText: d.noText, Markup: d.markup, Twice: d.twice, PDFs: d.pdfs, PDFsBy: d.pdfsBy, Mail: d.mail, Emptied: d.emptied, Words: d.words, Tongues: d.tongues[:], Packed: d.packed}
	for _, p := range d.parts {
		for i := range p.docs {
			own.ID, own.Label = own.ID || p.docs[i].hasID, own.Label || p.docs[i].hasLabel
		}
	}
	all.Tongues, all.Packed = make([]int, language.Tongues), make([]int, tokens.Unspaced)
	say, _ := json.Marshal(own) // numbers cannot fail
	for r, said := range ranks.Gather(d.team, say) {
		var f rankFacts
		_ = json.Unmarshal(said, &f)
		d.each = append(d.each, f)
		if r < d.team.Rank() {
			d.first += f.Docs
		}
		all.Docs += f.Docs
		all.Damaged += f.Damaged
		all.Guessed += f.Guessed
		all.Odd += f.Odd
		all.NoText += f.NoText
		all.Markup += f.Markup
		all.Twice += f.Twice
		all.PDFs += f.PDFs
		all.PDFsBy = cmp.Or(all.PDFsBy, f.PDFsBy)
		all.Mail += f.Mail
		all.Emptied += f.Emptied
		all.Words += f.Words
		for k, n := range f.Tongues {
			all.Tongues[k] += n
		}
		for k, n := range f.Packed {
			all.Packed[k] += n
		}
		d.anyID, d.anyL = d.anyID || f.ID, d.anyL || f.Label
	}
	d.total, d.allOdd = all.Docs, all.Odd
	d.anyL = d.anyL && !mostlyOdd(all.Odd, all.Docs)
	return all
}

// placeOfFirst gives all ranks the place of the first document of a kind, i on its own rank; "" if
// there is none.
func (d *division) placeOfFirst(count func(rankFacts) int, i int, place func(int) string) string {
	rank := slices.IndexFunc(d.each, func(f rankFacts) bool { return count(f) > 0 })
	if rank < 0 {
		return ""
	}
	var say []byte
	if rank == d.team.Rank() {
		say = []byte(place(i))
	}
	_, said := ranks.First(d.team, say)
	return string(said)
}

// names names the documents, and refuses a name that two of them have: the rank that the name's
// hash chooses finds it.
func (d *division) names(c *Collection) error {
	if !d.anyID {
		return nil
	}
	c.IDs = make([]string, 0, d.docs)
	parts := make([]parcel, d.team.Size())
	for _, p := range d.parts {
		for _, doc := range p.docs {
			i := d.first + len(c.IDs)
			if !doc.hasID {
				doc.id = strconv.Itoa(i + 1)
			}
			c.IDs = append(c.IDs, doc.id)
			to := &parts[owner(doc.id, d.team)]
			to.text(doc.id)
			to.number(uint64(i))
		}
	}
	got, err := d.exchange(parts, 4)
	if err != nil {
		return err
	}
	same := sameIDs{i: -1}
	seen := make(map[string]int)
	for _, p := range got {
		for len(p) > 0 {
			id, i := p.takeText(), int(p.takeNumber())
			if k, there := seen[id]; there {
				if same.count++; same.i < 0 || i < same.i {
					same.i, same.k = i, k
				}
				continue
			}
			seen[id] = i
		}
	}
	say, _ := json.Marshal([]int{same.count, same.i, same.k})
	same = sameIDs{i: -1}
	for _, said := range ranks.Gather(d.team, say) {
		var other [3]int
		_ = json.Unmarshal(said, &other)
		if same.count += other[0]; other[1] >= 0 && (same.i < 0 || other[1] < same.i) {
			same.i, same.k = other[1], other[2]
		}
	}
	if same.count == 0 {
		return nil
	}
	if d.in.repeats && d.in.opt.Share != nil { // one process numbers them
		return d.in.opt.Share.NoTexts()
	}
	return d.refuseID(c, same)
}

// refuseID returns [tally.refuseID] on all ranks.
func (d *division) refuseID(c *Collection, s sameIDs) error {
	var say []byte
	if at := s.k - d.first; at >= 0 && at < d.docs {
		say = []byte(d.place(at))
	}
	_, place := ranks.First(d.team, say)
	var err error
	if at := s.i - d.first; at >= 0 && at < d.docs {
		part, doc := d.find(at)
		err = sameID(part.from.file, part.from.at(doc.line), c.IDs[at], string(place), s.count, numberThem)
	}
	return input.Agree(d.team, err)
}

// labels numbers the classes of all ranks.
func (d *division) labels(c *Collection) {
	if note := oddNote(d.allOdd, d.total, d.oddWay); note != "" {
		c.Notes = append(c.Notes, note)
	}
	if d.unlabelled = d.total; !d.anyL {
		return
	}
	var own parcel
	number := make(map[string]int)
	var counts []int
	var words []string
	for _, p := range d.parts {
		for _, doc := range p.docs {
			k, seen := number[doc.label]
			if !seen {
				k = len(words)
				number[doc.label] = k
				words, counts = append(words, doc.label), append(counts, 0)
			}
			counts[k]++
		}
	}
	for k, w := range words {
		own.text(w)
		own.number(uint64(counts[k]))
	}
	clear(number)
	words, counts = nil, nil
	for _, part := range ranks.Gather(d.team, own) {
		for p := parcel(part); len(p) > 0; {
			w, n := p.takeText(), int(p.takeNumber())
			k, seen := number[w]
			if !seen {
				k = len(words)
				number[w] = k
				words, counts = append(words, w), append(counts, 0)
			}
			counts[k] += n
		}
	}
	labels, names, note := classes.OfCounted(words, counts)
	if note != "" {
		c.Notes = append(c.Notes, note)
	}
	c.ClassNames = names
	if len(names) == 0 {
		return
	}
	d.sizes, d.unlabelled = make([]int, len(names)), 0
	for k, l := range labels {
		if l < 0 {
			d.unlabelled += counts[k]
		} else {
			d.sizes[l] += counts[k]
		}
	}
	c.Labels = make([]int, 0, d.docs)
	for _, p := range d.parts {
		for _, doc := range p.docs {
			c.Labels = append(c.Labels, labels[number[doc.label]])
		}
	}
}

// exchange sends parts[r] to rank r, if memory for what comes is there: factor times its bytes.
func (d *division) exchange(parts []parcel, factor int64) ([]parcel, error) {
	raw := make([][]byte, len(parts))
	lengths := make([][]byte, len(parts))
	for r, p := range parts {
		raw[r] = p
		lengths[r] = binary.AppendUvarint(nil, uint64(len(p)))
	}
	coming := int64(0)
	for _, b := range d.team.Exchange(lengths) {
		n, _ := binary.Uvarint(b)
		coming += int64(n)
	}
	if err := d.agree(d.in.Mem.Take(coming, factor)); err != nil {
		return nil, err
	}
	defer d.in.Mem.Give(coming, factor)
	got := make([]parcel, len(parts))
	for r, b := range d.team.Exchange(raw) {
		got[r] = b
	}
	return got, nil
}

// vocabulary joins the counters of this rank's workers.
func (d *division) vocabulary() (moved [][]int32, v *counter, err error) {
	if len(d.workers) == 0 {
		return nil, newCounter(d.a), nil
	}
	return d.absorbed(d.in.Ctx, d.in.Mem)
}

// owner is the rank that decides about a name.
func owner(name string, team ranks.Team) int {
	h := uint32(2166136261) // FNV-1a
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return int(h % uint32(team.Size()))
}

// parcel is texts and numbers on their way to another rank.
type parcel []byte

func (p *parcel) number(n uint64) { *p = binary.AppendUvarint(*p, n) }
func (p *parcel) text(s string)   { p.number(uint64(len(s))); *p = append(*p, s...) }

func (p *parcel) takeNumber() uint64 {
	n, size := binary.Uvarint(*p)
	*p = (*p)[size:]
	return n
}

func (p *parcel) takeText() string {
	n := p.takeNumber()
	s := string((*p)[:n])
	*p = (*p)[n:]
	return s
}
