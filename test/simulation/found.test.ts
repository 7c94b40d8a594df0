import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCommitEffects } from '../../src/app/modules/paymentModule.ts';
import { abandon, onCallback, onThreeDSResults } from '../../src/payments/callbacks.ts';
import { drive } from '../../src/payments/drive.ts';
import { exampleCommit, examplePayment } from '../../src/payments/examples.ts';
import { next } from '../../src/payments/lifecycle.ts';
import type { Payment, ThreeDS } from '../../src/payments/payment.ts';
import type { AcquirerAnswer, Connector, World } from '../../src/payments/ports.ts';
import { reversible } from '../../src/payments/refusal.ts';
import { createCountedEvents } from '../../src/payments/riskMemory/countedEvents.ts';
import { createFamilyQueue } from '../../src/payments/take.ts';
import { createPendingSecrets } from '../../src/payments/threeDS/startAuthentication.ts';
import { nextStep } from '../../src/payments/threeDS/steps.ts';
import { createBareRiskEngine } from '../../src/risk/engine.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { beginAuthentication } from '../../src/threeds/authentication.ts';
import { transIdOf } from '../../src/threeds/prepare.ts';
import { createSandboxThreeDS } from '../../src/threeds/sandbox/directoryServer.ts';
import { localMaster } from '../../src/vault/masterKey.ts';
import { openVault } from '../../src/vault/vault.ts';
import { boundPayments } from './chronicle.ts';
import { SHOPPER } from './secureStory.ts';

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
  { is: 'redirected' },
  { is: 'redirected', redirect: null, until: 'soon' },
];

for (const answer of malformed) {
  test(`an answer of the acquirer that is none is silence: ${JSON.stringify(answer)}`, async () => {
    const world = await worldThatAnswers(answer as AcquirerAnswer);
    const payment = await keep(world, examplePayment({ phase: { at: 'acquirer', dueAt: 1_000 } }));
    const attempt = { payment, secrets: {}, referenced: null, registration: null, series: null };
    const driven = await drive(world, { payment, version: 1 }, attempt);
    assert.equal(driven.phase.at, 'doubt');
    assert.deepEqual(await world.store.payment(payment.merchantId, payment.id), driven);
  });
}

const AWAY = { at: 'shopper', redirect: { url: '/bank', parameters: [] }, tries: 0, until: 0, dueAt: 0 } as const;
const DECLINED = { is: 'declined', code: '800.100.152', details: {} } as const;
const named = ({ merchantId, id }: Payment) => ({ merchantId, paymentId: id });

test('a bank that says again where the shopper was sent does not keep his payment open when his time is over', async () => {
  const world = await worldThatAnswers({ is: 'redirected', redirect: AWAY.redirect, until: 0 });
  const payment = await keep(world, examplePayment({ phase: AWAY }));
  assert.equal((await drive(world, { payment, version: 1 }, null)).phase.at, 'cancelling');
});

const notTakenBack: readonly (readonly [says: string, answer: AcquirerAnswer | Error])[] = [
  ['the bank does not answer', new Error('hang up')],
  ['the bank has not done it yet', { is: 'approved', details: {} }],
];

for (const [says, answer] of notTakenBack) {
  test(`a late approval is told again as long as it is not taken back: ${says}`, async () => {
    const alarms: string[] = [];
    const world = { ...(await worldThatAnswers(answer)), alarm: (message: string) => void alarms.push(message) };
    const payment = await keep(world, examplePayment({ phase: { at: 'final', code: '100.396.103' } }));
    await assert.rejects(onCallback(world, named(payment), { is: 'approved', details: {} }));
    assert.equal(alarms.length, 1);
  });
}

test('an approval that is overtaken by the end of its payment is taken back too', async () => {
  let cancellations = 0;
  const far = await worldThatAnswers({ is: 'cancelled' });
  const connector = far.connector('simulator', '') as Connector;
  const counting: Connector = {
    ...connector,
    cancel: (payment) => {
      cancellations += 1;
      return connector.cancel(payment);
    },
  };
  const world: World = { ...far, connector: () => counting };
  const payment = await keep(world, examplePayment({ phase: { ...AWAY, until: 1_000, dueAt: 1_000 } }));
  const { store } = world;
  // Between the reading and the writing another node says no.
  const overtaken: World = {
    ...world,
    store: {
      ...boundPayments(store),
      async family(merchantId, paymentId) {
        const family = await store.family(merchantId, paymentId);
        await onCallback(world, named(payment), DECLINED);
        return family;
      },
    },
  };
  const told = await onCallback(overtaken, named(payment), { is: 'approved', details: {} });
  assert.deepEqual(told?.phase, { at: 'final', code: DECLINED.code });
  assert.equal(cancellations, 1);
});

test('a no of the bank that is older than its yes does not end the cancellation', async () => {
  const world = await worldThatAnswers({ is: 'cancelled' });
  const payment = await keep(world, examplePayment({ phase: { at: 'cancelling', tries: 0, dueAt: 0 } }));
  await onCallback(world, named(payment), { is: 'approved', details: {} });
  assert.equal((await onCallback(world, named(payment), DECLINED))?.phase.at, 'cancelling');
});

test('the issuer is asked once, also by somebody who has read the payment before all the rest happened', async () => {
  let questions = 0;
  const servers = createSandboxThreeDS({ now: () => 0 });
  const counting: World['threeDS'] = {
    ...servers,
    directory(origin) {
      const directory = servers.directory(origin);
      const authenticate: typeof directory.authenticate = (areq, network) => {
        questions += 1;
        return directory.authenticate(areq, network);
      };
      return { ...directory, authenticate };
    },
  };
  const world: World = { ...(await worldThatAnswers({ is: 'waiting' })), threeDS: counting };
  const read = askingPayment();
  const attempt = { payment: read, secrets: { number: '4200000000000026' }, referenced: null, registration: null, series: null };
  world.pendingSecrets.put(read.id, attempt, 60_000);
  const done = next(read, await nextStep(world, read), 0);
  assert.equal(next(done, await nextStep(world, done), 0).phase.at, 'acquirer');
  await nextStep(world, read);
  assert.equal(questions, 1);
});

test('results for an authentication that its shopper has given up are not confirmed', async () => {
  const world = await worldThatAnswers({ is: 'waiting' });
  const asking = askingPayment();
  const { origin, state } = asking.threeDS as ThreeDS;
  const challenge = { at: 'challenge', acsUrl: null, isBack: false, dueAt: 900_000 } as const;
  const ids = { acsTransID: '7a3e4d10-5b6c-4d7e-8f90-a1b2c3d4e5f6', dsTransID: '1f2e3d4c-5b6a-4978-8695-a4b3c2d1e0f9' };
  const payment = await keep(world, {
    ...asking,
    threeDS: { origin, state: { ...state, ...ids, phase: challenge }, sealedProof: null },
  });
  const rreq = {
    messageType: 'RReq',
    messageVersion: state.version,
    threeDSServerTransID: state.threeDSServerTransID,
    ...ids,
    messageCategory: '01',
    transStatus: 'N',
    transStatusReason: '01',
    interactionCounter: '01',
    authenticationType: '01',
  };
  const given = await abandon(world, named(payment));
  assert.deepEqual(given?.phase, { at: 'final', code: '100.396.101' });
  assert.equal(given?.threeDS?.state.phase.at, 'done');
  assert.deepEqual(
    Object.entries(await onThreeDSResults(world, named(payment), rreq)).filter(([name]) =>
      /^(?:messageType|errorCode)$/.test(name),
    ),
    [
      ['messageType', 'Erro'],
      ['errorCode', '402'],
    ],
  );
});

/** A payment whose issuer is about to be asked. */
function askingPayment(): Payment {
  const origin = 'https://pay.example';
  const parameters = { network: 'visa', deviceChannel: '02', messageCategory: '01', windowSize: '05' } as const;
  const threeDSServerTransID = transIdOf(examplePayment().id);
  const none = { methodUrl: null, sdkTransID: null, decoupledMinutes: 60 } as const;
  const state = beginAuthentication({ threeDSServerTransID, version: '2.2.0', parameters, ...none }, 0);
  const phase = { at: 'authentication', dueAt: 10_000 } as const;
  return examplePayment({ phase, fields: SHOPPER, threeDS: { origin, state, sealedProof: null } });
}

async function keep({ store }: World, payment: Payment): Promise<Payment> {
  const message = { id: 'first', type: 'PAYMENT', action: null, code: '000.200.000' } as const;
  await store.commit(exampleCommit(payment, { event: message }));
  return payment;
}

async function worldThatAnswers(answer: AcquirerAnswer | Error): Promise<World> {
  const answering = async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const connector: Connector = {
    name: 'simulator',
    modes: ['INTERNAL'],
    supports: {},
    answerMsMax: 1_000,
    uncertainty: { learnedBy: 'id', lateMs: 0, cancelBindsLate: true, absenceIsProof: true },
    send: answering,
    inquire: answering,
    cancel: answering,
  };
  const store = createMemoryStore();
  const now = () => 0;
  return {
    clock: { now },
    ids: { next: nextId(), random: () => '', short: () => '' },
    timers: { within: (_ms, promise) => promise },
    unsentMs: 4_000,
    vault: await openVault({ masters: [localMaster(new Uint8Array(32))], store, now }),
    wallets: { open: () => assert.fail('no wallet pays here') },
    alarm: (message) => assert.fail(message),
    store,
    deriveEffects: createCommitEffects({ store, digest: () => '' }),
    threeDS: null,
    risk: createBareRiskEngine({ now }, { within: (_ms, promise) => promise }),
    channel: () => null,
    countedEvents: createCountedEvents({ now }),
    families: createFamilyQueue(),
    pendingSecrets: createPendingSecrets({ now: () => 0 }),
    connector: () => connector,
  };
}

function nextId(): () => string {
  let count = 1;
  return () => {
    count += 1;
    return `message ${count}`;
  };
}
