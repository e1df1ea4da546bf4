package plain

import (
	"github.com/yuin/goldmark/ast"
	struck "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// strikes reads the strikes of GitHub, ~~words~~, and writes them as HTML. The extension of the
// library does the same, but comes with others, whose tables and expressions are made before main.
type strikes struct{}

// IsDelimiter reports whether a byte is a mark.
func (strikes) IsDelimiter(b byte) bool { return b == '~' }

// CanOpenCloser reports whether two marks belong together.
func (strikes) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch is the node of the words between two marks.
func (strikes) OnMatch(int) ast.Node { return struck.NewStrikethrough() }

// Trigger is the first byte of a mark.
func (strikes) Trigger() []byte { return []byte{'~'} }

// Parse reads a mark of one or two signs.
func (s strikes) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	mark := parser.ScanDelimiter(line, before, 1, s)
	if mark == nil || mark.OriginalLength > 2 || before == '~' {
		return nil
	}
	mark.Segment = segment.WithStop(segment.Start + mark.OriginalLength)
	block.Advance(mark.OriginalLength)
	pc.PushDelimiter(mark)
	return mark
}

// RegisterFuncs registers what writes a node.
func (strikes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(struck.KindStrikethrough, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		tag := "</del>"
		if entering {
			tag = "<del>"
		}
		_, err := w.WriteString(tag)
		return ast.WalkContinue, err
	})
}
