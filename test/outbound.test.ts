import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { after, test } from 'node:test';
import { timers } from '../src/app/system.ts';
import { createOutbound } from '../src/outbound/client.ts';
import { reportFigure } from './figures.ts';

/** No internal address may be reached (reliability R39): every listener here counts its connections. */
let internalConnections = 0;
const canary = createServer((socket) => {
  internalConnections += 1;
  socket.destroy();
});
await new Promise<void>((resolve) => {
  // Both families, where the machine has them.
  canary.once('error', () => canary.listen(0, '0.0.0.0', resolve));
  canary.listen(0, '::', resolve);
});
const { port } = canary.address() as AddressInfo;
after(() => canary.close());

const bounds = { answerBytesMax: 1_000, withinMs: 3_000 };
const addressed = (address: string) => ({ address, family: address.includes(':') ? 6 : 4 });
const post = createOutbound({ timers }).poster({});

const hosts = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127.0.0.1.',
  ],
  ...['localhost', 'LOCALHOST', 'localhost.', 'ⓛocalhost', '0', '0.0.0.0', '0x0', '10.0.0.1', '172.16.0.1', '192.168.1.1'],
  ...['169.254.169.254', '0xa9fea9fe', '2852039166', '100.100.100.200', '168.63.129.16', '224.0.0.1', '255.255.255.255'],
  ...[
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:0:7f00:1]',
    '[::7f00:1]',
    '[::127.0.0.1]',
  ],
  ...['[64:ff9b::7f00:1]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]'],
  ...['[ff02::1]', '[fec0::1]', '[2001:db8::1]'],
];
const forms = [
  ...hosts.map((host) => `https://${host}:${port}/`),
  `http://1.1.1.1:${port}/`,
  `http://localhost:${port}/`,
  `https://good.example@127.0.0.1:${port}/`,
  `https://user:pass@localhost:${port}/`,
  `https://1.1.1.1@localhost:${port}/`,
  `https://127.0.0.1%00.example:${port}/`,
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'unix:///var/run/docker.sock',
  'https+unix://%2Fvar%2Frun%2Fdocker.sock/',
  'data:application/json,{}',
  'javascript:1',
  '//localhost/',
  'localhost',
  '',
];
for (const url of forms) {
  test(`no internal address is reached by ${url}`, async () => {
    await assert.rejects(post(url, {}, bounds));
    assert.equal(internalConnections, 0);
    reportFigure('R39', 'addresses', 1);
  });
}

const names: readonly (readonly [says: string, addresses: readonly string[]])[] = [
  ['this machine', ['127.0.0.1']],
  ['this machine by version 6', ['::1']],
  ['a public address and this machine', ['93.184.215.14', '127.0.0.1']],
  ['this machine and a public address', ['127.0.0.1', '93.184.215.14']],
  ["a cloud's inner server", ['169.254.169.254']],
  ['this machine in disguise', ['::ffff:127.0.0.1']],
  ['nothing', []],
];
for (const [says, addresses] of names) {
  test(`a name that means ${says} is not called`, async () => {
    const outbound = createOutbound({ timers, resolve: async () => addresses.map(addressed) });
    await assert.rejects(outbound.poster({})(`https://ds.example:${port}/`, {}, bounds));
    assert.equal(internalConnections, 0);
  });
}

test('a name is resolved once for a call: a later change of the name does not matter', async () => {
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    return [addressed(asked === 1 ? '::1' : '127.0.0.1')];
  };
  const outbound = createOutbound({ timers, resolve });
  await assert.rejects(outbound.poster({})(`https://ds.example:${port}/`, {}, bounds));
  assert.deepEqual([asked, internalConnections], [1, 0]);
});

test('a name that cannot be resolved, or not in time', async () => {
  const failing = createOutbound({ timers, resolve: () => Promise.reject(new Error('ENOTFOUND')) });
  await assert.rejects(failing.poster({})('https://ds.example/', {}, bounds), /ENOTFOUND/);
  const hanging = createOutbound({ timers, resolve: () => new Promise(() => {}) });
  await assert.rejects(hanging.poster({})('https://ds.example/', {}, { ...bounds, withinMs: 50 }), /late/);
});

test('the control: with the switch for tests the canary is reached', async () => {
  const reached = createOutbound({ timers, reach: 'loopback' }).poster({});
  await assert.rejects(reached(`https://127.0.0.1:${port}/`, {}, bounds));
  assert.equal(internalConnections, 1);
  await assert.rejects(reached(`https://10.0.0.1:${port}/`, {}, bounds), /not a public one/);
});

const { get } = createOutbound({ timers });
const plainForms = forms.flatMap((url) => (url.startsWith('https://') ? [url, url.replace('https://', 'http://')] : [url]));
for (const url of plainForms.filter((form) => !form.startsWith('http://1.1.1.1'))) {
  test(`no internal address is called by ${url}`, async () => {
    const before = internalConnections;
    await assert.rejects(get(url, bounds));
    assert.equal(internalConnections, before);
  });
}

for (const [says, addresses] of names) {
  test(`a name that means ${says} is not asked, with or without TLS`, async () => {
    const before = internalConnections;
    const outbound = createOutbound({ timers, resolve: async () => addresses.map(addressed) });
    await assert.rejects(outbound.get(`http://shop.example:${port}/`, bounds));
    await assert.rejects(outbound.get(`https://shop.example:${port}/`, bounds));
    assert.equal(internalConnections, before);
  });
}

test('of an answer only the status counts; redirects are not followed, long ones cut, slow ones not waited for', async () => {
  const seen: string[] = [];
  const shop = createHttpServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (request.url === '/redirect') response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
    else if (request.url === '/long') response.writeHead(200).end('x'.repeat(1_000_000));
    else if (request.url === '/error') response.writeHead(500).end('no');
    else if (request.url === '/cut') response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    else if (request.url !== '/slow') response.writeHead(200).end('yes');
  });
  await new Promise<void>((resolve) => {
    shop.listen(0, '127.0.0.1', resolve);
  });
  const at = (path: string) => `http://127.0.0.1:${(shop.address() as AddressInfo).port}${path}`;
  const [reaching, before] = [createOutbound({ timers, reach: 'loopback' }), internalConnections];
  try {
    for (const [path, status] of [
      ['/plain?id=1&resourcePath=%2Fv1%2Fx', 200],
      ['/redirect', 302],
      ['/long', 200],
      ['/error', 500],
      ['/cut', 200],
    ] as const) {
      assert.deepEqual(await reaching.get(at(path), bounds), { status }, path);
    }
    await assert.rejects(reaching.get(at('/slow'), { ...bounds, withinMs: 50 }), /late/);
    await assert.rejects(get(at('/plain'), bounds), /not a public one/);
    assert.deepEqual(
      seen,
      ['/plain?id=1&resourcePath=%2Fv1%2Fx', '/redirect', '/long', '/error', '/cut', '/slow'].map((path) => `GET ${path}`),
    );
    assert.equal(internalConnections, before);
  } finally {
    shop.closeAllConnections();
    shop.close();
  }
});

const poster = createOutbound({ timers });
const text = { body: 'ABCD', headers: { 'Content-Type': 'text/plain', 'X-Name': 'value' } };
for (const url of [...plainForms, `http://93.184.215.14:${port}/`]) {
  test(`nothing is posted to an internal address by ${url}`, async () => {
    const before = internalConnections;
    await assert.rejects(poster.post(url, text, bounds));
    assert.equal(internalConnections, before);
  });
}

for (const [says, addresses] of names) {
  test(`nothing is posted to a name that means ${says}`, async () => {
    const before = internalConnections;
    const outbound = createOutbound({ timers, resolve: async () => addresses.map(addressed) });
    await assert.rejects(outbound.post(`https://shop.example:${port}/`, text, bounds));
    await assert.rejects(outbound.post(`http://shop.example:${port}/`, text, bounds), /only https is spoken/);
    assert.equal(internalConnections, before);
  });
}

test('of an answer to a post only status and Retry-After are kept; redirects are not followed, and slow answers time out', async () => {
  const seen: string[] = [];
  const shop = createHttpServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${request.headers['x-name']} ${body}`);
      const answers: Record<string, () => void> = {
        '/ok': () => response.writeHead(204).end(),
        '/redirect': () => response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end(),
        '/busy': () => response.writeHead(429, { 'retry-after': '120' }).end('later'),
        '/long': () => response.writeHead(200).end('x'.repeat(1_000_000)),
        '/cut': () => response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy()),
        '/drip': () => response.writeHead(200).write('and'),
        '/reset': () => request.socket.resetAndDestroy(),
      };
      answers[request.url ?? '']?.();
    });
  });
  await new Promise<void>((resolve) => {
    shop.listen(0, '127.0.0.1', resolve);
  });
  const at = (path: string) => `http://127.0.0.1:${(shop.address() as AddressInfo).port}${path}`;
  const [{ post: reaching }, before] = [createOutbound({ timers, reach: 'loopback' }), internalConnections];
  const soon = { ...bounds, withinMs: 200 };
  try {
    for (const [path, status, retryAfter] of [
      ['/ok', 204, null],
      ['/redirect', 307, null],
      ['/busy', 429, '120'],
      ['/long', 200, null],
      ['/cut', 200, null],
    ] as const) {
      assert.deepEqual(await reaching(at(path), text, bounds), { status, retryAfter }, path);
    }
    // A receiver that has begun to answer has sent its status; the connection is new, so this is soon enough.
    assert.deepEqual(await reaching(at('/drip'), text, { ...bounds, withinMs: 1_000 }), { status: 200, retryAfter: null });
    await assert.rejects(reaching(at('/hang'), text, soon), /late/);
    await assert.rejects(reaching(at('/reset'), text, bounds), /ECONNRESET|hang up/);
    await assert.rejects(reaching('http://127.0.0.1:1/', text, bounds), /ECONNREFUSED/);
    assert.deepEqual(seen.slice(0, 2), ['POST /ok value ABCD', 'POST /redirect value ABCD']);
    assert.equal(internalConnections, before);
  } finally {
    shop.closeAllConnections();
    shop.close();
  }
});

test('connections are kept, and checked when they are opened; one that the other side closed is opened anew', async () => {
  let [connections, answers, resolutions] = [0, 0, 0];
  const shop = createHttpServer((request, response) => {
    answers += 1;
    // The last answer of this connection, which does not say so: the next text finds it closed.
    if (request.url === '/last') response.end(() => setImmediate(() => request.socket.destroy()));
    else response.end('yes');
    request.resume();
  });
  shop.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => {
    shop.listen(0, '127.0.0.1', resolve);
  });
  const resolve = async () => {
    resolutions += 1;
    return [addressed(resolutions === 3 ? '10.0.0.1' : '127.0.0.1')];
  };
  const { post: reaching } = createOutbound({ timers, reach: 'loopback', resolve });
  const at = (path: string) => `http://shop.example:${(shop.address() as AddressInfo).port}${path}`;
  try {
    for (let times = 0; times < 5; times += 1) assert.equal((await reaching(at('/'), text, bounds)).status, 200);
    assert.deepEqual([connections, resolutions, answers], [1, 1, 5]);
    assert.equal((await reaching(at('/last'), text, bounds)).status, 200);
    assert.equal((await reaching(at('/'), text, bounds)).status, 200);
    assert.deepEqual([connections, resolutions, answers], [2, 2, 7]);
    // The name means another machine now: no new connection goes there.
    shop.closeAllConnections();
    await assert.rejects(reaching(at('/'), text, bounds), /not a public one/);
  } finally {
    shop.closeAllConnections();
    shop.close();
  }
});

test('a text that was not answered in time on a kept connection is not sent again', async () => {
  let [heard, isSilent] = [0, false];
  const shop = createHttpServer((request, response) => {
    heard += 1;
    request.resume();
    if (!isSilent) response.end('yes');
  });
  await new Promise<void>((resolve) => {
    shop.listen(0, '127.0.0.1', resolve);
  });
  const { post: reaching } = createOutbound({ timers, reach: 'loopback' });
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`;
  try {
    await reaching(url, text, bounds);
    isSilent = true;
    await assert.rejects(reaching(url, text, { ...bounds, withinMs: 100 }), /late/);
    isSilent = false;
    for (let times = 0; times < 20; times += 1) await reaching(url, text, bounds);
    assert.equal(heard, 22, 'a second copy would have arrived among these');
  } finally {
    shop.closeAllConnections();
    shop.close();
  }
});
