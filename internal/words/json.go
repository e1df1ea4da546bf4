package words

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// WrongJSON says what is wrong with a JSON text that encoding/json refused with err, without the
// names of types of Go.
func WrongJSON(err error) string {
	if kind := (*json.UnmarshalTypeError)(nil); errors.As(err, &kind) {
		return fmt.Sprintf("there is %s in a wrong place, byte %d", kind.Value, kind.Offset)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}
