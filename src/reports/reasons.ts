import { type CodeThat, isChargebackReason } from '../spec/resultCodes.ts';

type Reason = CodeThat<'chargeback'>;

/** Reasons as banks and schemes write them, by our own. ISO 20022 first, then those of card schemes. */
const known: readonly (readonly [reason: Reason, codes: string])[] = [
  ['000.100.201', 'AC01 RC01 BE01 BE05 FF01'],
  ['000.100.202', 'AC04 MD07'],
  ['000.100.203', 'AM04'],
  ['000.100.204', 'MD01 MD02 FF05'],
  ['000.100.205', 'SL01 SL11 SL12'],
  ['000.100.206', 'MD06 MS02 CUST'],
  ['000.100.207', 'AG01 AG02 DNOR CNOR'],
  ['000.100.208', 'AC06'],
  ['000.100.209', 'AC13 AC03'],
  ['000.100.210', 'AM01 AM02 AM03 AM09 12.5 4831'],
  ['000.100.220', '10.1 10.2 10.3 10.4 10.5 4837 4840 4849 4863 4870 4871'],
  ['000.100.221', '13.1 4855'],
  ['000.100.223', '13.3 4853 4859'],
  ['000.100.224', 'AM05 12.6 4834'],
  ['000.100.225', '13.6 13.7 4860'],
  ['000.100.230', '11.1 11.2 11.3 4807 4808 4812'],
];

const byCode = new Map(known.flatMap(([reason, codes]) => codes.split(' ').map((code) => [code, reason] as const)));

/** The reason of a chargeback in our words; null: none was given, or none that we know. */
export function reasonOf(code: string | null): Reason | null {
  if (code === null) return null;
  return isChargebackReason(code) ? code : (byCode.get(code.toUpperCase()) ?? null);
}
