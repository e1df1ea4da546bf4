package request

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/registry"
)

// CompareOptions say what is compared.
type CompareOptions struct {
	// Methods are the names of the methods.
	Methods []string `flag:"methods" help:"methods to compare, such as le,nmf,plsa" group:"method"`
	// Seeds is the number of runs of each method, with the seeds Options.Seed, Options.Seed + 1,
	// ...
	Seeds int `flag:"seeds" range:">=1" default:"5" help:"runs of each method, with as many seeds from --seed on" group:"method"`
	// Settings are options of single methods: "le.neighbors=8".
	Settings []string `flag:"set" help:"options of single methods, such as le.neighbors=8,nmf.dims=20" group:"method"`
}

// ForMethods checks the requests of all methods before anything is read.
func ForMethods(opt Options, c *CompareOptions) ([]*Request, error) {
	if err := option.Check(c); err != nil {
		return nil, err
	}
	c.Seeds = OrInt(c.Seeds, 5)
	if len(c.Methods) == 0 {
		return nil, invalid.Errorf("no methods were named: give ‹methods› with some of %s", strings.Join(registry.Names(), ", "))
	}
	own, err := ownSettings(c)
	if err != nil {
		return nil, err
	}
	if drops := func(s setting) bool { return s.name == "duplicates" && s.value == DuplicatesDrop }; opt.Duplicates == DuplicatesDrop || slices.ContainsFunc(opt.set, drops) {
		return nil, invalid.Errorf("‹duplicates› drop leaves other documents out where a method weighs them otherwise, so its runs cannot be compared: give once or keep")
	}
	used := make([]bool, len(opt.set))
	requests := make([]*Request, len(c.Methods))
	for i, name := range c.Methods {
		if slices.Contains(c.Methods[:i], name) {
			return nil, invalid.Errorf("‹methods› names %s twice", name)
		}
		spec, ok := registry.Find(name)
		if !ok {
			return nil, invalid.Errorf("there is no method %q%s: the methods are %s", name, words.Nearest(name, registry.Names()), strings.Join(registry.Names(), ", "))
		}
		o := opt
		o.Method, o.set = name, nil
		for j, s := range opt.set {
			if len(Fields(name, s.name)) > 0 && (Takes(spec, s.name) || option.Find(option.Of(spec.New()), s.name) != nil || s.name == "precision") { // one corpus for all: refused if a method does not take it
				o.set, used[j] = append(o.set, s), true
			}
		}
		for _, s := range own[name] {
			if err := o.put(s.name, s.value); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		r, err := New(o, "cluster")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		requests[i] = r
	}
	for j, s := range opt.set {
		if !used[j] {
			return nil, invalid.Errorf("none of the methods %s has a use for %s: leave it out", strings.Join(c.Methods, ", "), words.Option(s.name))
		}
	}
	return requests, nil
}

// ownSettings are the options of single methods, by method.
func ownSettings(c *CompareOptions) (map[string][]setting, error) {
	own := map[string][]setting{}
	for _, text := range c.Settings {
		key, value, ok := strings.Cut(text, "=")
		name, of, dotted := strings.Cut(key, ".")
		switch {
		case !ok || !dotted || of == "":
			return nil, invalid.Errorf("‹set› %q: write METHOD.OPTION=VALUE, such as le.neighbors=8", text)
		case !slices.Contains(c.Methods, name):
			return nil, invalid.Errorf("‹set› %q: the method %s is not compared; the methods are %s", text, name, strings.Join(c.Methods, ", "))
		case of == "seed", of == "method":
			return nil, invalid.Errorf("‹set› %q: the comparison sets the %s of every run: leave it out", text, of)
		}
		own[name] = append(own[name], setting{of, value})
	}
	return own, nil
}
