import type { ClockView, Scenario } from './generated/answers.ts';
import type { AdminOperations } from './generated/operations.ts';
import { type ScenarioName, testCards } from './generated/sandbox.ts';
import type { Runtime } from './send.ts';

/** The merchant's clock. A move resolves when everything that was due has been done, webhooks included. */
export type Clock = {
  read(): Promise<ClockView>;
  /** Stops it. */
  freeze(): Promise<ClockView>;
  /** Moves it ahead by a duration: `P1M`, `PT36H`, `30d`, `45m`. */
  moveBy(duration: string): Promise<ClockView>;
  /** Moves it ahead to an instant. */
  moveTo(instant: string | Date): Promise<ClockView>;
  /** Back to real time. */
  useRealTime(): Promise<ClockView>;
};

const POLL_MS = 200;

export function createClock(admin: AdminOperations, { sleep }: Pick<Runtime, 'sleep'>): Clock {
  /** A reply comes after 20 seconds at the latest; a longer move is asked about. */
  const arrive = async (view: ClockView): Promise<ClockView> => {
    let now = view;
    while (now.isMoving) {
      await sleep(POLL_MS);
      now = await admin.readClock();
    }
    return now;
  };
  return {
    read: () => admin.readClock(),
    freeze: () => admin.moveClock({ freeze: true }),
    moveBy: async (duration) => arrive(await admin.moveClock({ by: duration })),
    moveTo: async (instant) =>
      arrive(await admin.moveClock({ to: typeof instant === 'string' ? instant : instant.toISOString() })),
    useRealTime: () => admin.moveClock({ real: true }),
  };
}

type Played = { readonly 'customParameters[SCENARIO]': string };
type Draw = { readonly seed?: number; readonly attempt?: number };

/** A scenario of one's own, as a payment carries it. */
export type OwnScenario = Partial<Omit<Scenario, 'name' | 'says'>>;

/**
 * The parameter that makes a payment of the test environment play a scenario: one of the gateway's or of the merchant's by its name, or one
 * that is written here.
 */
export function playScenario(scenario: ScenarioName | (string & {}) | OwnScenario, { seed, attempt }: Draw = {}): Played {
  if (typeof scenario === 'object') return { 'customParameters[SCENARIO]': JSON.stringify(scenario) };
  const drawn = seed === undefined && attempt === undefined ? '' : `#${seed ?? 0}`;
  return { 'customParameters[SCENARIO]': `${scenario}${drawn}${attempt === undefined ? '' : `@${attempt}`}` };
}

/** Scenarios that apply without a parameter of the payment. */
export type Scenarios = {
  /** Every payment of the entity, or those by one card, play it. */
  attach(scenario: ScenarioName | (string & {}), to?: { readonly card?: string; readonly seed?: number }): Promise<void>;
  detach(scenario: ScenarioName | (string & {}), from?: { readonly card?: string }): Promise<void>;
  /** Stores a scenario under its name. */
  store(scenario: Scenario): Promise<void>;
};

export function createScenarios(admin: AdminOperations): Scenarios {
  return {
    attach: async (scenario, to = {}) => {
      await admin.attachScenario(scenario, to);
    },
    detach: async (scenario, from = {}) => {
      await admin.detachScenario(scenario, from);
    },
    store: async (scenario) => {
      await admin.putScenario({ scenario });
    },
  };
}

export type TestBrand = (typeof testCards)[number]['brand'];

/** The parameters of a card that the simulator accepts; `threeDSecure` chooses among the cards of a brand by the words of docs/simulator.md. */
export function testCard(brand: TestBrand = 'VISA', threeDSecure?: string) {
  const card = testCards.find((one) => one.brand === brand && (threeDSecure === undefined || one.threeDSecure === threeDSecure));
  if (!card) throw new TypeError(`no test card of ${brand} for ${threeDSecure}`);
  return {
    paymentBrand: card.brand,
    'card.number': card.number,
    'card.holder': 'Ann Example',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'card.cvv': card.brand === 'AMEX' ? '1234' : '123',
  } as const;
}
