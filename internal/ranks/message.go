package ranks

import (
	"encoding/binary"
	"math"
)

// Message is what is left to read of the bytes that a rank sent.
type Message []byte

// Uint32 takes a number of four bytes off the message.
func (m *Message) Uint32() uint32 {
	v := binary.LittleEndian.Uint32(*m)
	*m = (*m)[4:]
	return v
}

// Float64 takes a number of eight bytes off the message.
func (m *Message) Float64() float64 {
	v := binary.LittleEndian.Uint64(*m)
	*m = (*m)[8:]
	return math.Float64frombits(v)
}
