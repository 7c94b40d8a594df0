import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Config, configOf } from '../../src/config/config.ts';
import type { Machine } from '../../src/config/machine.ts';
import { connectionsIn } from '../../src/threeds/live/connection.ts';
import { createAuthority } from './authority.ts';

const SECRET = 'should-not-be-repeated';
const root = createAuthority('Scheme Root');
const [one, two] = [root.issue({ name: 'pay.example' }), root.issue({ name: 'pay.example' })];
const files: Record<string, string> = {
  '/one.crt': one.cert,
  '/one.key': one.key,
  '/two.key': two.key,
  '/root.pem': `${root.cert}${two.cert}`,
  '/damaged.pem': root.cert.replace(/\n.{20}/, '\n'),
  '/text.pem': SECRET,
};
const readText = (path: string): string => files[path] ?? assert.fail(Object.assign(new Error(SECRET), { code: 'ENOENT' }));

const visa = {
  url: 'https://ds.scheme.example/3ds',
  certificate: '/one.crt',
  key: '/one.key',
  ca: '/root.pem',
  serverReference: '3DS_LOA_SER_EXAM_020200_00001',
  operatorId: 'operator-1',
  results: { fingerprints: [one.fingerprint], ca: '/root.pem', names: ['ds.scheme.example'] },
};
const file = { networks: { visa } };
const read = (value: unknown) => connectionsIn(typeof value === 'string' ? value : JSON.stringify(value), readText);

test('a file says where the directory servers are and who we are for them', () => {
  const { networks, ...rest } = read({
    ...file,
    resultsOrigin: 'https://results.example',
    certificateHeader: 'Client-Cert',
  }) as Extract<ReturnType<typeof read>, { networks: unknown }>;
  assert.deepEqual(rest, { resultsOrigin: 'https://results.example', certificateHeader: 'client-cert' });
  assert.deepEqual(networks.visa, {
    url: visa.url,
    rangesUrl: visa.url,
    certificate: one.cert,
    key: one.key,
    ca: [root.cert.trim(), two.cert.trim()],
    serverReference: visa.serverReference,
    operatorId: 'operator-1',
    version: '2.2.0',
    results: {
      fingerprints: [one.fingerprint.replaceAll(':', '')],
      ca: [root.cert.trim(), two.cert.trim()],
      names: ['ds.scheme.example'],
    },
  });
});

test('what may be left out', () => {
  const { ca: _, operatorId: __, ...least } = visa;
  const found = read({ networks: { jcb: { ...least, rangesUrl: 'https://ds.example/p', version: '2.1.0', results: 'anyone' } } });
  assert.ok('networks' in found, String(found));
  assert.partialDeepStrictEqual(found.networks.jcb, { ca: null, operatorId: null, results: null, version: '2.1.0' });
});

const bad: readonly (readonly [value: unknown, faults: readonly string[]])[] = [
  [SECRET, ['is not a JSON object']],
  [[], ['is not a JSON object']],
  [{}, ['networks must be an object with at least one network']],
  [{ networks: {} }, ['networks must be an object with at least one network']],
  [
    { networks: { vsa: visa } },
    ['networks.vsa is not one of visa, mastercard, amex, discover, jcb, unionpay, cartesBancaires, mada'],
  ],
  [{ networks: { visa: [] } }, ['visa must be an object']],
  [{ ...file, other: SECRET }, ['other does not exist']],
  [{ networks: { visa: { ...visa, password: SECRET } } }, ['visa.password does not exist']],
  [{ ...file, resultsOrigin: 'https://x.example/path' }, ['resultsOrigin must be an address such as https://pay.example']],
  [{ ...file, resultsOrigin: 'http://x.example' }, ['resultsOrigin must be an address such as https://pay.example']],
  [{ ...file, certificateHeader: 'a b' }, ['certificateHeader must be the name of a header']],
  [{ networks: { visa: { ...visa, url: `http://${SECRET}` } } }, ['visa.url must be an address that begins with https://']],
  [{ networks: { visa: { ...visa, url: `https://u:${SECRET}@x` } } }, ['visa.url must be an address that begins with https://']],
  [{ networks: { visa: { ...visa, rangesUrl: SECRET } } }, ['visa.rangesUrl must be an address that begins with https://']],
  [{ networks: { visa: { ...visa, version: '2.3.1' } } }, ['visa.version must be 2.1.0 or 2.2.0']],
  [{ networks: { visa: { ...visa, serverReference: 'x'.repeat(33) } } }, ['visa.serverReference must be 1 to 32 characters']],
  [{ networks: { visa: { ...visa, operatorId: '' } } }, ['visa.operatorId must be 1 to 32 characters']],
  [{ networks: { visa: { ...visa, key: '/none.key' } } }, ['visa.key cannot be read (ENOENT)']],
  [{ networks: { visa: { ...visa, key: one.key } } }, ['visa.key must be the path of a PEM file']],
  [{ networks: { visa: { ...visa, certificate: '/text.pem' } } }, ['visa.certificate is not a PEM file']],
  [
    { networks: { visa: { ...visa, key: '/two.key' } } },
    ['visa.key and visa.certificate do not belong together, or one of them is damaged'],
  ],
  [{ networks: { visa: { ...visa, ca: '/damaged.pem' } } }, ['visa.ca holds no whole certificate']],
  [{ networks: { visa: { ...visa, ca: '/one.key' } } }, ['visa.ca holds no whole certificate']],
  [{ networks: { visa: { ...visa, results: 'all' } } }, ['visa.results must be an object with fingerprints or ca, or "anyone"']],
  [{ networks: { visa: { ...visa, results: {} } } }, ['visa.results must have fingerprints or ca']],
  [
    { networks: { visa: { ...visa, results: { fingerprints: [SECRET], names: ['*'] } } } },
    [
      'visa.results.fingerprints must be a list of SHA-256 fingerprints, 64 hexadecimal digits each',
      'visa.results.names must be a list of host names',
    ],
  ],
  [
    { networks: { visa: {} } },
    [
      'visa.url is missing; it must be an address that begins with https://',
      'visa.serverReference is missing; it must be 1 to 32 characters',
      'visa.certificate is missing; it must be the path of a PEM file',
      'visa.key is missing; it must be the path of a PEM file',
      'visa.results is missing; it must be an object with fingerprints or ca, or "anyone"',
    ],
  ],
];
for (const [value, faults] of bad) {
  test(`wrong: ${faults.join('; ')}`, () => {
    assert.deepEqual(read(value), faults);
    assert.ok(!String(read(value)).includes(SECRET));
  });
}

const machine: Machine = { readText, printed: () => assert.fail(), uid: 1000, modeOf: () => null, cores: 2, sharesPorts: true };
files['/live.json'] = JSON.stringify(file);
files['/proxied.json'] = JSON.stringify({ ...file, certificateHeader: 'Client-Cert' });
files['/anyone.json'] = JSON.stringify({ networks: { visa: { ...visa, results: 'anyone' } } });
files['/wrong.json'] = JSON.stringify({ networks: { visa: { ...visa, key: '/none.key', version: 'x' } } });
const withTls = { TLS_CERT: '/one.crt', TLS_KEY: '/one.key' };

test('the configuration holds the directory servers, and TLS asks for certificates where results need them', () => {
  const config = (env: Record<string, string>) => configOf(env, machine) as Config;
  const asking = config({ THREEDS_DIRECTORY_FILE: '/live.json', ...withTls });
  assert.deepEqual(Object.keys(asking.threeDS?.networks ?? {}), ['visa']);
  assert.deepEqual(asking.tls?.clientCa, [root.cert.trim(), two.cert.trim()]);
  assert.deepEqual(config({ THREEDS_DIRECTORY_FILE: '/anyone.json', ...withTls }).tls, { cert: one.cert, key: one.key });
  assert.equal(config(withTls).threeDS, null);
  const proxied = config({ THREEDS_DIRECTORY_FILE: '/proxied.json', TRUST_PROXY: '10.0.0.0/8' });
  assert.equal(proxied.threeDS?.certificateHeader, 'client-cert');
});

const refused: readonly (readonly [env: Record<string, string>, fault: string])[] = [
  [{ THREEDS_DIRECTORY_FILE: '/none.json' }, '"/none.json" cannot be read (ENOENT)'],
  [
    { THREEDS_DIRECTORY_FILE: '/wrong.json' },
    '"/wrong.json" visa.version must be 2.1.0 or 2.2.0; visa.key cannot be read (ENOENT)',
  ],
  [
    { THREEDS_DIRECTORY_FILE: '/live.json' },
    'results come with certificates; that needs TLS_CERT and TLS_KEY, or certificateHeader when a proxy ends TLS',
  ],
  [
    { THREEDS_DIRECTORY_FILE: '/proxied.json', TRUST_PROXY: 'true' },
    'certificateHeader needs a TRUST_PROXY that lists the proxies which may send it',
  ],
];
for (const [env, fault] of refused) {
  test(`refused: ${fault}`, () => assert.deepEqual(configOf(env, machine), [`THREEDS_DIRECTORY_FILE: ${fault}`]));
}
