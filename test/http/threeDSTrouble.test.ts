import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { AReq } from '../../src/threeds/messages/message.ts';
import { arrive, atIssuer, challenge, codeOn, formIn, goBack, idsOf, isShifted, listenAt, press, visit } from './cardholder.ts';
import { createClient, type Fields, type Reply, SHOPPER } from './client.ts';
import { startGateway } from './gateway.ts';

/** What is forged, doubled, contradicting, late or lost. */

const gateway = await startGateway({ patienceMs: 500 });
after(() => gateway.close());
const shop = createClient(gateway.url);
const acquirerAsked = listenAt(gateway);

/** A slow store and a slow directory server, so that concurrent requests really meet. */
const moment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const { commit } = gateway.world.store;
Object.assign(gateway.world.store, {
  commit: async (...change: Parameters<typeof commit>) => {
    await moment(3);
    return commit(...change);
  },
});

/** Records every request to the directory server, which works as usual. */
const questions: AReq[] = [];
const { threeDS } = gateway.world;
Object.assign(gateway.world, {
  threeDS: threeDS && {
    ...threeDS,
    directory: (origin: string) => {
      const directory = threeDS.directory(origin);
      return {
        versions: directory.versions,
        authenticate: async (...asked: Parameters<typeof directory.authenticate>) => {
          questions.push(asked[0]);
          await moment(20);
          return directory.authenticate(...asked);
        },
      };
    },
  },
});

const MINUTE_MS = 60_000;
const PENDING = '000.200.000';
const PAID = '000.100.110';
const CHALLENGE = '4200000000000018';
const BROWSER = { ...SHOPPER, shopperResultUrl: 'https://shop.example/result' };
const pay = (fields: Fields = {}) => shop.pay({ 'card.number': CHALLENGE, ...BROWSER, ...fields });
const directive = (name: string, value: string): Fields => ({ [`customParameters[SIMULATOR_3ds${name}]`]: value });
const codeNow = async (pending: Reply) => (await shop.read(pending.id)).code;
const READS_MAX = 1_000;
/** The code as soon as the payment is not pending any more. */
async function codeInTheEnd(pending: Reply): Promise<string> {
  for (let reads = 1; reads < READS_MAX; reads += 1) {
    const code = await codeNow(pending);
    if (code !== PENDING) return code;
  }
  return PENDING;
}
const sweepAfter = async (ms: number) => {
  gateway.pass(ms);
  await gateway.work('sweep');
};
const post = async (url: string, message: unknown): Promise<Record<string, string>> => {
  const response = await fetch(url, { method: 'POST', body: typeof message === 'string' ? message : JSON.stringify(message) });
  return (await response.json()) as Record<string, string>;
};
const encoded = (message: object) => Buffer.from(JSON.stringify(message)).toString('base64url');

/** What the shopper's screen shows, and the one id that it does not show. */
async function rreqFor(pending: Reply, more: object = {}) {
  const { messageVersion, threeDSServerTransID, acsTransID } = await idsOf(pending);
  const { dsTransactionId: dsTransID } = (await shop.read(pending.id)).body.threeDSecure;
  const yes = {
    transStatus: 'Y',
    authenticationType: '02',
    eci: '05',
    authenticationValue: Buffer.alloc(20, 9).toString('base64'),
  };
  return {
    messageType: 'RReq',
    messageCategory: '01',
    interactionCounter: '01',
    messageVersion,
    threeDSServerTransID,
    acsTransID,
    dsTransID,
    ...yes,
    ...more,
  };
}
const resultsUrl = (pending: Reply) => `${pending.body.redirect.url}/results`;

test('a forged CRes is believed in nothing, before, after and instead of the challenge', async () => {
  const pending = await pay();
  const ids = await idsOf(pending);
  const cres = encoded({ ...ids, messageType: 'CRes', challengeCompletionInd: 'Y', transStatus: 'Y' });
  await visit(`${pending.body.redirect.url}/return`, { cres });
  assert.equal(await codeNow(pending), PENDING);
  await goBack(await challenge(pending, 'cancel'), pending);
  await visit(`${pending.body.redirect.url}/return`, { cres });
  assert.deepEqual([await codeNow(pending), acquirerAsked(pending.id)], ['100.396.101', null]);
});

const returns: readonly (readonly [value: string, action: string, code: string])[] = [
  ['forged', 'cancel', '100.396.101'],
  ['garbled', 'submit', PAID],
  ['lost', 'submit', PAID],
  // The results arrived before the shopper.
  ['foreign', 'submit', PAID],
];
for (const [value, action, code] of returns) {
  test(`the shopper's return is ${value} after ${action}: ${code}`, async () => {
    const pending = await pay(directive('Return', value));
    const end = await challenge(pending, action, codeOn);
    if (value !== 'lost') await goBack(end, pending);
    assert.equal(await codeNow(pending), code);
  });
}

test('a return with ids of another challenge, and no results before it, ends the payment', async () => {
  const [one, two] = [await pay(), await pay()];
  const ids = await idsOf(two);
  const cres = encoded({ ...ids, messageType: 'CRes', challengeCompletionInd: 'Y', transStatus: 'Y' });
  await visit(`${one.body.redirect.url}/return`, { cres });
  assert.deepEqual([await codeNow(one), await codeNow(two)], ['100.390.104', PENDING]);
});

const results: readonly (readonly [value: string, code: string, afterwards: string])[] = [
  ['lost', PENDING, '800.400.200'],
  ['foreign', PENDING, '800.400.200'],
  ['twice', PAID, PAID],
  ['after', PAID, PAID],
];
for (const [value, code, afterwards] of results) {
  test(`results are ${value}: ${code}, in the end ${afterwards}`, async () => {
    const pending = await pay(directive('Results', value));
    await goBack(await challenge(pending, 'submit', codeOn), pending);
    // Results after the return are on their way while the shopper is back already.
    assert.equal(value === 'after' ? await codeInTheEnd(pending) : await codeNow(pending), code);
    await sweepAfter(MINUTE_MS);
    assert.equal(await codeNow(pending), afterwards);
    const asked = acquirerAsked(pending.id);
    assert.equal(asked !== null && isShifted(asked), afterwards === PAID);
  });
}

const forged: readonly (readonly [says: string, change: object, error: string])[] = [
  ['another server id', { threeDSServerTransID: '018f2b7c-9a3d-4e5f-6071-8293a4b5c6d7' }, '301'],
  ['another issuer id', { acsTransID: '018f2b7c-9a3d-4e5f-6071-8293a4b5c6d7' }, '301'],
  ['another directory id', { dsTransID: '018f2b7c-9a3d-4e5f-6071-8293a4b5c6d7' }, '301'],
  ['another version', { messageVersion: '2.1.0' }, '301'],
  ['another category', { messageCategory: '02' }, '301'],
  ['a version nobody speaks', { messageVersion: '2.9.9' }, '102'],
  ['no status', { transStatus: undefined }, '201'],
  ['a status that is none', { transStatus: 'C' }, '203'],
  ['a yes without a proof', { authenticationValue: undefined }, '201'],
  ['a proof that is none', { authenticationValue: 'AAAA' }, '203'],
  ['something critical', { messageExtension: [{ name: 'x', id: 'x', criticalityIndicator: true, data: {} }] }, '202'],
];
test('forged results end nothing and prove nothing, whatever is wrong with them', async () => {
  const pending = await pay();
  for (const [says, change, error] of forged) {
    const reply = await post(resultsUrl(pending), await rreqFor(pending, change));
    assert.deepEqual([reply.messageType, reply.errorCode], ['Erro', error], says);
    assert.equal(await codeNow(pending), PENDING, says);
  }
  for (const nonsense of ['', 'null', '[]', '"RReq"', '{"messageType":"RReq"}', '{']) {
    assert.equal((await post(resultsUrl(pending), nonsense)).messageType, 'Erro');
  }
  await goBack(await challenge(pending, 'submit', codeOn), pending);
  assert.equal(await codeNow(pending), PAID, 'the true ones still count');
});

test('results of one payment say nothing about another', async () => {
  const [one, two] = [await pay(), await pay()];
  const reply = await post(resultsUrl(two), await rreqFor(one));
  assert.deepEqual([reply.errorCode, await codeNow(one), await codeNow(two)], ['301', PENDING, PENDING]);
  const nobody = `${gateway.url}/v1/3ds/${'0'.repeat(32)}.${'1'.repeat(32)}/results`;
  assert.equal((await post(nobody, await rreqFor(one))).errorCode, '301');
});

test('results again are answered alike; contradicting ones are not believed', async () => {
  const pending = await pay();
  const no = await rreqFor(pending, { transStatus: 'N', transStatusReason: '01', eci: '07', authenticationValue: undefined });
  const yes = await rreqFor(pending);
  const replies = await Promise.all([post(resultsUrl(pending), no), post(resultsUrl(pending), no)]);
  assert.deepEqual(
    replies.map(({ messageType, resultsStatus }) => [messageType, resultsStatus]),
    [
      ['RRes', '01'],
      ['RRes', '01'],
    ],
  );
  assert.equal((await post(resultsUrl(pending), yes)).errorCode, '305');
  assert.deepEqual([await codeNow(pending), acquirerAsked(pending.id)], ['100.380.401', null]);
});

test('a yes and a no at the same moment: one of them, and never both', async () => {
  for (let round = 0; round < 10; round += 1) {
    const pending = await pay();
    const no = await rreqFor(pending, { transStatus: 'N', transStatusReason: '01', eci: '07', authenticationValue: undefined });
    const page = await atIssuer(pending);
    const [reply] = await Promise.all([post(resultsUrl(pending), no), press(page, 'submit', codeOn(page.html))]);
    const code = await codeNow(pending);
    assert.equal(code, reply.messageType === 'RRes' ? '100.380.401' : PAID);
    assert.equal(acquirerAsked(pending.id) !== null, code === PAID);
  }
});

test('results and the shopper at the same moment: the results are not lost', async () => {
  for (let round = 0; round < 10; round += 1) {
    const pending = await pay();
    const cres = encoded({ ...(await idsOf(pending)), messageType: 'CRes', challengeCompletionInd: 'Y', transStatus: 'N' });
    const no = await rreqFor(pending, { transStatus: 'N', transStatusReason: '01', eci: '07', authenticationValue: undefined });
    const comes = () => visit(`${pending.body.redirect.url}/return`, { cres });
    const [, reply] = await Promise.all([comes(), post(resultsUrl(pending), no), comes()]);
    assert.equal(reply.messageType, 'RRes');
    assert.equal(await codeNow(pending), '100.380.401', 'what was receipted is kept');
  }
});

test('results after the time was over change nothing', async () => {
  const pending = await pay();
  const rreq = await rreqFor(pending);
  await sweepAfter(16 * MINUTE_MS);
  assert.equal(await codeNow(pending), '100.396.103');
  assert.equal((await post(resultsUrl(pending), rreq)).errorCode, '402');
  assert.deepEqual([await codeNow(pending), acquirerAsked(pending.id)], ['100.396.103', null]);
});

const directory: readonly (readonly [value: string, code: string, alone: string])[] = [
  ['down', '100.390.111', '000.400.107'],
  ['garbled', '100.390.102', '000.400.106'],
  ['foreign', '100.390.104', '100.390.104'],
  ['101', '100.390.115', '100.390.115'],
  ['203', '100.390.115', '100.390.115'],
  ['301', '100.390.104', '100.390.104'],
  ['303', '100.390.116', '100.390.116'],
  ['305', '100.390.117', '100.390.117'],
  ['306', '100.390.106', '000.400.104'],
  ['402', '100.390.111', '000.400.107'],
  ['404', '100.390.112', '000.400.103'],
];
for (const [value, code, alone] of directory) {
  test(`the directory server: ${value} → ${code}, alone ${alone}`, async () => {
    const answer = await pay(directive('Directory', value));
    assert.deepEqual([answer.code, acquirerAsked(answer.id)], [code, null], JSON.stringify(answer.body));
    const single = await shop.send('POST', '/v1/threeDSecure', {
      paymentBrand: 'VISA',
      'card.number': CHALLENGE,
      'card.expiryMonth': '05',
      'card.expiryYear': '2034',
      amount: '92.00',
      currency: 'EUR',
      ...BROWSER,
      ...directive('Directory', value),
    });
    assert.equal(single.code, alone);
  });
}

test('a hidden frame that never reports: the shopper goes on without it, or has left', async () => {
  const silent = directive('Method', 'silent');
  const pending = await pay(silent);
  const page = await visit(pending.body.redirect.url);
  assert.match(page.html, /http-equiv="refresh"|content="10/);
  const { url, fields } = formIn(page.html);
  assert.ok(!(await visit(url, fields)).html.includes('id="send"'));
  const host = await visit(`${pending.body.redirect.url}/continue`);
  assert.match(host.html, /name="creq"/);
  const asked = questions.find(({ threeDSServerTransID }) => threeDSServerTransID.replaceAll('-', '') === pending.id);
  assert.equal(asked?.threeDSCompInd, 'N');

  const left = await pay({ ...silent, 'card.number': '4200000000000026' });
  await sweepAfter(11_000);
  assert.equal(await codeNow(left), PAID, 'asked without the frame when its time was over');
});

test('a hidden frame that reports another payment is ignored', async () => {
  const [one, two] = [await pay(directive('Method', 'done')), await pay(directive('Method', 'done'))];
  const challenge = encoded({ threeDSServerTransID: transIdIn(two) });
  await visit(`${one.body.redirect.url}/method`, { threeDSMethodData: challenge });
  assert.ok((await visit(one.body.redirect.url)).html.includes('id="frame"'), 'it still waits for its own');
});

function transIdIn(pending: Reply): string {
  const [{ parameters }] = pending.body.redirect.preconditions;
  const data = JSON.parse(Buffer.from(parameters[0].value, 'base64url').toString()) as Record<string, string>;
  return data.threeDSServerTransID ?? '';
}

test('two tabs and a double click: one request to the directory server, one to the acquirer', async () => {
  const pending = await pay({ 'card.number': '4200000000000091' });
  const url = `${pending.body.redirect.url}/continue`;
  const before = questions.length;
  await Promise.all([
    visit(url),
    visit(url),
    visit(url),
    visit(`${pending.body.redirect.url}/method`, { threeDSMethodData: '' }),
  ]);
  assert.equal(questions.length - before, 1);
  assert.equal(await codeNow(pending), PAID);

  const asked = await pay();
  const [left, right] = await Promise.all([atIssuer(asked), atIssuer(asked)]);
  const ends = await Promise.all([press(left, 'submit', codeOn(left.html)), press(right, 'submit', codeOn(right.html))]);
  for (const end of ends) await goBack(end, asked);
  assert.equal(await codeNow(asked), PAID);
});

test('the back button: an old page of the issuer changes nothing any more', async () => {
  const pending = await pay();
  const page = await atIssuer(pending);
  await goBack(await press(page, 'submit', codeOn(page.html)), pending);
  assert.equal(await codeNow(pending), PAID);
  await press(page, 'cancel');
  assert.equal(await codeNow(pending), PAID);
  const again = await visit(pending.body.redirect.url);
  assert.match(again.refresh ?? '', /shop\.example/, 'whoever comes back to our page is sent on to the shop');
});

test('the page of one challenge with the request of another is refused', async () => {
  const [one, two] = [await pay(), await pay()];
  const [first, second] = [formIn((await arrive(one)).html), formIn((await arrive(two)).html)];
  assert.equal((await visit(first.url, second.fields)).status, 400);
  for (const letter of 'wxyz') {
    const touched = first.url.endsWith(letter) ? first.url.replace(/.$/, 'A') : first.url.replace(/.$/, letter);
    assert.equal((await visit(touched, first.fields)).status, 400, `a ticket that was touched: ${letter}`);
  }
});

const sizes = { '1': [250, 400], '2': [390, 400], '3': [500, 600], '4': [600, 400], '5': null } as const;
for (const [size, pixels] of Object.entries(sizes)) {
  test(`challenge window ${size}: ${pixels?.join(' by ') ?? 'the whole page'}`, async () => {
    const pending = await pay({ 'customer.browser.challengeWindow': size });
    const host = await arrive(pending);
    const frame = /<iframe class="window"[^>]*width="(\d+)" height="(\d+)"/.exec(host.html);
    assert.deepEqual(frame ? [Number(frame[1]), Number(frame[2])] : null, pixels && [...pixels]);
    assert.equal((await idsOf(pending)).challengeWindowSize, `0${size}`);
    await goBack(await challenge(pending, 'submit', codeOn), pending);
    assert.equal(await codeNow(pending), PAID);
  });
}
