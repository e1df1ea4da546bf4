// Package shares finds which share of the documents without a label belongs to each class.
//
// Known labels say it only if they are a random sample: who labels by hand tends to take as many
// documents of each class, and of a rare class more than its share. [Estimate] looks at the
// documents instead. Linear support vector machines learn the known labels, one class against the
// others, and score all documents; each labelled document is scored by machines that did not see
// its label (five folds). The scores of a class are taken as normally distributed, with a variance
// of each column that all classes have in common, and the shares of the classes among the
// documents without a label are found by maximum likelihood: the EM of Saerens, Latinne and
// Decaestecker 2002 ("Adjusting the outputs of a classifier to new a priori probabilities",
// Neural Computation 14, equation 2.9).
//
// The errors of the shares count what the documents leave open where classes overlap, and by how
// much the same search misses the shares of the labelled documents, which are known.
//
// A class of fewer than three labels keeps its share of the labels, since a mean of one held-out
// score says little. [Rule] says which shares a method takes.
package shares
