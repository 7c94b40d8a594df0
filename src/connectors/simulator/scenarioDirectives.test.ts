import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleAttempt, LATER, openSimulator, START } from '../../../test/contract/connectorFixtures.ts';
import type { Payment } from '../../payments/payment.ts';

/** The directives of scenarios, each with its own effect. */

const pulled = (directives: Readonly<Record<string, string>>, more: Partial<Payment> = {}) =>
  exampleAttempt({
    fields: Object.fromEntries(Object.entries(directives).map(([name, text]) => [`customParameters[${name}]`, text])),
    ...more,
  });
const code = (answer: object | null | undefined): string => {
  const { is, code } = (answer ?? { is: 'nothing' }) as { is: string; code?: string };
  return code === undefined ? is : `${is} ${code}`;
};

const soft = { SIMULATOR_unauthenticated: '300.100.100' };
const withEci = (eci: string): Partial<Payment> => ({
  fields: { 'customParameters[SIMULATOR_unauthenticated]': '300.100.100', 'threeDSecure.eci': eci },
});

test('a soft decline applies only to cards without authentication', () => {
  const { connector } = openSimulator();
  const decide = (...given: Parameters<typeof pulled>) => code(connector.decide?.(pulled(...given)));
  assert.equal(decide(soft), 'declined 300.100.100');
  for (const eci of ['05', '06', '02', '01']) assert.equal(decide(soft, withEci(eci)), 'approved', eci);
  for (const eci of ['07', '00']) assert.equal(decide(soft, withEci(eci)), 'declined 300.100.100', eci);
  assert.equal(decide(soft, { paymentType: 'RG' }), 'approved');
  assert.equal(decide(soft, { method: 'DD' }), 'approved');
  assert.equal(decide({ SIMULATOR_unauthenticated: '000.100.110' }), 'declined 600.200.810');
  const merchants = { ...pulled(soft), series: LATER };
  assert.equal(code(connector.decide?.(merchants)), 'declined 100.150.300', 'what the merchant starts has other reasons');
});

const PENDING = { forceResultCode: '000.200.000' };
const endings: readonly (readonly [
  directives: Readonly<Record<string, string>>,
  afterMs: number,
  before: string,
  then: string,
])[] = [
  [PENDING, 60_000, 'waiting', 'approved'],
  [{ ...PENDING, SIMULATOR_for: '2h' }, 7_200_000, 'waiting', 'approved'],
  [{ ...PENDING, SIMULATOR_then: '800.100.152' }, 60_000, 'waiting', 'declined 800.100.152'],
  [{ ...PENDING, SIMULATOR_then: 'no code' }, 60_000, 'waiting', 'declined 600.200.810'],
  [{ SIMULATOR_answer: 'late', SIMULATOR_for: '2m' }, 150_000, 'waiting', 'approved'],
];
for (const [directives, afterMs, before, then] of endings) {
  test(`${JSON.stringify(directives)}: ${before}, and ${then} after ${afterMs} ms, on this node and on another one`, async () => {
    const { connector, time } = openSimulator();
    const attempt = pulled(directives, { phase: { at: 'acquirer', dueAt: START + 35_000 } });
    await connector.send(attempt).catch(() => null);
    const payment: Payment = { ...attempt.payment, phase: { at: 'doubt', tries: 0, dueAt: START } };
    time.now = START + afterMs - 1;
    assert.equal(code(await connector.inquire({ payment, referenced: null })), before);
    time.now = START + afterMs;
    assert.equal(code(await connector.inquire({ payment, referenced: null })), then);
    const other = openSimulator();
    other.time.now = START + afterMs;
    assert.equal(code(await other.connector.inquire({ payment, referenced: null })), then);
  });
}

test('down for as long as it is asked to be', async () => {
  const { connector, time } = openSimulator();
  const attempt = pulled({ SIMULATOR_answer: 'down', SIMULATOR_for: '1d' });
  const payment: Payment = { ...attempt.payment, phase: { at: 'doubt', tries: 0, dueAt: START } };
  time.now = START + 86_399_999;
  await assert.rejects(connector.send(attempt));
  await assert.rejects(connector.inquire({ payment, referenced: null }));
  time.now += 1;
  assert.equal(code(await connector.inquire({ payment, referenced: null })), 'absent');
});

test('an unknown time is named', () => {
  const { connector } = openSimulator();
  for (const directive of ['for', 'shopperAfter', 'confirmAfter']) {
    const answer = connector.decide?.(pulled({ [`SIMULATOR_${directive}`]: 'a while' }));
    assert.equal(code(answer), 'declined 600.200.810');
    assert.match(JSON.stringify(answer), new RegExp(`SIMULATOR_${directive}\\] has a value that the simulator does not know`));
  }
});
