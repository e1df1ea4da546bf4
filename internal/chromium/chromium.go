// Package chromium opens pages in a headless Chromium, acts on them as a person does, and takes
// pictures. It speaks the DevTools protocol over two pipes and needs no other program. Tests and
// the tool for the pictures of the documentation use it.
package chromium

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Find returns the path of Chromium or of a browser of its family, "" if there is none.
func Find() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Browser is a running Chromium.
type Browser struct {
	cmd    *exec.Cmd
	out    *os.File // to the browser
	home   string   // of its profile
	mutex  sync.Mutex
	next   int
	answer map[int]chan message
	tabs   map[string]*Tab // by session
	closed chan struct{}   // once the browser is gone
}

// message is a call, an answer or an event.
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Start starts the browser at a path with further flags. It draws in software, without a sandbox of
// its own, so that it runs in a container. The caller closes it.
func Start(ctx context.Context, path string, flags ...string) (*Browser, error) {
	home, err := os.MkdirTemp("", "chromium-")
	if err != nil {
		return nil, err
	}
	b := &Browser{home: home, answer: map[int]chan message{}, tabs: map[string]*Tab{}, closed: make(chan struct{})}
	in, theirOut, err := os.Pipe()
	if err != nil {
		os.RemoveAll(home)
		return nil, err
	}
	theirIn, out, err := os.Pipe()
	if err != nil {
		in.Close()
		theirOut.Close()
		os.RemoveAll(home)
		return nil, err
	}
	b.out = out
	b.cmd = exec.CommandContext(ctx, path, append([]string{"--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
		"--ignore-gpu-blocklist", "--remote-debugging-pipe", "--no-first-run", "--disable-extensions", "--disable-background-networking", "--hide-scrollbars", "--user-data-dir=" + home}, append(flags, "about:blank")...)...)
	b.cmd.ExtraFiles = []*os.File{theirIn, theirOut} // its 3 and 4
	err = b.cmd.Start()
	theirIn.Close()
	theirOut.Close()
	if err != nil {
		in.Close()
		b.Close()
		return nil, err
	}
	go b.read(in)
	return b, nil
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() error {
	b.out.Close()
	if b.cmd.Process != nil {
		b.cmd.Process.Kill()
		b.cmd.Wait()
	}
	var err error
	for range 20 { // its children write for a moment
		if err = os.RemoveAll(b.home); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

// read takes answers and events until the browser ends.
func (b *Browser) read(in io.ReadCloser) {
	defer in.Close()
	defer close(b.closed)
	r := bufio.NewReader(in)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		b.mutex.Lock()
		if m.ID > 0 {
			if c := b.answer[m.ID]; c != nil {
				c <- m
				delete(b.answer, m.ID)
			}
		} else if t := b.tabs[m.Session]; t != nil {
			t.event(m)
		}
		b.mutex.Unlock()
	}
}

// call calls a method of a session ("": the browser's) and waits for its result.
func (b *Browser) call(session, method string, params, result any) error {
	text, err := json.Marshal(params)
	if err != nil {
		return err
	}
	b.mutex.Lock()
	b.next++
	m := message{ID: b.next, Session: session, Method: method, Params: text}
	c := make(chan message, 1)
	b.answer[m.ID] = c
	if text, err = json.Marshal(m); err == nil {
		_, err = b.out.Write(append(text, 0))
	}
	b.mutex.Unlock()
	if err != nil {
		return err
	}
	select {
	case m = <-c:
	case <-b.closed:
		return errors.New("the browser has ended")
	case <-time.After(time.Minute):
		return fmt.Errorf("%s: no answer within a minute", method)
	}
	if m.Error != nil {
		return fmt.Errorf("%s: %s", method, m.Error.Message)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(m.Result, result)
}

// Open opens a page in a window of that size and waits until it is loaded. dark asks for a dark
// colour scheme; scale is the number of pixels of a unit of length.
func (b *Browser) Open(url string, width, height int, scale float64, dark bool) (*Tab, error) {
	var target struct{ TargetID string }
	if err := b.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return nil, err
	}
	var session struct{ SessionID string }
	if err := b.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session); err != nil {
		return nil, err
	}
	t := &Tab{b: b, session: session.SessionID, target: target.TargetID, loaded: make(chan struct{}, 8)}
	b.mutex.Lock()
	b.tabs[t.session] = t
	b.mutex.Unlock()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	for _, c := range []struct {
		method string
		params any
	}{
		{"Runtime.enable", nil}, {"Log.enable", nil}, {"Page.enable", nil},
		{"Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 500}},
		{"Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}},
		{"Page.navigate", map[string]any{"url": url}},
	} {
		if c.params == nil {
			c.params = struct{}{}
		}
		if err := t.Call(c.method, c.params, nil); err != nil {
			return nil, err
		}
	}
	select {
	case <-t.loaded:
	case <-time.After(time.Minute):
		return nil, fmt.Errorf("%s: not loaded within a minute", url)
	}
	return t, nil
}

// Tab is an open page.
type Tab struct {
	b               *Browser
	session, target string
	loaded          chan struct{}
	errors          []string
}

// event notes what the page complains of. The mutex of the browser is held.
func (t *Tab) event(m message) {
	switch m.Method {
	case "Page.loadEventFired":
		select {
		case t.loaded <- struct{}{}:
		default:
		}
	case "Runtime.exceptionThrown":
		t.errors = append(t.errors, string(m.Params))
	case "Log.entryAdded":
		var p struct{ Entry struct{ Level, Text string } }
		// The time that software drawing takes is no fault of the page.
		if json.Unmarshal(m.Params, &p); p.Entry.Level == "error" || p.Entry.Level == "warning" && !strings.Contains(p.Entry.Text, "GPU stall") {
			t.errors = append(t.errors, p.Entry.Level+": "+p.Entry.Text)
		}
	case "Runtime.consoleAPICalled":
		var p struct{ Type string }
		if json.Unmarshal(m.Params, &p); p.Type == "error" || p.Type == "warning" || p.Type == "assert" {
			t.errors = append(t.errors, string(m.Params))
		}
	}
}

// Errors returns all errors and warnings of the page's console so far: exceptions, what the policy
// refused, and what the script wrote there.
func (t *Tab) Errors() []string {
	t.b.mutex.Lock()
	defer t.b.mutex.Unlock()
	return append([]string(nil), t.errors...)
}

// Call calls a method of the protocol for this page.
func (t *Tab) Call(method string, params, result any) error {
	return t.b.call(t.session, method, params, result)
}

// Close closes the page.
func (t *Tab) Close() error {
	return t.b.call("", "Target.closeTarget", map[string]any{"targetId": t.target}, nil)
}
