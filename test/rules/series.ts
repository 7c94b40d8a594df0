import { capture, card, cardPayment, channel, earlier, type Fields, order } from '../requests.ts';
import {
  bareToken,
  type Case,
  createCheckout,
  noCard,
  pay,
  payRegistered,
  practice,
  proof,
  query,
  refer,
  register,
  repeated,
  reporting,
} from './case.ts';

const [MODE, SOURCE, RECURRING] = [
  'standingInstruction.mode',
  'standingInstruction.source',
  'standingInstruction.recurringType',
] as const;
const initial: Fields = { ...repeated, [MODE]: 'INITIAL', [SOURCE]: 'CIT', 'standingInstruction.type': 'RECURRING' };
const REFERENCE = 'standingInstruction.initialTransactionId';

/** The rules of spec/rules/series.ts and queries.ts. */
export const seriesCases: readonly Case[] = [
  {
    title: 'Mode, type and source of a standing instruction require each other.',
    passes: [
      repeated,
      { ...repeated, 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT', 'card.cvv': '123' },
    ],
    refused: [
      [{ 'standingInstruction.mode': 'INITIAL' }, 'standingInstruction.type', 'standingInstruction.source'],
      [{ ...repeated, 'standingInstruction.type': null }, 'standingInstruction.type'],
    ],
  },
  {
    title: 'On a lenient channel mode and source require each other; the type is UNSCHEDULED when it is absent.',
    in: { ...pay, isLenient: true },
    passes: [repeated, { ...repeated, 'standingInstruction.type': null }],
    refused: [
      [{ [MODE]: 'INITIAL' }, SOURCE],
      [{ 'standingInstruction.type': 'RECURRING' }, MODE, SOURCE],
    ],
  },
  {
    title: 'The INITIAL payment of a series is not merchant-initiated.',
    base: { ...cardPayment, ...initial },
    passes: [{}, { [MODE]: 'REPEATED' }, { [MODE]: 'REPEATED', [SOURCE]: 'MIT' }],
    refused: [[{ [SOURCE]: 'MIT' }, SOURCE]],
  },
  ...[pay, register].map(
    (context): Case => ({
      title: 'A standing instruction with MASTER requires standingInstruction.recurringType.',
      in: context,
      base: { ...cardPayment, ...initial, paymentBrand: 'MASTER', 'card.number': '5454545454545454' },
      passes: [
        { [RECURRING]: 'SUBSCRIPTION' },
        { [RECURRING]: 'STANDING_ORDER', paymentBrand: null },
        { paymentBrand: 'VISA', 'card.number': '4200000000000000' },
        { paymentBrand: null, 'card.number': '4200000000000000' },
        { [MODE]: null, [SOURCE]: null, 'standingInstruction.type': null, recurringType: 'INITIAL' },
      ],
      refused: [
        [{}, RECURRING],
        [{ paymentBrand: null }, RECURRING],
        [{ 'standingInstruction.type': 'UNSCHEDULED' }, RECURRING],
      ],
    }),
  ),
  {
    title: 'A standing instruction with MASTER requires standingInstruction.recurringType.',
    in: refer,
    base: { ...capture, ...initial, paymentBrand: 'MASTER' },
    passes: [{}],
    refused: [],
  },
  {
    title: 'A standing instruction with MASTER requires standingInstruction.recurringType.',
    in: { ...pay, isLenient: true },
    base: { ...cardPayment, ...initial, paymentBrand: 'MASTER', 'card.number': '5454545454545454' },
    passes: [{}],
    refused: [[{ [RECURRING]: 'MONTHLY' }, RECURRING]],
  },
  {
    title: 'A checkout with a standing instruction requires standingInstruction.recurringType: the shopper may choose MASTER.',
    in: createCheckout,
    base: { ...order, ...initial },
    passes: [{ [RECURRING]: 'SUBSCRIPTION' }, { [MODE]: null, [SOURCE]: null, 'standingInstruction.type': null }],
    refused: [[{}, RECURRING]],
  },
  {
    title: 'A checkout with a standing instruction requires standingInstruction.recurringType: the shopper may choose MASTER.',
    in: { ...createCheckout, isLenient: true },
    base: { ...order, ...initial },
    passes: [{}],
    refused: [[{ [RECURRING]: 'MONTHLY' }, RECURRING]],
  },
  ...[pay, payRegistered, register].map(
    (context): Case => ({
      title: 'recurringType must not contradict standingInstruction.mode.',
      in: context,
      base: context === payRegistered ? order : context === register ? { entityId: channel, ...card } : cardPayment,
      passes: [
        { recurringType: 'INITIAL' },
        { recurringType: 'REPEATED' },
        { recurringType: 'REGISTRATION_BASED' },
        { recurringType: 'INITIAL', ...initial },
        { recurringType: 'REPEATED', ...repeated },
        { recurringType: 'REGISTRATION_BASED', ...repeated, [SOURCE]: 'CIT' },
      ],
      refused: [
        [{ recurringType: 'REPEATED', ...initial }, 'recurringType'],
        [{ recurringType: 'REGISTRATION_BASED', ...initial }, 'recurringType'],
        [{ recurringType: 'INITIAL', ...repeated }, 'recurringType'],
        [{ recurringType: 'FIRST', ...repeated }, 'recurringType'],
      ],
    }),
  ),
  {
    title: 'Instalments with 3D Secure require standingInstruction.numberOfInstallments.',
    base: { ...cardPayment, ...repeated, [SOURCE]: 'CIT', 'standingInstruction.type': 'INSTALLMENT' },
    passes: [
      {},
      { 'threeDSecure.disable': 'true' },
      { ...proof, 'standingInstruction.numberOfInstallments': '12' },
      // Without expiry and frequency the authentication is that of a single payment: nothing to refuse.
      { ...proof, 'standingInstruction.type': 'RECURRING' },
      { ...proof, ...initial, 'threeDSecure.authenticationInd': 'RECURRING' },
    ],
    refused: [[proof, 'standingInstruction.numberOfInstallments']],
  },
  {
    title: 'standingInstruction.numberOfInstallments is allowed only for instalments.',
    base: { ...cardPayment, ...repeated, 'standingInstruction.numberOfInstallments': '12' },
    passes: [{ 'standingInstruction.type': 'INSTALLMENT' }],
    refused: [
      [{ 'standingInstruction.type': 'RECURRING' }, 'standingInstruction.numberOfInstallments'],
      [
        { 'standingInstruction.type': null, 'standingInstruction.mode': null, 'standingInstruction.source': null },
        'standingInstruction.numberOfInstallments',
      ],
    ],
  },
  {
    title: 'A later merchant-initiated payment has no security code.',
    base: { ...cardPayment, ...repeated },
    passes: [{}, { 'standingInstruction.source': 'CIT', 'card.cvv': '123' }],
    refused: [[{ 'card.cvv': '123' }, 'card.cvv']],
  },
  {
    title: 'A later merchant-initiated payment has no security code.',
    in: payRegistered,
    base: { ...order, ...repeated },
    passes: [{}, { 'standingInstruction.source': 'CIT', 'card.cvv': '123' }],
    refused: [[{ 'card.cvv': '123' }, 'card.cvv']],
  },
  ...[pay, payRegistered].map(
    (context): Case => ({
      title: 'On a lenient channel the security code of a later merchant-initiated payment is ignored.',
      in: { ...context, isLenient: true },
      base: { ...(context === pay ? cardPayment : order), ...repeated },
      passes: [{}, { 'card.cvv': '123' }, { 'card.cvv': 'wrong' }],
      refused: [[{ [SOURCE]: 'CIT', 'card.cvv': 'wrong' }, 'card.cvv']],
    }),
  ),
  ...[pay, payRegistered].map(
    (context): Case => ({
      title: 'A later merchant-initiated payment has no 3D Secure proof, except that of 3RI or of a wallet.',
      in: context,
      base: { ...(context === pay ? cardPayment : order), ...repeated },
      passes: [
        { ...proof, [SOURCE]: 'CIT' },
        { ...proof, 'threeDSecure.channel': '3', 'threeDSecure.threeRIInd': 'RECURRING' },
        ...(context === pay ? [{ ...proof, 'walletA.source': 'app', paymentBrand: 'APPLEPAY' }] : []),
      ],
      refused: [
        [proof, 'threeDSecure.verificationId', 'threeDSecure.eci'],
        [{ 'threeDSecure.eci': '05' }, 'threeDSecure.eci'],
        [{ 'threeDSecure.dsTransactionId': earlier }, 'threeDSecure.dsTransactionId'],
        [{ 'threeDSecure.authenticationStatus': 'Y' }, 'threeDSecure.authenticationStatus'],
      ],
    }),
  ),
  {
    title: 'A later merchant-initiated payment has no 3D Secure proof, except that of 3RI or of a wallet.',
    in: { ...pay, isLenient: true },
    base: { ...cardPayment, ...repeated },
    passes: [proof],
    refused: [],
  },
  {
    title: 'A later merchant-initiated payment with card data requires the reference of the first payment.',
    base: { ...cardPayment, ...repeated, 'standingInstruction.initialTransactionId': null },
    passes: [
      { 'standingInstruction.initialTransactionId': '0123' },
      { 'standingInstruction.agreementId': '0123' },
      { 'standingInstruction.source': 'CIT' },
      { referenceUuid: earlier, [practice]: 'NO_SHOW' },
      { ...noCard, ...bareToken, [REFERENCE]: '0123' },
      { [MODE]: null, [SOURCE]: null, 'standingInstruction.type': null, recurringType: 'REPEATED' },
    ],
    refused: [
      [{}, REFERENCE],
      [{ ...noCard, ...bareToken }, REFERENCE],
      [{ ...noCard, 'walletB.paymentToken': 'x' }, REFERENCE],
      [{ ...noCard, 'applePay.paymentToken': 'x' }, REFERENCE],
    ],
  },
  {
    title: 'A later merchant-initiated payment with card data requires the reference of the first payment.',
    in: payRegistered,
    base: { ...order, ...repeated },
    passes: [{}, { [REFERENCE]: null }],
    refused: [],
  },
  {
    title: 'A later merchant-initiated payment with card data requires the reference of the first payment.',
    in: register,
    base: { entityId: channel, ...card, ...repeated },
    passes: [{}, { [REFERENCE]: null }],
    refused: [],
  },
  {
    title: 'date.from and date.to require each other.',
    in: query,
    base: {},
    passes: [
      { 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-02 00:00:00' },
      { 'date.from': '2025-01-01 00:00:00', merchantTransactionId: 'order-1' },
    ],
    refused: [
      [{ 'date.from': '2025-01-01 00:00:00' }, 'date.to'],
      [{ 'date.to': '2025-01-01 00:00:00' }, 'date.from'],
    ],
  },
  {
    title: 'date.from and date.to require each other.',
    in: reporting,
    base: {},
    passes: [{ 'date.from': '2025-01-01', 'date.to': '2025-01-01' }],
    refused: [
      [{}, 'date.from', 'date.to'],
      [{ 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-02' }, 'date.from'],
    ],
  },
  {
    title: 'date.to is not before date.from.',
    in: query,
    base: {},
    passes: [{ 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-01 00:00:00' }],
    refused: [[{ 'date.from': '2025-01-01 00:00:01', 'date.to': '2025-01-01 00:00:00' }, 'date.to']],
  },
  {
    title: 'The merchant reference is not allowed with a complete time frame.',
    in: query,
    base: {},
    passes: [{ merchantTransactionId: 'o' }],
    refused: [
      [
        { merchantTransactionId: 'o', 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-02 00:00:00' },
        'merchantTransactionId',
      ],
    ],
  },
  {
    title: 'shortId requires the merchant reference or a time frame.',
    in: query,
    base: {},
    passes: [
      { shortId: '1234.5678.9012', merchantTransactionId: 'o' },
      { shortId: '1234.5678.9012', 'date.from': '2025-01-01 00:00:00', 'date.to': '2025-01-02 00:00:00' },
    ],
    refused: [[{ shortId: '1234.5678.9012' }, 'date.from', 'date.to']],
  },
];
