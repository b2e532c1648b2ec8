// Deliberate defects of live data, as those of gateway.mjs.

const at = (file, find, replace) => ({ file, find, replace });

const inOrder = 'an order: its state, and then each new one, in order and once';

export const liveDefects = [
  {
    name: 'an event that is lost',
    // Not the last one of a test, which would wait for it.
    changes: [
      at('internal/live/hub.go', 'f.offer(q)', 'if c.New.Text("status") != "SHIPPED" {\n\t\t\t\t\t\tf.offer(q)\n\t\t\t\t\t}'),
    ],
    tests: ['live'],
    caught: [inOrder],
  },
  {
    name: 'an event that is sent twice',
    changes: [at('internal/live/hub.go', 'f.offer(q)', 'f.offer(q)\n\t\t\t\t\tf.offer(q)')],
    tests: ['live'],
    caught: [inOrder],
  },
  {
    name: 'an event for a viewer who may not see it',
    changes: [
      at('loaders/images.go', 'is = b.Allows(c, event.Item)', 'is = c != nil'),
      at('internal/gateway/subscribe/proof.go', 's.isUnproven = position != "" && !isProven', '_ = isProven'),
    ],
    tests: ['live'],
    caught: ['who resumes with the position of another object is denied, and receives nothing'],
  },
  {
    name: 'a position that is ignored',
    changes: [
      at(
        'internal/gateway/subscribe/subscription.go',
        'position, err := positionOfRequest(req.Extensions)',
        '_, err := positionOfRequest(req.Extensions)\n\tposition := ""',
      ),
    ],
    tests: ['live'],
    caught: ['who resumes receives what was missed, and nothing again'],
  },
  {
    name: 'a cache that keeps what has changed',
    changes: [at('internal/live/cache/cache.go', '\tc.items.evict(id, evicted)\n', '')],
    tests: ['live'],
    caught: ['a cache has nothing that was changed'],
  },
  {
    name: 'a state that is sent again instead of what was missed',
    changes: [at('internal/live/position.go', '!p.read.IsZero() && c.At.Before(p.read.Add(settled))', '!p.read.Equal(c.At)')],
    tests: ['live'],
    caught: ['who resumes after the first state of a connection has settled receives exactly what was missed'],
  },
];
