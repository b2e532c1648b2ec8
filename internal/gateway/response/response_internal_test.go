package response

import (
	"encoding/json"
	"math"
	"testing"
)

// TestCostIsWrittenAsByEncodingJSON also covers numbers that no cost has.
func TestCostIsWrittenAsByEncodingJSON(t *testing.T) {
	numbers := []float64{
		0, math.Copysign(0, -1), 0.5, 1.5, 2, -3.25, 100, 1e6, 1234567.875, 1e20, 1e21, 1e22, 1e-6, 9e-7, 1e-9, 1.0 / 3,
		math.MaxFloat64, math.SmallestNonzeroFloat64, math.NaN(), math.Inf(1), math.Inf(-1),
	}
	for i, n := range numbers {
		m := numbers[(i+1)%len(numbers)]
		for _, throttle := range []*ThrottleStatus{nil, {MaximumAvailable: n, CurrentlyAvailable: m, RestoreRate: n}} {
			cost := Cost{
				EstimatedReadUnits: n, ReadUnits: m, WriteUnits: n,
				Requests: i, Retries: -i, Waves: math.MaxInt, ThrottleStatus: throttle,
			}
			want, wantErr := json.Marshal(cost)
			got, err := cost.appendJSON(nil)
			if (err == nil) != (wantErr == nil) || err == nil && string(got) != string(want) {
				t.Errorf("got %s, %v, want %s, %v", got, err, want, wantErr)
			}
		}
	}
}
