import type { Fields } from '../http/client.ts';
import { CARD, DEMO } from '../http/client.ts';

/** What known clients of this API family send, and what they read of the reply. Later exchanges use `{name}` of those that keep an id. */

/** How clients authenticate: the header; parameters of old ones; both in part. */
export type Credentials = 'bearer' | 'parameters' | 'bearerAndOldEntity' | 'none' | 'wrong';

export type Exchange = {
  /** Which habit of clients it is. */
  readonly habit: string;
  readonly by?: Credentials;
  /** Sent to a lenient channel. */
  readonly isLenient?: true;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly fields?: Fields;
  /** Fields of a GET or DELETE that stand in its body, as curl -d sends them. */
  readonly body?: Fields;
  readonly status: number;
  /** What clients compare the code with. */
  readonly code: RegExp;
  /** Members that clients read, by dotted name, and what they must be. */
  readonly reads?: Readonly<Record<string, RegExp>>;
  /** Members that clients take as a sign of something else. */
  readonly absent?: readonly string[];
  /** The name under which the id of the reply is kept. */
  readonly keep?: string;
};

const HEX = /^[0-9a-f]{32}$/;
const SUCCESS = /^(?:000\.000\.|000\.100\.1|000\.[36])/;
const PLAIN_SUCCESS = /^000\.(?:100\.110|000\.000)$/;
/** The class with which clients check the id of a checkout before they use it in a path. */
const CHECKOUT = /^[0-9A-F]{32}[a-zA-Z0-9.-]+$/;
const order = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
const base = { buildNumber: /^[0-9a-f]{40}@[0-9]{4}(?:-[0-9]{2}){2} [0-9:]{8} \+0000$/, ndc: /./ };

export const exchanges: readonly Exchange[] = [
  {
    habit: 'a plug-in debits a card and matches the success pattern',
    method: 'POST',
    path: '/v1/payments',
    fields: { ...order, ...CARD, merchantTransactionId: 'order-10017' },
    status: 200,
    code: SUCCESS,
    reads: {
      id: HEX,
      paymentType: /^DB$/,
      paymentBrand: /^VISA$/,
      amount: /^92\.00$/,
      'card.bin': /^420000$/,
      'card.last4Digits': /^0000$/,
      'card.expiryYear': /^2034$/,
      'resultDetails.ConnectorTxID1': /./,
      timestamp: /^[0-9]{4}(?:-[0-9]{2}){2} [0-9:]{8}\+0000$/,
      ...base,
    },
    absent: ['card.number', 'card.cvv'],
    keep: 'debit',
  },
  {
    habit: 'an old library sends its credentials as parameters',
    by: 'parameters',
    method: 'POST',
    path: '/v1/payments',
    fields: { ...order, ...CARD, paymentType: 'PA' },
    status: 200,
    code: SUCCESS,
    keep: 'authorisation',
  },
  {
    habit: 'a gateway library sends a bearer token and authentication.entityId',
    by: 'bearerAndOldEntity',
    method: 'POST',
    path: '/v1/payments/{authorisation}',
    fields: { paymentType: 'CP', amount: '50.00', currency: 'EUR' },
    status: 200,
    code: SUCCESS,
    reads: { id: HEX, referencedId: HEX, paymentType: /^CP$/, amount: /^50\.00$/, currency: /^EUR$/, descriptor: /./, ...base },
    keep: 'capture',
  },
  {
    habit: 'a shop refunds in part',
    method: 'POST',
    path: '/v1/payments/{capture}',
    fields: { paymentType: 'RF', amount: '10.00', currency: 'EUR' },
    status: 200,
    code: PLAIN_SUCCESS,
    reads: { referencedId: HEX },
  },
  {
    habit: 'a client captures a payment that does not exist',
    method: 'POST',
    path: '/v1/payments/8ac7a4a19a1c22d4019a1c5b0f3e11a7',
    fields: { paymentType: 'CP', amount: '1.00', currency: 'EUR' },
    status: 400,
    code: /^700\.400\.510$/,
  },
  {
    habit: 'a decline is a 400 with the code, the id and the card',
    method: 'POST',
    path: '/v1/payments',
    fields: { ...order, ...CARD, 'card.number': '4200000000000001' },
    status: 400,
    code: /^100\.100\.101$/,
    reads: { id: HEX, 'card.last4Digits': /^0001$/, amount: /^92\.00$/, currency: /^EUR$/ },
    absent: ['descriptor'],
  },
  {
    habit: 'a client reads amount and currency of a payment that is pending',
    method: 'POST',
    path: '/v1/payments',
    fields: { ...order, paymentBrand: 'PAYPAL', shopperResultUrl: 'https://shop.example/' },
    status: 200,
    code: /^000\.200\.000$/,
    reads: { amount: /^92\.00$/, currency: /^EUR$/, 'redirect.url': /./ },
  },
  {
    habit: 'a Python client asks for the hash of the script with integrity=True',
    isLenient: true,
    method: 'POST',
    path: '/v1/checkouts',
    fields: { ...order, integrity: 'True' },
    status: 200,
    code: /^000\.200\.100$/,
    reads: { integrity: /^sha384-/ },
  },
  {
    habit: 'the same on a strict channel is told which parameter it was',
    method: 'POST',
    path: '/v1/checkouts',
    fields: { ...order, integrity: 'True' },
    status: 400,
    code: /^200\.300\.404$/,
    reads: { 'result.parameterErrors.0.name': /^integrity$/ },
  },
  ...['RC', 'IN'].map(
    (transactionCategory): Exchange => ({
      habit: `an older client marks a later payment with transactionCategory=${transactionCategory}`,
      isLenient: true,
      method: 'POST',
      path: '/v1/payments',
      fields: { ...order, ...CARD, transactionCategory },
      status: 200,
      code: SUCCESS,
    }),
  ),
  {
    habit: 'a series without an end has 9999-12-31',
    isLenient: true,
    method: 'POST',
    path: '/v1/payments',
    fields: {
      ...{ ...order, ...CARD, 'standingInstruction.expiry': '9999-12-31', 'standingInstruction.frequency': '0001' },
      ...{ 'standingInstruction.mode': 'INITIAL', 'standingInstruction.type': 'RECURRING', 'standingInstruction.source': 'CIT' },
    },
    status: 200,
    code: SUCCESS,
    reads: { 'standingInstruction.expiry': /^9999-12-31$/ },
  },
  {
    habit: 'a library pays by the MAESTRO card of the test environment without shopperResultUrl',
    isLenient: true,
    method: 'POST',
    path: '/v1/payments',
    fields: { ...order, ...CARD, paymentBrand: 'MAESTRO', 'card.number': '6799851000000032' },
    status: 200,
    code: SUCCESS,
  },
  {
    habit: 'the same card with a way back is authenticated',
    isLenient: true,
    method: 'POST',
    path: '/v1/payments',
    fields: {
      ...{ ...order, ...CARD, paymentBrand: 'MAESTRO', 'card.number': '6799851000000032' },
      shopperResultUrl: 'https://shop.example/',
    },
    status: 200,
    code: /^000\.200\.000$/,
    reads: { 'redirect.url': /./ },
  },
  {
    habit: 'a library stores a payer of prepaid slips without shopperResultUrl',
    isLenient: true,
    method: 'POST',
    path: '/v1/registrations',
    fields: {
      paymentBrand: 'BRADESCO',
      ...{ 'customer.givenName': 'Ann', 'customer.surname': 'Example', 'billing.country': 'BR', 'billing.state': 'RJ' },
      ...{ 'billing.street1': 'Rua 17', 'billing.city': 'Rio', 'billing.postcode': '12345-678' },
      'customParameters[BRADESCO_cpfsacado]': '11111111111',
    },
    status: 200,
    code: PLAIN_SUCCESS,
    reads: { id: HEX },
  },
  {
    habit: 'a client lists the parameters that were refused',
    method: 'POST',
    path: '/v1/checkouts',
    fields: { ...order, amount: '-20.20' },
    status: 400,
    code: /^200\.300\.404$/,
    reads: {
      'result.parameterErrors.0.name': /^amount$/,
      'result.parameterErrors.0.value': /^-20\.20$/,
      'result.parameterErrors.0.message': /./,
    },
    absent: ['id'],
  },
  {
    habit: 'a shop creates a checkout and asks for the hash of the script',
    method: 'POST',
    path: '/v1/checkouts',
    fields: { ...order, integrity: 'true' },
    status: 200,
    code: /^000\.200\.100$/,
    reads: { id: CHECKOUT, ndc: CHECKOUT, integrity: /^sha384-[A-Za-z0-9+/]{64}$/ },
    keep: 'checkout',
  },
  {
    habit: 'a shop changes the amount of its checkout',
    method: 'POST',
    path: '/v1/checkouts/{checkout}',
    fields: { ...order, amount: '93.00' },
    status: 200,
    code: /^000\.200\.101$/,
    reads: { id: CHECKOUT },
  },
  {
    habit: 'a shop asks before the shopper has paid',
    method: 'GET',
    path: '/v1/checkouts/{checkout}/payment',
    status: 200,
    code: /^000\.200\.000$/,
    absent: ['id'],
  },
  {
    habit: 'a client looks for the words of a session that is over',
    method: 'GET',
    path: '/v1/checkouts/0123456789ABCDEF0123456789ABCDEF.uat01-vm-tx03/payment',
    status: 400,
    code: /^200\.300\.404$/,
    reads: { 'result.description': /No payment session found/ },
    absent: ['id', 'result.parameterErrors'],
  },
  {
    habit: 'a shop stores a card',
    method: 'POST',
    path: '/v1/registrations',
    fields: { ...CARD, recurringType: 'INITIAL' },
    status: 200,
    code: PLAIN_SUCCESS,
    reads: { id: HEX, 'card.last4Digits': /^0000$/ },
    absent: ['paymentType'],
    keep: 'registration',
  },
  {
    habit: 'a shop charges a stored card by the old name of a series',
    method: 'POST',
    path: '/v1/registrations/{registration}/payments',
    fields: { ...order, recurringType: 'REPEATED' },
    status: 200,
    code: SUCCESS,
    reads: { id: HEX, registrationId: HEX },
  },
  {
    habit: 'a shop offers stored cards in a checkout',
    method: 'POST',
    path: '/v1/checkouts',
    fields: { ...order, 'registrations[0].id': '{registration}' },
    status: 200,
    code: /^000\.200\.100$/,
  },
  {
    habit: 'a client deletes with its fields in the body, and compares the code exactly',
    method: 'DELETE',
    path: '/v1/registrations/{registration}',
    body: { testMode: 'INTERNAL' },
    status: 200,
    code: PLAIN_SUCCESS,
  },
  {
    habit: 'a client charges a card that was deleted',
    method: 'POST',
    path: '/v1/registrations/{registration}/payments',
    fields: order,
    status: 400,
    code: /^100\.150\.202$/,
  },
  {
    habit: 'a plug-in looks for its order and takes the last of the list as the newest',
    method: 'GET',
    path: '/v1/query',
    fields: { merchantTransactionId: 'order-10017' },
    status: 200,
    code: /^000\.000\.100$/,
    reads: { 'payments.0.id': HEX, 'payments.0.result.code': SUCCESS, 'payments.0.timestamp': /\.[0-9]{3}\+0000$/ },
    absent: ['payments.0.ndc', 'payments.0.buildNumber'],
  },
  {
    habit: 'an older client writes the query as a list of payments',
    method: 'GET',
    path: '/v1/payments',
    fields: { merchantTransactionId: 'order-10017' },
    status: 200,
    code: /^000\.000\.100$/,
    reads: { 'payments.0.paymentType': /^DB$/ },
  },
  {
    habit: 'a plug-in sends one date beside the reference to the third version',
    method: 'GET',
    path: '/v3/query',
    fields: { merchantTransactionId: 'order-10017', 'date.from': '2020-01-01 00:00:00', paymentTypes: 'DB' },
    status: 200,
    code: /^000\.000\.100$/,
    reads: { 'records.0.id': HEX },
  },
  {
    habit: 'a client takes every other code of a query as no payment',
    method: 'GET',
    path: '/v1/query',
    fields: { merchantTransactionId: 'no-such-order' },
    status: 404,
    code: /^700\.400\.580$/,
  },
  {
    habit: 'a client reads a payment by its id',
    method: 'GET',
    path: '/v1/payments/{debit}',
    status: 200,
    code: SUCCESS,
    reads: { id: HEX, amount: /^92\.00$/ },
  },
  {
    habit: 'a call without credentials',
    by: 'none',
    method: 'POST',
    path: '/v1/payments',
    fields: { ...order, ...CARD, entityId: DEMO.entityId },
    status: 401,
    code: /^800\.900\.300$/,
    reads: base,
  },
  {
    habit: 'a call with a wrong token',
    by: 'wrong',
    method: 'POST',
    path: '/v1/payments',
    fields: { ...order, ...CARD },
    status: 403,
    code: /^800\.900\.300$/,
    reads: base,
  },
];
