package faults

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// trace is what a Go program that crashed leaves on standard error.
var trace = regexp.MustCompile(`(?m)^goroutine \d+|^panic:|^fatal error:|^runtime:|^SIG[A-Z]+: |\.go:\d+ \+0x|defect in the program`)

// broken lists the rules that a run broke.
func (r trial) broken(o outcome) (list []string) {
	if o.timedOut {
		list = append(list, "it did not end in time")
	}
	if trace.MatchString(o.stderr) {
		list = append(list, "it crashed")
	}
	// A second signal ends the program as at once as a kill, without a word.
	killed := o.end() == "killed" || r.mayDie && o.status == interrupted && o.stderr == ""
	switch {
	case o.timedOut, killed && r.mayDie, o.end() == "not started":
	case o.end() == "other", killed:
		list = append(list, "the status is none that is documented")
	case o.status != done:
		list = append(list, saidBadly(o.stderr)...)
	}
	if r.out != "" {
		list = append(list, badResults(r.out, killed || o.timedOut || r.mayLeave || strings.Contains(o.stderr, "while the results were put in place"), strings.Contains(o.stderr, "which other commands refuse"))...)
	}
	if r.file != "" && o.status != done {
		if _, err := os.Lstat(r.file); err == nil {
			list = append(list, "it left "+r.file)
		}
	}
	return list
}

// saidBadly checks what a run that did not succeed wrote: one sentence, on one line.
func saidBadly(stderr string) []string {
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	said := 0
	for _, l := range lines {
		if strings.HasPrefix(l, "eigenmap: ") && len(l) > 25 {
			said++
		}
		if strings.ContainsFunc(l, func(r rune) bool { return r < ' ' && r != '\t' }) {
			return []string{"there are control characters on standard error"}
		}
	}
	if said != 1 || len(lines) > 3 {
		return []string{fmt.Sprintf("%d lines on standard error, %d of them an error: one sentence is wanted", len(lines), said)}
	}
	return nil
}

// badResults checks a folder of results: its files are those that run.json lists, byte for byte, or
// there are none. Temporary files may be left only by a run that was killed, and files of two runs
// by one that says so.
func badResults(dir string, killed, saysMixed bool) (list []string) {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []string{err.Error()}
	}
	var found []string
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") {
			if !killed {
				list = append(list, "it left the temporary file "+name)
			}
			continue
		}
		found = append(found, name)
	}
	if !slices.Contains(found, "run.json") {
		if len(found) > 0 {
			list = append(list, fmt.Sprintf("there are results but no run.json: %v", found))
		}
		return list
	}
	var listed struct {
		Files, Next []struct{ Name, SHA256 string }
	}
	text, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err == nil {
		err = json.Unmarshal(text, &listed)
	}
	if err != nil {
		return append(list, "run.json: "+err.Error())
	}
	if len(listed.Next) > 0 {
		if !killed && !saysMixed {
			list = append(list, "run.json says that a run is still putting its files in place")
		}
		return list // the program refuses such a folder, which TestKilledAtEveryRename checks
	}
	sums := map[string]string{}
	for _, f := range listed.Files {
		sums[f.Name] = f.SHA256
	}
	for _, name := range found {
		text, err := os.ReadFile(filepath.Join(dir, name))
		sum := sha256.Sum256(text)
		switch {
		case name == "run.json":
		case err != nil:
			list = append(list, err.Error())
		case sums[name] == "":
			list = append(list, name+" is not in run.json")
		case sums[name] != hex.EncodeToString(sum[:]):
			list = append(list, name+" is not what run.json lists")
		}
		delete(sums, name)
	}
	for name := range sums {
		list = append(list, name+" is in run.json, but there is no such file")
	}
	return list
}
