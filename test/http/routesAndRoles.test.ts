import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { fieldsOf, type RightEndpointName, takesFile } from '../../src/spec/admin/admin.ts';
import { type Endpoint, endpoints } from '../../src/spec/endpoints.ts';
import { type Right, type RoleName, rights, roles } from '../../src/spec/rights.ts';
import { createApproval } from '../../src/users/approvals.ts';
import { makeRole } from '../../src/users/roles.ts';
import { reportFigure } from '../figures.ts';
import { createAdministrator } from './administrator.ts';
import { CARD, createClient, DEMO, OTHER, type Reply } from './client.ts';
import { startGateway } from './gateway.ts';
import { browserOf, signedInAs, userOf } from './userFixture.ts';

/**
 * Every endpoint that needs a right × every role × an own entity, a foreign one and one that does not exist (R29). Generated from the
 * tables: a new row is tested here without further code.
 */

const gateway = await startGateway();
after(() => gateway.close());

const ABSENT = 'f'.repeat(32);
const places = { own: DEMO.merchantId, foreign: sandbox.otherShop.merchantId } as const;

const named = Object.keys(endpoints).filter(
  (name) => (endpoints as Readonly<Record<string, Endpoint>>)[name]?.access === 'admin',
) as RightEndpointName[];
const rowOf = (name: RightEndpointName): Endpoint => endpoints[name];

const { needs } = gateway.services.users;
const everybody = { who: 'operator', may: () => true } as const;
const operator = await signedInAs(gateway);

const made = async (path: string, body: object): Promise<string> => {
  const reply = await operator.ask('POST', path, body);
  assert.equal(reply.status, 200, `${path}: ${JSON.stringify(reply.body)}`);
  return (reply.body.id ?? reply.body.token?.id) as string;
};

const clientOf = (entityId: string) => createClient(gateway.url, entityId === DEMO.merchantId ? DEMO : OTHER);
const paid = async (entityId: string): Promise<string> => (await clientOf(entityId).pay()).id;
const card = Object.fromEntries(Object.entries(CARD).filter(([name]) => name !== 'card.cvv'));

/** Resources that paths name, by the beginning of the path. Those that are missing here are tried as absent alone. */
const makers: Readonly<Record<string, (entityId: string) => Promise<string>>> = {
  webhooks: (entityId) => made('/webhooks', { entityId, name: 'Orders', url: 'https://shop.example/hook' }),
  entities: async (entityId) => entityId,
  payments: paid,
  riskExplanations: paid,
  registrations: async (entityId) => (await clientOf(entityId).send('POST', '/v1/registrations', card)).id,
  checkouts: async (entityId) =>
    (await clientOf(entityId).send('POST', '/v1/checkouts', { amount: '1.00', currency: 'EUR', paymentType: 'DB' })).id,
  tokens: (entityId) => made('/tokens', { entityId, name: `Shop ${needs.ids.random().slice(0, 8)}` }),
  users: async (entityId) => (await userOf(gateway, { role: 'readOnly', entityId })).id,
  roles: async (entityId) => {
    const name = `Role ${needs.ids.random().slice(0, 12)}`;
    const made = await makeRole(needs, everybody, { entityId, name, rights: ['readPayments'] });
    return made.ok ? made.role.id : assert.fail(made.refused);
  },
  approvals: async (entityId) => {
    const about = { what: 'none', amount: '1.00', currency: 'EUR', values: {}, askedBy: 'x' };
    return (
      (await createApproval(needs, { ...about, entityId, objectId: needs.ids.random() }, needs.ids.next()))?.id ?? assert.fail()
    );
  },
};

const kindIn = (path: string): string => path.split('/')[3] ?? '';
const namesThing = (path: string): boolean => path.includes('{');

type About = { readonly entityId: string; readonly thing: string };

/** What a request is about. */
const absentOf = (id = ABSENT): About => ({ entityId: id, thing: id });

/** A resource is made anew for each endpoint and entity: some endpoints end it. */
async function aboutOf(name: RightEndpointName, place: 'own' | 'foreign'): Promise<About> {
  const { path } = rowOf(name);
  const thing = namesThing(path) ? await makers[kindIn(path)]?.(places[place]) : undefined;
  return { entityId: places[place], thing: thing ?? ABSENT };
}

/** The request of an endpoint: required fields as the table's own example has them. */
function requestOf(name: RightEndpointName, { entityId, thing }: About) {
  const { method, path } = rowOf(name);
  const fields = Object.entries(fieldsOf(name)).filter(([, { isRequired }]) => isRequired);
  const values = fields.map(([field, { example }]): [string, unknown] => [field, field === 'entityId' ? entityId : example]);
  const way = path.replace('/admin/v1', '').replaceAll(/\{[^}]+\}/g, thing);
  if (method === 'POST' && !takesFile(name)) return { way, body: Object.fromEntries(values) };
  const query = new URLSearchParams(values.map(([field, value]) => [field, String(value)])).toString();
  return { way: query === '' ? way : `${way}?${query}`, body: takesFile(name) ? 'a;b\n' : undefined };
}

type Browser = Awaited<ReturnType<typeof signedInAs>>;

async function send({ ask }: Pick<Browser, 'ask'>, name: RightEndpointName, about: About): Promise<Reply> {
  const { way, body } = requestOf(name, about);
  const headers: Readonly<Record<string, string>> = takesFile(name) ? { 'content-type': 'text/csv' } : {};
  const reply = await ask(rowOf(name).method, way, body, headers);
  assert.ok(reply.status < 500, `${name} ${way}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply;
}

/** A reply without what differs from request to request. */
const plain = (reply: Reply, ...ids: readonly string[]): string =>
  ids.reduce(
    (text, id) => text.replaceAll(id, '(id)'),
    `${reply.status} ${JSON.stringify({ ...reply.body, ndc: '', timestamp: '' })}`,
  );

const roleNames = Object.keys(roles) as RoleName[];
const people = new Map<RoleName, Browser>();
for (const role of roleNames) people.set(role, await signedInAs(gateway, { role, entityId: DEMO.merchantId }));
const sleepy = await signedInAs(gateway, { role: 'operator', entityId: DEMO.merchantId, isSteppedUp: false });
const nobody = { ask: browserOf(gateway.backOfficeUrl, null, null) };

/** A user with a custom role, at a node where it can be granted. */
async function withRights(nodeId: string, allowed: readonly Right[]): Promise<Browser> {
  const name = `Made ${needs.ids.random().slice(0, 12)}`;
  const made = await makeRole(needs, everybody, { entityId: nodeId, name, rights: allowed });
  return made.ok ? signedInAs(gateway, { role: made.role.id, entityId: DEMO.merchantId }) : assert.fail();
}

/** A user with one right alone, and one with all the others. */
const all = Object.keys(rights) as Right[];
const alone = new Map<Right, Browser>();
const others = new Map<Right, Browser>();
for (const right of all) {
  alone.set(right, await withRights(sandbox.psp, [right]));
  others.set(
    right,
    await withRights(
      sandbox.division,
      all.filter((other) => other !== right),
    ),
  );
}

const has = (role: RoleName, right: Right | undefined): boolean =>
  right !== undefined && (roles[role].rights as readonly Right[]).includes(right);

test('the table was seen', () => assert.ok(named.length > 60, String(named.length)));

/** Without the right the reply is the same whatever the request is about. */
async function isTurnedAway(browser: Pick<Browser, 'ask'>, name: RightEndpointName, abouts: readonly About[]): Promise<void> {
  for (const about of abouts) {
    const { status, code, body } = await send(browser, name, about);
    assert.deepEqual([status, code], [403, '800.900.300'], JSON.stringify(body));
  }
}

/** With the right, own resources work, and foreign ones look like missing ones. */
async function isLetIn(browser: Browser, name: RightEndpointName, own: About, foreign: About): Promise<void> {
  const reply = await send(browser, name, own);
  assert.ok(![401, 403].includes(reply.status), plain(reply));
  const hidden = await send(browser, name, foreign);
  assert.ok([400, 404].includes(hidden.status), plain(hidden));
  assert.equal(plain(hidden, foreign.entityId, foreign.thing), plain(await send(browser, name, absentOf()), ABSENT));
  if (!namesThing(rowOf(name).path) || !('entityId' in fieldsOf(name))) return;
  // The own entity, and a foreign resource.
  const mixed = await send(browser, name, { ...own, thing: foreign.thing });
  assert.equal(plain(mixed, foreign.thing), plain(await send(browser, name, { ...own, thing: ABSENT }), ABSENT));
}

for (const name of named) {
  const { right, stepUp = false } = rowOf(name);
  test(`${name}: allowed and refused callers`, async () => {
    const [own, foreign] = [await aboutOf(name, 'own'), await aboutOf(name, 'foreign')];
    for (const about of [own, foreign, absentOf()]) assert.equal((await send(nobody, name, about)).status, 401);
    for (const [role, browser] of people) {
      if (has(role, right)) await isLetIn(browser, name, own, foreign);
      else await isTurnedAway(browser, name, [own, foreign, absentOf()]);
    }
    const [granted, refused] = [alone.get(right as Right), others.get(right as Right)];
    if (!granted || !refused) assert.fail(`${right} is no right`);
    assert.ok(![401, 403].includes((await send(granted, name, absentOf())).status), `the right ${right} is enough`);
    await isTurnedAway(refused, name, [absentOf()]);
    const asleep = await send(sleepy, name, absentOf());
    assert.equal(asleep.headers.get('x-turnpike-needs') === 'stepUp' && asleep.status === 403, stepUp);
    reportFigure('R29', 'endpoints', 1);
    reportFigure('R29', 'callers', people.size + 4);
  });
}

const withToken = (token: string | null): Browser['ask'] => {
  const administrator = createAdministrator(gateway.url, token);
  return (method, path, body) => administrator.ask(method, path, body);
};

for (const name of named.filter((one) => !takesFile(one))) {
  const { right } = rowOf(name);
  test(`${name}: with a merchant's token at the port of the API`, async () => {
    assert.equal((await send({ ask: withToken(null) }, name, absentOf())).status, 401);
    const merchant = { ask: withToken(DEMO.token) };
    if (!rights[right as Right].isTokenEnough) return isTurnedAway(merchant, name, [absentOf()]);
    const foreign = await aboutOf(name, 'foreign');
    const hidden = await send(merchant, name, foreign);
    assert.ok([400, 404].includes(hidden.status), plain(hidden));
    assert.equal(plain(hidden, foreign.entityId, foreign.thing), plain(await send(merchant, name, absentOf()), ABSENT));
  });
}

const ofOneself = Object.entries(endpoints as Readonly<Record<string, Endpoint>>).filter(
  ([, { access }]) => access === 'session',
);

test('endpoints about the own account ask for a session, and for a step-up where it says so', async () => {
  assert.ok(ofOneself.length >= 15);
  for (const [name, { method, path, stepUp = false }] of ofOneself) {
    const way = path.replace('/admin/v1', '').replaceAll(/\{[^}]+\}/g, ABSENT);
    const body = method === 'POST' ? {} : undefined;
    assert.equal((await nobody.ask(method, way, body)).status, 401, name);
    assert.equal((await withToken(DEMO.token)(method, way, body)).status, 404, `${name} is not there at the port of the API`);
    if (name === 'signOut') continue;
    const asleep = await sleepy.ask(method, way, body);
    assert.equal(asleep.headers.get('x-turnpike-needs') === 'stepUp', stepUp, name);
    assert.ok(asleep.status < 500, name);
  }
});
