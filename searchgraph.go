package eigenmap

import (
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/internal/choosing"
	"github.com/eigenmap/eigenmap/internal/words"
)

// others says what the runners-up would give, without a full stop; "" if that is not known.
func others(s *choosing.Search) string {
	var list []string
	for _, c := range s.Candidates {
		if c.K != s.Clusters {
			list = append(list, fmt.Sprintf("%d: %s to %s, modularity %.3f, NMI %.2f with %d", c.K, words.Thousands(c.Smallest), words.Counted(c.Largest, "document"), c.Modularity, c.Agreement, s.Clusters))
		}
	}
	return strings.Join(list, "; ")
}
