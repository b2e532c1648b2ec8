package agents

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/partita/partita/internal/gateway/response"
)

// following is how far a call follows a subscription.
type following struct {
	// events and seconds are after how many of them the call ends.
	events, seconds int
	// position is after which it goes on; "" for the present state.
	position string
}

func (f following) duration() time.Duration { return time.Duration(f.seconds) * time.Second }

// The arguments beside the variables. No variable has a name with a hyphen.
const (
	argumentEvents   = "max-events"
	argumentSeconds  = "max-seconds"
	argumentPosition = "after-position"
)

// The defaults, and the most: a client gives up a call that takes a minute, as the official ones do, and so do proxies.
// Whoever wants more goes on with the position.
const (
	defaultEvents  = 10
	mostEvents     = 100
	defaultSeconds = 20
	mostSeconds    = 50
)

// addFollowing adds the arguments to the schema of a subscription's variables.
func addFollowing(object *jsonschema.Schema) {
	least := 1.0
	for _, a := range []struct {
		name, description string
		standard, most    int
	}{
		{argumentEvents, "After how many events the call ends, the present state included.", defaultEvents, mostEvents},
		{argumentSeconds, "After how many seconds the call ends.", defaultSeconds, mostSeconds},
	} {
		most := float64(a.most)
		object.Properties[a.name] = &jsonschema.Schema{
			Type: "integer", Minimum: &least, Maximum: &most, Default: fmt.Append(nil, a.standard), Description: a.description,
		}
		object.PropertyOrder = append(object.PropertyOrder, a.name)
	}
	object.Properties[argumentPosition] = &jsonschema.Schema{
		Type: "string",
		Description: "Where an earlier call has ended: only what has changed since then. " +
			"Without it, the present state is first.",
	}
	object.PropertyOrder = append(object.PropertyOrder, argumentPosition)
}

// takeFollowing removes the arguments from those of a call, and returns them.
func takeFollowing(given map[string]json.RawMessage) (following, *response.Error) {
	f := following{events: defaultEvents, seconds: defaultSeconds}
	for name, of := range map[string]struct {
		n    *int
		most int
	}{argumentEvents: {&f.events, mostEvents}, argumentSeconds: {&f.seconds, mostSeconds}} {
		value, is := given[name]
		if delete(given, name); !is {
			continue
		}
		if json.Unmarshal(value, of.n) != nil || *of.n < 1 || *of.n > of.most {
			return f, response.Errorf(http.StatusUnprocessableEntity, response.CodeBadUserInput,
				"%s must be a number from 1 to %d.", name, of.most)
		}
	}
	if value, is := given[argumentPosition]; is {
		delete(given, argumentPosition)
		if json.Unmarshal(value, &f.position) != nil {
			return f, response.Errorf(http.StatusUnprocessableEntity, response.CodeBadUserInput,
				"%s must be a text, as a result had it.", argumentPosition)
		}
	}
	return f, nil
}
