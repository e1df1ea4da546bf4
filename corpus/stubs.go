package corpus

func readMat(in *input) (*draft, error) { panic("stub") }
func readMtx(in *input) (*draft, error) { panic("stub") }
func readSVM(in *input) (*draft, error) { panic("stub") }
func readNPY(in *input) (*draft, error) { panic("stub") }
func readNPZ(in *input) (*draft, error) { panic("stub") }
func readCSV(in *input) (*draft, error) { panic("stub") }
func readIDX(in *input) (*draft, error) { panic("stub") }
func parsePair(b []byte) (int64, float64, bool, error) { panic("stub") }

var idxKinds [256]numKind
