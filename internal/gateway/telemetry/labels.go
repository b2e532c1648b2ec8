package telemetry

import "sync"

const (
	// otherLabel replaces all values of a label beyond those that are distinguished.
	otherLabel = "other"
	// maxLabelBytes is the length of the longest value that is distinguished.
	maxLabelBytes = 64
	// maxCodes is how many error codes are distinguished.
	maxCodes = 50
)

// labels limits the number of values of a label: the time series of each value exist as long as the process.
type labels struct {
	most int

	mu    sync.RWMutex
	known map[string]struct{}
}

func newLabels(most int) *labels { return &labels{most: most, known: map[string]struct{}{}} }

// of returns the value if it is known, or if mayAdd is set and it can be added; otherwise otherLabel.
func (l *labels) of(value string, mayAdd bool) string {
	if value == "" || l.isKnown(value) || mayAdd && l.add(value) {
		return value
	}
	return otherLabel
}

func (l *labels) isKnown(value string) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	_, known := l.known[value]
	return known
}

// add adds a value and reports whether it is known now.
func (l *labels) add(value string) bool {
	if len(value) > maxLabelBytes {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.known[value]; known {
		return true
	}
	if len(l.known) >= l.most {
		return false
	}
	l.known[value] = struct{}{}
	return true
}
