import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeKey, sha256, signRequest } from './s3.ts';

/** The examples of the documentation of S3: "Signature Calculations for the Authorization Header". */
const key = { accessKey: 'AKIAIOSFODNN7EXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', region: 'us-east-1' };
const NOW = Date.parse('2013-05-24T00:00:00Z');
const ORIGIN = 'https://examplebucket.s3.amazonaws.com';

const examples: readonly (readonly [
  what: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string,
  signature: string,
])[] = [
  [
    'an object',
    'GET',
    '/test.txt',
    { range: 'bytes=0-9' },
    '',
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'an upload',
    'PUT',
    '/test%24file.text',
    { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    'Welcome to Amazon S3.',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'a parameter without a value',
    'GET',
    '/?lifecycle',
    {},
    '',
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  ['a list', 'GET', '/?max-keys=2&prefix=J', {}, '', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
];

for (const [what, method, path, headers, body, signature] of examples) {
  test(`the published signature of ${what}`, () => {
    const signed = signRequest({ method, url: new URL(path, ORIGIN), headers, bodyHash: sha256(body) }, key, NOW);
    assert.match(signed.authorization ?? '', new RegExp(`Signature=${signature}$`));
    assert.match(
      signed.authorization ?? '',
      /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/20130524\/us-east-1\/s3\/aws4_request,/,
    );
  });
}

test('names are encoded as the service encodes them', () => {
  assert.equal(encodeKey("a b/c!'()*~-._$"), 'a%20b%2Fc%21%27%28%29%2A~-._%24');
});
