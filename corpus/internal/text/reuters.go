package text

import (
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

// ReutersOptions chooses documents of Reuters-21578 (Lewis' distribution in SGML). The zero value
// keeps all 21,578 of them. ReadOptions.Split chooses among the parts TRAIN, TEST and NOT-USED (the
// attribute LEWISSPLIT).
type ReutersOptions struct {
	// Preset is the default of the empty fields here and of ReadOptions.Split:
	//
	//	single-topic     train and test, TOPICS="YES", exactly one topic, non-empty body:
	//	                 the 8,293 documents of 65 topics in Cai's Reuters21578.mat
	//	                 (5,946 + 2,347; nothing is de-duplicated)
	//	ten-topics       train and test, TOPICS="YES", exactly one of the ten largest topics
	//	                 (others do not count), non-empty body: 7,464 documents, of which
	//	                 wheat has one and corn none
	//	ten-topics-each  the same, but a document is repeated for each of its topics among
	//	                 the ten: the class sizes of table III in Liu et al. (2014), 3753
	//	                 earn to 207 corn
	Preset string `json:"preset,omitempty"`
	// Marked is the attribute TOPICS that a document must have: "yes", "no", "bypass" or "any"
	// (default).
	Marked string `json:"marked,omitempty"`
	// Topics says how many topics a document must have: "any" (default), "one", "some" (one or
	// more), or "each" (one or more, and the document is repeated for each, with #topic after its
	// id). The class of a document is its topic; a document of several topics has no class, except
	// with "each".
	Topics string `json:"topics,omitempty"`
	// TopicList are the topics that count; a document's others are ignored. Empty: all. "all"
	// removes the list of a preset.
	TopicList []string `json:"topic_list,omitempty"`
	// Body "filled" leaves out documents without BODY (headlines and unprocessed wires); default
	// "any".
	Body string `json:"body,omitempty"`
	// Text is what is counted: "title+body" (default, as in the papers), "title" or "body". A
	// document with neither is counted whole.
	Text string `json:"text,omitempty"`
}

// tenTopics are the ten topics with the most documents.
var tenTopics = []string{"earn", "acq", "money-fx", "grain", "crude", "trade", "interest", "ship", "wheat", "corn"}

var reutersSplits = []string{"train", "test", "not-used"}

// reutersPresets holds the presets and the parts that they read.
var reutersPresets = map[string]struct {
	ReutersOptions
	split []string
}{
	"single-topic":    {ReutersOptions{Marked: "yes", Topics: "one", Body: "filled"}, []string{"train", "test"}},
	"ten-topics":      {ReutersOptions{Marked: "yes", Topics: "one", Body: "filled", TopicList: tenTopics}, []string{"train", "test"}},
	"ten-topics-each": {ReutersOptions{Marked: "yes", Topics: "each", Body: "filled", TopicList: tenTopics}, []string{"train", "test"}},
}

// ReutersPresets returns the names that ReutersOptions.Preset may have.
func ReutersPresets() []string {
	var names []string
	for name := range reutersPresets {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Validate lists every violation; such an error satisfies errors.Is(err, fs.ErrInvalid).
func (o ReutersOptions) Validate() error {
	var errs []error
	oneOf := func(what, value string, allowed ...string) {
		if value != "" && !slices.Contains(allowed, value) {
			errs = append(errs, invalid.Errorf("%s %q of Reuters is unknown; use one of %s", what, message.Clip(value, 40), strings.Join(allowed, ", ")))
		}
	}
	oneOf("preset", o.Preset, ReutersPresets()...)
	oneOf("marked", o.Marked, "any", "yes", "no", "bypass")
	oneOf("topics", o.Topics, "any", "one", "some", "each")
	oneOf("body", o.Body, "any", "filled")
	oneOf("text", o.Text, "title+body", "title", "body")
	return invalid.Join(errs...)
}

// withPreset fills in empty fields from the preset and then from the defaults.
func (o ReutersOptions) withPreset(split []string) (ReutersOptions, []string) {
	p := reutersPresets[o.Preset]
	fill := func(field *string, preset, fallback string) {
		if *field == "" {
			*field = preset
		}
		if *field == "" {
			*field = fallback
		}
	}
	fill(&o.Marked, p.Marked, "any")
	fill(&o.Topics, p.Topics, "any")
	fill(&o.Body, p.Body, "any")
	fill(&o.Text, "", "title+body")
	if len(o.TopicList) == 0 {
		o.TopicList = p.TopicList
	} else if slices.Equal(o.TopicList, []string{"all"}) {
		o.TopicList = nil
	}
	if len(split) == 0 {
		split = p.split
	}
	return o, split
}

// reutersRule decides which documents are read. The workers share it.
type reutersRule struct {
	ReutersOptions
	split []string
	dec   charset.Decoder
	seen  []atomic.Bool // by topic of the list: whether a document has it, chosen or not
}

// unseen returns the topics of the list that no document has.
func (r *reutersRule) unseen() []string {
	var out []string
	for i, t := range r.TopicList {
		if !r.seen[i].Load() {
			out = append(out, strconv.Quote(message.Clip(t, 40)))
		}
	}
	return out
}

// choose makes the document of a record, with its class, or sets skip.
func (r *reutersRule) choose(rec *reutersRecord) counting.Document {
	split := strings.ToLower(rec.split)
	// A substring keeps the whole text in memory, so the id is cloned.
	d := counting.Document{ID: strings.Clone(rec.id), HasID: rec.id != "", Line: rec.line, Skip: true, Plain: true}
	if split != "" && d.HasID {
		d.ID = split + "/" + d.ID
	}
	switch {
	case len(r.split) > 0 && !slices.Contains(r.split, split),
		r.Marked != "any" && !strings.EqualFold(r.Marked, rec.marked),
		r.Body == "filled" && blankText(rec.body):
		return d
	}
	var topics []string
	// A document that names its topic twice does not count as one topic; the 8,293 follow this
	// rule.
	entries := 0
	for _, t := range rec.topics {
		if at := slices.Index(r.TopicList, t); at >= 0 {
			r.seen[at].Store(true)
		} else if len(r.TopicList) > 0 {
			continue
		}
		entries++
		if !slices.Contains(topics, t) {
			topics = append(topics, t)
		}
	}
	if r.Topics == "one" && entries != 1 || (r.Topics == "some" || r.Topics == "each") && len(topics) == 0 {
		return d
	}
	d.Skip = false
	switch {
	case len(topics) == 1:
		d.Label = topics[0]
	case r.Topics == "each":
		d.Label, d.Also = topics[0], topics[1:]
	}
	d.HasLabel = d.Label != ""
	switch {
	case rec.title == "" && rec.body == "":
		d.Text = rec.text
	case r.Text == "title":
		d.Text = rec.title
	case r.Text == "body":
		d.Text = rec.body
	default:
		d.Text = rec.title + "\n" + rec.body
	}
	return d
}

// blankText reports whether a text has only blanks and control characters; most bodies end in one.
func blankText(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > ' ' && r != 0x7f && r != 0xa0 })
}
