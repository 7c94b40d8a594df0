import { date } from '../formats/dates.ts';
import { AN, charset, FULL_WIDTH_ONE, labelled, letters, lines, matching, N, nameLetters, oneOf } from '../formats/formats.ts';
import { countryAlpha2 } from '../formats/isoCodes.ts';
import { ACCOUNT_NUMBER, CARD_NUMBER, type Format, NEVER_STORED, PHONE_OR_ARTICLE, row, type Section } from '../row.ts';

/** `01` to `12`. */
const month: Format = matching(
  'N2, 01 to 12',
  { source: '0[1-9]|1[0-2]', message: 'must be a month from 01 to 12' },
  {
    good: ['01', '02', '09', '10', '12'],
    bad: ['00', '13', '1', '001', '1a', '99', ' 1', '0\uFF11'],
  },
);

const year = matching(
  'N4, 19xx or 20xx',
  { source: '(?:19|20)[0-9]{2}', message: 'must be a year 19xx or 20xx' },
  {
    good: ['1999', '2000', '2034', '2099'],
    bad: ['34', '1899', '2100', '203', '20345', '20a4', '-034', '203\uFF14'],
  },
);

const name = nameLetters('A 3-128', 3, 128);

// Holders have spaces and accents. A result code in this field makes the simulator return that result.
const holderSource = `${name.pattern.source.slice(1, -1)}|[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}`;
const holder = matching(
  name.label,
  { source: holderSource, message: name.message },
  {
    good: [...name.good, 'Ann Example', '800.100.151'],
    bad: [...name.bad, '800.100', '800.100.1511', 'Ann 800.100.151', '800100151', '4111111111111111'],
  },
);

/** Document 2, Card account. */
export const card = {
  'card.holder': row('O', holder, {
    lenient: true,
    note: "Name on the card: letters of any script, spaces and . , ' -. When testing, a result code forces that result.",
  }),
  'card.number': row('R', N(8, 32), { secret: CARD_NUMBER, note: 'The card number.' }),
  'card.expiryMonth': row('R', month),
  'card.expiryYear': row('R', year),
  'card.cvv': row('C', N(3, 4), { secret: NEVER_STORED, note: 'Security code; never stored.' }),
  'card.numberType': row('O', oneOf('PAN or DPAN', ['PAN', 'DPAN']), {
    note: "A DPAN replaces the card number in one device's wallet.",
  }),
} satisfies Section['rows'];

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

/** Document 2, Virtual account. */
export const virtualAccount = {
  'virtualAccount.accountId': row('R', AN(1, 100), {
    scan: PHONE_OR_ARTICLE,
    note: "The shopper's account at an account-based payment method.",
  }),
} satisfies Section['rows'];

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

const occasions = [
  ...([
    'ANNIVERSARY',
    'BIRTHDAY',
    'CONGRATULATIONS',
    'APRIL_FOOLS_DAY',
    'EASTER',
    'FATHERS_DAY',
    'GRADUATION',
    'HOLIDAY',
  ] as const),
  ...(['SEASONS_GREETINGS', 'PASSOVER', 'KWANZAA', 'HALLOWEEN', 'MOTHERS_DAY', 'NEW_YEARS_DAY', 'BOSSES_DAY'] as const),
  ...(['ST_PATRICKS_DAY', 'SWEETEST_DAY', 'CHRISTMAS', 'BABY_SHOWER', 'THANKSGIVING', 'OTHER', 'VALENTINES_DAY'] as const),
  ...(['WEDDING', 'SECRETARYS_DAY', 'CHINESE_NEW_YEAR', 'HANUKKAH', 'CELEBRATE_FALL', 'GRANDPARENTS_DAY'] as const),
  'INDEPENDENCE_DAY',
] as const;

/** Document 3, Gift card. */
export const giftCard = {
  'giftCard.number': row('O', AN(2, 255), { secret: ACCOUNT_NUMBER }),
  'giftCard.pin': row('O', AN(2, 255), { secret: NEVER_STORED }),
  'giftCard.holder': row('O', AN(2, 255), { lenient: true }),
  'giftCard.message': row('O', lines(2, 160), { lenient: true }),
  'giftCard.type': row('O', oneOf(`AN16: ${occasions.join(', ')}`, occasions), { note: 'The occasion.' }),
} satisfies Section['rows'];
