import { timestamp } from '../formats/dates.ts';
import { AN, flag, integer, labelled, lines, matching, money9, money10, N, oneOf, upTo } from '../formats/formats.ts';
import { countryAlpha3, currency } from '../formats/isoCodes.ts';
import { moved, NEVER_STORED, row, SEALED, type Section } from '../row.ts';

const threeRI = ['RECURRING', 'SPLIT_SHIPMENT', 'DELAYED_SHIPMENT'] as const;

// The document's list has an underscore in front of one word; both spellings pass.
const indications = oneOf(
  'PAYMENT, RECURRING, INSTALLMENT, ADD_CARD, MAINTAIN_CARD, EMV_ID, BILLING_AGREEMENT, ' +
    'SPLIT_SHIPMENT, _DELAYED_SHIPMENT, SPLIT_PAYMENT',
  [
    ...(['PAYMENT', 'RECURRING', 'INSTALLMENT', 'ADD_CARD', 'MAINTAIN_CARD', 'EMV_ID', 'BILLING_AGREEMENT'] as const),
    ...(['SPLIT_SHIPMENT', '_DELAYED_SHIPMENT', 'DELAYED_SHIPMENT', 'SPLIT_PAYMENT'] as const),
  ],
);

const version = matching(
  'form 2.1.0 or 2.2.0',
  { source: '2\\.[0-9]\\.[0-9]', message: 'must be a version such as 2.1.0 or 2.2.0' },
  {
    good: ['2.1.0', '2.2.0', '2.3.1'],
    bad: ['1.0.2', '2.1', '2', '2.1.0.0', 'v2.1.0', '2,1,0', '2.10.0', '2.\uFF11.0'],
  },
);

const ids = {
  'network.requestorId': row('O', upTo(100), { note: "The requestor's id with this card network." }),
} satisfies Section['rows'];
const names = {
  'network.requestorName': row('O', upTo(100), { note: "The requestor's name with this card network." }),
} satisfies Section['rows'];

/** Document 3, 3D Secure. Results of an external 3D Secure server are passed to the acquirer unchanged. */
export const threeDSecure = {
  'threeDSecure.amount': row('O', money9, { note: 'The amount to authenticate.' }),
  'threeDSecure.currency': row('O', currency),
  'threeDSecure.deviceInfo': row('C', lines(1, 65_536, "as returned by the mobile SDK's authentication request parameters"), {
    secret: SEALED,
    note: 'Encrypted device data; an app needs it to begin.',
  }),
  'threeDSecure.merchant.name': row('O', upTo(100), {
    lenient: true,
    note: 'The name the directory server knows the merchant by.',
  }),
  'threeDSecure.merchant.url': row('O', AN(0, 2048)),
  'threeDSecure.merchant.country': row('O', countryAlpha3),
  ...moved(ids, 'network', 'threeDSecure.v2.network1'),
  ...moved(ids, 'network', 'threeDSecure.v2.network2'),
  ...moved(ids, 'network', 'threeDSecure.v2.network3'),
  ...moved(ids, 'network', 'threeDSecure.v2.network4'),
  ...moved(ids, 'network', 'threeDSecure.v2.network5'),
  ...moved(names, 'network', 'threeDSecure.v2.network1'),
  ...moved(names, 'network', 'threeDSecure.v2.network2'),
  ...moved(names, 'network', 'threeDSecure.v2.network3'),
  ...moved(names, 'network', 'threeDSecure.v2.network4'),
  ...moved(names, 'network', 'threeDSecure.v2.network5'),
  'threeDSecure.channel': row('O', integer('N2, 1 to 99', [1, 99], 2), {
    note: 'Marks an authentication that the merchant starts (3RI, version 2.2, one card network).',
  }),
  'threeDSecure.npa': row('O', flag, { note: 'Authentication without a payment.' }),
  'threeDSecure.decoupled': row('O', flag, { note: 'Authentication apart from the checkout.' }),
  'threeDSecure.threeRIInd': row('O', oneOf(threeRI.join(', '), threeRI), { note: 'Why the merchant starts it.' }),
  'threeDSecure.authenticationInd': row('O', indications, { note: "A hint to the issuer's server." }),
  'threeDSecure.disable': row('O', flag, {
    note: 'With true there is no 3D Secure even where it is set up; false cannot turn it on.',
  }),
  'threeDSecure.eci': row('C', oneOf('N2, 01 to 08', ['01', '02', '03', '04', '05', '06', '07', '08'])),
  'threeDSecure.verificationId': row('C', upTo(28), { secret: NEVER_STORED, note: 'CAVV or AAV.' }),
  'threeDSecure.authenticationStatus': row('C', oneOf('one of Y, A, U, N', ['Y', 'A', 'U', 'N'])),
  'threeDSecure.dsTransactionId': row('O', upTo(36), { note: "The directory server's transaction id." }),
  'threeDSecure.acsTransactionId': row('O', upTo(36), { note: "The issuer server's transaction id." }),
  'threeDSecure.challengeMandatedIndicator': row('O', oneOf('Y or N', ['Y', 'N'])),
  'threeDSecure.version': row('O', version),
  'threeDSecure.authType': row('O', oneOf('AN2, 01 to 04', ['01', '02', '03', '04'])),
  'threeDSecure.transactionStatusReason': row('O', labelled('N2', N(2, 2))),
  'threeDSecure.challengeIndicator': row('O', oneOf('01 to 09', ['01', '02', '03', '04', '05', '06', '07', '08', '09']), {
    note: 'Version 2.2 or higher; an exemption is flagged in authentication and payment.',
  }),
  'threeDSecure.exemptionFlag': row('O', oneOf('N2, 01 to 04', ['01', '02', '03', '04']), {
    note: 'Version 2.2 or higher; an exemption is flagged in authentication and payment.',
  }),
  'threeDSecure.schemeData[XX-ITEMSNB]': row('C', N(1, 2, 'N2'), { note: 'Number of goods; the domestic scheme needs it.' }),
  'threeDSecure.schemeData[XX-SCORE_MERCHANT]': row('C', AN(1, 20), {
    note: "The merchant's own score; the domestic scheme recommends it.",
  }),
  'threeDSecure.schemeData[XX-USECASE]': row('C', N(1, 2, 'N2'), {
    note: 'The domestic scheme needs it for a payment, and without a payment for indicators 02 and 03.',
  }),
} satisfies Section['rows'];

/** Document 3, Risk. */
export const risk = {
  'risk.channelId': row('O', AN(1, 255), {
    note: 'Selects another rule set of the risk system than the configured one; one provider takes 12 characters.',
  }),
  'risk.serviceId': row('O', AN(1, 255), { note: 'Service of the risk system; one provider takes one character.' }),
  'risk.amount': row('O', money10, {
    note: 'The amount for risk checks and 3D Secure, when it is not the amount of the payment.',
  }),
  'risk.orderTimestamp': row('O', labelled('yyyy-MM-dd HH:mm:ss, 24h', timestamp), {
    note: 'When the order was made; the present by default.',
  }),
  'risk.brand': row('O', AN(1, 255), { note: 'The brand to check, when it is not paymentBrand.' }),
  'risk.parameters[name]': row('O', lines(0, 2048, 'name AN 3-64; value AN 0-2048'), {
    keepsEmpty: true,
    note: 'Anything else the risk system wants to know.',
  }),
  'risk.merchantWebsite': row('O', AN(1, 60)),
  'risk.accountToken': row('O', AN(1, 64), { note: 'What the merchant knows the account by.' }),
} satisfies Section['rows'];

const reason = matching(
  '000.100.2 followed by two digits',
  { source: '000\\.100\\.2[0-9]{2}', message: 'must be 000.100.2 followed by two digits' },
  {
    good: ['000.100.200', '000.100.203', '000.100.299'],
    bad: ['000.100.2', '000.100.20', '000.100.2000', '000.100.100', '000-100-200', '800.100.200', '000.100.2\uFF11\uFF11'],
  },
);

/** Document 3, Chargeback. */
export const chargeback = {
  chargebackResultCode: row('O', reason, { note: "The acquirer's reason for a chargeback, for the back office." }),
} satisfies Section['rows'];
