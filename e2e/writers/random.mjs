// Random values that follow from a seed alone, so that a sequence can be repeated.

/** Numbers from 0 to 1, by mulberry32. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export class Random {
  #next;

  constructor(seed) {
    this.#next = generator(seed);
  }

  /** A whole number from `low` to `high`, both included. */
  int(low, high) {
    return low + Math.floor(this.#next() * (high - low + 1));
  }

  chance(probability) {
    return this.#next() < probability;
  }

  one(choices) {
    return choices[this.int(0, choices.length - 1)];
  }

  /** Some of the choices, at least `least` of them. */
  some(choices, least = 1) {
    const left = [...choices];
    return Array.from({ length: this.int(least, choices.length) }, () => left.splice(this.int(0, left.length - 1), 1)[0]);
  }

  /** The value, or undefined as often as not. */
  maybe(value) {
    return this.chance(0.5) ? value() : undefined;
  }

  /** Words as people write them: capitals, umlauts, spaces. */
  words() {
    const words = ['Red', 'ÄHRE', 'straße', 'İzmir', 'a.b', 'O’Neil', 'x+y', 'café', '東京', 'UPPER', 'lower', '100 %'];
    return this.some(words).slice(0, 2).join(' ');
  }
}
