package input

// Unread says in a sentence without its subject why a file in a folder of texts is not read, and
// what to do: "is a document with a password; save it without one".
type Unread string

// Error returns the sentence.
func (u Unread) Error() string { return string(u) }
