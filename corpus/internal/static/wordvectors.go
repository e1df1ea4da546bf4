package static

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
)

// wordFile is a file of word vectors: of word2vec in text ("words width", then a word and its
// numbers on each line) or binary (the same head, then a word, a blank, and the numbers as float32,
// little-endian), or of GloVe, which is the text format without its head.
type wordFile struct {
	path   string
	limits input.Limits
	known  map[string]int32 // number of each form of a word in the texts
}

// mostWidth and longestWord bound the memory that a damaged or foreign file can ask for.
const mostWidth, longestWord = 1 << 16, 1 << 12

// fastTextMagic begins a model of fastText that is no list of vectors.
const fastTextMagic = 793712314

// formBytes is the memory of a form of a word, with its lower case and its parts, in the lists and
// the tables of tokenize and lookUp.
const formBytes = 250

func (w *wordFile) files() []string { return []string{w.path} }

// tokenize numbers the words of the texts. A word is looked up as it is, then in lower case, and
// then its parts between apostrophes and hyphens; so all of these forms get numbers here, and
// lookUp keeps the first that has a vector.
func (w *wordFile) tokenize(ctx context.Context, texts []string) ([][]int32, error) {
	bytes := int64(0)
	for _, s := range texts {
		bytes += int64(len(s))
	}
	if err := need(ctx, w.limits, memory.Sum(2*bytes, memory.Bytes(24, len(texts))), "the words of %s", words.Counted(len(texts), "text")); err != nil {
		return nil, err
	}
	w.known = make(map[string]int32)
	ids := make([][]int32, len(texts))
	for i, text := range texts {
		if i%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := w.needForms(ctx); err != nil {
				return nil, err
			}
		}
		for _, word := range wordsOf(text) {
			ids[i] = append(ids[i], w.number(word))
		}
	}
	return ids, w.needForms(ctx)
}

// needForms asks for the memory of the forms so far.
func (w *wordFile) needForms(ctx context.Context) error {
	return need(ctx, w.limits, memory.Bytes(formBytes, len(w.known)), "%s", words.Counted(len(w.known), "different word"))
}

// number is the number of a form.
func (w *wordFile) number(form string) int32 {
	id, ok := w.known[form]
	if !ok {
		id = int32(len(w.known))
		w.known[strings.Clone(form)] = id
	}
	return id
}

// wordsOf are the runs of letters, digits and marks, with single signs of "'’-._" inside.
func wordsOf(text string) []string {
	var out []string
	inside := func(c rune) bool { return unicode.In(c, unicode.L, unicode.M, unicode.N) }
	begin, end := -1, -1 // of a word, and of its last letter
	for at, c := range text {
		switch {
		case inside(c):
			if begin < 0 {
				begin = at
			}
			end = at + utf8.RuneLen(c)
		case begin >= 0 && at == end && strings.ContainsRune("'’-._", c):
		default:
			if begin >= 0 {
				out = append(out, text[begin:end])
			}
			begin = -1
		}
	}
	if begin >= 0 {
		out = append(out, text[begin:end])
	}
	return out
}

// parts are the words between the signs inside a word.
func parts(word string) []string {
	return strings.FieldsFunc(word, func(c rune) bool { return strings.ContainsRune("'’-._", c) })
}

// lookUp reads the file and keeps the vectors of words that occur. It changes the lists: a word
// without a vector becomes its parts that have one.
func (w *wordFile) lookUp(ctx context.Context, ids [][]int32) (*table, error) {
	forms := make([]string, len(w.known))
	wanted := make(map[string]int32, len(w.known))
	for form, id := range w.known {
		forms[id] = form
	}
	for _, form := range forms {
		wanted[form], wanted[strings.ToLower(form)] = -1, -1
		for _, p := range parts(form) {
			wanted[p], wanted[strings.ToLower(p)] = -1, -1
		}
	}
	out := &table{}
	width, err := w.each(ctx, func(word []byte, vector []float32) error {
		at, ok := wanted[string(word)]
		if !ok || at >= 0 { // of two vectors of a word the first counts
			return nil
		}
		rows := len(out.values) / len(vector)
		if rows&(rows-1) == 0 { // the array grows by doubling
			if err := need(ctx, w.limits, memory.Bytes(12, rows+1, len(vector)), "the vectors of %s, of %d numbers each", words.Counted(rows+1, "word"), len(vector)); err != nil {
				return err
			}
		}
		wanted[string(word)] = int32(rows)
		out.values = append(out.values, vector...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	out.width = width
	row := func(form string) int32 {
		if at := wanted[form]; at >= 0 {
			return at
		}
		return wanted[strings.ToLower(form)]
	}
	// Numbers of tokens are numbers of rows from here on.
	found := make([][]int32, len(forms))
	for id, form := range forms {
		if at := row(form); at >= 0 {
			found[id] = []int32{at}
			continue
		}
		for _, p := range parts(form) {
			if at := row(p); at >= 0 {
				found[id] = append(found[id], at)
			}
		}
	}
	for i, list := range ids {
		var rows []int32
		for _, id := range list {
			rows = append(rows, found[id]...)
		}
		ids[i] = rows
	}
	out.row = make([]int32, len(out.values)/width)
	for k := range out.row {
		out.row[k] = int32(k)
	}
	return out, nil
}

// errStop ends eachLine early.
var errStop = errors.New("stop")

// packedFactor is the most that lists of numbers in digits shrink by when they are packed.
const packedFactor = 4

// measure returns the numbers of a vector, and the most memory that all of them take, in bytes.
func (w *wordFile) measure(ctx context.Context) (width int, bytes int64, err error) {
	in, done, err := input.Open(ctx, w.path, w.limits)
	if err != nil {
		return 0, 0, err
	}
	defer done()
	h, err := w.readHead(in)
	if err != nil {
		return 0, 0, err
	}
	if h.width > 0 {
		return h.width, memory.Bytes(4*int64(h.width), int(h.count)), nil
	}
	bytes = in.Size
	if in.At == nil {
		bytes = memory.Bytes(packedFactor, int(bytes))
	}
	if width, err = w.eachLine(in.Stream, h, func([]byte, []float32) error { return errStop }); err == errStop {
		err = nil
	}
	return width, bytes, w.place(in, err)
}

// each hands every word and its vector to a function, which may keep neither.
func (w *wordFile) each(ctx context.Context, do func(word []byte, vector []float32) error) (width int, err error) {
	in, done, err := input.Open(ctx, w.path, w.limits)
	if err != nil {
		return 0, err
	}
	defer done()
	h, err := w.readHead(in)
	if err != nil {
		return 0, err
	}
	width = h.width
	if h.binary {
		err = w.eachBinary(in.Stream, h, do)
	} else {
		width, err = w.eachLine(in.Stream, h, do)
	}
	return width, w.place(in, err)
}

// wordHead is what the beginning of a file says.
type wordHead struct {
	count  int64 // of words; below 0: not known
	width  int   // numbers of a vector; 0: not known
	binary bool
}

// readHead reads the first line, if it is a head, and looks at what is behind it.
func (w *wordFile) readHead(in *input.File) (wordHead, error) {
	h := wordHead{count: -1}
	start, err := in.Stream.Peek(in.Stream.Size())
	if err != nil && err != io.EOF {
		return h, in.Blame(in.Wrap("", err))
	}
	if len(start) >= 4 && binary.LittleEndian.Uint32(start) == fastTextMagic {
		return h, w.fail("", "it is a model of fastText; give its file of vectors, .vec")
	}
	line, rest, whole := bytes.Cut(start, []byte("\n"))
	f := strings.Fields(string(line[:min(len(line), input.HeadSize)]))
	if !whole || len(f) != 2 {
		return h, nil
	}
	n, errN := strconv.ParseInt(f[0], 10, 64)
	d, errD := strconv.Atoi(f[1])
	if errN != nil || errD != nil {
		return h, nil
	}
	if n < 1 || d < 1 || d > mostWidth {
		return h, w.fail("line 1", "it says that there are %d words of %d numbers", n, d)
	}
	h = wordHead{n, d, !isText(rest, d)}
	if _, err := in.Stream.Discard(len(line) + 1); err != nil {
		return h, in.Wrap("", err)
	}
	return h, nil
}

// isText reports whether bytes are the first line of a list in text: a word and so many numbers in
// digits. Of a longer line its last bytes are looked at.
func isText(b []byte, numbers int) bool {
	line, _, whole := bytes.Cut(b, []byte("\n"))
	if !whole && len(b) >= input.HeadSize { // the line is longer than what was read, or there is none
		for _, c := range b[len(b)-input.HeadSize/2:] {
			if !strings.ContainsRune("0123456789+-.eE \t", rune(c)) {
				return false
			}
		}
		return true
	}
	f := bytes.Fields(line)
	if len(f) < numbers {
		return false
	}
	for _, number := range f[len(f)-numbers:] {
		if _, err := strconv.ParseFloat(string(number), 32); err != nil && !errors.Is(err, strconv.ErrRange) {
			return false
		}
	}
	return true
}

// place names the file in an error of its stream.
func (w *wordFile) place(in *input.File, err error) error {
	if err == nil {
		return nil
	}
	return in.Blame(err)
}

func (w *wordFile) fail(place, format string, args ...any) error {
	return input.Failf(w.path, place, format, args...)
}

// eachBinary is each of the binary format.
func (w *wordFile) eachBinary(r *bufio.Reader, h wordHead, do func([]byte, []float32) error) error {
	vector, raw := make([]float32, h.width), make([]byte, 4*h.width)
	var word []byte
	for k := range h.count {
		place := fmt.Sprintf("word %d", k+1)
		word = word[:0]
		for {
			c, err := r.ReadByte()
			if err != nil {
				return w.short(place, h.count, err)
			}
			if c == '\n' && len(word) == 0 { // some writers end each vector with it
				continue
			}
			if c == ' ' {
				break
			}
			if word = append(word, c); len(word) > longestWord {
				return w.fail(place, "it has more than %d bytes, so this is no list of word vectors", longestWord)
			}
		}
		if _, err := io.ReadFull(r, raw); err != nil {
			return w.short(place, h.count, err)
		}
		for j := range vector {
			vector[j] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*j:]))
		}
		if err := w.hand(place, word, vector, do); err != nil {
			return err
		}
	}
	return nil
}

// short says that a file ends too early.
func (w *wordFile) short(place string, count int64, err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return w.fail(place, "the file ends here, and its first line says that it has %d words; copy it again", count)
	}
	return err
}

// eachLine is each of the text format.
func (w *wordFile) eachLine(r *bufio.Reader, h wordHead, do func([]byte, []float32) error) (int, error) {
	count, width := h.count, h.width
	var vector []float32
	var line []byte
	first := int64(1)
	if count >= 0 {
		first = 2
	}
	for k := first; ; k++ {
		place := "line " + strconv.FormatInt(k, 10)
		line = line[:0]
		for {
			part, err := r.ReadSlice('\n')
			line = append(line, part...)
			if err == bufio.ErrBufferFull && len(line) < 64*mostWidth {
				continue
			}
			if err == bufio.ErrBufferFull {
				return width, w.fail(place, "it has more than %d bytes, so this is no list of word vectors: a word and its numbers on each line, or the binary format of word2vec", 64*mostWidth)
			}
			if err == io.EOF && len(bytes.TrimSpace(line)) == 0 {
				if k == first {
					return width, w.fail(place, "it holds no vectors")
				}
				if count >= 0 && k-first < count {
					return width, w.fail(place, "the file ends here, and its first line says that it has %d words; copy it again", count)
				}
				return width, nil
			}
			if err != nil && err != io.EOF {
				return width, err
			}
			break
		}
		// The word may hold blanks, so numbers are counted from the end.
		text := bytes.TrimRight(line, " \t\r\n")
		if width == 0 {
			if width = len(bytes.Fields(text)) - 1; width < 1 || width > mostWidth {
				return 0, w.fail(place, "it is no word with its numbers, so this is no list of word vectors")
			}
		}
		if vector == nil {
			vector = make([]float32, width)
		}
		for j := width - 1; j >= 0; j-- {
			at := bytes.LastIndexAny(text, " \t")
			if at < 0 {
				return width, w.fail(place, "it has %s, where the first has %d; write vectors of one length", words.Plural(width-1-j, "number", "numbers"), width)
			}
			v, err := strconv.ParseFloat(string(text[at+1:]), 32)
			if err != nil {
				return width, w.fail(place, "%q is no number; write a word and its %s on each line", words.Clip(string(text[at+1:]), 40), words.Plural(width, "number", "numbers"))
			}
			vector[j] = float32(v)
			text = bytes.TrimRight(text[:at], " \t")
		}
		if err := w.hand(place, text, vector, do); err != nil {
			return width, err
		}
	}
}

// hand checks a vector and hands it on.
func (w *wordFile) hand(place string, word []byte, vector []float32, do func([]byte, []float32) error) error {
	for _, v := range vector {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return w.fail(place, "the vector of %q holds %v, which is no number; copy the file again", words.Clip(string(word), 40), v)
		}
	}
	return do(word, vector)
}
