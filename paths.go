package eigenmap

import "strings"

func baseName(file string) string {
	s := strings.TrimRight(file, "/")
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		s = s[i+1:]
	}
	return s
}
