import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleAttempt, openSimulator, START } from '../../../test/contract/connectorFixtures.ts';
import { examplePayment } from '../../payments/examples.ts';
import type { Payment } from '../../payments/payment.ts';
import type { Attempt } from '../../payments/ports.ts';
import type { Secrets } from '../../registrations/instrument.ts';
import { directives, directivesOf, wrongAnswers } from './directives.ts';
import { simulator } from './simulator.ts';

const ID = '018f2b7c9a3d4e5f60718293a4b5c6d7';
const WALLET = { number: '4111111111111111', cryptogram: 'AgAAAAAAIR8CQrXSohbQQAAAAAA=' };
const CARD = { number: '4200000000000000', cvv: '123' };

type Fields = Readonly<Record<string, string>>;
const force = (code: string): Fields => ({ 'customParameters[forceResultCode]': code });
const wrong = (answer: string): Fields => ({ 'customParameters[SIMULATOR_answer]': answer });

const attempt = (fields: Fields = {}, changes: Partial<Payment> = {}, secrets: Secrets = CARD): Attempt =>
  exampleAttempt({ id: ID, fields, ...changes }, { secrets });

const decide = (asked: Attempt) => openSimulator().connector.decide?.(asked) ?? null;

/** No answer: the core hears silence when a call is cut off. */
const isSilent = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => false,
    () => true,
  );

const holder = (name: string): Partial<Payment> => ({
  instrument: { ...(examplePayment().instrument as object), holder: name } as Payment['instrument'],
});
const accountHolder = (name: string): Partial<Payment> => ({
  method: 'DD',
  instrument: {
    kind: 'bankAccount',
    holder: name,
    last4Digits: '7890',
    country: 'DE',
    bankCode: null,
    bic: 'MARKDEF1100',
    bankName: null,
  },
});

const STORING: Partial<Payment> = { paymentType: 'RG', amount: 0n };

const verdicts: readonly (readonly [what: string, asked: Attempt, is: string, code: string | undefined])[] = [
  ['an ordinary debit', attempt(), 'approved', undefined],
  ['a forced approval', attempt(force('000.400.000')), 'approved', '000.400.000'],
  ['a forced decline', attempt(force('800.100.151')), 'declined', '800.100.151'],
  ['a forced refusal', attempt(force('100.100.101')), 'declined', '100.100.101'],
  [
    'a forced decline of a refund',
    attempt(force('800.100.100'), { paymentType: 'RF', instrument: null }, {}),
    'declined',
    '800.100.100',
  ],
  ['a chargeback code', attempt(force('000.100.220')), 'declined', '600.200.810'],
  ['a code that does not exist', attempt(force('123.456.789')), 'declined', '600.200.810'],
  ['no code at all', attempt(force('please fail')), 'declined', '600.200.810'],
  ['a holder that is a decline', attempt({}, holder('800.100.157')), 'declined', '800.100.157'],
  ['a holder that is a refusal', attempt({}, holder('100.100.303')), 'declined', '100.100.303'],
  ['a holder that is an approval', attempt({}, holder('000.400.000')), 'approved', undefined],
  ['a holder that is pending', attempt({}, holder('000.200.000')), 'approved', undefined],
  ['storing a card', attempt({}, STORING), 'approved', undefined],
  ['a forced decline of storing', attempt(force('800.100.151'), STORING), 'declined', '800.100.151'],
  ['a holder when storing', attempt({}, { ...holder('800.100.157'), ...STORING }), 'declined', '800.100.157'],
  ['a holder of a capture', attempt({}, { ...holder('800.100.157'), paymentType: 'CP' }), 'approved', undefined],
  ['a holder of an account', attempt({}, accountHolder('800.100.203')), 'declined', '800.100.203'],
  ['a forced code before the holder', attempt(force('800.100.152'), holder('800.100.157')), 'declined', '800.100.152'],
  ['an answer that is unknown', attempt(wrong('lots')), 'declined', '600.200.810'],
  ['a latency beyond the bound', attempt({ 'customParameters[SIMULATOR_latency]': '30001' }), 'declined', '600.200.810'],
  ['an AVS answer that is unknown', attempt({ 'customParameters[SIMULATOR_avs]': 'X' }), 'declined', '600.200.810'],
  [
    'directives in the live environment',
    attempt(force('800.100.151'), { mode: 'LIVE', ...holder('800.100.157') }),
    'approved',
    undefined,
  ],
];
for (const [what, asked, is, code] of verdicts) {
  test(`${what} → ${is} ${code ?? ''}`, () => {
    const answer = decide(asked);
    assert.equal(answer?.is, is);
    assert.equal(answer && 'code' in answer ? answer.code : undefined, code);
  });
}

/** The details that an answer must have; null: it must not have them. */
type ExpectedDetails = {
  readonly avs?: string | null;
  readonly cvv?: string | null;
  readonly advice?: string | null;
  readonly acquirer?: string | null;
};
const address = { 'billing.street1': 'Main Street 1', 'billing.postcode': '12345' };
const directive = (name: string, text: string): Fields => ({ [`customParameters[SIMULATOR_${name}]`]: text });
const detailCases: readonly (readonly [what: string, asked: Attempt, detailCases: ExpectedDetails])[] = [
  ['without an address', attempt(), { avs: null, cvv: 'M', advice: null, acquirer: 'Success' }],
  ['with an address', attempt(address), { avs: 'F' }],
  ['without a CVV', attempt({}, {}, { number: CARD.number }), { cvv: null }],
  ['a card out of a wallet', attempt({}, { paymentBrand: 'APPLEPAY' }, WALLET), { cvv: null, acquirer: 'Success' }],
  ['AVS as chosen', attempt(directive('avs', 'Z')), { avs: 'Z' }],
  ['CVV as chosen', attempt(directive('cvv', 'P')), { cvv: 'P' }],
  ['storing a card', attempt(address, STORING), { avs: 'F', cvv: 'M', acquirer: 'Success' }],
  ['a capture', attempt(address, { paymentType: 'CP' }), { avs: null, cvv: null, acquirer: '00' }],
  [
    'a direct debit',
    attempt(address, accountHolder('Ann Example'), { iban: 'DE23100000001234567890' }),
    { avs: null, cvv: null, acquirer: 'Success' },
  ],
  ['a wrong CVV', attempt(force('800.100.153')), { cvv: 'N', advice: '01', acquirer: 'N7' }],
  ['a wrong address', attempt({ ...address, ...force('800.400.100') }), { avs: 'N', cvv: 'M' }],
  ['no money', attempt(force('800.100.155')), { advice: '25', acquirer: '51' }],
  ['a stolen card', attempt(force('800.100.159')), { advice: '03', acquirer: '43' }],
  ['advice as chosen', attempt({ ...force('800.100.159'), ...directive('advice', '02') }), { advice: '02' }],
  ['a decline nobody words', attempt(force('800.100.196')), { advice: null, acquirer: '05' }],
  ['a refusal of ours', attempt({ ...address, ...force('100.100.101') }), { avs: null, cvv: null, advice: null, acquirer: null }],
  ['a declined direct debit', attempt(force('800.100.203'), accountHolder('Ann Example')), { advice: null, acquirer: null }],
];
for (const [what, asked, expected] of detailCases) {
  test(`${what} tells ${JSON.stringify(expected)}`, () => {
    const answer = decide(asked);
    assert.ok(answer && 'details' in answer);
    const { avsResponse: avs, cvvResponse: cvv, resultDetails } = answer.details;
    const found = { avs, cvv, advice: resultDetails?.MerchantAdviceCode, acquirer: resultDetails?.AcquirerResponse };
    for (const [key, value] of Object.entries(expected)) assert.equal(found[key as keyof ExpectedDetails] ?? null, value, key);
  });
}

test('an approval has the ids of the connector, the institute and the issuer', () => {
  const answer = decide(attempt());
  assert.ok(answer?.is === 'approved');
  const { schemeReference, ...details } = answer.details;
  assert.match(schemeReference ?? '', /^[A-Z0-9]{15}$/);
  assert.deepEqual(details, {
    resultDetails: {
      ExtendedDescription: 'Successfully processed',
      clearingInstituteName: 'Turnpike Simulator',
      ConnectorTxID1: ID,
      ConnectorTxID2: '018f2b7c',
      ConnectorTxID3: '3d4e5f60718293a4b5c6d7',
      AcquirerResponse: 'Success',
    },
    cvvResponse: 'M',
    card: { binCountry: 'US', type: 'CREDIT' },
  });
});

test('a decline names its reason; an invalid directive is named', () => {
  const reason = (fields: Fields) => {
    const answer = decide(attempt(fields));
    return answer && 'details' in answer ? answer.details.resultDetails?.ExtendedDescription : undefined;
  };
  assert.equal(reason(force('800.100.155')), 'Declined: amount exceeds the credit');
  assert.match(reason(wrong('lots')) ?? '', /^customParameters\[SIMULATOR_answer\] /);
});

test('a pending code: waiting at first, approved after a minute', async () => {
  const { connector, time, records } = openSimulator();
  const asked = attempt(force('000.200.000'));
  assert.equal(connector.decide?.(asked), null);
  assert.deepEqual(await connector.send(asked), { is: 'waiting' });
  time.now += 59_999;
  assert.deepEqual(await connector.inquire(asked), { is: 'waiting' });
  assert.equal(records.totals(ID, time.now).DB, 0n);
  time.now += 1;
  const answer = await connector.inquire(asked);
  assert.ok(answer.is === 'approved' && answer.code === undefined);
  assert.equal(records.totals(ID, time.now).DB, 9200n);
});

test('latency: booked at once, answered later', async () => {
  const { connector, time, records } = openSimulator();
  const asked = attempt({ 'customParameters[SIMULATOR_latency]': '2500' });
  assert.equal(connector.decide?.(asked), null);
  const sending = connector.send(asked);
  assert.equal(records.totals(ID, START).DB, 9200n);
  assert.equal((await sending).is, 'approved');
  assert.deepEqual(time.slept, [2_500]);
});

test('late: waiting until the time to answer is over, then booked; unless it was cancelled before', async () => {
  const { connector, time, records } = openSimulator();
  const asked = attempt(wrong('late'));
  assert.ok(await isSilent(connector.send(asked)));
  time.now += connector.answerMsMax;
  assert.deepEqual(await connector.inquire(asked), { is: 'waiting' });
  time.now += 5_000;
  assert.equal((await connector.inquire(asked)).is, 'approved');
  assert.equal(records.totals(ID, time.now).DB, 9200n);

  const other = openSimulator();
  assert.ok(await isSilent(other.connector.send(asked)));
  assert.deepEqual(await other.connector.cancel(asked), { is: 'cancelled' });
  other.time.now += 3_600_000;
  assert.deepEqual(await other.connector.inquire(asked), { is: 'cancelled' });
  assert.equal(other.records.totals(ID, other.time.now).DB, 0n);
});

test('twice: booked once', async () => {
  const { connector, records } = openSimulator();
  assert.equal((await connector.send(attempt(wrong('twice')))).is, 'approved');
  assert.equal(records.totals(ID, START).DB, 9200n);
});

test('garbled: booked, but the answer cannot be read', async () => {
  const { connector, records } = openSimulator();
  const asked = attempt(wrong('garbled'));
  await assert.rejects(connector.send(asked), /cannot be read/);
  assert.equal(records.totals(ID, START).DB, 9200n);
  assert.equal((await connector.inquire(asked)).is, 'approved');
});

test('down: nothing arrives for a minute, then the payment is unknown', async () => {
  const { connector, time } = openSimulator();
  const asked = attempt(wrong('down'));
  time.now += 59_999;
  await assert.rejects(connector.send(asked), /down/);
  await assert.rejects(connector.inquire(asked), /down/);
  await assert.rejects(connector.cancel(asked), /down/);
  time.now += 1;
  assert.deepEqual(await connector.inquire(asked), { is: 'absent' });
  assert.deepEqual(await connector.cancel(asked), { is: 'cancelled' });
});

test('a decline with a lost answer is found by the inquiry', async () => {
  const { connector } = openSimulator();
  const asked = attempt({ ...force('800.100.152'), ...wrong('lost') });
  assert.ok(await isSilent(connector.send(asked)));
  const answer = await connector.inquire(asked);
  assert.equal(answer.is === 'declined' ? answer.code : answer.is, '800.100.152');
});

for (const [answer, is] of [
  ['lost', 'approved'],
  ['garbled', 'approved'],
  ['lost-request', 'absent'],
] as const) {
  test(`${answer}: another node, or this one after a restart, tells the same: ${is}`, async () => {
    const asked = attempt(wrong(answer));
    assert.ok(await isSilent(openSimulator().connector.send(asked)));
    assert.equal((await openSimulator().connector.inquire(asked)).is, is);
  });
}

test('the table of directives says what it takes: every way of going wrong, every bound', () => {
  for (const answer of Object.keys(wrongAnswers)) {
    assert.match(answer, directives.answer.pattern);
    assert.ok(directives.answer.takes.includes(answer));
  }
  for (const ms of ['0', '9', '29999', '30000'])
    assert.equal(directivesOf(attempt(directive('latency', ms)).payment).latency, ms);
  for (const ms of ['', '-1', '30001', '99999', '1.5', '1e3']) assert.equal(directives.latency.pattern.test(ms), false, ms);
  for (const { parameter } of Object.values(directives)) assert.match(parameter, /^customParameters\[[A-Za-z0-9._]{3,64}\]$/);
});

test('an approval that was reached by asking is kept in the records of a running gateway', async () => {
  const connector = simulator.create({
    clockOf: () => ({ now: () => START }),
    sleep: async () => {},
    notify: async () => {},
    random: (bytes) => new Uint8Array(bytes),
  });
  await connector.send(attempt());
  assert.equal((await connector.inquire({ payment: attempt().payment, referenced: null })).is, 'approved');
});
