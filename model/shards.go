package model

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/regular"
)

// shard says which part of a model a file is.
type shard struct {
	Number  int      `json:"number"` // from 1
	Of      int      `json:"of"`
	Divided []string `json:"divided"` // arrays and rows that go on in the next part
}

// shardFormat is the format of such a file, in place of Format.
const shardFormat = Format + "-part"

// pointers is the end of the name of an array of positions in the entries of sparse rows, which
// count on from part to part.
const pointers = ".indptr"

// EncodeShard writes part number, from 1, of the file of a model in so many parts: of what it has
// of each document ([Fields.OfDocuments]) that of this rank's documents, and in the first part
// everything else. The method's Part has the documents of this rank, but the numbers of documents
// in lists count all. What the parts are together is checked when they are read.
func (m *Model) EncodeShard(w io.Writer, number, of int) error {
	f, d, err := m.visit()
	if err != nil {
		return err
	}
	d.Format, d.Shard = shardFormat, &shard{Number: number, Of: of, Divided: f.divided}
	arrays := f.arrays
	if number > 1 {
		arrays = slices.DeleteFunc(slices.Clone(arrays), func(a array) bool { return !d.Shard.has(a.Name) })
		settings := map[string]json.RawMessage{}
		for _, name := range f.divided {
			if shape, ok := d.Part[name+".shape"]; ok {
				settings[name+".shape"] = shape
			}
		}
		d = &document{Format: d.Format, Version: d.Version, Method: d.Method, Documents: d.Documents, Part: settings, Shard: d.Shard}
	}
	return d.encode(w, arrays, m.lists())
}

// has says whether each part has some of the array.
func (s *shard) has(name string) bool {
	return slices.ContainsFunc(s.Divided, func(of string) bool {
		return name == of || name == of+pointers || name == of+".indices" || name == of+".data"
	})
}

// opened are the files of a model in parts, as one.
type opened struct {
	*archive
	d     *document
	files []io.Closer
}

func (o *opened) close() {
	for _, f := range o.files {
		f.Close()
	}
}

// openShards opens the parts of a model, in order.
func openShards(ctx context.Context, paths []string) (*opened, error) {
	o := &opened{archive: &archive{ctx: ctx, entries: map[string]*arrayEntry{}}}
	for k, path := range paths {
		if err := o.add(path, k+1, len(paths)); err != nil {
			o.close()
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return o, nil
}

// add opens the next part.
func (o *opened) add(path string, number, of int) error {
	f, size, err := regular.Open(path)
	if err != nil {
		return err
	}
	o.files = append(o.files, f)
	z, d, err := openArchive(o.ctx, f, size)
	switch {
	case err != nil:
		return err
	case d.Shard == nil || d.Shard.Number != number || d.Shard.Of != of:
		return invalid.Errorf("it is not part %d of a model of %d parts: make the model again", number, of)
	}
	o.joins = append(o.joins, z)
	if number == 1 {
		o.d, o.size, o.divided = d, size, nil
		for i := range d.Arrays {
			o.entries[d.Arrays[i].Name] = &d.Arrays[i]
		}
		// The entries of the first part stay as they are in its own archive.
		for name, e := range z.entries {
			own := *e
			own.Shape = slices.Clone(e.Shape)
			z.entries[name] = &own
		}
		for _, a := range d.Arrays {
			if d.Shard.has(a.Name) {
				o.divided = append(o.divided, a.Name)
			}
		}
		return nil
	}
	if d.Method != o.d.Method || d.Documents != o.d.Documents || !slices.Equal(d.Shard.Divided, o.d.Shard.Divided) {
		return invalid.Errorf("it is a part of another model than the first part: make the model again")
	}
	return o.extend(z, d)
}

// extend adds the shapes of a further part to those of the whole.
func (o *opened) extend(z *archive, d *document) error {
	for _, name := range o.divided {
		all, own := o.entries[name], z.entries[name]
		if own == nil || own.Type != all.Type || len(own.Shape) != len(all.Shape) || len(own.Shape) == 2 && own.Shape[1] != all.Shape[1] {
			return invalid.Errorf("its array %q does not go on that of the first part: make the model again", name)
		}
		all.Shape[0] += own.Shape[0]
		if isPointers(name) {
			if own.Shape[0] == 0 {
				return invalid.Errorf("its array %q is empty: make the model again", name)
			}
			all.Shape[0]--
		}
	}
	for key, text := range d.Part {
		var all, own []int
		if json.Unmarshal(o.d.Part[key], &all) != nil || json.Unmarshal(text, &own) != nil || len(all) != 2 || len(own) != 2 || all[1] != own[1] {
			return invalid.Errorf("its setting %q does not go on that of the first part: make the model again", key)
		}
		sum, err := json.Marshal([]int{all[0] + own[0], all[1]})
		if err != nil {
			return err
		}
		o.d.Part[key] = sum
	}
	return nil
}

func isPointers(name string) bool {
	return len(name) > len(pointers) && name[len(name)-len(pointers):] == pointers
}

// whole describes the model that the parts are.
func (o *opened) whole() *document {
	d := *o.d
	d.Format, d.Shard = Format, nil
	return &d
}

// readShards reads a model in parts. Memory: that of the model.
func readShards(ctx context.Context, paths []string, blank func(string) Part) (*Model, error) {
	o, err := openShards(ctx, paths)
	if err != nil {
		return nil, err
	}
	defer o.close()
	return o.model(o.whole(), blank)
}

// Join writes the one file of a model in parts, given in order: the bytes that [Model.Encode]
// writes. It holds no array in memory. Errors are as for [Read], and of w.
func Join(ctx context.Context, w io.Writer, paths []string) error {
	o, err := openShards(ctx, paths)
	if err != nil {
		return err
	}
	defer o.close()
	copied := func(name string) func(io.Writer) error {
		return func(w io.Writer) error {
			r, err := o.open(name)
			if err != nil {
				return err
			}
			defer r.Close()
			_, err = io.Copy(w, readerFunc(func(p []byte) (int, error) {
				n, err := r.Read(p)
				if err != nil && err != io.EOF {
					err = o.damaged(err)
				}
				return n, err
			}))
			return err
		}
	}
	var arrays []array
	for _, e := range o.d.Arrays {
		arrays = append(arrays, array{arrayEntry: e, raw: copied(e.Name + ".npy")})
	}
	return o.whole().encode(w, arrays, map[string]func(io.Writer) error{termsName: copied(termsName), stemsName: copied(stemsName)})
}

// openJoined is open of several files: of an array of which each has a part its header, and the
// values of the parts one after the other.
func (z *archive) openJoined(name string) (io.ReadCloser, error) {
	of := name[:max(0, len(name)-len(".npy"))]
	if name != of+".npy" || !slices.Contains(z.divided, of) {
		return z.joins[0].open(name)
	}
	j := &joinedArray{z: z, name: of}
	j.reader = io.MultiReader(strings.NewReader(z.entries[of].header()), readerFunc(j.values))
	return j, nil
}

// joinedArray reads an array of a model in parts.
type joinedArray struct {
	z      *archive
	name   string
	reader io.Reader
	next   int           // the part that is opened next
	now    io.ReadCloser // nil between two
	offset uint64        // of positions in the part that is open
	last   uint64        // the last position
	rest   []byte        // of positions, not yet returned
}

// Read implements io.Reader.
func (j *joinedArray) Read(p []byte) (int, error) { return j.reader.Read(p) }

// Close implements io.Closer.
func (j *joinedArray) Close() error {
	if j.now != nil {
		j.now.Close()
	}
	return nil
}

// values reads the values of the parts. The end of a part is read, where its checksum is compared.
func (j *joinedArray) values(p []byte) (int, error) {
	for {
		if err := j.z.ctx.Err(); err != nil {
			return 0, err
		}
		if j.now == nil {
			if j.next == len(j.z.joins) {
				return 0, io.EOF
			}
			if err := j.open(); err != nil {
				return 0, err
			}
		}
		n, err := j.read(p)
		if err == io.EOF {
			j.now.Close()
			j.now, err = nil, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// open opens the next part behind its header and, of positions, behind their 0 if an earlier part
// has it.
func (j *joinedArray) open() (err error) {
	z := j.z.joins[j.next]
	if j.now, err = z.open(j.name + ".npy"); err != nil {
		return err
	}
	want := z.entries[j.name].header()
	skip := len(want)
	if isPointers(j.name) && j.next > 0 {
		skip += 8
	}
	head := make([]byte, skip)
	if _, err := io.ReadFull(j.now, head); err != nil {
		return z.damaged(err)
	}
	if string(head[:len(want)]) != want || string(head[len(want):]) != string(make([]byte, skip-len(want))) {
		return invalid.Errorf("the model's array %q is not what its description says, the file is damaged: make the model again", j.name)
	}
	j.next, j.offset = j.next+1, j.last
	return nil
}

// read reads values of the part that is open.
func (j *joinedArray) read(p []byte) (int, error) {
	if !isPointers(j.name) {
		return j.now.Read(p)
	}
	if len(j.rest) == 0 {
		buf := make([]byte, 1<<15)
		n, err := io.ReadFull(j.now, buf)
		if err == io.ErrUnexpectedEOF {
			err = nil
		}
		if err != nil {
			return 0, err
		}
		j.rest = buf[:n-n%8]
		for b := j.rest; len(b) > 0; b = b[8:] {
			j.last = binary.LittleEndian.Uint64(b) + j.offset
			binary.LittleEndian.PutUint64(b, j.last)
		}
	}
	n := copy(p, j.rest)
	j.rest = j.rest[n:]
	return n, nil
}

// readerFunc is a function as an io.Reader.
type readerFunc func(p []byte) (int, error)

// Read implements io.Reader.
func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
