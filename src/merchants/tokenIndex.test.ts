import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../spec/time.ts';
import type { GrantCells } from './ports.ts';
import { createTokenIndex } from './tokenIndex.ts';
import { grantsOpenedBy, tokenHash, tokenOf, userOf } from './tokens.ts';

/** Where most requests come from. */
const HOME = '192.0.2.1';

const userId = (n: number): string => n.toString(16).padStart(32, '0');
const token = (n: number, password = 'secret'): string => tokenOf(userId(n), password);
const cells = (
  n: number,
  {
    password = 'secret',
    entityId = `e${n}`,
    endsAt = null as number | null,
    usedOn = null as number | null,
    allowed = null as string | null,
  } = {},
): GrantCells => [tokenHash(token(n, password)), entityId, userId(n), endsAt, usedOn, allowed];

const users: readonly (readonly [what: string, token: string, user: string | null])[] = [
  ['a token', token(7), userId(7)],
  ['a token whose password has another length', token(7, 'x'), userId(7)],
  ['a user id that is too short', tokenOf('0'.repeat(31), 'secret'), null],
  ['a user id in capitals', tokenOf('A'.repeat(32), 'secret'), null],
  ['no bar after the user id', Buffer.from('0'.repeat(33)).toString('base64'), null],
  ['something before the user id', tokenOf(`x${userId(7)}`, 'secret'), null],
  ['nothing', '', null],
];
for (const [what, text, user] of users) test(`the user in ${what}`, () => assert.equal(userOf(text), user));

test('a token is the base64 of user and password, and its hash is SHA-256', () => {
  assert.equal(tokenOf('u', 'p'), 'dXxw');
  assert.equal(tokenHash('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('a token opens its own grants until they end', () => {
  const grant = (password: string, entityId: string, endsAt: number) => ({
    tokenHash: tokenHash(token(1, password)),
    entityId,
    endsAt,
  });
  const grants = [grant('secret', 'a', 10), grant('other', 'b', 10), grant('secret', 'c', 5)];
  const opened = (now: number) => grantsOpenedBy(token(1), grants, now).map(({ entityId }) => entityId);
  assert.deepEqual([opened(4), opened(5), opened(9), opened(10)], [['a', 'c'], ['a'], ['a'], []]);
});

test('every user has its own grants, in the order in which they came', () => {
  const index = createTokenIndex();
  for (let n = 0; n < 200; n += 1) assert.equal(index.put(cells(n)), true);
  assert.equal(index.put(cells(5, { entityId: 'second' })), true);
  assert.equal(index.put(cells(5, { password: 'other', entityId: 'third' })), true);
  for (let n = 0; n < 200; n += 1) assert.deepEqual(index.granted(token(n), 0, HOME), n === 5 ? ['e5', 'second'] : [`e${n}`]);
  assert.deepEqual(index.granted(token(5, 'other'), 0, HOME), ['third']);
});

test('an unknown user, a wrong password and what is no token open nothing', () => {
  const index = createTokenIndex();
  assert.deepEqual(index.granted(token(1), 0, HOME), []);
  index.put(cells(1));
  for (const sent of [token(2), token(1, 'guess'), 'abc', '']) assert.deepEqual(index.granted(sent, 0, HOME), []);
  assert.deepEqual(index.granted(token(1), 0, HOME), ['e1'], 'that it was unknown is not remembered');
});

const none: readonly (readonly [what: string, cells: GrantCells])[] = [
  ['a hash that is too short', ['ab', 'e', userId(1), null, null, null]],
  ['a hash that is too long', [`${tokenHash('x')}00`, 'e', userId(1), null, null, null]],
  ['a hash with a letter at its end', [`${tokenHash('x')}g`, 'e', userId(1), null, null, null]],
  ['a user id that is none', [tokenHash('x'), 'e', 'nobody', null, null, null]],
  ...['', 'x', '{}', 'null', '[1]', '["192.0.2.0/24",7]', '["192.0.2.0/24","192.0.2.256"]'].map(
    (list): readonly [string, GrantCells] => [`the addresses ${list}`, [tokenHash(token(1)), 'e', userId(1), null, null, list]],
  ),
];
for (const [what, row] of none) {
  test(`a grant with ${what} is refused, and named where many are replaced`, () => {
    const index = createTokenIndex();
    assert.equal(index.put(row), false);
    assert.deepEqual(index.replace([userId(1)], [row, cells(1)]), [row]);
    assert.deepEqual(index.granted(token(1), 0, HOME), ['e1']);
  });
}

test('a token ends, also one that was used before', () => {
  const index = createTokenIndex();
  index.put(cells(1, { endsAt: 100 }));
  assert.deepEqual(
    [index.granted(token(1), 99, HOME), index.granted(token(1), 99, HOME), index.granted(token(1), 100, HOME)],
    [['e1'], ['e1'], []],
  );
});

test('tokens that are replaced open nothing any more, and their rows are used again', () => {
  const index = createTokenIndex();
  for (let n = 0; n < 60; n += 1) index.put(cells(n));
  index.put(cells(3, { entityId: 'second' }));
  assert.deepEqual(index.granted(token(3), 0, HOME), ['e3', 'second']);
  for (let round = 0; round < 100; round += 1)
    assert.deepEqual(index.replace([userId(3), userId(999)], [cells(3, { password: `p${round}`, entityId: `r${round}` })]), []);
  assert.deepEqual(
    [index.granted(token(3), 0, HOME), index.granted(token(3, 'p98'), 0, HOME), index.granted(token(3, 'p99'), 0, HOME)],
    [[], [], ['r99']],
  );
  index.replace([userId(3)], []);
  assert.deepEqual(index.granted(token(3, 'p99'), 0, HOME), []);
  for (let n = 0; n < 60; n += 1) if (n !== 3) assert.deepEqual(index.granted(token(n), 0, HOME), [`e${n}`]);
});

test('a token is remembered with its entities, of which later ones come with the next change', () => {
  const index = createTokenIndex();
  index.put(cells(1));
  assert.deepEqual(index.granted(token(1), 0, HOME), ['e1']);
  index.put(cells(1, { entityId: 'second' }));
  assert.deepEqual(index.granted(token(1), 0, HOME), ['e1'], 'from memory, without a hash');
  index.replace([], []);
  assert.deepEqual(index.granted(token(1), 0, HOME), ['e1', 'second']);
});

test('a thousand tokens are remembered, and the next one opens as well', () => {
  const index = createTokenIndex();
  for (let n = 0; n < 1_002; n += 1) {
    index.put(cells(n));
    assert.deepEqual(index.granted(token(n), 0, HOME), [`e${n}`]);
    index.put(cells(n, { entityId: 'second' }));
  }
  assert.deepEqual(index.granted(token(999), 0, HOME), ['e999']);
  assert.deepEqual(index.granted(token(1_000), 0, HOME), ['e1000', 'second']);
});

const DAY = 20_000;
const use = (n: number, day: number) =>
  [`${tokenHash(token(n))} e${n}`, { tokenHash: tokenHash(token(n)), entityId: `e${n}`, usedOn: day * DAY_MS }] as const;

test('a use is written down once a day', () => {
  const index = createTokenIndex();
  index.put(cells(1));
  index.put(cells(2, { usedOn: DAY * DAY_MS + 5 }));
  const at = (n: number, now: number) => {
    index.granted(token(n), now, HOME);
    return [...index.waiting()];
  };
  assert.deepEqual(at(2, DAY * DAY_MS + DAY_MS - 1), [], 'known from the store');
  assert.deepEqual(at(1, DAY * DAY_MS + 7), [use(1, DAY)]);
  index.written(index.waiting().entries().toArray());
  assert.deepEqual(at(1, DAY * DAY_MS + DAY_MS - 1), []);
  assert.deepEqual(at(1, DAY * DAY_MS - 1), [], 'a day before');
  assert.deepEqual(at(1, (DAY + 1) * DAY_MS), [use(1, DAY + 1)]);
  assert.deepEqual(at(2, (DAY + 1) * DAY_MS), [use(1, DAY + 1), use(2, DAY + 1)]);
  index.written([use(1, DAY + 1)]);
  assert.equal(index.waiting().size, 2, 'a use that has changed since is not written');
});

test('what was used at the index before goes on waiting', () => {
  const [former, index] = [createTokenIndex(), createTokenIndex()];
  former.put(cells(1));
  former.granted(token(1), DAY * DAY_MS, HOME);
  index.takeUses(former);
  assert.deepEqual([...index.waiting()], [use(1, DAY)]);
});

test('rows that are free again are given to one grant each', () => {
  const index = createTokenIndex();
  for (const entityId of ['a', 'b', 'c']) index.put(cells(1, { entityId }));
  index.replace([userId(1)], [cells(2), cells(3), cells(4), cells(5)]);
  for (const n of [2, 3, 4, 5]) assert.deepEqual(index.granted(token(n), 0, HOME), [`e${n}`]);
  index.replace([userId(2), userId(4)], [cells(6), cells(7)]);
  for (const n of [3, 5, 6, 7]) assert.deepEqual(index.granted(token(n), 0, HOME), [`e${n}`]);
});

test('of a token with two grants one ends before the other', () => {
  const index = createTokenIndex();
  index.put(cells(1, { entityId: 'short', endsAt: 100 }));
  index.put(cells(1, { entityId: 'long', endsAt: 200 }));
  assert.deepEqual(
    [99, 100, 199, 200].map((now) => index.granted(token(1), now, HOME)),
    [['short', 'long'], ['long'], ['long'], []],
  );
});

test('of many tokens each is written down once a day', () => {
  const index = createTokenIndex();
  for (let n = 0; n < 200; n += 1) index.put(cells(n));
  for (let n = 0; n < 200; n += 1) index.granted(token(n), DAY * DAY_MS, HOME);
  assert.equal(index.waiting().size, 200);
  index.written(index.waiting().entries().toArray());
  for (let n = 0; n < 200; n += 1) index.granted(token(n), DAY * DAY_MS, HOME);
  assert.equal(index.waiting().size, 0);
});

const OFFICE = JSON.stringify(['192.0.2.0/24', '2001:db8::/32']);

test('a token with addresses opens from these alone, first or later, and a refused call is no use of it', () => {
  const index = createTokenIndex();
  index.put(cells(1, { allowed: OFFICE }));
  const from = (address: string) => index.granted(token(1), DAY * DAY_MS, address);
  assert.deepEqual([from('192.0.3.1'), index.waiting().size], [[], 0]);
  assert.deepEqual([from('192.0.2.1'), from('2001:db8::7'), index.waiting().size], [['e1'], ['e1'], 1]);
  for (const address of ['192.0.3.1', '2001:db9::', '', 'x']) assert.deepEqual(from(address), [], address);
  assert.deepEqual(from('192.0.2.1'), ['e1']);
});

test('of a token with two grants each has addresses of its own', () => {
  const index = createTokenIndex();
  index.put(cells(1, { entityId: 'listed', allowed: OFFICE }));
  index.put(cells(1, { entityId: 'open' }));
  const from = (address: string) => index.granted(token(1), 0, address);
  assert.deepEqual([from('192.0.2.1'), from('192.0.3.1'), from('192.0.2.1')], [['listed', 'open'], ['open'], ['listed', 'open']]);
});

test('an empty list allows nothing', () => {
  const index = createTokenIndex();
  index.put(cells(1, { allowed: '[]' }));
  assert.deepEqual(index.granted(token(1), 0, HOME), []);
});

test('a row that is used again has nothing of the addresses of the token before', () => {
  const index = createTokenIndex();
  index.put(cells(1, { allowed: OFFICE }));
  index.replace([userId(1)], [cells(2)]);
  assert.deepEqual(index.granted(token(2), 0, '203.0.113.9'), ['e2']);
});

test('whether a token opens anything at all is known from any address, until it ends', () => {
  const index = createTokenIndex();
  index.put(cells(1, { allowed: OFFICE, endsAt: 100 }));
  assert.deepEqual(
    [index.isKnown(token(1), 99), index.isKnown(token(1), 100), index.isKnown(token(2), 0), index.isKnown('', 0)],
    [true, false, false, false],
  );
});
