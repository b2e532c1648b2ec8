// Reads metrics in the text format of Prometheus, and computes with them as its functions do. Pure functions.

const line = /^(\w+)(?:\{(.*)\})? (\S+)/;
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const escaped = { '\\n': '\n', '\\"': '"', '\\\\': '\\' };

/**
 * The samples of a text: { name, labels, value }.
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export function parse(text) {
  return text.split('\n').flatMap((row) => {
    const [, name, labels = '', value] = (row.startsWith('#') ? null : row.match(line)) ?? [];
    return name ? [{ name, labels: labelsOf(labels), value: value === '+Inf' ? Infinity : Number(value) }] : [];
  });
}

const labelsOf = (text) =>
  Object.fromEntries([...text.matchAll(label)].map(([, name, value]) => [name, value.replace(/\\[n"\\]/g, (code) => escaped[code])]));

const matches = (labels, wanted) => Object.entries(wanted).every(([name, value]) => labels[name] === value);

/** The sum of the samples of a metric that have these labels. */
export const sum = (samples, name, wanted = {}) =>
  samples.reduce((total, sample) => (sample.name === name && matches(sample.labels, wanted) ? total + sample.value : total), 0);

/** The values that a label of a metric has. */
export const values = (samples, name, of) => [
  ...new Set(samples.filter((sample) => sample.name === name && sample.labels[of] !== undefined).map(({ labels }) => labels[of])),
];

/**
 * How much counters grew from one moment to another, each second. A counter that is smaller was reset: the gateway has
 * started again.
 */
export function rate(before, after, name, wanted) {
  const [first, last] = [sum(before.samples, name, wanted), sum(after.samples, name, wanted)];
  const seconds = after.at - before.at;
  return seconds > 0 ? (last < first ? last : last - first) / seconds : 0;
}

/**
 * A quantile of what a histogram observed between two moments, in its own unit; undefined if that was nothing. Within a
 * bucket, values are taken to be spread evenly.
 * https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile
 */
export function quantile(q, before, after, name, wanted = {}) {
  const bucket = `${name}_bucket`;
  const bounds = values(after.samples, bucket, 'le').map(Number).map((le) => (Number.isNaN(le) ? Infinity : le)).sort((a, b) => a - b);
  const grown = (le) => {
    const labels = { ...wanted, le: le === Infinity ? '+Inf' : String(le) };
    return rate(before, after, bucket, labels);
  };
  const counts = bounds.map(grown);
  const all = counts.at(-1);
  if (!all) return undefined;
  const i = counts.findIndex((count) => count >= q * all);
  const [below, from] = i === 0 ? [0, 0] : [counts[i - 1], bounds[i - 1]];
  if (bounds[i] === Infinity) return from;
  return from + ((bounds[i] - from) * (q * all - below)) / (counts[i] - below);
}
