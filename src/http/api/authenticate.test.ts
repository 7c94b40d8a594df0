import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createDirectory, fixedRows } from '../../merchants/directory.ts';
import { sandbox, sandboxRows } from '../../merchants/sandbox.ts';
import { tokenHash, tokenOf } from '../../merchants/tokens.ts';
import { createReplies } from '../replies.ts';
import { formOf, type Request } from '../request.ts';
import type { Services } from '../services.ts';
import { trustOf } from '../transport/clientAddress.ts';
import type { Reply } from '../transport/reply.ts';
import { type Authenticated, authenticated, unknownTokenReply } from './authenticate.ts';

const { demoShop, otherShop } = sandbox;
const FORM = 'application/x-www-form-urlencoded';
const own = `entityId=${demoShop.channelId}`;
const bearer = `Bearer ${demoShop.token}`;
const officeToken = tokenOf(demoShop.userId, 'only from the office');
const OFFICE = '203.0.113.9';

let services: Services;
before(async () => {
  const { entities, tokens } = sandboxRows(0);
  const office = { userId: demoShop.userId, tokenHash: tokenHash(officeToken), entityId: demoShop.channelId, createdAt: 0 };
  const rows = { entities, tokens: [...tokens, { ...office, allowedAddresses: ['203.0.113.0/24'] }] };
  const directory = await createDirectory(
    fixedRows(async () => rows),
    { now: () => 0 },
  );
  const ids = { random: () => '0'.repeat(32) } as Parameters<typeof createReplies>[0]['ids'];
  const replies = createReplies({ clock: { now: () => 0 }, ids }, 'build');
  services = { directory, replies, trust: trustOf(true), environment: 'test' } as unknown as Services;
});

type Sent = Partial<Omit<Request, 'body' | 'headers'>> & {
  readonly body?: string | Buffer;
  readonly type?: string;
  readonly token?: string;
  readonly from?: string;
};

/** A payment of the demo shop, unless it says otherwise. */
function requestOf({ body = own, type, token, from = '192.0.2.1', ...rest }: Sent): Request {
  const headers = { ...(type !== undefined && { 'content-type': type }), ...(token !== undefined && { authorization: token }) };
  const message = { headers: { ...headers, 'x-forwarded-for': from }, peer: { address: '127.0.0.1' } };
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  return { method: 'POST', endpoint: 'pay', query: '', headers, body: bytes, message, ...rest } as unknown as Request;
}

const done: Reply = { status: 200, headers: [], body: 'done', code: null, ndc: null, entityId: null };
const callers: Authenticated[] = [];
const handler = authenticated(async (_, caller) => {
  callers.push(caller);
  return done;
});

const send = (sent: Sent, changed: Partial<Services> = {}) => handler({ ...services, ...changed }, requestOf(sent));

/** The reply of a refused request. */
async function refusal(sent: Sent): Promise<Reply> {
  const outcome = await send(sent);
  assert.ok('status' in outcome, 'it was not refused');
  return outcome;
}

/** An authorised call, and the fields that its handler is given. */
async function admitted(sent: Sent, changed: Partial<Services> = {}) {
  const call = await send(sent, changed);
  assert.ok('kind' in call && call.kind === 'authorized', 'it was refused');
  callers.length = 0;
  const reply = (await call.run()) as Reply;
  const [caller] = callers;
  assert.ok(caller);
  return { call, reply, caller, fields: Object.fromEntries(caller.decoded.fields) };
}

const parametersOf = ({ body }: Reply) => (JSON.parse(body) as { result: { parameterErrors?: unknown } }).result.parameterErrors;

test('a known caller is given its entity and its form, under the limit of the entity', async () => {
  const { call, reply, caller, fields } = await admitted({ token: bearer, type: FORM, body: `${own}&amount=1.00` });
  assert.deepEqual([call.entityId, call.limit], [demoShop.channelId, { requests: 100_000, perSeconds: 1 }]);
  assert.deepEqual(
    [caller.kind, caller.entity.id, fields],
    ['authenticated', demoShop.channelId, { entityId: demoShop.channelId, amount: '1.00' }],
  );
  assert.equal(reply, done);
  assert.equal((await admitted({ token: bearer, endpoint: 'capture' as Request['endpoint'] })).call.limit, undefined);
});

test('the form is kept with the request, for the log and the inspector', async () => {
  const request = requestOf({ token: bearer, body: `${own}&amount=1.00` });
  await handler(services, request);
  assert.equal(request.decoded?.fields.get('amount'), '1.00');
});

const media: readonly (readonly [what: string, type: string | undefined, body: string, shown: string | null])[] = [
  ['a form', FORM, own, null],
  ['a form in another spelling', 'Application/X-WWW-Form-Urlencoded ; charset=UTF-8', own, null],
  ['no type', undefined, own, null],
  ['no body', 'application/json', '', null],
  ['an object beside a form', FORM, `${own}&customParameters[a]={"a":1}`, null],
  ['a name in brackets', FORM, `[x]=1&${own}`, null],
  ['a name in braces', FORM, `{x}=1&${own}`, null],
  ['another type', 'application/json', own, 'application/json'],
  ['a single byte of another type', 'text/plain', 'x', 'text/plain'],
  ['a type that only begins so', `${FORM}s`, own, `${FORM}s`],
  ['a type that only ends so', `x-${FORM}`, own, `x-${FORM}`],
  ['another charset', `${FORM}; charset=iso-8859-1`, own, `${FORM}; charset=iso-8859-1`],
  ['an object as a form', FORM, '{"entityId":"x"}', 'JSON'],
  ['a list without a type', undefined, '[{"entityId":"x"}]', 'JSON'],
];
for (const [what, type, body, shown] of media)
  test(`${what} is ${shown === null ? 'read' : 'refused by its media type'}`, async () => {
    const sent = { token: bearer, body, ...(type !== undefined && { type }), ...(body === '' && { method: 'GET', query: own }) };
    if (shown === null) {
      assert.equal((await admitted(sent)).fields.entityId, demoShop.channelId);
      return;
    }
    const reply = await refusal(sent);
    assert.deepEqual([reply.status, reply.code, reply.entityId], [400, '200.300.404', null]);
    assert.deepEqual(parametersOf(reply), [
      { name: 'Content-Type', value: shown, message: 'must be application/x-www-form-urlencoded' },
    ]);
    assert.match(reply.body, / - send the parameters as application\/x-www-form-urlencoded in UTF-8"/);
  });

const bearerRealm = 'Bearer realm="turnpike", error="invalid_token"';
const unknown = `Bearer ${tokenOf(demoShop.userId, 'guess')}`;
const legacy = (password: string) => `authentication.userId=${demoShop.userId}&authentication.password=${password}`;

const refusals: readonly (readonly [what: string, sent: Sent, status: number, code: string, entityId: string | null])[] = [
  ['no token', {}, 401, '800.900.300', demoShop.channelId],
  ['no token and no entity', { body: 'amount=1.00' }, 401, '800.900.300', null],
  ['an unknown token', { token: unknown }, 403, '800.900.300', demoShop.channelId],
  ['a wrong password', { body: `${own}&${legacy('guess')}` }, 403, '800.900.300', demoShop.channelId],
  ['an entity that is none', { token: unknown, body: 'entityId=x' }, 403, '800.900.300', null],
  ['an entity that only ends so', { token: unknown, body: `entityId=x${demoShop.channelId}` }, 403, '800.900.300', null],
  ['an entity that only begins so', { token: unknown, body: `${own}x` }, 403, '800.900.300', null],
  [
    'an empty entity beside its older name',
    { token: unknown, body: `entityId=&authentication.entityId=${demoShop.channelId}` },
    403,
    '800.900.300',
    demoShop.channelId,
  ],
  ['a foreign entity', { token: bearer, body: `entityId=${otherShop.channelId}` }, 403, '800.900.300', otherShop.channelId],
  ['no entity', { token: bearer, body: 'amount=1.00' }, 400, '200.300.404', null],
];
for (const [what, sent, status, code, entityId] of refusals)
  test(`${what}: ${status}, and the log has the entity if one was named`, async () => {
    const reply = await refusal(sent);
    assert.deepEqual([reply.status, reply.code, reply.entityId], [status, code, entityId]);
    const at = reply.headers.indexOf('WWW-Authenticate');
    assert.equal(at === -1 ? null : reply.headers[at + 1], status === 401 ? bearerRealm : null);
    const faults = status === 400 ? [{ name: 'entityId', value: null, message: 'may not be empty' }] : undefined;
    assert.deepEqual(parametersOf(reply), faults);
    assert.ok(reply.why);
  });

test('user and password may come as parameters', async () => {
  assert.equal((await admitted({ body: `${own}&${legacy('sandbox-demo')}` })).caller.entity.id, demoShop.channelId);
});

test('a token is held against the address of the client', async () => {
  const token = `Bearer ${officeToken}`;
  assert.equal((await admitted({ token, from: OFFICE })).caller.entity.id, demoShop.channelId);
  assert.match((await refusal({ token })).why ?? '', /address/);
});

test('a request that the gateway makes for a user needs no token and reaches its entity alone', async () => {
  const actsFor = { entityId: demoShop.channelId, who: 'u', callId: 'c' };
  assert.equal((await admitted({ actsFor })).caller.entity.id, demoShop.channelId);
  assert.equal((await refusal({ actsFor, token: bearer, body: `entityId=${demoShop.lenientChannelId}` })).status, 403);
});

test('unknown parameters are named in the test environment, on a channel that is not lenient', async () => {
  const hints = async (sent: Sent, changed: Partial<Services> = {}) => {
    const { headers } = (await admitted({ token: bearer, ...sent }, changed)).reply;
    return headers.includes('Unknown-Parameters');
  };
  const body = `${own}&crad.number=1`;
  const lenient = `entityId=${demoShop.lenientChannelId}&crad.number=1`;
  assert.deepEqual(
    [await hints({ body }), await hints({ body }, { environment: 'live' }), await hints({ body: lenient })],
    [true, false, false],
  );
});

const padded = (length: number) => `${own}&x=`.padEnd(length, 'y');

test('a form of more than 32 KiB is read in slices, after what other requests have waiting', async () => {
  assert.equal((await admitted({ token: bearer, body: padded(32_768) })).caller.decoded.rest, undefined);
  let others = 0;
  setImmediate(() => {
    others += 1;
  });
  const outcome = send({ token: bearer, body: padded(32_769) });
  assert.ok(outcome instanceof Promise);
  const call = await outcome;
  assert.equal(others, 1);
  assert.ok('kind' in call && call.kind === 'authorized');
  callers.length = 0;
  await call.run();
  assert.equal(typeof callers[0]?.decoded.rest, 'function');
  assert.equal(callers[0]?.decoded.fields.get('x')?.length, 32_769 - own.length - 3);
});

test('a long form is not decoded before the call may run: an entity that calls too often is refused first', async () => {
  const request = requestOf({ token: bearer, body: padded(40_000) });
  const call = await handler(services, request);
  assert.ok('kind' in call && call.kind === 'authorized');
  assert.deepEqual([call.entityId, request.decoded], [demoShop.channelId, undefined]);
  await call.run();
  assert.equal(request.decoded?.fields.size, 2);
});

const longCallers: readonly (readonly [what: string, sent: Sent, status: number | null])[] = [
  ['user and password in it', { body: `${padded(40_000)}&${legacy('sandbox-demo')}` }, null],
  ['a wrong password in it', { body: `${padded(40_000)}&${legacy('guess')}` }, 403],
  ['nothing that names a caller', { body: padded(40_000) }, 401],
  ['a token, and a wrong password in it', { token: bearer, body: `${padded(40_000)}&${legacy('guess')}` }, null],
];
for (const [what, sent, status] of longCallers)
  test(`a long form with ${what}: ${status ?? 'admitted'}`, async () => {
    const outcome = await send(sent);
    assert.equal('status' in outcome ? outcome.status : null, status);
    if (status === null) assert.ok('kind' in outcome && outcome.kind === 'authorized');
  });

test('the form is the body of a POST, and the query of a GET with what its body adds', () => {
  const form = (sent: Sent) => formOf(requestOf(sent)).toString('latin1');
  assert.equal(form({ query: 'a=1', body: 'b=2' }), 'b=2');
  assert.equal(form({ method: 'GET', query: 'a=\xe9', body: '' }), 'a=\xe9');
  assert.equal(form({ method: 'GET', query: 'a=1', body: 'b=2' }), 'a=1&b=2');
  assert.equal(form({ method: 'GET', query: 'a=1', body: 'b' }), 'a=1&b');
  assert.equal(form({ method: 'DELETE', query: 'a=1', body: '' }), 'a=1');
});

test('an unknown token is refused by its header alone, before anything else is read', () => {
  const early = (token?: string, from?: string) =>
    unknownTokenReply(
      services,
      requestOf({ ...(token !== undefined && { token }), ...(from !== undefined && { from }) }).message,
    );
  assert.equal(early(), null, 'it may still come as parameters');
  assert.equal(early(bearer), null);
  assert.equal(early(`Bearer ${officeToken}`, OFFICE), null);
  const shown = [unknown, 'Basic x', `Bearer ${officeToken}`].map((token) => {
    const reply = early(token);
    return [reply?.status, reply?.code, reply?.entityId];
  });
  assert.deepEqual(shown, [
    [403, '800.900.300', null],
    [401, '800.900.300', null],
    [403, '800.900.300', null],
  ]);
});
