import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../app/operatorError.ts';
import { sandbox, sandboxRows } from '../../merchants/sandbox.ts';
import { exampleCommit, examplePayment } from '../../payments/examples.ts';
import type { Payment } from '../../payments/payment.ts';
import type { Assessment } from '../../risk/assess.ts';
import { createMemoryStore } from '../../store/memory/memoryStore.ts';
import { UsageError } from '../command.ts';
import { formatExplanation, riskExplain } from './riskExplain.ts';

const accepted: Assessment = { ruleSet: 'usual', verdict: { is: 'accept' }, asksReview: false, score: 0, fired: [], shadow: [] };
const blocked: Assessment = {
  ruleSet: 'usual',
  verdict: { is: 'decline', code: '800.120.101' },
  asksReview: true,
  score: -600,
  fired: [
    {
      rule: 'cardTesting.card',
      says: 'One card has failed six times in an hour, wherever from.',
      verdict: 'decline',
      code: '800.120.101',
      score: -500,
      values: { 'count(card, 1h, failed)': '7' },
    },
    { rule: 'country.line', says: 'Elsewhere.', verdict: 'accept', code: null, score: -100, values: {} },
  ],
  shadow: [{ rule: 'velocity.ip', says: 'Sixty attempts.', verdict: 'decline', code: '800.120.102', score: 0, values: {} }],
};

const shown: readonly (readonly [what: string, given: Partial<Payment>, says: RegExp])[] = [
  ['without checks', { risk: null }, /^No risk checks were made: they were off, or it is of a kind that is not judged\.$/m],
  ['let through', { risk: accepted }, /^Verdict: {2}let through\nScore: {4}0\nRules: {4}the set "usual"\n\nNo rule fired\.$/m],
  [
    'challenged',
    { risk: { ...accepted, verdict: { is: 'challenge' }, asksReview: true } },
    /3D Secure; a review was asked for too$/m,
  ],
  [
    'reviewed',
    { risk: { ...accepted, verdict: { is: 'review' }, asksReview: true } },
    /^Verdict: {2}let through, for manual review$/m,
  ],
  [
    'blocked',
    { risk: blocked },
    /^Verdict: {2}blocked with 800\.120\.101, .+; a review was asked for too\nScore: {4}-600 \(the lower/m,
  ],
  [
    'blocked, by which rule',
    { risk: blocked },
    /^What fired:\n {2}cardTesting\.card \(decline, 800\.120\.101, score -500\)\n {4}One card .*\n {4}count\(card, 1h, failed\) = 7$/m,
  ],
  ['blocked, and what else fired', { risk: blocked }, /\n {2}country\.line \(score -100\)\n {4}Elsewhere\.\n/],
  [
    'blocked, and what was on trial',
    { risk: blocked },
    /\n\nOn trial, and without any effect:\n {2}velocity\.ip \(decline, 800\.120\.102\)\n {4}Sixty attempts\.$/,
  ],
  ['still open', { phase: { at: 'acquirer', dueAt: 1 } }, /^Result: {3}not decided yet$/m],
  [
    'final',
    {},
    /^Payment: {2}018f2b7c9a3d4e5f60718293a4b5c6d7, DB 92\.00 EUR, 2026-09-21T14:13:20Z\nResult: {3}000\.100\.110, /m,
  ],
];
for (const [what, given, says] of shown) {
  test(`a payment that is ${what} is explained`, () => assert.match(formatExplanation(examplePayment(given)).join('\n'), says));
}

async function standing() {
  const store = createMemoryStore();
  await store.insertAccounts(sandboxRows(0));
  const payment = examplePayment({ risk: blocked });
  const message = { id: 'm'.repeat(32), type: 'PAYMENT', action: null, code: '000.100.110' } as const;
  await store.commit(exampleCommit(payment, { event: message }));
  const output: string[] = [];
  const context = { store: async () => store, print: (line: string) => output.push(line) };
  return { output, payment, run: (line: string) => riskExplain(line.split(' ').filter(Boolean), context) };
}

test('a payment is found with and without its entity', async () => {
  const { output, payment, run } = await standing();
  for (const entity of ['', ` --entity ${sandbox.demoShop.merchantId}`, ` --entity ${sandbox.demoShop.channelId}`]) {
    output.length = 0;
    assert.equal(await run(`--payment ${payment.id}${entity}`), 0);
    assert.match(output.join('\n'), /cardTesting\.card/);
  }
});

const wrong: readonly (readonly [line: string, kind: typeof OperatorError | typeof UsageError, says: RegExp])[] = [
  ['', UsageError, /^--payment: is missing$/],
  ['--payment 1 --why', UsageError, /^Unknown option '--why'/],
  ['--payment 1', OperatorError, /^--payment: there is no payment "1"$/],
  ['--payment 1 --entity nobody', OperatorError, /^--entity: there is no entity "nobody"$/],
  [`--payment 1 --entity ${sandbox.psp}`, OperatorError, /Sandbox is a psp; name a merchant/],
  [
    `--payment 018f2b7c9a3d4e5f60718293a4b5c6d7 --entity ${sandbox.otherShop.merchantId}`,
    OperatorError,
    /there is no payment .* of this merchant$/,
  ],
];
for (const [line, kind, says] of wrong) {
  test(`risk-explain ${line} is refused`, async () => {
    const { run } = await standing();
    await assert.rejects(run(line), (error: Error) => {
      assert.match(error.message, says);
      return error instanceof kind;
    });
  });
}
