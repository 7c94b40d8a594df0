import { widgetFields } from '../../spec/widget.ts';
import type { PaymentForm } from './contract.ts';
import { widgetError } from './errors.ts';
import { goOn, resultTarget } from './goOn.ts';
import { resultUrl } from './results.ts';
import type { Counter } from './submission.ts';

type Refused = { readonly result?: { readonly code?: string; readonly description?: string } };

/** Why the gateway does not keep it, as the shop knows errors. */
async function refusalOf(response: Response): Promise<Error> {
  const { result = {} } = (await response.json().catch(() => ({}))) as Refused;
  const { code = String(response.status), description = 'The form was not saved' } = result;
  return description.includes('No payment session found')
    ? widgetError('InvalidCheckoutIdError', description)
    : widgetError('WidgetError', description, { event: 'useSummaryPage', code });
}

/**
 * The gateway keeps what was entered with the checkout, and nothing is carried out. The shop is told, and goes on as it likes; one that
 * does not listen gets the shopper at its result page.
 */
export async function saveForm(
  { hooks, around, life, shopperResultUrl }: Counter,
  form: PaymentForm,
  self: object,
): Promise<void> {
  const { session, window, options } = around;
  // A field of the page may be called `action`, and would hide the form's own.
  const address = form.form.getAttribute('action') ?? '';
  const body = new URLSearchParams([...new FormData(form.form)].map(([name, value]) => [name, String(value)]));
  // Wherever the shopper is asked something later, it is not in a frame of this page.
  body.set(widgetFields.flow, 'tab');
  const headers = { accept: 'application/json' };
  const response = await window.fetch(address, {
    method: 'POST',
    body,
    headers,
    credentials: 'omit',
    signal: life.signal,
  });
  if (!response.ok) throw await refusalOf(response);
  const { id, endpoint, resourcePath } = session;
  body.delete(widgetFields.summary);
  form.renew();
  if (hooks.has('onSaveTransactionData')) {
    hooks.call('onSaveTransactionData', self, { id, checkoutId: id, endpoint, resourcePath, fields: Object.fromEntries(body) });
    return;
  }
  const url = shopperResultUrl();
  if (url === null)
    throw widgetError('WidgetError', 'useSummaryPage needs onSaveTransactionData or a result page', { event: 'useSummaryPage' });
  goOn(window, resultUrl(url, id, resourcePath), resultTarget(options()));
}
