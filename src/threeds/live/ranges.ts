import type { PRes, RangeData } from '../messages/message.ts';
import type { NetworkName } from '../networks.ts';

/** The card ranges of one network. */
export type RangeList = {
  /** The version of the list, to request only changes next time; null: the whole list is requested again. */
  readonly serialNum: string | null;
  /** The versions that the directory server supports. */
  readonly from: string | null;
  readonly to: string | null;
  readonly ranges: readonly RangeData[];
};

const keyOf = ({ startRange, endRange }: RangeData): string => `${startRange}-${endRange}`;

/** Applies a preparation response: a whole list, or changes of the previous one. Changes are idempotent. */
export function listAfter(before: RangeList | null, pres: PRes): RangeList {
  const byKey = new Map((before?.ranges ?? []).map((range) => [keyOf(range), range]));
  for (const { actionInd, ...range } of pres.cardRangeData ?? []) {
    if (actionInd === 'D') byKey.delete(keyOf(range));
    else byKey.set(keyOf(range), usedElements(range));
  }
  return {
    serialNum: pres.serialNum ?? null,
    from: pres.dsStartProtocolVersion ?? before?.from ?? null,
    to: pres.dsEndProtocolVersion ?? before?.to ?? null,
    ranges: [...byKey.values()],
  };
}

/** Only the elements that are used: lists can be long. */
const usedElements = ({
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

/** Ranges of one number length, sorted by start. `reach`: the highest end up to each, which bounds the backward search. */
type RangeTable = { readonly ranges: readonly RangeData[]; readonly reach: readonly string[] };

/**
 * Finds the range of a number; of several that contain it, the one that starts last. Digits of equal length compare as text like numbers.
 */
export function createRangeSearch(list: readonly RangeData[]): (number: string) => RangeData | null {
  const rows = new Map<number, RangeTable>();
  for (const [length, ranges] of Map.groupBy(list, ({ startRange }) => startRange.length)) rows.set(length, tableOf(ranges));
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

function tableOf(list: readonly RangeData[]): RangeTable {
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

/** The index of the last range that starts at or before the number; -1 when there is none. */
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

/** Ports of the connection to live directory servers. */

/** Posts JSON over TLS with the certificate of one network. Rejects when no JSON comes back in time. */
export type Post = (
  url: string,
  json: object,
  bounds: { readonly answerBytesMax: number; readonly withinMs: number },
) => Promise<{ readonly status: number; readonly json: unknown }>;

export type StoredRangeList = { readonly list: RangeList; readonly goodAt: number };

/** Stores range lists across restarts: a directory server that is down, or limits how often it is asked, must not stop payments. */
export interface RangeStore {
  read(network: NetworkName): Promise<StoredRangeList | null>;
  write(network: NetworkName, kept: StoredRangeList): Promise<void>;
}

export type Alarm = (message: string, about: Readonly<Record<string, string>>) => void;
