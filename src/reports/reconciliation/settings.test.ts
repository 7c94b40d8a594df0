import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultColumns } from '../../spec/reconciliation.ts';
import { deliverySettings, fileNameOf, reconciliationSettingFaults } from './settings.ts';

const hostKey = `SHA256:${'a'.repeat(43)}`;
const good = { kind: 'sftp', host: 'files.shop.example', user: 'books', hostKey, since: '2031-10-01' };

test('a server that is set up has no faults, and nothing is set up by an empty object', () => {
  assert.deepEqual(reconciliationSettingFaults(good), []);
  assert.deepEqual(reconciliationSettingFaults({}), []);
  const { hostKey: _, ...others } = good;
  assert.deepEqual(reconciliationSettingFaults({ ...others, kind: 'ftps', port: 2121, when: '0 30 5 ? * MON-FRI' }), []);
  assert.deepEqual(reconciliationSettingFaults({ ...others, kind: 'ftp', insecure: true }), []);
});

const wrong: readonly (readonly [changes: Readonly<Record<string, unknown>>, says: RegExp])[] = [
  [{ kind: 'http' }, /kind" must be sftp, ftps or ftp/],
  [{ kind: 'ftp', hostKey: undefined }, /needs "reconciliation\.insecure": true/],
  [{ kind: 'ftp', hostKey: undefined, insecure: false }, /needs "reconciliation\.insecure": true/],
  [{ hostKey: undefined }, /sftp needs "reconciliation\.hostKey"/],
  [{ hostKey: 'MD5:00' }, /hostKey" must be a fingerprint/],
  [{ kind: 'ftps' }, /hostKey" belongs to sftp/],
  [{ ca: '-----BEGIN CERTIFICATE-----\na\n-----END CERTIFICATE-----' }, /ca" belongs to ftps/],
  [{ host: 'files shop' }, /host" must be/],
  [{ host: undefined }, /host" is missing/],
  [{ user: 'a\r\nb' }, /user" must be/],
  [{ port: 0 }, /port" must be/],
  [{ directory: '../up' }, /directory" must be/],
  [{ pattern: 'always.csv' }, /with \{date\} in it/],
  [{ pattern: '../{date}' }, /pattern" must be/],
  [{ when: 'daily' }, /when" must be a cron expression/],
  [{ when: '* * * * * ?' }, /at most once a minute/],
  [{ zone: 'Mars/Base' }, /zone" must be/],
  [{ columns: ['Amount', 'Amount'] }, /columns" must be/],
  [{ columns: ['Iban'] }, /columns" must be/],
  [{ since: undefined }, /since" is missing/],
  [{ password: 'secret' }, /password" does not exist/],
];
for (const [changes, says] of wrong) {
  test(`${JSON.stringify(changes)} is refused`, () => {
    const setting = Object.fromEntries(Object.entries({ ...good, ...changes }).filter(([, value]) => value !== undefined));
    assert.match(reconciliationSettingFaults(setting).join('\n'), says);
    assert.ok(!reconciliationSettingFaults(setting).join('\n').includes('secret"'));
  });
}

test('what is not set is as usual: the port of the kind, every day at six, the columns of the document', () => {
  const delivery = deliverySettings(good);
  assert.equal(delivery?.target.port, 22);
  assert.equal(delivery?.when.texts.hour, '6');
  assert.deepEqual(delivery?.columns, defaultColumns);
  assert.equal(deliverySettings({}), null);
  assert.equal(deliverySettings(undefined), null);
});

const names: readonly (readonly [pattern: string, part: number, name: string])[] = [
  ['{date}.csv', 1, '2031-10-02.csv'],
  ['{date}.csv', 2, '2031-10-02-2.csv'],
  ['rec_{merchantId}_{date}', 3, 'rec_m_2031-10-02-3'],
];
for (const [pattern, part, name] of names) {
  test(`${pattern}, part ${part}, is called ${name}`, () => {
    assert.equal(fileNameOf({ pattern }, { merchantId: 'm', day: '2031-10-02', part }), name);
  });
}
