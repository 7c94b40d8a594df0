import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileFaults } from '../../../src/connectors/sepa/validate.ts';
import { onlyLong } from '../../long.ts';
import { ensureServers, startVsftpd } from '../../remote/realServers.ts';
import { filesIn, openShop } from './deliveryShop.ts';

test('files reach a server by FTPS', { skip: onlyLong }, async (context) => {
  const why = await ensureServers();
  if (why !== null) return context.skip(why);
  const server = await startVsftpd(true);
  const { port, user, directory, secret, ca } = server;
  const password = secret.kind === 'password' ? secret.password : '';
  const remote = { delivery: 'ftps', host: 'localhost', port, user, directory, ca: ca?.join('') ?? '' };
  const { gateway, pay, close } = await openShop(remote, password);
  try {
    await pay('Mandate-a');
    gateway.pass(5 * 86_400_000);
    await gateway.work('work of accounts');
    assert.deepEqual(
      gateway.lines.filter((line) => line.includes('could not be delivered')),
      [],
    );
    const [name = '', ...others] = await filesIn(server.folder);
    assert.deepEqual(others, []);
    assert.deepEqual(fileFaults(await readFile(join(server.folder, name), 'utf8'), 'pain.008.001.08'), []);
  } finally {
    await close();
    await server.stop();
  }
});
