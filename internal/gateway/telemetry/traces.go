package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// instrumentation is the scope of all spans.
const instrumentation = "github.com/partita/partita/internal/gateway/telemetry"

// TracesOptions are the settings of traces that are not in the environment.
type TracesOptions struct {
	// Service is the service's name if it is not in OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES. Version is its
	// version.
	Service, Version string
	// TableName is the name of the DynamoDB table.
	TableName string
	// Logger logs that spans could not be exported.
	Logger *slog.Logger
}

// Traces makes a span for each operation, each of its waves and each DynamoDB request of a wave. They follow
// OpenTelemetry's semantic conventions for GraphQL servers and for DynamoDB. A nil Traces makes none.
//
// https://opentelemetry.io/docs/specs/semconv/graphql/graphql-spans/
// https://opentelemetry.io/docs/specs/semconv/db/dynamodb/
type Traces struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
	table    []attribute.KeyValue
}

// OpenTraces returns Traces with the settings in OpenTelemetry's environment variables. They are exported by OTLP
// over HTTP if OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or OTEL_TRACES_EXPORTER is set.
// Otherwise, and with OTEL_SDK_DISABLED, OpenTraces returns nil.
//
// https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
func OpenTraces(ctx context.Context, o TracesOptions) (*Traces, error) {
	wanted, err := wantsTraces()
	if err != nil || !wanted {
		return nil, err
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		o.Logger.Warn("traces are not exported", "error", err.Error())
	}))
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("telemetry: %w", err)
	}
	// Later attributes replace earlier ones.
	described, err := resource.New(ctx,
		resource.WithAttributes(semconv.ServiceName(o.Service), semconv.ServiceVersion(o.Version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("telemetry: OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(described))
	return &Traces{
		provider: provider,
		tracer:   provider.Tracer(instrumentation, trace.WithSchemaURL(semconv.SchemaURL)),
		table: []attribute.KeyValue{
			semconv.DBSystemNameAWSDynamoDB,
			semconv.DBCollectionName(o.TableName),
			semconv.AWSDynamoDBTableNames(o.TableName),
		},
	}, nil
}

// wantsTraces reports whether traces are enabled. It reads the variables that the SDK does not read.
func wantsTraces() (bool, error) {
	if disabled, _ := strconv.ParseBool(os.Getenv("OTEL_SDK_DISABLED")); disabled {
		return false, nil
	}
	switch exporter := os.Getenv("OTEL_TRACES_EXPORTER"); exporter {
	case "none":
		return false, nil
	case "otlp":
	case "":
		if os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" && os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") == "" {
			return false, nil
		}
	default:
		return false, fmt.Errorf("telemetry: OTEL_TRACES_EXPORTER is %q: set it to otlp or none", exporter)
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		switch protocol := os.Getenv(name); protocol {
		case "":
		case "http/protobuf":
			return true, nil
		default:
			return false, fmt.Errorf("telemetry: %s is %q: set it to http/protobuf", name, protocol)
		}
	}
	return true, nil
}

// Close exports what has not been exported yet.
func (t *Traces) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// Flush exports what has not been exported yet, for a process that may be frozen before the next batch.
func (t *Traces) Flush(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.ForceFlush(ctx)
}

// headerTraceparent is the header, in the form of net/http, without which w3c finds no trace.
const headerTraceparent = "Traceparent"

// w3c reads the headers traceparent and tracestate.
//
// https://www.w3.org/TR/trace-context/
var w3c propagation.TraceContext

// operation starts the span of an operation, a child of the caller's. A nil Traces only adds the caller's trace to
// the context, for the log.
func (t *Traces) operation(ctx context.Context, r *http.Request) (context.Context, func(operation.Report)) {
	if r.Header[headerTraceparent] != nil {
		ctx = w3c.Extract(ctx, propagation.HeaderCarrier(r.Header))
	}
	if t == nil {
		return ctx, func(operation.Report) {}
	}
	ctx, span := t.tracer.Start(ctx, "GraphQL Operation", trace.WithSpanKind(trace.SpanKindServer))
	return ctx, func(report operation.Report) {
		if span.IsRecording() {
			describeOperation(span, report)
		}
		span.End()
	}
}

// describeOperation sets the attributes of an operation's span. They do not include the document or variables, which
// may contain anything.
func describeOperation(span trace.Span, r operation.Report) {
	if r.Type != "" {
		span.SetName(strings.TrimSuffix(r.Type+" "+cut(r.Name), " "))
		span.SetAttributes(semconv.GraphQLOperationTypeKey.String(r.Type))
	}
	if r.Name != "" {
		span.SetAttributes(semconv.GraphQLOperationName(cut(r.Name)))
	}
	span.SetAttributes(
		semconv.HTTPResponseStatusCode(r.Status),
		attribute.String("partita.outcome", string(r.Outcome)),
		attribute.Float64("partita.read_units", r.Cost.ReadUnits),
		attribute.Float64("partita.write_units", r.Cost.WriteUnits),
	)
	if len(r.Codes) > 0 {
		span.SetAttributes(semconv.ErrorTypeKey.String(r.Codes[0]))
		span.SetAttributes(attribute.StringSlice("partita.error_codes", r.Codes))
	}
	if r.Outcome == operation.OutcomeFailed || slices.ContainsFunc(r.Codes, isFault) {
		span.SetStatus(codes.Error, strings.Join(r.Codes, ","))
	}
}

// isFault reports whether a code is about a failure of the service, not a mistake of the caller.
func isFault(code string) bool {
	switch code {
	case loaders.CodeInternal, loaders.CodeUnavailable, loaders.CodeTimeout, loaders.CodeThrottled,
		loaders.CodeCollectionFull:
		return true
	}
	return false
}

// maxSpanName is the length in bytes to which names of operations are cut.
const maxSpanName = 128

func cut(name string) string { return name[:min(len(name), maxSpanName)] }

// wave starts the span of a wave.
func (t *Traces) wave(ctx context.Context, requests int) (context.Context, func()) {
	if t == nil {
		return ctx, func() {}
	}
	ctx, span := t.tracer.Start(ctx, "wave", trace.WithAttributes(attribute.Int("partita.requests", requests)))
	return ctx, func() { span.End() }
}

// request starts the span of a DynamoDB request. It contains no keys and no values.
func (t *Traces) request(ctx context.Context, sent loaders.Sent) (context.Context, func(request.Result, error)) {
	if t == nil {
		return ctx, func(request.Result, error) {}
	}
	name := string(sent.Action) + " " + t.table[1].Value.AsString()
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(t.table...))
	return ctx, func(res request.Result, err error) {
		if span.IsRecording() {
			describeRequest(span, sent, res, err)
		}
		span.End()
	}
}

func describeRequest(span trace.Span, sent loaders.Sent, res request.Result, err error) {
	span.SetAttributes(
		semconv.DBOperationName(string(sent.Action)),
		attribute.Float64("partita.read_units", res.ReadUnits),
		attribute.Float64("partita.write_units", res.WriteUnits),
		attribute.Int("partita.retries", res.Retries),
		attribute.Int("partita.throttles", res.Throttles),
	)
	if sent.Keys > 1 {
		span.SetAttributes(semconv.DBOperationBatchSize(sent.Keys))
	}
	if sent.Index != "" {
		span.SetAttributes(semconv.AWSDynamoDBIndexName(sent.Index))
	}
	if sent.Consistent {
		span.SetAttributes(semconv.AWSDynamoDBConsistentRead(true))
	}
	if res.Reused > 0 {
		span.SetAttributes(attribute.Int("partita.reused_reads", res.Reused))
	}
	if len(res.Unprocessed) > 0 {
		span.SetAttributes(attribute.Int("partita.unprocessed_keys", len(res.Unprocessed)))
	}
	if err == nil {
		return
	}
	outcome := outcomeOf(err)
	span.SetAttributes(semconv.ErrorTypeKey.String(outcome))
	// A failed condition is an answer that the mutation handles.
	var condition *write.ConditionError
	if !errors.As(err, &condition) {
		span.SetStatus(codes.Error, outcome)
	}
}
