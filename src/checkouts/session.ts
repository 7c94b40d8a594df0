import type { Channel } from '../merchants/channel.ts';
import { isApproved } from '../payments/balance.ts';
import { route } from '../payments/connector/routing.ts';
import type { Registration } from '../registrations/registration.ts';
import { type Brand, brands } from '../spec/cards/brands.ts';
import type { PaymentType } from '../spec/paymentTypes.ts';
import type { FormKind, WidgetBrand, WidgetRegistration, WidgetSession, WidgetWallet } from '../spec/widget.ts';
import { networkOf } from '../threeds/networks.ts';
import { type Checkout, offered, resourcePathOf } from './checkout.ts';
import { channelsOf } from './find.ts';
import type { CheckoutService } from './ports.ts';
import { openPrepared } from './secrets.ts';

/** The data of the payment widget about a checkout: all that it shows, and nothing that a shopper may not see. */
export async function sessionOf(service: CheckoutService, checkout: Checkout): Promise<WidgetSession> {
  const { world, environment } = service;
  const { id, fields, isRegistering, merchantId } = checkout;
  const attempts = await service.store.attempts(merchantId, id);
  const registrations = await Promise.all(offered(checkout).map(([, one]) => world.store.registration(merchantId, one)));
  return {
    id,
    endpoint: isRegistering ? '/registration' : '/payment',
    resourcePath: resourcePathOf(checkout, isRegistering),
    amount: isRegistering ? null : (fields.amount ?? null),
    currency: isRegistering ? null : (fields.currency ?? null),
    paymentType: isRegistering ? null : (fields.paymentType ?? null),
    shopperResultUrl: fields.shopperResultUrl ?? null,
    leftMs: Math.max(0, checkout.expiresAt - world.clock.now()),
    isDone: attempts.some(isApproved),
    brands: await brandsOf(service, checkout),
    registrations: isRegistering ? [] : registrations.flatMap((found) => (found ? shown(found.registration) : [])),
    overrideHolder: fields.overrideHolder === 'true',
    threeDSecure: channelsOf(service, checkout).some(({ threeDSecure }) => threeDSecure),
    merchantName: shopNameOf(service, checkout),
    isTest: environment === 'test',
    ...(service.entity(checkout.entityId)?.settings.widgetOrigins?.includes('null') && { mayLackOrigin: true }),
  };
}

/** The name by which a shopper knows the merchant. */
export const shopNameOf = ({ entity }: CheckoutService, { fields, merchantId }: Checkout): string =>
  fields['merchant.name'] ?? entity(merchantId)?.name ?? '';

/** The brands that a channel of the checkout takes and a connector supports. */
async function brandsOf(service: CheckoutService, checkout: Checkout): Promise<readonly WidgetBrand[]> {
  const { fields, isRegistering } = checkout;
  const secrets = await openPrepared(service, checkout);
  const isPrepared = preparedIn(checkout, secrets);
  const channels = channelsOf(service, checkout);
  return Object.entries(brands).flatMap(([name, brand]): WidgetBrand[] => {
    if (fields.paymentBrand !== undefined && fields.paymentBrand !== name) return [];
    const channel = channels.find((one) => takes(service, one, { checkout, name, brand }));
    if (!channel) return [];
    const asks = requiredFieldsOf(name, { isPrepared, isRegistering, threeDSecure: channel.threeDSecure });
    const wallet = brand.account === 'wallet' ? walletShown(service, checkout, { channel, name }) : null;
    return [{ name, form: formOf(brand), cvvLength: brand.cvvLength ?? null, asks, ...(wallet && { wallet }) }];
  });
}

type BrandCandidate = { readonly checkout: Checkout; readonly name: string; readonly brand: Brand };

function takes({ world, environment }: CheckoutService, channel: Channel, { checkout, name, brand }: BrandCandidate): boolean {
  const { fields, isRegistering } = checkout;
  // Bank details and accounts are stored; what asks nothing of the payer leaves nothing to store.
  if (isRegistering && ['none', 'wallet', 'giftCard'].includes(brand.account)) return false;
  if (brand.account === 'wallet' && !hasWallet(channel, name, environment)) return false;
  const testMode = fields.testMode === 'EXTERNAL' ? 'EXTERNAL' : 'INTERNAL';
  const found = route(
    {
      paymentBrand: name,
      paymentType: isRegistering ? 'RG' : ((fields[`overridePaymentType[${name}]`] ?? fields.paymentType) as PaymentType),
      method: brand.method,
      currency: isRegistering ? null : (fields.currency ?? null),
      mode: environment === 'live' ? 'LIVE' : testMode,
      registration: null,
    },
    channel,
    world.connector,
  );
  return typeof found !== 'string';
}

const walletOf: Readonly<Record<string, 'walletA' | 'walletB' | 'walletC'>> = {
  APPLEPAY: 'walletA',
  GOOGLEPAY: 'walletB',
  SAMSUNGPAY: 'walletC',
};

/**
 * A wallet has to be set up so that a page can open it; that of the sandbox counts in the test environment only. Apple opens a
 * sheet only for a merchant with an identity. A token that Google addresses to the merchant itself has keys that a page cannot know.
 */
function hasWallet({ wallets }: Channel, name: string, environment: 'test' | 'live'): boolean {
  const wallet = walletOf[name];
  const setup = wallet === undefined ? null : wallets[wallet];
  if (setup === null || setup === 'sandbox') return setup === 'sandbox' && environment === 'test';
  if ('recipientId' in setup) return setup.recipientId.startsWith('gateway:');
  return wallet !== 'walletA' || setup.identity !== undefined;
}

/** The channel whose wallet of this brand a shopper of the checkout may open; null: it is not offered. */
export function walletChannel(service: CheckoutService, checkout: Checkout, name: string): Channel | null {
  const brand = brands[name];
  const { paymentBrand = name } = checkout.fields;
  if (brand?.account !== 'wallet' || paymentBrand !== name) return null;
  return channelsOf(service, checkout).find((one) => takes(service, one, { checkout, name, brand })) ?? null;
}

/** The merchant ids in the wallets of the sandbox, as its issuer assigns them. */
export const sandboxMerchant = ({ merchantId }: Pick<Channel, 'merchantId'>) => ({
  merchantIdentifier: `merchant.${merchantId}`,
  gateway: 'turnpike',
  gatewayMerchantId: merchantId,
});

type Opened = { readonly channel: Channel; readonly name: string };

function walletShown(service: CheckoutService, checkout: Checkout, { channel, name }: Opened): WidgetWallet | null {
  const { walletA, walletB } = channel.wallets;
  const { gateway, gatewayMerchantId, merchantIdentifier } = sandboxMerchant(channel);
  const shop = { displayName: shopNameOf(service, checkout), country: checkout.fields['merchant.country'] ?? null };
  if (name === 'APPLEPAY') {
    if (walletA === 'sandbox') return { ...shop, merchantIdentifier };
    const { displayName = shop.displayName } = walletA?.identity ?? {};
    return walletA && { ...shop, displayName, merchantIdentifier: walletA.merchantIdentifier };
  }
  if (name !== 'GOOGLEPAY' || walletB === null) return null;
  if (walletB === 'sandbox') return { ...shop, gateway, gatewayMerchantId };
  const { recipientId, gatewayMerchantId: own } = walletB;
  return { ...shop, gateway: recipientId.slice('gateway:'.length), ...(own !== null && { gatewayMerchantId: own }) };
}

/** Stored details as a shopper knows them again. */
function shown({ id, state, paymentBrand, instrument }: Registration): readonly WidgetRegistration[] {
  if (state !== 'active' || paymentBrand === null) return [];
  const named = { id, brand: paymentBrand, holder: null, expiryMonth: null, expiryYear: null } as const;
  switch (instrument.kind) {
    case 'card': {
      const { holder, expiryMonth, expiryYear, last4Digits } = instrument;
      return [{ ...named, kind: 'card', ends: last4Digits, holder, expiryMonth, expiryYear }];
    }
    case 'tokenAccount': {
      const { expiryMonth, expiryYear, last4Digits } = instrument;
      return [{ ...named, kind: 'card', ends: last4Digits, expiryMonth, expiryYear }];
    }
    case 'bankAccount':
      return [{ ...named, kind: 'bankAccount', ends: instrument.last4Digits ?? '', holder: instrument.holder }];
    case 'virtualAccount':
      return [{ ...named, kind: 'virtualAccount', ends: instrument.accountId }];
    case 'giftCard':
      return [];
  }
}

const ADDRESS = ['billing.street1', 'billing.city', 'billing.postcode', 'billing.country'];
/** Known from the connection, or to the merchant alone: the shopper is not asked for it. */
const isNotAsked = (name: string): boolean => name === 'customer.ip' || name.startsWith('cart.');

const isDrawn = ({ account, method }: Brand): boolean => account === 'bankAccount' && (method === 'DD' || method === 'CT');

/** Which form a brand is paid by. */
function formOf(brand: Brand): FormKind {
  switch (brand.account) {
    case 'card':
      return 'card';
    case 'wallet':
      return 'wallet';
    case 'giftCard':
      return 'giftCard';
    case 'bankAccount':
      return isDrawn(brand) ? 'directDebit' : 'onlineTransfer';
    case 'none':
      return 'prepayment';
    case 'virtualAccount':
      return brand.paidBy === 'slip' ? 'prepayment' : brand.paidBy === 'invoice' ? 'invoice' : 'virtualAccount';
  }
}

type FieldContext = {
  /** Whether the merchant has prepared the field. */
  readonly isPrepared: (name: string) => boolean;
  readonly isRegistering: boolean;
  /** The channel authenticates cardholders. */
  readonly threeDSecure: boolean;
};

/** Whether the merchant has prepared a field, in clear or sealed. Neither is copied: a cart may have thousands of them. */
export const preparedIn =
  ({ fields }: Pick<Checkout, 'fields'>, secrets: Readonly<Record<string, string>>) =>
  (name: string): boolean =>
    fields[name] !== undefined || secrets[name] !== undefined;

/** The fields that a shopper must fill in for this brand, by wire names: required ones that the merchant has not prepared. */
export function requiredFieldsOf(name: string, { isPrepared, isRegistering, threeDSecure }: FieldContext): readonly string[] {
  const brand = brands[name];
  if (!brand) return [];
  const account = isDrawn(brand) ? ['bankAccount.holder', 'bankAccount.iban', 'bankAccount.bic'] : [];
  const needed = new Set([...account, ...brand.extras]);
  // Not every gift card has one, but the form that asks for a number asks for it too.
  if (brand.account === 'giftCard') needed.add('giftCard.pin');
  if (brand.isByPhoneOrCode && !isRegistering) needed.add('customer.mobile');
  if (isRegistering && brand.account === 'virtualAccount') needed.add('virtualAccount.accountId');
  if (isRegistering && brand.account === 'bankAccount') needed.add('bankAccount.iban');
  if (threeDSecure && brand.account === 'card' && networkOf(name) !== null) for (const one of ADDRESS) needed.add(one);
  return [...needed].filter((one) => !isPrepared(one) && !isNotAsked(one));
}
