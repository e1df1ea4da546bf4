// Package option reads and writes structs of options by name: flags, configuration files, JSON,
// help and documentation are all made from the tags of a struct's fields, so that a name, a range,
// a default and a line of help are written once.
//
// # Tags
//
// A field with the tag `flag` is an option. The other tags are:
//
//	flag     its name: "neighbors"
//	was      its name in the version before, which still sets it, with a note
//	short    its one-letter form: "k"
//	help     one line of help
//	range    what a number may be: ">=1", ">=0", ">0", "0<x<1", "0<x<=1", "0<=x<1"; for an
//	         [Amount] also "documents" and "most documents"
//	choices  the values of a string, or of each item of a list: "dot|binary|heat"
//	default  the value that the zero value of the field means, if that depends on nothing:
//	         "15"
//	sparse   the value that the zero value means for sparse data
//	dense    the same for dense data
//	unset    a phrase for help if the default depends on the data: "the number of classes"
//	when     conditions on other options without which this one has no effect, all of which must
//	         hold: "edge-weight=poly", "edge-weight=poly,heat; soft-labels!=hard",
//	         "edge-weight=poly | kernel=polynomial" (any of them), "pca | data=sparse" (it has
//	         a value, or the data are sparse)
//	formats  formats of files that it belongs to: "mat|npz"
//	span     of a whole number: the name of the field beside it, a [Span], that holds a range of
//	         which the run chooses; in a condition, any range has the value auto
//	orauto   of a number: the name of the bool beside it that the text auto sets in its place
//	path     "true" for the name of a file or folder, which must not be empty
//	group    heading under which help lists it: "graph"; "method" if there is none
//	switches a field of few values as switches: "drop-first=constant|drop-zeros=zeros"; its
//	         help then has as many parts, divided by "|"
//	auto     the value of such a field that may be taken if it is unset: "constant"; that switch
//	         set to false then forbids it
//
// A struct field without `flag` but with the tag `flags` is a nested struct: `flags:"*"` takes all
// of its options, `flags:"neighbors,epsilon"` the named ones, `flags:"*,-epsilon"` all but those.
// Its tag `group` is the heading of all of them, `defaults:"edge-weight=heat;neighbors=10"`
// replaces defaults, and `when` adds conditions to the options' own. Fields without either tag are
// not options; [Check] and [Default] still use their tags `range`, `choices` and `default`.
//
// # Zero values
//
// The zero value of a field is its default. If zero is a value of its own, the field is a pointer
// and nil is the default; this is the only way to say an explicit zero. A switch whose default is
// true is a *bool.
package option
