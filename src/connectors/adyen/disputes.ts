import { knownBankReason } from '../../spec/bankReasons.ts';
import type { CodeThat } from '../../spec/resultCodes.ts';

type ChargebackCode = CodeThat<'chargeback'>;

/** Reasons of Visa (10.1 …) and Mastercard (4837 …) by our code. */
const rows: Readonly<Partial<Record<ChargebackCode, string>>> = {
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
  Object.entries(rows).flatMap(([code, reasons]) =>
    reasons.split(' ').map((reason) => [reason, code as ChargebackCode] as const),
  ),
);

/** Our reason of a chargeback. Returned debits have reasons of banks; other schemes and unknown reasons are recorded without one. */
export function codeOfDispute(reason = ''): ChargebackCode {
  const code = reason.trim();
  return byReason.get(code) ?? knownBankReason(code)?.chargeback ?? '000.100.200';
}
