package telemetry

import (
	"sync"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/loaders"
)

// Bounds of the histogram of the time from a commit to the answer of its event.
var eventSeconds = []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

func (m *Metrics) registerSubscriptions(f factory) {
	m.subscriptions = f.gauge("partita_subscriptions", "Subscriptions that have not ended.")
	m.subscriptionsEnded = f.counters("partita_subscriptions_ended_total",
		"Subscriptions that have ended, by the code of the error that ended them; empty if the client left, or if the "+
			"gateway closed the connection.", "code")
	m.subscriptionsEnded.WithLabelValues("")
	m.events = f.counters("partita_subscription_events_total",
		"Answers of subscriptions, by what they are about: CURRENT, ADDED, CHANGED, REMOVED.", "change")
	for _, kind := range loaders.EventKinds() {
		m.events.WithLabelValues(kind.String())
	}
	m.sharedAnswers = f.counter("partita_subscription_shared_answers_total",
		"Answers of subscriptions that were made for another one: its viewer asked for the same and may see the same.")
	m.eventErrors = f.counters("partita_subscription_event_errors_total",
		"Answers of subscriptions that had an error of the code: one for each distinct code of an answer.", "code")
	m.eventDelay = f.histogram("partita_subscription_event_delay_seconds",
		"Time from the commit of a change to the answer of its event. Times of Amazon DynamoDB have whole seconds.",
		eventSeconds)
	m.eventReadUnits = f.counter("partita_subscription_read_units_total", "Read units that subscriptions consumed.")
}

// countSubscription counts a subscription. It returns the functions that count its answers and its end.
func (m *Metrics) countSubscription() (event func(operation.EventReport), ended func(code string)) {
	m.subscriptions.Inc()
	var once sync.Once
	return m.countEvent, func(code string) {
		once.Do(func() {
			m.subscriptions.Dec()
			m.subscriptionsEnded.WithLabelValues(m.codes.of(code, true)).Inc()
		})
	}
}

func (m *Metrics) countEvent(r operation.EventReport) {
	m.events.WithLabelValues(r.Change).Inc()
	m.eventReadUnits.Add(r.Cost.ReadUnits)
	if r.IsShared {
		m.sharedAnswers.Inc()
	}
	if r.Delay > 0 {
		m.eventDelay.Observe(r.Delay.Seconds())
	}
	for _, code := range r.Codes {
		m.eventErrors.WithLabelValues(m.codes.of(code, true)).Inc()
	}
}
