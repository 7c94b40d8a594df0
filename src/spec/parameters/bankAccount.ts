import { date } from '../dates.ts';
import { AN, charset, letters, matching } from '../formats.ts';
import { countryAlpha2 } from '../isoCodes.ts';
import { ACCOUNT_NUMBER, row, type Section } from '../row.ts';

const ibanShape = {
  source: '[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,27}',
  message: 'must be an IBAN without spaces: 2 letters, 2 digits, then 11 to 27 letters or digits',
};
const iban = matching('AN 15-31: 2 letters, 2 digits, 11-27 letters or digits', ibanShape, {
  good: ['NO9386011117947', 'DE23100000001234567890', 'de23100000001234567890', 'MT84MALT011000012345MTLCAST001S'],
  bad: ['NO938601111794', 'MT84MALT011000012345MTLCAST001SX', 'D123100000001234567890', 'DEX3100000001234567890'].concat(
    'DE23 1000 0000 1234 5678 90',
    'DE23-10000000-1234567890',
    'DE2310000000123456789\uFF10',
    '1223100000001234567890',
  ),
});

export const bicShape = { source: '[A-Za-z0-9]{8}(?:[A-Za-z0-9]{3})?', message: 'must be 8 or 11 ASCII letters or digits' };
const bic = matching('AN, 8 or 11 letters and digits', bicShape, {
  good: ['MARKDEFF', 'MARKDEF1100', 'testdett421'],
  bad: ['MARKDEF', 'MARKDEFF1', 'MARKDEFF11', 'MARKDEFF1100', 'MARK-DEF', 'MARK DEF', 'MARKDEF\uFF11', 'MÄRKDEFF'],
});

const mandateId = charset('AN 0-256, letters and hyphen', 'A-Za-z-', {
  min: 0,
  max: 256,
  sample: 'Mandate-A',
  wrong: ['1', ' ', '_', 'ü'],
});

/** Document 2, Bank account. Mandate and due date play no part in risk checks. */
export const bankAccount = {
  'bankAccount.holder': row('R', AN(4, 128), { lenient: true, note: 'Name of the account holder.' }),
  'bankAccount.bankName': row('C', AN(1, 255), { note: 'Name of the bank; some methods ask for it.' }),
  'bankAccount.number': row('C', letters('AN 3-64, letters and digits', 3, 64), {
    secret: ACCOUNT_NUMBER,
    note: 'This or the IBAN must be there.',
  }),
  'bankAccount.iban': row('C', iban, { secret: ACCOUNT_NUMBER, note: 'This or the account number must be there.' }),
  'bankAccount.bankCode': row('C', letters('AN 1-12, letters and digits', 1, 12), { note: 'This or the BIC must be there.' }),
  'bankAccount.bic': row('C', bic, { note: 'This or the bank code must be there.' }),
  'bankAccount.country': row('C', countryAlpha2, { note: 'Country of the account, ISO 3166-1.' }),
  'bankAccount.mandate.id': row('C', mandateId, {
    lenient: true,
    scan: { refuses: true },
    note: 'The mandate for the direct debit.',
  }),
  'bankAccount.mandate.dateOfSignature': row('C', date, { note: 'The day the mandate was signed.' }),
  transactionDueDate: row('C', date, { note: 'The day the direct debit falls due.' }),
} satisfies Section['rows'];
