import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { addressFault, addressOf, withParameter } from './address.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-address-'));
after(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const shape = /must look like/;
const faults: readonly (readonly [url: string, fault: RegExp | null])[] = [
  ['postgres://me:pw@db/turnpike', null],
  ['postgresql://db:6432/turnpike?sslmode=verify-full&sslrootcert=/etc/ca.pem', null],
  ['postgres://me@one,two:5433,[fd00::7]:5434/turnpike?target_session_attrs=primary&pooler=transaction', null],
  ['postgres://me@db', shape],
  ['postgres://me@one,,two/turnpike', shape],
  ['postgres://me@db:five/turnpike', shape],
  ['mysql://me@db/turnpike', shape],
  ['postgres://me@db/turnpike?sslmode=on', /sslmode is not one of disable, allow, prefer, require, verify-ca, verify-full/],
  ['postgres://me@db/turnpike?target_session_attrs=master', /target_session_attrs is not one of any, read-write/],
  ['postgres://me@db/turnpike?pooler=session', /pooler is not one of none, transaction, unprepared/],
  ['postgres://me@db/turnpike?sslcert=/a', /sslcert and sslkey go together/],
];
for (const [url, fault] of faults) {
  test(`${url}: ${fault === null ? 'is read' : 'is refused'}`, () => {
    const says = addressFault(url);
    if (fault === null) assert.equal(says, null);
    else assert.match(says ?? '', fault);
  });
}

test('hosts, ports and what is sent to the server', () => {
  const { servers, user, database, target, session } = addressOf(
    'postgres://m%40e@one,two:5433,[fd00::7]/pay?search_path=a&sslmode=disable',
  );
  assert.deepEqual(servers, [
    { host: 'one', port: 5432 },
    { host: 'two', port: 5433 },
    { host: 'fd00::7', port: 5432 },
  ]);
  assert.deepEqual([user, database, target, session], ['m@e', 'pay', 'read-write', { search_path: 'a' }]);
  assert.equal(addressOf('postgres://one/pay').target, 'any');
});

const ca = fileOf('ca.pem', 'an authority');
const ssl = {
  '': false,
  'sslmode=disable': false,
  'sslmode=prefer': 'prefer',
  'sslmode=require': { rejectUnauthorized: false, isAnyName: true },
  [`sslmode=require&sslrootcert=${ca}`]: { rejectUnauthorized: true, ca: 'an authority', isAnyName: true },
  [`sslmode=verify-ca&sslrootcert=${ca}`]: { rejectUnauthorized: true, ca: 'an authority', isAnyName: true },
  [`sslmode=verify-full&sslrootcert=${ca}`]: { rejectUnauthorized: true, ca: 'an authority' },
  [`sslrootcert=${ca}`]: { rejectUnauthorized: true, ca: 'an authority' },
  'sslmode=verify-full&sslrootcert=system': { rejectUnauthorized: true },
};
for (const [query, expected] of Object.entries(ssl)) {
  test(`TLS of ${query.replace(ca, 'FILE') || 'no parameter'}`, () => {
    const found = addressOf(`postgres://db/pay?${query}`).ssl;
    if (typeof found !== 'object') return assert.equal(found, expected);
    const { checkServerIdentity, ...rest } = found;
    assert.deepEqual({ ...rest, ...(checkServerIdentity && { isAnyName: true }) }, expected);
  });
}

const lines = ['# a comment', 'other:*:*:*:no', 'db:5432:pay:m\\:e:a\\\\b\\:c', '*:*:pay:me:pw', ''].join('\n');
const passwords: readonly (readonly [url: string, password: string])[] = [
  ['postgres://m%3Ae@db/pay', 'a\\b:c'],
  ['postgres://me@elsewhere:99/pay', 'pw'],
  ['postgres://me@elsewhere/other', ''],
  ['postgres://me:own@db/pay', 'own'],
];
test('the password comes from the URL, or from the first line of the password file that fits', () => {
  const path = fileOf('pgpass', lines);
  for (const [url, password] of passwords) {
    const address = addressOf(withParameter(url, 'passfile', path));
    assert.equal(address.password(address.servers[0] ?? { host: '', port: 0 }), password, url);
  }
});

test('a URL file is read each time, and a damaged one is passed over', () => {
  const path = fileOf('url', 'postgres://me:first@db/pay\n');
  const url = withParameter('postgres://me:start@db/pay', 'urlfile', path);
  const password = () => addressOf(url).password({ host: 'db', port: 5432 });
  assert.equal(password(), 'first');
  fileOf('url', 'postgres://me:second@db/pay');
  assert.equal(password(), 'second');
  fileOf('url', '');
  assert.equal(password(), 'start');
});

test('another database of the server takes the place of the one in the URL and in its file, and keeps their password', () => {
  const passfile = fileOf('pgpass', lines);
  const urlfile = fileOf('url', 'postgres://me@db/pay?sslmode=disable');
  for (const own of ['postgres://me@db/pay', withParameter('postgres://me@db/pay', 'urlfile', urlfile)]) {
    const address = addressOf(withParameter(withParameter(own, 'passfile', passfile), 'dbname', 'scratch 1'));
    assert.deepEqual([address.database, address.session], ['scratch 1', {}]);
    assert.equal(address.password({ host: 'db', port: 5432 }), 'pw');
  }
});
