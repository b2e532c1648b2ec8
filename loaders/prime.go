package loaders

// prime adds what was read for edited resolvers to the loader's cache.
func (r *run) prime() {
	for _, v := range r.expected {
		r.op.prune(nil, v)
		r.op.prime(v)
	}
}

// prime adds a value, and everything that was read below it, to the loader's cache.
func (op *Operation) prime(v *Value) {
	switch key, isRead := op.loadKey(v); {
	case v.abandoned:
		return
	case isRead && !op.cache.add(key, v):
		return // a value that is at several places
	}
	op.primeBelow(v)
}

// primeBelow adds everything that was read below a value to the loader's cache, for the resolvers there.
func (op *Operation) primeBelow(v *Value) {
	for _, element := range v.Elements {
		op.prime(element)
	}
	for _, o := range v.Objects {
		for _, below := range o.Values {
			if below != nil {
				op.prime(below)
			}
		}
	}
}
