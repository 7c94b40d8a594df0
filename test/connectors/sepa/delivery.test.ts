import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileFaults } from '../../../src/connectors/sepa/validate.ts';
import { SFTP_PASSWORD, SFTP_USER, startSftp } from '../../remote/sftpServer.ts';
import { bytesOn, filesIn, PAYER_IBAN as IBAN, openShop } from './deliveryShop.ts';

const HOUR_MS = 3_600_000;
const JOB = 'work of accounts';

const server = await startSftp();
after(() => server.close());
const password = SFTP_PASSWORD;

test('files reach a server by SFTP, after cut uploads too, and no account number lies on disk in clear', async () => {
  const remote = { delivery: 'sftp', host: '127.0.0.1', port: server.port, user: SFTP_USER, hostKey: server.hostKey };
  const { gateway, dataDir, pay, close } = await openShop(remote, password);
  try {
    for (const id of ['Mandate-a', 'Mandate-b']) assert.equal((await pay(id)).result.code, '000.200.000');
    assert.doesNotMatch(await bytesOn(dataDir), new RegExp(IBAN));
    server.trouble.cutsWrite = () => true;
    gateway.pass(5 * 24 * HOUR_MS);
    await gateway.work(JOB);
    assert.deepEqual(
      (await filesIn(server.folder)).filter((name) => name.endsWith('.xml')),
      [],
    );
    server.trouble.cutsWrite = () => false;
    server.trouble.cutsRename = () => 'after';
    gateway.pass(HOUR_MS);
    await gateway.work(JOB);
    server.trouble.cutsRename = () => null;
    gateway.pass(HOUR_MS);
    await gateway.work(JOB);
    const [name = '', ...others] = (await filesIn(server.folder)).filter((one) => one.endsWith('.xml'));
    assert.deepEqual(others, []);
    const text = await readFile(join(server.folder, name), 'utf8');
    assert.deepEqual(fileFaults(text, 'pain.008.001.08'), []);
    assert.equal(text.split(`<IBAN>${IBAN}<`).length, 3);
    assert.doesNotMatch(await bytesOn(dataDir), new RegExp(IBAN));
    assert.doesNotMatch(gateway.lines.join('\n'), new RegExp(`${IBAN}|${SFTP_PASSWORD}`));
  } finally {
    await close();
  }
});

test('files appear in the folder of the account, whole and once', async () => {
  const { gateway, outgoing, pay, close } = await openShop({ delivery: 'folder' }, password);
  try {
    await pay('Mandate-a');
    gateway.pass(5 * 24 * HOUR_MS);
    await Promise.all([gateway.work(JOB), gateway.work(JOB)]);
    await gateway.work(JOB);
    const [name = '', ...others] = await filesIn(outgoing);
    assert.deepEqual(others, []);
    assert.match(name, /^pain\.008-D\d{8}-[0-9a-f]{8}-001\.xml$/);
    assert.deepEqual(fileFaults(await readFile(join(outgoing, name), 'utf8'), 'pain.008.001.08'), []);
  } finally {
    await close();
  }
});

test('a server with another key gets nothing', async () => {
  const hostKey = `SHA256:${'A'.repeat(43)}`;
  const { gateway, pay, close } = await openShop(
    {
      delivery: 'sftp',
      host: '127.0.0.1',
      port: server.port,
      user: SFTP_USER,
      hostKey,
    },
    password,
  );
  try {
    const before = await filesIn(server.folder);
    await pay('Mandate-a');
    gateway.pass(5 * 24 * HOUR_MS);
    await gateway.work(JOB);
    assert.deepEqual(await filesIn(server.folder), before);
    assert.match(gateway.lines.join('\n'), /could not be delivered/);
  } finally {
    await close();
  }
});
