package stream_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/table/stack"
	"github.com/partita/partita/internal/tabletest"
)

// TestPolicyGrantsWhatIsSent: a gateway without mutations may send what a reader sends, and write reserved items alone.
func TestPolicyGrantsWhatIsSent(t *testing.T) {
	e := tabletest.Start(t, streamed)
	r := read(t, e.Table, stream.Options{})
	put(t, e, "a", 0)
	r.awaitCurrent(t)
	r.stop()
	granted := map[string]string{} // the last statement with an action
	var lease stack.Statement
	for _, s := range (stack.Template{Schema: streamed}).Gateway("arn") {
		for _, action := range s.Action {
			granted[strings.TrimPrefix(action, "dynamodb:")] = s.Sid
		}
		if s.Sid == "JoinReplicas" {
			lease = s
		}
	}
	sent := e.Proxy.Counts().Requests
	for operation := range sent {
		if granted[operation] == "" {
			t.Errorf("%s is sent and not granted", operation)
		}
	}
	for _, action := range []string{"DescribeStream", "GetRecords", "GetShardIterator", "UpdateItem"} {
		if sent[action] == 0 {
			t.Errorf("%s is granted and not sent", action)
		}
	}
	values := slices.Collect(maps.Values(lease.Condition["ForAllValues:StringEquals"]))
	if granted["UpdateItem"] != "JoinReplicas" || !slices.Equal(values, []string{"PARTITA#LIVE"}) {
		t.Errorf("other items than reserved ones can be written: %+v", lease)
	}
	for _, s := range (stack.Template{Schema: streamed, TenantTag: "tenant"}).Gateway("arn") {
		if strings.Contains(s.Sid, "Stream") {
			t.Errorf("the session of a tenant can read the stream: %+v", s)
		}
	}
}

// TestTemplateHasStream: the template of a table with a stream turns it on.
func TestTemplateHasStream(t *testing.T) {
	for _, hasStream := range []bool{true, false} {
		schema := streamed
		schema.Stream = hasStream
		text := must(stack.Template{Schema: schema}.CloudFormation())
		for _, part := range []string{"StreamViewType: NEW_AND_OLD_IMAGES", "!GetAtt Table.StreamArn", "${Table.StreamArn}"} {
			if strings.Contains(string(text), part) != hasStream {
				t.Errorf("with a stream: %v, and %s in\n%s", hasStream, part, text)
			}
		}
	}
}
