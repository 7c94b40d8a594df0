import { simulator } from '../../src/connectors/simulator/simulator.ts';
import { examplePayment } from '../../src/payments/examples.ts';
import { next } from '../../src/payments/lifecycle.ts';
import type { Payment } from '../../src/payments/payment.ts';
import type { AcquirerAnswer, Attempt, Connector } from '../../src/payments/ports.ts';
import type { Scenario } from '../../src/spec/scenarios/language.ts';
import { directivesFor, PLAYED, play, playedText } from '../../src/spec/scenarios/played.ts';

/** A payment that plays a scenario against a simulator in time of its own, and everything that was heard from it, line by line. */

const START = 1_790_000_000_000;
const TURNS_MAX = 400;

/** Time that goes on only when it is moved, and wakes what sleeps in it. */
function createTime() {
  let now = START;
  let sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const quiet = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    sleep: (ms: number) => new Promise<void>((wake) => sleepers.push({ at: now + ms, wake })),
    /** Goes on to the instant, from one sleeper to the next. */
    async to(instant: number): Promise<void> {
      await quiet();
      for (;;) {
        const first = sleepers.toSorted((one, other) => one.at - other.at)[0];
        if (!first || first.at > instant) break;
        sleepers = sleepers.filter((one) => one !== first);
        now = Math.max(now, first.at);
        first.wake();
        await quiet();
      }
      now = Math.max(now, instant);
    },
    forget: () => {
      sleepers = [];
    },
  };
}

export type Run = { readonly log: string; readonly payment: Payment };

type How = {
  readonly seed: number;
  readonly attempt: number;
  /** The shopper pays elsewhere. */
  readonly isAway?: boolean;
  /** After so many questions the simulator is a new one that remembers nothing. */
  readonly restartAfter?: number;
};

export async function run(scenario: Scenario, { seed, attempt, isAway = false, restartAfter }: How): Promise<Run> {
  const time = createTime();
  const lines: object[] = [];
  const played = play(scenario, { seed, attempt });
  let payment: Payment = examplePayment({
    createdAt: START,
    phase: { at: 'acquirer', dueAt: START + 35_000 },
    fields: { ...directivesFor(played), [PLAYED]: playedText(played) },
    ...(isAway && { paymentBrand: 'SOFORTUEBERWEISUNG', method: 'OT', instrument: null, fingerprint: null }),
  });
  const phaseNow = (): Payment['phase']['at'] => payment.phase.at;
  const hear = (does: string, answer: AcquirerAnswer | { readonly is: 'silence' }): void => {
    const code = 'code' in answer ? { code: answer.code } : {};
    lines.push({ at: time.now() - START, does, hears: answer.is, ...code });
    payment = next(payment, answer, time.now());
  };
  const begin = (): Connector =>
    simulator.create({
      clockOf: () => time,
      sleep: time.sleep,
      random: (bytes) => new Uint8Array(bytes),
      notify: async (_, answer) => hear('is told', answer),
    });
  let connector = begin();
  const asked = async (does: string, question: Promise<AcquirerAnswer>): Promise<void> => {
    const settled = question.catch(() => ({ is: 'silence' }) as const);
    // A question that takes its time is answered within half a minute.
    let answer: AcquirerAnswer | { readonly is: 'silence' } | null = null;
    void settled.then((one) => {
      answer = one;
    });
    for (let waited = 0; answer === null && waited <= 30_000; waited += 10) await time.to(time.now() + (waited === 0 ? 0 : 10));
    hear(does, answer ?? { is: 'silence' });
  };
  const fresh: Attempt = { payment, secrets: { number: '4200000000000000' }, referenced: null, registration: null, series: null };
  await asked('sends', connector.send(fresh));
  for (let turn = 0; turn < TURNS_MAX && payment.phase.at !== 'final'; turn += 1) {
    if (turn === restartAfter) {
      time.forget();
      connector = begin();
    }
    await time.to(payment.phase.dueAt);
    // What was told meanwhile may have ended it.
    const at = phaseNow();
    if (at === 'final') break;
    await asked(
      at === 'cancelling' ? 'cancels' : 'asks',
      at === 'cancelling' ? connector.cancel({ payment, referenced: null }) : connector.inquire({ payment, referenced: null }),
    );
  }
  // The bank may have more to tell.
  await time.to(time.now() + 3_600_000);
  return { log: lines.map((line) => `${JSON.stringify(line)}\n`).join(''), payment };
}
