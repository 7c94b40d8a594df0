/**
 * A time zone as the list of its offsets from 1970 to 2100, in seconds: offset i holds from `since[i]` to `since[i + 1]`. Outside these
 * years the first and the last offset go on. `shown[i]` is the latest time its clocks have come to by the end of stretch i, exclusive;
 * it never falls, although clocks are put back.
 */
export type Zone = { readonly since: Float64Array; readonly offset: Float64Array; readonly shown: Float64Array };

const FROM_MS = Date.UTC(1969, 11, 30);
const TO_MS = Date.UTC(2100, 0, 3);
// A zone changes its clocks about twice a year; the busiest one four times.
const CHANGES_MAX = 2000;
// Names come in any letter case, so the number of spellings has no natural end.
const ZONES_MAX = 1000;

const zones = new Map<string, Zone>();

/** The zone of an IANA name; made once, in about 2 ms. A name that does not exist is a fault of the program: see `isZone`. */
export function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const made = createZone(name);
  if (zones.size >= ZONES_MAX) zones.clear();
  zones.set(name, made);
  return made;
}

/** Whether a text names a time zone. */
export function isZone(name: string): boolean {
  try {
    zoneOf(name);
    return true;
  } catch {
    return false;
  }
}

function createZone(name: string): Zone {
  let moment = Temporal.Instant.fromEpochMilliseconds(FROM_MS).toZonedDateTimeISO(name);
  const [since, offset] = [[-Infinity], [moment.offsetNanoseconds / 1e9]];
  for (let count = 0; count < CHANGES_MAX; count += 1) {
    const change = moment.getTimeZoneTransition('next');
    if (change === null || change.epochMilliseconds > TO_MS) break;
    since.push(change.epochMilliseconds / 1000);
    offset.push(change.offsetNanoseconds / 1e9);
    moment = change;
  }
  const shown: number[] = [];
  for (let at = 0; at < since.length; at += 1)
    shown.push(Math.max(shown[at - 1] ?? -Infinity, (since[at + 1] ?? Infinity) + (offset[at] as number)));
  return { since: Float64Array.from(since), offset: Float64Array.from(offset), shown: Float64Array.from(shown) };
}

/** The first place whose value is greater, in a list that never falls. */
function firstAbove(list: Float64Array, value: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The local time at an instant, both in whole seconds. */
export function clockAt(zone: Zone, instant: number): number {
  return instant + (zone.offset[firstAbove(zone.since, instant) - 1] as number);
}

/** The latest time the clocks have shown up to an instant: while an hour is repeated it stays at the end of that hour. */
export function shownUpTo(zone: Zone, instant: number): number {
  const at = firstAbove(zone.since, instant) - 1;
  const now = instant + (zone.offset[at] as number);
  return at === 0 ? now : Math.max(now, (zone.shown[at - 1] as number) - 1);
}

/**
 * The first instant at which the clocks show this time or a later one. That one sentence is the rule for every change of clocks: a time
 * that is skipped comes at the first instant after the gap, one that comes twice is taken the first time.
 */
export function instantOf(zone: Zone, clock: number): number {
  const at = firstAbove(zone.shown, clock);
  return Math.max(zone.since[at] as number, clock - (zone.offset[at] as number));
}
