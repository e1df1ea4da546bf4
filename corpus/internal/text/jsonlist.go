package text

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// Bounds of the search for the list of documents in an object: the bytes of the file that are
// looked at, and the names on the way to the list.
const (
	listLook  = 64 << 10
	listDepth = 3
	// mostDepth is how deep brackets may be, as in encoding/json.
	mostDepth = 10000
)

// besideLists are names of fields that say something of the documents and hold none.
var besideLists = []string{"schema", "meta", "metadata", "info"}

// TakeList looks whether a file is one JSON object with one list of objects in it, such as
// {"version": 1, "data": [{...}, ...]}, or of ten strings or more. If so its stream is the list
// alone from now on. What follows the list is read when the list ends: another list of objects, or
// another object, is an error of the stream.
func TakeList(in *input.File) bool {
	head, _ := in.Stream.Peek(listLook) // an error comes again where it is read
	path, start := findList(head, extensionOf(in.Name) == "jsonl")
	if path == nil {
		path, start = takeStrings(head)
	}
	if path == nil {
		return false
	}
	chosen, others := chooseList(in)
	say := "."
	if chosen != nil && len(others) > 0 {
		path, start = chosen.path, chosen.start
		say = fmt.Sprintf("; lists of objects with fewer words are left out: %s.", message.Clip(strings.Join(others, ", "), 60))
	}
	in.Notef("The documents are the list in the field %s%s", message.Clip(strings.Join(path, "."), 60), say)
	in.Stream = bufio.NewReaderSize(&listReader{in: in, r: in.Stream, path: path, skip: start, chosen: len(others) > 0}, listLook)
	return true
}

// findList returns the path to the first list of objects in the object that a file begins with, and
// where its bracket is; nil if there is none, or if the file has several objects or one that is a
// document itself. lines says that the name of the file is one of JSON lines.
func findList(head []byte, lines bool) (path []string, start int) {
	from := 0
	if bytes.HasPrefix(head, []byte(input.ByteOrderMark)) {
		from = len(input.ByteOrderMark)
	}
	for from < len(head) && bytes.IndexByte([]byte(" \t\r\n"), head[from]) >= 0 {
		from++
	}
	if from == len(head) || head[from] != '{' {
		return nil, 0
	}
	head = head[from:]
	w := listWalk{d: json.NewDecoder(bytes.NewReader(head)), head: head}
	at, ok := w.next()
	if !ok || w.isText || graphLists(w.path()) || slices.ContainsFunc(w.path(), func(name string) bool { return name == "" }) {
		return nil, 0
	}
	switch end := objectEnd(head); {
	case end >= 0:
		if len(bytes.TrimSpace(head[end:])) > 0 || !holdsDocuments(head[:end]) {
			return nil, 0
		}
	case bytes.IndexByte(bytes.TrimRight(head, "\r\n"), '\n') < 0 && (lines || w.words):
		return nil, 0 // a long line, after which others may come
	}
	return w.path(), from + at
}

// graphLists reports whether the list at a path may be the nodes or the edges of a graph.
func graphLists(path []string) bool {
	return slices.Contains([]string{"nodes", "links", "edges"}, path[len(path)-1])
}

// holdsDocuments reports whether a list in an object may hold the documents: it is not a graph or
// one document with such a list. A fault in it is named where it is read.
func holdsDocuments(raw []byte) bool {
	var object map[string]json.RawMessage
	if json.Unmarshal(finiteJSON(raw), &object) != nil {
		return true
	}
	return listOfObjects(object, listDepth) != nil && !hasField(raw, "text") && graphObject(object) == ""
}

// objectEnd is where the object ends that text begins with; -1 if it goes on.
func objectEnd(text []byte) int {
	s := jsonState{}
	for i, c := range text {
		if s.add(c); s.depth == 0 {
			return i + 1
		}
	}
	return -1
}

// jsonState follows the brackets and quotes of JSON.
type jsonState struct {
	depth           int
	quoted, escaped bool
}

func (s *jsonState) add(c byte) {
	switch {
	case s.escaped:
		s.escaped = false
	case s.quoted && c == '\\':
		s.escaped = true
	case c == '"':
		s.quoted = !s.quoted
	case s.quoted:
	case c == '{' || c == '[':
		s.depth++
	case c == '}' || c == ']':
		s.depth--
	}
}

// listWalk walks through an object to the lists of objects in it.
type listWalk struct {
	d    *json.Decoder
	head []byte       // what d reads; nil if it is a stream
	from *tokenReader // the stream; nil if d reads head
	// levels are the objects and lists that are open: of an object the name of the field that is
	// read, and whether such a name comes next.
	levels []listLevel
	isText bool // the object has a field text
	words  bool // it has a string of several words before the list
	err    error
}

type listLevel struct {
	list bool
	name string
	wait bool
}

// path are the names of the fields that are open.
func (w *listWalk) path() (path []string) {
	for _, l := range w.levels {
		path = append(path, l.name)
	}
	return path
}

// next goes to the next list whose first element is an object, inside objects alone and not too
// deep. start is where its bracket is, in head. It ends behind the object, or at an error.
func (w *listWalk) next() (start int, ok bool) {
	for {
		if w.from != nil {
			w.from.left = w.from.most
		}
		token, err := w.d.Token()
		if err == nil && len(w.levels) > mostDepth {
			err = errDeep
		}
		if err != nil {
			w.err = err
			return 0, false
		}
		at := len(w.levels) - 1
		if at >= 0 && !w.levels[at].list && w.levels[at].wait {
			if name, isName := token.(string); isName {
				w.levels[at].name, w.levels[at].wait = name, false
				w.isText = w.isText || at == 0 && name == "text"
				continue
			}
		}
		switch token {
		case json.Delim('{'):
			w.levels = append(w.levels, listLevel{wait: true})
			continue
		case json.Delim('['):
			bracket := int(w.d.InputOffset()) - 1
			if w.here() && w.ofObjects() {
				return bracket, true
			}
			w.levels = append(w.levels, listLevel{list: true})
			continue
		case json.Delim('}'), json.Delim(']'):
			w.levels = w.levels[:at]
			at--
		default:
			s, _ := token.(string)
			w.words = w.words || len(strings.Fields(s)) > 3
		}
		if at < 0 {
			return 0, false
		}
		w.levels[at].wait = !w.levels[at].list
	}
}

// here reports whether a list that opens is inside few objects, none of which says something of the
// documents, and in no other list.
func (w *listWalk) here() bool {
	return len(w.levels) > 0 && len(w.levels) <= listDepth && !slices.ContainsFunc(w.levels, func(l listLevel) bool {
		return l.list || slices.Contains(besideLists, strings.ToLower(l.name))
	})
}

// ofObjects reports whether the list that opened begins with an object.
func (w *listWalk) ofObjects() bool {
	if w.head != nil {
		rest := bytes.TrimLeft(w.head[w.d.InputOffset():], " \t\r\n")
		return len(rest) > 0 && rest[0] == '{'
	}
	return w.d.More() && firstOf(w.d) == '{'
}

// firstOf is the next byte of a decoder that is no white space, as far as it has read.
func firstOf(d *json.Decoder) byte {
	buffered, _ := io.ReadAll(d.Buffered()) // from memory
	if buffered = bytes.TrimLeft(buffered, " \t\r\n"); len(buffered) == 0 {
		return 0
	}
	return buffered[0]
}

// errDeep says that brackets are deeper than any document's.
var errDeep = errors.New("its brackets are deeper than 10000")

// tokenReader is a stream of which most bytes are read for one token, which a decoder keeps whole.
type tokenReader struct {
	r          io.Reader
	most, left int64
}

// Read returns input.ErrTooLong when a token is too long.
func (t *tokenReader) Read(p []byte) (int, error) {
	if t.left <= 0 {
		return 0, input.ErrTooLong
	}
	n, err := t.r.Read(p[:min(int64(len(p)), t.left)])
	t.left -= int64(n)
	return n, err
}

// listReader reads a list out of an object.
type listReader struct {
	in   *input.File
	r    *bufio.Reader
	path []string
	skip int // bytes before the list that were not read yet
	// chosen says that other lists of objects in the file are left out.
	chosen bool

	state  jsonState
	within bool // the list has begun
	out    []byte
	err    error
}

// Read implements io.Reader. Of what stands before the list it gives the ends of the lines, so that
// lines have their numbers.
func (l *listReader) Read(p []byte) (int, error) {
	for len(l.out) < len(p) && l.err == nil {
		c, err := l.r.ReadByte()
		switch {
		case err == io.EOF && l.within:
			l.err = io.ErrUnexpectedEOF
		case err != nil:
			l.err = err
		case l.skip > 0:
			if l.skip--; c == '\n' {
				l.out = append(l.out, c)
			}
		default:
			l.state.add(c)
			l.within = true
			if l.out = append(l.out, c); l.state.depth == 0 {
				l.err = l.rest()
			}
		}
	}
	n := copy(p, l.out)
	l.out = l.out[:copy(l.out, l.out[n:])]
	if n == 0 {
		return 0, l.err
	}
	return n, nil
}

// rest reads what follows the list: io.EOF, or what is wrong with it.
func (l *listReader) rest() error {
	var open strings.Builder // the objects that are open
	for _, name := range l.path {
		quoted, err := json.Marshal(name)
		if err != nil {
			return err
		}
		open.WriteString("{" + string(quoted) + ":")
	}
	from := &tokenReader{r: io.MultiReader(strings.NewReader(open.String()+"0"), l.r), most: max(l.in.Mem.Limit/lineShare, listLook)}
	from.left = from.most
	w := listWalk{d: json.NewDecoder(from), from: from}
	first := message.Clip(strings.Join(l.path, "."), 60)
	for _, ok := w.next(); ok; _, ok = w.next() {
		if l.chosen {
			w.levels = append(w.levels, listLevel{list: true})
			continue
		}
		other := message.Clip(strings.Join(w.path(), "."), 60)
		return l.in.Fail("", "is one JSON object with several lists of objects, such as those in its fields %s and %s; write that of the documents alone, for instance with jq -c '.%s[]' FILE > documents.jsonl", first, other, jqPath(l.path))
	}
	if w.err == nil {
		_, w.err = w.d.Token()
	}
	switch syntax := new(json.SyntaxError); {
	case w.err == input.ErrTooLong:
		return tooLong(l.in.Name, "", "a value behind its list "+first+" ", from.most)
	case w.err == errDeep:
		return l.in.Fail("", "%s behind its list %s; write that alone, for instance with jq -c '.%s[]' FILE > documents.jsonl", errDeep, first, jqPath(l.path))
	case w.err == nil:
		return l.in.Fail("", "goes on after the object whose field %s holds a list of objects; write one object per line, with jq -c . FILE > documents.jsonl if each is a document, or with jq -c '.%s[]' if the lists hold them", first, jqPath(l.path))
	case errors.Is(w.err, io.ErrUnexpectedEOF), w.err == io.EOF && len(w.levels) > 0:
		return io.ErrUnexpectedEOF
	case w.err == io.EOF, errors.As(w.err, &syntax): // such as NaN, which is no document
		return io.EOF
	}
	return w.err
}
