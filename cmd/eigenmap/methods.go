package main

import (
	"context"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/spf13/cobra"
)

func (a *app) methodsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "methods [NAME]",
		Short: "What each method needs and gives; one in full",
		Long: `Methods lists the methods with what they need and what they give. With NAME it explains one: idea,
options, reference.`,
		Example: `  eigenmap methods
  eigenmap methods cle`,
		ValidArgsFunction: one(registry.Names),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.work(func(context.Context, *cobra.Command, []string) error { return a.listMethods() })(cmd, args)
			}
			return a.work(func(_ context.Context, cmd *cobra.Command, args []string) error { return a.explainMethod(args[0]) }, "NAME")(cmd, args)
		},
	}
}

// methodJSON is a method in `methods --json`.
type methodJSON struct {
	Name          string       `json:"name"`
	Summary       string       `json:"summary"`
	About         string       `json:"about"`
	Reference     string       `json:"reference"`
	Grows         string       `json:"grows_with"`
	Cost          string       `json:"cost"`
	Paper         string       `json:"paper,omitempty"` // settings of --paper
	Labels        string       `json:"labels"`          // "none", "optional" or "required"
	Constraints   string       `json:"constraints"`     // the same
	Counts        bool         `json:"term_counts"`
	Affinity      bool         `json:"precomputed"`
	Embeds        bool         `json:"embeds"`
	Probabilities bool         `json:"probabilities"`
	NewDocuments  bool         `json:"new_documents"`
	Closed        string       `json:"takes_no_new_documents,omitempty"`
	Confidence    string       `json:"confidence"` // definition of the confidence of a document's cluster
	Options       []optionJSON `json:"options"`
}

type optionJSON struct {
	Name    string   `json:"name"`
	Help    string   `json:"help"`
	Type    string   `json:"type"`
	Choices []string `json:"choices,omitempty"`
	Range   string   `json:"range,omitempty"`
	Default string   `json:"default,omitempty"`
	When    string   `json:"when,omitempty"`
}

func describe(s method.Spec) methodJSON {
	need := []string{"none", "optional", "required"}
	v := methodJSON{Name: s.Name, Summary: s.Summary, About: s.About, Reference: s.Reference, Grows: s.Grows, Cost: s.Cost, Paper: s.PaperText(), Labels: need[s.Needs.Labels],
		Constraints: need[s.Needs.Links], Counts: s.Needs.Counts, Affinity: s.Needs.Affinity, Embeds: s.Yields.Coordinates,
		Probabilities: s.Yields.Probabilities, NewDocuments: s.Placer != nil, Closed: s.Closed, Confidence: s.Confidence()}
	for _, f := range option.Of(s.New()) {
		standard := f.Default
		if f.Unset != "" {
			standard = f.Unset
		}
		v.Options = append(v.Options, optionJSON{f.Name, f.Help, kindText(f), f.Choices, f.Range, standard, f.When})
	}
	return v
}

// listMethods prints the table of methods.
func (a *app) listMethods() error {
	a.ui.stop()
	if a.own.JSON {
		list := []methodJSON{}
		for _, s := range eigenmap.Methods() {
			list = append(list, describe(s))
		}
		return a.printJSON(map[string]any{"methods": list})
	}
	const others = 50 // the width of the other columns
	rows := [][]string{{"method", "labels", "new", "time", "what it is"}}
	var narrow [][]string // where the columns leave no room for what a method is
	for _, s := range eigenmap.Methods() {
		labels := map[method.Need]string{method.None: "", method.Optional: "if given", method.Required: "needed"}[s.Needs.Labels]
		if s.Needs.Links == method.Required {
			labels += "*"
		}
		if a.width < 80 {
			text := s.Summary + "; time: " + s.Grows
			if labels != "" {
				text += "; labels: " + labels
			}
			if s.Placer != nil {
				text += "; new"
			}
			narrow = append(narrow, []string{s.Name, text})
			continue
		}
		lines := wrap(s.Summary, a.width-others)
		rows = append(rows, []string{s.Name, labels, yes(s.Placer != nil), s.Grows, lines[0]})
		for _, line := range lines[1:] {
			rows = append(rows, []string{"", "", "", "", line})
		}
	}
	if narrow != nil {
		a.wrapped(narrow)
	} else {
		a.table(rows)
	}
	a.printf("\n%s\n", a.folded("labels: of a part of the documents; * or constraints. new: its model places new documents. time: what "+
		"it grows with. Every method takes sparse and dense data. n: documents, entries: of the data that are "+
		"not zero, d: dimensions, q: the smaller of documents and terms. eigenmap methods NAME explains one."))
	return nil
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

// explainMethod prints one method in full.
func (a *app) explainMethod(name string) error {
	s, ok := find(name)
	if !ok {
		_, err := eigenmap.Prepare(eigenmap.Options{Method: name}, "cluster") // which says what is near
		return err
	}
	a.ui.stop()
	if a.own.JSON {
		return a.printJSON(describe(s))
	}
	a.printf("%s\n\n%s\n\n", a.folded(s.Name+": "+s.Summary), a.folded(s.About))
	rows := [][]string{{"reference", s.Reference}, {"cost", s.Cost}}
	if text := s.PaperText(); text != "" {
		rows = append(rows, []string{"--paper", text})
	}
	closed := "placed by the model"
	if s.Placer == nil {
		closed = "not placed: " + s.Closed
	}
	rows = append(rows, []string{"new documents", closed}, []string{"confidence", s.Confidence()})
	a.wrapped(rows)
	a.printf("\nOptions\n")
	a.printGroups(option.Of(s.New()))
	return nil
}
