import type { Payment } from '../../payments/payment.ts';
import type { Attempt, StandingInstruction } from '../../payments/ports.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import type { FormFields } from './client.ts';
import { metadataOf, type StripeSettings } from './session.ts';

/** Transactions that store or verify details without money: an RG, and a preauthorisation of 0.00. */
export const isSetup = ({ paymentType, amount }: Payment): boolean =>
  paymentType === 'RG' || (paymentType === 'PA' && amount === 0n);

const typeOf = ({ method }: Payment): 'card' | 'sepa_debit' => (method === 'DD' ? 'sepa_debit' : 'card');

/**
 * The intent without an instrument: everything of it derives from the stored payment, so that the request can be repeated with the same
 * key when no secret is left.
 */
export function createForm(payment: Payment, units: bigint, settings: Pick<StripeSettings, 'descriptorCharacters'>): FormFields {
  const common = {
    allowed_payment_method_types: [typeOf(payment)],
    description: payment.merchantTransactionId ?? payment.shortId,
    metadata: metadataOf(payment),
  };
  if (isSetup(payment)) return { ...common, usage: 'off_session' };
  const descriptor = descriptorOf(payment, settings.descriptorCharacters);
  return {
    ...common,
    amount: units,
    currency: payment.currency.toLowerCase(),
    capture_method: payment.paymentType === 'PA' ? 'manual' : 'automatic',
    ...(descriptor !== undefined && {
      [payment.method === 'DD' ? 'statement_descriptor' : 'statement_descriptor_suffix']: descriptor,
    }),
  };
}

/** The descriptor on the shopper's statement, in the characters that the acquirer takes; undefined: none is sent. */
function descriptorOf({ descriptor }: Payment, charactersMax: number): string | undefined {
  const text = descriptor
    .normalize('NFKD')
    .replace(/[^ -~]|[<>\\'"*]/g, '')
    .replace(/ {2,}/g, ' ')
    .slice(0, charactersMax)
    .trim();
  return /[A-Za-z]/.test(text) ? text : undefined;
}

/** The instrument of an attempt, or why it cannot be charged. */
type InstrumentForm =
  | { readonly is: 'form'; readonly form: FormFields }
  | { readonly is: 'refused'; readonly code: NegativeCode };

export function instrumentForm({ payment, secrets }: Attempt): InstrumentForm {
  const { instrument, fields } = payment;
  const billing = billingDetails(payment);
  if (payment.method === 'DD') {
    if (secrets.iban === undefined || instrument?.kind !== 'bankAccount') return { is: 'refused', code: '100.150.100' };
    if (instrument.holder === null) return { is: 'refused', code: '800.100.198' };
    if (fields['customer.email'] === undefined) return { is: 'refused', code: '100.900.100' };
    return { is: 'form', form: { type: 'sepa_debit', sepa_debit: { iban: secrets.iban }, billing_details: billing } };
  }
  // The acquirer takes device wallets and network tokens only in its own forms.
  if (secrets.cryptogram !== undefined || secrets.networkToken !== undefined) return { is: 'refused', code: '600.200.500' };
  if (secrets.number === undefined || instrument?.kind !== 'card') return { is: 'refused', code: '600.200.501' };
  // The proof of an authentication counts only together with the directory server's transaction.
  const isProofLoose = secrets.verificationId !== undefined && fields['threeDSecure.dsTransactionId'] === undefined;
  if (isProofLoose) return { is: 'refused', code: '100.390.117' };
  const card = {
    number: secrets.number,
    exp_month: Number(instrument.expiryMonth),
    exp_year: Number(instrument.expiryYear),
    cvc: secrets.cvv,
  };
  return { is: 'form', form: { type: 'card', card, billing_details: billing } };
}

function billingDetails({ fields, instrument }: Payment): FormFields {
  const holder = instrument?.kind === 'card' || instrument?.kind === 'bankAccount' ? instrument.holder : null;
  return {
    name: holder ?? undefined,
    email: fields['customer.email'],
    phone: fields['customer.phone'] ?? fields['customer.mobile'],
    address: {
      line1: fields['billing.street1'],
      line2: fields['billing.street2'],
      city: fields['billing.city'],
      state: fields['billing.state'],
      postal_code: fields['billing.postcode'],
      country: fields['billing.country'],
    },
  };
}

/** A later payment of a series, or one by an industry practice: the shopper is absent. */
function isMerchantInitiated(series: StandingInstruction | null): boolean {
  if (series === null) return false;
  return series.practice === null ? series.source === 'MIT' && series.mode === 'REPEATED' : series.source !== 'CIT';
}

const usages: Readonly<Record<string, string>> = {
  RECURRING: 'recurring',
  INSTALLMENT: 'installment',
  UNSCHEDULED: 'unscheduled',
};

const MAIL_OR_TELEPHONE: ReadonlySet<string | undefined> = new Set(['MO', 'TO', 'PO', 'PM', 'MOTO']);
const isMailOrTelephone = ({ fields }: Payment): boolean => MAIL_OR_TELEPHONE.has(fields.transactionCategory);

type ConfirmOptions = {
  readonly paymentMethod: string;
  readonly settings: StripeSettings;
  readonly returnUrl: string;
  /** The payment method is kept for later payments. */
  readonly isKept: boolean;
};

/** The confirmation: the instrument, its proof and how the shopper takes part. */
export function confirmForm(attempt: Attempt, { paymentMethod, settings, returnUrl, isKept }: ConfirmOptions): FormFields {
  const { payment, series } = attempt;
  const isAbsent = isMerchantInitiated(series);
  const mayRedirect = !isAbsent && !isMailOrTelephone(payment) && settings.acquirerAuthentication;
  const options = payment.method === 'DD' ? undefined : { card: cardOptions(attempt, settings) };
  const common = {
    payment_method: paymentMethod,
    payment_method_options: options,
    mandate_data: payment.method === 'DD' ? mandateData(payment) : undefined,
    return_url: mayRedirect ? returnUrl : undefined,
  };
  if (isSetup(payment)) return common;
  return {
    ...common,
    expand: ['latest_charge'],
    ...(isAbsent && { off_session: true }),
    ...(!isAbsent && !mayRedirect && payment.method !== 'DD' && { error_on_requires_action: true }),
    ...(isKept && { setup_future_usage: 'off_session' }),
  };
}

function cardOptions(attempt: Attempt, { multicapture, incrementalAuthorisation }: StripeSettings): FormFields {
  const { payment, series } = attempt;
  const usage = usages[series?.type ?? ''];
  const isFirst = series?.mode === 'INITIAL';
  const isAuthorisation = payment.paymentType === 'PA' && !isSetup(payment);
  return {
    moto: isMailOrTelephone(payment) || undefined,
    setup_credential_usage: isFirst ? usage : undefined,
    stored_credential_usage: isMerchantInitiated(series) && !isSetup(payment) ? usage : undefined,
    request_multicapture: isAuthorisation && multicapture ? 'if_available' : undefined,
    request_incremental_authorization: isAuthorisation && incrementalAuthorisation ? 'if_available' : undefined,
    three_d_secure: proofOf(attempt),
  };
}

const VERSIONS: ReadonlySet<string | undefined> = new Set(['2.1.0', '2.2.0', '2.3.0', '2.3.1']);
const INDICATORS: ReadonlySet<string | undefined> = new Set(['01', '02', '05', '06', '07']);
const TRANSACTION_RISK_ANALYSIS = '02';

/** An authentication by another 3D Secure server, or by the gateway itself; undefined without one. */
function proofOf({ payment, secrets }: Attempt): FormFields | undefined {
  const { fields } = payment;
  const [cryptogram, transactionId] = [secrets.verificationId, fields['threeDSecure.dsTransactionId']];
  if (cryptogram === undefined || transactionId === undefined) return undefined;
  const [version, eci] = [fields['threeDSecure.version'], fields['threeDSecure.eci']];
  const isExempt = fields['threeDSecure.exemptionFlag'] === TRANSACTION_RISK_ANALYSIS && !isSetup(payment);
  return {
    version: VERSIONS.has(version) ? version : '2.2.0',
    cryptogram,
    transaction_id: transactionId,
    electronic_commerce_indicator: INDICATORS.has(eci) ? eci : undefined,
    ares_trans_status: fields['threeDSecure.authenticationStatus'],
    exemption_indicator: isExempt ? 'low_risk' : undefined,
  };
}

/** The shopper's consent to the debit. */
function mandateData({ fields }: Payment): FormFields {
  const [ip, userAgent] = [fields['customer.ip'], fields['customer.browser.userAgent']];
  if (ip === undefined || userAgent === undefined) return { customer_acceptance: { type: 'offline' } };
  return { customer_acceptance: { type: 'online', online: { ip_address: ip, user_agent: userAgent } } };
}
