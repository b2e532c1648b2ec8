package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/keys"
)

// hostile returns values that no argument accepts, or that only a careless gateway would accept.
func hostile() []any {
	raw := func(text string) any { return json.RawMessage(text) }
	id := func(typ string, values ...string) any { return keys.NewID(typ, values...).Encode() }
	object := func(properties ...string) any {
		o := map[string]any{}
		for i := 0; i < len(properties); i += 2 {
			o[properties[i]] = properties[i+1]
		}
		return o
	}
	return []any{
		nil, "", " ", "#", "a#b", "\u0000", "a\u0000b", "\u202eadA", "\u200b",
		"a" + strings.Repeat("\u0301", 3000), strings.Repeat("x", 300_000), "\ufffe",
		raw(`"\ud800"`), raw(`"\udfff\ud800"`), "\xff",
		-1, 0, 1 << 31, -1<<31 - 1, 1 << 40,
		raw("-0"), raw("1e400"), raw("-1E999999"), raw("0.1"), raw(strings.Repeat("9", 400)),
		"1", "NaN", raw("1.0"), true, []any{}, []any{nil}, []any{[]any{}},
		object(), map[string]any{"a": 1}, object("from", "x"),
		object("from", "2026-02-01T00:00:00Z", "to", "2026-01-01T00:00:00Z"),
		object("from", "0000-01-01T00:00:00Z", "to", "9999-12-31T23:59:59Z"),
		"NOPE", "__proto__", "${jndi:ldap://x}", "' OR 1=1 --", "../../etc/passwd", "2026-02-30", "2026-13-01T00:00:00Z",
		testservice.Reader(1).Encode() + "=",
		id("Reader", "a#b"), id("Reader", ""), id("Reader", "a", "b"), id("Reader", strings.Repeat("x", 3000)),
		id("Reader", "\u202e"), id("Money", "1"), id("", "1"),
		id("Reminder", "l004", "-1"), id("Event", "c1", "yesterday", "1"),
	}
}

// argument is an argument of a field, and an operation that passes it as the variable $value.
type argument struct{ name, query string }

// arguments returns the arguments of all fields of Query, Mutation and the objects that a root field returns. In each
// operation, the other required arguments have valid values.
func arguments(t *testing.T) []argument {
	t.Helper()
	schema := testservice.Executable().Schema()
	valid := map[string]string{
		"id": `"Reader:r001"`, "ids": `["Reader:r001"]`, "card": `"C-0001"`, "isbn": `"978-0001"`,
		"state": "LENT", "batch": `"ROUND-1"`,
		"bookId": `"Book:b001"`, "readerId": `"Reader:r001"`, "day": `"2026-01-31"`, "first": "1",
		"at": `{from: "2026-01-01T00:00:00Z", to: "2026-01-31T00:00:00Z"}`,
	}
	objects := map[string]string{
		"Query": "query($value: %s) { %s }", "Mutation": "mutation($value: %s) { %s }",
		"Reader": `query($value: %s) { reader(id: "Reader:r001") { %s } }`,
		"Book":   `query($value: %s) { book(id: "Book:b001") { %s } }`,
		"Loan":   `query($value: %s) { loan(id: "Loan:l004") { %s } }`,
		"Branch": `query($value: %s) { branch(id: "Branch:c1") { %s } }`,
	}
	var all []argument
	for object, document := range objects {
		for _, f := range schema.Types[object].Fields {
			selection := ""
			if schema.Types[f.Type.Name()].IsCompositeType() {
				selection = " { __typename }"
			}
			for _, a := range f.Arguments {
				given := a.Name + ": $value"
				for _, other := range f.Arguments {
					isPage := other.Name == "first" && !slices.Contains([]string{"first", "after", "last", "before"}, a.Name)
					if other != a && (other.Type.NonNull || isPage) {
						given += ", " + other.Name + ": " + valid[other.Name]
					}
				}
				field := fmt.Sprintf("%s(%s)%s", f.Name, given, selection)
				query := testservice.Encoded(fmt.Sprintf(document, a.Type, field))
				all = append(all, argument{object + "." + f.Name + "." + a.Name, query})
			}
		}
	}
	return all
}

// TestHostileArguments: each argument of the schema gets each hostile value. The answer is never an internal
// error, no message repeats what was sent, and no mutation is carried out.
func TestHostileArguments(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	s.Proxy.Reset()
	for _, a := range arguments(t) {
		for _, value := range hostile() {
			answer := s.Ask(t, a.query, map[string]any{"value": value})
			if answer.Status == http.StatusInternalServerError {
				t.Fatalf("%s = %.40q: status %d", a.name, fmt.Sprint(value), answer.Status)
			}
			for _, e := range answer.Errors {
				switch code := e.Extensions.Code; {
				case code == "GRAPHQL_VALIDATION_FAILED":
					t.Fatalf("%s: the operation of this test is not valid: %s", a.name, e.Message)
				case len(e.Message) < 10, len(e.Message) > 400,
					code == "", code == "INTERNAL_SERVER_ERROR", code == "TIMEOUT":
					t.Errorf("%s = %.40q: %s %.400q", a.name, fmt.Sprint(value), code, e.Message)
				}
			}
		}
	}
	if n := s.Proxy.Counts().Writes; n != 0 {
		t.Errorf("%d transactions were carried out", n)
	}
	if log := s.Log.Take(); strings.Contains(log, "level=ERROR") {
		t.Errorf("the log has errors: %.1000s", log)
	}
}

// TestHostileInputFields: the same for each field of a mutation's input.
func TestHostileInputFields(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	schema := testservice.Executable().Schema()
	s.Proxy.Reset()
	for _, mutation := range schema.Mutation.Fields {
		input := schema.Types[mutation.Arguments[0].Type.Name()]
		query := fmt.Sprintf("mutation($input: %s!) { %s(input: $input) { userErrors { message } } }",
			input.Name, mutation.Name)
		for _, field := range input.Fields {
			for _, value := range append(hostile(), testservice.Loan(4).Encode()) {
				// All other fields are missing, so that nothing is ever written.
				answer := s.Ask(t, query, map[string]any{"input": map[string]any{field.Name: value, "more": value}})
				if len(answer.Errors) == 0 {
					t.Errorf("%s.%s = %.40q has no error", mutation.Name, field.Name, fmt.Sprint(value))
				}
				for _, e := range answer.Errors {
					if e.Extensions.Code == "INTERNAL_SERVER_ERROR" || len(e.Message) > 400 {
						t.Errorf("%s.%s = %.40q: %+v", mutation.Name, field.Name, fmt.Sprint(value), e)
					}
				}
			}
		}
	}
	if n := s.Proxy.Counts().Total(); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// TestHostileDocuments: the same for documents and bodies.
func TestHostileDocuments(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	s.Proxy.Reset()
	const count = `{"query":"mutation($input: CountVisitInput!) ` +
		`{ m: countVisit(input: $input) { userErrors { message } } }","variables":{"input":%s}}`
	literal := func(call string) string {
		body, err := json.Marshal(map[string]any{"query": `mutation { m: ` + call + ` { userErrors { message } } }`})
		fatal.If(t, err)
		return string(body)
	}
	branch := fmt.Sprintf("%q", testservice.Branch(1).Encode())
	for name, tt := range map[string]struct{ body, want string }{
		"a literal twice": {
			literal(`countVisit(input: {branchId: ` + branch + `, door: "A", door: "B"})`), "GRAPHQL_VALIDATION_FAILED",
		},
		"an argument twice": {
			literal(`countVisit(input: {branchId: ` + branch + `, door: "A"}, input: {branchId: ` + branch + `, door: "B"})`),
			"GRAPHQL_VALIDATION_FAILED",
		},
		"a number for a text": {
			literal(`countVisit(input: {branchId: ` + branch + `, door: 1})`), "GRAPHQL_VALIDATION_FAILED",
		},
		"not an Int": {
			literal(`postNotice(input: {branchId: ` + branch + `, number: 2147483648, title: "A"})`), "BAD_USER_INPUT",
		},
		"a huge literal": {
			literal(`postNotice(input: {branchId: ` + branch + `, number: ` + strings.Repeat("9", 300) + `, title: "A"})`),
			"",
		},
		"a surrogate literal":  {literal(`countVisit(input: {branchId: ` + branch + `, door: "#\ud800"})`), ""},
		"not UTF-8":            {fmt.Sprintf(count, "{\"door\":\"\xff\",\"branchId\":"+branch+"}"), ""},
		"an object for a text": {fmt.Sprintf(count, `{"door":{"toString":"x"},"branchId":`+branch+`}`), "must be a String"},
		"a list of inputs":     {fmt.Sprintf(count, `[{"door":"A","branchId":`+branch+`}]`), ""},
		"a text for an input":  {fmt.Sprintf(count, `"{}"`), ""},
		"no input":             {fmt.Sprintf(count, `null`), ""},
		"a deep input":         {fmt.Sprintf(count, strings.Repeat(`{"door":`, 9000)+`1`+strings.Repeat(`}`, 9000)), ""},
		"a body beyond 1 MB": {
			fmt.Sprintf(count, `{"door":"`+strings.Repeat("x", 2<<20)+`","branchId":`+branch+`}`), "BAD_REQUEST",
		},
	} {
		t.Run(name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader(tt.body))
			fatal.If(t, err)
			request.Header = s.Header.Clone()
			request.Header.Set("Content-Type", "application/json")
			response, err := s.Client.Do(request)
			fatal.If(t, err)
			defer func() { _ = response.Body.Close() }()
			var a testservice.Answer
			err = json.NewDecoder(response.Body).Decode(&a)
			if err != nil || response.StatusCode == http.StatusInternalServerError {
				t.Fatalf("status %d, %v", response.StatusCode, err)
			}
			got := fmt.Sprint(a.Errors)
			if len(a.Errors) == 0 || !strings.Contains(got, tt.want) || strings.Contains(got, "INTERNAL") {
				t.Errorf("got %.300s, want %q", got, tt.want)
			}
		})
	}
	if n := s.Proxy.Counts().Writes; n != 0 {
		t.Errorf("%d transactions were carried out", n)
	}
}
