import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleAttempt, exampleRegistration, LATER, openSimulator, START } from '../../../test/contract/connectorFixtures.ts';
import { examplePayment } from '../../payments/examples.ts';
import type { Payment } from '../../payments/payment.ts';
import type { Attempt } from '../../payments/ports.ts';
import type { Instrument, NetworkToken, Secrets } from '../../registrations/instrument.ts';
import type { NetworkTokens } from '../../registrations/ports.ts';
import type { Registration } from '../../registrations/registration.ts';
import { cardRanges, detectBrand, fitsBrand, passesLuhn } from '../../spec/cards/cardRanges.ts';
import { testCards } from '../../spec/cards/testCards.ts';
import { tokenRanges } from './networkTokens.ts';

function openTokens(): { readonly tokens: NetworkTokens; readonly time: { now: number } } {
  const { connector, time } = openSimulator();
  assert.ok(connector.tokens);
  return { tokens: connector.tokens, time };
}

const { tokens } = openTokens();

/** The token of a stored card, for certain. */
async function provided(number: string, given: Partial<Registration> = {}): Promise<NetworkToken> {
  const token = await tokens.provide(exampleRegistration(given), { number });
  assert.ok(token);
  return token;
}

const cards = testCards.filter(({ brand }) => brand in tokenRanges);

test('there is a test card of every scheme that gives tokens', () => {
  assert.deepEqual(new Set(cards.map(({ brand }) => brand)), new Set(Object.keys(tokenRanges)));
});

for (const brand of Object.keys(tokenRanges)) {
  test(`a token for ${brand} is a number of the brand, as long as the card's, and no card's`, async () => {
    const start = tokenRanges[brand] ?? '';
    assert.equal(detectBrand(start), brand);
    assert.deepEqual(
      testCards.filter(({ number }) => number.startsWith(start)),
      [],
    );
    for (const { number } of cards.filter((card) => card.brand === brand)) {
      const token = await provided(number, { paymentBrand: brand, fingerprint: `of ${number}` });
      assert.ok(token.number.startsWith(start) && passesLuhn(token.number) && fitsBrand(brand, token.number), token.number);
      assert.equal(token.number.length, number.length);
      assert.deepEqual([token.expiryMonth, token.expiryYear], ['05', '2037']);
    }
  });
}

test('the range of a brand is named by no row of the table that is not as wide as the brand itself', () => {
  const narrow = cardRanges.flatMap(({ starts }) => starts.split(' ')).filter((start) => start.length >= 6);
  const inside = (start: string) => {
    const [first = '', last = first] = start.split('-').map((digits) => digits.slice(0, 6));
    return Object.values(tokenRanges).some((range) => first <= range && range <= last);
  };
  assert.deepEqual(narrow.filter(inside), []);
});

test('the same card gets the same token on every node; another card, or another merchant, another one', async () => {
  const number = '4200000000000000';
  const one = await provided(number);
  assert.deepEqual(await openTokens().tokens.provide(exampleRegistration({ id: 'f'.repeat(32) }), { number }), one);
  const other = await provided(number, { fingerprint: 'another card, or the same one elsewhere' });
  assert.notEqual(other.number, one.number);
});

const account: Instrument = { kind: 'tokenAccount', type: 'NETWORK', last4Digits: '0000', expiryMonth: null, expiryYear: null };
const directive = (text: string) => ({ fields: { 'customParameters[SIMULATOR_networkToken]': text } });
const never: readonly (readonly [what: string, given: Partial<Registration>, number: string | undefined])[] = [
  ['a brand whose scheme gives none', { paymentBrand: 'UNIONPAY' }, '6250947000000014'],
  ['a wallet', { paymentBrand: 'APPLEPAY' }, '4200000000000000'],
  ['no brand', { paymentBrand: null }, '4200000000000000'],
  ['a token', { instrument: account }, '4200000000000000'],
  ['a card without its number', {}, undefined],
  ['a card that nobody can recognise', { fingerprint: null }, '4200000000000000'],
  ['a card for which none is wanted', directive('none'), '4200000000000000'],
  ['another brand for which one is wanted later', { paymentBrand: 'UNIONPAY', ...directive('later') }, '6250947000000014'],
];
for (const [what, given, number] of never) {
  test(`there is never a token for ${what}`, async () => {
    assert.equal(await tokens.provide(exampleRegistration(given), number === undefined ? {} : { number }), null);
  });
}

test('later: the scheme cannot be asked in the first minute', async () => {
  const { tokens: slow, time } = openTokens();
  const ask = () => slow.provide(exampleRegistration(directive('later')), { number: '4200000000000000' });
  time.now += 59_999;
  await assert.rejects(ask(), /no token yet/);
  time.now += 1;
  assert.deepEqual(await ask(), await provided('4200000000000000'));
});

test('a cryptogram is 20 bytes in base64 and never the same; foreign numbers have none', async () => {
  const token = await provided('4200000000000000');
  const made = await Promise.all([1, 2, 3].map(() => tokens.cryptogram(token)));
  assert.equal(new Set(made).size, 3);
  for (const cryptogram of made) assert.match(cryptogram, /^[A-Za-z0-9+/]{27}=$/);
  await assert.rejects(tokens.cryptogram({ ...token, number: '4200000000000000' }), /another scheme/);
});

const own = await provided('4200000000000000');
const genuine = await tokens.cryptogram(own);
const ofOther = await tokens.cryptogram(await provided('5454545454545454', { paymentBrand: 'MASTER', fingerprint: 'other' }));
const FOREIGN = '4895370000000001';
const WELL_FORMED = 'AgAAAAAAIR8CQrXSohbQQAAAAAA=';

const SEPTEMBER = Date.UTC(2026, 8, 1);
const paying = (changes: Partial<NonNullable<Secrets['networkToken']>>, createdAt = START): Attempt =>
  exampleAttempt({ createdAt }, { secrets: { networkToken: { ...own, cryptogram: genuine, ...changes } } });
const sending = (secrets: Secrets, others: Partial<Attempt> = {}, payment: Partial<Payment> = {}): Attempt =>
  exampleAttempt({ instrument: account, ...payment }, { secrets, ...others });
const stored = { registration: exampleRegistration({ instrument: account }) };

const verified: readonly (readonly [what: string, asked: Attempt, verdict: string])[] = [
  ['our token with its cryptogram', paying({}), 'approved'],
  ['our token with the cryptogram of another', paying({ cryptogram: ofOther }), '800.100.154'],
  ['our token with a foreign cryptogram', paying({ cryptogram: WELL_FORMED }), '800.100.154'],
  ['our token with no cryptogram to speak of', paying({ cryptogram: '' }), '800.100.154'],
  ['another token with our cryptogram', paying({ number: FOREIGN }), '800.100.154'],
  ['our token in its last month', paying({ expiryMonth: '09', expiryYear: '2026' }), 'approved'],
  ['our token after its last month', paying({ expiryMonth: '08', expiryYear: '2026' }), '100.100.303'],
  [
    'our token in the first instant after its last month',
    paying({ expiryMonth: '08', expiryYear: '2026' }, SEPTEMBER),
    '100.100.303',
  ],
  [
    'our token in the last instant of its last month',
    paying({ expiryMonth: '08', expiryYear: '2026' }, SEPTEMBER - 1),
    'approved',
  ],
  ['our token sent by the merchant', sending({ number: own.number, cryptogram: genuine }), 'approved'],
  ['our token sent with another cryptogram', sending({ number: own.number, cryptogram: ofOther }), '800.100.154'],
  ['our token sent with a code that we never gave', sending({ number: own.number, dtvc: '123' }), '800.100.154'],
  ['a foreign token with a cryptogram', sending({ number: FOREIGN, cryptogram: WELL_FORMED }), 'approved'],
  ['a foreign token with no base64', sending({ number: FOREIGN, cryptogram: `${WELL_FORMED.slice(1)}!` }), '800.100.154'],
  ['a foreign token with a code', sending({ number: FOREIGN, dtvc: '1234' }), 'approved'],
  ['a foreign token with half a code', sending({ number: FOREIGN, dtvc: '12' }), '800.100.154'],
  ['a foreign token without proof', sending({ number: FOREIGN }), '800.100.154'],
  ['a stored token without proof', sending({ number: FOREIGN }, stored), 'approved'],
  ['a token without proof after a payment', sending({ number: FOREIGN }, { referenced: examplePayment() }), 'approved'],
  [
    'a number of ours that is no token, with a foreign proof',
    sending({ number: `${own.number.slice(0, -1)}x`, cryptogram: WELL_FORMED }),
    '800.100.154',
  ],
  ['a stored token with a wrong proof', sending({ number: own.number, cryptogram: ofOther }, stored), '800.100.154'],
  ['a token without proof that is only stored', sending({ number: FOREIGN }, {}, { paymentType: 'RG', amount: 0n }), 'approved'],
  [
    'a token without proof that the merchant charges',
    sending({ number: FOREIGN }, { series: { ...LATER, migration: migration() } }),
    'approved',
  ],
  [
    'a token of somebody who is no scheme',
    sending({ number: FOREIGN }, {}, { instrument: { ...account, type: 'EXTERNAL' } }),
    'approved',
  ],
];

function migration() {
  return { paymentType: 'DB', amount: null, requestTimestamp: '2019-05-06 07:08:09', connectorTxIds: [] };
}

for (const [what, asked, verdict] of verified) {
  test(`${what} → ${verdict}`, () => {
    const answer = openSimulator().connector.decide?.(asked);
    assert.equal(answer?.is === 'declined' ? answer.code : answer?.is, verdict);
  });
}

test('the time of these cases is a September', () => assert.equal(new Date(START).toISOString().slice(0, 7), '2026-09'));

test('an approval reports that the token was used, without its number', () => {
  const remarkOf = (asked: Attempt) => {
    const answer = openSimulator().connector.decide?.(asked);
    assert.ok(answer?.is === 'approved');
    assert.ok(![own.number, genuine].some((secret) => JSON.stringify(answer).includes(secret)));
    return answer.details.resultDetails?.NetworkToken;
  };
  assert.equal(remarkOf(paying({})), 'used');
  assert.equal(remarkOf(exampleAttempt()), undefined);
});

test('a lost answer to a payment with a token is found by another node', async () => {
  const fields = { 'customParameters[SIMULATOR_answer]': 'lost' };
  const { payment } = sending({}, {}, { fields });
  assert.equal((await openSimulator().connector.inquire({ payment, referenced: null })).is, 'approved');
});
