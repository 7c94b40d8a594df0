import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openBackup } from '../src/app/backup/format.ts';
import { makeBackup } from '../src/app/backup/makeBackup.ts';
import type { BackupPlace } from '../src/app/backup/places.ts';
import { sandbox } from '../src/merchants/sandbox.ts';
import { parseSecrets, sealedRecordOf } from '../src/registrations/registration.ts';
import { endpoints } from '../src/spec/endpoints.ts';
import { parameters } from '../src/spec/parameters.ts';
import { openPostgresStore } from '../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../src/store/store.ts';
import { localMaster } from '../src/vault/masterKey.ts';
import { openVault } from '../src/vault/vault.ts';
import { reportFigure } from './figures.ts';
import { CARD, createClient, DEMO, type Fields, SHOPPER } from './http/client.ts';
import { MASTER_KEY, startGateway, type TestGateway } from './http/gateway.ts';
import { startPostgres } from './postgres.ts';
import { settingsFor, startCollector } from './telemetry/collector.ts';

/** Numbers that no other test uses, sent in every secret field; afterwards they must not be found anywhere. */
const canaries = {
  pan: '4929127482910388',
  cvv: '917',
  iban: 'DE89370400440532013000',
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
  ['a card payment with a lost answer', { 'card.number': canaries.pan, 'customParameters[SIMULATOR_answer]': 'lost' }],
  ['a card that fails Luhn', { 'card.number': `${canaries.pan.slice(0, -1)}1` }],
  ['a faulty request', { 'card.number': canaries.pan, 'card.cvv': canaries.cvv, amount: 'x', 'card.expiryMonth': '13' }],
  ['a misspelt name', { 'card.nunber': canaries.pan, 'card.cvv2': canaries.cvv }],
  ['an external authentication', { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': canaries.verificationId }],
  ['a gift card', { 'giftCard.number': canaries.giftCard, 'giftCard.pin': canaries.pin }],
  [
    'a gift card that pays',
    { ...NO_CARD, paymentBrand: 'GIFTCARD', 'giftCard.number': canaries.giftCard, 'giftCard.pin': canaries.pin },
  ],
  [
    'a gift card payment with a lost answer',
    {
      ...NO_CARD,
      paymentBrand: 'GIFTCARD',
      'giftCard.number': canaries.giftCard,
      'giftCard.pin': canaries.pin,
      'customParameters[SIMULATOR_answer]': 'lost',
    },
  ],
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
    },
  ],
  [
    'a token with a one-time code',
    {
      ...NO_CARD,
      paymentBrand: '',
      'tokenAccount.number': canaries.token,
      'tokenAccount.type': 'EXTERNAL',
      'tokenAccount.dtvc': canaries.dtvc,
    },
  ],
  [
    'a card with a challenge of its holder',
    { ...SHOPPER, 'card.number': '4200000000000018', 'card.cvv': canaries.cvv, shopperResultUrl: 'https://shop.example/' },
  ],
  ['a card that is stored', { 'card.number': canaries.pan, 'card.cvv': canaries.cvv, createRegistration: 'true' }],
  [
    'a card that is stored while its answer is lost',
    { 'card.number': canaries.pan, createRegistration: 'true', 'customParameters[SIMULATOR_answer]': 'lost' },
  ],
];

/** A three-digit canary counts only as a value of its own. */
const needles: string[] = Object.values(canaries).map((text) => (text.length > 4 ? text : `"${text}"`));
const found = (text: string): readonly string[] => needles.filter((needle) => text.includes(needle));

const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());

/** The files that hold a canary, with what they hold: one after the other, because a database is big. */
function tainted(folder: string): readonly string[] {
  return filesUnder(folder).flatMap((file) => found(readFileSync(file, 'latin1')).map((needle) => `${needle} in ${file}`));
}

type Shop = ReturnType<typeof createClient>;
/** A gateway, its client and the collected answers of every request. */
type Run = { readonly gateway: TestGateway; readonly shop: Shop; readonly answers: string[] };

async function heard<Reply extends { readonly body: unknown }>({ answers }: Run, reply: Promise<Reply>): Promise<Reply> {
  const answer = await reply;
  answers.push(JSON.stringify(answer.body));
  return answer;
}

async function payInEveryWay(run: Run): Promise<void> {
  const { shop } = run;
  for (const [what, fields] of requests) {
    const reply = await heard(run, shop.pay({ ...CARD, ...fields }, { 'idempotency-key': what }));
    if (reply.id) await heard(run, shop.read(reply.id));
  }
  assert.ok(run.answers.length >= requests.length + 10, 'too few of the requests became payments');
}

const charge = { paymentType: 'DB', amount: '5.00', currency: 'EUR' };

/** Stored, charged with a code and by the merchant alone, given a network token, extended, deleted. */
async function storeAndCharge(run: Run): Promise<void> {
  const { shop, gateway } = run;
  const instruments = requests.flatMap(([what, fields]) =>
    ['an approved card', 'a direct debit', 'a token with a one-time code'].includes(what) ? [fields] : [],
  );
  for (const fields of instruments) {
    const whole: Fields = { ...CARD, ...fields };
    const sent = Object.fromEntries(Object.entries(whole).filter(([name, value]) => value !== '' && !name.endsWith('dtvc')));
    const { id } = await heard(run, shop.send('POST', '/v1/registrations', sent));
    await gateway.work('request network tokens');
    const pay = (more: Fields) => heard(run, shop.send('POST', `/v1/registrations/${id}/payments`, { ...charge, ...more }));
    const isCard = 'card.number' in sent;
    const paid = await pay(isCard ? { 'card.cvv': canaries.cvv } : {});
    assert.equal(paid.code, '000.100.110', JSON.stringify(paid.body));
    await pay({ 'card.number': canaries.pan });
    if (isCard) await noteNetworkToken(run, id);
    await heard(run, shop.send('GET', `/v1/registrations/${id}`, {}));
    await heard(run, shop.send('POST', `/v1/registrations/${id}/extendlife`, {}));
    if (!isCard) await heard(run, shop.send('DELETE', `/v1/registrations/${id}`, {}));
  }
}

/** The number of the scheme's token is a canary too, once there is one. */
async function noteNetworkToken({ gateway }: Run, id: string): Promise<void> {
  const registered = await gateway.world.store.registration(DEMO.merchantId, id);
  assert.ok(registered?.sealed);
  const { networkToken } = parseSecrets(
    await gateway.world.vault.open(sealedRecordOf(registered.registration), registered.sealed),
  );
  assert.ok(networkToken, 'the scheme gave no token');
  needles.push(networkToken.number);
}

async function payByWallet(run: Run): Promise<void> {
  const { gateway, shop } = run;
  for (const wallet of ['walletA', 'walletB', 'walletC']) {
    const order = { entityId: DEMO.entityId, wallet, amount: '92.00', currency: 'EUR', number: '4200000000000000' };
    const response = await fetch(`${gateway.url}/sandbox/wallets?format=json`, {
      method: 'POST',
      body: new URLSearchParams(order),
    });
    const { token } = (await response.json()) as { readonly token: string };
    needles.push(token.slice(40, 100), token.slice(-60));
    for (const fields of [{}, { amount: '93.00' }, {}] as Fields[]) {
      await heard(run, shop.pay({ ...NO_CARD, [`${wallet}.paymentToken`]: token, createRegistration: 'true', ...fields }));
    }
  }
}

/** The number in every field there is, beside the one where it belongs. */
async function sayItEverywhere(run: Run): Promise<void> {
  for (const row of Object.keys(parameters)) {
    const name = row.replaceAll('[n]', '[0]').replace(/\[[a-z]+\]/i, '[canary]');
    if (name === 'card.number' || name === 'entityId') continue;
    await heard(run, run.shop.pay({ 'card.number': canaries.pan, [name]: canaries.pan }));
  }
  await heard(run, run.shop.pay({ 'card.number': canaries.pan, merchantMemo: 'card 4929 1274 8291 0388 of Ann' }));
}

/** In addresses, in headers, in bodies that cannot be decoded. */
async function sayItWrong({ gateway, answers }: Run): Promise<void> {
  const { pan } = canaries;
  const bearer = { authorization: `Bearer ${DEMO.token}` };
  const say = async (method: string, path: string, more: RequestInit = {}) => {
    const response = await fetch(`${gateway.url}${path}`, { method, headers: bearer, ...more });
    // A page may show its own address; nothing else of the request is kept.
    answers.push(await response.text());
  };
  for (const { method, path } of Object.values(endpoints)) {
    await say(method, `${path.replace('{id}', pan)}?entityId=${DEMO.entityId}&card.number=${pan}&x=${pan}`);
  }
  await say('GET', `/${pan}`);
  await say('POST', '/v1/payments', { headers: { authorization: `Bearer ${pan}` }, body: `card.number=${pan}` });
  await say('POST', '/v1/payments', { headers: { ...bearer, 'idempotency-key': pan, 'user-agent': pan }, body: pan });
  await say('POST', '/v1/payments', { headers: { ...bearer, traceparent: `00-${pan.padStart(32, 'a')}-${pan}-01` }, body: pan });
  const traced = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', tracestate: `pan=${pan}` };
  await say('POST', '/v1/payments', {
    headers: { ...bearer, ...traced },
    body: new URLSearchParams({ entityId: DEMO.entityId, ...CARD }),
  });
  await say('POST', '/v1/payments', { headers: { ...bearer, 'content-type': 'application/json' }, body: `{"number":"${pan}"}` });
  await say('POST', '/v1/payments', { body: new URLSearchParams(`entityId=${pan}&card.number=${pan}&card.number=${pan}`) });
}

async function canaryRun(store: Store, folder: string): Promise<void> {
  const collector = await startCollector();
  const gateway = await startGateway({ store, telemetry: settingsFor(collector.url, { delayMs: 100, queueMax: 100_000 }) });
  const run: Run = { gateway, shop: createClient(gateway.url), answers: [] };
  try {
    await payInEveryWay(run);
    await storeAndCharge(run);
    await payByWallet(run);
    await sayItEverywhere(run);
    await sayItWrong(run);
    assert.deepEqual(found(run.answers.join('\n')), [], 'in an answer');
    assert.deepEqual(found(gateway.lines.join('\n')), [], 'in the log');
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    assert.match(metrics, /turnpike_payments_total\{/);
    assert.deepEqual(found(metrics), [], 'in the metrics');
    assert.deepEqual(tainted(folder), [], 'while the gateway runs');
    await gateway.settle();
  } finally {
    await gateway.close();
    await collector.close();
  }
  assert.ok(collector.spans.length > requests.length, 'hardly anything was traced');
  assert.deepEqual(found(collector.bodies.join('\n')), [], 'in the traces');
  assert.deepEqual(tainted(folder), [], 'after its end');
  reportFigure('R25', 'answers searched', run.answers.length);
  reportFigure('R25', 'secrets sought', needles.length);
}

const folder = mkdtempSync(join(tmpdir(), 'turnpike-canary-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('SQLite: nothing secret is in the database, its journal, the log, a webhook payload or an answer', async () => {
  await canaryRun(await openSqliteStore({ dataDir: folder }), folder);
});

test('nothing secret is in a backup, as it is stored and as it is decrypted', async () => {
  const files = new Map<string, Buffer>();
  const place: BackupPlace = {
    list: async () => [...files].map(([name, { length }]) => ({ name, bytes: length })),
    put: async (name, chunks) => void files.set(name, Buffer.concat(await Array.fromAsync(chunks))),
    get: async function* (name) {
      yield files.get(name) ?? assert.fail(name);
    },
    remove: async () => assert.fail('nothing is removed'),
    close: () => {},
  };
  const key = localMaster(MASTER_KEY);
  const { name } = await makeBackup({ database: { databaseUrl: null, dataDir: folder }, key, place, now: Date.now });
  const { content } = await openBackup(place.get(name), [key]);
  const clear = Buffer.concat(await Array.fromAsync(content)).toString('latin1');
  assert.ok(clear.includes(DEMO.entityId), 'the backup is empty');
  assert.deepEqual(found(clear), []);
  assert.deepEqual(found(String(files.get(name)?.toString('latin1'))), []);
});

test('PostgreSQL: nothing secret is in its files, its write-ahead log, the log, a webhook payload or an answer', async () => {
  const server = await startPostgres();
  try {
    await canaryRun(await openPostgresStore({ url: server.url() }), server.dataDir);
  } finally {
    await server.stop();
  }
  assert.deepEqual(tainted(server.dataDir), [], 'after the end of the server');
});

test('the scanner finds a planted hit', () => {
  writeFileSync(join(folder, 'planted'), `x"${canaries.cvv}"x${canaries.pan}`);
  assert.equal(tainted(folder).length, 2);
});

test('the vault opens what the scanner cannot read, so the numbers are there', async () => {
  const store = await openSqliteStore({ dataDir: folder });
  const vault = await openVault({ masters: [localMaster(MASTER_KEY)], store, now: () => Date.now() });
  const rows = await store.sealedAfter(null, 1_000);
  const numbers = await Promise.all(rows.map(async (row) => parseSecrets(await vault.open(row, row.sealed)).number));
  assert.ok(numbers.filter((number) => number === canaries.pan).length >= 3);
  assert.ok(rows.every(({ merchantId }) => merchantId === sandbox.demoShop.merchantId));
  await store.close();
});
