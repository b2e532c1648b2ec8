package plan

// fieldsPerObject is how many fields of an object in the answer are counted as one object: a wider one counts as
// several, because an alias costs as much as a field. An alias of aliasBytes or more counts as several fields.
const (
	fieldsPerObject = 16
	aliasBytes      = 64
)

// weigh sets how much an object of the node counts in the answer.
func (o *Object) weigh() {
	o.Weight = max(1, (o.width()+fieldsPerObject-1)/fieldsPerObject)
	for _, f := range o.Fields {
		switch f.Kind {
		case AttributeField, PageInfoField, NodeField:
			o.Weight += f.Weight()
		}
	}
}

// width returns the number of fields of an object, where one with a long alias counts as several.
func (o *Object) width() int {
	fields := 0
	for _, f := range o.Fields {
		fields += 1 + len(f.Alias)/aliasBytes
	}
	return fields
}

// PageWeight returns how much a page of a connection counts in the answer: the connection and its items, at each place.
// Nodes that are read by themselves are not included.
func (f *Field) PageWeight(items int) int {
	connection := f.Children[0]
	weight := connection.Weight
	for _, part := range connection.Fields {
		if part.Kind == EdgesField || part.Kind == NodesField && !f.Read.EdgeNode {
			weight += items * part.Weight()
		}
	}
	return weight
}

// Weight returns how much an object that the field returns counts in the answer: the greatest Weight of its types.
func (f *Field) Weight() int {
	weight := 0
	for _, o := range f.Children {
		weight = max(weight, o.Weight)
	}
	return weight
}
