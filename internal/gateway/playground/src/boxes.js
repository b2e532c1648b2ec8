// Turns a plan into the boxes of its picture. Pure functions.

const fewest = 4; // equal Reads of a wave that become one box

/**
 * The columns of the picture, one for each wave. A box has Reads of the same field: if there are many, as for fifty
 * aliases, they are one box. A frame has the boxes that one BatchGetItem serves.
 */
export function columnsOf(plan, measured, expanded = new Set()) {
  const boxOf = new Map(); // the key of the box of each Read
  const fieldOf = new Map(plan.waves.flatMap(({ reads }) => reads.map(({ id, field }) => [id, field])));
  const columns = plan.waves.map(({ requests, roundTrips = 1, readUnits, reads }, wave) => {
    const boxes = [];
    for (const [key, group] of Object.entries(Object.groupBy(reads, ({ kind, field }) => `${wave}:${kind}:${field}`))) {
      const together = group.length >= fewest && !expanded.has(key);
      for (const part of together ? [group] : group.map((read) => [read])) {
        const shown = !together && group.length >= fewest;
        const names = { group: shown ? key : undefined, folded: together ? key : undefined };
        boxes.push(boxOfReads(part, measuredOf(part, measured, fieldOf), names));
      }
    }
    for (const box of boxes) for (const { id } of box.reads) boxOf.set(id, box.key);
    return { wave: wave + 1, requests, roundTrips, readUnits, boxes };
  });
  for (const { boxes } of columns) {
    for (const box of boxes) {
      box.dependsOn = [...new Set(box.reads.flatMap(({ dependsOn = [] }) => dependsOn.map((id) => boxOf.get(id))))];
    }
  }
  markDearest(columns.flatMap(({ boxes }) => boxes));
  return columns.map((column) => ({ ...column, frames: framesOf(column) }));
}

/** Marks the boxes that consume most at worst, unless all are equal. */
function markDearest(boxes) {
  const unitsOf = ({ worst, worstWrites }) => worst + worstWrites;
  const all = boxes.map(unitsOf);
  const most = Math.max(...all);
  for (const box of boxes) box.isDearest = unitsOf(box) === most && Math.min(...all) < most;
}

function boxOfReads(reads, measured, { group, folded }) {
  const [first] = reads;
  return {
    ...first,
    key: `read-${first.id}`,
    reads,
    group,
    folded,
    times: sum(reads.map(({ times }) => times)),
    worst: sum(reads.map(({ times, readUnits }) => times * readUnits)),
    worstWrites: sum(reads.map(({ times, writeUnits = 0 }) => times * writeUnits)),
    measured,
  };
}

/** The boxes of a column in frames: the Gets of a wave are sent together. A frame of one box has no border. */
function framesOf({ boxes }) {
  const gets = boxes.filter(({ kind }) => kind === 'Get');
  const batched = sum(gets.map(({ times }) => times)) > 1;
  const others = boxes.filter(({ kind }) => kind !== 'Get').map((box) => ({ boxes: [box] }));
  if (gets.length === 0) return others;
  return [...others, { boxes: gets, name: batched ? 'BatchGetItem' : undefined }];
}

/** What Reads have consumed, if that was measured, and the fields that the same requests were for. */
function measuredOf(measuredReads, measured, fieldOf) {
  if (!measured) return undefined;
  const ids = new Set(measuredReads.map(({ id }) => id));
  const total = { times: 0, items: 0, readUnits: 0, writeUnits: 0, actions: [], waves: [], sharedWith: [], writes: [] };
  for (const { wave, action, reads, writes = [] } of measured.requests) {
    const own = reads.filter(({ id }) => ids.has(id));
    if (own.length === 0) continue;
    total.writes.push(...writes);
    for (const { times, items, readUnits, writeUnits = 0 } of own) {
      total.times += times;
      total.items += items;
      total.readUnits += readUnits;
      total.writeUnits += writeUnits;
    }
    total.actions = [...new Set([...total.actions, action])];
    if (wave) total.waves = [...new Set([...total.waves, wave])];
    const others = reads.filter(({ id }) => id !== 0 && !ids.has(id)).map(({ id }) => fieldOf.get(id));
    total.sharedWith = [...new Set([...total.sharedWith, ...others])];
  }
  return total;
}

/** What a run has written for fields that have no box, because only their Go code knows what they do. */
export const writtenBeside = (measured) =>
  measured?.requests.filter(({ reads }) => reads.every(({ id }) => id === 0)).flatMap(({ writes = [] }) => writes) ?? [];

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
