package bench

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

//go:embed peers.py
var peerScript string

// peer is a running Python interpreter that solves tasks with SciPy and scikit-learn, one at a
// time. It stays alive between tasks, so that a turn costs neither its start nor its imports, and
// measures its own time.
type peer struct {
	versions string
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
}

// peerTask is one line to the interpreter; peers.py documents the fields of each task.
type peerTask struct {
	Task     string   `json:"task"`
	What     string   `json:"what,omitempty"`
	Files    []string `json:"files,omitempty"`
	K        int      `json:"k,omitempty"`
	Tol      float64  `json:"tol,omitempty"`
	Restarts int      `json:"restarts,omitempty"`
	Seed     uint64   `json:"seed"`
	Out      string   `json:"out,omitempty"`
}

// peerAnswer is one line back.
type peerAnswer struct {
	Seconds  float64   `json:"seconds"`
	CPU      float64   `json:"cpu"`
	Note     string    `json:"note"`
	Values   []float64 `json:"values"`
	PeakMB   float64   `json:"peak_mb"`
	Versions string    `json:"versions"`
	Error    string    `json:"error"`
}

// startPeer starts the interpreter. The error is one sentence: what is missing and how to get it.
func startPeer(ctx context.Context, python string) (*peer, error) {
	if _, err := exec.LookPath(python); err != nil {
		return nil, fmt.Errorf("there is no %s (make bench-peers installs scikit-learn and SciPy)", python)
	}
	p := &peer{cmd: exec.CommandContext(ctx, python, "-W", "ignore", "-c", peerScript)}
	p.cmd.Stderr = os.Stderr
	p.cmd.WaitDelay = time.Second
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	answer, err := p.ask(ctx, peerTask{Task: "versions"})
	if err != nil {
		p.close()
		return nil, err
	}
	p.versions = answer.Versions
	return p, nil
}

// ask runs one task in the interpreter.
func (p *peer) ask(ctx context.Context, t peerTask) (peerAnswer, error) {
	line, err := json.Marshal(t)
	if err != nil {
		return peerAnswer{}, err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return peerAnswer{}, errors.Join(ctx.Err(), err)
	}
	reply, err := p.out.ReadBytes('\n')
	if err != nil {
		return peerAnswer{}, errors.Join(ctx.Err(), fmt.Errorf("the Python interpreter ended: %w", err))
	}
	return parseAnswer(reply)
}

// close ends the interpreter.
func (p *peer) close() {
	p.in.Close()
	p.cmd.Wait()
}

// askOnce runs one task in a fresh interpreter, for its peak memory.
func askOnce(ctx context.Context, python string, t peerTask) (peerAnswer, error) {
	line, err := json.Marshal(t)
	if err != nil {
		return peerAnswer{}, err
	}
	cmd := exec.CommandContext(ctx, python, "-W", "ignore", "-c", peerScript)
	cmd.Stdin = strings.NewReader(string(line) + "\n")
	reply, err := cmd.Output()
	if err != nil {
		return peerAnswer{}, err
	}
	return parseAnswer(reply)
}

func parseAnswer(line []byte) (peerAnswer, error) {
	var a peerAnswer
	if err := json.Unmarshal(line, &a); err != nil {
		return a, fmt.Errorf("the Python interpreter answered %q: %w", line, err)
	}
	if a.Error != "" {
		return a, errors.New(a.Error)
	}
	return a, nil
}
