package predicting

// SetBlockItems changes the most documents of a block that is placed, and returns what undoes it.
func SetBlockItems(n int) (undo func()) {
	was := blockItems
	blockItems = n
	return func() { blockItems = was }
}

// SetAsCounted says whether the counts of new texts stay as they were counted, and returns what
// undoes it.
func SetAsCounted(stay bool) (undo func()) {
	was := asCounted
	asCounted = stay
	return func() { asCounted = was }
}
