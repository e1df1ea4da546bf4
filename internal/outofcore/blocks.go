package outofcore

// The most items of a block of documents that are worked on together, and the most bytes of their
// texts.
const (
	BlockItems = 8192
	BlockBytes = 16 << 20
)

// Blocks joins the items of a stream to blocks: of so many items, or fewer once they have so many
// bytes. What the blocks hold depends on the items and these limits alone.
type Blocks[T any] struct {
	Items int
	Bytes int64
	Size  func(T) int64
	// Each gets every block; the slice is not used again.
	Each func([]T) error

	block []T
	bytes int64
}

// Add takes the next items.
func (b *Blocks[T]) Add(items []T) error {
	for _, item := range items {
		b.block = append(b.block, item)
		if b.bytes += b.Size(item); len(b.block) >= b.Items || b.bytes >= b.Bytes {
			if err := b.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Flush ends the last block.
func (b *Blocks[T]) Flush() error {
	block := b.block
	b.block, b.bytes = nil, 0
	if len(block) == 0 {
		return nil
	}
	return b.Each(block)
}
