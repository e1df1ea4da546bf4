package text

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/office"
	"github.com/eigenmap/eigenmap/corpus/internal/outlook"
	"github.com/eigenmap/eigenmap/corpus/internal/pdf"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
)

// filesInBatch is the most files that one worker reads and counts at a time: fewer of a folder of
// few files, so that all workers read.
const filesInBatch = 16

// readFolder reads the files of a folder as texts. A sub-folder is a class, with all files below
// it; files in the folder itself are unlabelled. [ReadOptions.ClassFolder] and parts such as
// 20news-bydate-train change that: see folderPlan. A document's id is its path inside the folder
// with slashes, without a final .gz or .xz; such files are unpacked. Names that begin with a dot
// are skipped. Links to files are followed. Links to folders and names that are neither files nor
// folders (pipes, devices) are skipped, and a note says so. Documents are in the order of the
// names' bytes, folder by folder.
//
// Documents of office programs, books and RTF are read by package office, PDFs by package pdf. A
// file that holds no text is left out, and a note says what it is: a file with a NUL byte among its
// first 8000, and what is damaged ([leftFiles]). So are files of many documents, by their names
// (refuseNames), and JSON by its name and content, where they are few beside the texts; else they
// are refused, but with opt.Format folder, when all files are texts. A file that the system does
// not read ends the reading, and so does one that takes more than an eighth of the memory allowed.
// The observer gets stage "read" in files.
func readFolder(in *source) (*counting.Collection, error) {
	dir := in.Name
	tree := &folder{in: in, root: dir}
	if err := tree.walk(""); err != nil {
		return nil, in.Wrap("", err)
	}
	if len(tree.files) == 0 {
		return nil, input.NoDocuments(in.Fail("", "the folder holds no files; put one text per file into it, in one sub-folder for each class"))
	}
	in.left = newLeftFiles(dir)
	plan, err := in.planFolder(dir, tree.files)
	if err != nil {
		return nil, err
	}
	texts, err := in.fileTexts()
	if err != nil {
		return nil, err
	}
	each := min(max(len(plan.files)/(4*counting.RoundBatches), 1), filesInBatch)
	texts.met = in.reportFiles(len(plan.files))
	t, c, err := in.countTexts(func(emit func(counting.Batch) bool) error {
		for files := plan.files; len(files) > 0; {
			n := min(len(files), each)
			if !emit(&fileBatch{fileTexts: texts, root: dir, files: files[:n]}) {
				return nil
			}
			files = files[n:]
		}
		return nil
	}, nil)
	if err = in.left.none(in, plan, dir, err); err != nil {
		return nil, in.Wrap("", err)
	}
	if err := in.hasHeader(c); err != nil {
		return nil, err
	}
	in.left.without(nil, plan, dir)
	c.Unread = plan.unread(in.opt.Split)
	if t.Damaged > 0 && in.opt.Encoding == "" {
		c.Notes = append(c.Notes, "With ‹encoding› auto, files that are not UTF-8 are read as Windows-1252.")
	}
	c.Notes = append(c.Notes, plan.notes()...)
	c.Notes = append(c.Notes, in.left.notes()...)
	c.Notes = append(c.Notes, tree.notes()...)
	return c, nil
}

// reportFiles returns a function that counts the files that were read and reports their number, in
// files, up to five times a second. Several goroutines may call it.
func (in *source) reportFiles(files int) func() {
	var mu sync.Mutex
	last, done := time.Now(), 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		if done++; time.Since(last) > 200*time.Millisecond {
			last = time.Now()
			in.Observer.Report("read", int64(done), int64(files), "files")
		}
	}
}

// tableExtensions are those of tables, which are no text each.
var tableExtensions = []string{".csv", ".tsv", ".tab", ".xlsx", ".xlsm", ".ods", ".fods", ".arff", ".sav", ".zsav", ".dta", ".xpt", ".sas7bdat"}

// networkExtensions are file extensions of graphs, which are not texts. Other extensions of graphs,
// such as .net, occur with texts too.
var networkExtensions = []string{".graphml", ".gexf", ".gml", ".gv", ".paj", ".cyjs"}

// refuseNames returns the paths of the files of a folder or an archive without those that hold many
// documents by their names, unless the user says that all files are texts. Few of these are left
// out; where they are not few beside the other files, they may be what is meant, and the first of
// them is refused. So is the mark of the output of a job.
func (in *source) refuseNames(root string, paths []string) (kept []string, err error) {
	if in.opt.Format != "" {
		return paths, nil
	}
	texts, first := 0, ""
	many := make(map[string]string) // what files hold that are not a text
	for _, path := range paths {
		is, way := manyDocuments(path)
		name := filepath.Join(root, filepath.FromSlash(path))
		switch {
		case path[strings.LastIndexByte(path, '/')+1:] == jobMark:
			return nil, input.Failf(name, "", "lies beside the output of a job of Hadoop or Spark, whose files are not a text each; name an unpacked folder that holds its JSON lines with a text, or its Parquet, and nothing else,%s", everyFile)
		case is != "":
			if first == "" {
				first = fmt.Sprintf("%s in a folder of texts, whose files are a text each; %s,%s", is, way, everyFile)
			}
			many[path] = is
		case !IsMedia(path):
			texts++
		}
		if is == "" {
			kept = append(kept, path)
		}
	}
	if len(many) > 0 && !areFew(len(many), texts) {
		for _, path := range paths {
			if many[path] != "" {
				return nil, input.Failf(filepath.Join(root, filepath.FromSlash(path)), "", "%s", first)
			}
		}
	}
	for path, is := range many {
		in.left.add(filepath.Join(root, filepath.FromSlash(path)), is+", not a text; ‹input-format› folder reads every file as one text", false)
	}
	return kept, nil
}

// areFew reports whether so many files of many documents are strange among other files: a table
// beside a licence and a few words on it is what is meant.
func areFew(many, others int) bool { return 10*many < others }

// manyDocuments says of a file that holds many documents by its name what it is, and how it is
// read; "" for another.
func manyDocuments(path string) (is, way string) {
	switch kind, name := extensionOf(path), filepath.Ext(input.UnpackedName(strings.ToLower(path))); {
	case Parts(kind):
		return "is by its name a file of many documents", "name the unpacked folder that holds it, or a .list of such files"
	case kind == listFormat:
		return "is by its name a list of the files of a corpus", "name the list itself, unpacked"
	case slices.Contains(networkExtensions, name):
		return "is by its name a graph", "name the graph itself, unpacked, or move it out of the folder"
	case slices.Contains(tableExtensions, name):
		return "is by its name a table", "name the table itself, of several the one or a table of all rows, or move it out of the folder"
	}
	return "", ""
}

// everyFile is the way out of a file of many documents in a folder of texts.
const everyFile = " or give ‹input-format› folder to read every file as one text"

// folder collects the files of a tree.
type folder struct {
	in      *source
	root    string
	files   []string // paths inside root, with slashes
	skipped int      // links to folders, pipes, devices
	first   string

	lost      int // links to files that do not exist
	firstLost string
}

// walk collects the files below the folder at path (relative, slashes), in order of their names.
func (f *folder) walk(path string) error {
	if err := f.in.Ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Join(f.root, filepath.FromSlash(path))) // sorted
	if err != nil {
		return input.OpenError(filepath.Join(f.root, filepath.FromSlash(path)), err)
	}
	for _, e := range entries {
		if input.IsHidden(e.Name()) {
			continue
		}
		inner := e.Name()
		if path != "" {
			inner = path + "/" + inner
		}
		kind := e.Type()
		if kind&os.ModeSymlink != 0 {
			name := filepath.Join(f.root, filepath.FromSlash(inner))
			info, err := os.Stat(name)
			if err != nil {
				if f.lost++; f.lost == 1 {
					f.firstLost = inner
				}
				continue
			}
			if kind = info.Mode().Type(); kind.IsDir() {
				kind = os.ModeSymlink
			}
		}
		switch {
		case kind.IsDir():
			if err := f.walk(inner); err != nil {
				return err
			}
		case kind.IsRegular():
			if err := f.in.Mem.Take(counting.DocumentBytes+int64(len(inner)), 1); err != nil {
				return err
			}
			f.files = append(f.files, inner)
		default:
			if f.skipped++; f.skipped == 1 {
				f.first = inner
			}
		}
	}
	return nil
}

// notes says what was skipped.
func (f *folder) notes() (notes []string) {
	if f.lost > 0 {
		notes = append(notes, fmt.Sprintf("%s left out (first: %s); restore their targets.", message.Plural(f.lost, "link to a file that does not exist is", "links to files that do not exist are"), message.Clip(f.firstLost, 120)))
	}
	if f.skipped > 0 {
		notes = append(notes, fmt.Sprintf("%s skipped: they are links to folders, or neither files nor folders (first: %s).", message.Plural(f.skipped, "name in the folder was", "names in the folder were"), message.Clip(f.first, 120)))
	}
	return notes
}

// fileTexts says how the bytes of a file become a text.
type fileTexts struct {
	dec    charset.Decoder
	header string     // of messages and texts with headers, that is their class; empty: none
	chosen bool       // the user chose the encoding: what a page of HTML declares does not count
	strip  []string   // of messages
	limit  int64      // most bytes of a text
	asked  bool       // the user said that every file is a text
	left   *leftFiles // gets the files without a text
	ctx    context.Context
	pdfs   *pdf.Tool
	met    func() // is called for each file of a folder; nil: nothing is
}

func (in *source) fileTexts() (fileTexts, error) {
	name := in.opt.Encoding
	chosen := name != "" && name != charset.Auto
	if name == "" {
		name = "utf-8"
	}
	dec, err := charset.New(name)
	return fileTexts{dec: dec, header: textproto.CanonicalMIMEHeaderKey(in.opt.LabelHeader), chosen: chosen, strip: in.opt.stripped(), limit: in.Mem.Limit / lineShare, asked: in.opt.Format == "folder", left: in.left, ctx: in.Ctx, pdfs: pdf.New(in.Mem.Limit)}, err
}

// glances are buffers for looking at the first bytes of a file.
var glances = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

// text makes the document's text from a file's content, or leaves it out; err is the error of its
// reading.
func (t *fileTexts) text(d *counting.Document, name string, data []byte, err error) error {
	err = t.content(d, name, data, err)
	if why := strangeness(err); why != "" {
		d.Skip = true
		t.left.add(name, why, errors.Is(err, errMany))
		return nil
	}
	return err
}

// content makes the document's text from a file's content, or a sentence from the error err of its
// reading.
func (t *fileTexts) content(d *counting.Document, name string, data []byte, err error) error {
	if err == nil {
		data, err = t.unpacked(data)
	}
	if err == input.ErrTooLong {
		return tooLong(name, "", "", t.limit)
	}
	if err != nil {
		return (&input.File{Ctx: context.Background(), Name: name}).Wrap("", err)
	}
	letter := outlook.Is(data)
	if letter {
		if data, err = outlook.Mail(data, t.limit); err == input.ErrTooLong {
			return tooLong(name, "", "", t.limit)
		} else if err != nil {
			return input.Failf(name, "", "%s", err)
		}
	}
	dec, chosen := t.dec, t.chosen
	if input.WideEncoding(data) == "UTF-16" && !chosen {
		var text string
		text, _, d.Damaged = charset.Decoder{Auto: true}.Decode(data)
		data, dec, chosen = []byte(text), charset.Decoder{}, true
	}
	data = bytes.TrimPrefix(data, []byte(input.ByteOrderMark))
	if t.header != "" {
		d.Label = (&mailRule{header: t.header, auto: charset.Decoder{Auto: true}}).classOf(data)
		d.HasLabel = d.Label != ""
	}
	switch head := data[:min(len(data), input.SniffBytes)]; {
	case letter:
		return t.message(d, name, data)
	case office.Is(data):
		return t.office(d, name, data)
	case pdf.Is(data):
		return t.pdf(d, name, data)
	case t.notPlain(data, head) != "":
		return input.Failf(name, "", "%s", t.notPlain(data, head))
	case t.dec.Wide:
	case !t.asked && isJSON(name, head):
		return input.Caused(input.Failf(name, "", "is JSON, in a folder of texts, whose files are a text each; name an unpacked folder of JSON lines, one object with a string text per line (of arrays of messages, as Slack exports them, for instance with jq -c '.[]' FOLDER/*/*.json > messages.jsonl), or give ‹input-format› folder to read every file as one text"), errMany)
	case isMessage(name, data):
		return t.message(d, name, data)
	case plain.IsNotebook(name, data):
		return notebook(d, name, data)
	}
	if t.left != nil && HoldsMessages(data) {
		if !t.asked {
			return input.Caused(input.Failf(name, "", "is a mailbox of several messages, in a folder of texts, whose files are a text each; name the mailbox itself, or a folder of mailboxes alone, to read each message as a document,%s", everyFile), errMany)
		}
		t.left.mailbox(name)
	}
	page := plain.IsHTML(name, data)
	if page && !chosen {
		dec = plain.HTMLDecoder(data, dec)
	}
	t.plain(d, name, page, dec, data)
	return nil
}

// notPlain says why the content of a file, which begins with head, is no plain text; "" of one that
// is.
func (t *fileTexts) notPlain(data, head []byte) string {
	why := notText(data)
	switch {
	case why != "":
		return why
	case input.WideEncoding(head) == "UTF-32":
		return input.WideRefusal("UTF-32")
	case t.dec.Wide:
	case input.WideEncoding(head) != "":
		return "is UTF-16 text; read the folder without ‹encoding›, which knows it by its byte-order mark, or with ‹encoding› utf-16 if all texts are of that kind"
	case bytes.IndexByte(head, 0) >= 0:
		return "is not text, it holds NUL bytes; move it out of the folder"
	}
	return ""
}

// unpacked is the content of a file that may be packed.
func (t *fileTexts) unpacked(data []byte) ([]byte, error) {
	b := glances.Get().(*bufio.Reader)
	b.Reset(bytes.NewReader(data))
	content, packed, err := input.Unpack(b)
	if packed && err == nil {
		return readLimited(content, 4*int64(len(data)), t.limit)
	}
	if !packed { // else the unpacker may hold it
		glances.Put(b)
	}
	return data, err
}

// plain decodes a text, and takes the marks out of HTML, SGML, Markdown, subtitles, transcripts
// and LaTeX.
func (t *fileTexts) plain(d *counting.Document, name string, page bool, dec charset.Decoder, data []byte) {
	var damaged bool
	d.Text, d.Guessed, damaged = dec.Decode(data)
	d.Damaged = d.Damaged || damaged
	switch {
	case page, isSGML(name):
		d.Text, d.Plain = plain.HTML(d.Text), true
	case plain.IsMarkdown(name):
		d.Text, d.Plain = plain.Markdown(d.Text), true
	case plain.IsSubtitles(name, data):
		d.Text, d.Plain = plain.Subtitles(name, d.Text), true
	case plain.IsTranscript(name):
		d.Text, d.Plain = plain.Transcript(name, d.Text), true
	case plain.IsLaTeX(name):
		d.Text, d.Plain = plain.LaTeX(d.Text), true
	}
}

// office takes the text of a document of an office program, a book or RTF.
func (t *fileTexts) office(d *counting.Document, name string, data []byte) error {
	text, err := office.Text(data, t.limit, plain.HTML)
	if err == input.ErrTooLong {
		return tooLong(name, "", "", t.limit)
	} else if err != nil {
		return input.Failf(name, "", "%s", err)
	}
	d.Text, d.Plain = text, true
	return nil
}

// isMessage recognises a message of mail by the name of its file and its first line, or under
// another name, as in a Maildir, by headers that say how its text is encoded. A message that needs
// no decoding is a text with headers, and so is a mailbox of several messages.
func isMessage(name string, data []byte) bool {
	if !slices.Contains([]string{".eml", ".mht", ".mhtml"}, path.Ext(input.UnpackedName(strings.ToLower(name)))) {
		return plain.IsEncodedMail(data) && !HoldsMessages(data)
	}
	first, _, _ := bytes.Cut(data, []byte("\n"))
	return plain.IsHeader(string(first)) || LooksLikeMbox(data)
}

// HoldsMessages reports whether a mailbox, or its beginning, has a second message: a line that
// begins one, with a time, below an empty line and above a header.
func HoldsMessages(data []byte) bool {
	if !bytes.HasPrefix(data, []byte(mboxStart)) {
		return false
	}
	for at := 0; ; {
		next := bytes.Index(data[at:], []byte("\n"+mboxStart))
		if next < 0 {
			return false
		}
		at += next + 1
		line, rest, _ := bytes.Cut(data[at:], []byte("\n"))
		header, _, _ := bytes.Cut(rest, []byte("\n"))
		if before := bytes.TrimSuffix(data[:at-1], []byte("\r")); bytes.HasSuffix(before, []byte("\n")) && isFromLine(line) && plain.IsHeader(string(header)) {
			return true
		}
	}
}

// message takes the text of a message of mail, as of one in a mailbox.
func (t *fileTexts) message(d *counting.Document, name string, data []byte) error {
	rule := &mailRule{file: name, strip: t.strip, auto: charset.Decoder{Auto: true}}
	if t.chosen {
		rule.auto = t.dec
	}
	if !bytes.HasPrefix(data, []byte(mboxStart)) {
		data = append([]byte(mboxStart+"\n"), data...)
	}
	m, err := rule.document(data, 0)
	d.Text, d.Guessed, d.Damaged = m.Text, m.Guessed, m.Damaged
	d.Plain, d.Message, d.Mail, d.Cut = true, true, m.Mail, m.Cut
	return err
}

// isJSON recognises an object or array of JSON by the name of its file and its first bytes.
func isJSON(name string, head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return filepath.Ext(input.UnpackedName(strings.ToLower(name))) == ".json" && len(head) > 0 && (head[0] == '{' || head[0] == '[')
}

// fileBatch is a few files of a folder.
type fileBatch struct {
	fileTexts
	root  string
	files []textFile
}

func (b *fileBatch) Len() int  { return len(b.files) }
func (b *fileBatch) Held() int { return 0 } // a file is read when it is counted

// document reads file i.
func (b *fileBatch) Document(i int) (counting.Document, error) {
	f := b.files[i]
	d := f.document()
	defer b.met()
	name := filepath.Join(b.root, filepath.FromSlash(f.path))
	file, size, err := input.OpenRegular(name)
	if err != nil {
		return d, err
	}
	defer file.Close()
	data, err := readLimited(file, size, b.limit)
	return d, b.text(&d, name, data, err)
}

// readLimited reads all of r, or returns input.ErrTooLong if that is more than limit bytes; size is
// a hint.
func readLimited(r io.Reader, size, limit int64) ([]byte, error) {
	r = io.LimitReader(r, limit+1)
	data := bytes.NewBuffer(make([]byte, 0, min(max(size, 0), limit)+bytes.MinRead))
	_, err := data.ReadFrom(r)
	if err == nil && int64(data.Len()) > limit {
		return nil, input.ErrTooLong
	}
	return data.Bytes(), err
}

// notebook takes the text of a notebook.
func notebook(d *counting.Document, name string, data []byte) error {
	text, ok := plain.Notebook(data)
	if !ok {
		return input.Failf(name, "", "is a damaged notebook of Jupyter; save it anew, or move it out of the folder")
	}
	d.Text, d.Plain = text, true
	return nil
}
