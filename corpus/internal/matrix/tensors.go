package matrix

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/safetensors"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// tensorKinds are the types of arrays of safetensors that may be vectors.
var tensorKinds = map[string]numKind{"F64": kindFloat64, "F32": kindFloat32, "F16": kindFloat16, "BF16": kindBFloat16}

// readTensors reads the array of vectors in a file of safetensors: the only one of two dimensions
// and of fractions, or the one that is asked for.
func readTensors(in *source) (*draft, error) {
	size := int64(-1)
	if in.At != nil {
		size = in.Size
	}
	list, start, err := safetensors.ReadHead(in.Stream, size)
	if err != nil {
		if in.Ctx.Err() != nil || size < 0 {
			return nil, in.Wrap("", err)
		}
		return nil, in.Fail("", "%v; copy or write it again", err)
	}
	delete(list, "__metadata__")
	arrays := make(map[string]*safetensors.Array, len(list))
	var usable, all []string
	for _, name := range slices.Sorted(maps.Keys(list)) {
		a := new(safetensors.Array)
		if err := json.Unmarshal(list[name], a); err != nil {
			return nil, in.Fail("array "+message.Clip(name, 60), "has an entry in the head that cannot be read; copy or write the file again")
		}
		arrays[name] = a
		shape := strings.ReplaceAll(strings.Trim(fmt.Sprint(a.Shape), "[]"), " ", "×")
		all = append(all, fmt.Sprintf("%s (%s %s)", message.Clip(name, 60), message.Clip(a.Type, 10), shape))
		if len(a.Shape) == 2 && tensorKinds[a.Type] != noKind {
			usable = append(usable, name)
		}
	}
	option := "‹var›"
	if in.opt.Vectors {
		option = "‹vectors-column›"
	}
	name := in.opt.Var
	switch {
	case name != "" && arrays[name] == nil:
		return nil, in.Fail(option+" "+message.Clip(name, 60), "there is no such array; the file holds %s", message.List(all, 10))
	case name != "" && !slices.Contains(usable, name):
		return nil, in.Fail("array "+message.Clip(name, 60), "is no matrix of F16, BF16, F32 or F64; the file holds %s", message.List(all, 10))
	case name != "":
	case len(usable) == 0:
		return nil, input.NoDocuments(in.Fail("", "holds no matrix of F16, BF16, F32 or F64, but %s; write one, with save_file of safetensors", message.List(all, 10)))
	case len(usable) > 1:
		return nil, in.Fail("", "holds several matrices; name one with %s: %s", option, message.List(all, 10))
	default:
		name = usable[0]
		a, others := arrays[name], ""
		if len(all) > 1 {
			k := slices.Index(slices.Sorted(maps.Keys(arrays)), name)
			others = ", and not " + message.List(slices.Delete(all, k, k+1), 10)
		}
		in.Notef("The documents are the rows of the array %s (%d×%d, %s)%s.", message.Clip(name, 60), a.Shape[0], a.Shape[1], a.Type, others)
	}
	return in.readTensor(name, arrays[name], start, size)
}

// readTensor reads one array; the arrays begin at the byte start.
func (in *source) readTensor(name string, a *safetensors.Array, start, size int64) (*draft, error) {
	kind := tensorKinds[a.Type]
	place := "array " + message.Clip(name, 60)
	left := a.Offsets[1]
	if size >= 0 {
		left = size - start
	}
	switch {
	case a.Shape[0] == 0 || a.Shape[1] == 0:
		return nil, input.NoDocuments(in.Fail(place, "it is empty (%d×%d); a corpus needs at least one document and one term", a.Shape[0], a.Shape[1]))
	case size >= 0 && a.Offsets[1] > left:
		return nil, in.Fail(place, "it ends at byte %d of %d, the file was cut off; copy or download it again", start+a.Offsets[1], size)
	case !a.Holds(int64(kind.size()), left):
		return nil, in.Fail(place, "has the shape %v of %s in the bytes %d to %d, which does not fit; write the file again", a.Shape, a.Type, a.Offsets[0], a.Offsets[1])
	}
	if _, err := io.CopyN(io.Discard, in.Stream, a.Offsets[0]); err != nil {
		return nil, in.Wrap(place, input.Early(err))
	}
	d := &draft{what: place}
	if err := in.readDense(d, kind, int64(a.Shape[0]), int64(a.Shape[1])); err != nil {
		return nil, err
	}
	return d, in.takeLabelsBeside(d)
}

// readDense reads a matrix by rows, of numbers with their low bytes first.
func (in *source) readDense(d *draft, kind numKind, rows, cols int64) (err error) {
	a := &npyArray{kind: kind, width: int64(kind.size()), order: binary.LittleEndian, dims: []int64{rows, cols}, count: rows * cols}
	if in.opt.inSingle(kind) && !in.opt.Transpose {
		d.x, err = a.asSingle(in, "", in.Stream, in.Size)
	} else {
		d.x, d.flipped, err = a.matrix(in, d.what, in.Stream, in.Size)
	}
	return err
}

// vectorSizes is the first line of a file of word2vec: the numbers of words and of dimensions.
var vectorSizes = pattern.Lazy(`^([0-9]{1,18}) ([0-9]{1,9})$`)

// isWordVectors recognises a binary file of word2vec: behind its sizes come bytes that are no text.
func isWordVectors(head []byte) bool {
	first, rest, whole := bytes.Cut(head, []byte("\n"))
	return whole && vectorSizes().Match(first) && bytes.IndexByte(rest, 0) >= 0
}

// readWordVectors reads a binary file of word2vec: each word is a document, and its vector a row.
func readWordVectors(in *source) (*draft, error) {
	line, err := in.Stream.ReadSlice('\n')
	sizes := vectorSizes().FindSubmatch(bytes.TrimSuffix(line, []byte("\n")))
	if err != nil || sizes == nil {
		return nil, in.Fail("line 1", "does not count words and dimensions, so this is no binary file of word2vec; leave out ‹input-format›")
	}
	rows, _ := strconv.ParseInt(string(sizes[1]), 10, 64)
	cols, _ := strconv.ParseInt(string(sizes[2]), 10, 64)
	if err := in.checkShape("line 1", rows, cols, rows); err != nil {
		return nil, err
	}
	const least = 2 // bytes of a word and its blank
	if in.At != nil && rows > in.Size/(4*cols+least) {
		return nil, in.Fail("line 1", "counts %d vectors of %d numbers, which are more than the %s of the file, so it was cut off; copy or download it again", rows, cols, message.Bytes(in.Size))
	}
	words := &wordRows{in: in, size: int(4 * cols), from: in.Stream}
	in.Stream = bufio.NewReaderSize(words, 64<<10)
	d := &draft{what: "the vectors"}
	if err := in.readDense(d, kindFloat32, rows, cols); err != nil {
		return nil, err
	}
	for in.Stream = words.from; ; {
		if c, err := in.Stream.ReadByte(); err == io.EOF {
			break
		} else if err != nil {
			return nil, in.Wrap("", err)
		} else if c != '\n' {
			return nil, in.Fail("", "goes on after the %d vectors that its first line counts, the file is damaged; copy or write it again", rows)
		}
	}
	if in.opt.IDColumn != columns.None {
		d.rowNames = words.names
	}
	if !in.opt.Vectors {
		in.Notef("Each word of the file is a document, and its vector the numbers of it.")
	}
	return d, nil
}

// longestWord is the most bytes of a word with a vector.
const longestWord = 4096

// wordRows are the vectors of a binary file of word2vec without the words, which it keeps.
type wordRows struct {
	in    *source
	from  *bufio.Reader
	names []string
	lines bool // words follow a line break, all but the first
	size  int  // bytes of a vector
	left  int  // bytes of the vector at hand that are not read
}

func (w *wordRows) Read(p []byte) (int, error) {
	if w.left == 0 {
		if err := w.word(); err != nil {
			return 0, err
		}
		w.left = w.size
	}
	n, err := w.from.Read(p[:min(len(p), w.left)])
	w.left -= n
	if err == io.EOF {
		return n, w.short()
	}
	return n, err
}

// word reads a word up to its blank; word2vec ends each vector with a line break, gensim, which
// writes UTF-8, does not. The end of the file is io.EOF where a word may begin.
func (w *wordRows) word() error {
	var word []byte
	for broken := false; ; {
		c, err := w.from.ReadByte()
		switch {
		case err == io.EOF && len(word) > 0:
			return w.short()
		case err != nil:
			return err
		case c == '\n' && len(word) == 0:
			broken = true
		case c == ' ':
			if w.lines = w.lines || broken; len(w.names) > 0 && !broken && (w.lines || !isWord(word)) {
				return w.in.Fail(fmt.Sprintf("word %d", len(w.names)+1), "what stands here is no word: the word before it holds a blank, or the file is damaged; write the words with _ for blanks")
			}
			name := strings.ToValidUTF8(string(word), "\uFFFD")
			w.names = append(w.names, lexical.Tidy(name))
			return w.in.Mem.Take(int64(len(name))+32, 1)
		case len(word) == longestWord:
			return w.in.Fail(fmt.Sprintf("word %d", len(w.names)+1), "has more than %d bytes, so this is no binary file of word2vec, or it is damaged", longestWord)
		default:
			word = append(word, c)
		}
	}
}

// isWord reports whether bytes are UTF-8 without control characters, which ends of numbers hardly
// ever are.
func isWord(word []byte) bool {
	return utf8.Valid(word) && !bytes.ContainsFunc(word, func(r rune) bool { return r < ' ' || r == 0x7f })
}

func (w *wordRows) short() error {
	return w.in.Fail(fmt.Sprintf("word %d", max(1, len(w.names))), "the file ends here, it was cut off; copy or download it again")
}
