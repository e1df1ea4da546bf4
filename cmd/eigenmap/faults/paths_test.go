package faults

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/internal/must"
)

// pathFlag finds the flags in a command's help whose value is a path. Help is made from the tags of
// the options, so that a new option of that kind is tested by itself.
var pathFlag = regexp.MustCompile(`(?m)^ +(?:-\w, )?--([\w-]+) path\b`)

// flagOf is a flag that takes a path, and a method that has it ("" for commands without methods).
type flagOf struct{ flag, method string }

// pathFlags lists the flags of a command that take a path, including the flags of every method.
func pathFlags(t *testing.T, command string) (list []flagOf) {
	t.Helper()
	methods := []string{""}
	if command == "cluster" || command == "embed" {
		methods = methodNames(t)
	}
	for _, method := range methods {
		args := []string{command, "--help"}
		if method != "" {
			args = append(args, "--method", method)
		}
		text := must.Get(exec.Command(program, args...).Output())(t)
		for _, m := range pathFlag.FindAllStringSubmatch(string(text), -1) {
			if !slices.ContainsFunc(list, func(f flagOf) bool { return f.flag == m[1] }) {
				list = append(list, flagOf{m[1], method})
			}
		}
	}
	return list
}

// methodNames lists the methods, with le first, which is the method of the other trials.
func methodNames(t *testing.T) (list []string) {
	t.Helper()
	text := must.Get(exec.Command(program, "methods", "--json").Output())(t)
	var known struct{ Methods []struct{ Name string } }
	if err := json.Unmarshal(text, &known); err != nil || len(known.Methods) == 0 || known.Methods[0].Name != "le" {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, m := range known.Methods {
		list = append(list, m.Name)
	}
	return list
}

// hostile is something that a path can name and that is not what the program wants.
type hostile struct{ name, path string }

// hostiles makes them in a folder.
func hostiles(t *testing.T, dir string) []hostile {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := syscall.Mkfifo(at("fifo"), 0o666); err != nil {
		t.Skip(err)
	}
	os.Symlink("loop", at("loop"))
	os.Symlink("nowhere", at("dangling"))
	os.Symlink("/dev/zero", at("zero.csv"))
	os.Mkdir(at("folder"), 0o755)
	write(t, at("with\nnewline\x1b[31m.jsonl"), corpusOf(2))
	write(t, at("empty"), "")
	write(t, at("binary"), strings.Repeat("\x00\xff\x01\xfe", 300))
	write(t, at("line"), strings.Repeat("[", 300_000))
	write(t, at("denied"), "id,label\n")
	os.Chmod(at("denied"), 0)
	list := []hostile{
		{"pipe", at("fifo")}, {"zeros", "/dev/zero"}, {"full device", "/dev/full"}, {"null device", "/dev/null"},
		{"link to zeros", at("zero.csv")}, {"loop of links", at("loop")}, {"dangling link", at("dangling")}, {"folder", at("folder")},
		{"missing newline name", at("not\nthere\x1b[2J")}, {"newline name", at("with\nnewline\x1b[31m.jsonl")}, {"empty", at("empty")},
		{"binary", at("binary")}, {"endless line", at("line")}, {"denied", at("denied")},
		{"long name", at(strings.Repeat("x", 300))}, {"nothing", ""}, {"below a file", at("empty/below")},
		{"memory of the process", "/proc/self/mem"}, {"terminal", "/dev/tty"},
	}
	if l, err := net.Listen("unix", at("socket")); err == nil {
		t.Cleanup(func() { l.Close() })
		list = append(list, hostile{"socket", at("socket")})
	}
	return list
}

// TestPaths gives pipes, devices, folders, links and binary files to every flag and operand that
// takes a path.
func TestPaths(t *testing.T) {
	p := newPlace(t)
	bad := hostiles(t, p.dir)
	turn, flags := 0, map[string]bool{}
	for _, c := range p.commands() {
		known := pathFlags(t, c.name)
		for _, f := range known {
			flags[c.name+" --"+f.flag] = true
			turn++
			for _, h := range some(bad, 10, 3*turn) {
				p.tryFlag(t, c, f, h)
			}
		}
		for i := range c.operands {
			turn++
			for _, h := range some(bad, 7, 2*turn) {
				p.tryOperand(t, c, i, h)
			}
		}
	}
	for _, want := range []string{"cluster --config", "cluster --out", "cluster --truth", "cluster --labels", "cluster --constraints",
		"embed --stop-words", "graph --vocabulary", "predict --out", "eval --config", "convert --vocabulary", "info --config"} {
		if !flags[want] {
			t.Errorf("no flag %s was tried: has help changed?", want)
		}
	}
	t.Logf("%d flags of %d commands", len(flags), len(p.commands()))
}

func (p place) tryFlag(t *testing.T, c command, f flagOf, h hostile) {
	flag := f.flag
	t.Run(c.name+"/"+flag+"/"+h.name, func(t *testing.T) {
		t.Parallel()
		if i := slices.Index(c.flags, "--method"); i >= 0 {
			c.flags = slices.Clone(c.flags)
			c.flags[i+1] = f.method
			if flag == "labels" { // of the methods that have this flag, one that needs it
				c.flags[i+1] = "semi-le"
			}
		}
		if c.name == "convert" {
			c.operands = []string{c.operands[0], filepath.Join(t.TempDir(), "converted.npz")}
		}
		r := trial{fault: "paths", args: c.args("--" + flag + "=" + h.path), within: 30 * time.Second}
		if flag == "out" {
			r.out = filepath.Join(p.dir, "nowhere") // what a link names must not be made by half
		} else if c.out {
			r.out = filepath.Join(t.TempDir(), "out")
			r.args = append(r.args, "--out", r.out)
		}
		r.run(t)
	})
}

func (p place) tryOperand(t *testing.T, c command, i int, h hostile) {
	t.Run(c.name+"/operand/"+h.name, func(t *testing.T) {
		t.Parallel()
		c.operands = slices.Clone(c.operands)
		r := trial{fault: "paths", within: 30 * time.Second}
		if c.name == "convert" && i == 0 {
			c.operands[1] = filepath.Join(t.TempDir(), "converted.npz")
			r.file = c.operands[1]
		}
		c.operands[i] = h.path
		r.args = c.args()
		if c.out {
			r.out = filepath.Join(t.TempDir(), "out")
			r.args = append(r.args, "--out", r.out)
		}
		r.run(t)
	})
}

// TestReproducePaths: the same for the command of the papers' tables.
func TestReproducePaths(t *testing.T) {
	dir := t.TempDir()
	turn := 0
	for _, f := range pathFlags(t, "reproduce") {
		turn++
		for _, h := range some(hostiles(t, t.TempDir()), 10, 3*turn) {
			args := []string{"reproduce", "cle/table4", "--tests", "1", "--quiet", "--data", dir, "--" + f.flag + "=" + h.path}
			trial{fault: "paths", args: args, within: 30 * time.Second}.run(t)
		}
	}
}

// TestNames: names of any bytes that a file system takes are names like others.
func TestNames(t *testing.T) {
	p := newPlace(t)
	for _, name := range some([]string{"a\nb", "-k", "a b\t", " c\v\x01: #", "ü\xff\xfe", "x;rm -rf ~", "$(id)", "\x1b]0;x\x07", "a=b,c", strings.Repeat("n", 200)}, 4, 0) {
		dir := filepath.Join(t.TempDir(), name)
		must.Do(t, os.Mkdir(dir, 0o755))
		file, out := filepath.Join(dir, name+".jsonl"), filepath.Join(dir, name)
		write(t, file, corpusOf(10))
		o := trial{fault: "names", args: []string{"cluster", file, "--method", "le", "-k", "3", "--quiet", "--out", out}, out: out}.run(t)
		if o.status != done {
			t.Errorf("%q: status %d\n%s", name, o.status, o.stderr)
		}
		args := []string{"cluster", "--config", filepath.Join(out, "config.yaml"), "--quiet", "--out", out + "1"}
		if !utf8.ValidString(file) { // which YAML cannot hold
			args = append(args, file)
		}
		again := trial{fault: "names", args: args, out: out + "1"}.run(t)
		if again.status != done {
			t.Errorf("%q: the written configuration is refused\n%s", name, again.stderr)
		}
		trial{fault: "names", args: []string{"predict", filepath.Join(out, "model.npz"), p.corpus, "--quiet", "--out", out + "2"}, out: out + "2"}.run(t)
	}
}
