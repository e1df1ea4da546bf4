package explore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/chromium"
	"github.com/eigenmap/eigenmap/internal/must"
)

const train = "../testdata/golden/train.jsonl"

// result is a folder of a clustering of three clusters, made once.
var result = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "explore")
	if err != nil {
		return "", err
	}
	opt := eigenmap.Options{Clusters: 3, Seed: 1}
	if err := opt.Set("confidence", "raw"); err != nil {
		return "", err
	}
	r, err := eigenmap.Cluster(context.Background(), train, opt)
	if err != nil {
		return "", err
	}
	return dir, r.Save(dir)
})

func TestMain(m *testing.M) {
	status := m.Run()
	if dir, _ := result(); dir != "" {
		os.RemoveAll(dir)
	}
	os.Exit(status)
}

// page is a server that listens and answers without the network.
type page struct {
	t *testing.T
	*Server
	url, file string
}

func open(t *testing.T, file string) page {
	t.Helper()
	ctx := context.Background()
	dir := must.Get(result())(t)
	texts := must.Get(eigenmap.ReadTexts(ctx, train, eigenmap.Options{}))(t)
	model := must.Get(eigenmap.LoadModel(ctx, dir))(t)
	s := must.Get(New(ctx, dir, Options{Texts: texts, Model: model, Labels: file, Again: "eigenmap cluster"}))(t)
	url := must.Get(s.Listen(0))(t)
	t.Cleanup(func() { s.listen.Close() })
	return page{t, s, url, file}
}

// request is a request as the page itself sends it.
func (p page) request(path, body string) *http.Request {
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	r := httptest.NewRequest(method, p.url+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return r
}

func (p page) send(r *http.Request) *http.Response {
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w.Result()
}

// ask decodes the answer, which must have a status.
func (p page) ask(path, body string, status int, to any) {
	p.t.Helper()
	answer := p.send(p.request(path, body))
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != status {
		p.t.Fatalf("%s: status %d: %s, %v", path, answer.StatusCode, text, err)
	}
	if err := json.Unmarshal(text, to); err != nil {
		p.t.Fatalf("%s: %s: %v", path, text, err)
	}
}

// Only requests with the token, to this server by name, and from its own page are answered.
func TestRequestsAreGuarded(t *testing.T) {
	p := open(t, "")
	for name, change := range map[string]func(*http.Request){
		"no token":      func(r *http.Request) { r.URL.Path = "/" },
		"another token": func(r *http.Request) { r.URL.Path = "/" + strings.Repeat("A", len(p.token)) + "/" },
		"token alone":   func(r *http.Request) { r.URL.Path = strings.TrimSuffix(r.URL.Path, "/") },
		"another name":  func(r *http.Request) { r.Host = strings.Replace(p.hosts[0], "127.0.0.1", "evil.example", 1) },
		"another port":  func(r *http.Request) { r.Host = "127.0.0.1:1" },
		"another site":  func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
		"no site":       func(r *http.Request) { r.Header.Set("Origin", "null") },
	} {
		r := p.request("", "")
		change(r)
		if answer := p.send(r); answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s: status %d", name, answer.StatusCode)
		}
	}
	r := p.request("api/predict", `{"text":"a"}`)
	r.Header.Set("Content-Type", "text/plain")
	if answer := p.send(r); answer.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("a form: status %d", answer.StatusCode)
	}
	own := p.request("", "")
	own.Header.Set("Origin", "http://"+p.hosts[0])
	answer := p.send(own)
	text, _ := io.ReadAll(answer.Body)
	policy := answer.Header.Get("Content-Security-Policy")
	if answer.StatusCode != http.StatusOK || !strings.Contains(string(text), "class Served") {
		t.Errorf("the page: status %d, %d bytes", answer.StatusCode, len(text))
	}
	if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "connect-src 'self'") || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %s", policy)
	}
	// Of the folder only tiles are served, and only those that are there.
	name := filepath.Join(p.results.Dir, "report-tile-0-0-0.js")
	must.Do(t, os.WriteFile(name, []byte("eigenmapTile();"), 0o600))
	t.Cleanup(func() { os.Remove(name) })
	for path, status := range map[string]int{"report-tile-0-0-0.js": http.StatusOK, "report-tile-1-0-0.js": http.StatusNotFound, "report-tile-10-0-0-1.js": http.StatusNotFound,
		"clusters.csv": http.StatusNotFound, "run.json": http.StatusNotFound} {
		if answer := p.send(p.request(path, "")); answer.StatusCode != status {
			t.Errorf("%s: status %d, not %d", path, answer.StatusCode, status)
		}
	}
	if other := open(t, ""); other.token == p.token {
		t.Error("two servers have one token")
	}
}

func TestTextsAndPredictions(t *testing.T) {
	p := open(t, "")
	var text struct{ Text, Error string }
	p.ask("api/text?document=2", "", http.StatusOK, &text)
	if want := p.opt.Texts[p.results.IDs[2]]; text.Text != want || want == "" {
		t.Errorf("the text is %q, not %q", text.Text, want)
	}
	p.ask("api/text?document=99", "", http.StatusBadRequest, &text)
	for i := range 5 {
		var found prediction
		body, _ := json.Marshal(map[string]string{"text": p.opt.Texts[p.results.IDs[i]]})
		p.ask("api/predict", string(body), http.StatusOK, &found)
		if found.Cluster != p.results.Clusters[i] || len(found.Nearest) == 0 || len(found.Terms) == 0 || len(found.Place) != 2 {
			t.Errorf("document %d is put as %+v", i, found)
		}
	}
	var none prediction
	p.ask("api/predict", `{"text":"xyzzy"}`, http.StatusOK, &none)
	if !none.Isolated {
		t.Errorf("a text without a known word is put as %+v", none)
	}
	p.ask("api/labels", `{}`, http.StatusBadRequest, &text)
	if text.Error == "" {
		t.Error("labels without a file are taken")
	}
}

// Names, merged clusters and corrected documents become a file that the next clustering takes; a
// further server goes on from it.
func TestLabels(t *testing.T) {
	p := open(t, filepath.Join(t.TempDir(), "labels.csv"))
	one := 0 // a document of cluster 2
	for p.results.Clusters[one] != 2 {
		one++
	}
	var s state
	p.ask("api/labels", fmt.Sprintf(`{"names":{"0":"=both","1":"=both","2":"other"},"documents":{"%d":"=both"},"per":5}`, one), http.StatusOK, &s)
	if s.Count != 16 || s.Classes != 2 || !s.Saved || s.Edits.Names[1] != "=both" || len(s.Edits.Documents) != 1 {
		t.Errorf("%+v", s)
	}
	c := must.Get(corpus.Read(context.Background(), train, corpus.ReadOptions{}))(t)
	given := must.Get(corpus.ReadGiven(context.Background(), p.file, c))(t)
	counts := map[string]int{}
	for i, k := range given.Labels {
		if k >= 0 {
			counts[given.ClassNames[k]]++
			if merged := given.ClassNames[k] == "=both"; merged != (p.results.Clusters[i] < 2 || i == one) {
				t.Errorf("document %d of cluster %d is %s", i, p.results.Clusters[i], given.ClassNames[k])
			}
		}
	}
	if counts["=both"] != 11 || counts["other"] != 5 {
		t.Errorf("the labels are %v", counts)
	}
	var next []suggestion
	p.ask("api/suggest", "", http.StatusOK, &next)
	for _, v := range next {
		if given.Labels[v.Document] >= 0 {
			t.Errorf("document %d has a label and is suggested", v.Document)
		}
	}
	var again state
	open(t, p.file).ask("api/state", "", http.StatusOK, &again)
	if again.Count != 16 || !again.Saved || len(again.Edits.Names) != 0 {
		t.Errorf("a further server begins with %+v", again)
	}
}

// What cannot be a label changes nothing, and neither does a file that cannot be written.
func TestLabelsRefuse(t *testing.T) {
	p := open(t, filepath.Join(t.TempDir(), "labels.csv"))
	var s state
	p.ask("api/labels", `{"names":{"0":"a"}}`, http.StatusOK, &s)
	before := must.Get(os.ReadFile(p.file))(t)
	for _, body := range []string{`{"names":{"7":"a"}}`, `{"names":{"1":"nan"}}`, `{"names":{"1":"two\nlines"}}`, `{"documents":{"-1":"a"}}`, `{"documents":{"60":"a"}}`, `{"more":1}`, `{`} {
		var wrong struct{ Error string }
		p.ask("api/labels", body, http.StatusBadRequest, &wrong)
		if wrong.Error == "" {
			t.Errorf("%s: no reason", body)
		}
	}
	after, err := os.ReadFile(p.file)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file has changed, %v", err)
	}
	p.opt.Labels = filepath.Join(p.file, "inside")
	var wrong struct{ Error string }
	p.ask("api/labels", `{"names":{"0":"b"}}`, http.StatusBadRequest, &wrong)
	if p.ask("api/state", "", http.StatusOK, &s); s.Edits.Names[0] != "a" {
		t.Errorf("after a failed write the edits are %+v", s.Edits)
	}
}

// The end of the context ends the server, without an error.
func TestServeEnds(t *testing.T) {
	p := open(t, "")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Serve(ctx) }()
	answer, err := http.Get(p.url + "api/state")
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	answer.Body.Close()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// In a browser a cluster is named, and a text is placed.
func TestPageInChromium(t *testing.T) {
	path := chromium.Find()
	if path == "" || testing.Short() {
		t.Skip("there is no Chromium on the path (Debian: apt-get install chromium), or this is a short test")
	}
	p := open(t, filepath.Join(t.TempDir(), "labels.csv"))
	ctx := t.Context()
	go p.Serve(ctx)
	b := must.Get(chromium.Start(ctx, path))(t)
	defer b.Close()
	tab := must.Get(b.Open(p.url, 1200, 900, 1, false))(t)
	click := func(text string) string {
		return fmt.Sprintf(`[...document.querySelectorAll("#panel button")].find((b) => b.textContent === %q).click()`, text)
	}
	for _, step := range []struct{ do, until string }{
		{`0`, `performance.getEntriesByName("ready").length`},
		{`document.querySelector("#panel .groups button").click()`, `document.querySelector("#panel .served input")`},
		{`{ const f = document.querySelector("#panel .served input"); f.value = "mine"; f.dispatchEvent(new Event("change")); }`,
			`document.querySelector("#panel .served").textContent.includes("20 labels of 1 class, saved")`},
		{`document.getElementById("clear").click()`, `document.querySelector("#panel .groups").textContent.includes("mine")`},
		{click("Place a text"), `document.querySelector("#panel textarea")`},
		{`{ const f = document.querySelector("#panel textarea"); f.value = "some text"; f.dispatchEvent(new Event("input")); }`, `true`},
		{click("Place it"), `document.querySelector("#panel dl")`},
	} {
		if err := errors.Join(tab.Eval(step.do, nil), tab.Wait(step.until)); err != nil {
			t.Fatal(step, err, tab.Errors())
		}
	}
	if errs := tab.Errors(); len(errs) > 0 {
		t.Error(errs)
	}
	if text, err := os.ReadFile(p.file); err != nil || strings.Count(string(text), ",mine\n") != 20 {
		t.Errorf("the labels are %s, %v", text, err)
	}
}
