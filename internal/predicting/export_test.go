package predicting

// SetBlockItems changes the most documents of a block that is placed, and returns what undoes it.
func SetBlockItems(n int) (undo func()) {
	was := blockItems
	blockItems = n
	return func() { blockItems = was }
}
