import type { WidgetSession } from '../../spec/widget.ts';
import type { Wpwl } from '../loader/desk.ts';
import type { Given } from './contract.ts';

/** Tells pages of the checkout what they look for in `wpwl.checkout`. */
export function describe({ checkout }: Wpwl, session: WidgetSession, { origin, cacheVersion }: Given): void {
  const { id, amount, currency, paymentType, endpoint, resourcePath, registrations, brands, overrideHolder, isTest } = session;
  Object.assign(checkout, { id, amount, currency, paymentType, endpoint, resourcePath });
  Object.assign(checkout.config as object, {
    registrations,
    overrideHolder,
    brandConfig: { brands: brands.map(({ name }) => name), overrideShopBrands: false, activateBrands: true },
    environmentConfig: { url: origin, defaultPaymentMode: isTest ? 'TEST' : 'LIVE', cacheVersion },
  });
}
