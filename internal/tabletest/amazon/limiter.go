package amazon

import "encoding/json"

// A Limiter has the limits of a table. Its methods may be called concurrently.
type Limiter struct {
	Limits  Limits
	tables  tables
	buckets buckets
	delays  delays
	filling filling
}

// NewLimiter returns a Limiter with full buckets.
func NewLimiter(l Limits) *Limiter {
	return &Limiter{
		Limits:  l,
		tables:  tables{byName: map[string]tableKeys{}},
		buckets: buckets{limits: l, byKey: map[bucketKey]*bucket{}},
		delays:  delays{by: l.IndexDelay, byKey: map[string]written{}},
		filling: filling{takes: l.Filling, byName: map[string]int{}},
	}
}

// A Request is one that has arrived.
type Request struct {
	limiter   *Limiter
	ask       Ask
	operation string
	text      []byte
	// write and read are what is limited of it, nil for other requests.
	write *writing
	read  *reading
}

// Begin begins a request: its units are taken. It returns the error that answers it, nil if it can be passed on.
func (l *Limiter) Begin(ask Ask, operation string, text []byte) (*Request, *Failure) {
	r := &Request{limiter: l, ask: ask, operation: operation, text: text}
	if l.Limits == (Limits{}) {
		return r, nil
	}
	if f := l.filling.failure(operation, text); f != nil {
		return r, f
	}
	if r.write = newWriting(&l.tables, ask, operation, text); r.write != nil {
		return r, r.write.begin(&l.buckets)
	}
	if r.read = newReading(&l.tables, ask, operation, text); r.read != nil {
		return r, r.read.begin(&l.buckets)
	}
	return r, nil
}

// End is called after a request that was carried out, and returns what answers it.
func (r *Request) End(answer []byte) []byte {
	l := r.limiter
	switch {
	case r.write != nil:
		r.write.end(r.ask, &l.buckets, &l.delays)
	case r.read != nil:
		return r.read.end(&l.buckets, &l.delays, answer)
	case r.operation == "DescribeTable":
		return l.filling.describe(answer)
	case r.operation == "UpdateTable", r.operation == "CreateTable", r.operation == "DeleteTable":
		l.tables.forget()
		l.filling.created(r.text)
	}
	return answer
}

// Learn asks for the keys of the tables of a batch, which Admit needs.
func (l *Limiter) Learn(ask Ask, operation string, text []byte) {
	if l.Limits == (Limits{}) || operation != "BatchGetItem" && operation != "BatchWriteItem" {
		return
	}
	for _, table := range tablesOfBatch(text) {
		l.tables.of(ask, table)
	}
}

// AdmitKey takes the units of a key of a BatchGetItem. It reports whether there are some.
func (l *Limiter) AdmitKey(table string, key json.RawMessage, isConsistent bool) bool {
	return l.buckets.admit(l.known(table).keyOfBatch(key, isConsistent)) == nil
}

// AdmitPut takes the units of a put or a deletion of a BatchWriteItem. It reports whether there are some.
func (l *Limiter) AdmitPut(table string, raw json.RawMessage) bool {
	return l.buckets.admit(l.known(table).putOfBatch(raw)) == nil
}

// known returns the keys of a table that Learn has asked for.
func (l *Limiter) known(table string) tableKeys {
	return l.tables.of(func(string, any, any) {}, table)
}
