package several_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/request"
)

// TestQueriesAsOfDynamoDB: a Query is rejected if DynamoDB rejects it.
func TestQueriesAsOfDynamoDB(t *testing.T) {
	table := serve(t, tickets()).Engine.Table
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	number := func(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }
	const place = "tenantId = :t AND #r = :r"
	for condition, ok := range map[string]bool{
		place:                                    true,
		place + " AND #s = :s":                   true,
		"#s = :s AND " + place:                   true,
		place + " AND begins_with(#s, :s)":       true,
		place + " AND #s = :s AND created >= :a": true,
		place + " AND #s = :s AND created BETWEEN :a AND :b": true,
		"tenantId = :t and #r = :r and #s between :s and :r": true,
		"tenantId = :t":                                      false,
		place + " AND created >= :a":                         false,
		place + " AND #s >= :s AND created >= :a":            false,
		place + " AND #s = :s AND begins_with(created, :a)":  false,
		place + " AND code = :s":                             false,
		place + " AND #s = :s AND #s = :s":                   false,
		"tenantId = :t AND begins_with(#r, :r)":              false,
		"tenantId = :a AND #r = :r":                          false,
		place + " AND #s = :a":                               false,
		place + " AND #s >= :a":                              false,
		place + " AND #s = :s AND created >= :s":             false,
		place + " AND #s = :s AND created BETWEEN :a AND :s": false,
	} {
		in := &dynamodb.QueryInput{
			TableName: aws.String(table.Name()), IndexName: aws.String("byPlace"), KeyConditionExpression: &condition,
			ExpressionAttributeNames: map[string]string{}, ExpressionAttributeValues: map[string]types.AttributeValue{},
		}
		for name, stored := range map[string]string{"#r": "region", "#s": "status"} {
			if strings.Contains(condition, name) {
				in.ExpressionAttributeNames[name] = stored
			}
		}
		for name, v := range map[string]types.AttributeValue{
			":t": text("acme"), ":r": text("eu"), ":s": text("OPEN"), ":a": number("1700000000"), ":b": number("1700003600"),
		} {
			if strings.Contains(condition, name) {
				in.ExpressionAttributeValues[name] = v
			}
		}
		if len(in.ExpressionAttributeNames) == 0 {
			in.ExpressionAttributeNames = nil
		}
		out, err := table.Client().Query(t.Context(), in)
		var api smithy.APIError
		switch {
		case ok && (err != nil || out.Count == 0):
			t.Errorf("%s: %v", condition, err)
		case !ok && (!errors.As(err, &api) || api.ErrorCode() != "ValidationException"):
			t.Errorf("%s: %v is no ValidationException", condition, err)
		}
		for i := 0; err == nil && i < len(out.Items); i++ {
			for name := range out.Items[i] {
				if strings.HasPrefix(name, "␟") {
					t.Errorf("%s: an item has the attribute %s", condition, name)
				}
			}
		}
	}
}

// TestDescription: the description of the table is what its schema needs, although the engine has another one.
func TestDescription(t *testing.T) {
	if err := admin.Verify(t.Context(), serve(t, nil).Engine.Table); err != nil {
		t.Error(err)
	}
}

// TestConsistentReads: a Query of a local index can be strongly consistent, and costs twice as much.
func TestConsistentReads(t *testing.T) {
	s := serve(t, tickets())
	for index, want := range map[string]float64{"byTitle": 2, "byPlace": 1} {
		var units [2]float64
		for i, strong := range []bool{false, true} {
			r := request.Query{Index: index, PK: "TENANT#x", Consistent: strong}
			if index == "byPlace" {
				r.PK = "acme\x01eu"
			}
			result, err := s.Engine.Table.Query(t.Context(), r)
			if err != nil || len(result.Items) == 0 {
				t.Fatal(err, len(result.Items))
			}
			units[i] = result.ReadUnits
		}
		if units[1] != want*units[0] {
			t.Errorf("%s: %v units, and strongly consistent %v", index, units[0], units[1])
		}
	}
}

// TestPlaceholdersOfCallers: a caller may have any placeholders, and keywords in any case, as with DynamoDB.
func TestPlaceholdersOfCallers(t *testing.T) {
	table := serve(t, tickets()[:1]).Engine.Table
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	place := map[string]types.AttributeValue{":pk": text("t"), ":from": text("r")}
	ticket := map[string]types.AttributeValue{":status": text("OPEN"), ":at": &types.AttributeValueMemberN{Value: "1"}}
	names := map[string]string{"#pk": "kind", "#sk": "region"}
	update := func(sk, expression string, names map[string]string, values map[string]types.AttributeValue) {
		if _, err := table.Client().UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: aws.String(table.Name()), UpdateExpression: &expression, ExpressionAttributeNames: names,
			Key: map[string]types.AttributeValue{"pk": text("P"), "sk": text(sk)}, ExpressionAttributeValues: values,
		}); err != nil {
			t.Fatal(expression, err)
		}
	}
	for _, expression := range []string{
		"set tenantId = :pk, #sk = :from remove #pk", "SET tenantId = :pk, #sk = :from REMOVE #pk",
	} {
		update(expression, "SET #ADD = :status, created = :at", map[string]string{"#ADD": "status"}, ticket)
		update(expression, expression, names, place)
	}
	out, err := table.Client().Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String(table.Name()), IndexName: aws.String("byPlace"),
		KeyConditionExpression:    aws.String("tenantId = :pk AND #r = :from"),
		ProjectionExpression:      aws.String("#pk, #sk"),
		ExpressionAttributeNames:  map[string]string{"#r": "region", "#pk": "status", "#sk": "created"},
		ExpressionAttributeValues: place,
	})
	if err != nil || len(out.Items) != 2 || len(out.Items[0]) != 2 || out.Items[0]["status"] == nil {
		t.Errorf("%v, %v", out, err)
	}
}
