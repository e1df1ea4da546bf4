package matrix

import (
	"encoding/binary"
	"path/filepath"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// idxKinds maps the third byte of an IDX file to the type of its numbers.
var idxKinds = [256]numKind{0x08: kindUint8, 0x09: kindInt8, 0x0b: kindInt16, 0x0c: kindInt32, 0x0d: kindFloat32, 0x0e: kindFloat64}

// readIDX reads the format of the MNIST images: big-endian numbers with one document along the
// first dimension; the other dimensions are joined into its row. Labels are taken from the file
// beside it whose name has "labels-idx1" for "images-idx3".
func readIDX(in *source) (*draft, error) {
	vals, singles, dims, err := readIDXArray(in.File, in.opt.inSingle)
	if err != nil {
		return nil, err
	}
	if len(dims) < 2 {
		return nil, in.Fail("", "it holds a list of %d numbers (labels?), not a matrix; name the file of images", dims[0])
	}
	n := dims[0]
	terms := int64(1)
	for _, v := range dims[1:] {
		terms *= v // fits: readIDXArray has read that many numbers
	}
	if err := in.checkShape("", n, terms, n*terms); err != nil {
		return nil, err
	}
	d := &draft{byRow: true, what: "the array"}
	if singles != nil {
		singles.Wide = !in.opt.Single
		d.x = singles
	} else {
		d.x = mat.NewDense(int(n), int(terms), vals)
	}
	if in.opt.LabelsGiven || in.opt.LabelVar == "none" {
		return d, nil
	}
	base := filepath.Base(in.Path)
	for _, name := range IDXLabelNames(base) {
		if path, ok := in.Sibling(name); ok && name != base {
			return d, readIDXLabels(in, path, name, d)
		}
	}
	return d, nil
}

// IDXLabelNames lists the names that the file of labels beside an image file may have.
func IDXLabelNames(images string) []string {
	name := strings.Replace(strings.Replace(images, "images", "labels", 1), "idx3", "idx1", 1)
	if plain, gz := strings.CutSuffix(name, ".gz"); gz {
		return []string{name, plain}
	}
	return []string{name, name + ".gz"}
}

func readIDXLabels(in *source, path, name string, d *draft) error {
	sub, done, err := input.Open(in.Ctx, path, input.Limits{MaxBytes: in.Mem.Limit})
	if err != nil {
		return err
	}
	defer done()
	vals, _, dims, err := readIDXArray(sub, func(numKind) bool { return false })
	if err != nil {
		return sub.Blame(err)
	}
	if len(dims) != 1 {
		return sub.Fail("", "is not a list of labels, it has %s; move it away, or give labels with ‹truth›", message.Plural(len(dims), "dimension", "dimensions"))
	}
	d.labels = &Labels{What: name, File: path, Without: "move that file away", Nums: vals, Rows: len(vals), Cols: 1}
	in.LabelNotef("The labels are from %s beside it.", name)
	return nil
}

// readIDXArray reads the numbers of an IDX file, in single precision if single says so of their
// type, else in double precision, and the sizes of its dimensions.
func readIDXArray(in *input.File, single func(numKind) bool) (vals []float64, singles *sparse.SingleDense, dims []int64, err error) {
	var head [4]byte
	if err := input.ReadFull(in.Stream, head[:]); err != nil {
		return nil, nil, nil, in.Wrap("byte 1", err)
	}
	kind, rank := idxKinds[head[2]], int(head[3])
	if head[0] != 0 || head[1] != 0 || kind == noKind || rank < 1 || rank > 4 {
		return nil, nil, nil, in.Fail("byte 1", "is not the beginning of an IDX file; choose the format with ‹input-format›")
	}
	raw := make([]byte, 4*rank)
	if err := input.ReadFull(in.Stream, raw); err != nil {
		return nil, nil, nil, in.Wrap("byte 5", err)
	}
	dims = make([]int64, rank)
	count := int64(1)
	for i := range dims {
		dims[i] = int64(binary.BigEndian.Uint32(raw[4*i:]))
		if dims[i] == 0 {
			return nil, nil, nil, in.Fail("byte 5", "dimension %d is 0; a corpus needs at least one document and one term", i+1)
		}
		if count > (1<<40)/dims[i] {
			return nil, nil, nil, in.Wrap("byte 5", input.ErrMemory)
		}
		count *= dims[i]
	}
	if single(kind) {
		singles, err = readSingles(in, in.Stream, in.Size, count, kind, binary.BigEndian, int(count/dims[0]))
	} else {
		vals, err = readFloats(in.Stream, in.Mem, count, kind, binary.BigEndian, in.Size)
	}
	if err != nil {
		return nil, nil, nil, in.Wrap("", err)
	}
	if _, err := in.Stream.ReadByte(); err == nil {
		return nil, nil, nil, in.Fail("", "it goes on after the %d numbers that its header names, the file is damaged; copy or download it again", count)
	}
	return vals, singles, dims, nil
}
