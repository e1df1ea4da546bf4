package rdata

import (
	"fmt"
	"math"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// vector reads what a vector holds.
func (d *decoder) vector(o *object) error {
	switch o.kind {
	case kindS4:
		return nil
	case kindLogical, kindInteger, kindReal, kindComplex, kindStrings, kindList, kindExpr, kindSpecial, kindBuiltin, kindRaw:
	default:
		return d.in.Fail("", "holds compiled code or another object (type %d) that is not read; write the data alone, with saveRDS(x, 'x.rds')", o.kind)
	}
	n, err := d.length()
	if err != nil {
		return err
	}
	switch o.kind {
	case kindLogical, kindInteger:
		o.ints, err = readAll(d, n, 4, d.int)
	case kindReal:
		o.reals, err = readAll(d, n, 8, d.real)
	case kindComplex:
		o.reals, err = readAll(d, 2*n, 8, d.real)
	case kindStrings:
		err = d.strings(o, n)
	case kindList, kindExpr:
		o.list, err = readAll(d, n, 8, d.object)
	case kindSpecial, kindBuiltin:
		_, err = d.bytes(n)
	case kindRaw:
		for range n {
			if d.ascii {
				_, err = d.word()
			} else {
				_, err = d.r.ReadByte()
			}
			if err != nil {
				return input.Early(err)
			}
		}
	}
	return err
}

// readAll reads n values of a size; the list grows as they come.
func readAll[T any](d *decoder, n int, size int64, read func() (T, error)) (list []T, err error) {
	const step = 1 << 16
	for k := range n {
		if k%step == 0 {
			if err := d.in.Ctx.Err(); err != nil {
				return nil, err
			}
			more := min(n-k, max(step, k))
			if len(list)+more > cap(list) {
				if list, err = input.Regrow(d.in.Mem, list, size, len(list)+more); err != nil {
					return nil, err
				}
			}
		}
		v, err := read()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// strings reads a vector of texts.
func (d *decoder) strings(o *object, n int) (err error) {
	o.texts, err = readAll(d, n, 16, func() (string, error) {
		flags, err := d.int()
		if err != nil {
			return "", err
		}
		if kind(flags&0xff) != kindChars {
			return "", errDamaged
		}
		length, err := d.int()
		if err != nil {
			return "", err
		}
		if length == -1 {
			return missingText, nil
		}
		s, err := d.bytes(int(length))
		return d.decoded(s, flags>>12), err
	})
	for i, s := range o.texts {
		if s != missingText {
			continue
		}
		if o.none == nil {
			o.none = make([]bool, len(o.texts))
		}
		o.texts[i], o.none[i] = "", true
	}
	return err
}

// missingText stands for a missing text while texts are read; R has no text with a zero byte.
const missingText = "\x00NA"

// altRep reads a vector in another form: a sequence, a wrapped vector or numbers as texts.
func (d *decoder) altRep() (*object, error) {
	info, err := d.object()
	if err != nil {
		return nil, err
	}
	state, err := d.object()
	if err != nil {
		return nil, err
	}
	attr, err := d.object()
	if err != nil {
		return nil, err
	}
	class := ""
	if len(info.list) > 0 && len(info.list[0].texts) == 1 {
		class = info.list[0].texts[0]
	}
	o := &object{attr: attr}
	if attr.kind == kindNull {
		o.attr = nil
	}
	switch {
	case (class == "compact_intseq" || class == "compact_realseq") && len(state.reals) == 3:
		err = d.sequence(o, state.reals, class == "compact_intseq")
	case strings.HasPrefix(class, "wrap_") && len(state.list) > 0:
		inner := *state.list[0]
		if o.attr != nil {
			inner.attr = o.attr
		}
		return &inner, nil
	case class == "deferred_string" && len(state.list) > 0:
		inner := state.list[0]
		o.kind = kindStrings
		if err := d.in.Mem.Take(int64(inner.len()), 32); err != nil {
			return nil, err
		}
		o.texts = make([]string, inner.len())
		for i := range o.texts {
			o.texts[i] = inner.field(i)
		}
	default:
		return nil, d.in.Fail("", "holds a vector in a form that is not read (%.40q); write it with saveRDS(x, 'x.rds', version = 2)", class)
	}
	return o, err
}

// sequence makes the numbers of a sequence: its length, its first number and its step.
func (d *decoder) sequence(o *object, state []float64, whole bool) error {
	n, first, step := state[0], state[1], state[2]
	if !(n >= 0 && n <= math.MaxInt32) {
		return errDamaged
	}
	if err := d.in.Mem.Take(int64(n), 8); err != nil {
		return err
	}
	if o.kind = kindReal; whole {
		o.kind, o.ints = kindInteger, make([]int32, int(n))
		for i := range o.ints {
			o.ints[i] = int32(int64(first) + int64(step)*int64(i))
		}
		return nil
	}
	o.reals = make([]float64, int(n))
	for i := range o.reals {
		o.reals[i] = first + step*float64(i)
	}
	return nil
}

// kindName is what R calls an object.
func (o *object) kindName() string {
	if class := o.class(); len(class) > 0 {
		return strings.Join(class, ", ")
	}
	if _, cols := o.size(); cols >= 0 {
		return "a matrix"
	}
	switch o.kind {
	case kindLogical, kindInteger, kindReal:
		return "a vector of numbers"
	case kindStrings:
		return "a vector of texts"
	case kindList:
		return "a list"
	case kindEnv:
		return "an environment"
	case kindClosure, kindSpecial, kindBuiltin:
		return "a function"
	case kindNull:
		return "NULL"
	}
	return fmt.Sprintf("an object of type %d", o.kind)
}
