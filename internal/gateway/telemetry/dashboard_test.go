package telemetry_test

import (
	"encoding/json"
	"maps"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	dto "github.com/prometheus/client_model/go"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/telemetry"
)

// dashboard has the parts of a Grafana dashboard that the test reads.
type dashboard struct {
	Panels []struct {
		Title   string
		Targets []struct{ Expr string }
	}
	Templating struct {
		List []struct{ Query string }
	}
}

var (
	// metricName is a name of a metric in PromQL: one of ours, or of the runtime.
	metricName = regexp.MustCompile(`\b(?:partita|go|process)_[a-z_]+\b`)
	selector   = regexp.MustCompile(`\{([^}]*)\}`)
	grouping   = regexp.MustCompile(`\bby \(([^)]*)\)`)
	matcher    = regexp.MustCompile(`^([a-z_]+)(?:=|!=|=~|!~)"`)
)

// TestDashboardQueriesExportedMetrics: each panel queries a metric that is exported, with labels that it has.
func TestDashboardQueriesExportedMetrics(t *testing.T) {
	s, scraped := startMeasured(t, telemetry.MetricsOptions{})
	s.Must(t, `query Fans { book(id: "Book:b001") { recommendedBy(first: 10) { nodes { name } } } }`, nil)
	s.Ask(t, `{ nope }`, nil)
	// The labels of each metric. The buckets of a histogram have a name of their own.
	exported := map[string][]string{}
	families := scraped()
	maps.Copy(families, scrapeOfStreams(t))
	for name, family := range families {
		var labels []string
		for _, l := range family.GetMetric()[0].GetLabel() {
			labels = append(labels, l.GetName())
		}
		exported[name] = labels
		if family.GetMetric()[0].GetHistogram() != nil {
			exported[name+"_bucket"] = append(labels, "le")
		}
	}

	text, err := os.ReadFile("../../../deploy/grafana.json")
	fatal.If(t, err)
	var d dashboard
	fatal.If(t, json.Unmarshal(text, &d))
	queried := map[string]bool{}
	for _, panel := range d.Panels {
		if len(panel.Targets) == 0 {
			t.Errorf("%s shows nothing", panel.Title)
		}
		for _, target := range panel.Targets {
			queried[wantExported(t, exported, panel.Title, target.Expr)] = true
		}
	}
	for _, rule := range alertRules(t) {
		wantExported(t, exported, rule.Alert, rule.Expr)
		for _, label := range labelInText.FindAllStringSubmatch(rule.Annotations.Summary, -1) {
			if !slices.Contains(append(labelsIn(t, rule.Expr), "instance"), label[1]) {
				t.Errorf("%s names the label %s, which %s has not", rule.Alert, label[1], rule.Expr)
			}
		}
	}
	for name := range exported {
		_, isHistogram := exported[name+"_bucket"]
		if strings.HasPrefix(name, "partita_") && !isHistogram && !queried[name] {
			t.Errorf("no panel shows %s", name)
		}
	}
	for _, variable := range d.Templating.List {
		for _, name := range metricName.FindAllString(variable.Query, -1) {
			if exported[name] == nil && name != "partita_operations_in_flight" {
				t.Errorf("a variable queries %s, which is not exported", name)
			}
		}
	}
}

// wantExported returns the metric that an expression queries, which must be exported with the labels that it names.
func wantExported(t *testing.T, exported map[string][]string, title, expr string) string {
	t.Helper()
	names := metricName.FindAllString(expr, -1)
	if len(names) != 1 {
		t.Fatalf("%s queries %v, want one metric in %s", title, names, expr)
	}
	has, known := exported[names[0]]
	if !known {
		t.Errorf("%s queries %s, which is not exported", title, names[0])
	}
	for _, label := range labelsIn(t, expr) {
		// Prometheus itself adds job and instance.
		if label != "job" && !slices.Contains(has, label) {
			t.Errorf("%s queries %s with the label %s; it has %v", title, names[0], label, has)
		}
	}
	return names[0]
}

// alertRule is a rule of Prometheus.
type alertRule struct {
	Alert, Expr string
	Annotations struct{ Summary string }
}

// labelInText is a label in the text of a rule.
var labelInText = regexp.MustCompile(`\$labels\.([a-z_]+)`)

func alertRules(t *testing.T) []alertRule {
	t.Helper()
	text, err := os.ReadFile("../../../deploy/alerts.yaml")
	fatal.If(t, err)
	var file struct{ Groups []struct{ Rules []alertRule } }
	fatal.If(t, yaml.Unmarshal(text, &file))
	if len(file.Groups) != 1 || len(file.Groups[0].Rules) < 5 {
		t.Fatalf("the file has the rules %v", file)
	}
	return file.Groups[0].Rules
}

// scrapeOfStreams returns the metrics that exist when a connection has ended, an event had an error, and a key is hot.
func scrapeOfStreams(t *testing.T) scrape {
	t.Helper()
	metrics := telemetry.NewMetrics(telemetry.MetricsOptions{})
	observer := telemetry.NewObserver(metrics, nil)
	server := httptest.NewServer(metrics.Handler())
	defer server.Close()
	observer.Connection("websocket")("gone")
	event, _ := observer.Subscribed(t.Context(), "Books")
	event(operation.EventReport{Change: "CURRENT", Codes: []string{"FORBIDDEN"}})
	metrics.Usage().Reads.Add("", "A", 1000)
	all := scrapeOf(t, server.Client(), server.URL)
	maps.DeleteFunc(all, func(name string, _ *dto.MetricFamily) bool {
		return !slices.Contains([]string{
			"partita_connection_ends_total", "partita_subscription_event_errors_total", "partita_dynamodb_key_units_per_second",
		}, name)
	})
	return all
}

func labelsIn(t *testing.T, expr string) []string {
	t.Helper()
	var labels []string
	for _, found := range selector.FindAllStringSubmatch(expr, -1) {
		for one := range strings.SplitSeq(found[1], ",") {
			parts := matcher.FindStringSubmatch(one)
			if parts == nil {
				t.Fatalf("%q in %s is not a matcher", one, expr)
			}
			labels = append(labels, parts[1])
		}
	}
	for _, found := range grouping.FindAllStringSubmatch(expr, -1) {
		for one := range strings.SplitSeq(found[1], ",") {
			labels = append(labels, strings.TrimSpace(one))
		}
	}
	return labels
}
