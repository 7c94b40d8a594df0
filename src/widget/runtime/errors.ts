import type { ErrorName, WidgetError } from '../options.ts';
import type { Environment, PaymentForm } from './contract.ts';

type About = { readonly brand?: string; readonly event?: string; readonly code?: string };

/** An error for the shop, identified by its name. */
export const widgetError = (name: ErrorName, message: string, about: About = {}): WidgetError =>
  Object.assign(new Error(message), { name, ...about });

/** Any exception, as an error with one of our names. */
export function asWidgetError(thrown: unknown, about: About = {}): WidgetError {
  if (!(thrown instanceof Error)) return widgetError('WidgetError', String(thrown), about);
  const known: readonly string[] = [
    'InvalidCheckoutIdError',
    'PciIframeSubmitError',
    'PciIframeCommunicationError',
    'WidgetError',
  ];
  return known.includes(thrown.name) ? (thrown as WidgetError) : widgetError('WidgetError', thrown.message, about);
}

/** Messages for developers in the console, without any data about shoppers. */
export const developerLog = {
  hint: (text: string): void => console.info(`Turnpike: ${text}`),
  mistake: (text: string): void => console.warn(`Turnpike: ${text}`),
  error: (error: Error): void => console.error(error),
};

/** Logs which parameters of the checkout a form asks the shopper for, and how to avoid it. */
export function hintRequiredFields({ session, options }: Environment, { key, brands }: PaymentForm): void {
  const asks = session.brands.filter(({ name }) => brands.includes(name)).map((brand) => brand.asks);
  const isOwn = (name: string): boolean => name.startsWith('billing.') && options().billingAddress !== undefined;
  const names = (asks[0] ?? []).filter((name) => /^(?:billing|customer)\./.test(name) && !isOwn(name));
  const asked = key === 'registration' ? [] : names.filter((name) => asks.every((one) => one.includes(name)));
  if (asked.length === 0) return;
  const why = key === 'card' ? ' (3D Secure needs them)' : '';
  developerLog.hint(
    `the form ${key} asks the shopper for ${asked.join(', ')}${why}. Send them with POST /v1/checkouts, and it does not ask.`,
  );
}

const NESTED =
  'browsers drop a form inside another form when they read HTML. Use <div class="paymentWidgets" data-brands="…" data-action="…">, ' +
  'or put the form outside';

/** Warns about a form of the shop inside another form. */
export function warnAboutNesting(shopForm: HTMLElement): void {
  if (shopForm.matches('form') && shopForm.parentElement?.closest('form'))
    developerLog.mistake(`the form with the class paymentWidgets stands inside another form: ${NESTED}`);
}

/** Warns that the page has no place for the forms. */
export const warnAboutMissingPlace = (): void =>
  developerLog.mistake(`this page has no element with the class paymentWidgets. If its source has one, note that ${NESTED}`);
