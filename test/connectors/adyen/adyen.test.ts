import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusals } from '../../../src/connectors/adyen/codes.ts';
import type { Payment } from '../../../src/payments/payment.ts';
import type { AcquirerAnswer, Attempt } from '../../../src/payments/ports.ts';
import { MINUTE_MS } from '../../../src/spec/time.ts';
import { START } from '../../contract/connectorFixtures.ts';
import { after, cardAttempt, directed, modify, numberOf, openAdyen } from './opened.ts';
import { signedNotification } from './server.ts';

const ID = (digit: string): string => digit.repeat(32);

type Opened = Awaited<ReturnType<typeof openAdyen>>;

/** Runs a test with a connector and its server; no request may have been outside the contract. */
const withAdyen =
  (run: (opened: Opened) => Promise<void>, ...given: Parameters<typeof openAdyen>) =>
  async (): Promise<void> => {
    const opened = await openAdyen(...given);
    try {
      await run(opened);
      assert.deepEqual(opened.server.faults, []);
    } finally {
      await opened.server.close();
    }
  };

const codeOf = (answer: AcquirerAnswer): string => (answer.is === 'declined' ? answer.code : answer.is);

/** An approved payment, with its notifications received. */
async function paid({ connector, receiveAll }: Opened, given: Partial<Payment>): Promise<Payment> {
  const attempt = cardAttempt(given);
  const answer = await connector.send(attempt);
  assert.equal(answer.is, 'approved');
  await receiveAll();
  return after({ ...attempt.payment, phase: { at: 'final', code: '000.100.112' } }, answer);
}

const following = (referenced: Payment, given: Partial<Payment>, others: Partial<Attempt> = {}): Attempt =>
  cardAttempt({ referencedId: referenced.id, instrument: null, ...given }, { secrets: {}, referenced, ...others });

const range = (least: bigint, most = least) => ({ least, most });
const balance = (available: bigint, given: { captured?: bigint; reversed?: bigint; open?: bigint } = {}) => ({
  available: range(available, available + (given.open ?? 0n)),
  captured: range(given.captured ?? 0n),
  refunded: range(0n),
  reversed: range(given.reversed ?? 0n),
  chargedBack: range(0n),
  captures: 0,
});

test(
  'an approval carries ids, letters and the reference of the scheme',
  withAdyen(async ({ connector, server }) => {
    const answer = await connector.send(cardAttempt({ fields: { 'standingInstruction.mode': 'INITIAL' } }));
    assert.equal(answer.is, 'approved');
    if (answer.is !== 'approved') return;
    assert.equal(answer.reference, 'PSP0000000000001');
    const { avsResponse, cvvResponse, schemeReference, initialTransactionId, resultDetails } = answer.details;
    assert.deepEqual(
      [avsResponse, cvvResponse, schemeReference, initialTransactionId],
      ['F', 'M', '123456789012345', '123456789012345'],
    );
    assert.equal(resultDetails?.AuthCode, '044925');
    assert.equal(server.requests[0]?.key, cardAttempt().payment.id);
  }),
);

test(
  'every refusal reason is a decline of its own code',
  withAdyen(async ({ connector }) => {
    for (const [index, { code, ours }] of refusals.entries()) {
      const id = (index + 1).toString(16).padStart(32, '0');
      assert.equal(codeOf(await connector.send(cardAttempt({ id, ...directed(`refusal ${code}`) }))), ours, code);
    }
  }),
);

test(
  'captures, refunds, cancellations and reversals are decided by their notifications',
  withAdyen(async (opened) => {
    const authorisation = await paid(opened, { id: ID('1'), paymentType: 'PA' });
    const capture = following(authorisation, { id: ID('2'), paymentType: 'CP', amount: 5000n });
    const captured = await modify(opened, capture);
    assert.equal(captured.is, 'approved');
    const capturedPayment = after(capture.payment, captured);
    assert.equal(capturedPayment.details.resultDetails?.ConnectorTxID2, authorisation.reference);
    const second = await modify(opened, following(authorisation, { id: ID('3'), paymentType: 'CP', amount: 4200n }));
    assert.equal(second.is, 'approved');
    assert.equal(
      codeOf(await modify(opened, following(authorisation, { id: ID('4'), paymentType: 'CP', amount: 1n }))),
      '700.400.100',
    );
    assert.equal(
      (await modify(opened, following(capturedPayment, { id: ID('5'), paymentType: 'RF', amount: 5000n }))).is,
      'approved',
    );
    assert.equal(
      codeOf(await modify(opened, following(capturedPayment, { id: ID('6'), paymentType: 'RF', amount: 9000n }))),
      '700.400.200',
    );
    const debit = await paid(opened, { id: ID('7') });
    assert.equal((await modify(opened, following(debit, { id: ID('8'), paymentType: 'RV' }))).is, 'approved');
    const other = await paid(opened, { id: ID('9'), paymentType: 'PA' });
    assert.equal((await modify(opened, following(other, { id: ID('a'), paymentType: 'RV' }))).is, 'approved');
    const of = (id: string) => opened.server.booked({ merchantId: debit.merchantId, id });
    assert.deepEqual(of(ID('1')), { times: 1, authorised: 9200n, captured: 9200n, refunded: 5000n, isCancelled: false });
    assert.deepEqual(of(ID('7')), { times: 1, authorised: 9200n, captured: 9200n, refunded: 9200n, isCancelled: false });
    assert.deepEqual(of(ID('9')), { times: 1, authorised: 9200n, captured: 0n, refunded: 0n, isCancelled: true });
  }),
);

test(
  'an authorisation is raised and lowered by its new total',
  withAdyen(async (opened) => {
    const authorisation = await paid(opened, { id: ID('1'), paymentType: 'PA' });
    const raise = { id: ID('2'), paymentType: 'PA', amount: 800n, industryPractice: 'INCREMENTAL_AUTH' } as const;
    assert.equal((await modify(opened, following(authorisation, raise, { balance: balance(9200n) }))).is, 'approved');
    const part = { id: ID('3'), paymentType: 'RV', amount: 3000n } as const;
    assert.equal((await modify(opened, following(authorisation, part, { balance: balance(10_000n) }))).is, 'approved');
    const amounts = opened.server.requests.filter(({ path }) => path.endsWith('amountUpdates')).map(({ body }) => body.amount);
    assert.deepEqual(amounts, [
      { currency: 'EUR', value: 10_000 },
      { currency: 'EUR', value: 7000 },
    ]);
    const rest = { id: ID('4'), paymentType: 'RV', amount: 7000n } as const;
    assert.equal(
      (await modify(opened, following(authorisation, rest, { balance: balance(10_000n, { reversed: 3000n }) }))).is,
      'approved',
    );
    assert.ok(opened.server.requests.at(-1)?.path.endsWith('/cancels'));
    const refused: readonly (readonly [Partial<Payment>, ReturnType<typeof balance>, string])[] = [
      [{ ...part, id: ID('5') }, balance(9200n, { captured: 100n }), '700.400.300'],
      [{ ...raise, id: ID('6') }, balance(9200n, { open: 100n }), '700.400.570'],
    ];
    for (const [given, left, code] of refused)
      assert.equal(codeOf(await opened.connector.send(following(authorisation, given, { balance: left }))), code);
  }),
);

test(
  'a modification whose answer was lost is repeated with its key, and booked once',
  withAdyen(async (opened) => {
    const authorisation = await paid(opened, { id: ID('1'), paymentType: 'PA' });
    const { payment, referenced } = following(authorisation, { id: ID('2'), paymentType: 'CP', amount: 5000n });
    await opened.connector.send({ payment, referenced, secrets: {}, registration: null, series: null });
    const inquiry = { payment: { ...payment, phase: { at: 'doubt', tries: 0, dueAt: 0 } as const }, referenced };
    const repeated = await opened.connector.inquire(inquiry);
    assert.deepEqual(repeated, { is: 'waiting', reference: 'PSP0000000000002' });
    assert.equal(opened.server.booked({ ...payment, id: ID('1') }).captured, 5000n);
    opened.time.now += 8 * 24 * 60 * MINUTE_MS;
    const before = opened.server.requests.length;
    assert.equal((await opened.connector.inquire(inquiry)).is, 'waiting');
    assert.equal(opened.server.requests.length, before, 'the key may be forgotten by now');
  }),
);

test(
  'a payment for less than was asked is reversed, then declined',
  withAdyen(async ({ connector, server, receiveAll }) => {
    const attempt = cardAttempt(directed('partial'));
    const answer = await connector.send(attempt);
    assert.deepEqual(answer, { is: 'waiting', reference: 'PSP0000000000001' });
    const received = await receiveAll();
    assert.deepEqual(
      received.map(({ event }) => event.is),
      ['inquire', 'inquire'],
    );
    assert.equal(codeOf(await connector.inquire({ payment: after(attempt.payment, answer), referenced: null })), '800.100.155');
    const { captured, refunded } = server.booked(attempt.payment);
    assert.equal(captured, refunded);
  }),
);

test(
  'a redirected payment is completed by what the shopper brings, and only by an answer about it',
  withAdyen(async ({ connector, server, time }) => {
    const payment = { paymentBrand: 'IDEAL', method: 'OT', instrument: null } as const;
    const one = cardAttempt({ ...payment, id: ID('1') }, { secrets: {} });
    const answer = await connector.send(one);
    assert.equal(answer.is, 'redirected');
    if (answer.is !== 'redirected') return;
    assert.equal(answer.until, time.now + 60 * MINUTE_MS);
    const open = {
      ...one.payment,
      phase: { at: 'shopper', redirect: answer.redirect, tries: 0, until: answer.until, dueAt: 0 } as const,
    };
    assert.equal((await connector.inquire({ payment: open, referenced: null })).is, 'waiting');
    await connector.send(cardAttempt({ ...payment, id: ID('2'), amount: 100n }, { secrets: {} }));
    const complete = (redirectResult: string): Promise<AcquirerAnswer> | undefined =>
      connector.completeReturn?.({ payment: open, referenced: null }, new Map([['redirectResult', redirectResult]]));
    assert.equal((await complete('PSP0000000000002.yes'))?.is, 'waiting', 'the result of another payment');
    assert.equal((await complete('nonsense'))?.is, 'waiting');
    assert.equal((await complete('PSP0000000000001.yes'))?.is, 'approved');
    assert.equal(server.booked(open).captured, 9200n);
    const third = cardAttempt({ ...payment, id: ID('3') }, { secrets: {} });
    await connector.send(third);
    const cancelled = await connector.completeReturn?.(
      { payment: { ...third.payment, phase: open.phase }, referenced: null },
      new Map([['redirectResult', 'PSP0000000000003.no']]),
    );
    assert.equal(cancelled && codeOf(cancelled), '100.396.101');
  }),
);

test(
  'what Adyen has received waits for its notification',
  withAdyen(async ({ connector, receive }) => {
    const attempt = cardAttempt(directed('pending'));
    const answer = await connector.send(attempt);
    const payment = after(attempt.payment, answer);
    assert.equal(answer.is, 'waiting');
    assert.equal((await connector.inquire({ payment, referenced: null })).is, 'waiting');
    const item = {
      eventCode: 'AUTHORISATION',
      pspReference: 'PSP0000000000001',
      merchantReference: `${payment.merchantId}.${payment.id}.9200`,
      value: 9200n,
      currency: 'EUR',
    };
    await receive(signedNotification({ ...item, success: false, reason: 'Not enough balance' }));
    assert.equal(codeOf(await connector.inquire({ payment, referenced: null })), '800.100.155');
    await receive(signedNotification({ ...item, success: true }));
    assert.equal((await connector.inquire({ payment, referenced: null })).is, 'approved', 'the shopper tried again');
  }),
);

const cancelling = (payment: Payment): Payment => ({ ...payment, phase: { at: 'cancelling', tries: 0, dueAt: 0, since: START } });

test(
  'a payment of unknown outcome is cancelled by our reference, and the notification says whether it was',
  withAdyen(async ({ connector, server, receiveAll, time }) => {
    const authorisation = cardAttempt({ id: ID('1'), paymentType: 'PA' });
    await connector.send(authorisation);
    const inquiry = { payment: cancelling(authorisation.payment), referenced: null };
    await server.takeNotifications();
    assert.equal((await connector.inquire(inquiry)).is, 'absent');
    assert.deepEqual(await connector.cancel(inquiry), { is: 'waiting' });
    await receiveAll();
    assert.deepEqual(await connector.cancel(inquiry), { is: 'cancelled', reference: 'PSP0000000000001' });

    const debit = cardAttempt({ id: ID('2') });
    await connector.send(debit);
    await server.takeNotifications();
    const captured = { payment: cancelling(debit.payment), referenced: null };
    await connector.cancel(captured);
    await receiveAll();
    assert.equal((await connector.cancel(captured)).is, 'waiting', 'it is captured: the reversal begins');
    await receiveAll();
    assert.deepEqual(await connector.cancel(captured), { is: 'cancelled', reference: 'PSP0000000000003' });
    assert.equal(server.booked(debit.payment).refunded, 9200n);

    const never = { payment: cancelling(cardAttempt({ id: ID('3') }).payment), referenced: null };
    await connector.cancel(never);
    await receiveAll();
    assert.equal((await connector.cancel(never)).is, 'waiting');
    time.now += 5 * MINUTE_MS;
    assert.deepEqual(await connector.cancel(never), { is: 'cancelled' });
  }),
);

test(
  'a late approval of a final payment is reversed at once',
  withAdyen(async ({ connector, receiveAll, server }) => {
    const { payment } = cardAttempt();
    await connector.send(cardAttempt());
    await receiveAll();
    const final = { ...payment, phase: { at: 'final', code: '900.100.301' } as const };
    assert.equal((await connector.cancel({ payment: final, referenced: null })).is, 'cancelled');
    assert.equal(server.booked(payment).refunded, 9200n);
  }),
);

test(
  'errors of the API, as answers',
  withAdyen(async ({ connector, server, alarms }) => {
    const error = (status: number, errorCode: string, errorType = 'validation') => ({
      status,
      body: { status, errorCode, message: 'text', errorType },
    });
    const cases = [
      [error(422, '101'), '100.100.101', 0],
      [error(422, '138'), '800.100.173', 1],
      [error(403, '901', 'security'), '800.100.190', 1],
      [error(500, '905', 'configuration'), '800.100.190', 1],
    ] as const;
    for (const [index, [reply, code, count]] of cases.entries()) {
      alarms.length = 0;
      server.scripted.push(reply);
      assert.equal(codeOf(await connector.send(cardAttempt({ id: ID(String(index + 1)) }))), code);
      assert.equal(alarms.length, count, code);
    }
    server.scripted.push(error(500, '000', 'internal'));
    await assert.rejects(connector.send(cardAttempt({ id: ID('9') })), { name: 'NoAnswer' });
    server.scripted.push(...Array.from({ length: 3 }, () => ({ ...error(503, '703', 'internal'), isTransient: true as const })));
    assert.equal(codeOf(await connector.send(cardAttempt({ id: ID('a') }))), '900.100.600');
  }),
);

test(
  'an account that is set up for less offers less, and live payments do not go to the test environment',
  withAdyen(
    async ({ connector, alarms }) => {
      assert.equal(connector.supports.CC?.multipleCaptures, false);
      assert.ok(!connector.supports.CC?.types.includes('RG'));
      assert.equal(codeOf(await connector.send(cardAttempt({ mode: 'LIVE' }))), '900.100.310');
      assert.equal(alarms.length, 1);
    },
    { multipleCaptures: false, verificationCurrency: '', url: 'https://checkout-test.adyen.com/v72' },
  ),
);

test(
  'a declined card',
  withAdyen(async ({ connector }) => {
    const answer = await connector.send(cardAttempt({}, { secrets: { number: numberOf.declined } }));
    assert.equal(codeOf(answer), '800.100.152');
    assert.equal(answer.is === 'declined' && answer.details.resultDetails?.AcquirerResponse, '2');
  }),
);

test('accounts here that stand for one merchant account there say so', async () => {
  const url = 'https://checkout-test.adyen.com/v72';
  const there = await Promise.all(
    [{ url }, { url, authentication: 'never' as const }, { url, merchantAccount: 'OtherECOM' }].map(async (given) => {
      const { connector, server } = await openAdyen(given);
      await server.close();
      return connector.acquirerAccount;
    }),
  );
  assert.equal(there[0], there[1]);
  assert.notEqual(there[0], there[2]);
});
