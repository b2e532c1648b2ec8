package loaders

// Read reads everything in a query that does not depend on Go code. It returns the root object.
func (op *Operation) Read() *Instance {
	r := op.newRun()
	r.fill(&op.root, nil, op.trace())
	r.all()
	op.prune(&op.root)
	r.prime()
	return &op.root
}

// all reads until nothing is left to read.
func (r *run) all() {
	for {
		if len(r.pending) == 0 {
			r.pending, r.deferred = r.deferred, nil
		}
		if len(r.pending) == 0 {
			return
		}
		var requests []plannedRequest
		requests, r.deferred = requestsOf(r.op.engine.design, r.pending, r.deferred)
		r.pending = nil
		r.op.exec.run(r.op.ctx, requests)
		for _, req := range requests {
			r.op.checked(req)
			r.readAgain(req)
		}
		r.advance()
	}
}

// readAgain registers Gets that their Query has not reached: for the next wave, or as deferred if they were.
func (r *run) readAgain(req plannedRequest) {
	for _, s := range req.gets {
		switch {
		case !s.again:
			s.deferred = false
			continue
		case s.deferred:
			r.deferred = append(r.deferred, s)
		default:
			r.pending = append(r.pending, s)
		}
		s.again, s.alone = false, true
	}
}
