import type { CodeThat, NegativeCode } from './resultCodes.ts';

/**
 * The next step after a bank refused or returned a payment. `again`: a new collection, at most two. `later`: the bank failed, the same
 * may be tried again. `correct`: data of the file or the payment must be changed first. `payer`: never without a word of the payer.
 */
export type BankAdvice = 'again' | 'later' | 'correct' | 'payer';

/** One reason of ISO 20022. */
export type BankReason = {
  /** The result of a payment that the bank refuses before it is booked. */
  readonly declined: NegativeCode;
  /** The reason of the chargeback, when the bank takes a booked payment back. */
  readonly chargeback: CodeThat<'chargeback'>;
  readonly advice: BankAdvice;
  /** The file or its set-up is at fault, and with it all payments: the operator must know. */
  readonly isOurs: boolean;
};

type Row = readonly [
  declined: NegativeCode,
  chargeback: CodeThat<'chargeback'>,
  advice: BankAdvice | 'correct by the operator',
  codes: string,
];

/** Reasons of the external code sets of ISO 20022 (status reasons and return reasons) by our codes. */
const rows: readonly Row[] = [
  // The account.
  ['800.100.201', '000.100.201', 'payer', 'AC01 AC02 AC03 AC08 AC14 AC15 BE23'],
  ['800.100.202', '000.100.202', 'payer', 'AC04 AC05 AC07 MD07'],
  ['800.100.172', '000.100.208', 'payer', 'AC06 AC16 AC17 AM07'],
  ['800.100.208', '000.100.208', 'payer', 'AC12 AC13 AG01 AG02 AG03 SL01 SL02 SL03 SL11 SL12 SL17 SL18'],
  ['800.100.201', '000.100.201', 'payer', 'CNOR DNOR RC01 RC02 RC03 RC04 RC05 RC06 RC07 RC08 RC09 RC10 RC11 AGNT'],
  ['800.100.402', '000.100.209', 'payer', 'BE01 BE06'],
  ['800.100.402', '000.100.209', 'correct', 'BE20 BE21 BE22'],
  // The money.
  ['800.100.203', '000.100.203', 'again', 'AM04'],
  ['800.100.200', '000.100.200', 'again', 'AG07 MS03 NARR'],
  ['800.100.174', '000.100.210', 'correct', 'AM01 AM02 AM06 AM09 AM10 AM12 AM16 AM17 AM18 AM19 AM20 AM22 CH20'],
  ['800.100.162', '000.100.208', 'later', 'AM13 AM14 AM15 AM21 AM23 SL13 SL14 SL15 SL16'],
  ['800.100.173', '000.100.299', 'correct', 'CURR AM03 AM11 AC09 AC10 AC11'],
  ['800.110.100', '000.100.224', 'payer', 'AM05 DUPL'],
  ['800.110.100', '000.100.224', 'correct by the operator', 'DU01 DU02 DU03 DU04 DU05'],
  ['800.130.100', '000.100.224', 'correct', 'RF01'],
  // The mandate and the payer.
  ['800.100.205', '000.100.204', 'payer', 'MD01'],
  ['800.100.205', '000.100.205', 'payer', 'CN01'],
  ['800.100.204', '000.100.204', 'payer', 'EOL1'],
  ['100.500.303', '000.100.204', 'correct', 'MD02 CH09 CH10 CH13 CH14'],
  ['800.100.205', '000.100.230', 'payer', 'MD05'],
  ['800.100.206', '000.100.206', 'payer', 'MD06 MS02'],
  ['800.100.403', '000.100.206', 'payer', 'SP01 SP02'],
  ['100.396.201', '000.100.207', 'payer', 'CUST FOCR DS02'],
  ['800.100.158', '000.100.220', 'payer', 'FR01 FRAD'],
  ['800.100.100', '000.100.299', 'payer', 'NOAS NOCM UPAY RUTA NOOR ARDT UCRD'],
  // The content of the message.
  [
    '800.100.156',
    '000.100.229',
    'correct',
    'BE04 BE07 BE09 BE10 BE11 BE12 BE13 BE14 BE15 BE16 BE17 BE18 RR02 RR03 AG04 AG05 AG06',
  ],
  ['800.100.156', '000.100.299', 'correct', 'ED01 ED03 RR05 RR06 RR07 RR08 RR09 RR10 RR11 RR12 ERIN'],
  ['800.100.170', '000.100.299', 'payer', 'RR01 RR04'],
  ['100.500.301', '000.100.229', 'later', 'DT01 DT03 DT04 DT05 TM01 CH03 CH04 EDNA'],
  ['800.100.190', '000.100.227', 'correct by the operator', 'BE05 CH11 CH12 RC12 AG08 BE19'],
  ['800.100.156', '000.100.229', 'correct by the operator', 'FF01 FF02 FF03 FF04 FF05 FF06 FF07 FF08'],
  ['800.100.156', '000.100.229', 'correct by the operator', 'CH07 CH15 CH16 CH17 CH21 CH22 INDT MINF TD02 TD03'],
  // Signatures of the file and the rights of its sender.
  [
    '800.100.190',
    '000.100.227',
    'correct by the operator',
    'DS04 DS08 DS09 DS0A DS0B DS0C DS0D DS0E DS0F DS0G DS0H DS0K DS10 DS11',
  ],
  [
    '800.100.190',
    '000.100.227',
    'correct by the operator',
    'DS12 DS13 DS14 DS15 DS16 DS17 DS18 DS19 DS20 DS21 DS22 DS23 DS24 DS25',
  ],
  ['800.100.190', '000.100.227', 'correct by the operator', 'DS26 DS27 ID01 RC13'],
  // The banks' own systems.
  ['900.100.201', '000.100.226', 'later', 'BE08 DS28 ED05 ED06 FF10 FF11 TA01 DC02 DC04'],
  ['900.100.201', '000.100.226', 'later', 'AB01 AB02 AB03 AB04 AB05 AB06 AB07 AB08 AB09 AB10 AB11 AG10 AG11'],
];

const OPERATOR = 'correct by the operator';

const reasons: ReadonlyMap<string, BankReason> = new Map(
  rows.flatMap(([declined, chargeback, advice, codes]) => {
    const isOurs = advice === OPERATOR;
    const reason: BankReason = { declined, chargeback, advice: isOurs ? 'correct' : advice, isOurs };
    return codes.split(' ').map((code) => [code, reason] as const);
  }),
);

/** For reasons that the table does not have. */
export const generalBankReason: BankReason = {
  declined: '800.500.100',
  chargeback: '000.100.299',
  advice: 'payer',
  isOurs: false,
};

/** Where a bank gives no reason. */
const NOT_GIVEN: BankReason = { declined: '800.100.200', chargeback: '000.100.200', advice: 'again', isOurs: false };

/** The meaning of a bank's reason, such as `AM04`; null for one that the table does not have. */
export const knownBankReason = (code: string): BankReason | null => reasons.get(code.trim().toUpperCase()) ?? null;

/** The meaning of any reason, or of none. */
export const bankReason = (code: string | null): BankReason =>
  code === null ? NOT_GIVEN : (knownBankReason(code) ?? generalBankReason);

export const bankReasonCodes: readonly string[] = [...reasons.keys()];
