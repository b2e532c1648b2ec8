package plan

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/vektah/gqlparser/v2/ast"
)

// Document is a validated document with the plans of its operations. Its methods may be called concurrently.
type Document struct {
	schema     *Schema
	doc        *ast.QueryDocument
	operations []*operationPlans
	bytes      atomic.Int64
	kept       atomic.Int64
}

// operationPlans are the plans of an operation.
type operationPlans struct {
	operation *ast.OperationDefinition
	// conditions are the names of the variables of @skip and @include.
	conditions []string
	mu         sync.Mutex
	// variants does not change; a plan is added to a copy.
	variants atomic.Pointer[[]variant]
}

// variant is the plan for some values of the conditions.
type variant struct {
	conditions uint64
	plan       *Plan
}

const (
	// maxVariants limits the plans that a document keeps: its operations, for each combination of the values of their
	// conditions. Others are compiled each time.
	maxVariants = 8
	// conditionBits is the size of a value: true, false, or null for a variable with a default value.
	conditionBits = 2
	// maxConditions is how many values a variant has room for.
	maxConditions = 64 / conditionBits
)

// NewDocument returns the Document of a validated document, which must not change any more. Its operations are compiled
// when they are needed.
func NewDocument(s *Schema, doc *ast.QueryDocument) *Document {
	d := &Document{schema: s, doc: doc}
	for _, o := range doc.Operations {
		c := conditionSearch{spread: map[string]bool{}}
		c.selections(o.SelectionSet)
		d.operations = append(d.operations, &operationPlans{operation: o, conditions: c.names})
	}
	d.bytes.Store(int64(documentBytes(doc)))
	return d
}

// Plan returns the plan of an operation of the document with coerced variables.
func (d *Document) Plan(operation *ast.OperationDefinition, variables map[string]any) *Plan {
	i := slices.IndexFunc(d.operations, func(o *operationPlans) bool { return o.operation == operation })
	o := d.operations[i]
	if len(o.conditions) > maxConditions {
		return d.schema.Compile(d.doc, operation, variables)
	}
	conditions := o.values(variables)
	if p := o.get(conditions); p != nil {
		return p
	}
	return d.add(o, variant{conditions, d.schema.Compile(d.doc, operation, variables)})
}

// add keeps a plan, unless there are too many. It returns the one that was added first.
func (d *Document) add(o *operationPlans, v variant) *Plan {
	o.mu.Lock()
	defer o.mu.Unlock()
	if p := o.get(v.conditions); p != nil {
		return p
	}
	if d.kept.Add(1) > maxVariants {
		d.kept.Add(-1)
		return v.plan
	}
	var variants []variant
	if old := o.variants.Load(); old != nil {
		variants = slices.Clone(*old)
	}
	variants = append(variants, v)
	o.variants.Store(&variants)
	d.bytes.Add(int64(v.plan.bytes()))
	return v.plan
}

func (o *operationPlans) get(conditions uint64) *Plan {
	if variants := o.variants.Load(); variants != nil {
		for _, v := range *variants {
			if v.conditions == conditions {
				return v.plan
			}
		}
	}
	return nil
}

// values returns the values of the conditions.
func (o *operationPlans) values(variables map[string]any) uint64 {
	var values uint64
	for _, name := range o.conditions {
		values <<= conditionBits
		switch variables[name] {
		case true:
			values |= 1
		case false:
			values |= 2
		}
	}
	return values
}

// conditionSearch collects the variables of @skip and @include.
type conditionSearch struct {
	names  []string
	spread map[string]bool
}

func (c *conditionSearch) selections(set ast.SelectionSet) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			c.directives(s.Directives)
			c.selections(s.SelectionSet)
		case *ast.InlineFragment:
			c.directives(s.Directives)
			c.selections(s.SelectionSet)
		case *ast.FragmentSpread:
			c.directives(s.Directives)
			if !c.spread[s.Name] {
				c.spread[s.Name] = true
				c.selections(s.Definition.SelectionSet)
			}
		}
	}
}

func (c *conditionSearch) directives(directives ast.DirectiveList) {
	for _, d := range directives {
		if !isCondition(d) {
			continue
		}
		value := d.Arguments.ForName("if").Value
		if value.Kind == ast.Variable && !slices.Contains(c.names, value.Raw) {
			c.names = append(c.names, value.Raw)
		}
	}
}

// Bytes returns an upper estimate of the memory that the document and its plans use. It grows with each plan.
func (d *Document) Bytes() int { return int(d.bytes.Load()) }
