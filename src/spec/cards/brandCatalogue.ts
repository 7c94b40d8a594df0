import { methods } from '../paymentTypes.ts';
import { accountFields } from '../rules/instruments.ts';
import { brandRegion } from './brandRegions.ts';
import { type Brand, brands } from './brands.ts';

/** A brand as the catalogue shows it. */
export type CatalogueBrand = {
  readonly brand: string;
  readonly method: Brand['method'];
  readonly methodName: string;
  readonly account: Brand['account'];
  /** `sync`: the answer is final. `async`: the shopper is sent elsewhere first. */
  readonly workflow: Brand['workflow'];
  /** How the shopper pays later, for brands that are paid by a slip or an invoice. */
  readonly paidBy: NonNullable<Brand['paidBy']> | null;
  readonly cvvLength: number | null;
  readonly countries: readonly string[] | null;
  readonly currencies: readonly string[] | null;
  /** The parameters that a payment of the brand must carry; `a|b` is either of two. `[n]` is every item of the cart. */
  readonly requiredParameters: readonly string[];
};

function requiredParameters(name: string, brand: Brand): readonly string[] {
  const ofItems = brand.itemExtras?.names.map((one) => one.replace('{n}', 'n')) ?? [];
  const back = brand.workflow === 'async' ? ['shopperResultUrl'] : [];
  return [...new Set([...accountFields(name, brand), ...brand.extras, ...ofItems, ...back])];
}

/** Every brand, in the order of the table. */
export const brandCatalogue: readonly CatalogueBrand[] = Object.entries(brands).map(([name, brand]) => ({
  brand: name,
  method: brand.method,
  methodName: methods[brand.method],
  account: brand.account,
  workflow: brand.workflow,
  paidBy: brand.paidBy ?? null,
  cvvLength: brand.cvvLength ?? null,
  ...brandRegion(name),
  requiredParameters: requiredParameters(name, brand),
}));
