import { webUrl } from './formats/addresses.ts';
import { AN, charset, labelled, letters, matching, money10, N, oneOf, text, word } from './formats/formats.ts';
import { countryAlpha2, currency } from './formats/isoCodes.ts';
import { bicShape, tokenAccount } from './parameters/accounts.ts';
import { hexId } from './parameters/basic.ts';
import { family, standingInstruction } from './parameters/storedCredentials.ts';
import { transactionTypes } from './paymentTypes.ts';
import { moved, row, type Section } from './row.ts';

const FULL_WIDTH = '\uFF11';
const code = charset('AN 2-11, digits and dots', '0-9.', { min: 2, max: 11, sample: '000.100.110', wrong: ['a', '-', ' '] });
const score = matching(
  'AN6, optional sign and 5 digits',
  // Events of registrations have an empty one (facts 7.4).
  { source: '(?:[+-]?[0-9]{1,5})?', message: 'must be up to 5 digits with an optional sign' },
  {
    good: ['0', '100', '-99999', '+99999'],
    bad: ['100000', '--1', '1.0', 'high', FULL_WIDTH],
  },
);
const instant = matching(
  'yyyy-MM-dd hh:mm:ssZ',
  {
    source: '[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{3})?[+-][0-9]{4}',
    message: 'must be an instant such as 2031-10-02 09:15:31+0000',
  },
  {
    good: ['2031-10-02 09:15:31+0000', '2031-10-02 09:15:31.065+0000'],
    bad: ['2031-10-02T09:15:31Z', '2031-10-02 09:15:31', '2031-10-02'],
  },
);
const requestId = charset('AN 1-69, letters, digits, hyphen', 'A-Za-z0-9-', {
  min: 1,
  max: 69,
  sample: '8ac7-a4c9',
  wrong: [' ', '/', '_', '.'],
});
const bic = matching('AN, 8 or 11 letters and digits', bicShape, {
  good: ['MARKDEFF', 'MARKDEF1100'],
  bad: ['MARKDEF', 'MARKDEFF1', 'MARK-DEF'],
});
const redirectText = AN(1, 255);

/** Document 1, Payment response, in the order of the document. Amounts are strings with two decimals. */
export const paymentResponse = {
  id: row('R', letters('AN32, letters and digits', 32, 32), {
    note: 'The payment, for the path of captures, reversals, refunds and reads.',
  }),
  registrationId: row('R', letters('AN32, letters and digits', 32, 32), {
    note: 'The stored payment details: those that createRegistration made, or those that were charged.',
  }),
  referencedId: row('C', hexId('AN32'), { note: 'The payment that a capture, reversal or refund refers to.' }),
  paymentType: row('C', oneOf('A2', transactionTypes), { note: 'Transactions that move no money have types of their own.' }),
  paymentBrand: row('C', word('AN 1-32, letters, digits, underscore', 1, 32)),
  amount: row('C', money10, {
    note: 'The amount of the request, also of a declined or pending payment: result.code says what became of it.',
  }),
  currency: row('C', currency),
  descriptor: row('C', AN(1, 127, 'AN127'), { note: "What the shopper's statement shows." }),
  'result.code': row('R', code, { note: 'The outcome.' }),
  'result.description': row('O', AN(0, 255), { note: 'The outcome in words.' }),
  'result.avsResponse': row('C', oneOf('A1', ['A', 'Z', 'N', 'U', 'F']), {
    note: 'Address check: A street only, Z postcode only, N neither, F both, U could not be made.',
  }),
  'result.cvvResponse': row('C', oneOf('A1', ['M', 'N', 'P', 'S', 'U']), {
    note: 'Security code: M match, N no match, P not processed, S should be present, U issuer does not check.',
  }),
  'resultDetails[name]': row('O', AN(0, 2048, 'map; name AN 3-64 (letters, digits, dot, underscore), value AN 0-2048'), {
    note: 'Details from the acquirer: ExtendedDescription, clearingInstituteName, ConnectorTxID1 to 3 and others.',
  }),
  'resultDetails.AcquirerResponse': row('C', AN(0, 2048), { note: "The acquirer's own code." }),
  'resultDetails.MerchantAdviceCode': row('O', N(1, 2, 'N2'), {
    note: 'Why it was declined and what to do next, from acquirers that say so.',
  }),
  'resultDetails.CardholderInitiatedTransactionID': row('C', text, {
    note: "The scheme's reference of a payment the cardholder started.",
  }),
  'card.bin': row('O', labelled('N6', N(6, 6)), { note: 'First six digits.' }),
  'card.last4Digits': row('O', labelled('N4', N(4, 4))),
  'card.holder': row('O', text),
  'card.expiryMonth': row('O', labelled('N2', N(2, 2))),
  'card.expiryYear': row('O', labelled('N4', N(4, 4))),
  'card.issuer.bank': row('O', AN(0, 2048)),
  'card.issuer.phone': row('O', AN(0, 2048)),
  'card.issuer.website': row('O', AN(0, 2048)),
  'card.type': row('O', AN(0, 2048), { note: 'CREDIT, for instance.' }),
  'card.level': row('O', text),
  'card.regulatedFlag': row('O', AN(0, 2048), { note: 'Whether the card falls under fee regulation.' }),
  'merchant.bankAccount.holder': row('R', AN(4, 128), { note: 'Only where the shopper must transfer money to the merchant.' }),
  'merchant.bankAccount.number': row('C', letters('AN 3-64, letters and digits', 3, 64), { note: 'An IBAN for SEPA.' }),
  'merchant.bankAccount.bic': row('C', bic),
  'merchant.bankAccount.country': row('C', countryAlpha2, { note: 'ISO 3166-1.' }),
  'risk.score': row('C', score, { note: 'From -99999 to +99999, where risk was checked.' }),
  'redirect.url': row('C', webUrl('AN 6-2048'), { note: 'Where the shopper must be sent.' }),
  'redirect.parameters[n].name': row('C', redirectText, { note: 'A parameter to send there.' }),
  'redirect.parameters[n].value': row('C', redirectText, { note: 'The value of the parameter with the same number.' }),
  buildNumber: row('R', AN(0, 255), { note: 'Version of the gateway.' }),
  timestamp: row('R', instant, { note: 'Time of the reply.' }),
  ndc: row('R', requestId, { note: 'The number of the request, for support.' }),
  brandResult: row('O', charset('A16', 'A-Z0-9_', { min: 1, max: 16, sample: 'VISA', wrong: ['-', ' '] }), {
    note: 'The brand that was detected.',
  }),
} satisfies Section['rows'];

const last4Digits = row('O', labelled('N4', N(4, 4)));

/** Not in the document's table: instruments other than cards, as far as they may be shown. */
const instruments = {
  'bankAccount.holder': row('O', text),
  'bankAccount.last4Digits': last4Digits,
  'bankAccount.country': row('O', countryAlpha2),
  'bankAccount.bankCode': row('O', letters('AN 1-12, letters and digits', 1, 12)),
  'bankAccount.bic': row('O', bic),
  'bankAccount.bankName': row('O', AN(1, 255)),
  'virtualAccount.accountId': row('O', AN(1, 100)),
  'giftCard.last4Digits': row('O', AN(4, 4)),
  'tokenAccount.type': row('O', tokenAccount['tokenAccount.type'].format),
  'tokenAccount.last4Digits': last4Digits,
  'tokenAccount.expiryMonth': row('O', labelled('N2', N(2, 2))),
  'tokenAccount.expiryYear': row('O', labelled('N4', N(4, 4))),
} satisfies Section['rows'];

/** The series in a reply: the sent values, and the reference that the scheme requires with the next payment. */
const series = {
  ...moved(standingInstruction, 'standingInstruction', 'standingInstruction'),
  'standingInstruction.initialTransactionId': row('C', standingInstruction['standingInstruction.initialTransactionId'].format, {
    note: 'The scheme’s reference of the first payment. Store it if you store the card: later payments must send it.',
  }),
  'standingInstruction.agreementId': row('C', standingInstruction['standingInstruction.agreementId'].format, {
    note: 'The agreement id of one network; for now beside initialTransactionId, later instead of it.',
  }),
  recurringType: row('O', family.recurringType.format, { note: 'As it was sent by an older client.' }),
} satisfies Section['rows'];

/** Not in the document's table: the sums of an approved payment that is read back. */
export const paymentSums = {
  capturedAmount: row('O', money10, { note: 'Read back: what of a PA was captured; of a DB or CP its amount.' }),
  refundedAmount: row('O', money10, { note: 'Read back: what was refunded; of a PA, the refunds of its captures.' }),
  reversedAmount: row('O', money10, { note: 'Read back: what was reversed.' }),
  disputedAmount: row('O', money10, { note: 'Read back: what banks took back by chargebacks and have not returned.' }),
  remainingAmount: row('O', money10, { note: 'Read back: what of a PA can still be captured; of the others, refunded.' }),
} satisfies Section['rows'];

/** Fields of replies that the document's table does not have. */
export const responseExtras = {
  ...instruments,
  ...series,
  merchantTransactionId: row('O', AN(1, 255), { note: 'As it was sent.' }),
  'result.parameterErrors[n].name': row('O', text, { note: 'With 200.300.404: the parameter that is wrong.' }),
  'result.parameterErrors[n].value': row('O', labelled('AN or null', text), {
    note: 'What was sent; masked where it is secret, null when nothing was.',
  }),
  'result.parameterErrors[n].message': row('O', text, { note: 'What is wrong with it.' }),
  'result.parameterWarnings[n].name': row('O', text, {
    note: 'With a checkout: a parameter that was left out, for instance stored payment details that were deleted.',
  }),
  'result.parameterWarnings[n].value': row('O', text, { note: 'What was sent.' }),
  'result.parameterWarnings[n].message': row('O', text, { note: 'Why it was left out.' }),
  'schedule.id': row('O', text, { note: 'With a payment that a schedule has taken: the schedule.' }),
  'schedule.dueAt': row('O', text, { note: 'The instant of the run that the payment belongs to.' }),
  'schedule.attempt': row('O', text, { note: 'Which attempt of the run it is, from 1.' }),
  'schedule.nextAttemptAt': row('O', text, { note: 'Read back: when a declined run is tried again.' }),
  'customParameters[name]': row('O', AN(0, 2048), {
    keepsEmpty: true,
    note: 'As they were sent, like every other request structure but its secrets.',
  }),
} satisfies Section['rows'];

/** Fields that replies about stored payment details share with replies about payments. */
const shared = (name: string): boolean =>
  /^(?:paymentBrand|result|card\.|risk\.|redirect|buildNumber|timestamp|ndc|brandResult)/.test(name);

/**
 * Stored payment details as they are answered; document 1 shows no more than the id. An answer to a deletion or an extension is
 * that of a transaction of its own and names the details as what it refers to.
 */
export const registrationResponse: Section['rows'] = {
  id: row('R', letters('AN32, letters and digits', 32, 32), {
    note: 'The stored payment details, for payments with them; of a deletion or an extension, the id of that transaction.',
  }),
  referencedId: row('C', hexId('AN32'), { note: 'The stored payment details that were deleted or extended.' }),
  ...Object.fromEntries(Object.entries(paymentResponse).filter(([name]) => shared(name))),
  ...responseExtras,
  'networkToken.last4Digits': row('C', labelled('N4', N(4, 4)), {
    note: 'The network token of the stored card, if any; payments use it.',
  }),
  'networkToken.expiryMonth': row('C', labelled('N2', N(2, 2))),
  'networkToken.expiryYear': row('C', labelled('N4', N(4, 4))),
};
