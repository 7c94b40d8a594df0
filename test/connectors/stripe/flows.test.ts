import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { AcquirerAnswer } from '../../../src/payments/ports.ts';
import { exampleRegistration, INITIAL, LATER } from '../../contract/connectorFixtures.ts';
import { openAccount, type TriedAccount } from './account.ts';
import { AUTHENTICATED_CARD, SLOW_REFUND_CARD } from './book.ts';

const HOUR = 3_600_000;
let account: TriedAccount;
beforeEach(async () => {
  account = await openAccount({ multicapture: true, incrementalAuthorisation: true, descriptorCharacters: 12 });
});
afterEach(async () => {
  assert.deepEqual(account.server.faults, []);
  await account.close();
});

const codeOf = (answer: AcquirerAnswer): string => (answer.is === 'declined' ? answer.code : answer.is);
const send = (attempt: ReturnType<TriedAccount['attempt']>) => account.connector.send(attempt);
const lastRequest = (part: RegExp): string => decodeURIComponent(account.server.requests.findLast((one) => part.test(one)) ?? '');

test('a debit is approved with the scheme’s reference and the checks of address and security code', async () => {
  const answer = await send(account.attempt());
  assert.equal(answer.is, 'approved');
  if (answer.is !== 'approved') return;
  assert.match(answer.reference ?? '', /^pi_/);
  assert.deepEqual([answer.details.avsResponse, answer.details.cvvResponse], ['A', 'M']);
  assert.match(answer.details.schemeReference ?? '', /^ntid/);
  assert.match(answer.details.resultDetails?.ConnectorTxID2 ?? '', /^ch_/);
});

const declines = [
  ['4000000000000002', '800.100.100'],
  ['4000000000009995', '800.100.155'],
  ['4000000000009987', '800.100.165'],
  ['4000000000009979', '800.100.159'],
  ['4000000000000069', '800.100.157'],
  ['4000000000000127', '800.100.153'],
  ['4000000000000119', '900.100.201'],
] as const;
test('each test card is declined with its code', async () => {
  for (const [number, code] of declines)
    assert.equal(codeOf(await send(account.attempt({}, { secrets: { number } }))), code, number);
});

test('amounts that cannot be expressed never leave', async () => {
  for (const changes of [{ currency: 'JPY', amount: 9250n }, { currency: 'UGX' }, { amount: 100_000_000n }])
    assert.equal((await send(account.attempt(changes))).is, 'declined');
  assert.equal(account.server.requests.length, 0);
});

test('captures of parts, a refund and a reversal of the rest', async () => {
  const authorised = account.attempt({ paymentType: 'PA' });
  const referenced = account.after(authorised, await send(authorised));
  const capture = account.attempt({ paymentType: 'CP', amount: 3000n, referencedId: referenced.id }, { referenced });
  const captured = await send(capture);
  assert.equal(captured.is, 'approved');
  const second = account.attempt({ paymentType: 'CP', amount: 2000n }, { referenced });
  assert.equal((await send(second)).is, 'approved');
  assert.equal(codeOf(await send(account.attempt({ paymentType: 'RV', amount: 100n }, { referenced }))), '700.400.300');
  assert.equal((await send(account.attempt({ paymentType: 'RV', amount: 4200n }, { referenced }))).is, 'approved');
  const refund = account.attempt({ paymentType: 'RF', amount: 1000n }, { referenced: account.after(capture, captured) });
  assert.equal((await send(refund)).is, 'approved');
  const booked = await account.server.booked(authorised.payment);
  assert.deepEqual([booked.authorised, booked.captured, booked.refunded], [9200n, 5000n, 1000n]);
});

test('an increment sends the new total, and is not lost when its answer is', async () => {
  const authorised = account.attempt({ paymentType: 'PA' });
  const referenced = account.after(authorised, await send(authorised));
  const more = () => account.attempt({ paymentType: 'PA', amount: 800n, industryPractice: 'INCREMENTAL_AUTH' }, { referenced });
  assert.equal((await send(more())).is, 'approved');
  const second = more();
  account.lose = /increment/;
  assert.equal((await send(second)).is, 'waiting');
  account.lose = null;
  assert.equal(codeOf(await send(more())), '700.400.570');
  assert.equal((await account.connector.inquire({ payment: second.payment, referenced })).is, 'approved');
  assert.equal((await account.server.booked(authorised.payment)).authorised, 10_800n);
});

test('the shopper authenticates at the issuer, or does not', async () => {
  for (const isAuthenticated of [true, false]) {
    const attempt = account.attempt({ paymentType: 'PA' }, { secrets: { number: AUTHENTICATED_CARD } });
    const redirected = await send(attempt);
    assert.equal(redirected.is, 'redirected');
    const payment = account.after(attempt, redirected);
    assert.equal((await account.connector.inquire({ payment, referenced: null })).is, 'redirected');
    account.server.authenticate(payment.reference ?? '', isAuthenticated);
    const answer = await account.connector.completeReturn?.({ payment, referenced: null }, new Map());
    assert.equal(answer && codeOf(answer), isAuthenticated ? 'approved' : '100.380.401');
  }
});

test('the proof of another 3D Secure server is passed on, and refused when it is not whole', async () => {
  const fields = { 'threeDSecure.eci': '05', 'threeDSecure.version': '2.2.0', 'threeDSecure.dsTransactionId': 'd1' };
  const secrets = { number: AUTHENTICATED_CARD, verificationId: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' };
  assert.equal((await send(account.attempt({ fields }, { secrets }))).is, 'approved');
  assert.match(lastRequest(/confirm/), /three_d_secure\]\[electronic_commerce_indicator\]=05/);
  assert.equal(codeOf(await send(account.attempt({}, { secrets }))), '100.390.117');
});

test('what the acquirer cannot charge is refused', async () => {
  const bankAccount = { kind: 'bankAccount', holder: 'Ann Example', last4Digits: '0017' } as never;
  const noMail = account.attempt(
    { method: 'DD', instrument: bankAccount, fields: {} },
    { secrets: { iban: 'DE89370400440532013000' } },
  );
  assert.equal(codeOf(await send(noMail)), '100.900.100');
  assert.equal(codeOf(await send(account.attempt({}, { secrets: {} }))), '600.200.501');
});

test('without the shopper an issuer that wants authentication declines', async () => {
  const absent = account.attempt({}, { secrets: { number: AUTHENTICATED_CARD }, series: LATER });
  assert.equal(codeOf(await send(absent)), '300.100.100');
  assert.match(lastRequest(/confirm/), /off_session=true/);
  const byPhone = account.attempt({ fields: { transactionCategory: 'TO' } }, { secrets: { number: AUTHENTICATED_CARD } });
  assert.equal(codeOf(await send(byPhone)), '300.100.100');
});

test('stored details are charged by the acquirer’s own payment method', async () => {
  for (const paymentType of ['RG', 'DB'] as const) {
    const registrationId = paymentType === 'RG' ? 'a'.repeat(32) : 'b'.repeat(32);
    const amount = paymentType === 'RG' ? 0n : 9200n;
    const currency = paymentType === 'RG' ? 'XXX' : 'EUR';
    const stored = await send(account.attempt({ paymentType, amount, currency, registrationId }, { series: INITIAL }));
    assert.equal(stored.is, 'approved');
    const registration = exampleRegistration({ id: registrationId });
    const before = account.server.book.methods.size;
    const charged = await send(
      account.attempt({ registrationId }, { registration, series: LATER, secrets: { number: '4242424242424242' } }),
    );
    assert.equal(charged.is, 'approved');
    assert.equal(account.server.book.methods.size, before);
  }
});

test('a direct debit waits for the bank, which pays or returns it', async () => {
  const account1 = { holder: 'Ann', last4Digits: '3000', country: 'DE', bankCode: null, bic: null, bankName: null };
  const instrument = { kind: 'bankAccount', ...account1 } as const;
  const debit = () =>
    account.attempt(
      { method: 'DD', paymentBrand: 'DIRECTDEBIT_SEPA', instrument, fields: { 'customer.email': 'a@example.com' } },
      { secrets: { iban: 'DE89370400440532013000' } },
    );
  for (const isPaid of [true, false]) {
    const attempt = debit();
    const first = await send(attempt);
    assert.equal(first.is, 'waiting');
    const payment = account.after(attempt, first);
    account.server.settleDebits(isPaid);
    assert.equal(codeOf(await account.connector.inquire({ payment, referenced: null })), isPaid ? 'approved' : '800.100.155');
  }
  const nameless = account.attempt(
    { method: 'DD', instrument: { ...instrument, holder: null } },
    { secrets: { iban: 'DE89370400440532013000' } },
  );
  assert.equal(codeOf(await send(nameless)), '800.100.198');
});

test('an unknown outcome is learned by repeating the creation, and by search once the key may be gone', async () => {
  for (const hours of [1, 22, 25, 400]) {
    const attempt = account.attempt();
    account.lose = /confirm/;
    assert.equal((await send(attempt)).is, 'waiting');
    account.lose = null;
    account.time.now += hours * HOUR;
    // The reference was lost too, as by a crash.
    assert.equal((await account.connector.inquire({ payment: attempt.payment, referenced: null })).is, 'approved', `${hours} h`);
  }
});

test('what was never confirmed is absent, and its cancellation refuses a late confirmation', async () => {
  for (const hours of [0, 25]) {
    const { payment } = account.attempt();
    account.time.now += hours * HOUR;
    assert.equal((await account.connector.inquire({ payment, referenced: null })).is, 'absent');
    assert.equal((await account.connector.cancel({ payment, referenced: null })).is, 'cancelled');
  }
  assert.deepEqual(
    [...account.server.book.intents.values()].map(({ status }) => status),
    ['canceled'],
  );
});

test('a search that may lag proves nothing', async () => {
  const { payment } = account.attempt();
  account.time.now += 25 * HOUR;
  const doubtful = { ...payment, phase: { at: 'doubt', tries: 0, dueAt: 0, since: account.time.now - 1_000 } } as const;
  await assert.rejects(account.connector.inquire({ payment: doubtful, referenced: null }));
});

test('a cancellation pays back what was booked, once', async () => {
  const attempt = account.attempt();
  const payment = account.after(attempt, await send(attempt));
  for (const _ of [1, 2]) assert.equal((await account.connector.cancel({ payment, referenced: null })).is, 'cancelled');
  assert.equal((await account.server.booked(payment)).refunded, 9200n);
});

test('a refund that takes time, and one that fails', async () => {
  const attempt = account.attempt({}, { secrets: { number: SLOW_REFUND_CARD } });
  const referenced = account.after(attempt, await send(attempt));
  for (const [status, wanted] of [
    ['succeeded', 'approved'],
    ['failed', 'declined'],
  ] as const) {
    const refund = account.attempt({ paymentType: 'RF', amount: 1000n }, { referenced });
    const first = await send(refund);
    assert.equal(first.is, 'waiting');
    account.server.settleRefunds(status);
    assert.equal((await account.connector.inquire({ payment: account.after(refund, first), referenced })).is, wanted);
  }
});
