// Generated from the tables of src/spec by scripts/docs.ts: change those.

/** The public credentials of the sandbox's demo shop. */
export const demoShop = {
  entityId: '5eed0000000000000000000000000001',
  merchantId: '5eed00000000000000000000000000f1',
  token: 'NWVlZDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwYTF8c2FuZGJveC1kZW1v',
} as const;

/** The pattern of a checkout's id. */
export const CHECKOUT_ID = /^[0-9A-F]{32}[.-][A-Za-z0-9-]{1,15}$/;

/** The scenarios that every gateway of the test environment has. */
export type ScenarioName =
  | 'paid'
  | 'insufficient-funds'
  | 'throttled-then-paid'
  | 'insufficient-funds-then-paid'
  | 'declined-twice-then-paid'
  | 'issuer-unreachable-then-paid'
  | 'card-stolen'
  | 'card-expired'
  | 'wrong-security-code'
  | 'suspected-fraud'
  | 'mandate-stopped'
  | 'address-does-not-match'
  | 'soft-decline'
  | 'pending-then-paid'
  | 'pending-then-declined'
  | 'capture-declined'
  | 'refund-declined'
  | 'one-in-ten-declined'
  | 'slow-answer'
  | 'booked-but-silent'
  | 'declined-but-silent'
  | 'never-arrived'
  | 'unreadable-answer'
  | 'delivered-twice'
  | 'booked-too-late'
  | 'acquirer-down'
  | 'flaky-acquirer'
  | 'shopper-pays-alone'
  | 'shopper-cancels'
  | 'bank-confirms-twice'
  | 'bank-confirms-late'
  | 'bank-never-confirms'
  | 'authentication-fails'
  | 'authenticated-then-declined'
  | 'receiver-dead-for-a-day'
  | 'receiver-broken-then-well'
  | 'receiver-overrun'
  | 'chargeback-day-40'
  | 'chargeback-won-back'
  | 'settled-in-parts'
  | 'never-settled'
;

/** Cards that the simulator accepts, with what 3D Secure does for them. */
export const testCards = [
  { brand: 'VISA', number: '4200000000000000', threeDSecure: 'none' },
  { brand: 'VISA', number: '4111111111111111', threeDSecure: 'none' },
  { brand: 'VISA', number: '4711100000000000', threeDSecure: 'none' },
  { brand: 'VISA', number: '4012000033330026', threeDSecure: 'none' },
  { brand: 'VISA', number: '4200000000000091', threeDSecure: 'frictionless' },
  { brand: 'VISA', number: '4200000000000026', threeDSecure: 'frictionless' },
  { brand: 'VISA', number: '4200000000000109', threeDSecure: 'attempt' },
  { brand: 'VISA', number: '4200000000000059', threeDSecure: 'attempt' },
  { brand: 'VISA', number: '4012001037461114', threeDSecure: 'error' },
  { brand: 'VISA', number: '4012001037141112', threeDSecure: 'notEnrolled' },
  { brand: 'VISA', number: '4532497088771651', threeDSecure: 'notParticipating' },
  { brand: 'VISA', number: '4200000000000042', threeDSecure: 'challenge' },
  { brand: 'VISA', number: '4200000000000067', threeDSecure: 'challenge' },
  { brand: 'VISA', number: '4200000000000018', threeDSecure: 'challenge' },
  { brand: 'VISA', number: '4200000000000075', threeDSecure: 'challenge' },
  { brand: 'VISA', number: '4012001036275556', threeDSecure: 'challenge' },
  { brand: 'VISA', number: '4012888888881881', threeDSecure: 'challenge' },
  { brand: 'MASTER', number: '5454545454545454', threeDSecure: 'none' },
  { brand: 'MASTER', number: '5200000000000007', threeDSecure: 'frictionless' },
  { brand: 'MASTER', number: '5200000000000056', threeDSecure: 'frictionless' },
  { brand: 'MASTER', number: '5200000000000023', threeDSecure: 'attempt' },
  { brand: 'MASTER', number: '5200000000000106', threeDSecure: 'attempt' },
  { brand: 'MASTER', number: '5434580000000006', threeDSecure: 'error' },
  { brand: 'MASTER', number: '5457350076543210', threeDSecure: 'notEnrolled' },
  { brand: 'MASTER', number: '5497260847316287', threeDSecure: 'notParticipating' },
  { brand: 'MASTER', number: '5200000000000015', threeDSecure: 'challenge' },
  { brand: 'MASTER', number: '5200000000000049', threeDSecure: 'challenge' },
  { brand: 'MASTER', number: '5200000000000064', threeDSecure: 'challenge' },
  { brand: 'MASTER', number: '5200000000000072', threeDSecure: 'challenge' },
  { brand: 'AMEX', number: '377777777777770', threeDSecure: 'none' },
  { brand: 'AMEX', number: '374500262001008', threeDSecure: 'frictionless' },
  { brand: 'AMEX', number: '375987000000062', threeDSecure: 'frictionless' },
  { brand: 'AMEX', number: '377277081382243', threeDSecure: 'attempt' },
  { brand: 'AMEX', number: '373953192351004', threeDSecure: 'attempt' },
  { brand: 'AMEX', number: '375987000169875', threeDSecure: 'error' },
  { brand: 'AMEX', number: '375987000169883', threeDSecure: 'notEnrolled' },
  { brand: 'AMEX', number: '343923092050144', threeDSecure: 'notParticipating' },
  { brand: 'AMEX', number: '343434343434343', threeDSecure: 'challenge' },
  { brand: 'AMEX', number: '375987000000021', threeDSecure: 'challenge' },
  { brand: 'AMEX', number: '375987000169867', threeDSecure: 'challenge' },
  { brand: 'AMEX', number: '371449635398431', threeDSecure: 'challenge' },
  { brand: 'MAESTRO', number: '6761301000993772', threeDSecure: 'frictionless' },
  { brand: 'MAESTRO', number: '6799851000000032', threeDSecure: 'frictionless' },
  { brand: 'MAESTRO', number: '6706981111111113', threeDSecure: 'attempt' },
  { brand: 'MAESTRO', number: '6007930123456780', threeDSecure: 'attempt' },
  { brand: 'MAESTRO', number: '6761301000941201', threeDSecure: 'error' },
  { brand: 'MAESTRO', number: '6761301000946341', threeDSecure: 'notEnrolled' },
  { brand: 'MAESTRO', number: '6761257707836567', threeDSecure: 'notParticipating' },
  { brand: 'MAESTRO', number: '6799998900000060018', threeDSecure: 'challenge' },
  { brand: 'MAESTRO', number: '6773670009114879', threeDSecure: 'challenge' },
  { brand: 'MAESTRO', number: '67034200554565015', threeDSecure: 'challenge' },
  { brand: 'MAESTRO', number: '6759888888888888', threeDSecure: 'challenge' },
  { brand: 'VISA', number: '4386280000000004', threeDSecure: 'none' },
  { brand: 'VISAELECTRON', number: '4917300800000000', threeDSecure: 'none' },
  { brand: 'MADA', number: '4464040000000007', threeDSecure: 'none' },
  { brand: 'DINERS', number: '36177580677072', threeDSecure: 'frictionless' },
  { brand: 'DINERS', number: '36259600000004', threeDSecure: 'challenge' },
  { brand: 'DINERS', number: '36458811111119', threeDSecure: 'challenge' },
  { brand: 'DISCOVER', number: '6011010000000003', threeDSecure: 'frictionless' },
  { brand: 'DISCOVER', number: '6011000400001008', threeDSecure: 'attempt' },
  { brand: 'DISCOVER', number: '6011000990099818', threeDSecure: 'attempt' },
  { brand: 'DISCOVER', number: '6510000000001248', threeDSecure: 'error' },
  { brand: 'DISCOVER', number: '6011025500265831', threeDSecure: 'notEnrolled' },
  { brand: 'DISCOVER', number: '6011420711746440', threeDSecure: 'notParticipating' },
  { brand: 'DISCOVER', number: '6011208701117775', threeDSecure: 'challenge' },
  { brand: 'DISCOVER', number: '6559906559906557', threeDSecure: 'challenge' },
  { brand: 'JCB', number: '3530111333300000', threeDSecure: 'frictionless' },
  { brand: 'JCB', number: '3569990012278361', threeDSecure: 'frictionless' },
  { brand: 'JCB', number: '3566002020360505', threeDSecure: 'attempt' },
  { brand: 'JCB', number: '3569990012278353', threeDSecure: 'attempt' },
  { brand: 'JCB', number: '3566007770017510', threeDSecure: 'error' },
  { brand: 'JCB', number: '3569990012291497', threeDSecure: 'notEnrolled' },
  { brand: 'JCB', number: '3096023363379943', threeDSecure: 'notParticipating' },
  { brand: 'JCB', number: '3566002345432153', threeDSecure: 'challenge' },
  { brand: 'JCB', number: '3569990010095916', threeDSecure: 'challenge' },
  { brand: 'JCB', number: '3569990012300876', threeDSecure: 'challenge' },
  { brand: 'JCB', number: '3569990012300884', threeDSecure: 'challenge' },
  { brand: 'UNIONPAY', number: '6250947000000014', threeDSecure: 'frictionless' },
  { brand: 'UNIONPAY', number: '6250947000000089', threeDSecure: 'frictionless' },
  { brand: 'UNIONPAY', number: '6250947000000022', threeDSecure: 'attempt' },
  { brand: 'UNIONPAY', number: '6250944220914108', threeDSecure: 'attempt' },
  { brand: 'UNIONPAY', number: '6250947000000048', threeDSecure: 'error' },
  { brand: 'UNIONPAY', number: '6250947000000030', threeDSecure: 'notEnrolled' },
  { brand: 'UNIONPAY', number: '6250947000000097', threeDSecure: 'challenge' },
  { brand: 'UNIONPAY', number: '6250944196725207', threeDSecure: 'challenge' },
  { brand: 'UNIONPAY', number: '6250949644050173', threeDSecure: 'challenge' },
  { brand: 'UNIONPAY', number: '6250945882768112', threeDSecure: 'challenge' },
] as const;
