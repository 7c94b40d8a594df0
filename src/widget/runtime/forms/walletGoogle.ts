import type { Surroundings } from '../contract.ts';
import { widgetError } from '../errors.ts';
import { type Fields, type Loose, loose, said, type WalletDevice, type WalletOf, word } from './walletDevice.ts';
import { googleFields, googleRequest, readyRequest } from './walletGoogleRequest.ts';

/** Google's own client, as far as it is used. */
interface GoogleClient {
  isReadyToPay(request: Loose): Promise<{ readonly result: boolean }>;
  loadPaymentData(request: Loose): Promise<Loose>;
  createButton?(options: Loose): HTMLElement;
}
type Devices = {
  readonly google?: { readonly payments?: { readonly api?: { PaymentsClient: new (options: Loose) => GoogleClient } } };
};

const SCRIPT = 'https://pay.google.com/gp/p/js/pay.js';

const scripts = new WeakMap<Document, Promise<void>>();

/** Google's script, loaded once per page and only where this wallet is offered. */
function loadScript(document: Document, nonce: string | null): Promise<void> {
  const before = scripts.get(document);
  if (before) return before;
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.async = true;
    if (nonce) script.nonce = nonce;
    script.onload = () => resolve();
    script.onerror = () => {
      scripts.delete(document);
      script.remove();
      reject(new Error(`${SCRIPT} could not be loaded`));
    };
    document.head.append(script);
  });
  scripts.set(document, loading);
  return loading;
}

type Answering = { readonly option: 'onPaymentAuthorized' | 'onPaymentDataChanged'; readonly intent: string };

/** What the page answers while the sheet is open. One that is never answered would stay for ever, so a throw is an answer, too. */
const answering =
  (around: Surroundings, { option, intent }: Answering) =>
  async (data: Loose): Promise<Loose> => {
    const isEnd = option === 'onPaymentAuthorized';
    try {
      const answer = loose(await (googleOptions(around)[option] as (data: Loose) => unknown)(data));
      return isEnd ? { transactionState: 'SUCCESS', ...answer } : answer;
    } catch (thrown) {
      reportError(thrown);
      const error = { reason: 'OTHER_ERROR', message: around.text('networkTrouble'), intent };
      return isEnd ? { transactionState: 'ERROR', error } : { error };
    }
  };

const googleOptions = ({ options }: Surroundings): Loose => loose(options().googlePay);

function callbacksOf(around: Surroundings): Loose {
  const asked = [
    { option: 'onPaymentAuthorized', intent: 'PAYMENT_AUTHORIZATION' },
    { option: 'onPaymentDataChanged', intent: 'SHIPPING_ADDRESS' },
  ] as const;
  const listening = asked.filter(({ option }) => typeof googleOptions(around)[option] === 'function');
  if (listening.length === 0) return {};
  return { paymentDataCallbacks: Object.fromEntries(listening.map((one) => [one.option, answering(around, one)])) };
}

/** What Google throws is no error: a code and a text. */
function failure(thrown: unknown, brand: string): Error {
  const { statusCode, statusMessage } = loose(thrown);
  const message = word(statusMessage, thrown instanceof Error ? thrown.message : 'Google Pay could not be opened');
  return widgetError('WidgetError', message, {
    brand,
    event: 'error',
    ...(typeof statusCode === 'string' && { code: statusCode }),
  });
}

/** Google's wallet. */
export function googleDevice({ around, brand }: WalletOf): WalletDevice {
  const api = () => (around.window as Devices).google?.payments?.api;
  const options = (): Loose => googleOptions(around);

  /** Made when it is needed: pages set their functions late. */
  function client(): GoogleClient {
    const { PaymentsClient } = api() ?? {};
    if (!PaymentsClient) throw new Error('There is no Google Pay in this page');
    const { nonce } = around.given;
    const environment = around.session.isTest ? 'TEST' : 'PRODUCTION';
    return new PaymentsClient({ environment, ...callbacksOf(around), ...(nonce && { nonce }) });
  }

  return {
    async isThere() {
      try {
        if (!api()) await loadScript(around.document, around.given.nonce);
        return (await client().isReadyToPay(readyRequest(around, options()))).result;
      } catch {
        return false;
      }
    },
    button(press) {
      const { allowedPaymentMethods } = readyRequest(around, options());
      const look = { buttonColor: 'default', buttonType: 'pay', buttonSizeMode: 'fill', buttonLocale: around.language };
      const wished = said(options(), ['buttonColor', 'buttonType', 'buttonSizeMode']);
      try {
        return client().createButton?.({ ...look, ...wished, allowedPaymentMethods, onClick: press }) ?? null;
      } catch {
        // A look that Google does not know.
        return null;
      }
    },
    async open({ closed }): Promise<Fields | null> {
      try {
        const data = await client().loadPaymentData(googleRequest(around, brand, options()));
        const fields = googleFields(data, options().submitOnPaymentAuthorized);
        if (fields) return fields;
      } catch (thrown) {
        const { statusCode } = loose(thrown);
        if (statusCode !== 'CANCELED') throw failure(thrown, brand.name);
        closed(statusCode);
        return null;
      }
      throw failure(new Error('Google Pay gave no token'), brand.name);
    },
    // Its sheet has closed by itself as soon as there is a token.
    end() {},
    drop() {},
  };
}
