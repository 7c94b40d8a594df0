import type { ErrorName, WidgetError } from '../options.ts';

type About = { readonly brand?: string; readonly event?: string; readonly code?: string };

/** An error for the shop, identified by its name. */
export const widgetError = (name: ErrorName, message: string, about: About = {}): WidgetError =>
  Object.assign(new Error(message), { name, ...about });

/** Whatever was thrown, as an error with one of our names. */
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
