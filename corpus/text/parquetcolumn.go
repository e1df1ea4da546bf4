package text

import (
	"errors"
	"math"
	"strconv"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// parquetColumn is a column of a group of rows that is being read.
type parquetColumn struct {
	reader   file.ColumnChunkReader
	optional bool // it may hold nulls
	values   []cell
	levels   [rowsAtOnce]int16
	bytes    [rowsAtOnce]parquet.ByteArray
	int32s   [rowsAtOnce]int32
	int64s   [rowsAtOnce]int64
	floats   [rowsAtOnce]float32
	doubles  [rowsAtOnce]float64
}

// cell is a value of a row; a null is not present.
type cell struct {
	text    string
	present bool
}

// read sets values to those of the next n rows, at most rowsAtOnce; fewer if the column ends.
func (c *parquetColumn) read(n int) error {
	for c.values = c.values[:0]; len(c.values) < n; {
		want := int64(n - len(c.values))
		levels := c.levels[:want]
		total, read, print, err := c.page(want, levels)
		if err != nil {
			return err
		}
		if total == 0 {
			return c.reader.Err()
		}
		if total > want || read < 0 || int64(read) > total {
			return errors.New("more values than rows")
		}
		at := 0
		for i := range int(total) {
			if c.optional && levels[i] == 0 || !c.optional && i >= read {
				c.values = append(c.values, cell{})
				continue
			}
			if at >= read {
				return errors.New("fewer values than rows")
			}
			c.values = append(c.values, print(at))
			at++
		}
	}
	return nil
}

// page reads at most n rows of one page. print makes the text of a value, and is valid until the
// next call.
func (c *parquetColumn) page(n int64, levels []int16) (total int64, read int, print func(k int) cell, err error) {
	switch r := c.reader.(type) {
	case *file.ByteArrayColumnChunkReader:
		total, read, err = r.ReadBatchInPage(n, c.bytes[:n], levels, nil)
		print = func(k int) cell { return cell{string(c.bytes[k]), true} }
	case *file.Int32ColumnChunkReader:
		total, read, err = r.ReadBatchInPage(n, c.int32s[:n], levels, nil)
		print = func(k int) cell {
			if c.unsigned() {
				return cell{strconv.FormatUint(uint64(uint32(c.int32s[k])), 10), true}
			}
			return cell{strconv.FormatInt(int64(c.int32s[k]), 10), true}
		}
	case *file.Int64ColumnChunkReader:
		total, read, err = r.ReadBatchInPage(n, c.int64s[:n], levels, nil)
		print = func(k int) cell {
			if c.unsigned() {
				return cell{strconv.FormatUint(uint64(c.int64s[k]), 10), true}
			}
			return cell{strconv.FormatInt(c.int64s[k], 10), true}
		}
	case *file.Float32ColumnChunkReader:
		total, read, err = r.ReadBatchInPage(n, c.floats[:n], levels, nil)
		print = func(k int) cell { return number(float64(c.floats[k]), 32) }
	case *file.Float64ColumnChunkReader:
		total, read, err = r.ReadBatchInPage(n, c.doubles[:n], levels, nil)
		print = func(k int) cell { return number(c.doubles[k], 64) }
	default:
		err = errors.New("a column of unknown type")
	}
	return total, read, print, err
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
