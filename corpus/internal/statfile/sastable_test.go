package statfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// sasWriter writes a small table of SAS as SAS lays it out.
type sasWriter struct {
	big, wide bool
	packed    byte
	gone      map[int]bool // rows that were deleted
}

// order is the order of bytes that also appends.
func (w sasWriter) order() interface {
	binary.ByteOrder
	binary.AppendByteOrder
} {
	if w.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// word appends a length.
func (w sasWriter) word(b []byte, n int) []byte {
	if w.wide {
		return w.order().AppendUint64(b, uint64(n))
	}
	return w.order().AppendUint32(b, uint32(n))
}

// mark begins a part.
func (w sasWriter) mark(mark uint32) []byte {
	if !w.wide {
		return w.order().AppendUint32(nil, mark)
	}
	high := uint64(math.MaxUint32)
	if mark == sasRowSize || mark == sasColumns {
		high = 0
	}
	return w.order().AppendUint64(nil, high<<32|uint64(mark))
}

// sasWritten is how a part is packed, and what it is.
type sasWritten struct {
	packing byte
	data    []byte
}

// words and numbers of the columns of a table: name, answer, score of three bytes, day, seen.
var sasWidths = []int{4, 40, 3, 8, 8}

// row is a row of a table.
func (w sasWriter) row(k int) []byte {
	out := fmt.Appendf(nil, "p%-3d%-40s", k, []string{"the bus was late@@@@", "Zürich", "", "nurse nurse nurse nurse", "\x00\x00\x00a"}[k%5])
	out = append(out[:4], append(bytes.TrimRight(out[4:], " "), bytes.Repeat([]byte(" "), 40)...)[:40]...)
	for j, x := range []float64{float64(k) / 4, float64(20000 + k), 2e9 + float64(k)} {
		number := math.Float64bits(x)
		if k%7 == 6 && j == 0 {
			number = 0xfffffe<<40 | math.Float64bits(math.NaN())&0xff // .A
		}
		b := w.order().AppendUint64(nil, number)
		if width := sasWidths[2+j]; w.big {
			out = append(out, b[:width]...)
		} else {
			out = append(out, b[8-width:]...)
		}
	}
	return out
}

// pack compresses a row by every kind of run.
func (w sasWriter) pack(row []byte) []byte {
	if w.packed == sasRoss {
		return rossOf(row)
	}
	var out []byte
	for len(row) > 0 {
		run := 1
		for run < len(row) && row[run] == row[0] {
			run++
		}
		codes := map[byte]byte{'@': 0xd0, ' ': 0xe0, 0: 0xf0}
		switch code, is := codes[row[0]]; {
		case is && run >= 17:
			out = append(out, code-0x80, byte(run-17))
		case is && run >= 2:
			out = append(out, code|byte(run-2))
		case !is && run >= 3:
			out = append(out, 0xc0|byte(run-3), row[0])
		default:
			run = min(len(row), 5)
			out = append(append(out, 0x80|byte(run-1)), row[:run]...)
		}
		row = row[run:]
	}
	return out
}

// rossOf compresses a row by SASYZCR2.
func rossOf(row []byte) (out []byte) {
	for at := 0; at < len(row); {
		var bits uint16
		var group []byte
		for k := 15; k >= 0 && at < len(row); k-- {
			run := 1
			for at+run < len(row) && row[at+run] == row[at] {
				run++
			}
			back, same := 0, 0
			for from := max(0, at-200); from < at-2; from++ {
				n := 0
				for at+n < len(row) && n < 40 && row[from+n] == row[at+n] && from+n < at {
					n++
				}
				if n > same {
					back, same = at-from, n
				}
			}
			bits |= 1 << k
			switch {
			case run >= 19:
				group = append(group, 0x10|byte((run-19)&15), byte((run-19)>>4), row[at])
				at += run
			case run >= 3:
				group = append(group, byte(run-3), row[at])
				at += run
			case same >= 16:
				group = append(group, 0x20|byte((back-3)&15), byte((back-3)>>4), byte(same-16))
				at += same
			case same >= 3:
				group = append(group, byte(same<<4)|byte((back-3)&15), byte((back-3)>>4))
				at += same
			default:
				bits &^= 1 << k
				group = append(group, row[at])
				at++
			}
		}
		out = append(w16(out, bits), group...)
	}
	return out
}

func w16(b []byte, x uint16) []byte { return binary.BigEndian.AppendUint16(b, x) }

// columns are the parts that describe the columns.
func (w sasWriter) columns(rows int) (list []sasWritten) {
	add := func(b []byte) { list = append(list, sasWritten{0, b}) }
	width := 0
	for _, n := range sasWidths {
		width += n
	}
	size := w.mark(sasRowSize)
	for k := 1; k < 85; k++ {
		size = w.word(size, map[int]int{5: width, 6: rows, 7: len(w.gone), 9: 5}[k])
	}
	size = append(size, make([]byte, 128)...)
	w.order().PutUint16(size[len(size)-116:], 10) // where the name of the compression lies
	w.order().PutUint16(size[len(size)-114:], 8)
	add(size)
	add(w.word(w.word(w.mark(sasColumns), len(sasWidths)), 0))
	compression := "        "
	if w.packed != 0 {
		compression = "SASYZCR" + string(w.packed)
	}
	text := "      " + compression + "name    answer  score   day seen What happened?  YYMMDD  DATETIME"
	texts := append(w.order().AppendUint16(w.mark(sasTexts), uint16(w.rest(len(text)+w.size()+4))), 0, 0)
	add(append(texts, text...))
	place := func(b []byte, word string) []byte {
		b = w.order().AppendUint16(b, 0)
		at := 0
		if word != "" {
			at = strings.Index(text, word) + 4
		}
		return w.order().AppendUint16(w.order().AppendUint16(b, uint16(at)), uint16(len(word)))
	}
	head := func(mark uint32, each int) []byte {
		return append(w.order().AppendUint16(w.mark(mark), uint16(w.rest(len(sasWidths)*each+2*w.size()+12))), make([]byte, 6)...)
	}
	names := head(sasNames, 8)
	for _, name := range []string{"name", "answer", "score", "day", "seen"} {
		names = append(place(names, name), 0, 0)
	}
	add(append(names, make([]byte, w.size()+4)...))
	places, at := head(sasPlaces, w.size()+8), 0
	for k, n := range sasWidths {
		kind := byte(1)
		if k < 2 {
			kind = 2
		}
		places = append(w.order().AppendUint32(w.word(places, at), uint32(n)), 0, 0, kind, 0)
		at += n
	}
	add(append(places, make([]byte, w.size()+4)...))
	for k := range sasWidths {
		b := append(w.mark(sasFormats), make([]byte, 2*w.size()+22)...)
		b = place(b, []string{"", "", "", "YYMMDD", "DATETIME"}[k])
		add(append(place(b, []string{"", "What happened?", "", "", ""}[k]), make([]byte, 8)...))
	}
	return list
}

// rest is the length of a part without its mark, as some parts begin with it.
func (w sasWriter) rest(length int) int { return length - 4 - 2*w.size() }

// size is the bytes of a length.
func (w sasWriter) size() int {
	if w.wide {
		return 8
	}
	return 4
}

// file writes the table: pages of 4,096 bytes, of which the first ones also hold what the columns
// are, and rows as they are or each as a part.
func (w sasWriter) file(rows int) []byte {
	const page = 4096
	var pages [][]byte
	parts := w.columns(rows)
	k := 0
	if w.packed != 0 {
		for ; k < rows; k++ {
			part := sasWritten{sasPacked, w.pack(w.row(k))}
			if w.gone[k] {
				part.packing = sasDeleted
			} else if k%4 == 3 {
				part = sasWritten{sasPlain, w.row(k)} // compressed it would not be shorter
			}
			parts = append(parts, part)
		}
	}
	for len(parts) > 0 || k < rows {
		b, first := make([]byte, page), 16
		if w.wide {
			first = 32
		}
		n, end := 0, page
		for n < len(parts) && first+8+(n+1)*3*w.size()+4 <= end-len(parts[n].data) {
			part := parts[n]
			end -= len(part.data)
			copy(b[end:], part.data)
			entry := w.word(w.word(nil, end), len(part.data))
			kind := byte(0)
			if w.packed != 0 {
				kind = 1
			}
			copy(b[first+8+n*3*w.size():], append(entry, part.packing, kind))
			n++
		}
		parts = parts[n:]
		from, room := first+8+n*3*w.size(), 0
		kind := uint16(0)
		if len(parts) == 0 && k < rows {
			if from%8 == 4 {
				copy(b[from:], "junk")
				from += 4
			}
			width := len(w.row(0))
			room = min(rows-k, (end-from-4)/(width+1))
			if kind = sasRowsToo; n == 0 {
				kind = sasRowsAlone
			}
			bits := make([]byte, (room+7)/8)
			for j := range room {
				copy(b[from+j*width:], w.row(k+j))
				if w.gone[k+j] {
					kind |= sasHasGone
					bits[j/8] |= 0x80 >> (j % 8)
				}
			}
			w.order().PutUint32(b[3*w.size():], 3)
			copy(b[from+room*width+3:], bits)
			k += room
			if n > 0 { // the first part says how many rows are behind parts
				of := pages
				if len(of) == 0 {
					of = [][]byte{b}
				}
				copy(of[0][page-len(w.columns(rows)[0].data)+15*w.size():], w.word(nil, room))
			}
		}
		w.order().PutUint16(b[first:], kind)
		w.order().PutUint16(b[first+2:], uint16(n+room))
		w.order().PutUint16(b[first+4:], uint16(n))
		pages = append(pages, b)
	}
	head := make([]byte, 1024)
	copy(head, sasTableMagic+"\xb3\x14\x11\xcf\xbd\x92\x08\x00\x09\xc7\x31\x8c\x18\x1f\x10\x11\x22\x22\x00\x22\x00")
	at := 196
	if w.wide {
		head[32], head[35], at = '3', '3', 200
	}
	if !w.big {
		head[37] = 1
	}
	head[39], head[70] = '1', 20
	copy(head[84:], "SAS FILESURVEY  ")
	copy(head[156:], "DATA    ")
	w.order().PutUint32(head[at:], uint32(len(head)))
	w.order().PutUint32(head[at+4:], page)
	copy(head[at+8:], w.word(nil, len(pages)))
	copy(head[at+16+w.size():], "9.0401M6")
	return append(head, bytes.Join(pages, nil)...)
}

// want are the rows of such a table.
func (w sasWriter) want(rows int) []string {
	out := []string{"name|answer|score|day|seen"}
	for k := range rows {
		if w.gone[k] {
			continue
		}
		score := fmt.Sprint(float64(k) / 4)
		if k%7 == 6 {
			score = ""
		}
		answer := []string{"the bus was late@@@@", "Zürich", "", "nurse nurse nurse nurse", "\x00\x00\x00a"}[k%5]
		out = append(out, fmt.Sprintf("p%d|%s|%s|2014-%s|2023-05-18 %02d:%02d:%02d", k, answer, score, sasDay(k), 3, 33+(20+k)/60, (20+k)%60))
	}
	return out
}

// sasDay is day 20,000 of SAS, which is 4 October 2014, and so many days.
func sasDay(k int) string {
	days := 4 + k
	for _, m := range []struct{ month, days int }{{10, 31}, {11, 30}, {12, 31}} {
		if days <= m.days {
			return fmt.Sprintf("%02d-%02d", m.month, days)
		}
		days -= m.days
	}
	return "?"
}

// everySAS calls f for each way in which SAS writes a table.
func everySAS(f func(name string, w sasWriter)) {
	for _, packed := range []byte{0, sasRuns, sasRoss} {
		for k := range 8 {
			w := sasWriter{big: k&1 > 0, wide: k&2 > 0, packed: packed}
			if k&4 > 0 {
				w.gone = map[int]bool{0: true, 3: true, 9: true, 40: true, 59: true}
			}
			f(fmt.Sprintf("big %t, wide %t, packed %q, %d deleted", w.big, w.wide, packed, len(w.gone)), w)
		}
	}
}

// Tables of SAS are read in either order of bytes, with lengths of 32 and 64 bits, as they are or
// compressed, without the rows that were deleted.
func TestSASTable(t *testing.T) {
	const rows = 60
	everySAS(func(name string, w sasWriter) {
		got, notes, err := read(w.file(rows), Options{})
		must.Do(t, err)
		same(t, name, got, w.want(rows))
		if !strings.Contains(notes, "answer (What happened?)") {
			t.Errorf("%s: the notes are %s", name, notes)
		}
	})
}

// A table of SAS that was cut off is refused at each place.
func TestCutSASTable(t *testing.T) {
	everySAS(func(name string, w sasWriter) {
		data := w.file(60)
		for n := 17; n < len(data); n += 201 {
			if _, _, err := read(data[:n], Options{}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "cut off") {
				t.Fatalf("%s: %d of %d bytes: %v", name, n, len(data), err)
			}
		}
	})
}

// A table of SAS whose bytes were changed is read or refused, and never ends the program.
func TestChangedSASTable(t *testing.T) {
	everySAS(func(name string, w sasWriter) {
		data := w.file(12)
		for n := 16; n < len(data); n++ {
			if n%17 != 0 && (n > 300 || n%3 != 0) {
				continue
			}
			old := data[n]
			for _, c := range []byte{old ^ 0xff, old + 1} {
				data[n] = c
				if _, _, err := read(data, Options{}); err != nil && !errors.Is(err, fs.ErrInvalid) {
					t.Fatalf("%s: byte %d: %v", name, n, err)
				}
			}
			data[n] = old
		}
	})
}

// A table of SAS that names an encoding that is not known has its texts guessed, with a note.
func TestSASEncodings(t *testing.T) {
	data := bytes.ReplaceAll(sasWriter{}.file(10), []byte("Zürich"), []byte("Z\xfcrich "))
	for code, want := range map[byte]string{62: "Zürich", 61: "Zьrich", 47: "Zürich", 0: "Zürich"} {
		data[70] = code
		got, notes, err := read(data, Options{})
		must.Do(t, err)
		if !strings.HasPrefix(got[2], "p1|"+want+"|") || strings.Contains(notes, "names the encoding cp864, which is not known here") != (code == 47) {
			t.Errorf("%d: %q, %s", code, got[2], notes)
		}
	}
}
