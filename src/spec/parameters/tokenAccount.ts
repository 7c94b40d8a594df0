import { AN, labelled, N, oneOf } from '../formats.ts';
import { row, type Section } from '../row.ts';
import { month } from './card.ts';

/** Document 2, Token account. */
export const tokenAccount = {
  'tokenAccount.number': row('R', N(12, 19), { secret: 'pan', note: 'A token that somebody else made for the card.' }),
  'tokenAccount.type': row('R', oneOf('EXTERNAL or NETWORK', ['EXTERNAL', 'NETWORK']), {
    note: "EXTERNAL: an acquirer's or other provider's token; NETWORK: the card scheme's.",
  }),
  'tokenAccount.expiryMonth': row('O', month),
  'tokenAccount.expiryYear': row('O', labelled('N4', N(4, 4))),
  'tokenAccount.cryptogram': row('C', AN(28, 32), { secret: 'never', note: 'One-time cryptogram in base64.' }),
  'tokenAccount.dtvc': row('C', N(3, 4), { secret: 'never', note: 'One-time verification code of the token.' }),
} satisfies Section['rows'];
