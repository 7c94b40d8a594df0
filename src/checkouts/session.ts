import type { Channel } from '../merchants/channel.ts';
import { isApproved } from '../payments/balance.ts';
import { route } from '../payments/route.ts';
import type { Registration } from '../registrations/registration.ts';
import { type Brand, brands } from '../spec/brands.ts';
import type { PaymentType } from '../spec/paymentTypes.ts';
import type { WidgetBrand, WidgetRegistration, WidgetSession } from '../spec/widget.ts';
import { asksOf, formOf } from './asks.ts';
import { type Checkout, offered, resourcePathOf } from './checkout.ts';
import { channelsOf } from './find.ts';
import type { CheckoutRoom } from './needs.ts';
import { openPrepared } from './secrets.ts';

/** What the payment widget is told about a checkout: all that it shows, and nothing that a shopper may not see. */
export async function sessionOf(room: CheckoutRoom, checkout: Checkout): Promise<WidgetSession> {
  const { world, environment, entity } = room;
  const { id, fields, isRegistering, merchantId } = checkout;
  const attempts = await room.store.attempts(merchantId, id);
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
    brands: await brandsOf(room, checkout),
    registrations: isRegistering ? [] : registrations.flatMap((found) => (found ? shown(found.registration) : [])),
    overrideHolder: fields.overrideHolder === 'true',
    threeDSecure: channelsOf(room, checkout).some(({ threeDSecure }) => threeDSecure),
    merchantName: fields['merchant.name'] ?? entity(merchantId)?.name ?? '',
    isTest: environment === 'test',
  };
}

/** The brands that a channel of the checkout takes and somebody behind it can be asked for. */
async function brandsOf(room: CheckoutRoom, checkout: Checkout): Promise<readonly WidgetBrand[]> {
  const prepared = { ...checkout.fields, ...(await openPrepared(room, checkout)) };
  const { isRegistering } = checkout;
  const channels = channelsOf(room, checkout);
  return Object.entries(brands).flatMap(([name, brand]): WidgetBrand[] => {
    if (prepared.paymentBrand !== undefined && prepared.paymentBrand !== name) return [];
    const channel = channels.find((one) => takes(room, one, { checkout, name, brand }));
    if (!channel) return [];
    const asks = asksOf(name, { prepared, isRegistering, threeDSecure: channel.threeDSecure });
    return [{ name, form: formOf(brand), cvvLength: brand.cvvLength ?? null, asks }];
  });
}

type Wish = { readonly checkout: Checkout; readonly name: string; readonly brand: Brand };

function takes({ world, environment }: CheckoutRoom, channel: Channel, { checkout, name, brand }: Wish): boolean {
  const { fields, isRegistering } = checkout;
  // Bank details and accounts are stored; what asks nothing of the payer leaves nothing to store.
  if (isRegistering && (brand.account === 'none' || brand.account === 'wallet')) return false;
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
    (connector) => world.connector(connector),
  );
  return typeof found !== 'string';
}

const walletOf: Readonly<Record<string, 'walletA' | 'walletB' | 'walletC'>> = {
  APPLEPAY: 'walletA',
  GOOGLEPAY: 'walletB',
  SAMSUNGPAY: 'walletC',
};

/** A wallet has to be set up; that of the sandbox counts in the test environment only. */
function hasWallet({ wallets }: Channel, name: string, environment: 'test' | 'live'): boolean {
  const wallet = walletOf[name];
  const setup = wallet === undefined ? null : wallets[wallet];
  return setup !== null && setup !== undefined && (setup !== 'sandbox' || environment === 'test');
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
  }
}
