import { card, channel, earlier, type Fields, order } from '../requests.ts';
import { bareToken, type Case, cryptogram, payRegistered, practice, register, repeated, token } from './case.ts';

const [CRYPTOGRAM, DTVC, TYPE] = ['tokenAccount.cryptogram', 'tokenAccount.dtvc', 'tokenAccount.type'] as const;
const code: Fields = { [DTVC]: '123' };

/** The rules of spec/rules/tokens.ts. */
export const tokenCases: readonly Case[] = [
  {
    title: 'A token has a number and a type.',
    base: order,
    passes: [token, { ...bareToken, ...code }],
    refused: [
      [{ 'tokenAccount.number': '489537000000' }, TYPE],
      [code, 'tokenAccount.number', TYPE],
    ],
  },
  {
    title: 'A token has a number and a type.',
    in: payRegistered,
    base: order,
    passes: [{}, code, cryptogram],
    refused: [[{ 'tokenAccount.number': '489537000000' }, 'tokenAccount.number']],
  },
  {
    title: 'A token expires in a month of a year.',
    base: { ...order, ...token },
    passes: [{ 'tokenAccount.expiryMonth': '01', 'tokenAccount.expiryYear': '2031' }],
    refused: [
      [{ 'tokenAccount.expiryMonth': '01' }, 'tokenAccount.expiryYear'],
      [{ 'tokenAccount.expiryYear': '2031' }, 'tokenAccount.expiryMonth'],
    ],
  },
  {
    title: 'A token is proved by a cryptogram or by a code, not by both.',
    base: { ...order, ...bareToken },
    passes: [cryptogram, code],
    refused: [[{ ...cryptogram, ...code }, DTVC]],
  },
  {
    title: 'A token is proved by a cryptogram or by a code, not by both.',
    in: payRegistered,
    base: order,
    passes: [cryptogram, code],
    refused: [[{ ...cryptogram, ...code }, DTVC]],
  },
  {
    title: 'Cryptograms are those of card schemes.',
    base: { ...order, ...bareToken },
    passes: [cryptogram, { [TYPE]: 'EXTERNAL' }, { [TYPE]: 'EXTERNAL', ...code }],
    refused: [
      [{ [TYPE]: 'EXTERNAL', ...cryptogram }, CRYPTOGRAM],
      [{ [CRYPTOGRAM]: 'AgAAAAAAIR8CQrXSohbQQAAAAAA' }, CRYPTOGRAM],
    ],
  },
  {
    title: 'A scheme’s token is proved in every payment but those that the merchant starts.',
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
    title: 'A scheme’s token is proved in every payment but those that the merchant starts.',
    in: register,
    base: { entityId: channel },
    passes: [bareToken, token, { ...bareToken, ...code }],
    refused: [[{ ...card, ...bareToken }, 'tokenAccount.number', TYPE]],
  },
];
