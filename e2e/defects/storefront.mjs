// Deliberate defects of the storefront, as in gateway.mjs.
const at = (file, find, replace) => ({ file: `e2e/storefront/src/${file}`, find, replace });

export const storefrontDefects = [
  {
    name: 'an optimistic counter that waits for the response',
    changes: [at('components/use-follow.ts', 'followee.followerCount + change', 'followee.followerCount')],
    tests: ['storefront/follow'],
    caught: ['following counts at once, and in the table on both sides'],
  },
  {
    name: 'an optimistic counter in the wrong direction',
    changes: [at('components/use-follow.ts', '...ends(-1)', '...ends(1)')],
    tests: ['storefront/follow'],
    caught: ['unfollowing counts at once, and in the table on both sides'],
  },
  {
    name: 'an order that is sent again with another key',
    changes: [at('orders/use-place-order.ts', 'idempotencyKey: draft.key', 'idempotencyKey: crypto.randomUUID()')],
    tests: ['storefront/placing'],
    caught: ['an order whose response is lost is sent again with its key, also after a reload, and placed once'],
  },
  {
    name: 'a conflict that is not shown',
    changes: [
      at(
        'components/cancel-order.tsx',
        'const hasChanged = version !== based && !isSent;',
        'const hasChanged = false;',
      ),
    ],
    tests: ['storefront/cancel'],
    caught: ['an order that was paid meanwhile is cancelled only after another decision'],
  },
  {
    name: 'a page that forgets where it was',
    changes: [at('apollo/live.ts', 'operation.extensions = { live };', 'operation.extensions = {};')],
    tests: ['storefront/live'],
    caught: ['the gateway dies and returns: the pages say so, and show all that has happened meanwhile'],
  },
];
