package admin

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
)

// Facts are what DynamoDB says of a table beside what its Schema needs.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
type Facts struct {
	// ID is that of the table. DynamoDB gives each table a random one, which is shown only to those who may describe the
	// table: each replica of a global table has its own. If an endpoint has no ids, it is the table's name.
	ID string
	// IsGlobal is set for a global table. IsStrong is set if that has multi-Region strong consistency (MRSC), and Regions
	// are those of its replicas as far as they are known, sorted.
	IsGlobal, IsStrong bool
	Regions            []string
	// LocalIndexes are the names of all local indexes, declared or not. Bytes is the size of the table with them, at most
	// some hours old.
	LocalIndexes []string
	Bytes        int64
}

func factsOf(d *types.TableDescription) Facts {
	f := Facts{
		ID:       aws.ToString(d.TableId),
		IsGlobal: len(d.Replicas) > 0 || aws.ToString(d.GlobalTableVersion) != "",
		IsStrong: d.MultiRegionConsistency == types.MultiRegionConsistencyStrong,
		Bytes:    aws.ToInt64(d.TableSizeBytes),
	}
	for _, r := range d.Replicas {
		f.Regions = append(f.Regions, aws.ToString(r.RegionName))
	}
	slices.Sort(f.Regions)
	for _, ix := range d.LocalSecondaryIndexes {
		f.LocalIndexes = append(f.LocalIndexes, aws.ToString(ix.IndexName))
		f.Bytes += aws.ToInt64(ix.IndexSizeBytes)
	}
	return f
}

// roomForIndexes returns what to add to the advice that an index is added: DynamoDB adds one at a time, and a table has
// no more than its quota.
func roomForIndexes(schema table.Schema, d *types.TableDescription) string {
	missing, unused := 0, []string(nil)
	for _, name := range schema.Indexes {
		if g, _ := findIndex(d, name); g == nil {
			missing++
		}
	}
	for _, g := range d.GlobalSecondaryIndexes {
		if name := aws.ToString(g.IndexName); !slices.Contains(schema.Indexes, name) {
			unused = append(unused, name)
		}
	}
	switch n := len(d.GlobalSecondaryIndexes); {
	case n+missing > stored.MaxGlobalIndexes && len(unused) > 0:
		return fmt.Sprintf("; the table has %d of at most %d global indexes: delete one that no other program reads (%s), "+
			"or ask AWS for a higher quota", n, stored.MaxGlobalIndexes, strings.Join(unused, ", "))
	case n+missing > stored.MaxGlobalIndexes:
		return fmt.Sprintf("; the table has %d of at most %d global indexes: ask AWS for a higher quota",
			n, stored.MaxGlobalIndexes)
	case missing > 1:
		return fmt.Sprintf("; %d are missing, and DynamoDB adds one with each UpdateTable: wait until it is active", missing)
	}
	return ""
}
