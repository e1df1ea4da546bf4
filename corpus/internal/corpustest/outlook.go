package corpustest

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
)

// Letter is a message of Outlook. texts has its properties by number: 0x37 is the subject, 0x1000
// the body. A number that holds a type, too, is a property of bytes. inner are messages within it.
func Letter(texts map[uint32]string, inner ...map[uint32]string) []byte {
	streams := letterStreams("", texts, 32)
	for i, message := range inner {
		streams = append(streams, letterStreams(fmt.Sprintf("__attach_version1.0_#%08X/__substg1.0_3701000D/", i), message, 24)...)
	}
	streams = append(streams, "__attach_version1.0_#00000FFF/__substg1.0_37010102", "what is attached")
	return Compound(streams...)
}

// letterStreams are the streams of a message in a folder. Numbers with a type of eight bytes are
// fixed properties, which follow a header of so many bytes.
func letterStreams(folder string, values map[uint32]string, header int) (streams []string) {
	fixed := make([]byte, header)
	for prop, value := range values {
		switch kind := prop & 0xffff; {
		case prop < 1<<16:
			var wide strings.Builder
			for _, u := range utf16.Encode([]rune(value)) {
				wide.Write(binary.LittleEndian.AppendUint16(nil, u))
			}
			streams = append(streams, fmt.Sprintf("%s__substg1.0_%04X001F", folder, prop), wide.String())
		case kind == 0x3 || kind == 0x40:
			fixed = binary.LittleEndian.AppendUint32(fixed, prop)
			fixed = append(append(fixed, 0, 0, 0, 0), (value + strings.Repeat("\x00", 8))[:8]...)
		default:
			streams = append(streams, fmt.Sprintf("%s__substg1.0_%08X", folder, prop), value)
		}
	}
	return append(streams, folder+"__properties_version1.0", string(fixed))
}
