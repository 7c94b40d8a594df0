import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Assessment } from '../../src/risk/assess.ts';
import { arrive, challenge, codeOn, goBack, isShifted, listenAt } from './cardholder.ts';
import { createClient, type Fields, OTHER, SHOPPER } from './client.ts';
import { startGateway } from './gateway.ts';

/** The risk checks demand an authentication. */

const gateway = await startGateway({ patienceMs: 500 });
after(() => gateway.close());
const shop = createClient(gateway.url);
const acquirerAsked = listenAt(gateway);

/** A risk engine that always demands it. */
const suspicious: Assessment = {
  ruleSet: 'test',
  verdict: { is: 'challenge' },
  asksReview: false,
  score: -10,
  fired: [],
  shadow: [],
};
Object.assign(gateway.world, {
  risk: { ...gateway.world.risk, evaluate: async () => suspicious, unchallenged: () => 'decline' },
});

const UNASKED = '100.400.141';
const PAID = '000.100.110';
const BROWSER = { ...SHOPPER, shopperResultUrl: 'https://shop.example/result' };
const FRICTIONLESS = '4200000000000026';
const pay = (number: string, fields: Fields = {}) => shop.pay({ 'card.number': number, ...BROWSER, ...fields });

const wishes: readonly (readonly [says: string, fields: Fields])[] = [
  ['with nothing said', {}],
  ['although he switched it off', { 'threeDSecure.disable': 'true' }],
  ['although he claims an exemption', { 'threeDSecure.exemptionFlag': '01' }],
  ['and it is wished for', { 'threeDSecure.challengeIndicator': '04' }],
];
for (const [says, fields] of wishes) {
  test(`a card that would pass is challenged, ${says}`, async () => {
    const pending = await pay(FRICTIONLESS, fields);
    assert.equal(pending.code, '000.200.000', JSON.stringify(pending.body));
    assert.equal(acquirerAsked(pending.id), null);
    await goBack(await challenge(pending, 'submit', codeOn), pending);
    const paid = await shop.read(pending.id);
    assert.deepEqual([paid.code, paid.body.threeDSecure.flow], [PAID, 'challenge']);
  });
}

test('the demand survives the hidden frame', async () => {
  const pending = await pay('4200000000000091', { 'threeDSecure.disable': 'true' });
  assert.ok(pending.body.redirect.preconditions);
  assert.match((await arrive(pending)).html, /name="creq"/);
});

const status = (text: string): Fields => ({
  'customParameters[3DS2_flow]': 'frictionless',
  'customParameters[SIMULATOR_3dsStatus]': text,
});
const atOnce: readonly (readonly [says: string, number: string, fields: Fields, code: string])[] = [
  ['the issuer says yes without asking', FRICTIONLESS, status('Y'), PAID],
  ['the issuer vouches', '4200000000000059', {}, PAID],
  ['the issuer takes note', FRICTIONLESS, status('I'), '100.390.107'],
  ['the cardholder is not enrolled', '4012001037141112', {}, '100.390.109'],
  ['the issuer cannot', '4012001037461114', {}, '100.390.107'],
  ['no issuer takes part', '4532497088771651', {}, UNASKED],
  ['a card without 3D Secure', '4200000000000000', {}, UNASKED],
  ['a network without 3D Secure', '5019717010103742', { paymentBrand: 'DANKORT' }, UNASKED],
  ['the directory server is down', FRICTIONLESS, { 'customParameters[SIMULATOR_3dsDirectory]': 'down' }, '100.390.111'],
  ['results from outside, without a proof', FRICTIONLESS, { 'threeDSecure.eci': '07' }, UNASKED],
];
for (const [says, number, fields, code] of atOnce) {
  test(`${says}: ${code}`, async () => {
    const answer = await pay(number, fields);
    assert.equal(answer.code, code, JSON.stringify(answer.body));
    const asked = acquirerAsked(answer.id);
    assert.equal(asked !== null, code === PAID);
    if (asked) assert.ok(isShifted(asked));
  });
}

test('a proof from outside counts as an authentication', async () => {
  const proof = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' };
  const answer = await pay(FRICTIONLESS, proof);
  assert.ok(acquirerAsked(answer.id));
});

test('a channel without 3D Secure cannot authenticate, nor can a bank account', async () => {
  assert.equal((await createClient(gateway.url, OTHER).pay({ 'card.number': FRICTIONLESS })).code, UNASKED);
  const account = { 'card.number': '', 'card.holder': '', 'card.expiryMonth': '', 'card.expiryYear': '', 'card.cvv': '' };
  const debit = await shop.pay({
    ...account,
    paymentBrand: 'DIRECTDEBIT_SEPA',
    'bankAccount.iban': 'DE23100000001234567890',
    'bankAccount.bic': 'MARKDEF1100',
    'bankAccount.holder': 'Ann Example',
    'bankAccount.country': 'DE',
  });
  assert.equal(debit.code, UNASKED, JSON.stringify(debit.body));
});

test('details are stored only after the challenge', async () => {
  const pending = await shop.send('POST', '/v1/registrations', {
    paymentBrand: 'VISA',
    'card.number': FRICTIONLESS,
    'card.holder': 'Ann Example',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    ...BROWSER,
  });
  assert.equal(pending.code, '000.200.000', JSON.stringify(pending.body));
  await goBack(await challenge(pending, 'submit', codeOn), pending);
  assert.equal((await shop.send('GET', `/v1/registrations/${pending.id}`, {})).code, PAID);
});
