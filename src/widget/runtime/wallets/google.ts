import type { WidgetBrand } from '../../../spec/widget.ts';
import { registryOf } from '../../loader/registry.ts';
import type { Environment } from '../contract.ts';
import { widgetError } from '../errors.ts';
import {
  asRecord,
  countryOf,
  type Fields,
  networksOf,
  partyFields,
  pickDefined,
  stringOr,
  stringsOr,
  type UnknownRecord,
  type WalletContext,
  type WalletDevice,
} from './device.ts';

/** Google's own client, as far as it is used. */
interface GoogleClient {
  isReadyToPay(request: UnknownRecord): Promise<{ readonly result: boolean }>;
  loadPaymentData(request: UnknownRecord): Promise<UnknownRecord>;
  createButton?(options: UnknownRecord): HTMLElement;
}
type Devices = {
  readonly google?: { readonly payments?: { readonly api?: { PaymentsClient: new (options: UnknownRecord) => GoogleClient } } };
};

const SCRIPT = 'https://pay.google.com/gp/p/js/pay.js';

/** Google's script, loaded once per page and only where this wallet is offered. After a failure the next form tries again. */
function loadScript({ window, document, config }: Environment): Promise<void> {
  const registry = registryOf(window);
  registry.googleScript ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.async = true;
    if (config.nonce) script.nonce = config.nonce;
    script.onload = () => resolve();
    script.onerror = () => {
      registry.googleScript = undefined;
      script.remove();
      reject(new Error(`${SCRIPT} could not be loaded`));
    };
    document.head.append(script);
  });
  return registry.googleScript;
}

type Answering = { readonly option: 'onPaymentAuthorized' | 'onPaymentDataChanged'; readonly intent: string };

/** The page's answer while the sheet is open. A sheet without an answer would stay for ever, so an exception is an answer, too. */
const answering =
  (environment: Environment, { option, intent }: Answering) =>
  async (data: UnknownRecord): Promise<UnknownRecord> => {
    const isEnd = option === 'onPaymentAuthorized';
    try {
      const answer = asRecord(await (googleOptions(environment)[option] as (data: UnknownRecord) => unknown)(data));
      return isEnd ? { transactionState: 'SUCCESS', ...answer } : answer;
    } catch (thrown) {
      reportError(thrown);
      const error = { reason: 'OTHER_ERROR', message: environment.text('networkTrouble'), intent };
      return isEnd ? { transactionState: 'ERROR', error } : { error };
    }
  };

const googleOptions = ({ options }: Environment): UnknownRecord => asRecord(options().googlePay);

function callbacksOf(environment: Environment): UnknownRecord {
  const asked = [
    { option: 'onPaymentAuthorized', intent: 'PAYMENT_AUTHORIZATION' },
    { option: 'onPaymentDataChanged', intent: 'SHIPPING_ADDRESS' },
  ] as const;
  const listening = asked.filter(({ option }) => typeof googleOptions(environment)[option] === 'function');
  if (listening.length === 0) return {};
  return { paymentDataCallbacks: Object.fromEntries(listening.map((one) => [one.option, answering(environment, one)])) };
}

/** Google throws no `Error` but an object with a code and a text. */
function failure(thrown: unknown, brand: string): Error {
  const { statusCode, statusMessage } = asRecord(thrown);
  const message = stringOr(statusMessage, thrown instanceof Error ? thrown.message : 'Google Pay could not be opened');
  return widgetError('WidgetError', message, {
    brand,
    event: 'error',
    ...(typeof statusCode === 'string' && { code: statusCode }),
  });
}

/** Google's wallet. */
export function googleDevice({ environment, brand }: WalletContext): WalletDevice {
  const api = () => (environment.window as Devices).google?.payments?.api;
  const options = (): UnknownRecord => googleOptions(environment);

  /** Created when it is needed, because pages set their functions late. */
  function client(): GoogleClient {
    const { PaymentsClient } = api() ?? {};
    if (!PaymentsClient) throw new Error('There is no Google Pay in this page');
    const { nonce } = environment.config;
    return new PaymentsClient({
      environment: environment.session.isTest ? 'TEST' : 'PRODUCTION',
      ...callbacksOf(environment),
      ...(nonce && { nonce }),
    });
  }

  return {
    async isAvailable() {
      try {
        if (!api()) await loadScript(environment);
        return (await client().isReadyToPay(readyRequest(environment, options()))).result;
      } catch {
        return false;
      }
    },
    button(press) {
      const { allowedPaymentMethods } = readyRequest(environment, options());
      const look = { buttonColor: 'default', buttonType: 'pay', buttonSizeMode: 'fill', buttonLocale: environment.language };
      const wished = pickDefined(options(), ['buttonColor', 'buttonType', 'buttonSizeMode']);
      try {
        return client().createButton?.({ ...look, ...wished, allowedPaymentMethods, onClick: press }) ?? null;
      } catch {
        // A style that Google does not know.
        return null;
      }
    },
    async open({ closed }): Promise<Fields | null> {
      try {
        const data = await client().loadPaymentData(googleRequest(environment, brand, options()));
        const fields = googleFields(data, options().submitOnPaymentAuthorized);
        if (fields) return fields;
      } catch (thrown) {
        const { statusCode } = asRecord(thrown);
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

/** Version of Google's own requests. */
const version = { apiVersion: 2, apiVersionMinor: 0 };

const ofCards = ['allowPrepaidCards', 'allowCreditCards', 'billingAddressRequired', 'billingAddressParameters'];
const ofTransaction = ['displayItems', 'totalPriceLabel', 'checkoutOption'];
const ofRequest = [
  'emailRequired',
  'shippingAddressRequired',
  'shippingAddressParameters',
  'shippingOptionRequired',
  'shippingOptionParameters',
];

/** The cards that are asked for. */
const cardMethod = (environment: Environment, options: UnknownRecord): UnknownRecord => ({
  type: 'CARD',
  parameters: {
    ...pickDefined(options, ofCards),
    allowedAuthMethods: stringsOr(options.allowedAuthMethods, ['PAN_ONLY', 'CRYPTOGRAM_3DS']),
    allowedCardNetworks: stringsOr(options.allowedCardNetworks, networksOf(environment, 2)),
  },
});

/** Whether the shopper has any of them. */
const readyRequest = (environment: Environment, options: UnknownRecord): UnknownRecord => ({
  ...version,
  allowedPaymentMethods: [cardMethod(environment, options)],
  ...pickDefined(options, ['existingPaymentMethodRequired']),
});

/** The callback intents of the sheet: the page's own list, or derived from its functions and the sheet's contents. */
function intentsOf(options: UnknownRecord): readonly string[] {
  const has = (name: string): boolean => typeof options[name] === 'function';
  const changes = has('onPaymentDataChanged')
    ? [
        ...(options.shippingAddressRequired === true ? ['SHIPPING_ADDRESS'] : []),
        ...(options.shippingOptionRequired === true ? ['SHIPPING_OPTION'] : []),
      ]
    : [];
  return stringsOr(options.callbackIntents, [...(has('onPaymentAuthorized') ? ['PAYMENT_AUTHORIZATION'] : []), ...changes]);
}

/** The sheet as it is opened. The amount is that of the checkout: a token of this wallet names none that could be compared. */
function googleRequest(environment: Environment, brand: WidgetBrand, options: UnknownRecord): UnknownRecord {
  const { session } = environment;
  const { wallet } = brand;
  const gateway = stringOr(options.gateway, wallet?.gateway ?? 'turnpike');
  const gatewayMerchantId = stringOr(options.gatewayMerchantId, wallet?.gatewayMerchantId ?? '');
  const callbackIntents = intentsOf(options);
  return {
    ...version,
    ...pickDefined(options, ofRequest),
    merchantInfo: {
      ...pickDefined(options, ['merchantId']),
      merchantName: stringOr(options.merchantName, wallet?.displayName ?? session.merchantName),
    },
    allowedPaymentMethods: [
      {
        ...cardMethod(environment, options),
        tokenizationSpecification: { type: 'PAYMENT_GATEWAY', parameters: { gateway, gatewayMerchantId } },
      },
    ],
    transactionInfo: {
      ...pickDefined(options, ofTransaction),
      countryCode: countryOf(options, brand),
      currencyCode: session.currency ?? 'EUR',
      totalPriceStatus: 'FINAL',
      totalPrice: session.amount ?? '0.00',
    },
    ...(callbackIntents.length > 0 && { callbackIntents }),
  };
}

function partyOf(address: UnknownRecord): UnknownRecord {
  const { name, address1, address2, address3, locality, administrativeArea, postalCode, countryCode, phoneNumber } = address;
  const [, givenName = '', surname = ''] = /^(?:(.*)\s)?(\S+)$/.exec(stringOr(name, '').trim()) ?? [];
  return {
    givenName,
    surname,
    phone: phoneNumber,
    street1: address1,
    street2: [address2, address3].filter(Boolean).join(', '),
    city: locality,
    state: administrativeArea,
    postcode: postalCode,
    country: countryCode,
  };
}

/** The fields of an authorised payment; null when it has no token. */
function googleFields(data: UnknownRecord, wanted: unknown): Fields | null {
  const { tokenizationData, info } = asRecord(data.paymentMethodData);
  const { token } = asRecord(tokenizationData);
  if (typeof token !== 'string') return null;
  const [billing, shipping] = [partyOf(asRecord(asRecord(info).billingAddress)), partyOf(asRecord(data.shippingAddress))];
  const person = shipping.surname ? shipping : billing;
  const customer = { ...person, email: data.email };
  return { 'googlePay.paymentToken': token, ...partyFields(wanted, { customer, billing, shipping }) };
}
