package table

import (
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table/attribute"
	"github.com/partita/partita/write"
)

// expressions writes the expressions of one action. Every name and every value has a
// placeholder, because DynamoDB reserves hundreds of words.
type expressions struct {
	names  map[string]string
	values map[string]types.AttributeValue
}

func (e *expressions) name(name string) string {
	if e.names == nil {
		e.names = map[string]string{}
	}
	placeholder := "#n" + strconv.Itoa(len(e.names))
	e.names[placeholder] = name
	return placeholder
}

func (e *expressions) value(v item.Value) string {
	if e.values == nil {
		e.values = map[string]types.AttributeValue{}
	}
	placeholder := ":v" + strconv.Itoa(len(e.values))
	e.values[placeholder] = attribute.FromValue(v)
	return placeholder
}

// conditions returns the condition expression, nil for none.
func (e *expressions) conditions(all []write.Precondition) *string {
	if len(all) == 0 {
		return nil
	}
	parts := make([]string, len(all))
	for i, c := range all {
		switch c.Kind {
		case write.PreconditionExists:
			parts[i] = "attribute_exists(" + e.name(keys.AttributePK) +
				") AND attribute_not_exists(" + e.name(keys.AttributeDeletedAt) + ")"
		case write.PreconditionStored:
			parts[i] = "attribute_exists(" + e.name(keys.AttributePK) + ")"
		case write.PreconditionMissing:
			parts[i] = "attribute_not_exists(" + e.name(keys.AttributePK) + ")"
		case write.PreconditionBelow:
			name, value := e.name(c.Name), e.value(c.Value)
			parts[i] = "(attribute_not_exists(" + e.name(keys.AttributePK) + ") OR " + name + " < " + value +
				" OR (attribute_exists(" + e.name(keys.AttributeDeletedAt) + ") AND " + name + " = " + value + "))"
		case write.PreconditionNotBelow:
			parts[i] = e.name(c.Name) + " >= " + e.value(c.Value)
		case write.PreconditionOther:
			equal := make([]string, len(c.Values))
			for i, a := range c.Values {
				equal[i] = e.name(a.Name) + " = " + e.value(a.Value)
			}
			parts[i] = "NOT (" + strings.Join(equal, " AND ") + ")"
		default:
			parts[i] = e.name(c.Name) + " = " + e.value(c.Value)
		}
	}
	return aws.String(strings.Join(parts, " AND "))
}

// update returns the update expression.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html
func (e *expressions) update(a write.Action) *string {
	var set, remove, add []string
	for _, s := range a.Set {
		set = append(set, e.name(s.Name)+" = "+e.value(s.Value))
	}
	for _, name := range a.Remove {
		remove = append(remove, e.name(name))
	}
	for _, i := range a.Add {
		add = append(add, e.name(i.Name)+" "+e.value(item.NumberValue(i.By)))
	}
	var clauses []string
	for _, clause := range []struct {
		keyword string
		parts   []string
	}{{"SET ", set}, {"REMOVE ", remove}, {"ADD ", add}} {
		if len(clause.parts) > 0 {
			clauses = append(clauses, clause.keyword+strings.Join(clause.parts, ", "))
		}
	}
	return aws.String(strings.Join(clauses, " "))
}
