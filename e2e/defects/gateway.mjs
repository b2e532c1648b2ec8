// Deliberate defects of the gateway. Each change replaces the one place where `find` is in a file; `caught` are tests,
// of the files in `tests`, that fail because of the defect.

const at = (file, find, replace) => ({ file, find, replace });

export const gatewayDefects = [
  {
    name: 'mutations without effect',
    changes: [at('write/send.go', 'it, err := send(ctx, t)', 'it, err := item.Item(nil), error(nil)')],
    tests: ['users', 'follows', 'orders'],
    caught: [
      'createUser stores the user, by id and by address',
      'followUser is seen from both users, with both counters',
      'placeOrder stores the order, its lines, its index entries, and counts it',
    ],
  },
  {
    name: 'a mutation without effect',
    changes: [
      at('write/act_run.go', 'tx, handled := x.compose()', 'tx, _ := x.compose()'),
      at(
        'write/act_run.go',
        'stored, failed, err := x.commit(ctx, tx, handled)',
        'stored, failed, err := item.Item(nil), (*Failure)(nil), error(nil)',
      ),
    ],
    tests: ['orders'],
    caught: [
      'cancelOrder changes the order wherever it is stored',
      'updateOrderStatus moves an order through its states, and not beyond',
    ],
  },
  {
    name: 'a copy that is not written',
    changes: [
      at(
        'write/changes.go',
        '} else if a := Change(old, it); a.writes() {',
        '} else if a := Change(old, it); false && a.writes() {',
      ),
    ],
    tests: ['orders'],
    caught: ['cancelOrder changes the order wherever it is stored'],
  },
  {
    name: 'a counter that does not count',
    changes: [
      at('write/change.go', 'a := Count(key, counter.Attribute, by)', 'a := Count(key, counter.Attribute, 0)'),
    ],
    tests: ['follows'],
    caught: ['followUser is seen from both users, with both counters', 'who follows already is counted once'],
  },
  {
    name: 'an idempotency key that is ignored',
    changes: [
      at(
        'resolvers/order_input.go',
        'claimed, err := claim.OrderKey(user, key)',
        'claimed, err := claim.OrderKey(user, key[:0]+order.ID.Value())',
      ),
    ],
    tests: ['orders'],
    caught: ['the same idempotency key is one order, one after the other and at the same time'],
  },
  {
    name: 'an idempotency key for another input',
    changes: [at('write/once.go', 'claim.Text(attributeInput) != a.Digest', 'a.Digest == ""')],
    tests: ['orders'],
    caught: ['an idempotency key belongs to one input and to one user'],
  },
  {
    name: 'a version that is not checked',
    changes: [
      at('write/mutate_change.go', 'err != nil || version != x.in.Version', 'err != nil'),
      at(
        'write/mutate_change.go',
        'conditions = append(conditions, IfEquals(x.t.Version, item.NumberValue(x.in.Version)))',
        'conditions = append(conditions, IfExists())',
      ),
    ],
    tests: ['users'],
    caught: ['updateUser of an outdated version is a conflict with the current user'],
  },
  {
    name: 'a version that is not checked by the write',
    changes: [
      at('write/act_errors.go', 'case s.holds(it):', 'case true:'),
      at('write/act_step.go', 'sentOf(s.t, s.comparisons())', 'sentOf(s.t, nil)'),
    ],
    tests: ['orders'],
    caught: ['cancelOrder of an outdated version is a conflict with the current order'],
  },
  {
    name: 'a unique value that is not claimed',
    changes: [at('write/claim.go', 'return PutItem(claim, IfMissing())', 'return PutItem(claim)')],
    tests: ['users'],
    caught: ['createUser with an address that is taken, in whatever case, stores nothing'],
  },
  {
    name: 'backward paging in the order of forward paging',
    changes: [
      at('internal/plan/reads.go', 'descending := c.Field.Descending != w.Backward', 'descending := c.Field.Descending'),
    ],
    tests: ['paging'],
    caught: ["a user's orders, newest first", 'who follows a user'],
  },
  {
    name: 'pages backwards that are not turned around',
    changes: [at('loaders/assemble.go', '\t\tslices.Reverse(p.Items)\n', '')],
    tests: ['paging'],
    caught: ["a user's orders, newest first", 'the lines of an order'],
  },
  {
    name: 'hasNextPage and hasPreviousPage exchanged',
    changes: [
      at(
        'loaders/assemble.go',
        'p.HasNextPage, p.HasPreviousPage = w.Cursor != nil, more',
        'p.HasPreviousPage, p.HasNextPage = w.Cursor != nil, more',
      ),
    ],
    tests: ['paging'],
    caught: ["a user's orders, newest first", 'a page of none says whether there are any'],
  },
  {
    name: 'hasNextPage at the end',
    changes: [at('loaders/assemble.go', 'more := n > w.Count', 'more := n >= w.Count')],
    tests: ['paging'],
    caught: ['whom a user follows'],
  },
  {
    name: 'a cursor of the item before',
    changes: [
      at(
        'internal/answer/object.go',
        `page.AppendCursor(append(w.out, '"'), index)`,
        `page.AppendCursor(append(w.out, '"'), max(index-1, 0))`,
      ),
    ],
    tests: ['paging'],
    caught: ["a user's orders, newest first"],
  },
  {
    name: 'an endCursor that leads back',
    changes: [at('loaders/page.go', 'return p.cursorOf(p.at(n - 1))', 'return p.cursorOf(p.at(n / 2))')],
    tests: ['paging'],
    caught: ["a user's orders, newest first", 'the orders with a product'],
  },
  {
    name: 'a wrong totalCount',
    changes: [
      at(
        'internal/answer/object.go',
        '\tw.out = appendInt(w.out, &v)\n\treturn true\n}',
        '\tv.Text = "1"\n\tw.out = appendInt(w.out, &v)\n\treturn true\n}',
      ),
    ],
    tests: ['paging'],
    caught: ['totalCount is that of the whole connection on each page'],
  },
  {
    name: 'a range of time that is ignored',
    changes: [at('keys/design/range.go', '; ok {\n\t\treturn c.between(', '; ok && f == nil {\n\t\treturn c.between(')],
    tests: ['ranges'],
    caught: ['both ends belong to the range', 'one end is enough'],
  },
  {
    name: 'a range of time without its end',
    changes: [
      at('keys/design/range.go', '\t\tcase c.Field.rest.more:\n', '\t\tcase c.Field == nil:\n'),
    ],
    tests: ['ranges'],
    caught: ['both ends belong to the range', 'a range of one moment has the orders of that moment'],
  },
  {
    name: 'a sharded list without its last shard',
    changes: [at('internal/plan/reads.go', 'for i := range c.Partitions {', 'for i := range max(1, len(c.Partitions)-1) {')],
    tests: ['shards'],
    caught: ['all orders that are PENDING, in order, in both directions'],
  },
  {
    name: 'a sharded list that is not in order',
    changes: [
      at(
        'loaders/assemble.go',
        'descending && sk >= least || !descending && sk < least',
        'descending && sk < least || !descending && sk > least',
      ),
    ],
    tests: ['shards'],
    caught: ['pages of all sizes over all partitions'],
  },
  {
    name: 'an origin that is not allowed although it is listed',
    changes: [
      at('internal/gateway/browser/origins.go', 'o.any || slices.Contains(o.list, origin) || o.loopback', 'o.any || o.loopback'),
    ],
    tests: ['cors'],
    caught: [
      'an allowed origin may send what clients send',
      'a page of an allowed origin reads, writes, and reads what it needs of the headers',
    ],
  },
  {
    name: 'an origin that is allowed although it is not listed',
    changes: [
      at(
        'internal/gateway/browser/guard.go',
        'if err := g.protection.Check(r); err != nil {',
        'if err := g.protection.Check(r); err != nil && r.Host == "" {',
      ),
    ],
    tests: ['cors'],
    caught: ['another origin is refused, and nothing is executed'],
  },
  {
    name: 'a development server that is not allowed',
    changes: [at('internal/gateway/browser/origins.go', 'o.loopback && isLoopbackOrigin(origin)', 'o.loopback && origin == ""')],
    tests: ['cors'],
    caught: ['pages of this machine may use the local engine'],
  },
  {
    name: 'headers that the preflight does not allow',
    changes: [at('internal/gateway/browser/cors.go', '"Accept", "Authorization", "Content-Type",', '"Accept", "Content-Type",')],
    tests: ['cors'],
    caught: ['an allowed origin may send what clients send'],
  },
  {
    name: 'CORS_HEADERS that is ignored',
    changes: [at('internal/gateway/browser/cors.go', 'slices.Concat(further, g.rules.CORSHeaders)', 'further')],
    tests: ['cors'],
    caught: ['a header is allowed if a setting has it'],
  },
  {
    name: 'a token that is not trusted, taken for none',
    changes: [at('internal/gateway/operation/authenticate.go', 'return r, authenticationError(r, err)', 'return r, nil')],
    tests: ['signin'],
    caught: ['a token that is expired is not trusted', 'a token that has another signature is not trusted'],
  },
  {
    name: 'a token without expiry',
    changes: [at('internal/gateway/auth/auth.go', 'jwt.WithExpirationRequired(), ', '')],
    tests: ['signin'],
    caught: ['a token that never expires is not trusted'],
  },
  {
    name: '401 without WWW-Authenticate',
    changes: [at('internal/gateway/response/response.go', 'w.Header().Set("WWW-Authenticate", err.Challenge)', '_ = err.Challenge')],
    tests: ['signin'],
    caught: ['a token that is garbage is not trusted'],
  },
  {
    name: 'FORBIDDEN that is not enforced',
    changes: [at('internal/plan/decision.go', 'case r.Owner == "" || known && owner != v.ID:', 'case r.Owner == "":')],
    tests: ['signin'],
    caught: ["another user's e-mail address and orders are forbidden, and the rest is answered"],
  },
  {
    name: 'a budget that is not enforced',
    changes: [at('internal/gateway/operation/budget.go', 'if wait == 0 {', 'if wait >= 0 {')],
    tests: ['budget'],
    caught: ['the budget is used up, and there again after Retry-After, with application/json'],
  },
  {
    name: '429 without Retry-After',
    changes: [at('internal/gateway/response/response.go', 'w.Header().Set("Retry-After", err.RetryAfter)', '_ = err.RetryAfter')],
    tests: ['budget'],
    caught: ['the budget is used up, and there again after Retry-After, with application/json'],
  },
  {
    name: 'a partial answer with the status of a whole one',
    changes: [at('internal/gateway/response/response.go', 'status = statusPartialSuccess', 'status = http.StatusOK')],
    tests: ['partial'],
    caught: ['data and errors with Accept: application/graphql-response+json'],
  },
  {
    name: 'status 294 for clients that do not know it',
    changes: [at('internal/gateway/response/response.go', 'if len(r.Errors) > 0 && r.Media == mediaGraphQL {', 'if len(r.Errors) > 0 {')],
    tests: ['partial'],
    caught: ['data and errors with Accept: application/json'],
  },
  {
    name: 'status 422 for clients that read no body with it',
    changes: [at('internal/gateway/jsonstatus.go', 'if isOK || err.Lenient', 'if isOK && accept == nil || err.Lenient')],
    tests: ['partial'],
    caught: ['a document that is not valid has no data, and the status that the client can handle'],
  },
];
