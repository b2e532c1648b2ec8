// Numbers as both pages write them.

export const number = (n) => n.toLocaleString('en');

/** A number of things, such as "2 items". */
export const count = (n, what) => `${number(n)} ${what}${n === 1 ? '' : 's'}`;
