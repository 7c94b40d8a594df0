import type { WidgetBrand } from '../../../spec/widget.ts';
import type { Surroundings } from '../contract.ts';
import { countryOf, type Fields, type Loose, loose, networksOf, partyFields, said, word, words } from './walletDevice.ts';

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
const cardMethod = (around: Surroundings, options: Loose): Loose => ({
  type: 'CARD',
  parameters: {
    ...said(options, ofCards),
    allowedAuthMethods: words(options.allowedAuthMethods, ['PAN_ONLY', 'CRYPTOGRAM_3DS']),
    allowedCardNetworks: words(options.allowedCardNetworks, networksOf(around, 2)),
  },
});

/** Whether the shopper has any of them. */
export const readyRequest = (around: Surroundings, options: Loose): Loose => ({
  ...version,
  allowedPaymentMethods: [cardMethod(around, options)],
  ...said(options, ['existingPaymentMethodRequired']),
});

/** What the page is asked while the sheet is open: as it says, or as its functions and the sheet have use for. */
function intentsOf(options: Loose): readonly string[] {
  const has = (name: string): boolean => typeof options[name] === 'function';
  const changes = has('onPaymentDataChanged')
    ? [
        ...(options.shippingAddressRequired === true ? ['SHIPPING_ADDRESS'] : []),
        ...(options.shippingOptionRequired === true ? ['SHIPPING_OPTION'] : []),
      ]
    : [];
  return words(options.callbackIntents, [...(has('onPaymentAuthorized') ? ['PAYMENT_AUTHORIZATION'] : []), ...changes]);
}

/** The sheet as it is opened. The amount is that of the checkout: a token of this wallet names none that could be compared. */
export function googleRequest(around: Surroundings, brand: WidgetBrand, options: Loose): Loose {
  const { session } = around;
  const { wallet } = brand;
  const gateway = word(options.gateway, wallet?.gateway ?? 'turnpike');
  const gatewayMerchantId = word(options.gatewayMerchantId, wallet?.gatewayMerchantId ?? '');
  const callbackIntents = intentsOf(options);
  return {
    ...version,
    ...said(options, ofRequest),
    merchantInfo: {
      ...said(options, ['merchantId']),
      merchantName: word(options.merchantName, wallet?.displayName ?? session.merchantName),
    },
    allowedPaymentMethods: [
      {
        ...cardMethod(around, options),
        tokenizationSpecification: { type: 'PAYMENT_GATEWAY', parameters: { gateway, gatewayMerchantId } },
      },
    ],
    transactionInfo: {
      ...said(options, ofTransaction),
      countryCode: countryOf(options, brand),
      currencyCode: session.currency ?? 'EUR',
      totalPriceStatus: 'FINAL',
      totalPrice: session.amount ?? '0.00',
    },
    ...(callbackIntents.length > 0 && { callbackIntents }),
  };
}

function partyOf(address: Loose): Loose {
  const { name, address1, address2, address3, locality, administrativeArea, postalCode, countryCode, phoneNumber } = address;
  const [, givenName = '', surname = ''] = /^(?:(.*)\s)?(\S+)$/.exec(word(name, '').trim()) ?? [];
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

/** What is sent of what the shopper has agreed to; null when there is no token in it. */
export function googleFields(data: Loose, wanted: unknown): Fields | null {
  const { tokenizationData, info } = loose(data.paymentMethodData);
  const { token } = loose(tokenizationData);
  if (typeof token !== 'string') return null;
  const [billing, shipping] = [partyOf(loose(loose(info).billingAddress)), partyOf(loose(data.shippingAddress))];
  const person = shipping.surname ? shipping : billing;
  const customer = { ...person, email: data.email };
  return { 'googlePay.paymentToken': token, ...partyFields(wanted, { customer, billing, shipping }) };
}
