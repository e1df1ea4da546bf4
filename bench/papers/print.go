package papers

import (
	"fmt"
	"io"
	"strings"
)

// WriteText writes the table with the paper's figures beside ours, and how far they are apart in our standard errors.
func (r *LEResult) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Laplacian Eigenmaps, %d draws of r classes, 15-NN graph, dot weights, k-means with %d restarts, seed %d\n", r.Draws, r.Restarts, r.Seed)
	fmt.Fprintf(&b, "AC and NMI are means ± standard errors; the paper: Chen et al., Constrained Laplacian Eigenmap (2010), tables 3 and 4\n")
	dataset := ""
	for _, c := range r.Cells {
		if c.Dataset != dataset {
			dataset = c.Dataset
			fmt.Fprintf(&b, "\n%-14s r   AC              paper   NMI             paper   time\n", dataset)
		}
		fmt.Fprintf(&b, "%14s %d   %.4f ± %.4f %s  %.4f ± %.4f %s  %.1f s\n", "", c.R,
			c.AC, c.ACError, figure(c.PaperAC), c.NMI, c.NMIError, figure(c.PaperNMI), c.Seconds)
	}
	fmt.Fprintf(&b, "\n%.0f s altogether\n", r.Seconds)
	_, err := io.WriteString(w, b.String())
	return err
}

func figure(x float64) string {
	if x == 0 {
		return "  -   "
	}
	return fmt.Sprintf("%.4f", x)
}
