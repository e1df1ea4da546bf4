// Package cgroup finds the control groups of this process, versions 1 and 2, by which Linux,
// containers and batch systems limit memory and processors.
package cgroup

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// System holds the folders that describe the system; tests use folders of their own.
type System struct {
	Proc string // "/proc"
	Root string // "/sys/fs/cgroup"
}

// Host is the system that this process runs on.
var Host = System{Proc: "/proc", Root: "/sys/fs/cgroup"}

// Folder is the folder of one control group.
type Folder struct {
	Dir    string
	Second bool // of version 2, whose files have other names than in version 1
}

// Folders lists the groups of the process for a controller ("memory", "cpu") and the parents of
// these groups. A container sees its own group as the root, which is listed first.
func (s System) Folders(controller string) []Folder {
	list := []Folder{{s.Root, true}, {filepath.Join(s.Root, controller), false}}
	data, _ := os.ReadFile(filepath.Join(s.Proc, "self/cgroup"))
	for line := range bytes.Lines(data) {
		f := strings.SplitN(strings.TrimSpace(string(line)), ":", 3) // number:controllers:path
		if len(f) < 3 {
			continue
		}
		root, second := s.Root, f[1] == ""
		if !second {
			if !strings.Contains(","+f[1]+",", ","+controller+",") {
				continue
			}
			root = filepath.Join(s.Root, controller)
			if _, err := os.Stat(root); err != nil {
				root = filepath.Join(s.Root, f[1]) // mounted together: "cpu,cpuacct"
			}
		}
		for at := path.Clean("/" + f[2]); at != "/"; at = path.Dir(at) {
			list = append(list, Folder{filepath.Join(root, at), second})
		}
	}
	return list
}

// Numbers reads the whole numbers of the first line of a file of the group; a word such as "max",
// and any text that is no number, is 0. It returns nil without the file.
func (f Folder) Numbers(name string) []int64 {
	data, err := os.ReadFile(filepath.Join(f.Dir, name))
	if err != nil {
		return nil
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	list := []int64{}
	for word := range bytes.FieldsSeq(line) {
		v, err := strconv.ParseInt(string(word), 10, 64)
		if err != nil {
			v = 0
		}
		list = append(list, v)
	}
	return list
}

// Number is the first of [Folder.Numbers], 0 if there is none.
func (f Folder) Number(name string) int64 {
	if list := f.Numbers(name); len(list) > 0 {
		return list[0]
	}
	return 0
}
