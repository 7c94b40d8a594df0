/** Why a line of a settlement file could not be matched automatically. */
export const exceptionKinds = [
  'duplicate',
  'amountDiffers',
  'currencyDiffers',
  'feeDiffers',
  'cardDiffers',
  'dateDiffers',
  'directionDiffers',
  'unknownReference',
  'referencesDiffer',
  'noReference',
  'severalPayments',
  'notApproved',
  'notRecordable',
  'unknownAccount',
  'unreadable',
] as const;

export type ExceptionKind = (typeof exceptionKinds)[number];
