import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drive } from '../../src/payments/drive.ts';
import { examplePayment } from '../../src/payments/examples.ts';
import type { Answer, Connector, World } from '../../src/payments/needs.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { reversible } from '../../src/payments/refusal.ts';
import { localMaster } from '../../src/registrations/masterKey.ts';
import { openVault } from '../../src/registrations/vault.ts';
import { createMemoryStore } from '../../src/store/memory.ts';
import { createHeld } from '../../src/world.ts';

/** What the simulation found in the code once, each as the smallest case that shows it. */

const child = (id: string, given: Partial<Payment>): Payment => examplePayment({ id, familyId: 'root', ...given });
const root = child('root', { paymentType: 'PA', amount: 10_000n });
const raised = child('raised', { paymentType: 'PA', referencedId: 'root', industryPractice: 'INCREMENTAL_AUTH', amount: 5_000n });
const captured = (amount: bigint) => child('captured', { paymentType: 'CP', referencedId: 'root', amount });
const reversed = (referencedId: string, amount: bigint) => child('reversed', { paymentType: 'RV', referencedId, amount });

const cases: readonly (readonly [says: string, family: readonly Payment[], ofRoot: bigint, ofRaised: bigint])[] = [
  ['nothing was captured', [root, raised], 15_000n, 5_000n],
  ['the total was captured: nothing of the increment can be taken back', [root, raised, captured(15_000n)], 0n, 0n],
  ['a part of the increment is left', [root, raised, captured(12_000n)], 3_000n, 3_000n],
  ['a reversal of the increment lowers the total', [root, raised, reversed('raised', 5_000n)], 10_000n, 0n],
  ['a reversal of the total leaves less than the increment', [root, raised, reversed('root', 11_000n)], 4_000n, 4_000n],
];

for (const [says, family, ofRoot, ofRaised] of cases) {
  test(`reversal of an increment: ${says}`, () => {
    assert.equal(reversible({ family, payment: root }), ofRoot);
    assert.equal(reversible({ family, payment: raised }), ofRaised);
  });
}

const malformed: readonly unknown[] = [
  null,
  undefined,
  '<html>502</html>',
  {},
  { is: 'toString' },
  { is: 'declined' },
  { is: 'declined', code: '000.000.000', details: {} },
  { is: 'approved', code: '800.100.151', details: {} },
];

for (const answer of malformed) {
  test(`an answer of the acquirer that is none is silence: ${JSON.stringify(answer)}`, async () => {
    const world = await worldThatAnswers(answer as Answer);
    const payment = examplePayment({ phase: { at: 'acquirer', dueAt: 1_000 } });
    const message = { id: 'first', type: 'PAYMENT', action: null, code: '000.200.000' } as const;
    await world.store.commit({ payment, version: 0, sealed: null, claim: null, message, registration: null, spend: null });
    const attempt = { payment, secrets: {}, referenced: null, registration: null, series: null };
    const driven = await drive(world, { payment, version: 1 }, attempt);
    assert.equal(driven.phase.at, 'doubt');
    assert.deepEqual(await world.store.payment(payment.merchantId, payment.id), driven);
  });
}

async function worldThatAnswers(answer: Answer): Promise<World> {
  const answering = async () => answer;
  const connector: Connector = {
    name: 'simulator',
    modes: ['INTERNAL'],
    supports: {},
    answerMsMax: 1_000,
    send: answering,
    inquire: answering,
    cancel: answering,
  };
  const store = createMemoryStore();
  const now = () => 0;
  return {
    clock: { now },
    ids: { next: () => 'second', random: () => '', short: () => '' },
    timers: { within: (_ms, promise) => promise },
    vault: await openVault({ masters: [localMaster(new Uint8Array(32))], store, now }),
    wallets: { open: () => assert.fail('no wallet pays here') },
    alarm: (message) => assert.fail(message),
    store,
    threeDS: null,
    held: createHeld({ now: () => 0 }),
    connector: () => connector,
  };
}
