package exact

import "math"

// piece writes the candidates of each row: their number, then the row and the score of each. rows
// are the numbers of the heaps' rows.
func (h *heaps) piece(rows []int) []byte {
	out := make([]byte, 0, len(rows)*(4+12*h.k))
	for r := range rows {
		out = h.appendRow(out, r, rows)
	}
	return out
}

// appendRow writes the candidates of row r.
func (h *heaps) appendRow(out []byte, r int, rows []int) []byte {
	count := int(h.count[r])
	out = le.AppendUint32(out, uint32(count))
	for c := range count {
		j := rows[h.index[r*h.k+c]]
		out = le.AppendUint32(out, uint32(j))
		out = le.AppendUint64(out, math.Float64bits(h.score[r*h.k+c]))
	}
	return out
}

// offerPiece offers the candidates of a piece to the heaps of its rows. It returns false if they do
// not fit.
func (h *heaps) offerPiece(rows []int, piece []byte) bool {
	n := h.rows()
	for _, i := range rows {
		if len(piece) < 4 {
			return false
		}
		count := int(le.Uint32(piece))
		if piece = piece[4:]; count > h.k || len(piece) < 12*count {
			return false
		}
		for range count {
			j := le.Uint32(piece)
			if int64(j) >= int64(n) || int(j) == i {
				return false
			}
			h.offer(i, int32(j), math.Float64frombits(le.Uint64(piece[4:])))
			piece = piece[12:]
		}
	}
	return len(piece) == 0
}
