package amazon

import (
	"encoding/json"
	"sync"
)

// filling are the indexes that are being filled, and for how many DescribeTable requests. Its methods may be called
// concurrently.
type filling struct {
	takes  int
	mu     sync.Mutex
	byName map[string]int
}

// newIndexes returns the names of the indexes that an UpdateTable creates.
func newIndexes(text []byte) (names []string) {
	var b struct {
		GlobalSecondaryIndexUpdates []struct{ Create *struct{ IndexName string } }
	}
	_ = json.Unmarshal(text, &b) // The endpoint returns the error.
	for _, u := range b.GlobalSecondaryIndexUpdates {
		if u.Create != nil {
			names = append(names, u.Create.IndexName)
		}
	}
	return names
}

// created notes the indexes that an UpdateTable has created.
func (f *filling) created(text []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range newIndexes(text) {
		if f.takes > 0 {
			f.byName[name] = f.takes
		}
	}
}

// failure returns the error of a request for which an index must be filled; nil for none.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.OnlineOps.html
func (f *filling) failure(operation string, text []byte) *Failure {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.byName) == 0 {
		return nil
	}
	var b struct{ IndexName string }
	_ = json.Unmarshal(text, &b) // The endpoint returns the error.
	switch {
	case operation == "Query" && f.byName[b.IndexName] > 0:
		return failure("com.amazon.coral.validate#ValidationException",
			"Cannot read from backfilling global secondary index: "+b.IndexName, nil)
	case operation == "UpdateTable" && len(newIndexes(text)) > 0:
		return failure("com.amazonaws.dynamodb.v20120810#LimitExceededException", madeByTheTest, nil)
	}
	return nil
}

// describe sets the status of indexes in the answer to a DescribeTable, and fills them further.
func (f *filling) describe(answer []byte) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	var document struct{ Table map[string]any }
	if len(f.byName) == 0 || json.Unmarshal(answer, &document) != nil {
		return answer
	}
	all, _ := document.Table["GlobalSecondaryIndexes"].([]any)
	for _, one := range all {
		description, _ := one.(map[string]any)
		name, _ := description["IndexName"].(string)
		if f.byName[name] > 0 {
			description["IndexStatus"], description["Backfilling"] = "CREATING", true
		}
	}
	for name := range f.byName {
		if f.byName[name]--; f.byName[name] == 0 {
			delete(f.byName, name)
		}
	}
	return marshal(document)
}
