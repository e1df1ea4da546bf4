// Package method is the contract between a method and everything that runs it.
//
// A method is one value, a [Spec], in its own package. It says what the method needs and yields,
// makes its [Options], and reads back what its models keep for new documents. The command line, the
// papers' tables, the C and Python interfaces and Go programs run methods through this contract and
// nothing else; flags, configuration files, JSON, help and documentation are made from the tags of
// the options (package option).
//
// A new method is one package with a Spec, one line in package registry and one page of
// documentation. methodtest.Check is the suite that every Spec passes.
//
// # Names of options in messages
//
// Errors and notes name an option as ‹neighbors›: the option's name between the marks that
// words.Option makes. words.Rename replaces the marked names in a text: the command line by flags,
// a Go program's interface by the bare names. No message of a method names a flag of the command
// line.
package method
