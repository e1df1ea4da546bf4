package eigenmap

import (
	"reflect"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/eigenmap/eigenmap/native/slepc"
)

// request is what a run was asked to do: its options with those set by name applied.
type request struct {
	Options
	command string          // "cluster", "embed" or another one, which runs no method
	spec    method.Spec     // of the method; the zero value for runs without one
	config  method.Options  // its options; nil without a method
	given   []string        // names of the options that were given
	renamed []*option.Field // of them, those given by the name of the version before
	// byDefault is why the method was chosen; "" if it was named.
	byDefault string
	// entrants are the methods that known labels choose from; nil if the method is settled.
	entrants []entrant
}

// entrant is a candidate in one run.
type entrant struct {
	candidate
	request *request // nil if the candidate does not take the run's options
	out     string   // why it is not compared; "" if it is
}

// become makes the run one of another method, and leaves what was settled about the documents.
func (r *request) become(of *request) {
	r.Method, r.spec, r.given, r.KMeans = of.Method, of.spec, of.given, of.KMeans
	r.config, r.entrants = option.Clone(of.config).(method.Options), nil
}

// newRequest applies the options that were set by name and refuses what the command or the method
// has no use for. own are further options, of a run without a method.
func newRequest(opt Options, command string, own ...any) (*request, error) {
	r := &request{Options: opt, command: command}
	r.Source.Classes, r.Source.Split = slices.Clone(opt.Source.Classes), slices.Clone(opt.Source.Split)
	r.Source.TextColumn = slices.Clone(opt.Source.TextColumn)
	if r.withMethod() {
		if err := r.chooseMethod(); err != nil {
			return nil, err
		}
	}
	fields := r.fields(own...)
	if err := r.setByName(fields); err != nil {
		return nil, err
	}
	if r.Source.EdgeList {
		if err := r.takeGraph(); err != nil {
			return nil, err
		}
	}
	for _, f := range option.Of(&r.Options) { // set as fields of the struct
		if !f.IsSet() || f.Name == "seed" || f.Name == "method" {
			continue
		}
		if !r.takes(f.Name) {
			return nil, r.noUse(fields, f.Name)
		}
		if !slices.Contains(r.given, f.Name) {
			r.given = append(r.given, f.Name)
		}
	}
	return r, r.checkOptions(fields)
}

// takeGraph makes the file the affinity of the documents, as ‹precomputed› does.
func (r *request) takeGraph() error {
	if !r.takes("precomputed") {
		return invalid.Errorf("the file is a graph, and the method %s needs documents with terms: choose another method", r.spec.Name)
	}
	r.Source.Precomputed = true
	return nil
}

// withMethod says whether the command runs a method.
func (r *request) withMethod() bool {
	return r.command == "cluster" || r.command == "embed" || r.command == "plan"
}

// setByName sets the options that were set by name.
func (r *request) setByName(fields []*option.Field) error {
	var on []*option.Field // switches
	for _, s := range r.set {
		f := option.Find(fields, s.name)
		if f == nil {
			if s.name == "method" {
				continue
			}
			if f = option.Former(fields, s.name); f != nil {
				r.renamed = append(r.renamed, f)
				s.name = f.Name
			}
		}
		if f == nil {
			return r.noUse(fields, s.name)
		}
		if err := f.Set(s.value); err != nil {
			if r.config != nil && f.Kind == option.Text {
				return invalid.Errorf("%s %s: with the method %s %w", words.Option(s.name), s.value, r.spec.Name, err)
			}
			return invalid.Errorf("%s %q: %w", words.Option(s.name), s.value, err)
		}
		on = slices.DeleteFunc(on, func(g *option.Field) bool { return g == f })
		if f.Kind == option.Switch && !strings.EqualFold(s.value, "true") {
			continue
		}
		r.given = append(r.given, s.name)
		if i := slices.IndexFunc(on, f.Excludes); i >= 0 {
			return invalid.Errorf("%s and %s exclude each other: give one of them", words.Option(on[i].Name), words.Option(f.Name))
		}
		if f.Kind == option.Switch {
			on = append(on, f)
		}
	}
	return nil
}

// noUse refuses an option that the command or the method does not take.
func (r *request) noUse(fields []*option.Field, name string) error {
	switch {
	case r.config == nil:
		return invalid.Errorf("%s has no effect here: leave it out", words.Option(name))
	case name == "precision":
		return invalid.Errorf("the method %s reads the documents in double precision: leave ‹precision› out, or choose one of %s", r.spec.Name, readSingles())
	case option.Find(fields, name) != nil:
		return invalid.Errorf("the method %s has %s of its own in place of the option of every run: set it by name, or in Config", r.spec.Name, words.Option(name))
	case r.command == "embed" && Takes(r.spec, name) && option.Find(runFields(&r.Options), name) != nil:
		return invalid.Errorf("%s has no effect on an embedding: leave it out", words.Option(name))
	}
	return invalid.Errorf("the method %s has no use for %s: leave it out", r.spec.Name, words.Option(name))
}

// readSingles lists the methods that read documents in single precision.
func readSingles() string {
	var names []string
	for _, s := range registry.Specs {
		if s.Single {
			names = append(names, s.Name)
		}
	}
	return strings.Join(names, ", ")
}

// inSingle says whether the documents are stored in single precision.
func (r *request) inSingle() bool { return r.Precision == "single" }

// chooseMethod looks the method up and makes its options.
func (r *request) chooseMethod() error {
	for _, s := range r.set {
		if s.name == "method" {
			r.Method = s.value
		}
	}
	if r.Method == "" && r.command != "embed" {
		r.chooseDefault()
	}
	if r.Method == "" {
		return invalid.Errorf("no method was chosen: give ‹method› with one of %s", strings.Join(registry.Names(), ", "))
	}
	spec, ok := registry.Find(r.Method)
	if !ok {
		return invalid.Errorf("there is no method %q%s: the methods are %s", r.Method, words.Nearest(r.Method, registry.Names()), strings.Join(registry.Names(), ", "))
	}
	if r.command == "embed" && !spec.Yields.Coordinates {
		return invalid.Errorf("the method %s makes no embedding: the methods that do are %s", spec.Name, embedders())
	}
	r.spec, r.config = spec, spec.New()
	if r.Config == nil {
		return nil
	}
	if v := reflect.ValueOf(r.Config); v.Type() != reflect.TypeOf(r.config) || v.IsNil() {
		return invalid.Errorf("the options of the method %s are a %T that is not nil, and Config is a %T: give the method's own", spec.Name, r.config, r.Config)
	}
	r.config = option.Clone(r.Config).(method.Options)
	return nil
}

// fields are the options in force.
func (r *request) fields(own ...any) []*option.Field {
	list := runFields(&r.Options)
	list = slices.DeleteFunc(list, func(f *option.Field) bool { return !r.takes(f.Name) })
	if r.config != nil {
		list = append(list, option.Of(r.config)...)
	}
	for _, p := range own {
		list = append(list, option.Of(p)...)
	}
	return list
}

// takes says whether the run has a use for an option of every run.
func (r *request) takes(name string) bool {
	if (r.command == "embed" || r.command == "graph") && slices.Contains([]string{"clusters", "k-by", "reject", "reject-share", "confidence", "restarts", "init", "kmeans-iter"}, name) {
		return false
	}
	if slices.Contains([]string{"map", "snippets", "levels", "time-column", "time-period"}, name) && r.command != "cluster" && r.command != "plan" {
		return false
	}
	if slices.Contains(vectorOptions, name) && !r.withMethod() && r.command != "graph" && r.command != "predict" {
		return false
	}
	if name == "duplicates" && !r.withMethod() && r.command != "graph" {
		return false
	}
	if r.config == nil {
		return name != "graph" && (name != "precision" || r.command == "graph")
	}
	return Takes(r.spec, name)
}

// Takes says whether a method has a use for an option of every run: labels and constraints only if
// it learns from them, options of k-means only if that finds its clusters.
func Takes(s method.Spec, name string) bool {
	switch name {
	case "labels", "labeled-fraction":
		return s.Needs.Labels != method.None
	case "constraints":
		return s.Needs.Links != method.None
	case "vectors", "vectors-column", "views":
		return !s.Needs.Counts
	case "paper": // the papers weigh counts in files by themselves, and texts by tf-idf
		return len(s.Paper) > 0 || !s.Needs.Counts
	case "precomputed", "graph":
		return s.Needs.Affinity
	case "restarts", "init", "kmeans-iter":
		return s.ThenKMeans()
	case "precision":
		return s.Single
	}
	return true
}

// checkOptions refuses options that contradict each other, as far as that can be seen before the
// data.
func (r *request) checkOptions(fields []*option.Field) error {
	if err := option.CheckFields(runFields(&r.Options)); err != nil {
		return err
	}
	if r.Reject > 0 && r.RejectShare > 0 {
		return invalid.Errorf("‹reject› and ‹reject-share› exclude each other: give one of them")
	}
	if r.MaxBytes < 0 {
		return invalid.Errorf("MaxBytes is %d: it must be at least 0 (0 for what the machine has free)", r.MaxBytes)
	}
	if err := r.checkLevels(); err != nil {
		return err
	}
	if err := r.checkVectors(); err != nil {
		return err
	}
	if r.config != nil {
		if err := r.checkGiven(); err != nil {
			return err
		}
	}
	if r.was("k-by") && r.ClusterRange.IsZero() {
		return invalid.Errorf("‹k-by› has no effect without ‹clusters› auto or a range such as 2-40: leave it out, or give one")
	}
	if err := r.checkRelevant(fields, option.Unknown); err != nil || r.config == nil {
		return err
	}
	err := r.config.Validate()
	if r.command == "plan" { // of a run by another build: nothing is solved here
		err = invalid.Without(err, slepc.ErrNotBuilt)
	}
	return err
}

// afterGraph are the groups of options without effect if the graph is given.
var afterGraph = []string{"graph", "kernel"}

// relevant says whether an option can have an effect; because is the reason if it cannot.
func (r *request) relevant(fields []*option.Field, f *option.Field, data option.Data) (ok bool, because string) {
	if r.Source.Precomputed && slices.Contains(afterGraph, f.Group) {
		return false, "precomputed!=true"
	}
	if r.Graph != "" && f.Name != "graph" && slices.Contains(afterGraph, f.Group) {
		return false, "graph="
	}
	return option.Relevant(fields, f, data)
}

// checkRelevant refuses options given that have no effect beside the others.
func (r *request) checkRelevant(fields []*option.Field, data option.Data) error {
	for _, name := range r.given {
		f := option.Find(fields, name)
		if f == nil {
			continue
		}
		if ok, because := r.relevant(fields, f, data); !ok {
			return invalid.Errorf("%s has no effect %s: leave it out", words.Option(name), contrary(fields, f, because, data))
		}
	}
	return nil
}

// contrary puts a condition of the option of that does not hold into words: "without ‹edge-weight›
// heat".
func contrary(fields []*option.Field, of *option.Field, condition string, data option.Data) string {
	if alternatives := present(fields, strings.Split(condition, "|")); len(alternatives) > 1 {
		var text, own string
		for _, c := range alternatives {
			if value, itself := strings.CutPrefix(strings.TrimSpace(c), of.Name+"="); itself {
				own = " unless it is " + value
				continue
			}
			if text != "" {
				text += " and "
			}
			text += contrary(fields, of, strings.TrimSpace(c), option.Unknown)
		}
		return text + own
	} else if len(alternatives) == 1 {
		condition = alternatives[0]
	}
	name, value, compared := strings.Cut(condition, "=")
	name, negated := strings.CutSuffix(strings.TrimSpace(name), "!")
	value = strings.ReplaceAll(strings.TrimSpace(value), ",", " or ")
	switch {
	case name == "precomputed":
		return "beside ‹precomputed›, because the graph is already there"
	case name == "graph":
		return "beside ‹graph›, because the graph is already there"
	case name == "data":
		return "on data that are not " + value
	case !compared, value == "true" && !negated, value == "false" && negated:
		return "without " + words.Option(name)
	case value == "", value == "true", value == "false":
		return "beside " + words.Option(name)
	case negated:
		return "beside " + words.Option(name) + " " + value
	}
	text := "without " + words.Option(name) + " " + value
	if f := option.Find(fields, name); f != nil && data != option.Unknown {
		if has, known := f.Current(data); known && has != "" {
			text += " (it is " + has + ")"
		}
	}
	return text
}

// present leaves out the alternatives that rest on options which the run does not have.
func present(fields []*option.Field, alternatives []string) []string {
	return slices.DeleteFunc(alternatives, func(c string) bool {
		name, _, _ := strings.Cut(c, "=")
		name = strings.TrimSuffix(strings.TrimSpace(name), "!")
		return name != "data" && name != "precomputed" && name != "graph" && option.Find(fields, name) == nil
	})
}

// was says whether an option was given.
func (r *request) was(name string) bool { return slices.Contains(r.given, name) }

// checkGiven refuses a request that gives the method too little or too much to learn from.
func (r *request) checkGiven() error {
	const labels = "‹labels› FILE or ‹labeled-fraction› 0.05"
	if err := r.givenTwice(); err != nil {
		return err
	}
	name, needs := r.spec.Name, r.spec.Needs
	withLabels := r.Labels != "" || r.LabeledFraction > 0 || r.Known != nil
	withLinks := r.Constraints != "" || r.Links != nil
	switch {
	case r.Labels != "" && r.LabeledFraction > 0:
		return invalid.Errorf("‹labels› and ‹labeled-fraction› are two ways to give labels: give one of them")
	case needs.Labels != method.Required, withLabels:
		if withLinks && needs.Labels == method.Required && !needs.Apart {
			return invalid.Errorf("‹constraints› and labels are two ways to say which documents belong together, and the method %s takes one: give one of them", name)
		}
	case needs.Links == method.None:
		return invalid.Errorf("the method %s learns from labels of a part of the documents: give %s", name, labels)
	case !withLinks:
		return invalid.Errorf("the method %s learns from labels of a part of the documents, or from constraints: give %s, or ‹constraints› FILE", name, labels)
	}
	return nil
}

// chooseDefault chooses the method of a clustering that has no labels to choose it by.
func (r *request) chooseDefault() {
	r.Method, r.byDefault = DefaultMethod, "no method was named"
	if r.Constraints != "" || r.Links != nil || slices.ContainsFunc(r.set, func(s setting) bool { return s.name == "constraints" }) {
		r.Method, r.byDefault = DefaultMethodConstraints, "no method was named, and constraints are given"
	}
}

// givenTwice refuses labels or constraints both in a file and in memory, and those that the method
// has no use for.
func (r *request) givenTwice() error {
	switch {
	case r.Known != nil && (r.Labels != "" || r.LabeledFraction > 0):
		return invalid.Errorf("labels are given in memory, and by ‹labels› or ‹labeled-fraction›: give them in one way")
	case r.Links != nil && r.Constraints != "":
		return invalid.Errorf("constraints are given in memory and by ‹constraints›: give them in one way")
	case r.Known != nil && !Takes(r.spec, "labels"):
		return invalid.Errorf("the method %s has no use for labels: leave them out", r.spec.Name)
	case r.Links != nil && !Takes(r.spec, "constraints"):
		return invalid.Errorf("the method %s has no use for constraints: leave them out", r.spec.Name)
	}
	return nil
}

// embedders names the methods that make an embedding.
func embedders() string {
	var names []string
	for _, s := range registry.Specs {
		if s.Yields.Coordinates {
			names = append(names, s.Name)
		}
	}
	return strings.Join(names, ", ")
}
