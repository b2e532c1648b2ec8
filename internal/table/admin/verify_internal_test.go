package admin

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
)

// TestCompare compares descriptions that the local engine does not return.
func TestCompare(t *testing.T) {
	schema := table.Schema{Indexes: []string{"GSI1"}}
	for _, c := range []struct {
		name   string
		change func(*types.TableDescription)
		code   int // 0 for no error
		words  []string
	}{
		{"as created", func(*types.TableDescription) {}, 0, nil},
		{"another index besides", func(d *types.TableDescription) {
			mine := types.GlobalSecondaryIndexDescription{IndexName: aws.String("mine")}
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, mine)
		}, 0, nil},
		{"updating", func(d *types.TableDescription) { d.TableStatus = types.TableStatusUpdating }, 0, nil},
		{"creating", func(d *types.TableDescription) { d.TableStatus = types.TableStatusCreating },
			exit.TryAgain, []string{`"shop" is still being created`, "start again"}},
		{"deleting", func(d *types.TableDescription) { d.TableStatus = types.TableStatusDeleting },
			exit.Config, []string{`"shop" is DELETING`}},
		{"no sort key", func(d *types.TableDescription) { d.KeySchema = d.KeySchema[:1] },
			exit.Config, []string{"the keys PK (HASH) where PK (HASH), SK (RANGE)", `write pk: "PK", sk: null in @table`}},
		{"other names", func(d *types.TableDescription) { d.KeySchema[1].AttributeName = aws.String("sort") },
			exit.Config, []string{"the keys PK (HASH), sort (RANGE) where", `write pk: "PK", sk: "sort" in @table`}},
		{"number as key", func(d *types.TableDescription) {
			d.AttributeDefinitions[1].AttributeType = types.ScalarAttributeTypeN
		}, exit.Config, []string{"a key SK of type N where S is needed", "with @stored(as: NUMBER)"}},
		{"binary key", func(d *types.TableDescription) {
			d.AttributeDefinitions[0].AttributeType = types.ScalarAttributeTypeB
		}, exit.Config, []string{`the key PK of table "shop" is Binary; such keys are not served`}},
		{"no index", func(d *types.TableDescription) { d.GlobalSecondaryIndexes = nil },
			exit.Config, []string{"no index GSI1", "add the index"}},
		{"no index, and no room for it", func(d *types.TableDescription) {
			d.GlobalSecondaryIndexes = nil
			for i := range stored.MaxGlobalIndexes {
				mine := types.GlobalSecondaryIndexDescription{IndexName: aws.String(fmt.Sprintf("mine%d", i))}
				d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, mine)
			}
		}, exit.Config, []string{"no index GSI1", "has 20 of at most 20 global indexes: delete one that", "mine0, mine1,"}},
		{"index on other keys", func(d *types.TableDescription) {
			d.GlobalSecondaryIndexes[0].KeySchema = keySchema(stored.DefaultLayout().Index("GSI2"))
		},
			exit.Config, []string{"index GSI1", "GSI2PK (HASH), GSI2SK (RANGE)", "GSI1PK (HASH), GSI1SK (RANGE)"}},
		{"index of keys only", func(d *types.TableDescription) {
			d.GlobalSecondaryIndexes[0].Projection.ProjectionType = types.ProjectionTypeKeysOnly
		}, exit.Config, []string{"projects KEYS_ONLY where ALL is needed", "@table(indexes:)"}},
		{"index creating", func(d *types.TableDescription) {
			d.GlobalSecondaryIndexes[0].IndexStatus = types.IndexStatusCreating
		}, exit.TryAgain, []string{"GSI1", "still being built"}},
		{"index backfilling", func(d *types.TableDescription) { d.GlobalSecondaryIndexes[0].Backfilling = aws.Bool(true) },
			exit.TryAgain, []string{"GSI1", "still being built"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := TableInput("shop", schema)
			d := &types.TableDescription{
				TableStatus:          types.TableStatusActive,
				KeySchema:            slices.Clone(in.KeySchema),
				AttributeDefinitions: slices.Clone(in.AttributeDefinitions),
				GlobalSecondaryIndexes: []types.GlobalSecondaryIndexDescription{{
					IndexName:   in.GlobalSecondaryIndexes[0].IndexName,
					KeySchema:   in.GlobalSecondaryIndexes[0].KeySchema,
					Projection:  in.GlobalSecondaryIndexes[0].Projection,
					IndexStatus: types.IndexStatusActive,
				}},
			}
			c.change(d)
			err := compare("shop", schema, d)
			if c.code == 0 {
				if err != nil {
					t.Errorf("got %v", err)
				}
				return
			}
			var start *exit.Error
			if !errors.As(err, &start) || start.Code != c.code {
				t.Fatalf("got %#v, want exit code %d", err, c.code)
			}
			for _, word := range c.words {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("no %q in: %v", word, err)
				}
			}
		})
	}
}

// TestMissingIndexes: DynamoDB adds one index with each UpdateTable.
func TestMissingIndexes(t *testing.T) {
	missing := func(n int) string {
		s := table.Schema{Indexes: []string{"GSI1", "GSI2", "GSI3"}[:n]}
		return roomForIndexes(s, &types.TableDescription{})
	}
	if got := missing(1); got != "" {
		t.Errorf("for one index: %q", got)
	}
	const want = "; 3 are missing, and DynamoDB adds one with each UpdateTable: wait until it is active"
	if got := missing(3); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFacts: what is known of replicas and local indexes, by their descriptions.
func TestFacts(t *testing.T) {
	replica := func(region string) types.ReplicaDescription {
		return types.ReplicaDescription{RegionName: aws.String(region)}
	}
	for name, c := range map[string]struct {
		described types.TableDescription
		want      Facts
	}{
		"one Region": {types.TableDescription{
			TableId: aws.String("7"), TableSizeBytes: aws.Int64(5),
		}, Facts{ID: "7", Bytes: 5}},
		"local indexes": {types.TableDescription{
			TableSizeBytes: aws.Int64(5),
			LocalSecondaryIndexes: []types.LocalSecondaryIndexDescription{
				{IndexName: aws.String("byTitle"), IndexSizeBytes: aws.Int64(2)},
			},
		}, Facts{LocalIndexes: []string{"byTitle"}, Bytes: 7}},
		"eventually consistent": {types.TableDescription{
			GlobalTableVersion: aws.String("2019.11.21"), Replicas: []types.ReplicaDescription{replica("b"), replica("a")},
		}, Facts{IsGlobal: true, Regions: []string{"a", "b"}}},
		"said to be": {types.TableDescription{
			MultiRegionConsistency: types.MultiRegionConsistencyEventual, Replicas: []types.ReplicaDescription{replica("a")},
		}, Facts{IsGlobal: true, Regions: []string{"a"}}},
		"strongly consistent": {types.TableDescription{
			MultiRegionConsistency: types.MultiRegionConsistencyStrong, Replicas: []types.ReplicaDescription{replica("a")},
		}, Facts{IsGlobal: true, IsStrong: true, Regions: []string{"a"}}},
		"of the first version": {types.TableDescription{GlobalTableVersion: aws.String("2017.11.29")}, Facts{IsGlobal: true}},
	} {
		if got := factsOf(&c.described); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestCompareProjection compares projections with those that @table declares. An index may have more attributes than
// declared: they are read by key.
func TestCompareProjection(t *testing.T) {
	actual := func(projection types.ProjectionType, include ...string) *types.Projection {
		return &types.Projection{ProjectionType: projection, NonKeyAttributes: include}
	}
	for _, c := range []struct {
		name     string
		declared stored.IndexLayout
		actual   *types.Projection
		problem  string
	}{
		{"unknown", stored.IndexLayout{}, nil, ""},
		{"all", stored.IndexLayout{}, actual(types.ProjectionTypeAll), ""},
		{"not all", stored.IndexLayout{}, actual(types.ProjectionTypeInclude, "a"), "INCLUDE where ALL is needed"},
		{"keys", stored.IndexLayout{Projection: stored.KeysOnly}, actual(types.ProjectionTypeKeysOnly), ""},
		{"more than keys", stored.IndexLayout{Projection: stored.KeysOnly}, actual(types.ProjectionTypeInclude, "a"), ""},
		{"some", stored.IndexLayout{Projection: stored.Include, Include: []string{"b"}},
			actual(types.ProjectionTypeInclude, "a", "b"), ""},
		{"all in place of some", stored.IndexLayout{Projection: stored.Include, Include: []string{"b"}},
			actual(types.ProjectionTypeAll), ""},
		{"others", stored.IndexLayout{Projection: stored.Include, Include: []string{"a", "b", "c"}},
			actual(types.ProjectionTypeInclude, "b"), "INCLUDE without a, c"},
		{"keys in place of some", stored.IndexLayout{Projection: stored.Include, Include: []string{"b"}},
			actual(types.ProjectionTypeKeysOnly), "KEYS_ONLY where INCLUDE is needed"},
	} {
		if problem := compareProjection(c.declared, c.actual); problem != c.problem {
			t.Errorf("%s: %q, not %q", c.name, problem, c.problem)
		}
	}
}
