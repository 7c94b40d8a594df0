import type { AnswerDetails, Payment } from '../../payments/payment.ts';
import type { Attempt } from '../../payments/ports.ts';
import { testCards } from '../../spec/cards/testCards.ts';
import { type NegativeCode, resultCodes } from '../../spec/resultCodes.ts';
import type { Directives } from './directives.ts';
import { isCard, isMerchantInitiated, isStandalone, namesAgreements, schemeDataOf } from './series.ts';

/** An issuer's decline: the response code and the scheme's merchant advice code. */
type IssuerResponse = { readonly response: string; readonly advice?: string };

const FIX_DATA = '01';
const WAIT_72_HOURS = '02';
const NEVER = '03';
const RECURRING_CANCELLED = '21';
const WAIT_1_HOUR = '24';
const WAIT_24_HOURS = '25';
const WAIT_2_DAYS = '26';

const issuerResponses: Readonly<Partial<Record<NegativeCode, IssuerResponse>>> = {
  '300.100.100': { response: '1A', advice: FIX_DATA },
  '800.100.100': { response: '05' },
  '800.100.151': { response: '14', advice: NEVER },
  '800.100.152': { response: '05', advice: WAIT_72_HOURS },
  '800.100.153': { response: 'N7', advice: FIX_DATA },
  '800.100.154': { response: '12', advice: NEVER },
  '800.100.155': { response: '51', advice: WAIT_24_HOURS },
  '800.100.156': { response: '30', advice: FIX_DATA },
  '800.100.157': { response: '54', advice: FIX_DATA },
  '800.100.158': { response: '59', advice: NEVER },
  '800.100.159': { response: '43', advice: NEVER },
  '800.100.160': { response: '62', advice: NEVER },
  '800.100.161': { response: '75', advice: WAIT_24_HOURS },
  '800.100.162': { response: '61', advice: WAIT_24_HOURS },
  '800.100.163': { response: '65', advice: WAIT_24_HOURS },
  '800.100.165': { response: '41', advice: NEVER },
  '800.100.166': { response: '55', advice: FIX_DATA },
  '800.100.167': { response: '25', advice: FIX_DATA },
  '800.100.168': { response: '62', advice: NEVER },
  '800.100.170': { response: '57', advice: NEVER },
  '800.100.171': { response: '04', advice: NEVER },
  '800.100.172': { response: '78', advice: NEVER },
  '800.100.174': { response: '13', advice: FIX_DATA },
  '800.100.176': { response: '91', advice: WAIT_1_HOUR },
  '800.100.178': { response: '75', advice: FIX_DATA },
  '800.100.179': { response: '65', advice: WAIT_2_DAYS },
  '800.100.192': { response: 'N7', advice: FIX_DATA },
  '800.100.202': { response: '46', advice: NEVER },
  '800.100.203': { response: '51', advice: WAIT_24_HOURS },
  '800.100.500': { response: 'R0', advice: RECURRING_CANCELLED },
  '800.100.501': { response: 'R1', advice: RECURRING_CANCELLED },
  '900.100.400': { response: '68', advice: WAIT_1_HOUR },
  '900.100.500': { response: '68', advice: WAIT_1_HOUR },
  '900.100.600': { response: '91', advice: WAIT_1_HOUR },
};

const OTHERWISE: IssuerResponse = { response: '05' };

/** The issuer's response for a decline; null for codes that do not come from an issuer. */
function issuerResponse(code: NegativeCode): IssuerResponse | null {
  return issuerResponses[code] ?? (code.startsWith('800.100.') ? OTHERWISE : null);
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const issuerDataByNumber: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  testCards.map(({ number, binCountry, type }) => [number, { binCountry, type }]),
);

/** The details of an approval. */
export function detailsOfApproval(attempt: Attempt, directives: Directives): AnswerDetails {
  const { payment } = attempt;
  const texts = { ExtendedDescription: 'Successfully processed', AcquirerResponse: isStandalone(payment) ? 'Success' : '00' };
  const details = cardDetails(attempt, directives, null);
  const resultDetails = resultDetailsOf(payment, texts);
  if (attempt.secrets.networkToken) resultDetails.NetworkToken = 'used';
  details.resultDetails = resultDetails;
  if (!hasReference(attempt)) return details;
  const { reference, agreement } = schemeDataOf(payment);
  details.schemeReference = reference;
  // The first payment of a series returns the references that later ones must send.
  if (attempt.series?.mode !== 'INITIAL') return details;
  details.initialTransactionId = reference;
  resultDetails.CardholderInitiatedTransactionID = reference;
  if (namesAgreements(payment)) details.agreementId = agreement;
  return details;
}

/** The scheme assigns a reference to shopper-initiated payments, and to a registration that begins a series. */
function hasReference({ payment, series }: Attempt): boolean {
  if (!isCard(payment)) return false;
  const { paymentType } = payment;
  if (paymentType === 'RG') return series?.mode === 'INITIAL';
  return (paymentType === 'PA' || paymentType === 'DB') && !isMerchantInitiated(series);
}

/** The details of a decline. */
export function detailsOfDecline(attempt: Attempt, directives: Directives, code: NegativeCode): AnswerDetails {
  const { payment } = attempt;
  const texts: Record<string, string> = {
    ExtendedDescription:
      directives.wrong === undefined
        ? resultCodes[code].text
        : `${directives.wrong} has a value that the simulator does not know`,
  };
  const issuer = isCard(payment) ? issuerResponse(code) : null;
  if (issuer) texts.AcquirerResponse = issuer.response;
  const advice = directives.advice ?? issuer?.advice;
  if (advice !== undefined) texts.MerchantAdviceCode = advice;
  const isIssuersWord = resultCodes[code].means === 'declined';
  return { ...(isIssuersWord && cardDetails(attempt, directives, code)), resultDetails: resultDetailsOf(payment, texts) };
}

function resultDetailsOf({ id }: Payment, texts: Readonly<Record<string, string>>): Record<string, string> {
  return {
    ...texts,
    clearingInstituteName: 'Turnpike Simulator',
    ConnectorTxID1: id,
    ConnectorTxID2: id.slice(0, 8),
    ConnectorTxID3: id.slice(-22),
  };
}

/** AVS and CVV results and issuer data: for card payments with an instrument of their own. */
function cardDetails({ payment, secrets }: Attempt, directives: Directives, code: NegativeCode | null): Writable<AnswerDetails> {
  const details: Writable<AnswerDetails> = {};
  if (!isCard(payment) || !isStandalone(payment)) return details;
  const { fields } = payment;
  const hasAddress = fields['billing.street1'] !== undefined || fields['billing.postcode'] !== undefined;
  const avs = directives.avs ?? (hasAddress ? (code?.startsWith('800.400.1') ? 'N' : 'F') : undefined);
  if (avs !== undefined) details.avsResponse = avs as AnswerDetails['avsResponse'];
  const isCvvWrong = code === '800.100.153' || code === '800.100.192';
  const cvv = directives.cvv ?? (secrets.cvv === undefined ? undefined : isCvvWrong ? 'N' : 'M');
  if (cvv !== undefined) details.cvvResponse = cvv as AnswerDetails['cvvResponse'];
  const card = secrets.number === undefined ? undefined : issuerDataByNumber.get(secrets.number);
  if (card) details.card = card;
  return details;
}
