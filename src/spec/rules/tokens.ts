import type { EndpointName } from '../endpoints.ts';
import type { Rule } from './rule.ts';

const [NUMBER, TYPE] = ['tokenAccount.number', 'tokenAccount.type'] as const;
const [CRYPTOGRAM, DTVC] = ['tokenAccount.cryptogram', 'tokenAccount.dtvc'] as const;
const EXPIRY = ['tokenAccount.expiryMonth', 'tokenAccount.expiryYear'];

/** Where a token is sent as such. Beside a stored token only its one-time values are. */
const sentAnew: readonly EndpointName[] = ['pay', 'refer', 'register'];

/** Document 2, token account. */
export const tokens: readonly Rule[] = [
  {
    title: 'A token has a number and a type.',
    when: ['tokenAccount.*'],
    on: sentAnew,
    needs: [NUMBER, TYPE],
  },
  {
    title: 'A token expires in a month of a year.',
    when: EXPIRY,
    on: sentAnew,
    needs: EXPIRY,
  },
  {
    title: 'A token is proved by a cryptogram or by a code, not by both.',
    when: [CRYPTOGRAM],
    forbids: [DTVC],
  },
  {
    title: 'Cryptograms are those of card schemes.',
    when: [CRYPTOGRAM],
    is: { [TYPE]: ['EXTERNAL'] },
    refuses: `must not be sent with ${TYPE} EXTERNAL`,
  },
  {
    // With a reference the cardholder has left, and the proof was that of the payment it refers to.
    title: 'A scheme’s token is proved in every payment but those that the merchant starts.',
    when: [NUMBER],
    on: ['pay'],
    is: { [TYPE]: ['NETWORK'] },
    isNot: { 'standingInstruction.source': ['MIT'], recurringType: ['REPEATED'] },
    unless: ['referenceUuid'],
    needsOneOf: [CRYPTOGRAM, DTVC],
  },
];
