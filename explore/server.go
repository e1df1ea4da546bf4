// Package explore serves the page of a clustering on the machine's own address, with what a file
// cannot do: whole texts, the model's answer for a text that one types, and labels. Clusters that
// are named or merged in the page, and documents whose label is corrected there, become a file of
// labels, which the next clustering takes.
//
// Every address has a random token, and requests without it are refused, as are requests that
// another site sends through the browser.
package explore

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/report"
)

// Options say what a server has beside the page.
type Options struct {
	// Texts are the whole texts of documents by their names ([eigenmap.ReadTexts]); nil: none.
	Texts map[string]string
	// Model answers for texts that are typed; nil, or one that takes no texts: nothing does.
	Model *eigenmap.Model
	// Labels is the file that labels are written to; "": none are written. What the file has
	// already stays known.
	Labels string
	// Again is the command that clusters again, without its labels, for the page to show.
	Again string
}

// Server serves one page.
type Server struct {
	opt     Options
	page    *report.Served
	results *eigenmap.Results
	rows    []int          // numbers of the documents on the page
	shown   map[string]int // place on the page by name
	token   string
	hosts   []string // of requests that are answered
	listen  net.Listener
	mux     *http.ServeMux

	mu     sync.Mutex
	labels *labeling
	saved  bool // the file of labels is there
}

// New reads the folder of a clustering and makes a server of it. Errors: as of
// [eigenmap.ReadResults], a folder without a page, and labels of other documents.
func New(ctx context.Context, dir string, opt Options) (*Server, error) {
	results, err := eigenmap.ReadResults(ctx, dir)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(results.Dir, "report.html"))
	if err != nil {
		return nil, err
	}
	s := &Server{opt: opt, results: results, shown: make(map[string]int)}
	if s.page, err = report.NewServed(text); err != nil {
		return nil, err
	}
	if opt.Again != "" && results.Numbered() {
		s.opt.Again += " --ids-from 1"
	}
	known := ""
	if _, err := os.Stat(opt.Labels); err == nil && opt.Labels != "" {
		known, s.saved = opt.Labels, true
	}
	if s.labels, err = newLabeling(ctx, results, known); err != nil {
		return nil, err
	}
	s.rows = report.Rows(len(results.IDs))
	for at, i := range s.rows {
		s.shown[results.IDs[i]] = at
	}
	secret := make([]byte, 24)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	s.token = base64.RawURLEncoding.EncodeToString(secret)
	s.mux = http.NewServeMux()
	s.mux.HandleFunc("GET /{$}", s.servePage)
	s.mux.HandleFunc("GET /{tile}", s.serveTile)
	s.mux.HandleFunc("GET /api/state", s.serveState)
	s.mux.HandleFunc("GET /api/text", s.serveText)
	s.mux.HandleFunc("GET /api/suggest", s.serveSuggestions)
	s.mux.HandleFunc("POST /api/predict", s.servePrediction)
	s.mux.HandleFunc("POST /api/labels", s.serveLabels)
	return s, nil
}

// Listen takes a port of 127.0.0.1, 0 for a free one, and returns the address of the page.
func (s *Server) Listen(port int) (url string, err error) {
	if s.listen, err = net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err != nil {
		return "", err
	}
	at := s.listen.Addr().(*net.TCPAddr).Port
	s.hosts = []string{"127.0.0.1:" + strconv.Itoa(at), "localhost:" + strconv.Itoa(at)}
	return "http://" + s.hosts[0] + "/" + s.token + "/", nil
}

// Serve answers requests until ctx ends, which is no error. Listen comes before it.
func (s *Server) Serve(ctx context.Context) error {
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, MaxHeaderBytes: 1 << 16,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if err := server.Serve(s.listen); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// ServeHTTP implements http.Handler: it answers requests with the token that are for this server by
// name, and refuses others.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", s.page.Policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer") // the address has the token
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	token, path, found := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 || !found || !s.isOwn(r) {
		http.Error(w, "Open the address that eigenmap explore printed.", http.StatusForbidden)
		return
	}
	inside := r.Clone(r.Context())
	inside.URL.Path, inside.URL.RawPath = "/"+path, ""
	s.mux.ServeHTTP(w, inside)
}

// isOwn reports whether a request names this server, which one to another name that leads to this
// machine does not (DNS rebinding), and comes from its page if it comes from a page.
func (s *Server) isOwn(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	for _, host := range s.hosts {
		if r.Host == host {
			return origin == "" || origin == "http://"+host
		}
	}
	return false
}

// serveTile serves a file of documents beside the page.
func (s *Server) serveTile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("tile")
	if !report.IsTile(name) {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/javascript")
	http.ServeFile(w, r, filepath.Join(s.results.Dir, name))
}

func (s *Server) servePage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(s.page.HTML)
}
