package plan

import "github.com/partita/partita/keys"

// setSources sets the attributes of a parent on which the key condition of a field and its count depend.
func (c *compiler) setSources(t *objectType, f *Field) {
	stored := c.types[t.Name]
	if t.stored != nil {
		stored = c.types[t.stored.Name]
	}
	read := f.Read
	if f.Kind == NodesField && t.connection != nil && t.connection.EdgeNode {
		read = c.Design.Field(t.connection.Edge, NodeName)
		stored = c.types[c.Design.EdgeItem(t.connection.Edge).Name]
	}
	if read == nil || t.payload != nil {
		return
	}
	for _, template := range [...]keys.Template{read.PK, read.SK} {
		for _, name := range template.Variables() {
			if name != keys.ViewerVariable && read.Argument(name) == nil {
				f.sources = stored.appendFormat(f.sources, name)
			}
		}
	}
	if name := read.SinceVariable(); name != "" {
		f.sources = stored.appendFormat(f.sources, name)
	}
	if read.Count != "" && f.selectsCount() {
		f.count = stored.appendFormat(nil, read.Count)
	}
}

// appendFormat appends the format of an attribute, if the type has one.
func (t *objectType) appendFormat(to []FieldFormat, name string) []FieldFormat {
	for _, a := range t.attributes {
		if a.Name == name {
			return append(to, a)
		}
	}
	return to
}
