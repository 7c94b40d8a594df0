/**
 * The next run found the other way round: each day is asked whether it fits the texts, each time is put into the zone by Temporal, and
 * nothing of `src/schedules` is used. It takes expressions of seven fields in upper case that are known to be right.
 */

type FieldRange = { readonly least: number; readonly most: number; readonly names?: string };

const SIXTY: FieldRange = { least: 0, most: 59 };
const HOUR: FieldRange = { least: 0, most: 23 };
const DAY: FieldRange = { least: 1, most: 31 };
const MONTH: FieldRange = { least: 1, most: 12, names: 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC' };
const WEEKDAY: FieldRange = { least: 1, most: 7, names: 'SUNMONTUEWEDTHUFRISAT' };
const YEAR: FieldRange = { least: 1970, most: 2099 };

function numberOf(text: string, { least, names }: FieldRange): number {
  return /^[A-Z]/.test(text) ? least + (names ?? '').indexOf(text) / 3 : Number(text);
}

/** Whether a value is in a list; a range is walked round the clock, which takes those that run over the end with the others. */
function isIn(list: string, value: number, place: FieldRange): boolean {
  const size = place.most - place.least + 1;
  return list.split(',').some((entry) => {
    const [, base = '', to, step] = /^([^-/]+)(?:-([^/]+))?(?:\/(.+))?$/.exec(entry) ?? [];
    const from = base === '*' ? place.least : numberOf(base, place);
    const end = to !== undefined ? numberOf(to, place) : base === '*' || step !== undefined ? place.most : from;
    const distance = (value - from + size) % size;
    return distance <= (end - from + size) % size && distance % Number(step ?? 1) === 0;
  });
}

const isWorkday = (date: Temporal.PlainDate): boolean => date.dayOfWeek <= 5;

/** The workday nearest to a day of the month of `date`; null when the month has no such day. */
function nearestTo(date: Temporal.PlainDate, day: number): Temporal.PlainDate | null {
  if (day < 1 || day > date.daysInMonth) return null;
  const wished = date.with({ day });
  const near = [0, -1, 1, -2, 2].map((days) => wished.add({ days }));
  return near.find((other) => other.month === date.month && isWorkday(other)) ?? null;
}

function fitsDayOfMonth(date: Temporal.PlainDate, list: string): boolean {
  return list.split(',').some((entry) => {
    const [, last, before, day, nearest] = /^(?:(L)(?:-(\d+))?|(\d+))(W?)$/.exec(entry) ?? [];
    if (last === undefined && nearest !== 'W') return isIn(entry, date.day, DAY);
    const wished = last === undefined ? Number(day) : date.daysInMonth - Number(before ?? 0);
    if (nearest !== 'W') return date.day === wished;
    return nearestTo(date, wished)?.equals(date) ?? false;
  });
}

function fitsDayOfWeek(date: Temporal.PlainDate, list: string): boolean {
  const weekday = (date.dayOfWeek % 7) + 1;
  return list.split(',').some((entry) => {
    if (entry === 'L') return weekday === 7;
    const [, last] = /^(.+)L$/.exec(entry) ?? [];
    if (last !== undefined) return numberOf(last, WEEKDAY) === weekday && date.add({ days: 7 }).month !== date.month;
    const [, day, nth] = /^(.+)#(\d)$/.exec(entry) ?? [];
    if (day !== undefined) return numberOf(day, WEEKDAY) === weekday && Math.ceil(date.day / 7) === Number(nth);
    return isIn(entry, weekday, WEEKDAY);
  });
}

/** The first instant of a time on the clock; a time that is skipped begins where the gap ends. */
function instantOf(time: Temporal.PlainDateTime, zone: string): number {
  const earlier = time.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (earlier.toPlainDateTime().equals(time)) return earlier.epochMilliseconds;
  const gap = earlier.getTimeZoneTransition('next');
  if (gap === null) throw new Error(`no gap at ${time} in ${zone}`);
  return gap.epochMilliseconds;
}

type Time = { readonly hour: number; readonly minute: number; readonly second: number };

/** The first time of a day later than `after`; hours and minutes that are over are left out as a whole. */
function firstOfDay(date: Temporal.PlainDate, texts: readonly string[], { after, zone }: OracleQuery): number | null {
  const [second = '', minute = '', hour = ''] = texts;
  const at = (time: Time): number => instantOf(date.toPlainDateTime(time), zone);
  const values = (list: string, place: FieldRange): number[] =>
    Array.from({ length: place.most - place.least + 1 }, (_, index) => place.least + index).filter((value) =>
      isIn(list, value, place),
    );
  const [seconds, minutes] = [values(second, SIXTY), values(minute, SIXTY)];
  for (const h of values(hour, HOUR)) {
    if (at({ hour: h, minute: 59, second: 59 }) <= after) continue;
    for (const m of minutes) {
      if (at({ hour: h, minute: m, second: 59 }) <= after) continue;
      for (const s of seconds) {
        const instant = at({ hour: h, minute: m, second: s });
        if (instant > after) return instant;
      }
    }
  }
  return null;
}

type OracleQuery = { readonly after: number; readonly zone: string };

/** The first run after an instant, or null. */
export function oracleNext(expression: string, asked: OracleQuery): number | null {
  const texts = expression.split(' ');
  const [, , , dayOfMonth = '', month = '', dayOfWeek = '', year = ''] = texts;
  let date = Temporal.Instant.fromEpochMilliseconds(asked.after)
    .toZonedDateTimeISO(asked.zone)
    .toPlainDate()
    .subtract({ days: 2 });
  while (date.year <= YEAR.most) {
    if (date.year < YEAR.least || !isIn(year, date.year, YEAR)) date = date.with({ month: 1, day: 1 }).add({ years: 1 });
    else if (!isIn(month, date.month, MONTH)) date = date.with({ day: 1 }).add({ months: 1 });
    else {
      const fits = dayOfWeek === '?' ? fitsDayOfMonth(date, dayOfMonth) : fitsDayOfWeek(date, dayOfWeek);
      const found = fits ? firstOfDay(date, texts, asked) : null;
      if (found !== null) return found;
      date = date.add({ days: 1 });
    }
  }
  return null;
}

function fits(
  time: Temporal.PlainDateTime,
  [second, minute, hour, dayOfMonth, month, dayOfWeek, year]: readonly string[],
): boolean {
  const date = time.toPlainDate();
  return (
    isIn(second ?? '', time.second, SIXTY) &&
    isIn(minute ?? '', time.minute, SIXTY) &&
    isIn(hour ?? '', time.hour, HOUR) &&
    isIn(month ?? '', time.month, MONTH) &&
    isIn(year ?? '', time.year, YEAR) &&
    (dayOfWeek === '?' ? fitsDayOfMonth(date, dayOfMonth ?? '') : fitsDayOfWeek(date, dayOfWeek ?? ''))
  );
}

/**
 * Every run of a stretch of time, second by second and by the words of the rule: a time that fits runs when it is shown for the first
 * time; when clocks jump, the second after the gap runs if any second of the gap would have.
 */
export function walk(expression: string, { from, to, zone }: { from: number; to: number; zone: string }): readonly number[] {
  const texts = expression.split(' ');
  const clock = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime();
  const [runs, seen]: [number[], Set<string>] = [[], new Set()];
  let last = clock(from - 1000);
  // What a repeated stretch shows again was shown before the stretch began.
  for (let at = from - 10_800_000; at < from; at += 1000) seen.add(clock(at).toString());
  for (let at = from; at <= to; at += 1000) {
    const now = clock(at);
    const passed = Math.round(last.until(now).total('seconds'));
    const skipped = passed > 1 ? Array.from({ length: passed - 1 }, (_, index) => last.add({ seconds: index + 1 })) : [];
    const isDue = [...skipped, now].some((time) => !seen.has(time.toString()) && fits(time, texts));
    if (isDue) runs.push(at);
    for (const time of [...skipped, now]) seen.add(time.toString());
    last = now;
  }
  return runs;
}
