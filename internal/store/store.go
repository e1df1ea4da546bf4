// Package store keeps finished stages of long work in a folder, so that the same work goes on where
// a kill left it.
//
// A folder has a header, which names the data and the program, and pieces, one file each. A piece
// names what it is and the key of its inputs, and has a length and a checksum. It appears whole or
// not at all. It is read back only if all of these fit; any other is refused with the reason.
// Pieces of several folders can be merged.
package store

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/lock"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/regular"
	"github.com/eigenmap/eigenmap/internal/words"
)

const (
	headerName = "work.json"
	extension  = ".piece"
	unfinished = ".progress"
	magic      = "eigenmap piece\n"
	// format changes when the meaning of pieces does.
	format = 1
	// mostHeader bounds the headers of folders and pieces, in bytes.
	mostHeader = 1 << 16
)

// Header says to what the pieces of a folder belong.
type Header struct {
	Format int `json:"format"`
	// Program is the version of the program, and Engine the library of its dense linear algebra:
	// another one may give other bits.
	Program string `json:"program"`
	Engine  string `json:"engine"`
	// Data is the key of the data.
	Data string `json:"data"`
}

// Store is an open folder. It is safe for concurrent use, by several processes too.
type Store struct {
	Dir    string
	header Header
	// folder has a shared lock on Dir while the store is in use. The collector of unused memory
	// closes it.
	folder *os.File
	// Note, if not nil, receives sentences about pieces that were refused.
	Note func(text string)
	// Always saves every state of unfinished work and every finished part, however short: for
	// tests.
	Always bool
	// early says that the data are not known yet, and later is what is then to be done.
	early bool
	later []func() error
	// ranks read and write together; nil: this process alone.
	ranks ranks.Team
}

// Open opens a folder for the data of the header, and makes it if it is missing. Errors
// (fs.ErrInvalid): the folder has pieces of other data or another program, or it is a folder of
// something else.
func Open(dir string, h Header) (*Store, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, invalid.Errorf("%s: no folder for ‹work› can be made there (%w): choose another", dir, err)
	}
	// Shared from here on: another process that has the folder alone removes unfinished files, and
	// the header is one while it is written.
	folder := shared(dir)
	s, err := open(dir, h)
	if folder != nil {
		folder.Close()
	}
	if err == nil {
		s.folder = occupy(dir)
	}
	return s, err
}

// Before opens a folder before its data are known, for pieces of what the data are made from. Data
// of the header is ignored. Until [Store.Settle], pieces can be read if the folder has a header,
// and nothing is written. Errors are as for [Open], without errors about the data.
func Before(dir string, h Header) (*Store, error) {
	h.Format = format
	there, err := readHeader(filepath.Join(dir, headerName))
	switch h.Data = there.Data; {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		if err := h.refuse(dir, there); err != nil {
			return nil, err
		}
	}
	return &Store{Dir: dir, header: h, early: true}, nil
}

// Settle opens the folder, now that the key of its data is known, as [Open] does, and then does
// what [Store.Later] has.
func (s *Store) Settle(data string) error {
	s.header.Data = data
	opened, err := Open(s.Dir, s.header)
	if err != nil {
		return err
	}
	s.folder, s.early = opened.folder, false
	for _, do := range s.later {
		err = errors.Join(err, do())
	}
	s.later = nil
	return err
}

// Later calls do, which adds pieces, once the data of the folder are known. It is not safe for
// concurrent use.
func (s *Store) Later(do func() error) error {
	if s.early {
		s.later = append(s.later, do)
		return nil
	}
	return do()
}

// occupy locks the folder, shared with other processes. If no other process uses it, the unfinished
// files that killed ones left are removed first.
func occupy(dir string) *os.File {
	if alone, err := lock.Dir(dir, false); err == nil && alone != nil {
		removeAbandoned(dir)
		alone.Close()
	}
	return shared(dir)
}

// removeAbandoned removes the temporary files and the locks of pieces of a folder that no process
// uses.
func removeAbandoned(dir string) {
	atomicfile.RemoveAbandoned(dir, func(base string) bool {
		return base == headerName || filepath.Ext(base) == extension || filepath.Ext(base) == unfinished
	})
	for _, path := range ending(dir, extension+".lock") {
		if strings.HasPrefix(filepath.Base(path), ".") {
			os.Remove(path)
		}
	}
}

// ending returns the paths of the files of a folder whose names end so, in the order of the names.
// The folder's own name may have any characters, which filepath.Glob would take for a pattern.
func ending(dir, end string) (paths []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), end) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// shared locks the folder, shared with other processes; nil if that is not possible.
func shared(dir string) *os.File {
	for range 100 {
		f, err := lock.Dir(dir, true)
		if !errors.Is(err, lock.ErrHeld) {
			return f
		}
		time.Sleep(wait / 10) // another process is removing such files
	}
	return nil
}

// Close ends the use of the folder, for a process that opens it again.
func (s *Store) Close() {
	if s.folder != nil {
		s.folder.Close()
	}
}

// Clear removes the header, all pieces, states of unfinished work and what killed processes left of
// them from a folder, if there is one. Other files stay. The error is lock.ErrHeld if a run is at
// work on it.
func Clear(dir string) error {
	alone, err := lock.Dir(dir, false)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case alone != nil:
		defer alone.Close()
	}
	removeAbandoned(dir)
	files := append([]string{filepath.Join(dir, headerName)}, ending(dir, extension)...)
	for _, path := range append(files, ending(dir, unfinished)...) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func open(dir string, h Header) (*Store, error) {
	h.Format = format
	path := filepath.Join(dir, headerName)
	there, err := readHeader(path)
	if errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		other := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return !strings.HasPrefix(e.Name(), ".") && e.Name() != headerName })
		if other < 0 {
			if err := writeHeader(path, h); errors.Is(err, syscall.ENOSPC) {
				return nil, fmt.Errorf("%w: free some space, or choose another ‹work› folder", err)
			} else if err != nil {
				return nil, invalid.Errorf("%s: no file can be written there (%w): choose another ‹work› folder", dir, err)
			}
			return &Store{Dir: dir, header: h}, nil
		}
		// Another process may have written the header, and pieces, since it was looked for.
		if there, err = readHeader(path); errors.Is(err, fs.ErrNotExist) {
			return nil, invalid.Errorf("%s: it holds %s and no %s, so it is not a ‹work› folder: choose another, or an empty one", dir, entries[other].Name(), headerName)
		}
		if err != nil {
			return nil, err
		}
		if err := h.refuse(dir, there); err != nil {
			return nil, err
		}
		return &Store{Dir: dir, header: h}, nil
	}
	if err == nil {
		err = h.refuse(dir, there)
	}
	if err != nil {
		return nil, err
	}
	return &Store{Dir: dir, header: h}, nil
}

// readHeader reads the header of a folder; fs.ErrNotExist if there is none.
func readHeader(path string) (h Header, err error) {
	text, err := regular.Read(path, "header of a ‹work› folder", mostHeader)
	if errors.Is(err, syscall.ENOTDIR) {
		return h, invalid.Errorf("%s: it is a file, and ‹work› needs a folder: choose another", filepath.Dir(path))
	}
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal(text, &h); err != nil {
		return h, invalid.Errorf("%s: it is damaged (%s): remove the folder, or choose another ‹work›", path, words.WrongJSON(err))
	}
	return h, nil
}

// refuse is an error if the header there is another one.
func (h Header) refuse(dir string, there Header) error {
	if why := h.differs(there); why != "" {
		return &ForeignError{dir, why, there, h}
	}
	return nil
}

// ForeignError is a folder of other data or another program. It is fs.ErrInvalid.
type ForeignError struct {
	Dir, Why   string
	There, Own Header // of the folder and of this run
}

// Error implements error.
func (e *ForeignError) Error() string {
	return e.Dir + ": its pieces are " + e.Why + ": choose another ‹work› folder, or remove this one"
}

// Is implements errors.Is.
func (e *ForeignError) Is(target error) bool { return target == fs.ErrInvalid }

func writeHeader(path string, h Header) error {
	return atomicfile.Write(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(h) })
}

// differs says of what else the header there is, "" if of nothing else.
func (h Header) differs(there Header) string {
	switch {
	case there.Format != h.Format:
		return fmt.Sprintf("of another format (%d, and this program has %d)", there.Format, h.Format)
	case there.Program != h.Program:
		return fmt.Sprintf("of version %s of the program, and this is %s", there.Program, h.Program)
	case there.Engine != h.Engine:
		return fmt.Sprintf("of %s, and this run uses %s", there.Engine, h.Engine)
	case there.Data != h.Data:
		return fmt.Sprintf("of other documents, or of other weights of them (%.12s, and these are %.12s)", there.Data, h.Data)
	}
	return ""
}

// label is the header of a piece.
type label struct {
	Header
	Kind   string `json:"kind"`
	Key    string `json:"key"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// path is the file of a piece. The kind is a name of letters, digits and dashes.
func (s *Store) path(kind string, key Key) string {
	return filepath.Join(s.Dir, kind+"-"+key.String()[:16]+extension)
}

// RefusedError is a piece that is there and cannot be trusted. It is fs.ErrInvalid.
type RefusedError struct{ Path, Why string }

// Error implements error.
func (e *RefusedError) Error() string { return e.Path + ": the piece is refused: " + e.Why }

// Is implements errors.Is.
func (e *RefusedError) Is(target error) bool { return target == fs.ErrInvalid }

// labelOf reads the header of a piece and says where its content begins.
func (s *Store) labelOf(f io.Reader, path string) (l label, at int64, err error) {
	r := bufio.NewReader(io.LimitReader(f, mostHeader))
	for _, line := range []func(text []byte) bool{
		func(text []byte) bool { return string(text) == magic },
		func(text []byte) bool { return json.Unmarshal(text, &l) == nil },
	} {
		text, err := r.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return l, 0, err
		}
		if !line(text) {
			return l, 0, &RefusedError{path, "its header is damaged or cut off"}
		}
		at += int64(len(text))
	}
	if why := s.header.differs(l.Header); why != "" {
		return l, 0, &RefusedError{path, "it is " + why}
	}
	return l, at, nil
}

// piece is an open piece that can be trusted: its header, length and checksum fit.
type piece struct {
	label
	*os.File
	at int64 // where the content begins
}

// openPiece opens a piece of any kind. Errors: fs.ErrNotExist if there is none, *RefusedError if it
// cannot be trusted.
func (s *Store) openPiece(path string) (p *piece, err error) {
	f, size, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	p = &piece{File: f}
	if p.label, p.at, err = s.labelOf(f, path); err != nil {
		return nil, err
	}
	if p.Bytes < 0 || size-p.at != p.Bytes {
		return nil, &RefusedError{path, fmt.Sprintf("it has %d bytes where %d are right, so it is cut off or damaged", size-p.at, p.Bytes)}
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, p.content()); err != nil {
		return nil, err
	}
	if hex.EncodeToString(sum.Sum(nil)) != p.SHA256 {
		return nil, &RefusedError{path, "its checksum does not fit, so it is damaged"}
	}
	return p, nil
}

// openAs opens a piece of a kind and key. Its errors are as for openPiece.
func (s *Store) openAs(path, kind string, key Key) (*piece, error) {
	p, err := s.openPiece(path)
	if err == nil && (p.Kind != kind || p.Key != key.String()) {
		p.Close()
		err = &RefusedError{path, "it is another piece under this name"}
	}
	return p, err
}

// content reads the content from its beginning.
func (p *piece) content() *bufio.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(p.File, p.at, p.Bytes), 1<<16)
}

// Check says why a piece cannot be read: fs.ErrNotExist if there is none, *RefusedError if it
// cannot be trusted. It reads the whole file.
func (s *Store) Check(kind string, key Key) error {
	p, err := s.openAs(s.path(kind, key), kind, key)
	if err == nil {
		p.Close()
	}
	return err
}

// absent reports whether an error of reading a piece means that it has to be made: there is none,
// or it was refused, which is noted.
func (s *Store) absent(err error) bool {
	var refused *RefusedError
	if errors.As(err, &refused) {
		if s.Note != nil {
			s.Note(refused.Error() + "; it was made again")
		}
		return true
	}
	return errors.Is(err, fs.ErrNotExist)
}

// Lock takes the lock of a piece, which belongs to one process at a time. It returns nil if another
// process has it. A lock ends with its process.
func (s *Store) Lock(kind string, key Key) (release func(), err error) {
	path := filepath.Join(s.Dir, "."+filepath.Base(s.path(kind, key))+".lock")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	switch err := lock.File(f); {
	case errors.Is(err, lock.ErrHeld):
		f.Close()
		return nil, nil
	case err != nil:
		f.Close()
		return nil, err
	}
	return func() {
		// Two processes may hold locks of one piece if the file is replaced here at the same moment.
		// Both then make the same bytes.
		os.Remove(path)
		f.Close()
	}, nil
}

// wait is the time between looks at a piece that another process is making.
const wait = 100 * time.Millisecond

// Make reads a piece as [Store.Read] does. If there is none that can be trusted, it adds the one
// that build makes: build returns what writes it, as for [Store.Write]. If another process is
// making it, Make waits for that one.
func (s *Store) Make(ctx context.Context, kind string, key Key, read func(d *Decoder), build func() (write func(e *Encoder), err error)) error {
	for {
		if found, err := s.Read(kind, key, read); found || err != nil {
			return err
		}
		release, err := s.Lock(kind, key)
		if err != nil {
			return err
		}
		if release != nil {
			defer release()
			// Another process may have finished it before the lock was taken.
			if s.decode(s.path(kind, key), kind, key, read) == nil {
				return nil
			}
			write, err := build()
			if err != nil {
				return err
			}
			return s.Write(kind, key, write)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// Merge copies the pieces of another folder into this one, and returns their number. Pieces that
// this one has with the same bytes are passed over. Errors (fs.ErrInvalid): the other folder
// belongs to other data, a piece is refused, or this one has other bytes for it.
func (s *Store) Merge(dir string) (copied int, err error) {
	if _, err := os.Stat(filepath.Join(dir, headerName)); err != nil {
		return 0, invalid.Errorf("%s: it is no ‹work› folder: it holds no %s", dir, headerName)
	}
	other, err := Open(dir, s.header)
	if err != nil {
		return 0, err
	}
	defer other.Close()
	for _, file := range ending(dir, extension) {
		added, err := s.add(file)
		if err != nil {
			return copied, err
		}
		if added {
			copied++
		}
	}
	return copied, nil
}

// add copies a piece of another folder, unless this one has it.
func (s *Store) add(file string) (added bool, err error) {
	p, err := s.openPiece(file)
	if err != nil {
		return false, err
	}
	defer p.Close()
	var key Key
	raw, err := hex.DecodeString(p.Key)
	if copy(key[:], raw); err != nil || len(raw) != len(key) || filepath.Base(s.path(p.Kind, key)) != filepath.Base(file) {
		return false, &RefusedError{file, "it is another piece under this name"}
	}
	path := s.path(p.Kind, key)
	if own, err := s.openAs(path, p.Kind, key); err == nil {
		own.Close()
		if own.SHA256 != p.SHA256 {
			err = invalid.Errorf("%s and %s: they differ, and the same work gives the same bytes: make one of them again", file, path)
		}
		return false, err
	}
	return true, atomicfile.Write(path, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(p.File, 0, p.at+p.Bytes))
		return err
	})
}

type contextKey struct{}

// With returns a context whose work uses the store.
func With(ctx context.Context, s *Store) context.Context {
	return context.WithValue(ctx, contextKey{}, s)
}
