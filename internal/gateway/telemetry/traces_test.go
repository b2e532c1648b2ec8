package telemetry_test

import (
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/telemetry"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
)

// receiver receives spans by OTLP over HTTP.
type receiver struct {
	t   *testing.T
	url string

	mu       sync.Mutex
	spans    []*otlp.Span
	resource []string
}

func startReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{t: t}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	var export collector.ExportTraceServiceRequest
	if err == nil {
		err = proto.Unmarshal(body, &export)
	}
	if err != nil || request.URL.Path != "/v1/traces" {
		r.t.Errorf("%s: %v", request.URL.Path, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, resource := range export.GetResourceSpans() {
		r.resource = attributes(resource.GetResource().GetAttributes())
		for _, scope := range resource.GetScopeSpans() {
			r.spans = append(r.spans, scope.GetSpans()...)
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

func attributes(all []*common.KeyValue) []string {
	var texts []string
	for _, a := range all {
		var text string
		switch v := a.GetValue().GetValue().(type) {
		case *common.AnyValue_StringValue:
			text = v.StringValue
		case *common.AnyValue_ArrayValue:
			for _, one := range v.ArrayValue.GetValues() {
				text += "[" + one.GetStringValue() + "]"
			}
		case *common.AnyValue_IntValue:
			text = fmt.Sprint(v.IntValue)
		case *common.AnyValue_DoubleValue:
			text = fmt.Sprint(v.DoubleValue)
		case *common.AnyValue_BoolValue:
			text = fmt.Sprint(v.BoolValue)
		}
		texts = append(texts, a.GetKey()+"="+text)
	}
	slices.Sort(texts)
	return texts
}

// tree returns all spans of a trace as text. Children are indented, siblings sorted.
func (r *receiver) tree(traceID string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	below := map[string][]*otlp.Span{}
	ids := map[string]bool{}
	for _, s := range r.spans {
		if hex.EncodeToString(s.GetTraceId()) == traceID {
			below[hex.EncodeToString(s.GetParentSpanId())] = append(below[hex.EncodeToString(s.GetParentSpanId())], s)
			ids[hex.EncodeToString(s.GetSpanId())] = true
		}
	}
	var render func(parent, indent string) string
	render = func(parent, indent string) string {
		var texts []string
		for _, s := range below[parent] {
			kind := strings.ToLower(strings.TrimPrefix(s.GetKind().String(), "SPAN_KIND_"))
			text := indent + s.GetName() + " (" + kind
			if s.GetStatus().GetCode() == otlp.Status_STATUS_CODE_ERROR {
				text += ", error: " + s.GetStatus().GetMessage()
			}
			text += ") " + strings.Join(attributes(s.GetAttributes()), " ") + "\n"
			texts = append(texts, text+render(hex.EncodeToString(s.GetSpanId()), indent+"  "))
		}
		slices.Sort(texts)
		return strings.Join(texts, "")
	}
	var roots strings.Builder
	for parent := range below {
		if !ids[parent] {
			roots.WriteString("below " + parent + "\n" + render(parent, "  "))
		}
	}
	return roots.String()
}

func startTraced(t *testing.T) (*testservice.Service, *telemetry.Traces) {
	t.Helper()
	traces, err := telemetry.OpenTraces(t.Context(), telemetry.TracesOptions{
		Service: "library", Version: "v1", TableName: "partita", Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	fatal.If(t, err)
	observer := telemetry.NewObserver(telemetry.NewMetrics(telemetry.MetricsOptions{}), traces)
	s := testservice.Start(t, func(c *gateway.Config, o *loaders.Options) {
		c.Monitoring.Observer, o.Observer = observer, observer
	})
	return s, traces
}

const (
	callersTrace  = "4bf92f3577b34da6a3ce929d0e0e4736"
	callersSpan   = "00f067aa0ba902b7"
	callersParent = "00-" + callersTrace + "-" + callersSpan
)

func TestTraceOfANestedQuery(t *testing.T) {
	collector := startReceiver(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
	t.Setenv("OTEL_SERVICE_NAME", "my-library")
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
	s, traces := startTraced(t)
	s.Header.Set("Traceparent", callersParent+"-01")
	s.Must(t, `query Loans {
		reader(id: "Reader:r001") {
			name
			loans(first: 2) { nodes { reminders(first: 3) { nodes { number } } } }
			recommendations(last: 3) { nodes { title } }
		}
	}`, nil)
	fatal.If(t, traces.Close(t.Context()))
	const table = "aws.dynamodb.table_names=[partita] db.collection.name=partita "
	const none = " partita.retries=0 partita.throttles=0 partita.write_units=0"
	query := func(units string) string {
		return "Query partita (client) " + table + "db.operation.name=Query db.system.name=aws.dynamodb" +
			" partita.read_units=" + units + none + "\n"
	}
	want := "below " + callersSpan + "\n" +
		"  query Loans (server) graphql.operation.name=Loans graphql.operation.type=query http.response.status_code=200 " +
		"partita.outcome=ok partita.read_units=3.5 partita.write_units=0\n" +
		"    wave (internal) partita.requests=2\n" +
		"      " + query("0.5") + "      " + query("0.5") +
		"    wave (internal) partita.requests=3\n" +
		"      BatchGetItem partita (client) " + table + "db.operation.batch.size=3 db.operation.name=BatchGetItem" +
		" db.system.name=aws.dynamodb partita.read_units=1.5" + none + "\n" +
		"      " + query("0.5") + "      " + query("0.5")
	if got := collector.tree(callersTrace); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	wantResource := []string{"deployment.environment.name=test", "service.name=my-library", "service.version=v1"}
	for _, a := range wantResource {
		if !slices.Contains(collector.resource, a) {
			t.Errorf("the resource is %v, want %s", collector.resource, a)
		}
	}
	if !strings.Contains(s.Log.Take(), "traceId="+callersTrace) {
		t.Error("the log does not name the caller's trace")
	}
}

func TestTraceOfFailuresHasNoValues(t *testing.T) {
	collector := startReceiver(t)
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", collector.url+"/v1/traces")
	s, traces := startTraced(t)
	s.Header.Set("Traceparent", callersParent+"-01")
	const secret = "C-0001"
	mutation := `mutation Count($input: CountVisitInput!) { countVisit(input: $input) { userErrors { code } } }`
	input := map[string]any{"input": map[string]any{"branchId": testservice.Branch(1).Encode(), "door": secret}}
	s.Must(t, mutation, input)
	s.Must(t, mutation, input)
	s.Ask(t, `{ nope(card: "`+secret+`") }`, nil)
	s.Proxy.Inject(tabletest.Faults{ErrorCode: "AccessDeniedException"})
	s.Ask(t, `query ByCard { readerByCard(card: "`+secret+`") { name } }`, nil)
	s.Proxy.Inject(tabletest.Faults{})
	fatal.If(t, traces.Close(t.Context()))
	tree := collector.tree(callersTrace)
	for _, want := range []string{
		"GraphQL Operation (server) error.type=GRAPHQL_VALIDATION_FAILED ",
		"PutItem partita (client) ",
		"error.type=condition_failed ",
		"query ByCard (server, error: INTERNAL_SERVER_ERROR) error.type=INTERNAL_SERVER_ERROR ",
		"Query partita (client, error: access_denied) aws.dynamodb.index_name=GSI1 ",
	} {
		if !strings.Contains(tree, want) {
			t.Errorf("there is no span %q", want)
		}
	}
	if strings.Contains(tree, "(client, error: condition_failed)") {
		t.Error("a failed condition counts as a fault")
	}
	collector.mu.Lock()
	defer collector.mu.Unlock()
	for _, span := range collector.spans {
		// Span ids are left out: their random bytes may contain "#".
		text := fmt.Sprint(span.GetName(), span.GetAttributes(), span.GetEvents(), span.GetLinks(), span.GetStatus())
		if strings.Contains(text, secret) || strings.Contains(text, "#") {
			t.Errorf("a span has a value: %s", text)
		}
	}
	if t.Failed() {
		t.Log(tree)
	}
}

func TestCallerDecidesWhetherItsTraceIsSampled(t *testing.T) {
	collector := startReceiver(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
	s, traces := startTraced(t)
	s.Header.Set("Traceparent", callersParent+"-00")
	s.Must(t, `{ __typename }`, nil)
	fatal.If(t, traces.Close(t.Context()))
	if len(collector.spans) != 0 {
		t.Errorf("%d spans of a trace that is not sampled", len(collector.spans))
	}
}

func TestTracesAreOffUnlessEnabled(t *testing.T) {
	for _, settings := range [][]string{
		{},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:1", "OTEL_SDK_DISABLED", "true"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:1", "OTEL_TRACES_EXPORTER", "none"},
	} {
		t.Run(strings.Join(settings, " "), func(t *testing.T) {
			for i := 0; i < len(settings); i += 2 {
				t.Setenv(settings[i], settings[i+1])
			}
			traces, err := telemetry.OpenTraces(t.Context(), telemetry.TracesOptions{})
			if traces != nil || err != nil {
				t.Errorf("got %v, %v", traces, err)
			}
		})
	}
	for name, value := range map[string]string{"OTEL_TRACES_EXPORTER": "zipkin", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:1")
			t.Setenv(name, value)
			_, err := telemetry.OpenTraces(t.Context(), telemetry.TracesOptions{})
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("got %v, want an error that names %s", err, name)
			}
		})
	}
}
