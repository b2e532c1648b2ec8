package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// allocations returns how many objects the process has allocated so far, and their bytes.
func (p *process) allocations(ctx context.Context) (objects, bytes float64, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.metricsAddr+"/metrics", nil)
	if err != nil {
		return 0, 0, err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = response.Body.Close() }()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(response.Body)
	if err != nil {
		return 0, 0, err
	}
	value := func(name string) float64 {
		family := families[name]
		if family == nil {
			err = fmt.Errorf("%s has no metric %s", p.name, name)
			return 0
		}
		return family.GetMetric()[0].GetCounter().GetValue()
	}
	return value("go_memstats_mallocs_total"), value("go_memstats_alloc_bytes_total"), err
}
