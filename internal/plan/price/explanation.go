package price

// Explanation is the worst-case plan of an operation, wave by wave.
type Explanation struct {
	ReadUnits  float64         `json:"estimatedReadUnits"`
	WriteUnits float64         `json:"estimatedWriteUnits"`
	Objects    float64         `json:"estimatedObjects"`
	Requests   int             `json:"requests"`
	Waves      []ExplainedWave `json:"waves"`
	// NotReady are the fields that are not served at present.
	NotReady []ExplainedProblem `json:"notReady,omitempty"`
	// Problems are the fields that are not read because of their arguments.
	Problems []ExplainedProblem `json:"problems,omitempty"`
	// Cut is set if the plan has more fields than maxExplained; the rest is left out.
	Cut bool `json:"cut,omitempty"`
	// Event is the plan of each event of a subscription, whose first state the rest is about; nil for other operations.
	Event *Explanation `json:"event,omitempty"`
}

// ExplainedProblem is a field that is not read.
type ExplainedProblem struct {
	// Field is its schema coordinate.
	Field string `json:"field"`
	// Line and Column are the place of the field in the document. They begin at 1.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Reason is the message of its error.
	Reason string `json:"reason"`
}

// ExplainedWave is what is sent in one wave.
type ExplainedWave struct {
	Requests int `json:"requests"`
	// RoundTrips is how many waves it counts as, if it has more requests than may be in flight; 0 for one.
	RoundTrips int             `json:"roundTrips,omitempty"`
	ReadUnits  float64         `json:"readUnits"`
	Reads      []ExplainedRead `json:"reads"`
}

// ExplainedRead are the Reads of one field.
type ExplainedRead struct {
	// ID identifies the Reads in the Explanation; it is positive.
	ID int `json:"id"`
	// DependsOn are the ids of the Reads whose items have values for the key condition, or decide whether the viewer
	// may read the field. They are in earlier waves.
	DependsOn []int `json:"dependsOn,omitempty"`
	// Field is its path from the root, by the names in the schema and with the sizes of pages.
	Field string `json:"field"`
	// Path is the field's path in the response, without the indexes of lists. Of several fields that are one Read, it
	// leads through the first, also to what is selected below another.
	Path []string `json:"path"`
	// Line and Column are the place of the field in the document. They begin at 1.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Kind is Get, Query, or Resolver for a hand-written resolver with a @cost; Create, Update or Delete for a mutation
	// without one.
	Kind string `json:"kind"`
	// Condition is the key condition, with {id of User} for a value that is not known until the parent has been read.
	Condition string `json:"condition,omitempty"`
	// Key is the key condition in parts, if all of its values are known.
	Key *ExplainedKey `json:"key,omitempty"`
	// Times is for how many objects the field is read; ReadUnits and WriteUnits are those of one.
	Times      float64 `json:"times"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits,omitempty"`
	// Writes are the items that a mutation writes.
	Writes []ExplainedWrite `json:"writes,omitempty"`
	// Sweep is what the sweep consumes after a deletion, for each object that it removes; "" if there is nothing to sweep.
	Sweep string `json:"sweep,omitempty"`
}

// ExplainedWrite is an item that a mutation writes.
type ExplainedWrite struct {
	// Action is Put, Update or Delete.
	Action string `json:"action"`
	// Item is what the item is: the name of its type, Type (copy), Type.counter, or the claim of a unique value or of an
	// idempotency key.
	Item string `json:"item"`
	// Key is the item's key as templates; "" for an item that no type of the schema has.
	Key string `json:"key,omitempty"`
	// Indexes are those in which the item has an entry.
	Indexes []string `json:"indexes,omitempty"`
	// Conditions are expressions of DynamoDB that must all hold, or nothing is written. {name} is a value of the input,
	// {name as read} one of the object that is read before, and {viewer} the viewer's id.
	Conditions []string `json:"conditions,omitempty"`
	// Units are the write units, those of the index entries included; 0 for what was written.
	Units float64 `json:"units,omitempty"`
	// Times is how many such items are written, whose Units these are; 0 is one.
	Times int `json:"times,omitempty"`
}
