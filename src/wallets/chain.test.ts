import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Certificate, oid } from './cms.ts';
import { NOW, order, random } from './examples.ts';
import { type CertificateOrder, createIssuerA, issueA, makeChain, setupA, signedData } from './issuer/issueA.ts';
import { bytesFrom, p256From } from './issuer/order.ts';
import { base64Bytes } from './text.ts';
import { isFault } from './wallet.ts';
import { type OpenWalletA, openWalletA, prepareWalletA, walletAMarks } from './walletA.ts';

const bytes = (label: string) => bytesFrom('chain', label);
const rootKey = p256From(bytes('walletA root'));
const issuer = createIssuerA('shop1', bytes);
const setup = prepareWalletA(setupA(issuer));

type Parts = { readonly leaf?: Partial<CertificateOrder>; readonly intermediate?: Partial<CertificateOrder> };
const tokenWith = (parts: Parts) => issueA({ ...issuer, chain: makeChain(rootKey, bytes, parts) }, order, random);
const why = (token: string, by: OpenWalletA = setup, now = NOW) => {
  const result = openWalletA(token, by, now);
  return isFault(result) ? result.why : 'a card';
};

const leafMark = { id: walletAMarks.leaf, isCritical: false };
const authorityMark = { id: walletAMarks.intermediate, isCritical: false };
const unknown = oid('1.3.6.1.4.1.99999.1');
const other = p256From(bytes('stranger'));

const cases: readonly (readonly [what: string, parts: Parts, expected: string])[] = [
  ['as it should be', {}, 'a card'],
  ['a mark may be critical only where it is understood', { leaf: { marks: [{ ...leafMark, isCritical: true }] } }, 'untrusted'],
  ['an unknown extension that is not critical', { leaf: { marks: [leafMark, { id: unknown, isCritical: false }] } }, 'a card'],
  ['an unknown critical extension in the leaf', { leaf: { marks: [leafMark, { id: unknown, isCritical: true }] } }, 'untrusted'],
  [
    'an unknown critical extension above it',
    { intermediate: { marks: [authorityMark, { id: unknown, isCritical: true }] } },
    'untrusted',
  ],
  ['an extension twice', { leaf: { marks: [leafMark, leafMark] } }, 'malformed'],
  ['a leaf without its mark', { leaf: { marks: [] } }, 'untrusted'],
  ['a leaf with the mark of the one above', { leaf: { marks: [authorityMark] } }, 'untrusted'],
  ['an intermediate without its mark', { intermediate: { marks: [] } }, 'untrusted'],
  ['a leaf that is an authority', { leaf: { isAuthority: true } }, 'untrusted'],
  ['an intermediate that is none', { intermediate: { isAuthority: false } }, 'untrusted'],
  ['a leaf that has ended', { leaf: { validTo: NOW - 1000 } }, 'untrusted'],
  ['a leaf that has not begun', { leaf: { validFrom: NOW + 1000 } }, 'untrusted'],
  ['an intermediate that has ended', { intermediate: { validTo: NOW - 1000 } }, 'untrusted'],
  ['a leaf signed by a stranger', { leaf: { issuerKey: other } }, 'untrusted'],
  ['a leaf that signed itself', { leaf: { issuerKey: p256From(bytes('walletA leaf')) } }, 'untrusted'],
  ['an intermediate signed by a stranger', { intermediate: { issuerKey: other } }, 'untrusted'],
  ['an intermediate of another name', { intermediate: { subject: 'Another' } }, 'untrusted'],
  ['an intermediate under another root’s name', { intermediate: { issuer: 'Another' } }, 'untrusted'],
  ['a leaf for another key than signed', { leaf: { key: other } }, 'tampered'],
  ['a leaf of another number than named', { leaf: { serial: 9 } }, 'malformed'],
];

for (const [what, parts, expected] of cases) {
  test(`${what}: ${expected}`, () => assert.equal(why(tokenWith(parts)), expected));
}

test('the root of another sandbox, no root, a leaf as a root', () => {
  const token = tokenWith({});
  const others = setupA(createIssuerA('shop1', (label) => bytesFrom('other', label)));
  const roots = (list: readonly string[]) => prepareWalletA({ ...setupA(issuer), roots: list });
  assert.equal(why(token, roots(others.roots)), 'untrusted');
  assert.equal(why(token, roots([])), 'untrusted');
  assert.equal(why(token, roots([...others.roots, ...setupA(issuer).roots])), 'a card');
});

test('a chain that was found good is not asked again, and still has to be valid', () => {
  const by = prepareWalletA(setupA(issuer));
  const validTo = NOW + 60_000;
  const chained = issueA({ ...issuer, chain: makeChain(rootKey, bytes, { leaf: { validTo } }) }, order, random);
  assert.equal(why(chained, by), 'a card');
  const [remembered] = [...by.anchors.values()] as [Certificate];
  assert.equal(remembered.x509.subject, 'CN=Sandbox wallet root');
  assert.equal(why(chained, by), 'a card');
  assert.equal(by.anchors.size, 1);
  assert.equal(why(chained, by, validTo + 1000), 'untrusted');
  assert.equal(why(tokenWith({ leaf: { issuerKey: other } }), by), 'untrusted');
  for (let serial = 0; serial < 40; serial += 1) {
    const validFrom = NOW - 1000 * (serial + 1);
    assert.equal(why(tokenWith({ leaf: { validFrom } }), by), 'a card');
    assert.ok(by.anchors.size <= 16);
  }
});

test('the signature of one token does not do for another', () => {
  const [one, two] = [tokenWith({}), tokenWith({})].map((token) => JSON.parse(token));
  assert.equal(why(JSON.stringify({ ...one, signature: two.signature })), 'tampered');
  assert.equal(why(JSON.stringify({ ...one, header: { ...one.header, transactionId: two.header.transactionId } })), 'tampered');
  assert.equal(why(JSON.stringify({ ...one, header: { ...one.header, applicationData: '00'.repeat(32) } })), 'tampered');
  assert.equal(why(JSON.stringify({ ...one, data: two.data })), 'tampered');
});

test('a signature over nothing but its own digest is not enough', () => {
  const token = JSON.parse(tokenWith({}));
  const bare = signedData({ digest: Buffer.alloc(0), signedAt: NOW, chain: makeChain(rootKey, bytes) });
  assert.equal(why(JSON.stringify({ ...token, signature: bare.toString('base64') })), 'tampered');
  assert.equal(why(JSON.stringify({ ...token, signature: '' })), 'malformed');
  const cms = base64Bytes(token.signature) as Buffer;
  assert.equal(
    why(JSON.stringify({ ...token, signature: Buffer.concat([cms, Buffer.from([0, 0])]).toString('base64') })),
    'malformed',
  );
});
