// Package eigenmap clusters and embeds document corpora by the eigenvectors of graph Laplacians,
// and by the methods that they are compared with.
//
// The whole job of the command line is here for a Go program:
//
//	run, err := eigenmap.Cluster(ctx, "corpus.jsonl.gz", eigenmap.Options{
//		Method: "cle", Clusters: 12, LabeledFraction: .05, Seed: 1})
//	fmt.Println(run.Labels, run.Embedding, run.Scores)
//	err = run.Save("result")
//	placed, err := eigenmap.Predict(ctx, "result/model.npz", "new.jsonl.gz")
//
// [Embed] leaves the clustering out, [Graph] builds the affinity graph alone, and ClusterMatrix,
// EmbedMatrix and Model.PredictMatrix work on matrices in memory. Options of a method are set by
// name ([Options.Set]) or as its own struct (Options.Config); [Methods] lists the methods.
//
// # The way of the data
//
// A run goes read → weigh → (graph →) fit → cluster → score → files. This package has the functions
// and types that programs use, and nothing more: packages below internal decide what a request
// leaves open and do the steps, each in a package of its own (docs/architecture.md). Reading files
// is package corpus, the methods are packages below methods, each with a method.Spec, and a model's
// file is package model. Types that stand for one of those packages' are listed with their fields
// in docs/api.txt; go doc shows them by the name behind the equals sign.
//
// # What programs seldom need
//
// The command line adds locks, progress and JSON by functions of this package: [Prepare] with
// [Prepared], [OpenFolder], SaveIn, SaveResults, [Fields], [GraphFields], [Takes], the types whose
// names end in JSON, and the methods that return rows of text. They change with the command line.
// Programs use [Cluster], [Embed], [Graph], [Predict], [Evaluate] and Save.
//
// # Errors
//
// Every error is an *[Error]. errors.Is(err, fs.ErrInvalid) says that the request or the data are
// wrong. Beside an error of the work, a run returns what was finished.
package eigenmap
