package request

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/registry"
)

// Set sets an option of the run or of its method by name, from text: Set("neighbors", "10"). A list
// gets the items added. Whether the method has the option, and whether it can have an effect, is
// judged when the run begins.
//
// Errors (*Error, fs.ErrInvalid): a name that no option has, a value outside of the option's range.
func (o *Options) Set(name, value string) error { return fault.Wrap(o.put(name, value)) }

// put is Set for callers whose own error names the option.
func (o *Options) put(name, value string) error {
	if o.Method != "" { // listing the options of all methods takes a hundred times as long
		if taken, _ := accepted(Fields(o.Method, name), value); taken {
			o.set = append(o.set, setting{name, value})
			return nil
		}
	}
	fields := Fields("", name)
	if len(fields) == 0 {
		if i := slices.IndexFunc(Fields(""), func(f *option.Field) bool { return f.Short == name && name != "" }); i >= 0 {
			return invalid.Errorf("there is no option %q: -%s is short for %s", name, name, words.Option(Fields("")[i].Name))
		}
		return invalid.Errorf("there is no option %q%s", name, words.Nearest(name, everyName()))
	}
	taken, err := accepted(fields, value)
	if !taken {
		return invalid.Errorf("%s %q: %w", words.Option(name), value, err)
	}
	o.set = append(o.set, setting{name, value})
	return nil
}

// accepted reports whether any of the options, of several methods, accepts a value; err is the
// error of the last one that does not.
func accepted(fields []*option.Field, value string) (taken bool, err error) {
	for _, f := range fields {
		if err = f.Check(value); err == nil {
			return true, nil
		}
	}
	return false, err
}

// Fields lists the options of a method and the options that every run has, in the order of help.
// methodName "" lists the options of all methods. If names are given, only these are listed.
func Fields(methodName string, names ...string) []*option.Field {
	of := option.Of
	if len(names) > 0 {
		of = func(p any) []*option.Field { return option.Named(p, names) }
	}
	all := named(of(new(Options)))
	for _, s := range registry.Specs {
		if methodName != "" && s.Name != methodName {
			continue
		}
		all = append(all, of(s.New())...)
	}
	return all
}

// RunFields are the options of every run.
func RunFields(o *Options) []*option.Field { return named(option.Of(o)) }

// named puts in the names of formats and presets, and returns the list.
func named(list []*option.Field) []*option.Field {
	for _, f := range list {
		if len(f.Choices) == 1 {
			switch f.Choices[0] {
			case "FORMATS":
				f.Choices = corpus.Formats()
			case "PRESETS":
				f.Choices = corpus.ReutersPresets()
			}
		}
		var formats []string
		for _, name := range f.Formats {
			switch name {
			case "TEXT":
				formats = append(formats, corpus.TextFormats()...)
			case "TABLES":
				formats = append(formats, corpus.TableFormats()...)
			case "NETWORKS":
				formats = append(formats, corpus.NetworkFormats()...)
			default:
				formats = append(formats, name)
			}
		}
		f.Formats = formats
	}
	return list
}

func everyName() []string {
	var names []string
	for _, f := range Fields("") {
		if !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

// TakesFormat says whether an option can act on a file of the format; format "" is a matrix in
// memory. Options of tables act on numbers in Parquet and XML, and options of texts do not.
func TakesFormat(f *option.Field, format string) bool {
	if format == "" && f.Name == "missing" { // a matrix in memory may have NaN
		return true
	}
	if base, numbers := strings.CutSuffix(format, " (numbers)"); numbers {
		return f.Formats == nil || slices.Contains(f.Formats, base) && slices.Contains(f.Formats, "csv")
	}
	return f.Formats == nil || slices.Contains(f.Formats, format)
}

// OrInt returns v, or the standard value if v is 0.
func OrInt(v, standard int) int {
	if v == 0 {
		return standard
	}
	return v
}
