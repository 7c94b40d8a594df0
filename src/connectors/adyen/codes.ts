import { knownBankReason } from '../../spec/bankReasons.ts';
import type { CodeThat, NegativeCode } from '../../spec/resultCodes.ts';
import type { CodeRow } from '../kind.ts';

/** One `refusalReasonCode` of Adyen. Its name is also the `reason` of a notification. */
export type RefusalRow = { readonly code: string; readonly name: string; readonly ours: NegativeCode };

const GENERIC: NegativeCode = '800.100.100';

const row = (code: number, name: string, ours: NegativeCode): RefusalRow => ({ code: String(code), name, ours });

/** Every refusal reason of Adyen. 0 and 1 are approvals, 13 is a pending payment of the test environment. */
export const refusals: readonly RefusalRow[] = [
  row(2, 'Refused', '800.100.152'),
  row(3, 'Referral', '800.100.200'),
  row(4, 'Acquirer Error', '900.100.200'),
  row(5, 'Blocked Card', '800.100.160'),
  row(6, 'Expired Card', '800.100.157'),
  row(7, 'Invalid Amount', '800.100.174'),
  row(8, 'Invalid Card Number', '800.100.151'),
  row(9, 'Issuer Unavailable', '900.100.201'),
  row(10, 'Not supported', '800.100.169'),
  row(11, '3D Not Authenticated', '100.380.401'),
  row(12, 'Not enough balance', '800.100.155'),
  row(14, 'Acquirer Fraud', '800.100.158'),
  row(15, 'Cancelled', '100.396.201'),
  row(16, 'Shopper Cancelled', '100.396.101'),
  row(17, 'Invalid Pin', '800.100.166'),
  row(18, 'Pin tries exceeded', '800.100.178'),
  row(19, 'Pin validation not possible', '800.100.166'),
  row(20, 'FRAUD', '100.400.319'),
  row(21, 'Not Submitted', '900.100.200'),
  row(22, 'FRAUD-CANCELLED', '100.400.147'),
  row(23, 'Transaction Not Permitted', '800.100.170'),
  row(24, 'CVC Declined', '800.100.153'),
  row(25, 'Restricted Card', '800.100.168'),
  row(26, 'Revocation Of Auth', '800.100.500'),
  row(27, 'Declined Non Generic', GENERIC),
  row(28, 'Withdrawal amount exceeded', '800.100.162'),
  row(29, 'Withdrawal count exceeded', '800.100.163'),
  row(31, 'Issuer Suspected Fraud', '800.100.158'),
  row(32, 'AVS Declined', '800.400.100'),
  row(33, 'Card requires online pin', '800.100.170'),
  row(34, 'No checking account available on Card', '800.100.170'),
  row(35, 'No savings account available on Card', '800.100.170'),
  row(36, 'Mobile pin required', '800.100.166'),
  row(37, 'Contactless fallback', '800.100.170'),
  row(38, 'Authentication required', '300.100.100'),
  row(39, 'RReq not received from DS', '100.390.112'),
  row(40, 'Current AID is in Penalty Box', '800.100.176'),
  row(41, 'CVM Required Restart Payment', '800.100.166'),
  row(42, '3DS Authentication Error', '100.390.105'),
  row(43, 'Online PIN required', '800.100.170'),
  row(44, 'Try another interface', '800.100.170'),
  row(45, 'Chip downgrade mode', '800.100.170'),
  row(46, 'Transaction blocked by Adyen to prevent excessive retry fees', '700.601.003'),
];

const byCode = new Map(refusals.map((one) => [one.code, one.ours]));
const byName = new Map(refusals.map(({ name, ours }) => [name.toLowerCase(), ours]));

/** Response codes of the schemes, as `refusalReasonRaw` has them in front: finer than Adyen's own reason. */
const rawRows: Readonly<Partial<Record<NegativeCode, string>>> = {
  '800.100.200': '01 02',
  '800.100.190': '03 89 109 189',
  '800.100.171': '04 07 35 36 37 200',
  '800.100.152': '05 100',
  '900.100.200': '06 96',
  '800.100.154': '12 79 80',
  '800.100.174': '13 87 110',
  '800.100.151': '14 15 42 56 111 187',
  '900.100.500': '19',
  '800.100.156': '20 30 181',
  '700.400.580': '21 25',
  '800.100.169': '31',
  '900.100.400': '68',
  '800.100.158': '34 59 63 83',
  '800.100.178': '38 75 106',
  '800.100.170': '39 52 53 57 58 40 93 5C 9G 6P 115 119',
  '800.100.165': '41',
  '800.100.159': '43',
  '800.100.202': '46',
  '800.100.155': '51 116',
  '800.100.157': '54 33 101',
  '800.100.166': '55 81 86 88',
  '800.100.162': '61 121',
  '800.100.168': '62',
  '800.100.163': '65',
  '800.100.167': '76 77 78',
  '800.100.153': '82 N7 122',
  '900.100.201': '90 91 92 911 912 Z3',
  '800.110.100': '94',
  '800.100.191': '95',
  '300.100.100': '1A 70',
  '800.100.500': 'R0 R1',
  '800.100.501': 'R3',
  '100.380.401': 'Q1',
  '800.100.173': '183',
};

const byRaw = new Map(
  Object.entries(rawRows).flatMap(([ours, codes]) => codes.split(' ').map((code) => [code, ours as NegativeCode] as const)),
);

/** The scheme's code in `refusalReasonRaw`, such as the 05 of `05 : Do not honor`; null when there is none. */
export const schemeCode = (raw: string | undefined): string | null =>
  /^\s*([0-9A-Z]{2,3})\s*(?::|$)/.exec(raw ?? '')?.[1] ?? null;

/** Codes that say more than the scheme's: they come from Adyen itself or from the shopper. */
const OWN_REASONS: ReadonlySet<string> = new Set(['11', '15', '16', '20', '21', '22', '38', '39', '42', '46']);

/** Mastercard tells the issuer's 65 from a stop of authentication only by Adyen's own reason. */
const isAuthenticationDemanded = (raw: string | null, isMastercard: boolean): boolean => raw === '65' && isMastercard;

export type RefusalReason = {
  readonly code?: string | undefined;
  readonly name?: string | undefined;
  readonly raw?: string | undefined;
  readonly isMastercard?: boolean;
};

/** Our code of a refusal: the scheme's code where it is known, otherwise Adyen's number, otherwise its name. */
export function codeOfRefusal({ code, name, raw, isMastercard = false }: RefusalReason): NegativeCode {
  const scheme = schemeCode(raw);
  if (code === undefined || !OWN_REASONS.has(code)) {
    if (isAuthenticationDemanded(scheme, isMastercard)) return '300.100.100';
    const finer = scheme === null ? undefined : byRaw.get(scheme);
    if (finer !== undefined) return finer;
  }
  return (code === undefined ? undefined : byCode.get(code)) ?? codeOfReason(name ?? '');
}

/** Our code of the `reason` in a notification: a name of Adyen, sometimes with its number in front, or the scheme's code and text. */
export function codeOfReason(reason: string): NegativeCode {
  const named = byName.get(reason.trim().toLowerCase());
  if (named !== undefined) return named;
  const [, number, name] = /^\s*([0-9]{1,2})\s*:\s*(.*)$/.exec(reason) ?? [];
  const numbered = name === undefined ? undefined : byName.get(name.trim().toLowerCase());
  if (numbered !== undefined) return numbered;
  const scheme = schemeCode(reason);
  const finer = scheme === null ? undefined : byRaw.get(scheme);
  return finer ?? (number === undefined ? undefined : byCode.get(number)) ?? GENERIC;
}

/** The meaning of an error of the API. `operator`: the account or this connector is at fault, and the operator is alarmed. */
export type ErrorRow = { readonly ours: NegativeCode; readonly operator: boolean };

const fault = (ours: NegativeCode): ErrorRow => ({ ours, operator: true });
const shopper = (ours: NegativeCode): ErrorRow => ({ ours, operator: false });

/** `errorCode` of an answer 4xx: nothing was booked. */
const errors: Readonly<Record<string, ErrorRow>> = {
  '000': fault('800.100.190'),
  '010': fault('800.100.190'),
  '100': fault('800.100.174'),
  '101': shopper('100.100.101'),
  '102': shopper('100.100.700'),
  '103': shopper('100.100.601'),
  '104': shopper('800.400.150'),
  '129': shopper('100.100.303'),
  '131': shopper('800.400.150'),
  '132': shopper('800.400.150'),
  '133': shopper('800.400.150'),
  '134': shopper('800.400.150'),
  '135': shopper('800.400.150'),
  '137': fault('800.100.174'),
  '138': fault('800.100.173'),
  '140': shopper('100.100.303'),
  '167': shopper('700.400.580'),
  '170': shopper('700.400.580'),
  '171': shopper('700.400.580'),
  '177': fault('900.100.100'),
  '702': fault('900.100.100'),
  '800': fault('800.100.190'),
  '803': fault('800.100.190'),
  '901': fault('800.100.190'),
  '905': fault('800.100.190'),
  '14_030': fault('900.100.100'),
};

export const errorCodes: readonly string[] = Object.keys(errors);

/** Another fault is one of the account or of this connector: the shopper's data were checked before. */
export const errorRow = (errorCode: string): ErrorRow =>
  Object.hasOwn(errors, errorCode) ? (errors[errorCode] as ErrorRow) : fault('800.100.190');

/** Every code of Adyen that the connector reads: its refusals, then the errors of the API. */
export const codeRows: readonly CodeRow[] = [
  ...refusals.map(({ code, name, ours }) => ({ theirs: code, name, ours })),
  { theirs: 'other refusal', ours: GENERIC },
  ...Object.entries(errors).map(([code, { ours, operator }]) => ({
    theirs: `error ${code}`,
    name: operator ? 'the account or the request; an alarm is raised' : "the shopper's data or the referenced payment",
    ours,
  })),
  { theirs: 'other error', name: 'the account or the request; an alarm is raised', ours: errorRow('').ours },
];

type ChargebackCode = CodeThat<'chargeback'>;

/** Reasons of Visa (10.1 …) and Mastercard (4837 …) by our code. */
const disputes: Readonly<Partial<Record<ChargebackCode, string>>> = {
  '000.100.220': '10.3 10.4 10.5 4837 4840 4849',
  '000.100.222': '4863',
  '000.100.232': '10.1 10.2 4870 4871',
  '000.100.233': '11.1 11.2 11.3 4807 4808 4812',
  '000.100.231': '12.1 4842',
  '000.100.229': '12.2 12.3 12.4 12.7 4846 4850',
  '000.100.210': '12.5 4831',
  '000.100.224': '12.6 12.6.1 12.6.2 4834',
  '000.100.221': '13.1 4855',
  '000.100.205': '13.2 4841',
  '000.100.223': '13.3 13.4 13.5 13.9 4853 4854 4859',
  '000.100.225': '13.6 13.7 13.8 4860',
};

const byReason = new Map(
  Object.entries(disputes).flatMap(([code, reasons]) =>
    reasons.split(' ').map((reason) => [reason, code as ChargebackCode] as const),
  ),
);

/** Our reason of a chargeback. Returned debits have reasons of banks; other schemes and unknown reasons are recorded without one. */
export function codeOfDispute(reason = ''): ChargebackCode {
  const code = reason.trim();
  return byReason.get(code) ?? knownBankReason(code)?.chargeback ?? '000.100.200';
}
