import { AN, lines, oneOf } from '../formats.ts';
import { NEVER_STORED, row, type Section } from '../row.ts';

const token = lines(1, 16_384, 'provider-defined');
const word = AN(1, 255, 'provider-defined');
const source = oneOf('web or app', ['web', 'app']);

/** Document 2, Digital wallets. Clients send the wallets' real names; see aliases.ts. */
export const wallets = {
  'walletA.paymentToken': row('R', token, { secret: NEVER_STORED, note: 'The encrypted payment token as the wallet gave it.' }),
  'walletA.cardNetwork': row('O', word, { note: "The network in the wallet's token; this wallet only." }),
  'walletA.cardType': row('O', word, { note: "The card type in the wallet's token; this wallet only." }),
  'walletB.paymentToken': row('R', token, { secret: NEVER_STORED, note: 'The encrypted payment token as the wallet gave it.' }),
  'walletC.paymentToken': row('R', token, { secret: NEVER_STORED, note: 'The encrypted payment token as the wallet gave it.' }),
  'walletA.source': row('R', source, { note: 'Where the wallet was opened, when the merchant sends decrypted card data.' }),
  'walletB.source': row('R', source, { note: 'Where the wallet was opened, when the merchant sends decrypted card data.' }),
  'walletC.source': row('R', source, { note: 'Where the wallet was opened, when the merchant sends decrypted card data.' }),
} satisfies Section['rows'];
