import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { CARD, createClient, DEMO, type Fields, OTHER, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

/** Registrations, checkouts and schedules as the back office shows them. */

let gateway: TestGateway;
type Ask = Awaited<ReturnType<typeof signedInAs>>['ask'];
let ask: Ask;
let stranger: Ask;

before(async () => {
  gateway = await startGateway();
  ({ ask } = await signedInAs(gateway, { role: 'support', entityId: sandbox.division }));
  ({ ask: stranger } = await signedInAs(gateway, { role: 'administrator', entityId: OTHER.entityId }));
});
after(() => gateway.close());

const shop = () => createClient(gateway.url);
const PERSON = { 'customer.givenName': 'Ann', 'customer.surname': 'Example', 'customer.email': 'ann@example.org' } as const;
const INITIAL = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.source': 'CIT',
  'standingInstruction.recurringType': 'SUBSCRIPTION',
} as const;

async function stored(fields: Fields = {}): Promise<string> {
  const reply = await shop().send('POST', '/v1/registrations', { ...CARD, ...INITIAL, ...fields });
  assert.equal(reply.code, '000.100.110');
  return reply.id;
}

const listed = async (what: string, query: string, who: Ask = ask): Promise<Reply['body']> =>
  (await who('GET', `/${what}?entityId=${DEMO.merchantId}${query}`)).body;
const idsOf = (things: readonly { readonly id: string }[]): readonly string[] => things.map(({ id }) => id);

test('registrations are searched page by page, over all merchants below a node', async () => {
  const [visa, master] = [
    await stored({ 'card.holder': 'Zoe Sample' }),
    await stored({ paymentBrand: 'MASTER', 'card.number': '5454545454545454' }),
  ];
  const other = createClient(gateway.url, OTHER);
  const { id: foreign } = await other.send('POST', '/v1/registrations', { ...CARD, ...INITIAL });
  const found = async (query: string): Promise<readonly string[]> => idsOf((await listed('registrations', query)).registrations);
  assert.deepEqual(await found(''), [master, visa]);
  assert.deepEqual(await found('&last4=5454'), [master]);
  assert.deepEqual(await found('&holder=sample'), [visa]);
  assert.deepEqual(await found(`&id=${visa}`), [visa]);
  assert.deepEqual(await found(`&id=${foreign}`), []);
  assert.deepEqual(await found('&state=deleted'), []);
  const ofAll = await ask('GET', `/registrations?entityId=${sandbox.division}&limit=2`);
  assert.deepEqual(idsOf(ofAll.body.registrations), [foreign, master]);
  const rest = await ask('GET', `/registrations?entityId=${sandbox.division}&limit=2&after=${ofAll.body.next}`);
  assert.deepEqual([idsOf(rest.body.registrations), rest.body.next], [[visa], null]);
  const lenient = await ask('GET', `/registrations?entityId=${DEMO.lenientId}`);
  assert.deepEqual(lenient.body.registrations, []);
  const held = await listed('registrations', '&holder=ann&limit=1');
  assert.deepEqual(idsOf(held.registrations), [master]);
  assert.deepEqual(idsOf((await listed('registrations', `&holder=ann&after=${held.next}`)).registrations), []);
});

test('a registration is shown masked, with its uses, and removed with the right', async () => {
  const id = await stored();
  const paid = await shop().send('POST', `/v1/registrations/${id}/payments`, {
    amount: '11.00',
    currency: 'EUR',
    paymentType: 'DB',
    'standingInstruction.mode': 'REPEATED',
    'standingInstruction.type': 'UNSCHEDULED',
    'standingInstruction.source': 'MIT',
  });
  assert.equal(paid.code, '000.100.110');
  const seen = await ask('GET', `/registrations/${id}?entityId=${DEMO.entityId}`);
  assert.equal(seen.status, 200);
  assert.deepEqual(seen.body.instrument, {
    kind: 'card',
    brand: 'VISA',
    masked: '420000••••0000',
    holder: 'Ann Example',
    expiry: '05/2034',
  });
  assert.doesNotMatch(JSON.stringify(seen.body), /4200000000000000/);
  const uses = await ask('GET', `/registrations/${id}/payments?entityId=${DEMO.entityId}`);
  assert.deepEqual(idsOf(uses.body.payments), [paid.id, id]);
  assert.equal((await stranger('GET', `/registrations/${id}?entityId=${OTHER.entityId}`)).status, 404);
  assert.equal((await stranger('GET', `/registrations/${id}?entityId=${DEMO.entityId}`)).status, 404);
  const reader = await signedInAs(gateway, { role: 'readOnly' });
  assert.equal((await reader.ask('DELETE', `/registrations/${id}?entityId=${DEMO.entityId}`)).status, 403);
  const gone = await ask('DELETE', `/registrations/${id}?entityId=${DEMO.entityId}`);
  assert.deepEqual([gone.status, gone.body.state], [200, 'deleted']);
  assert.equal((await ask('DELETE', `/registrations/${id}?entityId=${DEMO.entityId}`)).code, '100.150.202');
  assert.equal((await ask('GET', `/registrations/none?entityId=${DEMO.entityId}`)).status, 404);
});

test('checkouts are listed by state and age, and shown with what was tried', async () => {
  const made = async (fields: Fields = {}): Promise<string> =>
    (await shop().send('POST', '/v1/checkouts', { amount: '92.00', currency: 'EUR', paymentType: 'DB', ...fields })).id;
  const old = await made({ merchantTransactionId: 'order-0001', ...PERSON });
  gateway.pass(31 * 60_000);
  ({ ask } = await signedInAs(gateway, { role: 'support', entityId: sandbox.division }));
  const between = new Date(gateway.world.clock.now() - 60_000).toISOString();
  const open = await made();
  const found = async (query: string): Promise<readonly string[]> => idsOf((await listed('checkouts', query)).checkouts);
  assert.deepEqual(await found(''), [open, old]);
  assert.deepEqual(await found('&state=open'), [open]);
  assert.deepEqual(await found('&state=over'), [old]);
  assert.deepEqual(await found(`&from=${between}`), [open]);
  assert.deepEqual(await found(`&to=${between}`), [old]);
  assert.deepEqual(await found(`&id=${old}`), [old]);
  const seen = await ask('GET', `/checkouts/${old}?entityId=${DEMO.merchantId}`);
  assert.deepEqual([seen.body.state, seen.body.tried, seen.body.attempts], ['over', [], 0]);
  assert.ok(seen.body.fields.some(({ name }: Fields) => name === 'merchantTransactionId'));
  assert.doesNotMatch(JSON.stringify(seen.body), /ann@example\.org/);
  assert.equal((await ask('GET', `/checkouts/${old}?entityId=${DEMO.lenientId}`)).status, 404);
  ({ ask: stranger } = await signedInAs(gateway, { role: 'administrator', entityId: OTHER.entityId }));
  assert.equal((await stranger('GET', `/checkouts/${old}?entityId=${OTHER.entityId}`)).status, 404);
});

test('a schedule shows its next ten runs in the time zone of its channel and its past ones, and is ended with the right', async () => {
  const registrationId = await stored();
  const made = await shop().send('POST', '/scheduling/v1/schedules', {
    registrationId,
    paymentType: 'DB',
    amount: '17.00',
    currency: 'EUR',
    'job.name': 'Tea',
    'job.expression': '0 30 6 1 * ?',
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { id } = made;
  const path = `/schedules/${id}?entityId=${DEMO.merchantId}`;
  const { body } = await ask('GET', path);
  assert.deepEqual(
    [body.words, body.name, body.amount, body.state],
    ['At 06:30:00 on day 1 of every month', 'Tea', '17.00', 'active'],
  );
  assert.equal((await ask('GET', `${path}&language=de`)).body.words, 'Um 06:30:00 am 1. jedes Monats');
  assert.equal(body.nextRuns.length, 10);
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: body.timeZone, day: 'numeric', hour: '2-digit', minute: '2-digit' });
  for (const run of body.nextRuns) assert.equal(clock.format(new Date(run)), '1, 06:30');
  assert.deepEqual(idsOf((await listed('schedules', '')).schedules), [id]);
  assert.deepEqual((await listed('schedules', '&state=over')).schedules, []);
  gateway.pass(Date.parse(body.nextRuns[0]) - gateway.world.clock.now() + 1_000);
  ({ ask } = await signedInAs(gateway, { role: 'support', entityId: sandbox.division }));
  await gateway.work('run due schedules');
  const [run] = (await ask('GET', path)).body.runs;
  assert.deepEqual([run.dueAt, run.payment.amount, run.payment.state], [body.nextRuns[0], '17.00', 'approved']);
  const ofCard = await ask('GET', `/registrations/${registrationId}?entityId=${DEMO.merchantId}`);
  assert.deepEqual(idsOf(ofCard.body.schedules), [id]);
  const developer = await signedInAs(gateway, { role: 'developer' });
  assert.equal((await developer.ask('DELETE', path)).status, 403);
  const ended = await ask('DELETE', path);
  assert.deepEqual([ended.status, ended.body.state, ended.body.nextRuns], [200, 'over', []]);
  assert.equal((await ask('DELETE', path)).code, '100.360.303');
  assert.equal((await ask('GET', `/schedules/${registrationId}?entityId=${DEMO.merchantId}`)).status, 404);
});
