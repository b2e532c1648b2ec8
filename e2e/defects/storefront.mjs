// Deliberate defects of the storefront, as in gateway.mjs.
const at = (file, find, replace) => ({ file: `e2e/storefront/src/${file}`, find, replace });

export const storefrontDefects = [
  {
    name: 'an optimistic counter that waits for the response',
    changes: [at('components/use-follow.ts', 'followee.followerCount + change', 'followee.followerCount')],
    tests: ['storefront/follow'],
    caught: ['following counts at once, and in the table on both sides'],
  },
];
