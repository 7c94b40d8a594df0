import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { get as getByName } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { timers } from '../../src/app/system.ts';
import { createResolver, isPublic, type ResolvedAddress } from '../../src/outbound/address.ts';
import { createOutbound } from '../../src/outbound/client.ts';
import { createFolders } from '../../src/outbound/folders.ts';
import type { FolderAddress } from '../../src/spec/remoteFolder.ts';
import { selfSigned } from '../http/certificate.ts';
import { listening, portOf, replaceInternet, startCanary } from './internet.ts';
import { type DnsAnswer, startNames } from './nameServer.ts';

/**
 * R39, DNS rebinding: a name that resolves to a public address when it is checked, and to this machine when it is connected to. The
 * canary listens on loopback at the port of all targets; connections to public addresses reach a server of the test, at another port.
 */
const canary = await startCanary();
const port = portOf(canary.server);
const canary6 = await startCanary(port, '::1').catch(() => null);
const outside = await startCanary();
let destination = portOf(outside.server);
const internet = await replaceInternet(() => destination);
after(() => {
  internet.close();
  for (const one of [canary, canary6, outside]) one?.server.close();
});
const canaryConnections = () => canary.connections + (canary6?.connections ?? 0);
beforeEach(() => {
  internet.attempts.length = 0;
  destination = portOf(outside.server);
});

const PUBLIC = '93.184.215.14';
const PUBLIC6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';
const bounds = { answerBytesMax: 1_000, withinMs: 10_000 };
const folderBounds = { openMs: 10_000, idleMs: 10_000 };
type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

const folderOf = (kind: FolderAddress['kind']): FolderAddress => ({
  kind,
  host: 'shop.example',
  port,
  user: 'someone',
  directory: '',
  hostKey: kind === 'sftp' ? `SHA256:${'A'.repeat(43)}` : null,
  ca: null,
});

/** Every kind of connection that src/outbound opens, one by name each. No server answers, so all of them fail in the end. */
const users: Readonly<Record<string, (resolve: Resolve) => () => Promise<unknown>>> = {
  'a webhook': (resolve) => {
    const { post } = createOutbound({ timers, resolve });
    return () => post(`https://shop.example:${port}/hook`, { body: 'text', headers: {} }, bounds);
  },
  'a notificationUrl and the call after 29 minutes': (resolve) => {
    const { get } = createOutbound({ timers, resolve });
    return () => get(`http://shop.example:${port}/done`, bounds);
  },
  'the same over TLS': (resolve) => {
    const { get } = createOutbound({ timers, resolve });
    return () => get(`https://shop.example:${port}/done`, bounds);
  },
  'a live 3-D Secure server or the session of a wallet': (resolve) => {
    const post = createOutbound({ timers, resolve }).poster({});
    return () => post(`https://shop.example:${port}/`, {}, bounds);
  },
  ...Object.fromEntries(
    (['sftp', 'ftps', 'ftp'] as const).map((kind) => [
      `a file pulled from or delivered to ${kind}`,
      (resolve: Resolve) => {
        const open = createFolders({ timers, resolve });
        return () => open(folderOf(kind), { kind: 'password', password: 'secret' }, folderBounds);
      },
    ]),
  ),
};

/** Each of them contains an address that must not be reached. */
const mixed: Readonly<Record<string, DnsAnswer>> = {
  'a public address and this machine': { addresses: [PUBLIC, '127.0.0.1'] },
  'this machine and a public address': { addresses: ['127.0.0.1', PUBLIC] },
  'a public address, and this machine by version 6': { addresses: [PUBLIC, '::1'] },
  'a public address, and this machine in disguise': { addresses: [PUBLIC, '::ffff:127.0.0.1'] },
  'a public address, and this machine behind a translator': { addresses: [PUBLIC, '64:ff9b::7f00:1'] },
  'a public address, and a neighbour': { addresses: [PUBLIC6, PUBLIC, 'fe80::1'] },
  "a cloud's inner server": { addresses: ['169.254.169.254'] },
  'another name, and that this machine': { addresses: ['127.0.0.1'], alias: 'inner.example' },
  'another name, and that a public address and this machine': { addresses: [PUBLIC, '127.0.0.1'], alias: 'inner.example' },
  nothing: { addresses: [] },
};

const inside = ['127.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0.0.0.0', '10.0.0.1'];

for (const [user, make] of Object.entries(users)) {
  test(`${user}: public at the first query, internal afterwards`, async (t) => {
    for (const address of inside) {
      const names = await startNames([{ addresses: [PUBLIC] }, { addresses: [address] }]);
      t.after(() => names.close());
      const call = make(createResolver(false, [names.server]));
      const before = outside.connections;
      internet.attempts.length = 0;
      // The first connection goes to the address that was checked and to no other; those that follow are retries.
      await assert.rejects(call());
      assert.deepEqual([...new Set(internet.attempts)], [PUBLIC]);
      assert.ok(outside.connections > before, 'no connection left the machine: this proves nothing');
      assert.deepEqual(names.asked, { A: 1, AAAA: 1 }, 'one resolution for one connection');
      const [tried, out] = [internet.attempts.length, outside.connections];
      for (let retry = 0; retry < 2; retry += 1) await assert.rejects(call(), /not a public one|ENODATA|ENOTFOUND/);
      assert.equal(internet.attempts.length, tried, internet.attempts.join(' '));
      assert.equal(outside.connections, out);
      assert.equal(canaryConnections(), 0);
    }
  });

  test(`${user}: names with several addresses`, async (t) => {
    for (const [says, meaning] of Object.entries(mixed)) {
      const names = await startNames([meaning]);
      t.after(() => names.close());
      await assert.rejects(make(createResolver(false, [names.server]))(), /not a public one|ENODATA|ENOTFOUND/, says);
      assert.deepEqual(internet.attempts, [], says);
      assert.equal(canaryConnections(), 0, says);
    }
  });
}

test('a kept connection stays on its address; a new one is resolved and checked again', async (t) => {
  const certificate = selfSigned();
  const defaults = getCACertificates('default');
  setDefaultCACertificates([...defaults, certificate.cert]);
  let connections = 0;
  const shop = createSecureServer(certificate, (_, response) => response.end('yes'));
  shop.on('connection', () => {
    connections += 1;
  });
  await listening(shop);
  t.after(() => {
    setDefaultCACertificates(defaults);
    shop.closeAllConnections();
    shop.close();
  });
  destination = portOf(shop);
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    return [{ address: asked === 1 ? PUBLIC : '127.0.0.1', family: 4 }];
  };
  const { post } = createOutbound({ timers, resolve });
  const send = () => post(`https://localhost:${port}/hook`, { body: 'text', headers: {} }, bounds);
  for (let times = 0; times < 3; times += 1) assert.equal((await send()).status, 200);
  assert.deepEqual([connections, asked, internet.attempts], [1, 1, [PUBLIC]]);
  shop.closeAllConnections();
  await assert.rejects(send(), /not a public one/);
  assert.deepEqual([internet.attempts, canaryConnections()], [[PUBLIC], 0]);
});

test('FTP: the address that a server names for data connections is not used', async (t) => {
  const said: string[] = [];
  const ftp = createServer((socket: Socket) => {
    socket.on('error', () => {}).write('220 hello\r\n');
    socket.on('data', (bytes) => {
      for (const line of bytes.toString().trim().split('\r\n')) {
        said.push(line);
        const word = line.split(' ')[0] ?? '';
        const answers: Record<string, string> = {
          USER: '331 password',
          PASS: '230 in',
          TYPE: '200 binary',
          EPSV: '502 no',
          // This machine, at the port of the canary.
          PASV: `227 Entering Passive Mode (127,0,0,1,${port >> 8},${port & 0xff})`,
        };
        socket.write(`${answers[word] ?? '200 ok'}\r\n`);
      }
    });
  });
  await listening(ftp);
  t.after(() => ftp.close());
  destination = portOf(ftp);
  const open = createFolders({ timers, resolve: async () => [{ address: PUBLIC, family: 4 }] });
  const folder = await open(folderOf('ftp'), { kind: 'password', password: 'secret' }, { ...folderBounds, idleMs: 500 });
  await assert.rejects(folder.list(10), /another host/);
  folder.close();
  assert.ok(said.includes('PASV'), said.join(' '));
  assert.deepEqual([internet.attempts, canaryConnections()], [[PUBLIC], 0]);
});

/**
 * The files that may open connections beside src/outbound: servers, which only listen, the operator's own database, and commands of
 * the operator.
 */
const others = [
  'src/http/transport/server.ts',
  'src/http/transport/peerServer.ts',
  'src/store/postgres/connection.ts',
  'src/store/postgres/tls.ts',
  'src/cli/commands/listen.ts',
  'src/cli/gatewayClient.ts',
  'src/cli/commands/listen.ts',
  'src/cli/commands/listen.ts',
  // The receiver of a shop's tests: it is connected to.
  'src/testing/webhooks.ts',
];

test('no other module opens connections, and no caller passes a resolver of its own', () => {
  const root = join(import.meta.dirname, '../..');
  const opens = /\bfrom '(?:node:(?:net|http|https|http2|tls|dns|dns\/promises|dgram)|ssh2|basic-ftp|undici)'/;
  const harmless =
    /import (?:type )?\{ ?(?:(?:type \w+|isIP|isIPv[46]|BlockList|SocketAddress|STATUS_CODES|validateHeaderValue|createSecureContext|rootCertificates|TLSSocket)(?:, )?)+ ?\} from/;
  for (const file of globSync('src/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts') || file.startsWith('src/outbound/') || others.includes(file)) continue;
    for (const line of readFileSync(join(root, file), 'utf8').split('\n')) {
      if (opens.test(line) && !line.startsWith('import type')) assert.match(line, harmless, file);
      if (/\bcreate(?:Outbound|Folders)\(/.test(line)) assert.doesNotMatch(line, /resolve/, file);
    }
  }
});

test('the control: a client that checks first and then connects by name is found', async (t) => {
  const names = await startNames([{ addresses: [PUBLIC] }, { addresses: ['127.0.0.1'] }]);
  t.after(() => names.close());
  const resolve = createResolver(false, [names.server]);
  const before = canaryConnections();
  assert.ok((await resolve('shop.example')).every(({ address }) => isPublic(address)));
  const lookup = (host: string, _: object, done: (error: Error | null, addresses: ResolvedAddress[]) => void) =>
    void resolve(host).then((addresses) => done(null, [...addresses]));
  await assert.rejects(
    new Promise((resolved, failed) => {
      getByName(`http://shop.example:${port}/`, { agent: false, lookup: lookup as never }, resolved).once('error', failed);
    }),
  );
  assert.deepEqual([canaryConnections() - before, internet.attempts], [1, ['127.0.0.1']]);
});
