import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type ConnectionOptions, connect, createServer, getCiphers, type Server } from 'node:tls';
import { reportFigure } from '../figures.ts';
import { selfSigned } from './certificate.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** Every cipher suite that this Node can offer, one by one, against the live listener (R44). */

const { cert, key } = selfSigned();
let gateway: TestGateway;
/** The control: a server that takes what Node can speak at all. */
let lax: Server;

before(async () => {
  gateway = await startGateway({ tls: { cert, key } });
  lax = createServer({ cert, key, minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' }, (socket) => socket.end());
  lax.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => void lax.listen(0, '127.0.0.1', resolve));
});
after(async () => {
  lax.close();
  await gateway.close();
});

/** The suite and the version that both sides agree on; null: none. */
const agreed = (port: number, offer: ConnectionOptions): Promise<string | null> =>
  new Promise((resolve) => {
    try {
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...offer }, () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().standardName}`);
        socket.destroy();
      });
      socket.on('error', () => resolve(null));
    } catch {
      // This Node cannot offer it.
      resolve(null);
    }
  });

const suites = getCiphers().filter((name) => !name.startsWith('tls_'));
const offering = (name: string): ConnectionOptions => ({
  minVersion: 'TLSv1',
  maxVersion: 'TLSv1.2',
  ciphers: `${name.toUpperCase()}:@SECLEVEL=0`,
});
/** Forward secrecy and authenticated encryption. */
const STRONG = /^TLSv1\.2 TLS_ECDHE_(?:ECDSA|RSA)_WITH_(?:AES_(?:128|256)_GCM_SHA(?:256|384)|CHACHA20_POLY1305_SHA256)$/;

test('TLS: of all suites, one by one, only those with forward secrecy and authenticated encryption are agreed on', async () => {
  const taken: string[] = [];
  let refused = 0;
  for (const name of suites) {
    const suite = await agreed(gateway.port, offering(name));
    if (suite === null) refused += 1;
    else taken.push(suite);
  }
  assert.deepEqual(
    taken.filter((suite) => !STRONG.test(suite)),
    [],
  );
  assert.ok(taken.length >= 2 && refused >= 20, `${taken.length} taken, ${refused} refused`);
  reportFigure('R44', 'weak suites refused', refused);
});

for (const version of ['TLSv1', 'TLSv1.1'] as const) {
  test(`${version} is refused, whatever suite is offered`, async () => {
    const offer = { minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' } as const;
    assert.equal(await agreed(gateway.port, offer), null);
    assert.notEqual(await agreed((lax.address() as AddressInfo).port, offer), null, 'control: a lax server takes it');
  });
}

test('control: a lax server agrees on weak suites, and that is found', async () => {
  const { port } = lax.address() as AddressInfo;
  const weak: string[] = [];
  for (const name of suites) {
    const suite = await agreed(port, offering(name));
    if (suite !== null && !STRONG.test(suite)) weak.push(suite);
  }
  assert.ok(weak.length > 0);
});
