package explore

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/methods/method"
)

// maxBody bounds a request in bytes.
const maxBody = 4 << 20

// state is what the page asks for first.
type state struct {
	Texts   bool   `json:"texts"`   // whole texts are there
	Predict bool   `json:"predict"` // texts can be placed
	File    string `json:"file"`    // of labels; "" for none
	Again   string `json:"again"`
	Edits   edits  `json:"edits"`
	Saved   bool   `json:"saved"`   // the file was written
	Count   int    `json:"count"`   // labels that are known, and that it then has
	Classes int    `json:"classes"` // of them
}

func (s *Server) state() state {
	count, classes := s.labels.count()
	return state{s.opt.Texts != nil, s.predicts(), s.opt.Labels, s.opt.Again, s.labels.onPage(s.shown, s.results.IDs), s.saved, count, classes}
}

func (s *Server) serveState(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer(w, s.state())
}

// serveText answers with the whole text of a document, by its place on the page.
func (s *Server) serveText(w http.ResponseWriter, r *http.Request) {
	at, err := strconv.Atoi(r.URL.Query().Get("document"))
	if err != nil || at < 0 || at >= len(s.rows) {
		refuse(w, fmt.Errorf("the page has no document %q", r.URL.Query().Get("document")))
		return
	}
	text, found := s.opt.Texts[s.results.IDs[s.rows[at]]]
	if !found {
		refuse(w, errors.New("the corpus does not have this document"))
		return
	}
	answer(w, map[string]string{"text": text})
}

// suggestion is a document to label next.
type suggestion struct {
	Document int    `json:"document"`
	Why      string `json:"why"`
}

func (s *Server) serveSuggestions(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	known := s.labels.all()
	s.mu.Unlock()
	found, err := s.results.Suggest(r.Context(), eigenmap.SuggestOptions{Known: known})
	if err != nil {
		refuse(w, err)
		return
	}
	list := []suggestion{}
	for _, v := range found.Next {
		if at, shown := s.shown[v.ID]; shown {
			list = append(list, suggestion{at, v.Why})
		}
	}
	answer(w, list)
}

// prediction is where the model puts a text.
type prediction struct {
	Cluster    int             `json:"cluster"`
	Class      string          `json:"class"`
	Second     *int            `json:"second"`
	Confidence *float64        `json:"confidence"`
	Novelty    *float64        `json:"novelty"`
	Terms      []method.Weight `json:"terms"`
	Nearest    []int           `json:"nearest"` // documents by their places on the page
	Place      []float64       `json:"place"`   // on the map; null if the model has none
	Isolated   bool            `json:"isolated"`
}

// predicts reports whether the model places texts.
func (s *Server) predicts() bool {
	m := s.opt.Model
	return m != nil && m.Closed() == "" && m.Sizes() != nil && m.Rows().Text != nil && !m.Rows().Vectors && m.Rows().View == nil && m.Rows().Beside == 0
}

func (s *Server) servePrediction(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Text string `json:"text"`
	}
	if !take(w, r, &in) {
		return
	}
	if !s.predicts() {
		refuse(w, errors.New("the result has no model that takes texts"))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p, err := s.opt.Model.PredictTexts(r.Context(), []string{in.Text})
	if err != nil {
		refuse(w, err)
		return
	}
	if p.Corpus.Len() != 1 {
		refuse(w, errors.New("there is no text to place"))
		return
	}
	list, err := p.Explain(r.Context(), 0)
	if err != nil {
		refuse(w, err)
		return
	}
	e := &list[0]
	out := prediction{e.Cluster, e.Class, e.Second, e.Confidence, e.Novelty, e.Terms, []int{}, nil, len(p.Isolated) > 0}
	for _, near := range e.Nearest {
		if at, shown := s.shown[near.ID]; shown {
			out.Nearest = append(out.Nearest, at)
		}
	}
	if p.Map != nil {
		out.Place = []float64{p.Map.At(0, 0), p.Map.At(0, 1)}
	}
	answer(w, out)
}

// serveLabels takes what was named, merged and corrected in the page, and writes the file of
// labels.
func (s *Server) serveLabels(w http.ResponseWriter, r *http.Request) {
	var in edits
	if !take(w, r, &in) {
		return
	}
	if s.opt.Labels == "" {
		refuse(w, errors.New("no file of labels was given"))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	next, err := s.labels.edited(in, s.rows)
	if err == nil {
		err = next.write(s.opt.Labels)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	s.labels, s.saved = next, true
	answer(w, s.state())
}

// take reads the body of a request, a JSON object. The content type keeps out forms, which another
// site could send.
func take(w http.ResponseWriter, r *http.Request, to any) bool {
	if r.Header.Get("Content-Type") != "application/json" {
		http.Error(w, "send application/json", http.StatusUnsupportedMediaType)
		return false
	}
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		refuse(w, fmt.Errorf("the request cannot be read: %w", err))
		return false
	}
	return true
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v) // an error is the browser's, which has gone
}

// refuse answers with a sentence that the page shows.
func refuse(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	json.NewEncoder(w).Encode(map[string]string{"error": err.Error()})
}
