import { card, channel, earlier, type Fields, order } from '../requests.ts';
import { bareToken, type Case, cryptogram, payRegistered, practice, register, repeated, token } from './case.ts';

const [CRYPTOGRAM, DTVC, TYPE] = ['tokenAccount.cryptogram', 'tokenAccount.dtvc', 'tokenAccount.type'] as const;
const code: Fields = { [DTVC]: '123' };

/** The rules of spec/rules/stored.ts about tokens. */
export const tokenCases: readonly Case[] = [
  {
    title: 'A token account requires number and type.',
    base: order,
    passes: [token, { ...bareToken, ...code }],
    refused: [
      [{ 'tokenAccount.number': '489537000000' }, TYPE],
      [code, 'tokenAccount.number', TYPE],
    ],
  },
  {
    title: 'A token account requires number and type.',
    in: payRegistered,
    base: order,
    passes: [{}, code, cryptogram],
    refused: [[{ 'tokenAccount.number': '489537000000' }, 'tokenAccount.number']],
  },
  {
    title: 'Expiry month and year of a token require each other.',
    base: { ...order, ...token },
    passes: [{ 'tokenAccount.expiryMonth': '01', 'tokenAccount.expiryYear': '2031' }],
    refused: [
      [{ 'tokenAccount.expiryMonth': '01' }, 'tokenAccount.expiryYear'],
      [{ 'tokenAccount.expiryYear': '2031' }, 'tokenAccount.expiryMonth'],
    ],
  },
  {
    title: 'A token has a cryptogram or a dtvc, not both.',
    base: { ...order, ...bareToken },
    passes: [cryptogram, code],
    refused: [[{ ...cryptogram, ...code }, DTVC]],
  },
  {
    title: 'A token has a cryptogram or a dtvc, not both.',
    in: payRegistered,
    base: order,
    passes: [cryptogram, code],
    refused: [[{ ...cryptogram, ...code }, DTVC]],
  },
  {
    title: 'A cryptogram is not allowed with an EXTERNAL token.',
    base: { ...order, ...bareToken },
    passes: [cryptogram, { [TYPE]: 'EXTERNAL' }, { [TYPE]: 'EXTERNAL', ...code }],
    refused: [
      [{ [TYPE]: 'EXTERNAL', ...cryptogram }, CRYPTOGRAM],
      [{ [CRYPTOGRAM]: 'AgAAAAAAIR8CQrXSohbQQAAAAAA' }, CRYPTOGRAM],
    ],
  },
  {
    title: 'A NETWORK token requires a cryptogram or a dtvc, except for merchant-initiated payments.',
    base: { ...order, ...bareToken },
    passes: [
      cryptogram,
      code,
      repeated,
      { recurringType: 'REPEATED' },
      { [TYPE]: 'EXTERNAL' },
      { paymentType: 'PA', [practice]: 'REAUTHORIZATION', referenceUuid: earlier },
    ],
    refused: [
      [{}, CRYPTOGRAM],
      [{ ...repeated, 'standingInstruction.source': 'CIT' }, CRYPTOGRAM],
      [{ recurringType: 'INITIAL' }, CRYPTOGRAM],
      [{ recurringType: 'REGISTRATION_BASED' }, CRYPTOGRAM],
    ],
  },
  {
    title: 'A NETWORK token requires a cryptogram or a dtvc, except for merchant-initiated payments.',
    in: register,
    base: { entityId: channel },
    passes: [bareToken, token, { ...bareToken, ...code }],
    refused: [[{ ...card, ...bareToken }, 'tokenAccount.number', TYPE]],
  },
];
