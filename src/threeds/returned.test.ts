import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Authentication, type AuthenticationEvent, beginAuthentication, next } from './authentication.ts';
import { exampleRequest, NOW, parametersFor, TRANS_ID } from './examples.ts';
import { readMessage } from './messages/validate.ts';
import { returnEvent } from './shopper.ts';

/**
 * Forms that browsers bring back from an issuer, written here without the program's own encoder: every form in which issuers write it, with
 * elements missing, of newer versions, unknown, and as an error message.
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Base64 by hand: the last two characters of the alphabet, the padding, and the length of a line. */
function base64(text: string, { last, pad, line }: { last: string; pad: string; line: number }): string {
  const bits = [...new TextEncoder().encode(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,6}/g) ?? [];
  const whole = groups.map((group) => (ALPHABET + last)[Number.parseInt(group.padEnd(6, '0'), 2)]).join('');
  const padded = whole + pad.repeat((4 - (whole.length % 4)) % 4);
  return line === 0 ? padded : (padded.match(new RegExp(`.{1,${line}}`, 'g')) ?? []).join('\r\n');
}

const ids = { threeDSServerTransID: TRANS_ID, acsTransID: '0b0b0b0b-1111-4222-8333-444444444444' } as const;
const begun = beginAuthentication(
  {
    threeDSServerTransID: TRANS_ID,
    version: '2.2.0',
    parameters: parametersFor(exampleRequest()),
    methodUrl: null,
    sdkTransID: null,
    decoupledMinutes: 60,
  },
  NOW,
);
const challenged = next(
  begun,
  {
    is: 'answered',
    ares: {
      messageType: 'ARes',
      messageVersion: '2.2.0',
      ...ids,
      dsTransID: '0c0c0c0c-1111-4222-8333-444444444444',
      acsReferenceNumber: 'a',
      dsReferenceNumber: 'd',
      transStatus: 'C',
      acsURL: 'https://acs.example/challenge',
    },
  },
  NOW,
);
const OTHER = '0d0d0d0d-1111-4222-8333-444444444444';

const anyForm = fc.record({
  last: fc.constantFrom('-_', '+/', ' /'),
  pad: fc.constantFrom('', '='),
  line: fc.constantFrom(0, 0, 64, 76),
});
const anyCase = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.toUpperCase(),
);
const element = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
const anyCRes = fc.record({
  messageType: fc.constant('CRes'),
  messageVersion: element(fc.constantFrom('2.1.0', '2.2.0', '2.3.1')),
  challengeCompletionInd: element(fc.constantFrom('Y', 'N', '')),
  transStatus: element(fc.constantFrom('Y', 'N', 'C', 'U')),
  acsCounterAtoS: element(fc.constantFrom('000', '001')),
  messageExtension: element(fc.constantFrom([], [{ name: 'n', id: 'i', criticalityIndicator: true, data: { '>>>???': '~~~' } }])),
  whatIsNew: element(fc.string({ maxLength: 40 })),
});
const anyErro = fc.record({
  messageType: fc.constant('Erro'),
  messageVersion: element(fc.constantFrom('2.1.0', '2.2.0', '2.3.1')),
  errorCode: element(fc.constantFrom('101', '203', '402', '999')),
  errorComponent: element(fc.constantFrom('A', 'D')),
  errorDescription: element(fc.string({ maxLength: 40 })),
  errorDetail: element(fc.constantFrom('acsTransID')),
  errorMessageType: element(fc.constantFrom('CReq')),
});
/** Which challenge it names: this one, or in one of its ids another, or an id is missing. */
const anyIds = fc.record({
  threeDSServerTransID: fc.constantFrom('own', 'own', 'other', 'missing'),
  acsTransID: fc.constantFrom('own', 'own', 'other', 'missing'),
});

type Case = {
  readonly message: object;
  readonly named: { readonly threeDSServerTransID: string; readonly acsTransID: string };
  readonly text: string;
};
const anyReturn: fc.Arbitrary<Case> = fc
  .record({ body: fc.oneof(anyCRes, anyErro), named: anyIds, written: anyCase, form: anyForm, blanks: fc.constantFrom('', '\n') })
  .map(({ body, named, written, form, blanks }) => {
    const id = (name: 'threeDSServerTransID' | 'acsTransID') =>
      named[name] === 'missing' ? {} : { [name]: written(named[name] === 'own' ? ids[name] : OTHER) };
    const message = { ...body, ...id('threeDSServerTransID'), ...id('acsTransID') };
    return { message, named, text: blanks + base64(JSON.stringify(message), form) + blanks };
  });

const RUNS = 2_000;

/** A message of this challenge means that the shopper is back, one of another ends the authentication. None of them is a result. */
function fault(read: (text: string) => AuthenticationEvent, { named, text, message }: Case): string | null {
  const after: Authentication = next(challenged, read(text), NOW);
  const { phase } = after;
  const isOther = Object.values(named).includes('other');
  const about = `${JSON.stringify(message)} as ${JSON.stringify(text)}`;
  if (isOther) return phase.at === 'done' && phase.outcome.kind === 'foreign' ? null : `another challenge passed: ${about}`;
  if (phase.at !== 'challenge' || !phase.isBack) return `the shopper is not back: ${about}`;
  return null;
}

test('every form of a return is read: it brings the shopper back, and no result', () =>
  fc.assert(
    fc.property(anyReturn, (one) => {
      assert.equal(fault(returnEvent, one), null);
    }),
    { numRuns: RUNS },
  ));

test('control: a reader that insists on challengeCompletionInd and one base64 is found', () => {
  const strict = (text: string): AuthenticationEvent => {
    const bytes = Buffer.from(text.replace(/=+$/, ''), 'base64url');
    try {
      const { message } = readMessage('CRes', JSON.parse(bytes.toString('utf8')));
      return { is: 'returned', cres: message?.challengeCompletionInd === undefined ? null : message };
    } catch {
      return { is: 'returned', cres: null };
    }
  };
  const found = fc.check(
    fc.property(anyReturn, (one) => fault(strict, one) === null),
    { numRuns: RUNS },
  );
  assert.ok(found.failed, 'the strict reader was not found');
});

test('what is no message only brings the shopper back', () =>
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.base64String(),
        fc.json().map((text) => btoa(unescape(encodeURIComponent(text)))),
      ),
      (text) => {
        const { phase } = next(challenged, returnEvent(text), NOW);
        assert.ok(phase.at === 'challenge' && phase.isBack);
      },
    ),
  ));
