package resolvers_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/keys"
)

// raw returns a value that is encoded as the JSON text.
func raw(text string) any { return json.RawMessage(text) }

// hostile returns values that no field of an input accepts, and some that only a careless check accepts.
func hostile(ada, order string) []any {
	return []any{
		nil, "", " ", "#", "a#b", "\u0000", "a\u0000b", "\ufffd", "\u202eadA", "\u2066x\u2069", "\u200b", "\u00ad\ufeff",
		"\u0301", "\u2028",
		"a" + strings.Repeat("\u0301", 3000), strings.Repeat("x", 300_000), strings.Repeat("x", 1<<20), "\U0010ffff",
		"\ufffe",
		raw(`"\ud800"`), raw(`"\udfff\ud800"`), raw(`"a\u0000"`), "\xff",
		-1, 0, 1 << 31, -1<<31 - 1, 1 << 40, raw("-0"), raw("1e400"), raw("-1E999999"), raw("0.1"), 1.5,
		raw(strings.Repeat("9", 400)),
		"1", "NaN", "Infinity", raw("1.0"), raw("1e2"), true, []any{}, []any{nil}, []any{[]any{}}, map[string]any{},
		map[string]any{"a": 1},
		"USER#1", "Order", "PENDING", "NOPE", "__proto__", "${jndi:ldap://x}", "' OR 1=1 --", "<script>",
		"../../etc/passwd", "%00",
		ada, order, ada + "=", keys.NewID("User", "a#b").Encode(), keys.NewID("User", "").Encode(),
		keys.NewID("User", "a", "b").Encode(),
		keys.NewID("User", strings.Repeat("x", 3000)).Encode(), keys.NewID("User", "\u202e").Encode(),
		keys.NewID("Order", "x").Encode(),
		keys.NewID("Item", order, "1").Encode(), keys.NewID("Money", "1").Encode(), keys.NewID("", "1").Encode(),
		keys.NewID("User", "$").Encode(),
	}
}

// place is a field of a mutation's input, as the path to it.
type place struct {
	mutation string
	sound    input
	path     []any
}

func (p place) String() string {
	return fmt.Sprintf("%.20s %v", strings.TrimPrefix(p.mutation, "mutation"), p.path)
}

// places returns all fields of the inputs.
func places(mutations map[string]input) []place {
	var all []place
	for mutation, sound := range mutations {
		for field := range sound {
			all = append(all, place{mutation, sound, []any{field}})
		}
		if lines, has := sound["lines"]; has {
			all = append(all, place{mutation, sound, []any{"lines", 0}})
			for field := range lines.([]input)[0] {
				all = append(all, place{mutation, sound, []any{"lines", 0, field}})
			}
		}
	}
	slices.SortFunc(all, func(a, b place) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// set returns the input with another value, which may be nil.
func (in input) set(field string, value any) input {
	changed := maps.Clone(in)
	changed[field] = value
	return changed
}

// with returns the input with another value at the place.
func (p place) with(value any) input {
	in := maps.Clone(p.sound)
	field := p.path[0].(string)
	if len(p.path) == 1 {
		in[field] = value
		return in
	}
	lines := []any{}
	for _, line := range in[field].([]input) {
		lines = append(lines, line)
	}
	if len(p.path) == 2 {
		lines[0] = value
	} else {
		lines[0] = lines[0].(input).set(p.path[2].(string), value)
	}
	in[field] = lines
	return in
}

// messages returns the messages and codes of an answer's errors and user errors.
func messages(t *testing.T, a answer) (all []string) {
	t.Helper()
	check := func(message, code string) {
		if len(message) < 10 || code == "" || code == "INTERNAL_SERVER_ERROR" || code == "TIMEOUT" || code == "UNAVAILABLE" {
			t.Errorf("got %q with code %s", message, code)
		}
		if len(message) > 400 {
			t.Errorf("the message repeats what was sent: %.400q", message)
		}
		all = append(all, code+" "+message)
	}
	for _, e := range a.Errors {
		check(e.Message, e.Extensions.Code)
	}
	if payload, is := a.Data["m"].(map[string]any); is {
		for _, e := range payload["userErrors"].([]any) {
			check(fmt.Sprint(gatewaytest.At(t, e, "message")), fmt.Sprint(gatewaytest.At(t, e, "code")))
		}
	}
	return all
}

// TestHostileInput: for each value in each place, the answer has a message and nothing is written.
func TestHostileInput(t *testing.T) {
	s := startEmptyShop(t)
	ada := s.newUser(t, "ada")
	order := s.newOrder(t, ada, "k")
	before := texts(s.content(t))
	// Each has an error in another place, so that nothing is ever written.
	mutations := map[string]input{
		createUser:   {"name": "", "email": "?"},
		updateUser:   {"userId": noUser, "version": 9, "name": "", "email": "?"},
		followUser:   {"userId": ada, "followeeId": noUser},
		unfollowUser: {"userId": ada, "followeeId": noUser},
		placeOrder: {"userId": noUser, "idempotencyKey": "#", "currency": "?",
			"lines": []input{lines(1)[0].with("quantity", 0), lines(1)[0].with("price", -1)}},
		updateOrderStatus: {"orderId": noOrder, "version": 9, "status": "PENDING"},
		cancelOrder:       {"userId": noUser, "orderId": noOrder, "version": 9},
	}
	for _, p := range places(mutations) {
		for _, value := range hostile(ada, order) {
			a := s.ask(t, p.mutation, map[string]any{"input": p.with(value)})
			if len(messages(t, a)) == 0 {
				t.Errorf("%v = %.40q was taken", p, fmt.Sprint(value))
			}
		}
		without := p.with(nil)
		if len(p.path) == 1 {
			delete(without, p.path[0].(string))
		}
		if a := s.ask(t, p.mutation, map[string]any{"input": without}); len(messages(t, a)) == 0 {
			t.Errorf("%v is missing, and there is no error", p)
		}
		if a := s.ask(t, p.mutation, map[string]any{"input": p.sound.with("more", 1)}); len(messages(t, a)) == 0 {
			t.Errorf("%v: a field too many was taken", p)
		}
	}
	if diff := cmp.Diff(before, texts(s.content(t))); diff != "" {
		t.Errorf("something was written: %s", diff)
	}
	if log := s.log.Take(); strings.Contains(log, "level=ERROR") {
		t.Error(log)
	}
}

// TestHostileDocuments: the same for what only the text of a request can contain.
func TestHostileDocuments(t *testing.T) {
	s := startEmptyShop(t)
	ada := s.newUser(t, "ada")
	before := texts(s.content(t))
	const create = `{
		"query":"mutation($input: CreateUserInput!) { m: createUser(input: $input) { user { id } userErrors { message } } }",
		"variables":{"input":%s}}`
	many := func(n int) string {
		body, err := json.Marshal(map[string]any{"query": placeOrder,
			"variables": map[string]any{"input": order(ada, "many", n).with(actor, nil)}})
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	literal := func(arguments string) string {
		body, err := json.Marshal(map[string]any{"query": `mutation { m: ` + arguments + ` { userErrors { message } } }`})
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	for name, tt := range map[string]struct{ body, want string }{
		"a literal twice": {
			literal(`createUser(input: {name: "A", name: "B", email: "c@example.org"})`), "GRAPHQL_VALIDATION_FAILED",
		},
		"an argument twice": {
			literal(`createUser(input: {name: "A", email: "c@example.org"}, input: {name: "B", email: "c@example.org"})`),
			"GRAPHQL_VALIDATION_FAILED",
		},
		"a number for a text": {
			literal(`createUser(input: {name: 1, email: "c@example.org"})`), "GRAPHQL_VALIDATION_FAILED",
		},
		"not an Int":          {literal(`updateUser(input: {version: 2147483648, name: "A"})`), ""},
		"a huge literal":      {literal(`updateUser(input: {version: ` + strings.Repeat("9", 300) + `, name: "A"})`), ""},
		"a surrogate literal": {literal(`createUser(input: {name: "\ud800", email: "c@example.org"})`), ""},
		"97 lines":            {many(97), "an order must have 1 to 96 lines"},
		"10,000 lines":        {many(10_000), "an order must have 1 to 96 lines"},
		"not UTF-8":           {fmt.Sprintf(create, "{\"name\":\"\xff\",\"email\":\"c@example.org\"}"), ""},
		"a lone surrogate": {
			fmt.Sprintf(create, `{"name":"\ud800","email":"c@example.org"}`), "must have 1 to 100 characters",
		},
		"an object for a text": {
			fmt.Sprintf(create, `{"name":{"toString":"x"},"email":"c@example.org"}`), "must be a String",
		},
		"a list of inputs":    {fmt.Sprintf(create, `[{"name":"A","email":"?"}]`), ""},
		"a text for an input": {fmt.Sprintf(create, `"{}"`), ""},
		"no input":            {fmt.Sprintf(create, `null`), ""},
		"a deep input":        {fmt.Sprintf(create, strings.Repeat(`{"name":`, 9000)+`1`+strings.Repeat(`}`, 9000)), ""},
		"a body beyond 1 MB": {
			fmt.Sprintf(create, `{"name":"`+strings.Repeat("x", 2<<20)+`","email":"c@example.org"}`), "BAD_REQUEST",
		},
	} {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url, strings.NewReader(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header = s.acting(input{actor: ada}).header
			req.Header.Set("Content-Type", "application/json")
			resp, err := s.client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = resp.Body.Close() }()
			var a answer
			if err := json.NewDecoder(resp.Body).Decode(&a); err != nil || resp.StatusCode == http.StatusInternalServerError {
				t.Fatalf("status %d, %v", resp.StatusCode, err)
			}
			got := fmt.Sprint(a.Errors, a.Data)
			if len(a.Errors) == 0 && !strings.Contains(got, "message:") || !strings.Contains(got, tt.want) ||
				strings.Contains(got, "INTERNAL") {
				t.Errorf("got %.300s, want %q", got, tt.want)
			}
		})
	}
	if diff := cmp.Diff(before, texts(s.content(t))); diff != "" {
		t.Errorf("something was written: %s", diff)
	}
}
