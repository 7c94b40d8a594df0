import type { Surroundings } from '../contract.ts';
import { widgetError } from '../errors.ts';
import { appleFields, appleRequest, totalOf, versionOf } from './walletAppleRequest.ts';
import { type Fields, type Loose, loose, type WalletEvents, type WalletOf, word } from './walletDevice.ts';

/** Apple's session, as far as it is used. What a shop listens to of the rest is listened to by name. */
interface AppleSession extends Record<string, unknown> {
  begin(): void;
  abort(): void;
  completeMerchantValidation(session: unknown): void;
  completePayment(result: Loose): void;
  onvalidatemerchant: (event: { readonly validationURL: string }) => void;
  onpaymentauthorized: (event: { readonly payment: Loose }) => void;
  oncancel: () => void;
}

/** What a device with this wallet has in its window. */
export type AppleSessions = {
  new (version: number, request: Loose): AppleSession;
  readonly STATUS_SUCCESS: number;
  readonly STATUS_FAILURE: number;
  canMakePayments(): boolean;
  supportsVersion?(version: number): boolean;
  canMakePaymentsWithActiveCard?(merchantIdentifier: string): Promise<boolean>;
  applePayCapabilities?(merchantIdentifier: string): Promise<{ readonly paymentCredentialStatus: string }>;
};
type AppleError = new (code: unknown, contactField: unknown, message: unknown) => unknown;

/** What the page says of it at this moment. */
export const appleOptions = ({ options }: Surroundings): Loose => loose(options().applePay);

/** What the shopper may change on the sheet: Apple's event, the option that is asked, what it is asked about, and the answer. */
const changes = [
  ['onpaymentmethodselected', 'onPaymentMethodSelected', 'paymentMethod', 'completePaymentMethodSelection'],
  ['onshippingmethodselected', 'onShippingMethodSelected', 'shippingMethod', 'completeShippingMethodSelection'],
  ['onshippingcontactselected', 'onShippingContactSelected', 'shippingContact', 'completeShippingContactSelection'],
  ['oncouponcodechanged', 'onCouponCodeChanged', 'couponCode', 'completeCouponCodeChange'],
] as const;

/** A sheet gives up by itself after half a minute. Before it says that nothing was paid it is taken away: the page knows more. */
const PATIENCE_MS = 25_000;

/** The gateway proves to Apple that this shop may ask: the certificate for that is not the page's. */
async function merchantSession({ given, window }: Surroundings, validationUrl: string): Promise<unknown> {
  const answer = await window.fetch(`${given.origin}/v1/checkouts/${encodeURIComponent(given.checkoutId)}/walletSession`, {
    method: 'POST',
    credentials: 'omit',
    body: new URLSearchParams({ validationUrl, paymentBrand: 'APPLEPAY' }),
  });
  const json: unknown = await answer.json().catch(() => null);
  if (answer.ok && json) return json;
  throw new Error(`Apple Pay could not be opened for this shop: ${word(loose(loose(json).result).description, 'no answer')}`);
}

/** What the shop answers; what it throws is for its own log, and counts as a no. */
async function ask(around: Surroundings, option: string, about: unknown): Promise<Loose> {
  try {
    return loose(await (appleOptions(around)[option] as ((about: unknown) => unknown) | undefined)?.(about));
  } catch (error) {
    reportError(error);
    return { status: 'FAILURE' };
  }
}

/** Faults of the shopper's address, which the sheet shows where they are. */
function faultsIn({ errors }: Loose, { window }: Surroundings): Loose {
  const { ApplePayError } = window as { readonly ApplePayError?: AppleError };
  if (!Array.isArray(errors) || !ApplePayError) return {};
  const made = errors.map(loose).map(({ code, contactField, message }) => new ApplePayError(code, contactField, message));
  return { errors: made };
}

/** The events of a sheet. */
export type SheetEvents = WalletEvents & {
  /** The shopper has authorized the payment; null: cancelled. */
  readonly given: (fields: Fields | null) => void;
  readonly failed: (error: Error) => void;
};

/** One sheet before the shopper, from the click that opens it. */
export class AppleSheet {
  readonly #of: WalletOf;
  readonly #made: AppleSessions;
  readonly #events: SheetEvents;
  readonly #session: AppleSession;
  /** `given`: authorized, waiting for the result. `answered`: declined, the shopper may authorize again. */
  #stage: 'open' | 'given' | 'answered' | 'over' = 'open';
  #isGiven = false;
  #callOff = (): void => {};

  /** Throws where it cannot be opened, as it cannot outside of a click. */
  constructor(of: WalletOf, made: AppleSessions, events: SheetEvents) {
    const { around, brand } = of;
    const options = appleOptions(around);
    this.#of = of;
    this.#made = made;
    this.#events = events;
    this.#session = new made(versionOf(options), appleRequest(around, brand, options));
    this.#session.onvalidatemerchant = ({ validationURL }) => void this.#prove(validationURL);
    this.#session.onpaymentauthorized = ({ payment }) => void this.#agreed(payment);
    this.#session.oncancel = () => this.#closed();
    // A sheet whose event is listened to waits for an answer to it.
    for (const change of changes) {
      if (typeof options[change[1]] === 'function')
        this.#session[change[0]] = (event: Loose) => void this.#changed(change, event);
    }
    this.#session.begin();
  }

  async #prove(validationUrl: string): Promise<void> {
    const { around, brand } = this.#of;
    try {
      const proof = await merchantSession(around, validationUrl);
      if (this.#stage === 'open') this.#session.completeMerchantValidation(proof);
    } catch (error) {
      this.drop();
      this.#events.failed(widgetError('WidgetError', (error as Error).message, { brand: brand.name, event: 'error' }));
    }
  }

  async #changed([, option, about, complete]: (typeof changes)[number], event: Loose): Promise<void> {
    const { around, brand } = this.#of;
    const answer = await ask(around, option, event[about]);
    if (this.#stage === 'over') return;
    if (answer.status === 'ABORT') return this.#giveUp();
    const newTotal = totalOf(around, brand, appleOptions(around));
    (this.#session[complete] as (update: Loose) => void)({ newTotal, ...answer, ...faultsIn(answer, around) });
  }

  async #agreed(payment: Loose): Promise<void> {
    const { around, life } = this.#of;
    const answer = await ask(around, 'onPaymentAuthorized', payment);
    if (this.#stage === 'over') return;
    if (answer.status === 'ABORT') return this.#giveUp();
    if (answer.status === 'FAILURE' || answer.transactionState === 'ERROR')
      return this.#session.completePayment({ status: this.#made.STATUS_FAILURE, ...faultsIn(answer, around) });
    this.#stage = 'given';
    this.#callOff = life.after(PATIENCE_MS, () => this.drop());
    const fields = appleFields(payment, appleOptions(around).submitOnPaymentAuthorized);
    if (this.#isGiven) return this.#events.again(fields);
    this.#isGiven = true;
    this.#events.given(fields);
  }

  #closed(): void {
    this.#callOff();
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
    this.#callOff();
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
    this.#callOff();
    this.#stage = 'over';
    try {
      this.#session.abort();
    } catch {
      // It has gone by itself.
    }
  }
}
