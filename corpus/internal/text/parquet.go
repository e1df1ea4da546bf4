package text

import (
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/parquet"
)

// parquetMagic begins and ends a file of Parquet; one with an encrypted footer ends in
// parquetSecret.
const (
	parquetMagic  = "PAR1"
	parquetSecret = "PARE"
)

// footerShare is how many bytes of memory the content of one byte of a footer may take.
const footerShare = 64

// rowsAtOnce is the most rows that are taken from a column at a time.
const rowsAtOnce = 256

// readParquet reads texts from columns of a file of Parquet, as readJSONL reads them from fields:
// texts must be strings or bytes, ids and labels strings, bytes or numbers, labels also true or
// false, and null and NaN are none; a document without a text is empty. Other columns are not read,
// but for the first rows of those that may have one of these roles. Errors name the row, from 1.
// Memory is a page and a dictionary of each column and one batch of texts, all of it taken from the
// budget, beside what the counts of the texts need.
func readParquet(in *source) (*counting.Collection, error) {
	p, err := in.openParquet(in.File, &counting.Origin{File: in.Name, Unit: "row"})
	if err != nil {
		return nil, err
	}
	defer p.close()
	_, c, err := in.countTexts(p.batches, nil)
	return c, err
}

// parquetFile is an opened file of Parquet.
type parquetFile struct {
	parquet.File
	from    *counting.Origin
	limit   int64          // most bytes of a text
	footer  int64          // bytes taken from the budget for the footer
	joined  int64          // and for texts that were joined
	columns []parquetRole  // those that are read: the texts, then id and label as far as there are
	dates   bool           // dates and times are read
	label   string         // the column of classes that was asked for
	repeats bool           // nobody asked for the ids: those that occur again get a number after them
	numbers []numberColumn // those of a table of numbers, in place of columns
	first   []int          // the row, from 0, that each group of rows begins with, and the number of rows
	until   int            // the groups of rows that are read: from the one before
	next    int
}

// openParquet reads the footer of a file.
func (in *source) openParquet(f *input.File, from *counting.Origin) (*parquetFile, error) {
	p := &parquetFile{File: parquet.File{In: f}, from: from, limit: in.Mem.Limit / lineShare, dates: in.opt.Dates, label: in.opt.columns().Label}
	at, size, err := f.Random()
	if err != nil {
		return nil, err
	}
	p.At, p.Size = at, size
	data, err := p.look(at, size)
	if err != nil {
		return nil, err
	}
	err = p.guard("the footer", func() (err error) {
		p.Footer, err = parquet.ReadFooter(data)
		return err
	})
	if err == nil {
		err = p.guard("the footer", p.countRows)
	}
	if err == nil {
		err = p.guard("", func() error { return p.choose(in) })
	}
	if err == nil {
		err = p.guard("the footer", p.count)
	}
	if err != nil {
		p.close()
		return nil, err
	}
	p.until = len(p.first) - 1
	return p, nil
}

// look checks the frame of the file, takes memory for its footer, and returns it.
func (p *parquetFile) look(at io.ReaderAt, size int64) (data []byte, err error) {
	head, tail := make([]byte, 4), make([]byte, 8)
	if size < 12 {
		return nil, p.In.Fail("", "is shorter than any file of Parquet; copy or download it again")
	}
	if _, err := at.ReadAt(head, 0); err != nil {
		return nil, p.In.Wrap("", err)
	}
	if _, err := at.ReadAt(tail, size-8); err != nil && err != io.EOF {
		return nil, p.In.Wrap("", err)
	}
	switch {
	case string(head) == parquetSecret, string(tail[4:]) == parquetSecret:
		return nil, p.Encrypted()
	case string(head) != parquetMagic:
		return nil, p.In.Fail("", "is not a file of Parquet, which begins with %s; give its format with ‹input-format›", parquetMagic)
	case string(tail[4:]) != parquetMagic:
		return nil, p.In.Fail("", "the end of the file of Parquet is missing, it was cut off; copy or download it again")
	}
	length := int64(tail[0]) | int64(tail[1])<<8 | int64(tail[2])<<16 | int64(tail[3])<<24
	if length > size-12 {
		return nil, p.In.Fail("the footer", "is longer than the file; copy or download it again")
	}
	if err := p.In.Mem.Take(length, footerShare); err != nil {
		return nil, p.In.Wrap("the footer", err)
	}
	p.footer, data = length, make([]byte, length)
	if _, err = at.ReadAt(data, size-8-length); err != nil {
		err = p.In.Wrap("", err)
	} else if !parquet.Sound(data) {
		err = p.In.Fail("the footer", "its content is damaged; copy or download it again")
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return data, nil
}

// close gives back the memory of the footer.
func (p *parquetFile) close() {
	p.In.Mem.Give(p.footer, footerShare)
	p.footer = 0
}

// guard names the place in the error of a call. Where what unpacks a page panics at damaged data,
// that is its error.
func (p *parquetFile) guard(place string, call func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if failure := recover(); failure != nil {
			cause, ok := failure.(error)
			if !ok {
				cause = fmt.Errorf("%v", failure)
			}
			err = p.damage(place, cause)
		}
	}()
	if err = call(); err == nil || errors.Is(err, errLong) {
		return err
	}
	var packed parquet.UnreadCompression
	var written parquet.UnreadEncoding
	if errors.As(err, &packed) {
		return p.In.Fail(place, "%v; write the file with zstd, snappy or gzip", packed)
	}
	if errors.As(err, &written) {
		return p.In.Fail(place, "%v", written)
	}
	return p.damage(place, err)
}

// damage is the error of a damaged place.
func (p *parquetFile) damage(place string, cause error) error {
	err := p.In.Wrap(place, cause)
	var format *input.FormatError
	if errors.As(err, &format) && strings.HasPrefix(format.Why, "its content is damaged (") {
		return &input.FormatError{File: format.File, Place: format.Place, Why: "its content is damaged; copy or download it again", Err: cause}
	}
	return err
}

// countRows adds up the rows of the groups. What the footer says of them must agree.
func (p *parquetFile) countRows() error {
	p.first = []int{0}
	for g := range p.Footer.Groups {
		n := p.Footer.Groups[g].Rows
		if n < 0 || n > 1<<40 {
			return p.In.Fail(group(g), "its number of rows is %d; copy or download the file again", n)
		}
		p.first = append(p.first, p.first[g]+int(n))
	}
	if sum, n := p.first[len(p.first)-1], p.Footer.Rows; int64(sum) != n {
		return p.In.Fail("the footer", "it says that the file has %d rows, but its row groups have %d; copy or download the file again", n, sum)
	}
	return nil
}

// count checks that the columns that are read have a value for each row.
func (p *parquetFile) count() error {
	for g := range p.Footer.Groups {
		n := int64(p.first[g+1] - p.first[g])
		for _, c := range p.columns {
			if at := p.Footer.Groups[g].Chunk(c.leaf); at != nil && at.Values != n {
				return p.In.Fail(group(g), "it has %d rows, but its column %s has %d; copy or download the file again", n, c.shown(), at.Values)
			}
		}
	}
	return nil
}

func group(g int) string { return fmt.Sprintf("row group %d", g+1) }

// bytesOf is the number of bytes of the columns that are read in a group of rows.
func (p *parquetFile) bytesOf(g int) (n int64) {
	for _, e := range p.extentsOf(g) {
		n += e.hi - e.lo
	}
	return n
}

// extentsOf are the bytes of the file that hold the columns that are read in a group of rows.
func (p *parquetFile) extentsOf(g int) (list []extent) {
	for _, read := range p.columns {
		if c := p.Footer.Groups[g].Chunk(read.leaf); c != nil {
			list = append(list, extent{lo: max(0, c.Start), hi: max(0, c.Start) + max(0, c.Size)})
		}
	}
	return list
}

// batches emits the documents of the groups of rows that are left.
func (p *parquetFile) batches(emit func(counting.Batch) bool) error {
	for ; p.next < p.until; p.next++ {
		more, err := p.rows(p.next, emit)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// rows emits the documents of one group of rows. It reports whether more are wanted.
func (p *parquetFile) rows(g int, emit func(counting.Batch) bool) (more bool, err error) {
	columns := make([]*parquetColumn, len(p.columns))
	defer func() {
		p.releaseJoined()
		for _, c := range columns {
			if c != nil {
				c.release()
				c.Pages.Close()
			}
		}
	}()
	err = p.guard(group(g), func() error {
		for k, c := range p.columns {
			var err error
			if columns[k], err = p.openColumn(g, c.leaf); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	b := &rowBatch{from: p.from}
	take := 1
	for row, end := p.first[g], p.first[g+1]; row < end; {
		n, err := p.fields(g, columns, row, min(take, end-row), counting.BatchBytes-b.bytes)
		for i := 0; i < n && err == nil; i++ {
			d := counting.Document{Line: row + i + 1}
			if err = p.document(&d, columns, i); err == nil {
				b.add(d)
			}
		}
		if err != nil {
			emit(b)
			return false, err
		}
		row += n
		take = min(rowsAtOnce, 2*take)
		if b.bytes >= counting.BatchBytes || row == end {
			if !emit(b) {
				return false, nil
			}
			b = &rowBatch{from: p.from}
			p.releaseJoined()
			for _, c := range columns {
				c.release()
			}
		}
	}
	return true, p.ended(g, columns)
}

// fields reads the fields of n rows of group g together, the first of which is row, and returns how
// many it read: fewer if the texts of the first column have the given bytes before.
func (p *parquetFile) fields(g int, columns []*parquetColumn, row, n, bytes int) (int, error) {
	for k, c := range columns {
		most := math.MaxInt
		if k == 0 {
			most = bytes
		}
		// Damage is named by the few rows that are read together.
		err := p.guard(p.rowsOf(row, n, k), func() error { return c.take(n, most) })
		if errors.Is(err, errLong) {
			err = p.tooLong(k, row+len(c.values)+1)
		}
		if err != nil {
			return 0, err
		}
		if k == 0 && c.held >= most {
			n = len(c.values) // the batch is full
		}
		if len(c.values) < n {
			return 0, p.In.Fail(p.from.At(row+len(c.values)+1), "the column %s ends here, but %s has %d rows; copy or download the file again", p.columns[k].shown(), group(g), p.first[g+1]-p.first[g])
		}
	}
	return n, nil
}

// releaseJoined gives back the memory of texts that were joined.
func (p *parquetFile) releaseJoined() {
	p.In.Mem.Give(p.joined, 1)
	p.joined = 0
}

// ended checks that no column of a group goes on after its last row.
func (p *parquetFile) ended(g int, columns []*parquetColumn) error {
	for k, c := range columns {
		more := false
		if err := p.guard(p.rowsOf(p.first[g+1], 1, k), func() (err error) {
			more, err = c.Next()
			return err
		}); err != nil {
			return err
		}
		if more {
			return p.In.Fail(group(g), "the column %s goes on after the last of its %d rows; copy or download the file again", p.columns[k].shown(), p.first[g+1]-p.first[g])
		}
	}
	return nil
}

// rowsOf names n rows from row, from 0, of a column.
func (p *parquetFile) rowsOf(row, n, column int) string {
	place := p.from.At(row + 1)
	if n > 1 {
		place += fmt.Sprintf(" to %d", p.from.Number(row+n))
	}
	return place + ", column " + p.columns[column].shown()
}

// document takes the values of a document from the columns.
func (p *parquetFile) document(d *counting.Document, columns []*parquetColumn, i int) error {
	var parts []string
	d.Repeats = p.repeats
	for k, c := range p.columns {
		v := columns[k].values[i]
		switch c.role {
		case textRole:
			if !v.present {
				continue
			}
			parts = append(parts, v.text)
			d.Damaged = d.Damaged || !utf8.ValidString(v.text)
		case idRole:
			d.ID, d.HasID = p.name(d, v)
		case labelRole:
			d.Label, d.HasLabel = p.name(d, v)
			d.Label = c.named(d.Label)
		case besideRole:
			if v.present {
				d.Beside = append(d.Beside, counting.Value{Column: c.name, Text: strings.ToValidUTF8(clipped(v.text), "\ufffd")})
			}
		}
	}
	if parts == nil {
		d.NoText = true
		return nil
	}
	return p.join(d, parts)
}

// join makes the text of a document of its parts. The copy is taken from the budget until the batch
// has gone.
func (p *parquetFile) join(d *counting.Document, parts []string) error {
	if len(parts) > 1 {
		length := int64(len(parts) - 1)
		for _, part := range parts {
			length += int64(len(part))
		}
		if length > p.limit {
			return tooLong(p.In.Name, p.from.At(d.Line), "", p.limit)
		}
		if err := p.In.Mem.Take(length, 1); err != nil {
			return p.In.Wrap(p.from.At(d.Line), err)
		}
		p.joined += length
	}
	d.Text, _ = joinTexts(parts, p.limit)
	return nil
}

// tooLong refuses a value of a column.
func (p *parquetFile) tooLong(column, row int) error {
	what := ""
	if p.columns[column].role != textRole {
		what = "the " + p.columns[column].shown() + " "
	}
	return tooLong(p.In.Name, p.from.At(row), what, p.limit)
}

// name takes an id or a label from the value of its column.
func (p *parquetFile) name(d *counting.Document, v cell) (string, bool) {
	if !utf8.ValidString(v.text) {
		d.Damaged, v.text = true, strings.ToValidUTF8(v.text, "\ufffd")
	}
	return v.text, v.present
}

// besideBytes is what a [counting.Value] takes beside its characters on a machine of 64 bits.
const besideBytes = 32

// rowBatch is a few rows.
type rowBatch struct {
	from  *counting.Origin
	docs  []counting.Document
	bytes int
}

func (b *rowBatch) add(d counting.Document) {
	b.docs = append(b.docs, d)
	b.bytes += len(d.Text) + len(d.ID) + len(d.Label)
	for _, v := range d.Beside {
		b.bytes += besideBytes + len(v.Text)
	}
}

func (b *rowBatch) Len() int                                  { return len(b.docs) }
func (b *rowBatch) Held() int                                 { return b.bytes }
func (b *rowBatch) From() *counting.Origin                    { return b.from }
func (b *rowBatch) Document(i int) (counting.Document, error) { return b.docs[i], nil }
