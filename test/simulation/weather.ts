import type { Chance } from './chance.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** In so many seeds a merchant makes schedules. */
const PLANS_SHARE = 0.06;
/** In so many there are webhooks, most of them with none that is dead for long. */
const WEBHOOKS_SHARE = 0.03;
/** In so many there is a second account, for what the first one cannot be sent or refuses for itself. */
const SECOND_SHARE = 0.08;
/** In so many the clock of a node is a day off, and is put right again. */
const AWAY_SHARE = 0.06;
/** The same where there are plans, which few seeds have. */
const PLANS_AWAY_SHARE = 0.4;
/** In so many there is a storm: a clock jumps again and again, and everything fails at once, or only what follows a payment that succeeded. */
const STORM_SHARE = 0.25;
const DEAD_FOR = ['hour', 'hour', 'hour', 'hour', 'hour', 'day', 'day', 'week', 'week', 'month'] as const;

type Outage = { readonly from: number; readonly to: number };

/** What can go wrong in one run and how often, drawn once for each seed. Rates are probabilities for each call. */
export type Weather = {
  readonly nodes: number;
  readonly stories: number;
  /** How long the trouble lasts; after it everything works again. */
  readonly chaosMs: number;
  /** The connector decides within the process, so that intent and answer are one commit. */
  readonly isInProcess: boolean;
  readonly acquirerLoss: number;
  readonly acquirerLate: number;
  readonly acquirerTwice: number;
  readonly acquirerGarbage: number;
  readonly acquirerHangs: number;
  readonly acquirerDeclines: number;
  readonly acquirerWaits: number;
  /** Asked about a shopper who was sent away, the bank says again where to. */
  readonly bankRepeats: boolean;
  /** From when to when the acquirer does not answer, in milliseconds from the start. */
  readonly outages: readonly Outage[];
  readonly commitFails: number;
  readonly readFails: number;
  readonly storeSlow: number;
  readonly dies: number;
  readonly deaths: number;
  readonly pauses: number;
  /** How often the clock of a node jumps by an hour. More than once: it jumps back each time, and is never further off. */
  readonly jumps: number;
  /** The clock of a node is a day ahead or behind for a while, in milliseconds; 0: of none. */
  readonly awayMs: number;
  readonly skewMsMax: number;
  readonly clientLoss: number;
  readonly schemeFails: number;
  /** Of each kind of trouble with the directory servers, in parts; they are late more often than silent. */
  readonly directoryFails: number;
  /** The job that deletes what was kept long enough sees a date long after, so that something is. */
  readonly isLongAfter: boolean;
  /** How many payments a sweep takes at most: with few, what is stuck must not keep the rest from their turn. */
  readonly sweepLimit: number;
  /** How many merchants make plans. */
  readonly schedules: number;
  /** For how long one of the webhook endpoints is dead; null: there is none. */
  readonly webhooks: 'hour' | 'day' | 'week' | 'month' | null;
  /** How often the first of two accounts cannot be reached, and as often refuses a payment for itself; 0: there is one account. */
  readonly firstAccountFails: number;
  /** How often captures, refunds, reversals, increments and cancellations go wrong at the acquirer, beside what goes wrong with every call. */
  readonly followUpFails: number;
};

/**
 * Most seeds have most kinds of trouble, but each kind is missing in some, so that no kind can hide another. What few seeds have is drawn
 * apart: the others stay the runs they are without it.
 */
export function drawWeather(chance: Chance, apart: Chance): Weather {
  const drawn = drawUsual(chance, apart);
  return apart.hits(STORM_SHARE) ? stormOf(drawn, apart) : drawn;
}

function stormOf(drawn: Weather, apart: Chance): Weather {
  const rate = (least: number, most: number) => apart.between(least, most) / 100;
  const storm = { ...drawn, isInProcess: false, jumps: apart.between(4, 12), awayMs: 0, pauses: apart.between(4, 12) };
  if (apart.hits(0.6)) return { ...storm, followUpFails: rate(40, 80) };
  const wire = {
    acquirerLoss: rate(20, 40),
    acquirerLate: rate(10, 30),
    acquirerGarbage: rate(10, 30),
    acquirerHangs: rate(10, 30),
  };
  return { ...storm, ...wire, deaths: apart.between(2, 10) };
}

function drawUsual(chance: Chance, apart: Chance): Weather {
  const rate = (most: number) => (chance.hits(0.3) ? 0 : (chance.below(1000) / 1000) * most);
  const isLong = chance.hits(0.06);
  const chaosMs = isLong ? 7 * HOUR_MS : chance.between(3, 15) * MINUTE_MS;
  const outage = (msMax: number): Outage => {
    const from = chance.below(chaosMs - msMax);
    return { from, to: from + chance.between(1_000, msMax) };
  };
  const many = chance.hits(0.6) ? 0 : chance.between(1, 12);
  const webhooks = apart.hits(WEBHOOKS_SHARE) && !isLong ? apart.pick(DEAD_FOR) : null;
  const schedules = apart.hits(PLANS_SHARE) ? apart.between(1, 2) : 0;
  const awayShare = schedules > 0 ? PLANS_AWAY_SHARE : AWAY_SHARE;
  return {
    nodes: chance.between(2, 3),
    // What is told to others takes longer than what happens.
    stories: Math.min(chance.between(3, 7), webhooks === null ? 7 : 1),
    chaosMs,
    isInProcess: chance.hits(0.2),
    acquirerLoss: rate(0.2),
    acquirerLate: rate(0.2),
    acquirerTwice: rate(0.3),
    acquirerGarbage: rate(0.1),
    acquirerHangs: rate(0.1),
    acquirerDeclines: rate(0.25),
    acquirerWaits: rate(0.2),
    bankRepeats: chance.hits(0.3),
    outages: [
      ...(isLong ? [{ from: chance.below(HOUR_MS), to: 6 * HOUR_MS }] : []),
      ...(chance.hits(0.15) ? [outage(chaosMs / 2)] : []),
      ...Array.from({ length: many }, () => outage(40_000)),
    ],
    commitFails: rate(0.06),
    readFails: rate(0.05),
    storeSlow: rate(0.1),
    dies: rate(0.02),
    deaths: chance.hits(0.3) ? 0 : chance.between(1, 6),
    pauses: chance.hits(0.3) ? 0 : chance.between(1, 4),
    jumps: chance.hits(0.5) ? 1 : 0,
    skewMsMax: chance.hits(0.3) ? 0 : 10 * MINUTE_MS,
    clientLoss: rate(0.2),
    schemeFails: rate(0.4),
    directoryFails: rate(0.2),
    isLongAfter: chance.hits(0.25),
    sweepLimit: chance.pick([2, 5, 100]),
    schedules,
    webhooks,
    awayMs: apart.hits(awayShare) && !isLong && webhooks === null ? apart.pick([-DAY_MS, DAY_MS, DAY_MS]) : 0,
    firstAccountFails: apart.hits(SECOND_SHARE) ? apart.between(10, 30) / 100 : 0,
    followUpFails: 0,
  };
}
