package plan

// Kind is where a field's value comes from.
type Kind uint8

// The kinds of fields.
const (
	// GoField is a hand-written resolver. In a design without Go, it is a field that needs one.
	GoField Kind = iota
	// TypenameField is __typename.
	TypenameField
	// AttributeField is an attribute of the object's item.
	AttributeField
	// DifferenceField is the difference of two attributes of the object's item.
	DifferenceField
	// IdentityField is the global id of an object whose item has no such attribute.
	IdentityField
	// ReadField is read by the field's key condition.
	ReadField
	// MutationField is a mutation without hand-written Go. Its payload has the attributes of the object, the user errors
	// and the id of a deleted object as attributes, and reads the rest.
	MutationField
	// EdgesField, NodesField, TotalCountField and PageInfoField are those of a connection.
	EdgesField
	NodesField
	TotalCountField
	PageInfoField
	// CursorField and NodeField are those of an edge. A NodeField is the edge's own item; otherwise the field is a
	// ReadField.
	CursorField
	NodeField
	// HasNextPageField, HasPreviousPageField, StartCursorField and EndCursorField are those of a PageInfoField.
	HasNextPageField
	HasPreviousPageField
	StartCursorField
	EndCursorField
	// IntrospectionField is __schema, __type, or _service of a Federation subgraph, or a field of what they return.
	IntrospectionField
	// LiveField is a field of Subscription that returns the events of a connection. Those of one object are ReadFields.
	LiveField
	// ChangeField, EdgeField, ItemField and NodeIDField are the fields change, edge, node and nodeId of an event. Its
	// connection is a ReadField, and its cursor a CursorField.
	ChangeField
	EdgeField
	ItemField
	NodeIDField
	// NotReadyField is a field of any kind that the design does not serve: an error. Nothing below it is read or priced.
	NotReadyField
)

// NodeName is the name of the field of an edge that is its object.
const NodeName = "node"

var (
	connectionFields = map[string]Kind{
		"edges": EdgesField, "nodes": NodesField, "pageInfo": PageInfoField, "totalCount": TotalCountField,
	}
	edgeFields     = map[string]Kind{"cursor": CursorField, "node": NodeField}
	pageInfoFields = map[string]Kind{
		"hasNextPage": HasNextPageField, "hasPreviousPage": HasPreviousPageField,
		"startCursor": StartCursorField, "endCursor": EndCursorField,
	}
)

// pageInfoType is the type of Relay's pageInfo.
const pageInfoType = "PageInfo"

// edgesName is the name of the field of a connection with its edges.
const edgesName = "edges"

// connectionName is the name of the field of an event with the first page of its connection.
const connectionName = "connection"

// eventFields are the fields of the events of a connection.
var eventFields = map[string]Kind{
	"change": ChangeField, connectionName: ReadField, "edge": EdgeField, NodeName: ItemField,
	"nodeId": NodeIDField, "cursor": CursorField,
}
