package text

import (
	"errors"
	"math"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// parquetColumn is a column of a group of rows that is being read.
type parquetColumn struct {
	reader file.ColumnChunkReader
	pages  *checkedPages
	full   int16 // the level of definition of a value that is there; 0: all are
	limit  int64 // most bytes of a value
	budget *input.Budget
	taken  int64 // bytes of values that are taken from the budget

	repeats []int16 // whether values go on a list, by level; nil for a column without lists
	values  []cell
	held    int // bytes of their texts

	// What is read of a page and not yet in values: the levels [row, rows) and the values [at, have).
	// The values lie in the page, which is there until the next one is read.
	row, rows, at, have int
	print               func(k int) (cell, error)

	levels  [rowsAtOnce]int16
	bytes   [rowsAtOnce]parquet.ByteArray
	int32s  [rowsAtOnce]int32
	int64s  [rowsAtOnce]int64
	floats  [rowsAtOnce]float32
	doubles [rowsAtOnce]float64
	bools   [rowsAtOnce]bool
	halves  [rowsAtOnce]parquet.FixedLenByteArray
}

// cell is a value of a row; a null is not present.
type cell struct {
	text    string
	present bool
}

var errLong = errors.New("a value is longer than the limit")

// next sets values to the values of the next n rows, at most rowsAtOnce. They are fewer if the
// column ends, or if they hold most bytes; the value that reaches most is the last one.
func (c *parquetColumn) next(n, most int) error {
	c.values, c.held = c.values[:0], 0
	for len(c.values) < n && c.held < most {
		if c.row == c.rows {
			if err := c.load(n - len(c.values)); err != nil || c.rows == 0 {
				return err
			}
		}
		if c.full > 0 && c.levels[c.row] < c.full || c.full == 0 && c.at >= c.have {
			c.values = append(c.values, cell{})
			c.row++
			continue
		}
		if c.at >= c.have {
			return errors.New("fewer values than rows")
		}
		v, err := c.print(c.at)
		if err != nil {
			return err
		}
		c.values = append(c.values, v)
		c.held += len(v.text)
		c.row++
		c.at++
	}
	return nil
}

// load reads at most n rows of one page; none if the column ends.
func (c *parquetColumn) load(n int) error {
	c.row, c.rows, c.at, c.have = 0, 0, 0, 0
	if !c.reader.HasNext() {
		return c.reader.Err()
	}
	if c.pages.joined {
		n = 1
	}
	total, have, err := c.page(int64(n), c.levels[:n])
	if err != nil {
		return err
	}
	if total == 0 {
		return c.reader.Err()
	}
	if total > int64(n) || have < 0 || int64(have) > total {
		return errors.New("more values than rows")
	}
	c.rows, c.have = int(total), have
	return nil
}

// repeated is the room for the levels of n values of lists; nil for a column without them.
func (c *parquetColumn) repeated(n int64) []int16 {
	if c.repeats == nil {
		return nil
	}
	return c.repeats[:n]
}

// copied is the value of bytes that lie in a page, in memory of the budget.
func (c *parquetColumn) copied(b []byte) (cell, error) {
	if int64(len(b)) > c.limit {
		return cell{}, errLong
	}
	if err := c.budget.Take(int64(len(b)), 1); err != nil {
		return cell{}, err
	}
	c.taken += int64(len(b))
	return cell{string(b), true}, nil
}

// release gives back the memory of the values that were read.
func (c *parquetColumn) release() {
	c.budget.Give(c.taken, 1)
	c.taken = 0
}

// page reads at most n rows of one page, and sets print to what makes the text of a value.
func (c *parquetColumn) page(n int64, levels []int16) (total int64, read int, err error) {
	switch r := c.reader.(type) {
	case *file.ByteArrayColumnChunkReader:
		total, read, err = r.ReadBatchInPage(n, c.bytes[:n], levels, c.repeated(n))
		c.print = func(k int) (cell, error) { return c.copied(c.bytes[k]) }
	case *file.Int32ColumnChunkReader:
		total, read, err = r.ReadBatchInPage(n, c.int32s[:n], levels, c.repeated(n))
		unit := timeUnit(c.reader.Descriptor().LogicalType())
		c.print = func(k int) (cell, error) {
			if unit != noTime {
				return cell{unit.iso(int64(c.int32s[k])), true}, nil
			}
			if c.unsigned() {
				return cell{strconv.FormatUint(uint64(uint32(c.int32s[k])), 10), true}, nil
			}
			return cell{strconv.FormatInt(int64(c.int32s[k]), 10), true}, nil
		}
	case *file.Int64ColumnChunkReader:
		total, read, err = r.ReadBatchInPage(n, c.int64s[:n], levels, c.repeated(n))
		unit := timeUnit(c.reader.Descriptor().LogicalType())
		c.print = func(k int) (cell, error) {
			if unit != noTime {
				return cell{unit.iso(c.int64s[k]), true}, nil
			}
			if c.unsigned() {
				return cell{strconv.FormatUint(uint64(c.int64s[k]), 10), true}, nil
			}
			return cell{strconv.FormatInt(c.int64s[k], 10), true}, nil
		}
	case *file.BooleanColumnChunkReader:
		total, read, err = r.ReadBatchInPage(n, c.bools[:n], levels, c.repeated(n))
		c.print = func(k int) (cell, error) { return cell{strconv.FormatBool(c.bools[k]), true}, nil }
	case *file.Float32ColumnChunkReader:
		total, read, err = r.ReadBatchInPage(n, c.floats[:n], levels, c.repeated(n))
		c.print = func(k int) (cell, error) { return number(float64(c.floats[k]), 32), nil }
	case *file.Float64ColumnChunkReader:
		total, read, err = r.ReadBatchInPage(n, c.doubles[:n], levels, c.repeated(n))
		c.print = func(k int) (cell, error) { return number(c.doubles[k], 64), nil }
	case *file.FixedLenByteArrayColumnChunkReader: // float16, see [parquetFile.kind]
		total, read, err = r.ReadBatchInPage(n, c.halves[:n], levels, c.repeated(n))
		c.print = func(k int) (cell, error) { return number(float64(float16.FromLEBytes(c.halves[k]).Float32()), 32), nil }
	default:
		err = errors.New("a column of unknown type")
	}
	return total, read, err
}

// unsigned says whether the integers of the column have no sign.
func (c *parquetColumn) unsigned() bool {
	kind, ok := c.reader.Descriptor().LogicalType().(schema.IntLogicalType)
	return ok && !kind.IsSigned()
}

// number prints a number of so many bits in its shortest form; NaN is no value.
func number(v float64, bits int) cell {
	if math.IsNaN(v) {
		return cell{}
	}
	return cell{strconv.FormatFloat(v, 'g', -1, bits), true}
}
