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
    title: 'A token account requires number and type.',
    when: ['tokenAccount.*'],
    on: sentAnew,
    needs: [NUMBER, TYPE],
  },
  {
    title: 'Expiry month and year of a token require each other.',
    when: EXPIRY,
    on: sentAnew,
    needs: EXPIRY,
  },
  {
    title: 'A token has a cryptogram or a dtvc, not both.',
    when: [CRYPTOGRAM],
    forbids: [DTVC],
  },
  {
    title: 'A cryptogram is not allowed with an EXTERNAL token.',
    when: [CRYPTOGRAM],
    is: { [TYPE]: ['EXTERNAL'] },
    refuses: `must not be sent with ${TYPE} EXTERNAL`,
  },
  {
    // With a reference the cardholder has left, and the proof was that of the payment it refers to.
    title: 'A NETWORK token requires a cryptogram or a dtvc, except for merchant-initiated payments.',
    when: [NUMBER],
    on: ['pay'],
    is: { [TYPE]: ['NETWORK'] },
    isNot: { 'standingInstruction.source': ['MIT'], recurringType: ['REPEATED'] },
    unless: ['referenceUuid'],
    needsOneOf: [CRYPTOGRAM, DTVC],
  },
];
