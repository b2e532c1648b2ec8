package proposal

// Pattern is an access pattern: what a field of Query, or of an object, reads. What a field of the schema says by its
// name, arguments and type can be left out.
type Pattern struct {
	Field     string            `json:"field" jsonschema:"the field, such as Query.ordersByStatus or User.orders; one that the types do not have is added"`
	Type      string            `json:"type,omitempty" jsonschema:"the type of the objects that are read, if the field does not say it: for a connection of users whose items are Follow, it is Follow"`
	Result    string            `json:"result,omitempty" jsonschema:"for a field that is added: one, list or page; by default page"`
	Equals    map[string]string `json:"equals,omitempty" jsonschema:"fields of the type that are equal to something: each with the argument, or the field of the parent, that has the value, or viewer for the id of the user who asks, such as {\"userId\": \"id\"}"`
	Constants map[string]string `json:"constants,omitempty" jsonschema:"fields of the type that are equal to a constant, such as {\"status\": \"OPEN\"}"`
	Prefix    []string          `json:"prefix,omitempty" jsonschema:"fields of the type that optional arguments of their names may give from the left, such as [\"country\", \"city\"]"`
	Range     string            `json:"range,omitempty" jsonschema:"the field of the type for which an argument of its name gives a range; it also sorts"`
	Sort      string            `json:"sort,omitempty" jsonschema:"the field of the type that sorts"`
	Order     string            `json:"order,omitempty" jsonschema:"ASC or DESC"`
	AtMost    int               `json:"atMost,omitempty" jsonschema:"how many objects the collection has at most, if the domain has a limit; a list needs it"`
}

// Type is what is known of the objects of a type.
type Type struct {
	Name            string   `json:"name"`
	MaxBytes        int      `json:"maxBytes,omitempty" jsonschema:"the size of the largest object in bytes; 4096 by default"`
	Count           int64    `json:"count,omitempty" jsonschema:"roughly how many objects there are"`
	WritesPerSecond float64  `json:"writesPerSecond,omitempty" jsonschema:"how many objects are written in a second at most: an index with few partitions gets shards for them"`
	Identity        []string `json:"identity,omitempty" jsonschema:"the fields that identify an object; by default id, or what a pattern that reads one object has"`
}

// Proposal is a schema with keys.
type Proposal struct {
	Files    map[string]string `json:"files" jsonschema:"the schema files with the directives, without findings"`
	Patterns []Served          `json:"patterns"`
	Types    []Stored          `json:"types"`
	Unserved []Unserved        `json:"unserved" jsonschema:"patterns that no key serves: their fields are not in files"`
	Indexes  []string          `json:"indexes"`
	Notes    []string          `json:"notes"`
}

// Served is a pattern with what it costs.
type Served struct {
	Field        string  `json:"field"`
	Request      string  `json:"request" jsonschema:"Get, BatchGet, or Query with its index"`
	KeyCondition string  `json:"keyCondition"`
	Requests     int     `json:"requests" jsonschema:"at worst"`
	ReadUnits    float64 `json:"readUnits" jsonschema:"at worst"`
	Inferred     bool    `json:"inferred" jsonschema:"true if no pattern was given for the field"`
}

// Stored is how a type is stored, and what its writes cost because of its copies.
type Stored struct {
	Name        string   `json:"name"`
	Keys        []string `json:"keys" jsonschema:"the item, its copies and entries, each with partition key and sort key"`
	Items       int      `json:"items"`
	Entries     int      `json:"entries"`
	CreateUnits int      `json:"createUnits" jsonschema:"write units at worst"`
	UpdateUnits int      `json:"updateUnits"`
	DeleteUnits int      `json:"deleteUnits"`
	Bytes       int64    `json:"bytes,omitempty" jsonschema:"what all objects store at most, if their count was given"`
}

// Unserved is a pattern that no key serves without a Scan.
type Unserved struct {
	Field  string `json:"field"`
	Reason string `json:"reason"`
	Help   string `json:"help"`
}
