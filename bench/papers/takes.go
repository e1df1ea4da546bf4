package papers

// takes are the views that no run in docs/tables shows, with one thread's time for all of their
// draws. The times are estimates from the first draw of each, on one core of an AMD EPYC, or from
// tables of the same methods.
var takes = map[string]string{
	"lapgmm/readings-usps": "10 hours",
	"lapgmm/figure7-usps":  "20 minutes",
	"lapgmm/figure8-usps":  "20 minutes",
	"spg/figure1":          "40 minutes",
}

// withTimes adds the times of views that were not computed.
func withTimes(all []*View) []*View {
	for _, v := range all {
		v.Takes = takes[v.Name]
	}
	return all
}
