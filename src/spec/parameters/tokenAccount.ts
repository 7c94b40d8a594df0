import { FULL_WIDTH_ONE, labelled, matching, N, oneOf } from '../formats.ts';
import { CARD_NUMBER, NEVER_STORED, row, type Section } from '../row.ts';
import { month } from './card.ts';

// Base64 comes in groups of four: 28 characters are 19 to 21 bytes, 32 are 22 to 24.
const cryptogram = matching(
  'AN 28-32',
  {
    source: '(?:[A-Za-z0-9+/]{28}|[A-Za-z0-9+/]{24})(?:[A-Za-z0-9+/]{2}(?:==|[A-Za-z0-9+/]=|[A-Za-z0-9+/]{2}))',
    message: 'must be 28 or 32 characters of base64',
  },
  {
    good: [
      'AAACAgSRBklmQCFgMpEGAAAAAAA=',
      'AgAAAAAAIR8CQrXSohbQQAAAAAA+',
      'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhc/',
      'AQIDBAUGBwgJCgsMDQ4PEBESExQVFg==',
    ],
    bad: [
      'AAACAgSRBklmQCFgMpEGAAAAAAA',
      'AAACAgSRBklmQCFgMpEGAAAAAAA==',
      'AAACAgSRBklmQCFgMpEGAAAA====',
      'AAACAgSRBklmQCFgMpEGAAAAAA-_',
      'AAACAgSRBklmQCFgMpEGAAAA AA=',
      'AAACAgSRBklmQCFgMpEGAAAAAAA=AA',
      `AAACAgSRBklmQCFgMpEGAAAAAA${FULL_WIDTH_ONE}=`,
      'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRo=',
    ],
  },
);

/** Document 2, Token account. */
export const tokenAccount = {
  'tokenAccount.number': row('R', N(12, 19), { secret: CARD_NUMBER, note: 'A token for the card, issued by another party.' }),
  'tokenAccount.type': row('R', oneOf('EXTERNAL or NETWORK', ['EXTERNAL', 'NETWORK']), {
    note: "EXTERNAL: an acquirer's or other provider's token; NETWORK: the card scheme's.",
  }),
  'tokenAccount.expiryMonth': row('O', month),
  'tokenAccount.expiryYear': row('O', labelled('N4', N(4, 4))),
  'tokenAccount.cryptogram': row('C', cryptogram, { secret: NEVER_STORED, note: 'One-time cryptogram in base64.' }),
  'tokenAccount.dtvc': row('C', N(3, 4), { secret: NEVER_STORED, note: 'One-time verification code of the token.' }),
} satisfies Section['rows'];
