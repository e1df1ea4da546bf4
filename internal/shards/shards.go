// Package shards names the parts of a file that several ranks write, a part each, and reads the
// parts as the one file that they are together.
package shards

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/internal/pattern"
	"github.com/eigenmap/eigenmap/internal/regular"
)

// Name is the name of part number, from 1, of a file that has so many: clusters-00001-of-00004.csv.
func Name(file string, number, of int) string {
	ext := filepath.Ext(file)
	return fmt.Sprintf("%s-%05d-of-%05d%s", strings.TrimSuffix(file, ext), number, of, ext)
}

var named = pattern.Lazy(`^(.+)-(\d{5})-of-(\d{5})(\.[a-z0-9]+)$`)

// Parse is the file that a part belongs to, by the name of the part; ok is false of other names.
func Parse(name string) (file string, number, of int, ok bool) {
	m := named().FindStringSubmatch(name)
	if m == nil {
		return "", 0, 0, false
	}
	number, _ = strconv.Atoi(m[2])
	of, _ = strconv.Atoi(m[3])
	return m[1] + m[4], number, of, number >= 1 && number <= of
}

// Parts are the paths of the parts of the file at path, in order; nil if there is such a file, or
// if it has no parts. Errors (*[regular.Error]): a part is missing, or there are parts of two runs.
func Parts(path string) ([]string, error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	dir, base := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return nil, nil // whoever opens the file says what is wrong
	}
	var list []string
	for _, e := range entries { // in the order of their names
		file, number, of, ok := Parse(e.Name())
		switch {
		case !ok || file != base:
			continue
		case list == nil:
			list = make([]string, of)
		case len(list) != of:
			return nil, refused(path, "the folder has parts of it of two runs (%s): move those of one of them away", e.Name())
		}
		list[number-1] = dir + e.Name()
	}
	for k, part := range list {
		if part == "" {
			return nil, refused(path, "its part %s is missing: copy all of its %d parts into the folder", Name(base, k+1, len(list)), len(list))
		}
	}
	return list, nil
}

func refused(path, format string, args ...any) error {
	return &regular.Error{Path: path, Why: fmt.Sprintf(format, args...)}
}

// Stat is [os.Stat] of the file at path, of a file in parts that of its first part.
func Stat(path string) (fs.FileInfo, error) {
	parts, err := Parts(path)
	if err != nil {
		return nil, err
	}
	if parts != nil {
		path = parts[0]
	}
	return os.Stat(path)
}

// First is the first part of the file at path; path itself if there is such a file, or none of its
// parts.
func First(path string) string {
	if parts, err := Parts(path); err == nil && parts != nil {
		return parts[0]
	}
	return path
}
