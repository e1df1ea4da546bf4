package papers

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/lock"
)

// checkpointFormat is the first word of a checkpoint. Each of its lines ends in a checksum.
// unsummedFormat is that of earlier versions, whose lines have none: they are read, with a note,
// because they may hold days of work.
const (
	checkpointFormat = "eigenmap reproduce checkpoint 2"
	unsummedFormat   = "eigenmap reproduce checkpoint 1"
)

// syncEvery is the time between two syncs of the file: what a crash of the machine may lose. A
// killed process loses nothing that was written.
const syncEvery = 5 * time.Second

// header is the first line of a checkpoint: all that the figures of a cell depend on.
type header struct {
	Format     string       `json:"format"`
	Experiment string       `json:"experiment"`
	Version    int          `json:"version"`
	Seed       uint64       `json:"seed"`
	Protocol   string       `json:"protocol"`
	Metrics    []string     `json:"metrics"`
	Corpus     string       `json:"corpus"`
	SHA256     string       `json:"sha256"`
	Files      []CorpusFile `json:"files,omitempty"` // of several corpora
	Backend    string       `json:"backend"`         // of dense linear algebra; decides last digits
}

// fingerprint is the digest of the header that every line repeats.
func (h header) fingerprint() string {
	text, err := json.Marshal(h)
	if err != nil {
		panic(err) // strings and numbers only
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// differs names the first difference of two headers.
func (h header) differs(other header) string {
	switch {
	case h.Experiment != other.Experiment:
		return fmt.Sprintf("experiment %s, not %s", other.Experiment, h.Experiment)
	case h.Seed != other.Seed:
		return fmt.Sprintf("seed %d, not %d", other.Seed, h.Seed)
	case h.SHA256 != other.SHA256:
		return h.anotherFile(other)
	case h.Backend != other.Backend:
		return fmt.Sprintf("--backend %s, not %s", other.Backend, h.Backend)
	}
	return "another version of the protocol"
}

// anotherFile names the first file in which two headers differ.
func (h header) anotherFile(other header) string {
	for i, f := range h.Files {
		switch {
		case i >= len(other.Files) || f == other.Files[i]:
			continue
		case other.Files[i].SHA256 == "":
			return "without " + f.File
		case f.SHA256 == "":
			return "with " + f.File + ", which is not there now"
		}
		return "another " + f.File
	}
	return "another " + h.Corpus
}

// cellKey names a cell.
type cellKey struct {
	row    string
	test   int
	column string
}

// line is the result of one turn of work on a cell: the scores of its cases from the given one on.
type line struct {
	Experiment  string      `json:"experiment"`
	Fingerprint string      `json:"fingerprint"`
	Row         string      `json:"row"`
	Test        int         `json:"test"`
	Column      string      `json:"column"`
	Case        int         `json:"case"`
	Scores      [][]float64 `json:"scores"` // by case and metric of the column, with all digits
	Seconds     float64     `json:"seconds"`
}

// cell holds the known scores of a cell.
type cell struct {
	scores  [][]float64
	seconds float64 // one thread's, for all its cases
}

// add adds the scores of a line. A line may repeat known scores, which are then the same.
func (c *cell) add(l line) bool {
	if l.Case < 0 || l.Case > len(c.scores) {
		return false
	}
	if news := l.Case + len(l.Scores) - len(c.scores); news > 0 {
		c.scores = append(c.scores, l.Scores[len(l.Scores)-news:]...)
		c.seconds += l.Seconds * float64(news) / float64(len(l.Scores))
	}
	return true
}

// checkpoint is the cells of an experiment, and the file that keeps them if there is one. It is
// safe for several goroutines.
type checkpoint struct {
	mu      sync.Mutex
	head    header
	metrics []Metric
	finger  string
	path    string
	block   Block
	note    string     // about what was read; "" if there is nothing to say
	file    *os.File   // nil: nothing is kept
	held    []*os.File // other checkpoints, which no run may begin to work on
	synced  time.Time
	cells   map[cellKey]*cell
	closed  bool
}

// newCheckpoint is a checkpoint that nothing was read into.
func newCheckpoint(path string, block Block, head header, metrics []Metric) *checkpoint {
	return &checkpoint{head: head, metrics: metrics, finger: head.fingerprint(), path: path, block: block, cells: map[cellKey]*cell{}}
}

// openCheckpoint reads the file of a block of the run at path, and what other checkpoints of the
// run beside it know, and locks it against other runs. A missing file is made; fresh empties it and
// removes the others. Without a path nothing is kept.
func openCheckpoint(path string, block Block, head header, metrics []Metric, fresh bool) (_ *checkpoint, err error) {
	c := newCheckpoint(block.file(path), block, head, metrics)
	if path == "" {
		return c, nil
	}
	f, err := os.OpenFile(c.path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
			closeAll(c.held)
		}
	}()
	if err := occupy(f, lock.File); err != nil {
		return nil, err
	}
	if c.held, err = block.besides(path); err != nil {
		return nil, err
	}
	others, err := c.others(fresh)
	if err != nil {
		return nil, err
	}
	var good int64 // bytes of whole lines
	var own []line
	if !fresh {
		text, err := io.ReadAll(f)
		if err != nil {
			return nil, err
		}
		if own, good, err = c.read(text); err != nil {
			return nil, err
		}
	}
	c.take(own, others)
	// Cut off a line that a killed run left unfinished.
	if err := f.Truncate(good); err != nil {
		return nil, err
	}
	if _, err := f.Seek(good, io.SeekStart); err != nil {
		return nil, err
	}
	c.file, c.synced = f, time.Now()
	if good == 0 {
		if err := c.write(head); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// others reads the lines of the other checkpoints; fresh removes these instead.
func (c *checkpoint) others(fresh bool) (lines []line, err error) {
	for _, f := range c.held {
		if fresh {
			if err := os.Remove(f.Name()); err != nil {
				return nil, err
			}
			continue
		}
		text, err := io.ReadAll(f)
		if err != nil {
			return nil, err
		}
		other := newCheckpoint(f.Name(), c.block, c.head, c.metrics)
		some, _, err := other.read(text)
		if err != nil {
			return nil, err
		}
		lines = append(lines, some...)
		c.note = cmp.Or(c.note, other.note)
	}
	return lines, nil
}

// take adds the lines of the file and of other ones: the cases of a cell may be divided among
// files. Later cases without the ones before them are not known, since the file that had these is
// gone; they are computed again.
func (c *checkpoint) take(own, others []line) {
	all := slices.Concat(own, others)
	slices.SortStableFunc(all, func(a, b line) int { return a.Case - b.Case })
	for _, l := range all {
		c.cell(l.key()).add(l)
	}
}

// wayOut is what helps where a file cannot be used.
func (c *checkpoint) wayOut() string {
	if c.block.All() {
		return "give --fresh to write over it, or another --out"
	}
	return "remove the file to compute its cells again, or give another --out"
}

// badLine is the error of a line that cannot be used.
func (c *checkpoint) badLine(number int, why string) error {
	return invalid.Errorf("%s: line %d %s: remove it and the lines after it to compute them again; or %s", c.path, number, why, c.wayOut())
}

// read returns the lines of a file after the first one, and the length of the whole ones. What
// follows the last line break is an unfinished line.
func (c *checkpoint) read(text []byte) (lines []line, good int64, err error) {
	for number := 1; ; number++ {
		end := bytes.IndexByte(text[good:], '\n')
		if end < 0 {
			return lines, good, nil
		}
		raw, summed := unseal(text[good : good+int64(end)])
		good += int64(end) + 1
		if number == 1 {
			if err := c.readHeader(raw, summed); err != nil {
				return nil, 0, err
			}
			continue
		}
		if !summed && c.head.Format != unsummedFormat {
			return nil, 0, c.badLine(number, "is damaged (its checksum is wrong)")
		}
		var l line
		if json.Unmarshal(raw, &l) != nil || l.Fingerprint != c.finger || !c.fits(l) {
			return nil, 0, c.badLine(number, "does not belong there, something else wrote to the file")
		}
		lines = append(lines, l)
		if !summed && c.note == "" {
			c.note = fmt.Sprintf("%s is of an earlier version, whose lines have no checksums: damage would go unnoticed; --fresh computes them again", c.path)
		}
	}
}

// readHeader checks the first line of a file. One of an earlier version stays as it is.
func (c *checkpoint) readHeader(raw []byte, summed bool) error {
	var h header
	readable := json.Unmarshal(raw, &h) == nil
	switch {
	case readable && h.Format == unsummedFormat && !summed:
		c.head.Format = unsummedFormat
		c.finger = c.head.fingerprint()
	case !readable || h.Format != checkpointFormat:
		return invalid.Errorf("%s: it is no checkpoint of this program: %s", c.path, c.wayOut())
	case !summed:
		return invalid.Errorf("%s: line 1 is damaged (its checksum is wrong): %s", c.path, c.wayOut())
	}
	if h.fingerprint() != c.finger {
		return invalid.Errorf("%s: it is of another run (%s): %s", c.path, c.head.differs(h), c.wayOut())
	}
	return nil
}

// A line on the disk is a JSON object whose last member is the checksum of the object without it.
const (
	sumBefore, sumAfter = `,"sum":"`, `"}`
	sumDigits           = 16
)

func sumOf(object []byte) string {
	sum := sha256.Sum256(object)
	return hex.EncodeToString(sum[:])[:sumDigits]
}

// seal adds its checksum to an object that is not empty.
func seal(object []byte) []byte {
	return slices.Concat(object[:len(object)-1], []byte(sumBefore+sumOf(object)+sumAfter))
}

// unseal takes the checksum off a line, and says whether there was one that is right.
func unseal(raw []byte) (object []byte, summed bool) {
	at := len(raw) - len(sumBefore) - sumDigits - len(sumAfter)
	if at < 0 || !bytes.HasPrefix(raw[at:], []byte(sumBefore)) || !bytes.HasSuffix(raw, []byte(sumAfter)) {
		return raw, false
	}
	object = append(slices.Clone(raw[:at]), '}')
	return object, string(raw[at+len(sumBefore):at+len(sumBefore)+sumDigits]) == sumOf(object)
}

// fits checks the ranges of a line: every metric is a share, from 0 to 1 but for rounding.
func (c *checkpoint) fits(l line) bool {
	const rounding = 1e-9
	has := len(metricsOf(c.metrics, l.Column))
	for _, scores := range l.Scores {
		if len(scores) != has || slices.ContainsFunc(scores, func(s float64) bool { return !(s >= -rounding && s <= 1+rounding) }) {
			return false
		}
	}
	return len(l.Scores) > 0 && l.Test >= 0 && l.Seconds >= 0 && l.Row != "" && l.Column != ""
}

func (l line) key() cellKey { return cellKey{l.Row, l.Test, l.Column} }

func (c *checkpoint) cell(k cellKey) *cell {
	if c.cells[k] == nil {
		c.cells[k] = &cell{}
	}
	return c.cells[k]
}

// known is the number of known cases of a cell.
func (c *checkpoint) known(k cellKey) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if have := c.cells[k]; have != nil {
		return len(have.scores)
	}
	return 0
}

// get returns the known scores of a cell. They do not change after the run.
func (c *checkpoint) get(k cellKey) cell {
	c.mu.Lock()
	defer c.mu.Unlock()
	if have := c.cells[k]; have != nil {
		return *have
	}
	return cell{}
}

// put stores the scores of cases of a cell.
func (c *checkpoint) put(l line) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return os.ErrClosed
	}
	l.Experiment, l.Fingerprint = c.head.Experiment, c.finger
	if !c.cell(l.key()).add(l) {
		return fmt.Errorf("case %d of %v came before its turn", l.Case, l.key())
	}
	if c.file == nil {
		return nil
	}
	if err := c.write(l); err != nil {
		// The line may be incomplete: nothing may follow it.
		c.closed = true
		c.file.Close()
		closeAll(c.held)
		return err
	}
	if time.Since(c.synced) > syncEvery {
		c.synced = time.Now()
		return c.file.Sync()
	}
	return nil
}

// write appends a line in one call, so that a killed process writes all of it or nothing.
func (c *checkpoint) write(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if c.head.Format == checkpointFormat {
		text = seal(text)
	}
	_, err = c.file.Write(append(text, '\n'))
	return err
}

// close closes the file. Work that has not stopped yet cannot write to it any more.
func (c *checkpoint) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	defer closeAll(c.held)
	if c.file == nil {
		return nil
	}
	err := c.file.Sync()
	if e := c.file.Close(); err == nil {
		err = e
	}
	return err
}
