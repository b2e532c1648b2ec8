package telemetry

import "sync"

const (
	// otherLabel stands for all values of a label beyond those that are kept apart.
	otherLabel = "other"
	// maxLabelBytes is the longest value that is kept apart.
	maxLabelBytes = 64
	// maxCodes is how many codes of errors are kept apart.
	maxCodes = 50
)

// labels bounds the values of a label: each makes time series that live as long as the process.
type labels struct {
	most int

	mu    sync.RWMutex
	known map[string]struct{}
}

func newLabels(most int) *labels { return &labels{most: most, known: map[string]struct{}{}} }

// of is the value itself if it is known, or if it may become so and there is room for it; else otherLabel.
func (l *labels) of(value string, admit bool) string {
	if value == "" || l.isKnown(value) || admit && l.admit(value) {
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

func (l *labels) admit(value string) bool {
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
