import assert from 'node:assert/strict';
import { everyVersion, issuer, NOW, order } from '../../../src/wallets/examples.ts';
import { jsonObject } from '../../../src/wallets/text.ts';
import { isFault, type WalletCard, type WalletFault, type WalletName } from '../../../src/wallets/wallet.ts';
import { openWallet } from '../../../src/wallets/wallets.ts';
import { changeBytes, type Draft, splice } from '../mutate.ts';
import { createSealers } from '../sealWallet.ts';
import { assertNoCardNumber, CANARY, isOneIn, type Judge, jsonOf, type Random, type Target } from '../target.ts';

const NAMES: readonly WalletName[] = ['walletA', 'walletB', 'walletC'];
/** The first byte chooses the wallet, and whether the rest is a token, or what stands in a good one. */
const SEALED = 0x40;
const walletOf = (input: Buffer): WalletName => NAMES[((input[0] ?? 0) & (SEALED - 1)) % NAMES.length] as WalletName;
const isSealed = (input: Buffer): boolean => ((input[0] ?? 0) & SEALED) !== 0;
const tokenOf = (input: Buffer): string => input.subarray(1).toString('latin1');

// Operations with an RSA key take a hundred times as long as everything else.
const versions = everyVersion.filter(([, version]) => !version.startsWith('RSA'));
const tokens = versions.map(([wallet, version]) => ({ wallet, token: issuer.issue(wallet, { ...order, version }) }));
const sealers = createSealers('sandbox', 'shop1', NOW);
const { setup } = issuer;

const open = (wallet: WalletName, token: string): WalletCard | WalletFault => openWallet(wallet, token, { setup, now: NOW });

/** A token is refused in words without a secret; a card comes only out of a token that was issued, unchanged. */
function judge(input: Buffer): void {
  const wallet = walletOf(input);
  const token = isSealed(input) ? sealers[wallet](input.subarray(1)) : tokenOf(input);
  const opened = open(wallet, token);
  if (isFault(opened)) assertNoCardNumber(opened.says);
  else if (isSealed(input)) assertWellFormed(opened, input);
  else assert.deepEqual([opened.number, opened.expiryYear], [order.number, order.expiryYear], 'a card that was never issued');
  if (isOneIn(8, input)) assert.equal(jsonOf(open(wallet, token)), jsonOf(opened));
}

/** The card is what stands in the contents, and nothing else. */
function assertWellFormed({ number, expiryMonth, expiryYear, amount, holder }: WalletCard, input: Buffer): void {
  assert.match(number, /^[0-9]{8,19}$/);
  assert.match(`${expiryYear}-${expiryMonth}`, /^20[0-9]{2}-(?:0[1-9]|1[0-2])$/);
  assert.ok(amount === null || amount >= 0n, `the amount ${amount}`);
  assert.ok(holder === null || holder.length <= 256, 'the name');
  assert.ok(input.length >= number.length);
}

const isOfBase64 = new Uint8Array(256);
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-=') isOfBase64[sign.charCodeAt(0)] = 1;
const ENCODED_BYTES_MIN = 16;

/** Changes bytes behind base64, so that damage reaches signatures, certificates and points. */
function change(draft: Draft, random: Random): boolean {
  const { bytes, length } = draft;
  // Most such tokens are damaged elsewhere too, and end before the signature is checked, which takes longer than everything else.
  if (random(2) === 0) return false;
  let from = random(length + 1);
  let to = from;
  while (from > 1 && isOfBase64[bytes[from - 1] as number] === 1) from -= 1;
  while (to < length && isOfBase64[bytes[to] as number] === 1) to += 1;
  if (to - from < ENCODED_BYTES_MIN) return false;
  const text = bytes.toString('latin1', from, to);
  const coding = /[-_]/.test(text) || bytes[0] === 2 ? 'base64url' : 'base64';
  const changed = Buffer.from(changeBytes(Buffer.from(text, coding), random).toString(coding));
  splice(draft, [from, to], changed, [0, changed.length]);
  return true;
}

const contents: readonly (readonly [wallet: WalletName, text: string])[] = [
  [
    'walletA',
    `{"applicationPrimaryAccountNumber":"${CANARY}","applicationExpirationDate":"340728","currencyCode":"978","cardholderName":"Ann","paymentDataType":"3DSecure","paymentData":{"onlinePaymentCryptogram":"AAAA","eciIndicator":"5"},"transactionAmount":9200}`,
  ],
  [
    'walletB',
    `{"messageExpiration":"${NOW + 1_000}","messageId":"a","gatewayMerchantId":"shop1","paymentMethod":"CARD","paymentMethodDetails":{"pan":"${CANARY}","expirationMonth":7,"expirationYear":2034,"authMethod":"CRYPTOGRAM_3DS","cryptogram":"AAAA","eciIndicator":"05"}}`,
  ],
  [
    'walletB',
    `{"messageExpiration":"${NOW + 1_000}","messageId":"a","gatewayMerchantId":"shop1","paymentMethod":"TOKENIZED_CARD","paymentMethodDetails":{"dpan":"${CANARY}","expirationMonth":7,"expirationYear":2034,"authMethod":"3DS","3dsCryptogram":"AAAA","3dsEciIndicator":"05"}}`,
  ],
  [
    'walletC',
    `{"amount":"9200","currency_code":"EUR","utc":"${NOW}","eci_indicator":"5","tokenPAN":"${CANARY}","tokenPanExpiration":"0734","cryptogram":"AAAA","cardholder_name":"Ann"}`,
  ],
];

const plantedJudge: Judge = (input) => {
  const members = jsonObject(tokenOf(input)) as { readonly signature?: string } | null;
  if (members) assert.ok((members.signature as string).length > 0);
};

export const wallets: Target = {
  name: 'wallets',
  seeds: [
    ...tokens.map(({ wallet, token }) => `${String.fromCharCode(NAMES.indexOf(wallet))}${token}`),
    ...contents.map(([wallet, text]) => `${String.fromCharCode(SEALED + NAMES.indexOf(wallet))}${text}`),
  ],
  words: [
    ...[
      '"version":"EC_v1"',
      '"protocolVersion":"ECv1"',
      '"ECv2"',
      '"header":{',
      '"paymentData":{',
      '"signature":"',
      '"signedMessage":"',
    ],
    ...[
      '{',
      '}',
      '"',
      ':',
      ',',
      '.',
      '..',
      'null',
      '[]',
      '{"__proto__":{}}',
      '\\u0000',
      '=',
      '==',
      '-',
      '_',
      '\x00',
      '\x01',
      '\x02',
      ' ',
      CANARY,
    ],
    ...[
      '"intermediateSigningKey":',
      '"signedKey":"',
      '"signatures":["',
      '"keyExpiration":"0"',
      '{"alg":"none"}',
      'eyJhbGciOiJub25lIn0',
    ],
  ],
  bytesMax: 6_000,
  work: { base: 60_000, perByte: 300 },
  change,
  // A sealed one needs a signature, and its check.
  cost: (input) => (isSealed(input) ? 100 : 1) * input.length,
  judge,
  planted: { what: 'a reader that takes a signature for granted', judge: plantedJudge },
};
