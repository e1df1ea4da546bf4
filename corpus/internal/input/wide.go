package input

import (
	"bytes"
	"fmt"
)

// ByteOrderMark is the optional start of a UTF-8 file.
const ByteOrderMark = "\ufeff"

// WideEncoding returns "UTF-16" or "UTF-32" if the byte-order mark of a text says so, else "".
func WideEncoding(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")):
		return "UTF-32"
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return "UTF-16"
	}
	return ""
}

// WideJSON is WideEncoding of JSON, which is known without a byte-order mark too: its first
// character is one of ASCII.
func WideJSON(head []byte) string {
	zero := func(k int) bool { return k < len(head) && head[k] == 0 }
	switch w := WideEncoding(head); {
	case w != "" || len(head) < 2:
		return w
	case zero(2) && (zero(1) && zero(3) || zero(0) && zero(1)):
		return "UTF-32"
	case zero(0) || zero(1):
		return "UTF-16"
	}
	return ""
}

// WideRefusal says how to convert a text of such an encoding, for readers that need UTF-8.
func WideRefusal(encoding string) string {
	return fmt.Sprintf("is %s text; convert it to UTF-8, for instance with iconv -f %s -t UTF-8", encoding, encoding)
}

// RefuseWide refuses a file of UTF-16 or UTF-32 whose lines are read as UTF-8.
func (in *File) RefuseWide() error {
	head, err := in.Peek(4)
	if err != nil {
		return err
	}
	if wide := WideEncoding(head); wide != "" {
		return in.Fail("", "%s", WideRefusal(wide))
	}
	return nil
}
