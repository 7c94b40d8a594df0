import { amountText } from '../../money/amount.ts';
import { acquirerKey, type Payment } from '../../payments/payment.ts';
import type { Attempt, StandingInstruction } from '../../payments/ports.ts';
import { detectBrand } from '../../spec/cards/cardRanges.ts';
import { rowNameOf } from '../../spec/parameters.ts';
import type { ParameterRow } from '../kind.ts';
import type { ApiRequest } from './client.ts';

type Fields = Readonly<Record<string, string>>;

/** The custom parameter that brings our merchant back in answers and webhooks. */
export const MERCHANT = 'SHOPPER_turnpike';
const MERCHANT_PARAMETER = `customParameters[${MERCHANT}]`;

export type RequestContext = {
  /** The mark of a test for the platform; null: none. */
  readonly testMode: 'INTERNAL' | 'EXTERNAL' | null;
  /** Where the platform sends the shopper back to. */
  readonly returnUrl: string;
  /** Their id of the referenced payment. */
  readonly referencedId: string | null;
  /** Their id of the stored details that are charged; null: the number is sent. */
  readonly registrationId: string | null;
  /** The platform stores the details too. */
  readonly isStoring: boolean;
};

/**
 * The request to the platform. Both sides speak the same API, so what the merchant sent goes on as it is, with another address for the
 * shopper's return and for our own reference.
 */
export function requestFor(attempt: Attempt, context: RequestContext): ApiRequest {
  const { payment } = attempt;
  const fields: Fields = {
    ...passedOn(payment, context),
    ...attempt.secrets.personal,
    ...orderFields(attempt, context),
    ...instrumentFields(attempt, context),
    ...authenticationFields(attempt),
    ...seriesFields(attempt.series, context),
    ...identityFields(payment, context),
  };
  const [path, key] = [pathFor(payment, context), acquirerKey(payment)];
  return { step: 'send', method: 'POST', path, fields, idempotencyKey: key };
}

/** Rows that the platform receives otherwise than the merchant sent them, or not at all. */
const keptHere: readonly ParameterRow[] = [
  { names: ['entityId'], there: '`entityId` of the account', why: 'the platform has channels of its own' },
  {
    names: ['authentication.userId', 'authentication.password', 'authentication.entityId'],
    there: 'the access token of the account',
    why: 'credentials are good at one gateway',
  },
  { names: ['testMode'], there: '`testMode` of the account', why: 'one account pays into one mode' },
  {
    names: ['merchantTransactionId'],
    there: 'the id of the payment here',
    why: 'an answer that was lost is searched for by it, so it must be unique',
  },
  {
    names: [MERCHANT_PARAMETER],
    there: 'the id of the merchant here',
    why: 'the platform sends it back, and by it webhooks find their merchant',
  },
  {
    names: ['shopperResultUrl'],
    there: 'an address of this gateway',
    why: 'the gateway asks for the result, then sends the shopper on to the shop',
  },
  {
    names: ['notificationUrl', 'merchantMemo', 'integrity'],
    there: 'nothing',
    why: 'they are about replies and webhooks of this gateway',
  },
  {
    names: ['referenceUuid'],
    there: "`referenceUuid` with the platform's id of the payment",
    why: 'each side has ids of its own',
  },
  {
    names: ['registrationId', 'registrations[n].id', 'overrideHolder'],
    there: 'the stored number and holder; with `registrations=theirs` the registration of the platform',
    why: 'each side has ids of its own',
  },
  {
    names: ['createRegistration'],
    there: 'nothing; with `registrations=theirs` the same',
    why: 'the details are stored here',
  },
  { names: ['recurringType'], there: '`standingInstruction.*`', why: 'it is the older name of the same' },
  {
    names: ['overridePaymentType[brand]', 'threeDSecure.npa'],
    there: 'nothing',
    why: 'the gateway has acted on them before the payment',
  },
  { names: ['job.*'], there: 'nothing', why: 'schedules run here, and each run is a payment there' },
  {
    names: ['walletA.paymentToken', 'walletB.paymentToken', 'walletC.paymentToken'],
    there: 'number, cryptogram and the source of the wallet',
    why: 'the token is sealed for this gateway, which opens it',
  },
];

/** Rows whose going on depends on others. */
const onCondition: readonly ParameterRow[] = [
  {
    names: ['recurringMigration.*'],
    there: '`standingInstruction.initialTransactionId`; with `registrations=theirs` the same',
    why: 'the API takes them only where details are stored',
  },
  {
    names: ['bankAccount.number', 'bankAccount.bankCode'],
    there: 'the same; where there is an IBAN, the IBAN alone',
    why: 'an IBAN says both',
  },
  {
    names: ['customer.ip'],
    there: 'the same, with the name of the customer',
    why: 'the API takes a customer with a name or none',
  },
];

export const parameterRows: readonly ParameterRow[] = [...keptHere, ...onCondition];

const KEPT_HERE: ReadonlySet<string> = new Set(keptHere.flatMap(({ names }) => names));
const isKeptHere = (name: string, row: string): boolean => KEPT_HERE.has(row) || KEPT_HERE.has(name) || row.startsWith('job.');

/** A payment under an industry practice is a payment of its own that names the one it follows; every other reference is a follow-up. */
const isNewPayment = ({ industryPractice }: Payment): boolean => industryPractice !== null;

function pathFor(payment: Payment, { referencedId, registrationId }: RequestContext): string {
  if (payment.paymentType === 'RG') return '/v1/registrations';
  if (registrationId !== null) return `/v1/registrations/${registrationId}/payments`;
  return referencedId === null || isNewPayment(payment) ? '/v1/payments' : `/v1/payments/${referencedId}`;
}

/**
 * Names without a row occur in answers only. A checkout of ours knows the shopper's address without a name; the platform takes a customer
 * with a name or none.
 */
function passedOn({ fields }: Payment, { isStoring }: RequestContext): Fields {
  const isNamed = fields['customer.givenName'] !== undefined && fields['customer.surname'] !== undefined;
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => {
      const row = rowNameOf(name);
      if (row === undefined || isKeptHere(name, row)) return false;
      if (row.startsWith('recurringMigration.')) return isStoring;
      return isNamed || name !== 'customer.ip';
    }),
  );
}

export function identityFields(payment: Payment, { testMode }: Pick<RequestContext, 'testMode'>): Fields {
  return {
    merchantTransactionId: acquirerKey(payment),
    [MERCHANT_PARAMETER]: payment.merchantId,
    ...(testMode !== null && payment.mode === 'EXTERNAL' && { testMode }),
  };
}

function orderFields({ payment, referenced }: Attempt, { returnUrl, referencedId, isStoring }: RequestContext): Fields {
  const { paymentType, amount, currency, descriptor, shortId, fields, isLast, numberOfCaptures } = payment;
  const isWhole = paymentType === 'RV' && amount === referenced?.amount;
  return {
    ...(paymentType !== 'RG' && { paymentType }),
    ...(paymentType !== 'RG' && !isWhole && { amount: amountText(amount), currency }),
    // Without one of the merchant's the platform makes its own.
    ...(descriptor.startsWith(shortId) ? {} : { descriptor }),
    ...(fields.shopperResultUrl !== undefined && { shopperResultUrl: returnUrl }),
    ...(referencedId !== null && isNewPayment(payment) && { referenceUuid: referencedId }),
    ...(isLast && { sequence: 'FINAL' }),
    ...(numberOfCaptures !== null && { numberOfCaptures: String(numberOfCaptures) }),
    ...(isStoring && paymentType !== 'RG' && { createRegistration: 'true' }),
  };
}

/** The names under which the platform knows the device wallets, by brand. */
const walletSources: Readonly<Record<string, string>> = {
  APPLEPAY: 'applePay.source',
  GOOGLEPAY: 'googlePay.source',
  SAMSUNGPAY: 'samsungPay.source',
};

const present = (fields: Readonly<Record<string, string | null | undefined>>): Fields =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => (entry[1] ?? '') !== ''));

function instrumentFields({ payment, secrets }: Attempt, { registrationId }: RequestContext): Fields {
  const { instrument, paymentBrand } = payment;
  if (registrationId !== null) return present({ 'card.cvv': secrets.cvv });
  const brand = payment.referencedId !== null && instrument === null ? null : paymentBrand;
  switch (instrument?.kind) {
    case 'card':
      return { ...brandFields(payment, secrets), ...cardFields(instrument, secrets) };
    case 'tokenAccount':
      return present({
        paymentBrand,
        'tokenAccount.number': secrets.number,
        'tokenAccount.type': instrument.type,
        'tokenAccount.expiryMonth': instrument.expiryMonth,
        'tokenAccount.expiryYear': instrument.expiryYear,
        'tokenAccount.cryptogram': secrets.cryptogram,
        'tokenAccount.dtvc': secrets.dtvc,
      });
    case 'bankAccount':
      return present({
        paymentBrand,
        'bankAccount.holder': instrument.holder,
        'bankAccount.bankName': instrument.bankName,
        'bankAccount.country': instrument.country,
        'bankAccount.bic': instrument.bic,
        'bankAccount.iban': secrets.iban,
        // An IBAN says both.
        ...(secrets.iban === undefined && { 'bankAccount.number': secrets.number, 'bankAccount.bankCode': instrument.bankCode }),
      });
    case 'virtualAccount':
      return present({ paymentBrand, 'virtualAccount.accountId': instrument.accountId });
    case 'giftCard':
      return present({ paymentBrand, 'giftCard.number': secrets.number, 'giftCard.pin': secrets.pin });
    default:
      return present({ paymentBrand: brand });
  }
}

type CardInstrument = Extract<Payment['instrument'], { readonly kind: 'card' }>;

/** A token of the scheme replaces the number. */
function cardFields(
  { holder, expiryMonth, expiryYear }: CardInstrument,
  { number, cvv, networkToken }: Attempt['secrets'],
): Fields {
  if (networkToken)
    return present({
      'tokenAccount.number': networkToken.number,
      'tokenAccount.type': 'NETWORK',
      'tokenAccount.expiryMonth': networkToken.expiryMonth,
      'tokenAccount.expiryYear': networkToken.expiryYear,
      'tokenAccount.cryptogram': networkToken.cryptogram,
    });
  return present({
    'card.number': number,
    'card.holder': holder,
    'card.expiryMonth': expiryMonth,
    'card.expiryYear': expiryYear,
    'card.cvv': cvv,
  });
}

/** A wallet's card goes under the wallet's brand with its proof; without one it is a card like any other. */
function brandFields({ paymentBrand, fields }: Payment, { number = '', cryptogram, verificationId }: Attempt['secrets']): Fields {
  const source = walletSources[paymentBrand ?? ''];
  if (source === undefined) return present({ paymentBrand });
  if (cryptogram === undefined && verificationId === undefined) return present({ paymentBrand: detectBrand(number) });
  const isNamed = Object.keys(fields).some((name) => name.endsWith('.source') && !name.startsWith('standingInstruction.'));
  return present({ paymentBrand, ...(!isNamed && { [source]: 'web' }) });
}

/** No liability shift is claimed where the wallet names none. */
const ECI_OF_WALLET = '07';

/** The result of our own authentication of the cardholder, so that the platform does not authenticate again. */
function authenticationFields({ payment, secrets, registration }: Attempt): Fields {
  const { fields, threeDS, instrument, paymentType } = payment;
  if (instrument?.kind !== 'card' || !['PA', 'DB', 'CD', 'RG'].includes(paymentType)) return {};
  const proof = secrets.verificationId ?? secrets.cryptogram;
  const eci = fields['threeDSecure.eci'] ?? (proof === undefined ? undefined : ECI_OF_WALLET);
  const isDone = proof !== undefined || eci !== undefined || threeDS !== null;
  if (!isDone) return present({ 'threeDSecure.deviceInfo': registration ? undefined : secrets.deviceInfo });
  return present({ 'threeDSecure.verificationId': proof, 'threeDSecure.eci': eci, 'threeDSecure.disable': 'true' });
}

/** The series as the scheme must receive it. */
function seriesFields(series: StandingInstruction | null, { isStoring }: RequestContext): Fields {
  if (series === null) return {};
  // Where the platform does not store the details, this is how it learns of a series that began elsewhere.
  const ofMigration = isStoring ? undefined : series.migration?.connectorTxIds[0];
  const isWhole = series.mode !== null && series.source !== null && series.type !== null;
  return {
    ...(isWhole &&
      present({
        'standingInstruction.mode': series.mode,
        'standingInstruction.source': series.source,
        'standingInstruction.type': series.type,
      })),
    ...present({
      'standingInstruction.recurringType': series.recurringType,
      'standingInstruction.initialTransactionId': series.initialTransactionId ?? ofMigration,
      'standingInstruction.agreementId': series.agreementId,
      'standingInstruction.expiry': series.expiry,
      'standingInstruction.frequency': series.frequency,
      'standingInstruction.numberOfInstallments': series.numberOfInstallments,
    }),
  };
}
