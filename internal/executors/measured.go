package executors

import (
	"encoding/json"
	"fmt"

	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/loaders"
)

// CheckMeasured returns an error unless the parts of what a response says that its operation has consumed add up to the
// whole: the Reads to their requests, and the requests to extensions.cost.
func CheckMeasured(r Response) error {
	var body struct {
		Data       any
		Extensions struct {
			Cost response.Cost
			Plan *loaders.Measured
		}
	}
	if err := json.Unmarshal([]byte(r.Body), &body); err != nil {
		return err
	}
	if body.Data == nil {
		return nil // it has no measured values
	}
	measured, cost := body.Extensions.Plan, body.Extensions.Cost
	if measured == nil {
		return fmt.Errorf("the response has no measured values")
	}
	sum := response.Cost{
		EstimatedReadUnits: cost.EstimatedReadUnits, EstimatedWriteUnits: cost.EstimatedWriteUnits,
		EstimatedObjects: cost.EstimatedObjects, Objects: cost.Objects, ThrottleStatus: cost.ThrottleStatus,
	}
	sum.Waves = cost.Waves // A wave with many requests counts as several.
	for _, request := range measured.Requests {
		if request.Wave > cost.Waves {
			return fmt.Errorf("a request has the wave %d, of %d", request.Wave, cost.Waves)
		}
		sum.Requests += request.Requests
		sum.ReusedReads += request.ReusedReads
		sum.Retries += request.Retries
		sum.ReadUnits += request.ReadUnits
		sum.WriteUnits += request.WriteUnits
		var read, written float64
		reused := 0
		for _, part := range request.Reads {
			read += part.ReadUnits
			written += part.WriteUnits
			reused += part.Reused
		}
		if read != request.ReadUnits || written != request.WriteUnits || reused != request.ReusedReads {
			return fmt.Errorf("the parts of %+v add up to %v and %v units and %d reused Reads",
				*request, read, written, reused)
		}
	}
	if sum != cost {
		return fmt.Errorf("the requests add up to %+v, the cost is %+v", sum, cost)
	}
	return nil
}
