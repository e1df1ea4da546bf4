package chromium

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// Eval evaluates an expression in the page, waits for its promise, and stores its value in result,
// which may be nil.
func (t *Tab) Eval(expression string, result any) error {
	var r struct {
		Result struct {
			Value json.RawMessage
		}
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	if err := t.Call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true}, &r); err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		return errors.New(r.ExceptionDetails.Exception.Description)
	}
	if result == nil || r.Result.Value == nil {
		return nil
	}
	return json.Unmarshal(r.Result.Value, result)
}

// Wait waits until an expression is true, a minute at most.
func (t *Tab) Wait(expression string) error {
	for started := time.Now(); time.Since(started) < time.Minute; time.Sleep(20 * time.Millisecond) {
		var is bool
		if err := t.Eval("!!("+expression+")", &is); err != nil {
			return err
		}
		if is {
			return nil
		}
	}
	return fmt.Errorf("not true within a minute: %s", expression)
}

// Mouse sends an event of the mouse: "mouseMoved", "mousePressed" or "mouseReleased".
func (t *Tab) Mouse(kind string, x, y float64) error {
	p := map[string]any{"type": kind, "x": x, "y": y}
	if kind != "mouseMoved" {
		p["button"], p["buttons"], p["clickCount"] = "left", 1, 1
	}
	return t.Call("Input.dispatchMouseEvent", p, nil)
}

// Drag presses the left button at the first place, moves through the others and releases it.
func (t *Tab) Drag(places [][2]float64) error {
	if err := t.Mouse("mousePressed", places[0][0], places[0][1]); err != nil {
		return err
	}
	last := places[len(places)-1]
	for _, p := range places[1:] {
		if err := t.Call("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": p[0], "y": p[1], "button": "left", "buttons": 1}, nil); err != nil {
			return err
		}
	}
	return t.Mouse("mouseReleased", last[0], last[1])
}

// Wheel turns the wheel at a place; a negative delta zooms in.
func (t *Tab) Wheel(x, y, delta float64) error {
	return t.Call("Input.dispatchMouseEvent", map[string]any{"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": delta}, nil)
}

// Key presses a key by its name, such as "Escape" or "l".
func (t *Tab) Key(key string) error {
	down := map[string]any{"type": "keyDown", "key": key}
	if len(key) == 1 {
		down["text"] = key
	}
	if err := t.Call("Input.dispatchKeyEvent", down, nil); err != nil {
		return err
	}
	return t.Call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key}, nil)
}

// Type writes a text into the element that has the focus.
func (t *Tab) Type(text string) error {
	return t.Call("Input.insertText", map[string]any{"text": text}, nil)
}

// Screenshot saves what the window shows as a file, a WebP picture if its name says so, else PNG.
func (t *Tab) Screenshot(file string) error {
	how := map[string]any{"format": "png"}
	if strings.HasSuffix(file, ".webp") {
		how = map[string]any{"format": "webp", "quality": 88}
	}
	var shot struct{ Data []byte }
	if err := t.Call("Page.captureScreenshot", how, &shot); err != nil {
		return err
	}
	return os.WriteFile(file, shot.Data, 0o644)
}
