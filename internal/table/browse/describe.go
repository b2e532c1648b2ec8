package browse

// designAnswer is what the page shows of the design.
type designAnswer struct {
	Table   string       `json:"table"`
	Indexes []indexShown `json:"indexes"`
	Types   []typeShown  `json:"types"`
	// PartitionKeys is how many items one list of partitions reads.
	PartitionKeys int `json:"partitionKeys"`
	// Editable is set if items can be changed without the help of the schema.
	Editable bool `json:"editable,omitempty"`
}

// indexShown is the table itself, with the name "", or an index.
type indexShown struct {
	Name string `json:"name"`
	PK   string `json:"pk"`
	SK   string `json:"sk,omitempty"`
	// NumberSK is set if the sort key is a Number: keys that begin alike have nothing to do with each other.
	NumberSK   bool   `json:"numberSK,omitempty"`
	Projection string `json:"projection"`
}

type typeShown struct {
	Name   string       `json:"name"`
	Shapes []shapeShown `json:"shapes"`
	// Attributes are the stored names of its fields, in the order of the schema.
	Attributes []string `json:"attributes"`
}

// shapeShown is a pair of templates, of the table or of an index.
type shapeShown struct {
	Index string `json:"index,omitempty"`
	PK    string `json:"pk"`
	SK    string `json:"sk,omitempty"`
}

func (b *Browser) describe() designAnswer {
	d := designAnswer{Table: b.source.Name(), PartitionKeys: partitionKeys, Editable: b.editor != nil}
	for _, name := range append([]string{""}, b.design.IndexNames()...) {
		ix := b.design.Layout.Index(name)
		d.Indexes = append(d.Indexes, indexShown{
			Name: name, PK: ix.PK.String(), SK: ix.SK.String(), Projection: ix.Projection.String(),
			NumberSK: len(ix.SK) == 1 && ix.SK[0].Number,
		})
	}
	for _, t := range b.design.Types {
		shown := typeShown{Name: t.Name, Shapes: []shapeShown{{"", t.Item.PK.String(), t.Item.SK.String()}}}
		for _, a := range t.Attributes {
			shown.Attributes = append(shown.Attributes, a.StoredName())
		}
		for _, c := range t.Copies {
			shown.Shapes = append(shown.Shapes, shapeShown{"", c.PK.String(), c.SK.String()})
		}
		for _, ix := range t.Indexes {
			shown.Shapes = append(shown.Shapes, shapeShown{ix.Name, ix.PK.String(), ix.SK.String()})
		}
		d.Types = append(d.Types, shown)
	}
	return d
}
