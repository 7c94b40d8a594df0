import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { CARD, createClient, DEMO, type Fields, OTHER, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

/** Block and allow lists, and manual review, in the back office. */

let gateway: TestGateway;
type Ask = Awaited<ReturnType<typeof signedInAs>>['ask'];
let ask: Ask;

const RULES = {
  mode: 'on',
  velocity: 'off',
  cardTesting: 'off',
  duplicateSeconds: 0,
  rules: [
    {
      id: 'look',
      says: 'Somebody looks at what is above a hundred.',
      when: 'amount > 100.00',
      gives: { verdict: 'review', score: -7 },
      mode: 'on',
    },
  ],
};

before(async () => {
  gateway = await startGateway();
  ({ ask } = await signedInAs(gateway, { role: 'administrator', entityId: DEMO.merchantId }));
  const { revision } = (await ask('GET', `/riskRules?entityId=${DEMO.merchantId}`)).body;
  assert.equal((await ask('POST', '/riskRules', { entityId: DEMO.merchantId, risk: RULES, revision })).status, 200);
});
after(() => gateway.close());

const entityId = DEMO.merchantId;
const put = (fields: object): Promise<Reply> => ask('POST', '/riskLists', { entityId, list: 'block', ...fields });
const entries = async (query = ''): Promise<Reply['body']> => (await ask('GET', `/riskLists?entityId=${entityId}${query}`)).body;
const faultsOf = ({ body }: Reply): readonly string[] =>
  body.result.parameterErrors.map(({ name, message }: Fields) => `${name} ${message}`);
const MASTER = { paymentBrand: 'MASTER', 'card.number': '5454545454545454' } as const;
const PERSON = { 'customer.givenName': 'Ann', 'customer.surname': 'Example' } as const;
const shop = () => createClient(gateway.url);

test('a card number is listed as a hash, shown masked, and stored nowhere', async () => {
  const added = await put({ kind: 'card', value: '5454 5454 5454 5454' });
  assert.equal(added.status, 200);
  assert.equal(added.body.shown, '545454••••5454');
  assert.equal((await shop().pay({ ...MASTER })).code, '800.200.160');
  assert.equal((await shop().pay({ amount: '9.00' })).code, '000.100.110');
  const wrong = await put({ kind: 'email', value: '5454545454545454' });
  assert.deepEqual(faultsOf(wrong), ['value looks like the number of a card, which is listed as a card']);
  const everything = `${JSON.stringify([added.body, wrong.body, await entries()])}${gateway.lines.join('')}`;
  assert.doesNotMatch(everything, /5454545454545454|5454 5454/);
  const { value } = added.body;
  assert.equal((await ask('POST', '/riskLists/remove', { entityId, list: 'block', kind: 'card', value })).status, 200);
  assert.equal((await ask('POST', '/riskLists/remove', { entityId, list: 'block', kind: 'card', value })).status, 404);
  assert.equal((await shop().pay({ ...MASTER, amount: '9.00' })).code, '000.100.110');
});

test('values of a payment can be listed, for some days', async () => {
  const paid = await shop().pay({ amount: '8.00', ...PERSON, 'customer.email': 'Ann@Shop.Example' });
  const listed = await put({ kind: 'email', paymentId: paid.id, days: 2 });
  assert.deepEqual([listed.status, listed.body.value, listed.body.kind], [200, 'ann@shop.example', 'email']);
  assert.ok(Date.parse(listed.body.expiresAt) > gateway.world.clock.now());
  const card = await put({ kind: 'card', paymentId: paid.id, list: 'allow' });
  assert.equal(card.body.shown, '420000••••0000');
  assert.deepEqual(faultsOf(await put({ kind: 'ip', paymentId: paid.id })), ['paymentId tells no ip']);
  assert.deepEqual(faultsOf(await put({ kind: 'ip', paymentId: '0'.repeat(32) })), ['paymentId is no payment of this merchant']);
  assert.deepEqual(faultsOf(await put({ kind: 'ip' })), ['value send either value or paymentId']);
  assert.deepEqual(faultsOf(await put({ kind: 'country', value: 'Atlantis' })), ['value is no country']);
});

test('lines are taken all or none; lists are searched and have pages', async () => {
  const lines = '# from the old system\nemail, bad@old.example\ncountry,XX\nbin;420000\nfoo,bar\n';
  const wrong = await ask('POST', '/riskLists/import', { entityId, list: 'block', lines });
  assert.deepEqual(
    wrong.body.result.parameterErrors.map(({ name }: Fields) => name),
    ['line 3', 'line 5'],
  );
  assert.equal((await entries('&search=old.example')).entries.length, 0);
  const good = Array.from({ length: 7 }, (_, at) => `email,shopper${at}@Old.example`).join('\n');
  assert.deepEqual((await ask('POST', '/riskLists/import', { entityId, list: 'block', lines: good })).body, { entries: 7 });
  const first = await entries('&search=old.example&limit=4&kind=email');
  assert.equal(first.entries.length, 4);
  const second = await entries(`&search=old.example&limit=4&kind=email&after=${first.next}`);
  assert.deepEqual([second.entries.length, second.next], [3, null]);
  assert.equal(second.entries.at(-1).shown, 'shopper6@old.example');
  assert.equal((await entries('&list=allow')).entries.length, 1);
  assert.equal((await ask('GET', `/riskLists?entityId=${entityId}&after=xyz`)).status, 400);
  assert.equal((await ask('GET', `/riskLists?entityId=${entityId}&search=4200000000000000`)).status, 400);
  const operator = await signedInAs(gateway);
  assert.equal((await operator.ask('GET', `/riskLists?entityId=${sandbox.psp}`)).status, 400);
});

const reviews = async (query = '', who: Ask = ask): Promise<Reply['body']> =>
  (await who('GET', `/reviews?entityId=${entityId}${query}`)).body.reviews;

test('a payment under review waits for a decision; a refused one is given back', async () => {
  const [debit, authorised, taken] = await Promise.all([
    shop().pay({ amount: '101.00' }),
    shop().pay({ amount: '102.00', paymentType: 'PA' }),
    shop().pay({ amount: '103.00', paymentType: 'PA' }),
  ]);
  assert.deepEqual([debit.code, authorised.code], ['000.400.000', '000.400.000']);
  await shop().capture(taken.id, '50.00');
  await shop().pay({ amount: '7.00' });
  const support = await signedInAs(gateway, { role: 'support', entityId: DEMO.merchantId });
  const waiting = await reviews('', support.ask);
  assert.deepEqual(
    new Set(waiting.map(({ payment }: Reply['body']) => payment.id)),
    new Set([debit.id, authorised.id, taken.id]),
  );
  assert.deepEqual(waiting[0].reasons, [{ id: 'look', says: 'Somebody looks at what is above a hundred.' }]);
  const decide = (id: string, how: 'accept' | 'refuse', who: Ask = support.ask) =>
    who('POST', `/reviews/${id}/${how}`, { entityId: DEMO.entityId, note: 'looked at it' });

  const accepted = await decide(authorised.id, 'accept');
  assert.deepEqual([accepted.status, accepted.body.decision.is, accepted.body.decision.by], [200, 'accepted', 'Ann Example']);
  assert.equal((await decide(authorised.id, 'refuse')).status, 409, 'it was decided');
  assert.equal((await shop().capture(authorised.id, '102.00')).code, '000.100.110', 'it can still be captured');

  const refused = await decide(debit.id, 'refuse');
  const [act] = refused.body.decision.acts;
  assert.deepEqual([act.paymentType, act.amount, act.isDone], ['RV', '101.00', true]);
  assert.equal((await decide(debit.id, 'refuse')).status, 409, 'nothing is left to be given back');

  const both = (await decide(taken.id, 'refuse')).body.decision.acts;
  assert.deepEqual(
    both.map(({ paymentType, amount, isDone }: Reply['body']) => [paymentType, amount, isDone]),
    [
      ['RV', '53.00', true],
      ['RV', '50.00', true],
    ],
  );
  assert.deepEqual(await reviews(), []);
  assert.equal((await reviews('&state=refused')).length, 2);
  assert.equal((await reviews('&state=accepted'))[0].decision.note, 'looked at it');
});

test('after the day of the payment a refund replaces the reversal', async () => {
  const paid = await shop().pay({ amount: '104.00', currency: 'EUR' });
  gateway.pass(40 * 86_400_000);
  const late = await signedInAs(gateway, { role: 'support', entityId: DEMO.merchantId });
  const { body } = await late.ask('POST', `/reviews/${paid.id}/refuse`, { entityId, note: 'too late' });
  assert.deepEqual(
    body.decision.acts.map(({ paymentType, amount, isDone }: Reply['body']) => [paymentType, amount, isDone]),
    [['RF', '104.00', true]],
  );
});

test('rights to decide', async () => {
  const paid = await shop().pay({ amount: '105.00' });
  const plain = await shop().pay({ amount: '5.00', 'card.number': CARD['card.number'] });
  const decide = (who: Ask, id: string, how = 'accept') => who('POST', `/reviews/${id}/${how}`, { entityId, note: 'x' });
  const finance = await signedInAs(gateway, { role: 'finance', entityId: DEMO.merchantId });
  const other = await signedInAs(gateway, { role: 'support', entityId: OTHER.entityId });
  const waiting = await signedInAs(gateway, { role: 'support', entityId: DEMO.merchantId, isSteppedUp: false });
  assert.equal((await decide(finance.ask, paid.id)).status, 403);
  assert.equal((await decide(other.ask, paid.id)).status, 404);
  assert.equal((await decide(waiting.ask, plain.id)).status, 404, 'nobody asked for a look at it');
  const unproven = await decide(waiting.ask, paid.id, 'refuse');
  assert.deepEqual([unproven.status, unproven.headers.get('x-turnpike-needs')], [403, 'stepUp']);
  assert.equal((await decide(waiting.ask, paid.id)).status, 200);
});

test('above the approval limit a refusal needs a second person', async () => {
  const paid = await shop().pay({ amount: '106.00' });
  const row = (await gateway.services.accounts.store.entities()).find(({ id }) => id === DEMO.entityId);
  assert.ok(row);
  const settings = { ...row.settings, approvals: { EUR: '50.00' } };
  await gateway.services.accounts.store.saveEntity({ ...row, settings, revision: row.revision + 1 });
  await gateway.services.accounts.reload();
  const { ask: support } = await signedInAs(gateway, { role: 'support', entityId: DEMO.merchantId });
  const refused = await support('POST', `/reviews/${paid.id}/refuse`, { entityId, note: 'x' });
  assert.equal(refused.status, 400);
  assert.match(faultsOf(refused)[0] ?? '', /^amount is above what one may give back alone/);
  assert.equal((await support('POST', `/reviews/${paid.id}/accept`, { entityId, note: 'x' })).status, 200);
});
