import type { PRes, RangeData } from '../messages/message.ts';

/** The ranges of one network as they were last told. */
export type RangeList = {
  /** Names the state of the list, so that next time only changes are told; null: the whole list is asked for again. */
  readonly serialNum: string | null;
  /** The versions that the directory server itself speaks. */
  readonly from: string | null;
  readonly to: string | null;
  readonly ranges: readonly RangeData[];
};

const keyOf = ({ startRange, endRange }: RangeData): string => `${startRange}-${endRange}`;

/** The list after a preparation response: a new one, or the one before with its changes. Each change can be told twice. */
export function listAfter(before: RangeList | null, pres: PRes): RangeList {
  const byKey = new Map((before?.ranges ?? []).map((range) => [keyOf(range), range]));
  for (const { actionInd, ...range } of pres.cardRangeData ?? []) {
    if (actionInd === 'D') byKey.delete(keyOf(range));
    else byKey.set(keyOf(range), kept(range));
  }
  return {
    serialNum: pres.serialNum ?? null,
    from: pres.dsStartProtocolVersion ?? before?.from ?? null,
    to: pres.dsEndProtocolVersion ?? before?.to ?? null,
    ranges: [...byKey.values()],
  };
}

/** A directory server tells more than is read here; a list can be long. */
const kept = ({
  startRange,
  endRange,
  acsStartProtocolVersion,
  acsEndProtocolVersion,
  threeDSMethodURL,
}: RangeData): RangeData => ({
  startRange,
  endRange,
  acsStartProtocolVersion,
  acsEndProtocolVersion,
  ...(threeDSMethodURL !== undefined && { threeDSMethodURL }),
});

/** Ranges of one length by their start. `reach`: the highest end up to each, by which a search backwards knows when to give up. */
type Row = { readonly ranges: readonly RangeData[]; readonly reach: readonly string[] };

/**
 * Finds the range of a number; of several that hold it, the one that starts last. Digits of one length compare as text as they do as
 * numbers.
 */
export function createRangeSearch(list: readonly RangeData[]): (number: string) => RangeData | null {
  const rows = new Map<number, Row>();
  for (const [length, ranges] of Map.groupBy(list, ({ startRange }) => startRange.length)) rows.set(length, rowOf(ranges));
  return (number) => {
    const row = rows.get(number.length);
    if (!row) return null;
    const { ranges, reach } = row;
    for (let at = lastStart(ranges, number); at >= 0 && (reach[at] ?? '') >= number; at -= 1) {
      const range = ranges[at];
      if (range && range.endRange >= number) return range;
    }
    return null;
  };
}

function rowOf(list: readonly RangeData[]): Row {
  const ranges = list.toSorted((one, other) => order(one.startRange, other.startRange) || order(other.endRange, one.endRange));
  const reach: string[] = [];
  let highest = '';
  for (const { endRange } of ranges) {
    if (endRange > highest) highest = endRange;
    reach.push(highest);
  }
  return { ranges, reach };
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The last range that starts at the number or before it; -1 when none does. */
function lastStart(ranges: readonly RangeData[], number: string): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.startRange ?? '') <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
