import type { Attempt } from '../../payments/needs.ts';
import type { AnswerDetails, Payment } from '../../payments/payment.ts';
import { type NegativeCode, resultCodes } from '../../spec/resultCodes.ts';
import { testCards } from '../../spec/testCards.ts';
import { issuerSays } from './issuer.ts';
import { schemeDataOf } from './reference.ts';
import { isCard, isMerchants, namesAgreements, standsAlone } from './series.ts';
import type { Steering } from './steering.ts';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const issuerDataByNumber: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  testCards.map(({ number, binCountry, type }) => [number, { binCountry, type }]),
);

/** What the simulated acquirer tells beside its yes. */
export function detailsOfApproval(attempt: Attempt, steering: Steering): AnswerDetails {
  const { payment } = attempt;
  const says = { ExtendedDescription: 'Successfully processed', AcquirerResponse: standsAlone(payment) ? 'Success' : '00' };
  const details = cardDetails(attempt, steering, null);
  const resultDetails = resultDetailsOf(payment, says);
  if (attempt.secrets.networkToken) resultDetails.NetworkToken = 'used';
  details.resultDetails = resultDetails;
  if (!hasReference(attempt)) return details;
  const { reference, agreement } = schemeDataOf(payment);
  details.schemeReference = reference;
  // The first payment of a series tells the merchant what the later ones must name.
  if (attempt.series?.mode !== 'INITIAL') return details;
  details.initialTransactionId = reference;
  resultDetails.CardholderInitiatedTransactionID = reference;
  if (namesAgreements(payment)) details.agreementId = agreement;
  return details;
}

/** The scheme names what the shopper starts, and verifies a card when a series begins with its being stored. */
function hasReference({ payment, series }: Attempt): boolean {
  if (!isCard(payment)) return false;
  const { paymentType } = payment;
  if (paymentType === 'RG') return series?.mode === 'INITIAL';
  return (paymentType === 'PA' || paymentType === 'DB') && !isMerchants(series);
}

/** What it tells beside its no. */
export function detailsOfDecline(attempt: Attempt, steering: Steering, code: NegativeCode): AnswerDetails {
  const { payment } = attempt;
  const says: Record<string, string> = {
    ExtendedDescription:
      steering.wrong === undefined ? resultCodes[code].text : `${steering.wrong} has a value nobody can follow`,
  };
  const issuer = isCard(payment) ? issuerSays(code) : null;
  if (issuer) says.AcquirerResponse = issuer.response;
  const advice = steering.advice ?? issuer?.advice;
  if (advice !== undefined) says.MerchantAdviceCode = advice;
  const isIssuersWord = resultCodes[code].means === 'declined';
  return { ...(isIssuersWord && cardDetails(attempt, steering, code)), resultDetails: resultDetailsOf(payment, says) };
}

function resultDetailsOf({ id }: Payment, says: Readonly<Record<string, string>>): Record<string, string> {
  return {
    ...says,
    clearingInstituteName: 'Turnpike Simulator',
    ConnectorTxID1: id,
    ConnectorTxID2: id.slice(0, 8),
    ConnectorTxID3: id.slice(-22),
  };
}

/** The checks of address and CVV and what the number tells about its issuer: of cards only, and only when they are charged. */
function cardDetails({ payment, secrets }: Attempt, steering: Steering, code: NegativeCode | null): Writable<AnswerDetails> {
  const details: Writable<AnswerDetails> = {};
  if (!isCard(payment) || !standsAlone(payment)) return details;
  const { fields } = payment;
  const hasAddress = fields['billing.street1'] !== undefined || fields['billing.postcode'] !== undefined;
  const avs = steering.avs ?? (hasAddress ? (code?.startsWith('800.400.1') ? 'N' : 'F') : undefined);
  if (avs !== undefined) details.avsResponse = avs as AnswerDetails['avsResponse'];
  const isCvvWrong = code === '800.100.153' || code === '800.100.192';
  const cvv = steering.cvv ?? (secrets.cvv === undefined ? undefined : isCvvWrong ? 'N' : 'M');
  if (cvv !== undefined) details.cvvResponse = cvv as AnswerDetails['cvvResponse'];
  const card = secrets.number === undefined ? undefined : issuerDataByNumber.get(secrets.number);
  if (card) details.card = card;
  return details;
}
