package eigenmap

import (
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/method"
)

// The methods of a clustering for which none was named. docs/which-method.md has the figures.
const (
	// DefaultMethod clusters without labels.
	DefaultMethod = request.DefaultMethod
	// DefaultMethodLabels learns from labels of a part of the documents where these do not choose a
	// method ([Choice]): the number of clusters is to be chosen too, with an option that
	// DefaultMethod does not take.
	DefaultMethodLabels = request.DefaultMethodLabels
	// DefaultMethodConstraints learns from must-links, and with two clusters from cannot-links.
	DefaultMethodConstraints = request.DefaultMethodConstraints
	// DefaultMethodApart keeps cannot-links with any number of clusters.
	DefaultMethodApart = request.DefaultMethodApart
	// DefaultMethodColumns clusters the rows of a table by its columns of numbers and of words
	// (Vectors.Views is columns alone).
	DefaultMethodColumns = request.DefaultMethodColumns
)

// Options are all choices of a run: its method, the number of clusters, the seed, the known labels,
// what of the file is read and how. The zero value of every field but Method is its default.
// docs/options.md lists them, and docs/api.txt the fields.
//
// Every option has one name, its tag `flag`: the command line's flags, configuration files and
// [Options.Set] use it. The options of the methods are not fields: they are set by name, or given
// whole in Config.
type Options = request.Options

// Source chooses what of a file is read, and how.
type Source = request.Source

// Text says what a term of raw text is.
type Text = request.Text

// Vectors are a vector for each document, by which the documents are compared.
type Vectors = request.Vectors

// KMeans are the options of the k-means on coordinates.
type KMeans = request.KMeans

// KRange is a range of numbers of clusters; Auto: from 2 on, the neighbour graph decides how far.
type KRange = option.Span

// Field describes one option: its name, kind, range, default and help.
type Field = option.Field

// Methods are the methods that Options.Method can name.
func Methods() []method.Spec { return request.Methods() }

// Fields lists the options of a method and the options that every run has, in the order of help.
// methodName "" lists the options of all methods. If names are given, only these are listed.
func Fields(methodName string, names ...string) []*Field {
	return request.Fields(methodName, names...)
}

// Takes says whether a method has a use for an option of every run: labels and constraints only if
// it learns from them, options of k-means only if that finds its clusters.
func Takes(s method.Spec, name string) bool { return request.Takes(s, name) }

// FileKey is the one key of a configuration that is not an option: the file to work on.
const FileKey = job.FileKey

// Setting is an option with the value that a run used.
type Setting = job.Setting

// Config is the settings by name.
func Config(list []Setting) map[string]any { return job.Config(list) }
