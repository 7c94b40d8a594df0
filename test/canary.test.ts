import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteStore } from '../src/store/sqlite.ts';
import { CARD, createClient, type Fields } from './http/client.ts';
import { startGateway } from './http/gateway.ts';

/** Numbers nobody else uses, sent in every secret place there is; afterwards nothing of them may be anywhere. */
const canaries = {
  pan: '4929127482910387',
  cvv: '917',
  iban: 'DE23100000001234567890',
  token: '5199992312641465',
  cryptogram: 'QUJDREVGR0hJSktMTU5PUFFSU1Q=',
  dtvc: '8265',
  verificationId: 'Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2E=',
  pin: 'pin-canary-55',
  giftCard: 'gift-canary-77',
  document: 'PASSCANARY0099',
} as const;

const NO_CARD = { 'card.number': '', 'card.holder': '', 'card.expiryMonth': '', 'card.expiryYear': '', 'card.cvv': '' };
const names = { 'customer.givenName': 'Ann', 'customer.surname': 'Example' };
const requests: readonly [what: string, fields: Fields][] = [
  ['an approved card', { 'card.number': canaries.pan, 'card.cvv': canaries.cvv }],
  [
    'a declined card',
    { 'card.number': canaries.pan, 'card.cvv': canaries.cvv, 'customParameters[forceResultCode]': '800.100.153' },
  ],
  ['a card whose answer is lost', { 'card.number': canaries.pan, 'customParameters[SIMULATOR_answer]': 'lost' }],
  ['a card that fails Luhn', { 'card.number': `${canaries.pan.slice(0, -1)}1` }],
  ['a faulty request', { 'card.number': canaries.pan, 'card.cvv': canaries.cvv, amount: 'x', 'card.expiryMonth': '13' }],
  ['a misspelt name', { 'card.nunber': canaries.pan, 'card.cvv2': canaries.cvv }],
  ['an external authentication', { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': canaries.verificationId }],
  ['a gift card', { 'giftCard.number': canaries.giftCard, 'giftCard.pin': canaries.pin }],
  ['a passport', { ...names, 'customer.identificationDocType': 'PASSPORT', 'customer.identificationDocId': canaries.document }],
  [
    'a direct debit',
    {
      ...NO_CARD,
      paymentBrand: 'DIRECTDEBIT_SEPA',
      'bankAccount.holder': 'Ann Example',
      'bankAccount.iban': canaries.iban,
      'bankAccount.bic': 'MARKDEF1100',
      'bankAccount.country': 'DE',
    },
  ],
  [
    'a network token',
    {
      ...NO_CARD,
      paymentBrand: '',
      'tokenAccount.number': canaries.token,
      'tokenAccount.type': 'NETWORK',
      'tokenAccount.cryptogram': canaries.cryptogram,
      'tokenAccount.dtvc': canaries.dtvc,
    },
  ],
];

/** A three-digit canary is only looked for where it would stand as a value of its own. */
const needles = Object.values(canaries).map((text) => (text.length > 4 ? text : `"${text}"`));
const found = (text: string): readonly string[] => needles.filter((needle) => text.includes(needle));

function filesIn(folder: string): string {
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'latin1'))
    .join('\n');
}

const folder = mkdtempSync(join(tmpdir(), 'turnpike-canary-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('no number, code, pin or cryptogram is in the database, its journal, the log or an answer', async () => {
  const gateway = await startGateway({ store: await openSqliteStore({ dataDir: folder }) });
  const shop = createClient(gateway.url);
  const answers: string[] = [];
  for (const [what, fields] of requests) {
    const reply = await shop.pay({ ...CARD, ...fields }, { 'idempotency-key': what });
    answers.push(JSON.stringify(reply.body));
    if (reply.id) answers.push(JSON.stringify((await shop.read(reply.id)).body));
  }
  assert.ok(answers.length >= requests.length + 8, 'too few of the requests became payments');
  assert.deepEqual(found(answers.join('\n')), []);
  assert.deepEqual(found(gateway.lines.join('\n')), []);
  assert.deepEqual(found(filesIn(folder)), [], 'while the gateway runs');
  await gateway.settle();
  await gateway.close();
  assert.deepEqual(found(filesIn(folder)), [], 'after its end');
});

test('the scanner finds a planted hit', () => {
  writeFileSync(join(folder, 'planted'), `x"${canaries.cvv}"x${canaries.pan}`);
  assert.equal(found(filesIn(folder)).length, 2);
});
