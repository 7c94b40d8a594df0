import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { AccountKind, ConnectorKind } from '../../../src/connectors/kind.ts';
import type { AcquirerAnswer, Connector } from '../../../src/payments/ports.ts';
import { reportFigure } from '../../figures.ts';
import { sized } from '../../long.ts';
import { kept } from '../trialShop.ts';
import { type Tried, tried } from './flows.ts';
import type { Rows } from './paths.ts';
import { FAULTS, type Fault } from './strike.ts';
import { type Plan, type Result, tryPlans } from './trial.ts';

/** Every step of every connector, struck by every fault, in every flow that reaches it. The steps are the rows of the connector. */

/** What a fault leads to is struck too: inquiries, repetitions, cancellations. */
const SECOND_FAULTS = sized<readonly Fault[]>({ quick: ['silent'], assure: FAULTS, reliability: FAULTS });
/** So long that an acquirer forgets a key. */
const AWAY_MS = 25 * 3_600_000;
/** Merchants of one gateway at the same time. */
const AT_ONCE = 90;
/** In how many flows a step is struck: in the first one that reaches it, or in all of them. */
const FLOWS_MAX = sized({ quick: 1, assure: Number.POSITIVE_INFINITY, reliability: Number.POSITIVE_INFINITY });

const rowsOf = ({ underTest: { kind } }: Tried): Rows => (kind as AccountKind<never>).steps;

async function tryAll({ underTest, flows }: Tried, plans: readonly Plan[], rows: Rows): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < plans.length; at += AT_ONCE)
    results.push(...(await tryPlans(underTest, flows, plans.slice(at, at + AT_ONCE), { rows })));
  return results;
}

const named = ({ plan: { flow, strikes }, faults }: Result): readonly string[] =>
  faults.map((fault) => `${flow}, ${strikes.map((strike) => strike.join(' ')).join(' and ') || 'no fault'}: ${fault}`);

const [stripe] = tried;
assert.ok(stripe);
const unsent: AcquirerAnswer = { is: 'declined', code: '900.100.600', details: {} };

const sendsBy =
  (change: (send: Connector['send']) => Connector['send']) =>
  (kind: ConnectorKind): ConnectorKind => {
    const whole = kind as AccountKind<never>;
    const create: typeof whole.create = (needs, account) => {
      const connector = whole.create(needs, account);
      return { ...connector, send: change(connector.send) };
    };
    return { ...whole, create };
  };

/** The code that a step without an answer once ended with. */
const before: AcquirerAnswer = { is: 'declined', code: '900.100.400', details: {} };

const planted = [
  {
    what: 'a silent confirmation goes on to the next account',
    strike: ['confirm', 'lost'],
    says: /the shopper is charged twice/,
    send: sendsBy((send) => async (attempt) => {
      const answer = await send(attempt);
      return answer.is === 'waiting' ? unsent : answer;
    }),
  },
  {
    what: 'a payment ends with a step that cannot book',
    strike: ['method', 'silent'],
    says: /lost/,
    send: sendsBy((send) => async (attempt) => {
      const answer = await send(attempt);
      return answer.is === 'declined' && answer.code === '900.100.600' ? before : answer;
    }),
  },
] as const;

after(() => kept.destroy());

// The flows wait most of the time.
describe('steps', { concurrency: true }, () => {
  for (const one of tried) {
    const { name } = one.underTest.kind;
    const rows = rowsOf(one);
    test(`${name}: whichever step has no answer, no payment is lost and none is booked twice`, async (t) => {
      const calm = await tryAll(
        one,
        Object.keys(one.flows).map((flow) => ({ flow, strikes: [] })),
        rows,
      );
      assert.deepEqual(calm.flatMap(named), []);
      const reachedBy = new Map(calm.map(({ plan, reached }) => [plan.flow, reached]));
      const once = Object.keys(rows).flatMap((step) => {
        const flows = [...reachedBy].filter(([, steps]) => steps.has(step)).slice(0, FLOWS_MAX);
        return flows.flatMap(([flow]) => FAULTS.map((fault): Plan => ({ flow, strikes: [[step, fault]] })));
      });
      const struck = await tryAll(one, once, rows);
      // A step that a flow takes only after a fault is struck after one fault of each kind.
      const seen = new Set<string>();
      const twice = struck.flatMap(({ plan: { flow, strikes }, reached }) =>
        [...reached].flatMap((step): Plan[] => {
          const key = FLOWS_MAX === 1 ? step : `${flow} ${strikes[0]?.[1]} ${step}`;
          if (reachedBy.get(flow)?.has(step) || seen.has(key)) return [];
          seen.add(key);
          return SECOND_FAULTS.map((fault) => ({ flow, strikes: [...strikes, [step, fault]] }));
        }),
      );
      const isLong = ({ strikes: [strike] }: Plan): boolean => strike?.[1] === 'swallowed' && rows[strike[0]]?.books === true;
      const long = await tryPlans(one.underTest, one.flows, once.filter(isLong), { rows, awayMs: AWAY_MS });
      const both = await tryAll(one, twice, rows);
      const all = [...calm, ...struck, ...both, ...long];
      const worst = Math.round(Math.max(...all.map(({ worstMs }) => worstMs)));
      t.diagnostic(
        `${all.length} flows, ${struck.length} with one fault ${both.length} with two, ${long.length} for a day; the longest wait was ${worst} ms`,
      );
      assert.deepEqual(all.flatMap(named).slice(0, 10), []);
      const unreached = Object.keys(rows).filter((step) => !all.some(({ reached }) => reached.has(step)));
      assert.deepEqual(unreached, Object.keys(one.unreached ?? {}), 'no flow of test/connectors/steps/flows.ts reaches the step');
      reportFigure('R7', 'flows with struck steps', all.length - calm.length);
    });
  }

  for (const { what, strike, says, send } of planted)
    test(`control: ${what}, and that is found`, async () => {
      const plans: readonly Plan[] = [{ flow: 'debit', strikes: [strike] }];
      const results = await tryPlans(stripe.underTest, stripe.flows, plans, {
        rows: rowsOf(stripe),
        planted: send,
        isDeaf: true,
      });
      assert.match(results.flatMap(named).join('\n'), says);
    });

  test('control: a row that says of a step that books that it cannot is found', async () => {
    const { confirm } = rowsOf(stripe);
    assert.ok(confirm);
    const rows: Rows = { ...rowsOf(stripe), confirm: { ...confirm, books: false } };
    const results = await tryPlans(stripe.underTest, stripe.flows, [{ flow: 'debit', strikes: [['confirm', 'lost']] }], { rows });
    assert.match(results.flatMap(named).join('\n'), /no step that was sent can book/);
  });
});
