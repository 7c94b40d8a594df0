/** Right expressions and instants to try them at, the same ones for the same seed. */

type Chance = { readonly below: (limit: number) => number; readonly pick: <T>(list: readonly T[]) => T };

/** A small generator whose whole state is one number (mulberry32). */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: (list) => list[below(list.length)] as (typeof list)[number] };
}

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const WEEKDAYS = 'SUN MON TUE WED THU FRI SAT'.split(' ');

type Values = { readonly least: number; readonly most: number; readonly names?: readonly string[]; readonly wraps?: boolean };

function value({ below }: Chance, { least, most, names }: Values): string {
  const at = below(most - least + 1);
  return names !== undefined && below(2) === 0 ? (names[at] as string) : String(least + at);
}

function entry(chance: Chance, values: Values): string {
  const { below } = chance;
  const step = `/${1 + below(Math.min(values.most - values.least + 1, below(3) === 0 ? 130 : 12))}`;
  switch (below(8)) {
    case 0:
      return `*${step}`;
    case 1:
      return `${value(chance, values)}${step}`;
    case 2:
    case 3: {
      const ends = [value(chance, values), value(chance, values)];
      if (values.wraps === false) ends.sort();
      return `${ends.join('-')}${below(2) === 0 ? step : ''}`;
    }
    default:
      return value(chance, values);
  }
}

function list(chance: Chance, values: Values): string {
  if (chance.below(3) === 0) return '*';
  return Array.from({ length: chance.below(4) === 0 ? 1 + chance.below(4) : 1 }, () => entry(chance, values)).join(',');
}

function dayOfMonth(chance: Chance): string {
  const { below, pick } = chance;
  const days = { least: 1, most: 31 };
  const one = (): string =>
    pick([
      () => 'L',
      () => 'LW',
      () => `L-${below(31)}`,
      () => `L-${below(31)}W`,
      () => `${1 + below(31)}W`,
      () => `${1 + below(31)}W`,
      () => entry(chance, days),
      () => entry(chance, days),
    ])();
  return below(2) === 0 ? list(chance, days) : Array.from({ length: 1 + (below(3) === 0 ? below(3) : 0) }, one).join(',');
}

function dayOfWeek(chance: Chance): string {
  const { below, pick } = chance;
  const days = { least: 1, most: 7, names: WEEKDAYS };
  const one = (): string =>
    pick([
      () => 'L',
      () => `${value(chance, days)}L`,
      () => `${value(chance, days)}#${1 + below(5)}`,
      () => `${value(chance, days)}#${1 + below(5)}`,
      () => entry(chance, days),
    ])();
  return below(2) === 0 ? list(chance, days) : Array.from({ length: 1 + (below(3) === 0 ? below(3) : 0) }, one).join(',');
}

/** Seven fields; it may never match. */
export function randomExpression(chance: Chance): string {
  const { below } = chance;
  const sixty = { least: 0, most: 59 };
  const days = below(2) === 0 ? [dayOfMonth(chance), '?'] : ['?', dayOfWeek(chance)];
  const second = below(2) === 0 ? String(below(60)) : list(chance, sixty);
  const month = below(2) === 0 ? '*' : list(chance, { least: 1, most: 12, names: MONTHS });
  const year = below(4) > 0 ? '*' : list(chance, { least: 1970, most: 2099, wraps: false });
  return [second, list(chance, sixty), list(chance, { least: 0, most: 23 }), days[0], month, days[1], year].join(' ');
}

/** An instant of the years of an expression; half of them lie within two days of a change of clocks. */
export function randomInstant({ below }: Chance, zone: string): number {
  const any = -86_400_000 + below(130 * 366 * 86_400) * 1000 + below(2) * below(1000);
  if (below(2) === 0) return any;
  const change = Temporal.Instant.fromEpochMilliseconds(any).toZonedDateTimeISO(zone).getTimeZoneTransition('previous');
  if (change === null || change.epochMilliseconds < 0) return any;
  return change.epochMilliseconds + (below(2 * 172_800) - 172_800) * 1000 + below(2) * below(1000);
}
