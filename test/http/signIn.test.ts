import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Endpoint, endpoints } from '../../src/spec/endpoints.ts';
import type { Reply } from './client.ts';
import { startGateway } from './gateway.ts';
import { browserOf, cookieOf, createUserWithPassword, PASSWORD, sessionFor, signedInAs } from './userFixture.ts';

/** The table of R30, with a clock of the test. */

const gateway = await startGateway({ isClockHeld: true });
after(() => gateway.close());
const [SECOND, MINUTE] = [1_000, 60_000];
const HOUR = 60 * MINUTE;

type Somebody = Awaited<ReturnType<typeof createUserWithPassword>>;

const first = ({ ask, user }: Somebody, password = PASSWORD): Promise<Reply> =>
  ask('POST', '/session', { email: user.email, password });
const second = ({ ask }: Somebody, half: Reply, code: string): Promise<Reply> =>
  ask('POST', '/session/second', { ticket: half.body.ticket, code });
/** Both steps. */
const signIn = async (who: Somebody, password = PASSWORD, code = who.code()): Promise<Reply> => {
  const half = await first(who, password);
  return half.status === 200 ? second(who, half, code) : half;
};
const browserAfter = async (reply: Reply) => {
  const cookie = cookieOf(reply);
  const me = await browserOf(gateway.backOfficeUrl, cookie, null)('GET', '/me');
  return browserOf(gateway.backOfficeUrl, cookie, me.body.csrf);
};
const passTo = (ms: number) => gateway.pass(ms);
/** To the beginning of a step of the app: none ends while a test looks at it. */
const toStep = () => passTo(30 * SECOND - (gateway.services.users.needs.clock.now() % (30 * SECOND)));

test('a session ends after 15 minutes of nothing', async () => {
  const [early, late] = [await signedInAs(gateway), await signedInAs(gateway)];
  passTo(15 * MINUTE - 10 * SECOND);
  assert.equal((await early.ask('GET', '/me')).status, 200);
  passTo(10 * SECOND);
  assert.equal((await late.ask('GET', '/me')).status, 401);
});

test('a session that is used goes on, and ends after 12 hours all the same', async () => {
  const { ask } = await signedInAs(gateway);
  for (let passed = 0; passed < 12 * HOUR - 10 * MINUTE; passed += 10 * MINUTE) {
    assert.equal((await ask('GET', '/me')).status, 200, `after ${passed / MINUTE} minutes`);
    passTo(10 * MINUTE);
  }
  assert.equal((await ask('GET', '/me')).status, 200);
  passTo(10 * MINUTE);
  assert.equal((await ask('GET', '/me')).status, 401);
});

test('polling of a page does not keep a session alive', async () => {
  const { ask } = await signedInAs(gateway);
  for (const _ of [1, 2, 3]) {
    passTo(5 * MINUTE - SECOND);
    assert.equal((await ask('GET', '/me', undefined, { 'x-turnpike-quiet': '1' })).status, 200);
  }
  passTo(4 * SECOND);
  assert.equal((await ask('GET', '/me')).status, 401);
});

test('the times of a session that a page gets are right', async () => {
  const { ask } = await signedInAs(gateway);
  const { body } = await ask('GET', '/me');
  const [now, idle, end, up] = [body.now, body.idleUntil, body.endsAt, body.steppedUpUntil].map(Date.parse) as [
    number,
    number,
    number,
    number,
  ];
  assert.ok(idle - now <= 15 * MINUTE && idle - now > 15 * MINUTE - 5 * SECOND);
  assert.ok(end - now <= 12 * HOUR && end - now > 12 * HOUR - 5 * SECOND);
  assert.ok(up - now <= 5 * MINUTE && up - now > 5 * MINUTE - 5 * SECOND);
});

const failing: readonly (readonly [what: string, fail: (who: Somebody) => Promise<Reply>])[] = [
  ['passwords', (who) => first(who, 'four loud herons at dawn')],
  ['codes', async (who) => second(who, await first(who), wrongCode(who))],
];

const wrongCode = (who: Somebody): string => {
  const near = [-1, 0, 1].map((steps) => who.code(steps));
  return ['000000', '111111', '222222', '333333'].find((code) => !near.includes(code)) ?? '';
};

for (const [what, fail] of failing) {
  test(`five wrong ${what} lock for 30 minutes, and not a minute longer`, async () => {
    const who = await createUserWithPassword(gateway);
    for (let times = 0; times < 5; times += 1) {
      assert.equal((await fail(who)).status, 401);
      passTo(MINUTE);
    }
    assert.equal((await signIn(who)).status, 401, 'the right ones do not help');
    passTo(29 * MINUTE - 10 * SECOND);
    assert.equal((await signIn(who)).status, 401, 'nor a moment before the end');
    passTo(10 * SECOND);
    assert.equal((await signIn(who)).status, 200);
  });
}

test('four failures do not lock, and a sign-in resets them; passwords and codes count together', async () => {
  const who = await createUserWithPassword(gateway);
  for (const _ of [1, 2]) assert.equal((await first(who, 'x')).status, 401);
  const half = await first(who);
  for (const _ of [1, 2]) assert.equal((await second(who, half, wrongCode(who))).status, 401);
  assert.equal((await second(who, half, who.code())).status, 200);
  passTo(MINUTE);
  for (const _ of [1, 2, 3, 4]) assert.equal((await first(who, 'x')).status, 401);
  assert.equal((await signIn(who)).status, 200);
  passTo(MINUTE);
  for (const _ of [1, 2, 3]) assert.equal((await first(who, 'x')).status, 401);
  const again = await first(who);
  for (const _ of [1, 2]) assert.equal((await second(who, again, wrongCode(who))).status, 401);
  assert.equal((await second(who, again, who.code())).status, 401, 'locked in the middle');
});

test('failures at the same time are all counted', async () => {
  const who = await createUserWithPassword(gateway);
  await Promise.all([1, 2, 3, 4, 5].map(() => first(who, 'x')));
  assert.equal((await signIn(who)).status, 401);
});

test('the lock is by e-mail address: an unknown one is locked too, with the same replies', async () => {
  const ask = browserOf(gateway.backOfficeUrl, null, null);
  const who = await createUserWithPassword(gateway);
  const answers: string[] = [];
  for (let times = 0; times < 7; times += 1) {
    for (const email of [who.user.email, 'nobody@shop.example']) {
      const { status, body, headers } = await ask('POST', '/session', { email, password: 'x' });
      const names = [...headers.keys()].filter((name) => name !== 'date').join();
      answers.push(JSON.stringify([status, body.result, names]));
    }
    passTo(MINUTE);
  }
  assert.equal(new Set(answers).size, 1, answers.join('\n'));
});

test('a code is good once, one step before and after, and never again', async () => {
  const who = await createUserWithPassword(gateway);
  passTo(5 * MINUTE);
  toStep();
  for (const steps of [-2, 2, 3, -10]) assert.equal((await signIn(who, PASSWORD, who.code(steps))).status, 401, String(steps));
  assert.equal((await signIn(who, PASSWORD, who.code(-1))).status, 200);
  assert.equal((await signIn(who, PASSWORD, who.code(-1))).status, 401, 'twice');
  assert.equal((await signIn(who, PASSWORD, who.code(1))).status, 200);
  assert.equal((await signIn(who, PASSWORD, who.code(0))).status, 401, 'an older one than the last');
});

test('of two sign-ins with one code at once only one succeeds', async () => {
  const who = await createUserWithPassword(gateway);
  toStep();
  const halves = await Promise.all([1, 2, 3, 4].map(() => first(who)));
  const replies = await Promise.all(halves.map((half) => second(who, half, who.code())));
  assert.equal(replies.filter(({ status }) => status === 200).length, 1);
});

test('half a sign-in is good for five minutes, once, and for nothing else', async () => {
  const who = await createUserWithPassword(gateway);
  const half = await first(who);
  passTo(5 * MINUTE);
  assert.equal((await second(who, half, who.code())).status, 401);
  const other = await first(who);
  assert.equal((await second(who, other, who.code())).status, 200);
  passTo(MINUTE);
  assert.equal((await second(who, other, who.code())).status, 401);
  assert.equal((await who.ask('POST', '/invitations/finish', { ticket: half.body.ticket, code: who.code() })).status, 401);
});

test('a session begins with the sign-in: what the browser had before is nothing and ends', async () => {
  const who = await createUserWithPassword(gateway);
  const before = await sessionFor(gateway, who.user);
  const planted = 'turnpike=attackers-own-choice-of-a-session-name-1234';
  const half = await first(who);
  const asked = { ticket: half.body.ticket, code: who.code() };
  const reply = await browserOf(gateway.backOfficeUrl, before.cookie, null)('POST', '/session/second', asked);
  assert.equal(reply.status, 200);
  assert.notEqual(cookieOf(reply), before.cookie);
  assert.equal((await before.ask('GET', '/me')).status, 401, 'the session before is over');
  passTo(MINUTE);
  const again = await first(who);
  const fixed = await browserOf(gateway.backOfficeUrl, planted, null)('POST', '/session/second', {
    ticket: again.body.ticket,
    code: who.code(),
  });
  assert.equal(fixed.status, 200);
  assert.notEqual(cookieOf(fixed), planted);
  assert.equal((await browserOf(gateway.backOfficeUrl, planted, null)('GET', '/me')).status, 401);
});

test('a step-up is valid for five minutes; failures lock as at sign-in', async () => {
  const who = await createUserWithPassword(gateway);
  const { ask } = await sessionFor(gateway, who.user, false);
  const enrol = () => ask('POST', '/me/totp');
  const refused = await enrol();
  assert.deepEqual([refused.status, refused.headers.get('x-turnpike-needs')], [403, 'stepUp']);
  assert.equal((await ask('POST', '/me/stepUp', {})).status, 400);
  assert.equal((await ask('POST', '/me/stepUp', { code: wrongCode(who) })).status, 403);
  const code = who.code();
  assert.equal((await ask('POST', '/me/stepUp', { code })).status, 200);
  assert.equal((await ask('POST', '/me/stepUp', { code })).status, 403, 'a code is good once here too');
  passTo(5 * MINUTE - 10 * SECOND);
  assert.equal((await enrol()).status, 200);
  passTo(10 * SECOND);
  assert.equal((await enrol()).status, 403);
  for (const _ of [1, 2, 3, 4, 5]) await ask('POST', '/me/stepUp', { code: wrongCode(who) });
  assert.equal((await ask('POST', '/me/stepUp', { code: who.code() })).status, 403, 'locked');
  passTo(15 * MINUTE);
  assert.equal((await signIn(who)).status, 401, 'and so is the sign-in');
});

test('refunds, tokens, keys, users and roles ask for a step-up', () => {
  const rows = Object.entries(endpoints as Readonly<Record<string, Endpoint>>);
  const changing = rows.filter(
    ([, { method, right }]) => method !== 'GET' && ['refund', 'tokens', 'keys', 'users', 'approve'].includes(right ?? ''),
  );
  assert.ok(changing.length >= 12);
  assert.deepEqual(
    changing.filter(([, { stepUp }]) => stepUp !== true).map(([name]) => name),
    [],
  );
});

test('after a flood of five minutes an address has to wait', async () => {
  const ask = browserOf(gateway.backOfficeUrl, null, null);
  const replies: Reply[] = [];
  for (let times = 0; times < 140; times += 1) replies.push(await ask('POST', '/invitations/read', { token: 'x'.repeat(43) }));
  assert.equal(replies.at(-1)?.code, '800.120.100');
  assert.match(replies.at(-1)?.headers.get('retry-after') ?? '', /^[0-9]+$/);
  passTo(MINUTE);
  assert.equal((await ask('POST', '/invitations/read', { token: 'x'.repeat(43) })).status, 404);
});

test('sessions are listed and ended by their owner, and a new password ends the others', async () => {
  const who = await createUserWithPassword(gateway);
  const [one, other, third] = [
    await sessionFor(gateway, who.user),
    await sessionFor(gateway, who.user),
    await sessionFor(gateway, who.user),
  ];
  const stranger = await signedInAs(gateway);
  const { sessions } = (await one.ask('GET', '/me/sessions')).body as { sessions: { id: string; isThis: boolean }[] };
  assert.deepEqual([sessions.length, sessions.filter(({ isThis }) => isThis).length], [3, 1]);
  const mine = sessions.find(({ isThis }) => isThis)?.id;
  assert.equal((await stranger.ask('DELETE', `/me/sessions/${mine}`)).status, 404, 'of another');
  const their = (await other.ask('GET', '/me/sessions')).body.sessions.find(({ isThis }: { isThis: boolean }) => isThis).id;
  assert.equal((await one.ask('DELETE', `/me/sessions/${their}`)).status, 200);
  assert.equal((await other.ask('GET', '/me')).status, 401);
  const change = { password: PASSWORD, newPassword: 'nine slow barges upriver' };
  assert.equal((await one.ask('POST', '/me/password', change)).status, 200);
  assert.deepEqual([(await one.ask('GET', '/me')).status, (await third.ask('GET', '/me')).status], [200, 401]);
  assert.equal((await signIn(who)).status, 401);
  assert.equal((await signIn(who, change.newPassword)).status, 200);
});

test('no password, code, token or secret is in the log or the store', async () => {
  const who = await createUserWithPassword(gateway);
  const code = who.code();
  const reply = await signIn(who, PASSWORD, code);
  const token = cookieOf(reply).split('=')[1] ?? '';
  assert.ok(token.length > 20);
  const { store } = gateway.services.users.needs;
  const kept = JSON.stringify([
    await store.documents({ collection: 'session', ownerId: who.user.id, limit: 9 }),
    await store.document('user', who.user.id),
  ]);
  for (const secret of [PASSWORD, token, who.secret]) {
    assert.ok(!gateway.lines.some((line) => line.includes(secret)));
    assert.ok(!kept.includes(secret));
  }
  const ask = await browserAfter(reply);
  assert.equal((await ask('DELETE', '/session')).status, 200);
});
