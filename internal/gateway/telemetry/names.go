package telemetry

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

const (
	// recurrences is how often an operation must be executed before its name has metrics of its own.
	recurrences = 3
	// maxCandidates is how many names are counted at a time that have not recurred often enough.
	maxCandidates = 1024
)

// operationNames are the names of operations that are distinguished: those that are listed, and then those that recur.
// Callers choose names: one that is used once is not worth time series, and callers without a token, who may be
// anybody, can add only half of the names.
type operationNames struct {
	*labels

	mu          sync.Mutex
	byAnonymous int // how many of the names callers without a token have added
	anonymous   candidates
	signedIn    candidates
}

// candidates are how often the names that are not distinguished were executed lately.
type candidates struct{ *simplelru.LRU[string, int] }

// newOperationNames distinguishes at most this many names, first the listed ones.
func newOperationNames(most int, listed []string) *operationNames {
	n := &operationNames{labels: newLabels(most), anonymous: newCandidates(), signedIn: newCandidates()}
	for _, name := range listed {
		if name != "" { // it needs no place
			n.add(name)
		}
	}
	return n
}

func newCandidates() candidates {
	lru, err := simplelru.NewLRU[string, int](maxCandidates, nil)
	if err != nil {
		panic(err) // the size above is not positive
	}
	return candidates{lru}
}

// ofExecuted returns the name of an operation that was executed if it is distinguished, otherwise otherLabel.
func (n *operationNames) ofExecuted(name string, signedIn bool) string {
	if name == "" || n.isKnown(name) || len(name) <= maxLabelBytes && n.recurs(name, signedIn) {
		return name
	}
	return otherLabel
}

// recurs counts an execution and reports whether the name is distinguished from now on.
func (n *operationNames) recurs(name string, signedIn bool) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	of := n.signedIn
	if !signedIn {
		if of = n.anonymous; n.byAnonymous >= n.most/2 {
			return false
		}
	}
	seen, _ := of.Get(name)
	if seen++; seen < recurrences {
		of.Add(name, seen)
		return false
	}
	of.Remove(name)
	if n.isKnown(name) { // since the caller looked
		return true
	}
	added := n.add(name)
	if added && !signedIn {
		n.byAnonymous++
	}
	return added
}
