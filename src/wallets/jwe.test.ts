import assert from 'node:assert/strict';
import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { test } from 'node:test';
import { issuer, NOW, order, random } from './examples.ts';
import { createIssuerC, issueC, setupC } from './issuer/issueC.ts';
import { bytesFrom, rsaOf } from './issuer/order.ts';
import { openJwe, readJwe } from './jwe.ts';
import { openKeys, publicHash, sha256 } from './keys.ts';
import { base64UrlBytes } from './text.ts';
import vectors from './vectors.json' with { type: 'json' };
import { isFault, type WalletCard, type WalletFault } from './wallet.ts';
import { deviceHeader } from './walletC.ts';
import { openWallet } from './wallets.ts';

const { setup } = issuer;
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const open = (token: string) => openWallet('walletC', token, { setup, now: NOW });
const why = (result: WalletCard | WalletFault) => (isFault(result) ? result.why : 'a card');
const number = (text: string): bigint => BigInt(`0x${base64UrlBytes(text)?.toString('hex')}`);

test('RFC 7516, appendix A.1: RSA-OAEP and A256GCM', () => {
  const { modulus, prime, token, sha256: digest } = vectors.jwe;
  const p = number(prime);
  const key = rsaOf(p, number(modulus) / p);
  const clear = openJwe(readJwe(token)!, [{ id: 'rfc', key, hash: publicHash(key) }]);
  assert.ok(Buffer.isBuffer(clear));
  assert.equal(sha256(clear).toString('hex'), digest);
});

/** A good device token with another header; its tag covers none. */
function withHeader(change: (header: Record<string, unknown>) => unknown): string {
  const [head = '', ...rest] = issuer.issue('walletC', order).split('.');
  return [encode(change(JSON.parse(Buffer.from(head, 'base64url').toString()))), ...rest].join('.');
}

test('the header of a device, which no tag covers, cannot be bent', () => {
  const [head = '', ...rest] = issuer.issue('walletC', order).split('.');
  const bytes = Buffer.from(head, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 3) {
    const other = Buffer.from(bytes);
    other[bit >> 3] = (other[bit >> 3] as number) ^ (1 << (bit & 7));
    assert.notEqual(why(open([other.toString('base64url'), ...rest].join('.'))), 'a card', `bit ${bit}`);
  }
});

const headers: readonly (readonly [what: string, change: (header: Record<string, unknown>) => unknown, expected: string])[] = [
  ['as it is', (header) => header, 'a card'],
  ['a member more', (header) => ({ ...header, aud: 'merchant.shop1' }), 'tampered'],
  ['another audience', (header) => ({ ...header, aud: 'merchant.shop2' }), 'otherMerchant'],
  ['a member less', (header) => ({ ...header, typ: undefined }), 'tampered'],
  ['no key named', (header) => ({ ...header, kid: undefined }), 'tampered'],
  ['a key that is not ours', (header) => ({ ...header, kid: 'other' }), 'unknownKey'],
  ['a key named by no text', (header) => ({ ...header, kid: 1 }), 'unknownKey'],
  ['a key of another kind', (header) => ({ ...header, kid: setup.walletC?.keys[2]?.id }), 'unknownKey'],
  ['another algorithm', (header) => ({ ...header, alg: 'RSA-OAEP' }), 'tampered'],
  ['no encryption', (header) => ({ ...header, alg: 'dir' }), 'unsupported'],
  ['no algorithm', (header) => ({ ...header, alg: undefined }), 'unsupported'],
  ['an algorithm of the prototype', (header) => ({ ...header, alg: 'constructor' }), 'unsupported'],
  ['another encryption', (header) => ({ ...header, enc: 'A128CBC-HS256' }), 'unsupported'],
  ['something critical', (header) => ({ ...header, crit: ['exp'] }), 'unsupported'],
  ['compressed', (header) => ({ ...header, zip: 'DEF' }), 'unsupported'],
  ['no object', () => [1], 'malformed'],
];

for (const [what, change, expected] of headers) {
  test(`header, ${what}: ${expected}`, () => assert.equal(why(open(withHeader(change))), expected));
}

test('a copy whose header is spelt otherwise is still the same token', () => {
  const token = issuer.issue('walletC', order);
  const [head = '', ...rest] = token.split('.');
  const members = Object.entries(JSON.parse(Buffer.from(head, 'base64url').toString())).reverse();
  const [one, two] = [open(token), open([encode(Object.fromEntries(members)), ...rest].join('.'))];
  assert.ok(!isFault(one) && !isFault(two));
  assert.equal(one.tokenId, two.tokenId);
});

test('a wrong encrypted key is refused like a wrong tag, whatever is wrong with it', () => {
  const { walletC } = setup;
  const [named] = openKeys(walletC?.keys ?? []);
  assert.ok(named);
  const [, , ...rest] = issuer.issue('walletC', order).split('.');
  const key = createPublicKey(named.key);
  const sealed = (bytes: Buffer) => publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, bytes);
  const wrong = [
    random(256),
    Buffer.alloc(256),
    Buffer.alloc(256, 255),
    Buffer.alloc(0),
    random(255),
    sealed(random(16)),
    sealed(random(32)),
    sealed(Buffer.alloc(0)),
  ];
  const head = encode({ ...deviceHeader, kid: named.id });
  const said = wrong.map((encryptedKey) => open([head, encryptedKey.toString('base64url'), ...rest].join('.')));
  const [first] = said;
  for (const result of said) assert.deepEqual(result, first);
  assert.equal(why(first as WalletFault), 'tampered');
});

test('a signature inside: another key, another algorithm, none at all', () => {
  const issuerC = createIssuerC('shop1', (label) => bytesFrom('sandbox', label));
  const signed = (version: string) => issueC(issuerC, { ...order, version, signed: true }, random);
  const walletC = setupC(issuerC);
  const by = (signers: typeof walletC.signers) => ({ ...setup, walletC: { ...walletC, signers } });
  const [signer] = walletC.signers as [(typeof walletC.signers)[number]];
  const rsa = createPublicKey(issuerC.rsa.current.key).export({ format: 'pem', type: 'spki' }) as string;
  const token = signed('RSA-OAEP-256');
  const result = (signers: typeof walletC.signers) => why(openWallet('walletC', token, { setup: by(signers), now: NOW }));
  assert.equal(result([signer]), 'a card');
  assert.equal(result([{ ...signer, id: 'another' }]), 'untrusted');
  assert.equal(result([{ ...signer, publicKey: rsa }]), 'untrusted');
  assert.equal(result([{ id: 'another', publicKey: rsa }, signer]), 'a card');
});
