package lars

import (
	"context"
	"math"
	"slices"
)

const (
	plain   = 1e-3  // squared distance of a column to the span of the active ones, over its squared length, from which a Gram matrix serves
	apart   = 1e-10 // of λ: events of a path that are closer might be one
	deepest = 1e-4  // of the first penalty: below, differences of Gram entries lose too many digits
	enough  = 0.97  // of the target's penalty: a reference that ends there still serves
	tries   = 3     // paths in a row that failed, before a response's are not tried any more
)

// gramPath follows one path at a time in Gram entries alone: with the correlations at the start, everything that happens follows from the products of active
// columns with those near the bound. It follows plain paths only, where columns enter and leave one by one, and says so where one is not.
type gramPath struct {
	c     *columns
	ridge float64
	g     *grams
	request
	y       []float64 // n
	watched []int32   // the columns that can enter, ascending
	margins *margins  // nil where no new reference is wanted

	factor  factor
	terms   []int32
	at      []int32   // places of terms in g
	b, s, d []float64 // coefficients, signs, direction
	first   []float64 // correlations of terms at the start

	lambda, speed, travelled float64 // speed is ‖X·d‖
	last                     float64
	high                     []float64 // as a follower's
	state                    []uint8
	seen                     []int32
	step                     int32
	// near are the free columns that can reach the bound as long as it is at least bound and travelled at most reach.
	near         []int32
	reach, bound float64

	looked    []candidate
	places    []int32 // of looked in g
	work      int
	vec, rest []float64
	r         []float64
}

// request is what a path is followed for, scaled: correlations[j·pitch] is x_jᵀy.
type request struct {
	correlations []float64
	pitch        int
	length       float64 // ‖y‖
	exp          int     // of its scaling
	target       Target
}

// event is what ends a step: a column enters (looked[index]), leaves (terms[index]), or the target is reached.
type event struct {
	gamma float64
	kind  int
	index int
}

const (
	enters = iota
	leaves
	ends
)

func newGramPath(c *columns, ridge float64) *gramPath {
	return &gramPath{c: c, ridge: ridge, high: make([]float64, c.p), state: make([]uint8, c.p), seen: make([]int32, c.p), vec: make([]float64, c.n), y: make([]float64, c.n)}
}

// solve returns the net at the target, scaled; ok is false where the path is not plain, or g outgrew its limit.
func (f *gramPath) solve(ctx context.Context, g *grams, limit int64, r request) (net Net, ok bool, err error) {
	f.g, f.request = g, r
	defer func() {
		switch {
		case ok:
			g.fails = 0
			g.served++
		case !g.short:
			g.fails++
		}
	}()
	next, sign, ok := f.begin()
	if !ok {
		return net, false, nil
	}
	if f.lambda <= f.target.Penalty {
		return Net{Penalty: f.target.Penalty}, true, nil
	}
	lowest, found := max(deepest*f.lambda, rounding*f.length*f.c.largest/apart), false
	for steps := 1; ; steps++ {
		if err := ctx.Err(); err != nil {
			return net, false, err
		}
		if f.margins != nil {
			f.margins.observe(f.lambda, f.travelled, f.residual)
		}
		if next < 0 && f.lambda <= f.target.Penalty || next >= 0 && f.target.Terms > 0 && len(f.terms) == f.target.Terms {
			if found || f.margins == nil {
				break
			}
			if net, found = f.net(); !found {
				return net, false, nil
			}
			f.target = f.target.beyond()
		}
		if next >= 0 && !f.enter(next, sign) {
			return net, found, nil
		}
		copy(f.d, f.s)
		f.factor.solve(f.d)
		f.speed = f.speedOf()
		if next >= 0 && f.d[len(f.d)-1]*sign <= 0 {
			return net, found, nil
		}
		e, plain, err := f.stride(ctx)
		if err != nil {
			return net, false, err
		}
		if g.short = f.lambda-e.gamma < g.end; g.short {
			if found && f.lambda <= enough*net.Penalty {
				break
			}
			return net, false, nil
		}
		if !plain || g.bytes > limit {
			return net, found, nil
		}
		if next, sign, ok = f.move(e); !ok || f.lambda < lowest && e.kind != ends || steps > 8*f.c.p {
			return net, found, nil
		}
		if steps%every == 0 {
			f.polish()
		}
	}
	if !found {
		net, ok = f.net()
		return net, ok, nil
	}
	g.refer(f.margins.least(f.c), f.lambda, f.y, f.exp)
	return net, true, nil
}

// residual is y − X·b.
func (f *gramPath) residual() []float64 {
	f.r = room(f.r, f.c.n)
	copy(f.r, f.y)
	for i, j := range f.terms {
		f.c.add(int(j), -f.b[i], f.r)
	}
	f.c.centre(f.r)
	return f.r
}

// begin sets the start of the path and returns the column that enters first.
func (f *gramPath) begin() (first int32, sign float64, ok bool) {
	f.factor.reset()
	f.terms, f.at, f.b, f.s, f.d, f.first = f.terms[:0], f.at[:0], f.b[:0], f.s[:0], f.d[:0], f.first[:0]
	f.lambda, f.travelled, f.last = 0, 0, 0
	f.reach, f.bound = -1, 0
	second := 0.0
	for _, j := range f.watched {
		v := math.Abs(f.correlation(j))
		f.state[j], f.high[j] = isFree, v
		if v > f.lambda {
			f.lambda, first, second = v, j, f.lambda
		} else {
			second = max(second, v)
		}
	}
	ok = second < f.lambda*(1-apart) && f.lambda > 1e-6*f.length*f.c.largest
	return first, math.Copysign(1, f.correlation(first)), ok
}

// correlation is x_jᵀy.
func (f *gramPath) correlation(j int32) float64 { return f.correlations[int(j)*f.pitch] }

// enter makes column j active, unless it is close to the span of the others.
func (f *gramPath) enter(j int32, sign float64) bool {
	if !f.suits(j) {
		return false
	}
	k, place := len(f.terms), f.g.know(j)
	f.work += f.g.extend(place, f.vec)
	f.rest = room(f.rest, k)
	for i, at := range f.at {
		f.rest[i] = f.g.rows[place][at]
	}
	f.factor.forward(f.rest)
	length := f.g.rows[place][place] + f.ridge
	rest := length - square(f.rest)
	if !(rest > plain*length) {
		return false
	}
	f.factor.push(f.rest, math.Sqrt(rest), math.Sqrt(rest/length))
	f.terms, f.at, f.b, f.s, f.d = append(f.terms, j), append(f.at, place), append(f.b, 0), append(f.s, sign), append(f.d, 0)
	f.first = append(f.first, f.correlation(j))
	f.state[j] = isActive
	return true
}

// suits tells that the products of column j lose few digits to centring.
func (f *gramPath) suits(j int32) bool {
	m, l := f.c.shift(int(j)), f.c.norm[j]
	return float64(f.c.n)*m*m <= 100*l*l
}

// speedOf is ‖X·d‖ = √dᵀ(s − λ₂d), rounded up.
func (f *gramPath) speedOf() float64 {
	sum := 0.0
	for i, d := range f.d {
		sum += d * (f.s[i] - f.ridge*d)
	}
	return math.Sqrt(max(0, sum)) * (1 + 1e-9)
}

// stride finds the next event as a follower does, and whether no other is close to it.
func (f *gramPath) stride(ctx context.Context) (best event, plain bool, err error) {
	f.step++
	f.looked, f.places = f.looked[:0], f.places[:0]
	best = event{gamma: f.lambda - f.target.Penalty, kind: ends}
	second := math.Inf(1)
	consider := func(e event) {
		if e.gamma < best.gamma {
			best, e = e, best
		}
		second = min(second, e.gamma)
	}
	for i := range f.terms {
		if b, d := f.s[i]*f.b[i], f.s[i]*f.d[i]; d < 0 {
			consider(event{gamma: max(0, b) / -d, kind: leaves, index: i})
		}
	}
	try := f.last
	if try == 0 {
		try = 0.02 * f.lambda
	}
	for {
		try = min(try, best.gamma)
		bound := (f.lambda - try) * (1 - 1e-9)
		reach := f.travelled + try*f.speed + 10*rounding*f.length
		if reach > f.reach || bound < f.bound {
			f.gather(try)
		}
		from := len(f.looked)
		for _, j := range f.near {
			if f.high[j]+f.c.norm[j]*reach < bound || f.state[j] != isFree || f.seen[j] == f.step {
				continue
			}
			if !f.suits(j) {
				return best, false, nil
			}
			f.seen[j] = f.step
			f.looked, f.places = append(f.looked, candidate{term: j, c: f.correlation(j)}), append(f.places, f.g.know(j))
		}
		f.multiply(from)
		if err := f.worked(ctx, len(f.near)); err != nil {
			return best, false, err
		}
		for i := from; i < len(f.looked); i++ {
			k := f.looked[i]
			for _, sign := range [2]float64{1, -1} {
				if slope := 1 - sign*k.a; slope > inward {
					consider(event{gamma: max(0, f.lambda-sign*k.c) / slope, kind: enters, index: i})
				}
			}
		}
		if try >= best.gamma {
			f.last = best.gamma
			return best, second-best.gamma > apart*f.lambda, nil
		}
		try *= 2
	}
}

// gather looks at the columns watched for those that can reach the bound within some steps of length try.
func (f *gramPath) gather(try float64) {
	ahead := 6 * try
	f.bound = (f.lambda - ahead) * (1 - 1e-9)
	f.reach = f.travelled + 1.2*ahead*f.speed + 10*rounding*f.length
	f.near = f.near[:0]
	for _, j := range f.watched {
		if f.high[j]+f.c.norm[j]*f.reach >= f.bound && f.state[j] == isFree {
			f.near = append(f.near, j)
		}
	}
}

// multiply sets correlation and slope of the columns looked at from the given one on. 4·k flops each.
func (f *gramPath) multiply(from int) {
	looked, places := f.looked[from:], f.places[from:]
	if len(looked) == 0 {
		return
	}
	for i, at := range f.at {
		f.work += f.g.extend(at, f.vec)
		row, b, d := f.g.rows[at], f.b[i], f.d[i]
		for t, place := range places {
			v := row[place]
			looked[t].c -= b * v
			looked[t].a += d * v
		}
	}
	f.work += len(f.at) * len(looked)
}

func (f *gramPath) worked(ctx context.Context, madds int) error {
	if f.work += madds; f.work < 1<<22 {
		return nil
	}
	f.work = 0
	return ctx.Err()
}

// move goes to the event and returns the column that enters there, or -1; ok is false where the one that leaves would come back at once.
func (f *gramPath) move(e event) (next int32, sign float64, ok bool) {
	for i, d := range f.d {
		f.b[i] += e.gamma * d
	}
	f.travelled += e.gamma * f.speed
	f.lambda -= e.gamma
	for _, k := range f.looked {
		f.high[k.term] = math.Abs(k.c-e.gamma*k.a) - f.c.norm[k.term]*f.travelled
	}
	switch e.kind {
	case enters:
		k := f.looked[e.index]
		return k.term, math.Copysign(1, k.c-e.gamma*k.a), true
	case leaves:
		return -1, 0, f.leave(e.index)
	}
	f.lambda = f.target.Penalty
	return -1, 0, true
}

// leave takes the column at place i out and tells whether its correlation falls behind the bound without it.
func (f *gramPath) leave(i int) bool {
	j, at, sign := f.terms[i], f.at[i], f.s[i]
	f.factor.remove(i)
	f.terms, f.at = slices.Delete(f.terms, i, i+1), slices.Delete(f.at, i, i+1)
	f.b, f.s, f.d, f.first = slices.Delete(f.b, i, i+1), slices.Delete(f.s, i, i+1), slices.Delete(f.d, i, i+1), slices.Delete(f.first, i, i+1)
	f.state[j] = isFree
	f.high[j] = f.lambda - f.c.norm[j]*f.travelled
	f.near = append(f.near, j)
	copy(f.d, f.s)
	f.factor.solve(f.d)
	slope := 1.0
	for k, l := range f.at {
		slope -= sign * f.d[k] * f.g.rows[l][at]
	}
	return slope < -1e-8
}

// polish moves b to where the active correlations are λ·s, but for rounding, and returns the length of that in units of the largest |b|.
func (f *gramPath) polish() float64 {
	f.rest = room(f.rest, len(f.terms))
	for i, at := range f.at {
		row, sum := f.g.rows[at], f.first[i]-f.ridge*f.b[i]-f.lambda*f.s[i]
		for k, l := range f.at {
			sum -= row[l] * f.b[k]
		}
		f.rest[i] = sum
	}
	f.factor.solve(f.rest)
	for i, v := range f.rest {
		f.b[i] += v
	}
	return largestOf(f.rest) / max(largestOf(f.b), math.SmallestNonzeroFloat64)
}

// net is the elastic net where the path stands, if rounding has not got the better of it.
func (f *gramPath) net() (n Net, ok bool) {
	f.polish()
	if !(f.polish() < 1e-12) {
		return n, false
	}
	n.Penalty = f.lambda
	for i, j := range f.terms {
		if !(f.s[i]*f.b[i] > 0) {
			return Net{}, false
		}
		n.Terms, n.Coefficients = append(n.Terms, j), append(n.Coefficients, f.b[i])
	}
	sortPairs(n.Terms, n.Coefficients)
	return n, true
}
