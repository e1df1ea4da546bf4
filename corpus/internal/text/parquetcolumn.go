package text

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus/internal/parquet"

	"github.com/apache/arrow-go/v18/arrow/float16"
)

// parquetColumn is a column of a group of rows that is being read.
type parquetColumn struct {
	parquet.Values
	limit int64 // most bytes of a value
	taken int64 // bytes of values that are taken from the budget

	print  func(value []byte) (cell, error)
	values []cell
	held   int // bytes of their texts
}

// cell is a value of a row; a null is not present.
type cell struct {
	text    string
	present bool
}

var errLong = errors.New("a value is longer than the limit")

// take sets values to the values of the next n rows. They are fewer if the column ends, or if they
// hold most bytes; the value that reaches most is the last one.
func (c *parquetColumn) take(n, most int) error {
	c.values, c.held = c.values[:0], 0
	for len(c.values) < n && c.held < most {
		more, err := c.Next()
		if err == nil && more {
			err = c.add()
		}
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// add adds the value whose levels are read.
func (c *parquetColumn) add() error {
	b, present, err := c.Read()
	if err != nil {
		return err
	}
	var v cell
	if present {
		if v, err = c.print(b); err != nil {
			return err
		}
	}
	c.values = append(c.values, v)
	c.held += len(v.text)
	return nil
}

// copied is the value of bytes that lie in a page, in memory of the budget.
func (c *parquetColumn) copied(b []byte) (cell, error) {
	if int64(len(b)) > c.limit {
		return cell{}, errLong
	}
	if err := c.Budget.Take(int64(len(b)), 1); err != nil {
		return cell{}, err
	}
	c.taken += int64(len(b))
	return cell{string(b), true}, nil
}

// release gives back the memory of the values that were read.
func (c *parquetColumn) release() {
	c.Budget.Give(c.taken, 1)
	c.taken = 0
}

// printing is what makes the text of a value of a leaf, by its type; nil if it is not read.
func (c *parquetColumn) printing(leaf *parquet.Leaf) func([]byte) (cell, error) {
	unit := timeUnit(leaf.Logical)
	integer := func(v int64, unsigned uint64) cell {
		switch {
		case unit != noTime:
			return cell{unit.iso(v), true}
		case leaf.Logical.Unsigned:
			return cell{strconv.FormatUint(unsigned, 10), true}
		}
		return cell{strconv.FormatInt(v, 10), true}
	}
	switch little := binary.LittleEndian; leaf.Kind {
	case parquet.Bytes:
		return c.copied
	case parquet.Int32:
		return func(b []byte) (cell, error) {
			return integer(int64(int32(little.Uint32(b))), uint64(little.Uint32(b))), nil
		}
	case parquet.Int64:
		return func(b []byte) (cell, error) { return integer(int64(little.Uint64(b)), little.Uint64(b)), nil }
	case parquet.Bool:
		return func(b []byte) (cell, error) { return cell{strconv.FormatBool(b[0] != 0), true}, nil }
	case parquet.Float:
		return func(b []byte) (cell, error) { return number(float64(math.Float32frombits(little.Uint32(b))), 32), nil }
	case parquet.Double:
		return func(b []byte) (cell, error) { return number(math.Float64frombits(little.Uint64(b)), 64), nil }
	case parquet.Fixed: // float16, see [parquetFile.kind]
		return func(b []byte) (cell, error) { return number(float64(float16.FromLEBytes(b).Float32()), 32), nil }
	}
	return nil
}

// number prints a number of so many bits in its shortest form; NaN is no value.
func number(v float64, bits int) cell {
	if math.IsNaN(v) {
		return cell{}
	}
	return cell{strconv.FormatFloat(v, 'g', -1, bits), true}
}
