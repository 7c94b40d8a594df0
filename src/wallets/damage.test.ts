import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { everyVersion, issuer, NOW, order, random } from './examples.ts';
import { isFault, type WalletCard, type WalletFault, type WalletName } from './wallet.ts';
import { openWalletA, prepareWalletA } from './walletA.ts';
import { openWalletB, prepareWalletB } from './walletB.ts';
import { openWalletC, prepareWalletC } from './walletC.ts';

const [walletA, walletB, walletC] = [
  prepareWalletA(issuer.setup.walletA!),
  prepareWalletB(issuer.setup.walletB!),
  prepareWalletC(issuer.setup.walletC!),
];

const open: Readonly<Record<WalletName, (token: string) => WalletCard | WalletFault>> = {
  walletA: (token) => openWalletA(token, walletA, NOW),
  walletB: (token) => openWalletB(token, walletB, NOW),
  walletC: (token) => openWalletC(token, walletC, NOW),
};
const isCard = (wallet: WalletName, token: string): boolean => !isFault(open[wallet](token));

/** Places of a token where bytes stand encoded; `put` gives the token with other bytes there. */
type Damageable = { readonly bytes: Buffer; readonly put: (bytes: Buffer) => string };

type Json = { [name: string]: Json & string };

function places(wallet: WalletName, token: string): readonly Damageable[] {
  if (wallet === 'walletC') {
    const parts = token.split('.');
    return parts.map((part, at) => ({
      bytes: Buffer.from(part, 'base64url'),
      put: (bytes) => parts.with(at, bytes.toString('base64url')).join('.'),
    }));
  }
  const paths = wallet === 'walletA' ? PATHS_A : PATHS_B.filter(([first]) => first in JSON.parse(token));
  return paths.map((path) => placeIn(token, path));
}

type Path = readonly [string, ...string[]];
const PATHS_A: readonly Path[] = [
  ['data'],
  ['signature'],
  ['header', 'ephemeralPublicKey'],
  ['header', 'publicKeyHash'],
  ['header', 'transactionId'],
];
const PATHS_B: readonly Path[] = [
  ['signature'],
  ['intermediateSigningKey', 'signatures', '0'],
  ['intermediateSigningKey', 'signedKey', '{', 'keyValue'],
  ['signedMessage', '{', 'encryptedMessage'],
  ['signedMessage', '{', 'ephemeralPublicKey'],
  ['signedMessage', '{', 'tag'],
];

/** `{` in a path goes into JSON that stands in a text. */
function placeIn(token: string, [name, ...rest]: Path): Damageable {
  const object = JSON.parse(token) as Json;
  const inner = object[name] as Json & string;
  const [next, ...deeper] = rest;
  const write = (value: unknown): string => JSON.stringify(Array.isArray(object) ? [value] : { ...object, [name]: value });
  if (next === undefined) {
    const coding = name === 'transactionId' ? 'hex' : 'base64';
    return { bytes: Buffer.from(inner, coding), put: (bytes) => write(bytes.toString(coding)) };
  }
  const isText = next === '{';
  const place = placeIn(isText ? inner : JSON.stringify(inner), (isText ? deeper : rest) as unknown as Path);
  return { bytes: place.bytes, put: (bytes) => write(isText ? place.put(bytes) : JSON.parse(place.put(bytes))) };
}

for (const [wallet, version] of everyVersion) {
  const token = issuer.issue(wallet, { ...order, version });
  const isSlow = version.startsWith('RSA');

  test(`${wallet} ${version}: one bit of any byte changed is never a card`, () => {
    let seen = 0;
    for (const [place, { bytes, put }] of places(wallet, token).entries()) {
      assert.equal(put(bytes), token);
      // An RSA key takes its time with every one of them; what no tag covers is tried in full.
      const step = isSlow && place > 0 ? 5 : 1;
      for (let at = 0; at < bytes.length; at += step) {
        const other = Buffer.from(bytes);
        other[at] = (other[at] as number) ^ (1 << (at % 8));
        assert.ok(!isCard(wallet, put(other)), `byte ${at} of ${bytes.length}`);
        seen += step;
      }
    }
    assert.ok(seen >= 450, `only ${seen} bytes`);
  });

  test(`${wallet} ${version}: one character of the text changed is never a card`, () => {
    for (let at = 0; at < token.length; at += isSlow && at > token.indexOf('.') ? 5 : 1) {
      const flips = at % 7 === 0 ? [1, 2, 0x20] : [at % 2 === 0 ? 1 : 0x20];
      for (const flip of flips) {
        const other = String.fromCharCode(token.charCodeAt(at) ^ flip);
        assert.ok(!isCard(wallet, `${token.slice(0, at)}${other}${token.slice(at + 1)}`), `${other} at ${at}`);
      }
    }
  });

  test(`${wallet} ${version}: cut at any length it is refused, also in base64`, () => {
    const coded = Buffer.from(token).toString('base64');
    for (let length = 0; length < token.length; length += 1) assert.ok(!isCard(wallet, token.slice(0, length)), `${length}`);
    for (let length = 0; length < coded.length; length += 3) assert.ok(!isCard(wallet, coded.slice(0, length)), `${length}`);
    assert.ok(isCard(wallet, coded));
  });

  test(`${wallet} ${version}: random bytes in any place are refused without a throw`, () => {
    const all = places(wallet, token);
    fc.assert(
      fc.property(fc.nat(all.length - 1), fc.uint8Array({ maxLength: 120 }), fc.nat(2000), (which, bytes, at) => {
        const place = all[which] as Damageable;
        const other = Buffer.from(place.bytes);
        other.set(bytes.slice(0, Math.max(0, other.length - at)), Math.min(at, other.length));
        for (const changed of [Buffer.from(bytes), other])
          if (!changed.equals(place.bytes)) assert.ok(!isCard(wallet, place.put(changed)));
      }),
      { numRuns: 60 },
    );
  });
}

test('random JSON, and random members in place of right ones, are refused without a throw', () => {
  const names = [
    ...'version data header signature ephemeralPublicKey publicKeyHash transactionId paymentData protocolVersion'.split(' '),
    ...'signedMessage intermediateSigningKey signedKey signatures 3DS alg enc kid epk __proto__'.split(' '),
  ];
  const wallets: readonly WalletName[] = ['walletA', 'walletB', 'walletC'];
  const key = fc.oneof(fc.constantFrom(...names), fc.string());
  const anything = fc.anything({ key, maxDepth: 3, withNullPrototype: false });
  fc.assert(
    fc.property(
      fc.dictionary(key, anything),
      fc.constantFrom(...wallets),
      fc.constantFrom('EC_v1', 'ECv1', 'ECv2', 1),
      (members, wallet, version) => {
        const text = JSON.stringify({ ...members, version, protocolVersion: version }, (_, value) =>
          typeof value === 'bigint' ? String(value) : value,
        );
        assert.ok(!isCard(wallet, text));
        const head = Buffer.from(text).toString('base64url');
        assert.ok(!isCard('walletC', `${head}.AAAA.${'A'.repeat(16)}.AAAA.${'A'.repeat(21)}A`));
        const right = JSON.parse(issuer.issue(wallet === 'walletC' ? 'walletA' : wallet, order));
        for (const name of Object.keys(right)) {
          const other = JSON.stringify({ ...right, [name]: members }, (_, value) =>
            typeof value === 'bigint' ? String(value) : value,
          );
          assert.ok(!isCard(wallet, other));
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('long junk is refused within 5 ms', () => {
  const long = (part: string) => part.repeat(Math.ceil(16_384 / part.length)).slice(0, 16_384);
  const header = Buffer.from('{"alg":"RSA1_5","enc":"A128GCM"}').toString('base64url');
  const right = JSON.parse(issuer.issue('walletA', order));
  const signed = (hex: string) => JSON.stringify({ ...right, signature: Buffer.from(hex, 'hex').toString('base64') });
  const message = JSON.parse(issuer.issue('walletB', order));
  const junk = [
    long('{'),
    long('['),
    long('{"a":'),
    `{"a":${'['.repeat(8000)}${']'.repeat(8000)}}`,
    `{${Array.from({ length: 1800 }, (_, at) => `"${at}":1`).join(',')}}`,
    `{"a":"${'\\"'.repeat(8000)}"}`,
    long('A'),
    long('A.'),
    random(12_000).toString('base64'),
    `${header}.${long('A').slice(0, 8000)}.AAAAAAAAAAAAAAAA.${'A'.repeat(8000)}.AAAAAAAAAAAAAAAAAAAAAA`,
    signed('3080'.repeat(4000)),
    signed(`30821388${'0500'.repeat(2500)}`),
    signed(`3080${'30820004'.repeat(1500)}`),
    JSON.stringify({
      ...message,
      intermediateSigningKey: { signedKey: '{}', signatures: Array.from({ length: 400 }, () => message.signature.slice(0, 12)) },
    }),
  ];
  for (const [at, token] of junk.entries()) {
    assert.ok(token.length <= 16_384, `${at}: ${token.length}`);
    for (const wallet of ['walletA', 'walletB', 'walletC'] as const) {
      const times = Array.from({ length: 7 }, () => {
        const start = performance.now();
        assert.ok(!isCard(wallet, token));
        return performance.now() - start;
      });
      assert.ok(Math.min(...times) < 5, `${wallet}, junk ${at}: ${Math.min(...times)} ms`);
    }
  }
});
