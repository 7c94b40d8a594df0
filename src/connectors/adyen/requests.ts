import { NO_CURRENCY } from '../../money/amount.ts';
import type { Payment } from '../../payments/payment.ts';
import type { Attempt } from '../../payments/ports.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import { adyenValue } from './amounts.ts';
import { type Authentication, authenticationPart, exemptionOf } from './authentication.ts';
import { needsLineItems, paymentMethodOf, walletSource } from './paymentMethods.ts';
import { referenceText } from './references.ts';
import type { AdyenSettings } from './settings.ts';
import { lineItems, shopperData } from './shopper.ts';
import { credentialPart, hasShopper } from './storedCredentials.ts';

/** A request to Adyen, or why there is none: nothing was sent. */
export type Composed =
  | { readonly is: 'request'; readonly path: string; readonly body: object; readonly reference: string }
  | { readonly is: 'impossible'; readonly code: NegativeCode };

const impossible = (code: NegativeCode): Composed => ({ is: 'impossible', code });

/** What Adyen counts for a payment. Storing details moves no money and needs a currency all the same. */
export function moneyOf(
  { amount, currency }: Pick<Payment, 'amount' | 'currency'>,
  { verificationCurrency }: Pick<AdyenSettings, 'verificationCurrency'>,
): { readonly currency: string; readonly value: bigint } | null {
  const counted = currency === NO_CURRENCY ? verificationCurrency : currency;
  const value = adyenValue(amount, counted);
  return value === undefined ? null : { currency: counted, value };
}

/** Adyen advises 22 characters of these; others are left out. */
const statementOf = (descriptor: string): string =>
  descriptor
    .replace(/[^a-zA-Z0-9 .,'_?+*/-]/g, '')
    .slice(0, 22)
    .trim();

const isCard = (type: string | undefined): boolean => type === 'scheme' || type === 'networkToken';

/** `POST /payments` of a payment that references none, or of one that a practice of the trade allows to follow. */
export function paymentRequest(attempt: Attempt, settings: AdyenSettings, returnUrl: string): Composed {
  const { payment, secrets } = attempt;
  const money = moneyOf(payment, settings);
  if (money === null) return impossible('800.100.174');
  const instrument = payment.instrument ?? attempt.registration?.instrument ?? null;
  const { paymentBrand, fields } = payment;
  const method = paymentMethodOf({ instrument, paymentBrand, secrets, fields });
  if (method === null) return impossible('800.100.175');
  const card = isCard(method.type);
  const credential = credentialPart(attempt);
  const shopper = shopperData(payment.fields);
  const authentication = card
    ? authenticationPart(
        attempt,
        authenticationOf(attempt, settings, { returnUrl, hasBrowser: shopper.browserInfo !== undefined }),
      )
    : ({ is: 'part', fields: {} } as const);
  if (authentication.is === 'unreadable') return impossible('100.390.102');
  const reference = referenceText(payment, money.value);
  const items = needsLineItems(payment.paymentBrand) ? lineItems(payment.fields, payment.currency) : [];
  const statement = statementOf(payment.descriptor);
  const additionalData = { ...additionalDataOf(attempt, settings), ...credential.additionalData };
  const body = {
    merchantAccount: settings.merchantAccount,
    amount: { currency: money.currency, value: Number(money.value) },
    reference,
    merchantOrderReference: payment.familyId,
    returnUrl,
    channel: 'Web',
    paymentMethod: card ? { ...method, ...credential.paymentMethod } : method,
    ...(card || method.type === 'sepadirectdebit' ? credential.fields : { shopperInteraction: 'Ecommerce' }),
    ...(payment.paymentType === 'DB' && { captureDelayHours: 0 }),
    ...authentication.fields,
    ...shopper,
    ...(items.length > 0 && { lineItems: items }),
    ...(statement !== '' && { shopperStatement: statement }),
    ...(Object.keys(additionalData).length > 0 && { additionalData }),
  };
  return { is: 'request', path: '/payments', body, reference };
}

const ORIGIN_CHARACTERS_MAX = 80;

/** The issuer needs to know the whole browser for a native authentication. Without it the shopper is sent to Adyen, which finds out. */
function authenticationOf(
  attempt: Attempt,
  { authentication }: AdyenSettings,
  { returnUrl, hasBrowser }: { readonly returnUrl: string; readonly hasBrowser: boolean },
): Authentication {
  const isPossible = hasShopper(attempt) && attempt.payment.fields.shopperResultUrl !== undefined;
  if (authentication === 'never' || !isPossible) return { is: 'never' };
  const origin = URL.parse(returnUrl)?.origin ?? '';
  const isNative = authentication === 'native' && hasBrowser && origin.length <= ORIGIN_CHARACTERS_MAX;
  return isNative ? { is: 'native', origin } : { is: 'redirect' };
}

function additionalDataOf({ payment, secrets }: Attempt, { preAuthorises }: AdyenSettings): Readonly<Record<string, string>> {
  const source = walletSource(payment.paymentBrand);
  const exemption = exemptionOf(payment.fields['threeDSecure.exemptionFlag']);
  const isDebit = payment.paymentType === 'DB';
  return {
    ...(!isDebit && { manualCapture: 'true' }),
    ...(payment.paymentType === 'PA' && preAuthorises && { authorisationType: 'PreAuth' }),
    ...(exemption !== undefined && { scaExemption: exemption }),
    ...(source !== undefined && { 'paymentdatasource.type': source }),
    ...(source === 'googlepay' && { 'paymentdatasource.tokenized': String(secrets.cryptogram !== undefined) }),
  };
}
