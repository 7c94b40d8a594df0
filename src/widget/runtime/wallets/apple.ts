import type { WidgetBrand } from '../../../spec/widget.ts';
import type { Environment } from '../contract.ts';
import { widgetError } from '../errors.ts';
import {
  asRecord,
  countryOf,
  type Fields,
  networksOf,
  partyFields,
  pickDefined,
  resolveValue,
  stringOr,
  stringsOr,
  type UnknownRecord,
  type WalletContext,
  type WalletDevice,
  type WalletEvents,
} from './device.ts';

/** Apple's wallet. */
export function appleDevice(context: WalletContext): WalletDevice {
  const { environment, brand } = context;
  const { window } = environment;
  const sessions = (): AppleSessions | undefined => (window as { readonly ApplePaySession?: AppleSessions }).ApplePaySession;
  let sheet: AppleSheet | null = null;
  return {
    async isAvailable() {
      try {
        const made = sessions();
        const { checkAvailability, merchantIdentifier, ...options } = appleOptions(environment);
        if (!made?.canMakePayments() || made.supportsVersion?.(versionOf(options)) === false) return false;
        const id = stringOr(merchantIdentifier, brand.wallet?.merchantIdentifier ?? '');
        if (checkAvailability === 'canMakePaymentsWithActiveCard')
          return (await made.canMakePaymentsWithActiveCard?.(id)) === true;
        if (checkAvailability !== 'applePayCapabilities' || !made.applePayCapabilities) return true;
        return (await made.applePayCapabilities(id)).paymentCredentialStatus !== 'applePayUnsupported';
      } catch {
        // A page that is not secure may not even ask.
        return false;
      }
    },
    button: () => null,
    open: (events) =>
      new Promise((given, failed) => {
        const made = sessions();
        if (!made) throw new Error('There is no Apple Pay on this device');
        // One that stayed after a decline would be in the way.
        sheet?.drop();
        sheet = new AppleSheet(context, made, { ...events, given, failed });
      }),
    end: (isGood) => sheet?.end(isGood),
    drop: () => sheet?.drop(),
  };
}

/** Answers to the sheet are objects since this version, which every device has had since 2017. */
const VERSION_MIN = 3;

/** Which version of Apple's sheet is spoken. */
const versionOf = ({ version }: UnknownRecord): number => Math.max(VERSION_MIN, typeof version === 'number' ? version : 0);

/** Options that are passed on unchanged. */
const plain = [
  'supportedCountries',
  'requiredBillingContactFields',
  'requiredShippingContactFields',
  'billingContact',
  'shippingContact',
  'shippingContactEditingMode',
  'shippingMethods',
  'shippingType',
  'supportsCouponCode',
  'couponCode',
  'applicationData',
];

/** The total of the sheet. The gateway charges the amount of the checkout and takes no token for another amount. */
function totalOf({ session }: Environment, { wallet }: WidgetBrand, options: UnknownRecord): UnknownRecord {
  const { label, amount, ...more } = asRecord(resolveValue(options.total));
  return {
    type: 'final',
    ...more,
    label: stringOr(label, stringOr(options.displayName, wallet?.displayName ?? session.merchantName)),
    amount: String(amount ?? session.amount ?? '0.00'),
  };
}

/** The sheet as it is opened. */
function appleRequest(environment: Environment, brand: WidgetBrand, options: UnknownRecord): UnknownRecord {
  const lineItems = resolveValue(options.lineItems);
  return {
    ...pickDefined(options, plain),
    countryCode: countryOf(options, brand),
    currencyCode: environment.session.currency ?? stringOr(options.currencyCode, 'EUR'),
    supportedNetworks: stringsOr(options.supportedNetworks, networksOf(environment, 1)),
    merchantCapabilities: stringsOr(options.merchantCapabilities, ['supports3DS']),
    total: totalOf(environment, brand, options),
    ...(Array.isArray(lineItems) && { lineItems }),
  };
}

function partyOf(contact: UnknownRecord): UnknownRecord {
  const { familyName, emailAddress, phoneNumber, addressLines, locality, administrativeArea, postalCode } = contact;
  const [street1, ...others] = stringsOr(addressLines, []);
  return {
    givenName: contact.givenName,
    surname: familyName,
    email: emailAddress,
    phone: phoneNumber,
    street1,
    street2: others.join(', '),
    city: locality,
    state: administrativeArea,
    postcode: postalCode,
    country: stringOr(contact.countryCode, '').toUpperCase(),
  };
}

/** The fields of a payment that the shopper has authorised. */
function appleFields(payment: UnknownRecord, wanted: unknown): Fields {
  const token = asRecord(payment.token);
  const { network, type } = asRecord(token.paymentMethod);
  const [billing, shipping] = [partyOf(asRecord(payment.billingContact)), partyOf(asRecord(payment.shippingContact))];
  // Name, address and telephone are asked for with the delivery; a shop without one has the name on the bill.
  const customer = { ...shipping, ...(!shipping.surname && { givenName: billing.givenName, surname: billing.surname }) };
  return {
    'applePay.paymentToken': JSON.stringify(token.paymentData),
    ...(typeof network === 'string' && { 'applePay.cardNetwork': network }),
    ...(typeof type === 'string' && { 'applePay.cardType': type }),
    ...partyFields(wanted, { customer, billing, shipping }),
  };
}

/** The part of Apple's session that is used. Further events that a shop listens to are set by name. */
interface AppleSession extends Record<string, unknown> {
  begin(): void;
  abort(): void;
  completeMerchantValidation(session: unknown): void;
  completePayment(result: UnknownRecord): void;
  onvalidatemerchant: (event: { readonly validationURL: string }) => void;
  onpaymentauthorized: (event: { readonly payment: UnknownRecord }) => void;
  oncancel: () => void;
}

/** `window.ApplePaySession` on a device with this wallet. */
type AppleSessions = {
  new (version: number, request: UnknownRecord): AppleSession;
  readonly STATUS_SUCCESS: number;
  readonly STATUS_FAILURE: number;
  canMakePayments(): boolean;
  supportsVersion?(version: number): boolean;
  canMakePaymentsWithActiveCard?(merchantIdentifier: string): Promise<boolean>;
  applePayCapabilities?(merchantIdentifier: string): Promise<{ readonly paymentCredentialStatus: string }>;
};
type AppleError = new (code: unknown, contactField: unknown, message: unknown) => unknown;

/** The page's options for Apple Pay at this moment. */
const appleOptions = ({ options }: Environment): UnknownRecord => asRecord(options().applePay);

/** Changes that the shopper may make on the sheet: Apple's event, the page's callback, its argument, and the method that completes it. */
const changes = [
  ['onpaymentmethodselected', 'onPaymentMethodSelected', 'paymentMethod', 'completePaymentMethodSelection'],
  ['onshippingmethodselected', 'onShippingMethodSelected', 'shippingMethod', 'completeShippingMethodSelection'],
  ['onshippingcontactselected', 'onShippingContactSelected', 'shippingContact', 'completeShippingContactSelection'],
  ['oncouponcodechanged', 'onCouponCodeChanged', 'couponCode', 'completeCouponCodeChange'],
] as const;

/** Apple's sheet times out after half a minute and would report a failure. It is closed before, because the page knows more. */
const PATIENCE_MS = 25_000;

/** The gateway authenticates this shop to Apple, because the page does not have the certificate. */
async function merchantSession({ config, window }: Environment, validationUrl: string): Promise<unknown> {
  const answer = await window.fetch(`${config.origin}/v1/checkouts/${encodeURIComponent(config.checkoutId)}/walletSession`, {
    method: 'POST',
    credentials: 'omit',
    body: new URLSearchParams({ validationUrl, paymentBrand: 'APPLEPAY' }),
  });
  const json: unknown = await answer.json().catch(() => null);
  if (answer.ok && json) return json;
  throw new Error(
    `Apple Pay could not be opened for this shop: ${stringOr(asRecord(asRecord(json).result).description, 'no answer')}`,
  );
}

/** The answer of the shop's callback. An exception goes to the page's log and counts as a refusal. */
async function ask(environment: Environment, option: string, about: unknown): Promise<UnknownRecord> {
  try {
    return asRecord(await (appleOptions(environment)[option] as ((about: unknown) => unknown) | undefined)?.(about));
  } catch (error) {
    reportError(error);
    return { status: 'FAILURE' };
  }
}

/** Faults of the shopper's address, which the sheet shows where they are. */
function faultsIn({ errors }: UnknownRecord, { window }: Environment): UnknownRecord {
  const { ApplePayError } = window as { readonly ApplePayError?: AppleError };
  if (!Array.isArray(errors) || !ApplePayError) return {};
  const made = errors.map(asRecord).map(({ code, contactField, message }) => new ApplePayError(code, contactField, message));
  return { errors: made };
}

/** The events of a sheet. */
type SheetEvents = WalletEvents & {
  /** The shopper has authorized the payment; null: cancelled. */
  readonly given: (fields: Fields | null) => void;
  readonly failed: (error: Error) => void;
};

/** One sheet before the shopper, from the click that opens it. */
class AppleSheet {
  readonly #context: WalletContext;
  readonly #made: AppleSessions;
  readonly #events: SheetEvents;
  readonly #session: AppleSession;
  /** `given`: authorized, waiting for the result. `answered`: declined, the shopper may authorize again. */
  #stage: 'open' | 'given' | 'answered' | 'over' = 'open';
  #isGiven = false;
  #cancel = (): void => {};

  /** Throws if the sheet cannot be opened, for instance outside a click. */
  constructor(context: WalletContext, made: AppleSessions, events: SheetEvents) {
    const { environment, brand } = context;
    const options = appleOptions(environment);
    this.#context = context;
    this.#made = made;
    this.#events = events;
    this.#session = new made(versionOf(options), appleRequest(environment, brand, options));
    this.#session.onvalidatemerchant = ({ validationURL }) => void this.#prove(validationURL);
    this.#session.onpaymentauthorized = ({ payment }) => void this.#agreed(payment);
    this.#session.oncancel = () => this.#closed();
    // A sheet whose event is listened to waits for an answer to it.
    for (const change of changes) {
      if (typeof options[change[1]] === 'function')
        this.#session[change[0]] = (event: UnknownRecord) => void this.#changed(change, event);
    }
    this.#session.begin();
  }

  async #prove(validationUrl: string): Promise<void> {
    const { environment, brand } = this.#context;
    try {
      const proof = await merchantSession(environment, validationUrl);
      if (this.#stage === 'open') this.#session.completeMerchantValidation(proof);
    } catch (error) {
      this.drop();
      this.#events.failed(widgetError('WidgetError', (error as Error).message, { brand: brand.name, event: 'error' }));
    }
  }

  async #changed([, option, about, complete]: (typeof changes)[number], event: UnknownRecord): Promise<void> {
    const { environment, brand } = this.#context;
    const answer = await ask(environment, option, event[about]);
    if (this.#stage === 'over') return;
    if (answer.status === 'ABORT') return this.#giveUp();
    const newTotal = totalOf(environment, brand, appleOptions(environment));
    (this.#session[complete] as (update: UnknownRecord) => void)({ newTotal, ...answer, ...faultsIn(answer, environment) });
  }

  async #agreed(payment: UnknownRecord): Promise<void> {
    const { environment, lifetime } = this.#context;
    const answer = await ask(environment, 'onPaymentAuthorized', payment);
    if (this.#stage === 'over') return;
    if (answer.status === 'ABORT') return this.#giveUp();
    if (answer.status === 'FAILURE' || answer.transactionState === 'ERROR')
      return this.#session.completePayment({ status: this.#made.STATUS_FAILURE, ...faultsIn(answer, environment) });
    this.#stage = 'given';
    this.#cancel = lifetime.after(PATIENCE_MS, () => this.drop());
    const fields = appleFields(payment, appleOptions(environment).submitOnPaymentAuthorized);
    if (this.#isGiven) return this.#events.again(fields);
    this.#isGiven = true;
    this.#events.given(fields);
  }

  #closed(): void {
    this.#cancel();
    this.#stage = 'over';
    if (this.#isGiven) return;
    this.#events.closed('CANCELED');
    this.#events.given(null);
  }

  #giveUp(): void {
    this.drop();
    this.#events.given(null);
  }

  /** The attempt is over. After a failure it stays: the shopper may take another card. */
  end(isGood: boolean): void {
    if (this.#stage === 'open') this.drop();
    if (this.#stage !== 'given') return;
    this.#cancel();
    this.#stage = isGood ? 'over' : 'answered';
    try {
      this.#session.completePayment({ status: isGood ? this.#made.STATUS_SUCCESS : this.#made.STATUS_FAILURE });
    } catch {
      // The shopper has closed it meanwhile.
      this.#stage = 'over';
    }
  }

  drop(): void {
    if (this.#stage === 'over') return;
    this.#cancel();
    this.#stage = 'over';
    try {
      this.#session.abort();
    } catch {
      // It has closed by itself.
    }
  }
}
