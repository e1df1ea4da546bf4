package outlook

import (
	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// Marks of RTF in a message: packed or as it is.
const (
	packedRTF = 0x75465a4c
	wholeRTF  = 0x414c454d
)

// rtfStart is what the window holds before the first byte.
const rtfStart = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}` +
	`{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` +
	"\r\n" + `\par \pard\plain\f0\fs20\b\i\u\tab\tx`

// unpackRTF unpacks the RTF of a message, of limit bytes at most.
//
// Source: Microsoft, [MS-OXRTFCP] "Rich Text Format (RTF) Compression Algorithm".
func unpackRTF(data []byte, limit int64) ([]byte, error) {
	if len(data) < 16 {
		return nil, damaged
	}
	size, kind := int64(little.Uint32(data[4:])), little.Uint32(data[8:])
	rest := data[16:]
	switch {
	case size > limit:
		return nil, input.ErrTooLong
	case kind == wholeRTF:
		return rest[:min(size, int64(len(rest)))], nil
	case kind != packedRTF:
		return nil, damaged
	}
	const window = 4096
	var ring [window]byte
	at := copy(ring[:], rtfStart)
	var out []byte
	put := func(c byte) {
		ring[at] = c
		at = (at + 1) % window
		out = append(out, c)
	}
	for len(rest) > 0 {
		flags := rest[0]
		rest = rest[1:]
		for bit := 0; bit < 8; bit++ {
			if int64(len(out)) > size+window {
				return nil, damaged // its end is missing
			}
			if flags>>bit&1 == 0 {
				if len(rest) == 0 {
					return nil, damaged
				}
				put(rest[0])
				rest = rest[1:]
				continue
			}
			if len(rest) < 2 {
				return nil, damaged
			}
			from, n := int(rest[0])<<4|int(rest[1])>>4, int(rest[1]&15)+2
			rest = rest[2:]
			if from == at {
				return out, nil
			}
			for k := range n {
				put(ring[(from+k)%window])
			}
		}
	}
	return nil, damaged
}
