/** The payment types of document 1. `refers`: the types it may reference; empty for one that stands alone. */
export const paymentTypes = {
  PA: { name: 'Preauthorization', refers: [], effect: 'Authorises an amount; a capture confirms the payment later.' },
  DB: { name: 'Debit', refers: [], effect: "Debits the shopper's account and credits the merchant." },
  CD: { name: 'Credit', refers: [], effect: "Credits the shopper's account and debits the merchant." },
  CP: { name: 'Capture', refers: ['PA'], effect: 'Captures an authorised amount or a part of it.' },
  RV: {
    name: 'Reversal',
    refers: ['PA', 'DB', 'CD', 'CP'],
    effect: "Cancels a payment before it is settled; the shopper's statement does not show it.",
  },
  RF: {
    name: 'Refund',
    refers: ['DB', 'CD', 'CP', 'RB', 'RC'],
    effect: "Credits the shopper with reference to a settled payment, in full or in part; the shopper's statement shows both.",
  },
} as const;

export type PaymentType = keyof typeof paymentTypes;

/** Values of the parameter paymentType that stand for a type: authorised and captured in one is a debit. */
export const typeAliases = { 'PA.CP': 'DB' } as const;

export type TypeAlias = keyof typeof typeAliases;

/**
 * Records of what happened at a bank, from the back office or from a settlement: no acquirer is asked. `refers` as above;
 * a chargeback may come back once after it was reversed.
 */
export const recordedTypes = {
  CB: {
    name: 'Chargeback',
    refers: ['DB', 'CP', 'RF', 'RB', 'CR'],
    effect: 'The bank took back a payment or a part of it; of a refund: it came back to the merchant.',
  },
  CR: { name: 'Chargeback reversal', refers: ['CB'], effect: 'The bank returned a chargeback or a part of it.' },
  RB: { name: 'Rebill', refers: ['DB'], effect: 'A debit was collected once more.' },
  RC: { name: 'Receipt', refers: ['PA'], effect: 'The money for an authorised payment has arrived.' },
} as const;

export type RecordedType = keyof typeof recordedTypes;

/** Whether a transaction only records what happened at a bank. */
export const isRecorded = (type: string): type is RecordedType => Object.hasOwn(recordedTypes, type);

/**
 * Changes of stored payment details. Each is a transaction of its own, with an id, a result and a message, but moves no money;
 * none of them is a value of the parameter paymentType.
 */
export const registrationTypes = {
  RG: { name: 'Registration', effect: 'Stores payment details.' },
  DR: { name: 'Deregistration', effect: 'Deletes stored payment details.' },
  TE: { name: 'Token extension', effect: 'Extends the retention of stored payment details.' },
  TK: { name: 'Network token', effect: 'The scheme issued a network token for a stored card.' },
} as const;

export type RegistrationType = keyof typeof registrationTypes;

/** Commands for schedules: transactions that move no money themselves. */
export const scheduleTypes = {
  SD: { name: 'Schedule', effect: 'Creates a schedule of regular payments with stored details.' },
  RS: { name: 'Reschedule', effect: 'Replaces a schedule.' },
  DS: { name: 'Deschedule', effect: 'Ends a schedule.' },
} as const;

export type ScheduleType = keyof typeof scheduleTypes;

/** An authentication of the cardholder without a payment. */
export const AUTHENTICATION = '3D';

/** A risk check without a payment. */
export const RISK_CHECK = 'RI';

/** Every value that the paymentType of an answer can have. */
export const transactionTypes: readonly TransactionType[] = [
  ...(Object.keys(paymentTypes) as PaymentType[]),
  ...(Object.keys(recordedTypes) as RecordedType[]),
  ...(Object.keys(registrationTypes) as RegistrationType[]),
  ...(Object.keys(scheduleTypes) as ScheduleType[]),
  AUTHENTICATION,
  RISK_CHECK,
];

/** Everything that has an id, a result and a place in the list of transactions. */
export type TransactionType =
  | PaymentType
  | RecordedType
  | RegistrationType
  | ScheduleType
  | typeof AUTHENTICATION
  | typeof RISK_CHECK;

/** The payment methods of the query parameter `paymentMethods` in document 3. */
export const methods = {
  CC: 'credit card',
  DC: 'debit card',
  DD: 'direct debit',
  CT: 'credit transfer',
  OT: 'online transfer',
  VA: 'virtual account',
  UA: 'user account',
  WA: 'wallet account',
  IV: 'invoice',
  PP: 'prepayment',
  OD: 'cash on delivery',
  RM: 'risk management',
  ET: 'not public',
  NT: 'network token',
} as const;

export type MethodCode = keyof typeof methods;
