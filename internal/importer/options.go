package importer

import (
	"github.com/partita/partita/exit"
	"github.com/partita/partita/keys/stored"
)

// Options are what is known of the table besides its items.
type Options struct {
	// PK and SK are the attributes of the primary key; those that are "" are recognised. A table with Described and
	// without SK has no sort key.
	PK, SK string
	// Table is the name of the table, after which objects are named whose keys and attributes have no better name.
	Table string
	// Indexes are the table's indexes. They are recognised by the names of their attributes unless Described is set.
	Indexes []stored.IndexLayout
	// Described is set if Indexes are all indexes of the table.
	Described bool
	// Expires is the attribute of the table's time to live, "" for none.
	Expires string
	// Partial reports, after the items were read, whether the table has more items than these; nil for an export.
	Partial func() bool
	// omitted are the parts of the table's description that cannot be imported.
	omitted []string
}

func problem(what, fix string) error {
	return &exit.Error{Problem: what, Fix: fix, Code: exit.DataError}
}

// binaryKey returns the error for a key attribute that is a Binary.
func binaryKey(name string) error {
	return problem("the key attribute "+name+" is a Binary, which a field cannot have",
		"import a table whose keys are Strings or Numbers, or copy the items to one")
}
