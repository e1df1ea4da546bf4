package counting

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/classes"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/language"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
	"github.com/eigenmap/eigenmap/corpus/internal/tokens"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// Division says which documents of all ranks a Collection holds.
type Division struct {
	First, Total int
	Sizes        []int // documents of each class, of all ranks
	Unlabelled   int
}

// Divide makes one collection of the tallies of all ranks, with the documents in the order of the
// ranks. All ranks call it. If two documents have the same id, it returns the error of repeated, or
// its own where repeated is nil.
func Divide(team ranks.Team, file *input.File, a *Analyzer, t *Tally, repeated func() error) (*Collection, *Division, error) {
	d := &division{team: team, file: file, a: a, Tally: t, repeated: repeated}
	c, err := d.collection()
	return c, &Division{d.first, d.total, d.sizes, d.unlabelled}, err
}

// division makes one collection of the tallies of all ranks.
type division struct {
	*Tally
	team        ranks.Team
	file        *input.File
	a           *Analyzer
	each        []rankFacts
	first       int // documents of the ranks before this one, as they were read
	total       int
	sizes       []int
	unlabelled  int
	distinct    int
	apart       int // runs within the limits whose words do not belong together
	allOdd      int // documents of all ranks whose label is no class
	anyID, anyL bool
	repeated    func() error // see Divide
}

// rankFacts are what every rank says of its tally.
type rankFacts struct {
	Docs, Damaged, Guessed, Odd, NoText, Markup, Twice, Books, Removed, PDFs, Mail, Emptied int
	Words                                                                                   int64
	PDFsBy                                                                                  string
	ID, Label                                                                               bool
	Tongues, Packed                                                                         []int
}

// agree is input.Agree with the name of the corpus in the error.
func (d *division) agree(err error) error { return input.Agree(d.team, d.file.Wrap("", err)) }

// collection is [Tally.Collection] of all ranks.
func (d *division) collection() (*Collection, error) {
	all := d.sum()
	switch {
	case d.total == 0:
		return nil, input.NoDocuments(d.file.Fail("", "it holds no documents; give at least one text"))
	case d.total < d.team.Size():
		return nil, TooFew(d.file.Name, d.total, d.team)
	}
	if err := d.samePDFs(); err != nil {
		return nil, err
	}
	if err := refuseNoTexts(all.NoText, d.total, d.a, d.file.Name); err != nil {
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
	if err := f.check(d.a, d.file.Name); err != nil {
		return nil, err
	}
	c := &Collection{Terms: terms, Snippets: d.snippets(d.a)}
	if mixed {
		c.Stems = stems
	}
	if !d.a.opt.ForModel {
		if err = d.file.Mem.Take(int64(d.Docs), 8); err == nil {
			c.Rarities = d.rarities(moved, vocabulary, df, d.total, column)
		}
		if err = d.agree(err); err != nil {
			return nil, err
		}
	}
	if err = d.file.Mem.Take(d.entries, 12); err == nil {
		c.X, err = d.asCounted(moved, column, len(terms)).Expand(d.file.Ctx)
	}
	if err = d.agree(err); err != nil {
		return nil, err
	}
	if err := d.names(c); err != nil {
		return nil, err
	}
	d.labels(c)
	d.note(c, f, all)
	d.parts, d.workers = nil, nil
	return c, d.move(c)
}

// note adds the notes of all ranks.
func (d *division) note(c *Collection, f facts, all rankFacts) {
	c.Notes = append(c.Notes, f.note(d.a))
	c.noteBytes(all.Damaged, d.placeOfFirst(func(f rankFacts) int { return f.Damaged }, d.firstDamaged, d.place),
		all.Guessed, d.placeOfFirst(func(f rankFacts) int { return f.Guessed }, d.firstGuessed, d.guess))
	c.noteNoTexts(all.NoText, d.placeOfFirst(func(f rankFacts) int { return f.NoText }, d.firstNoText, d.named))
	if d.a.each != nil {
		c.Notes = append(c.Notes, language.Notes(all.Tongues, !d.a.opt.ForModel && d.a.among == nil)...)
	}
	c.Notes = append(c.Notes, plain.MarkupNote(all.Markup, !d.a.opt.ForModel)...)
	c.Notes = append(c.Notes, charset.TwiceNote(all.Twice)...)
	c.Notes = append(c.Notes, plain.LicenceNote(all.Books)...)
	c.Notes = append(c.Notes, plain.RemovedNote(all.Removed)...)
	c.Notes = append(c.Notes, pdfNote(all.PDFs, all.PDFsBy)...)
	if !d.a.opt.ForModel {
		c.noteMail(all.Mail, d.placeOfFirst(func(f rankFacts) int { return f.Mail }, d.firstMail, d.place),
			all.Emptied, d.placeOfFirst(func(f rankFacts) int { return f.Emptied }, d.firstEmptied, d.place))
	}
	c.Notes = append(c.Notes, tokens.UnspacedNotes(all.Packed)...)
}

// sum adds up what the ranks say of their tallies.
func (d *division) sum() (all rankFacts) {
	own := rankFacts{Docs: d.Docs, Damaged: d.Damaged, Guessed: d.guessed, Odd: d.odd, NoText: d.noText, Markup: d.markup, Twice: d.twice, Books: d.books, Removed: d.removed, PDFs: d.pdfs, PDFsBy: d.pdfsBy, Mail: d.mail, Emptied: d.emptied, Words: d.words, Tongues: d.tongues[:], Packed: d.packed}
	for _, p := range d.parts {
		for i := range p.docs {
			own.ID, own.Label = own.ID || p.docs[i].HasID, own.Label || p.docs[i].HasLabel
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
		all.Books += f.Books
		all.Removed += f.Removed
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
	c.IDs = make([]string, 0, d.Docs)
	parts := make([]parcel, d.team.Size())
	for _, p := range d.parts {
		for _, doc := range p.docs {
			i := d.first + len(c.IDs)
			if !doc.HasID {
				doc.ID = strconv.Itoa(i + 1)
			}
			c.IDs = append(c.IDs, doc.ID)
			to := &parts[owner(doc.ID, d.team)]
			to.text(doc.ID)
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
	if d.repeated != nil { // one process numbers them
		return d.repeated()
	}
	return d.refuseID(c, same)
}

// refuseID returns [Tally.refuseID] on all ranks.
func (d *division) refuseID(c *Collection, s sameIDs) error {
	var say []byte
	if at := s.k - d.first; at >= 0 && at < d.Docs {
		say = []byte(d.place(at))
	}
	_, place := ranks.First(d.team, say)
	var err error
	if at := s.i - d.first; at >= 0 && at < d.Docs {
		part, doc := d.find(at)
		err = sameID(part.from.File, part.from.At(doc.Line), c.IDs[at], string(place), s.count, numberThem)
	}
	return input.Agree(d.team, err)
}

// labels numbers the classes of all ranks.
func (d *division) labels(c *Collection) {
	if note := oddNote(d.allOdd, d.total, d.OddWay); note != "" {
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
			k, seen := number[doc.Label]
			if !seen {
				k = len(words)
				number[doc.Label] = k
				words, counts = append(words, doc.Label), append(counts, 0)
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
	c.Labels = make([]int, 0, d.Docs)
	for _, p := range d.parts {
		for _, doc := range p.docs {
			c.Labels = append(c.Labels, labels[number[doc.Label]])
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
	if err := d.agree(d.file.Mem.Take(coming, factor)); err != nil {
		return nil, err
	}
	defer d.file.Mem.Give(coming, factor)
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
	return d.absorbed(d.file.Ctx, d.file.Mem)
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

func (p *parcel) text(s string) { p.number(uint64(len(s))); *p = append(*p, s...) }

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

// samePDFs refuses ranks whose programs for PDFs are of other versions, which find other texts.
func (d *division) samePDFs() error {
	by := ""
	for _, f := range d.each {
		if by != "" && f.PDFsBy != "" && f.PDFsBy != by {
			return d.file.Fail("", "its PDFs are read by pdftotext %s on one rank and %s on another; install one version on all nodes", by, f.PDFsBy)
		}
		by = cmp.Or(by, f.PDFsBy)
	}
	return nil
}

// TooFew refuses fewer documents than ranks, since each rank must hold one.
func TooFew(name string, documents int, team ranks.Team) error {
	return input.Failf(name, "", "holds %s, and there are %d ranks, each of which needs one; start fewer", message.Plural(documents, "document", "documents"), team.Size())
}
