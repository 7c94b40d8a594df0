import type { ListAsked } from '../merchants/listing.ts';
import type { Plan } from '../payments/plan.ts';

export type PlansAsked = ListAsked & { readonly state: Plan['state'] | null };

/** What lists of plans need of a store. */
export interface PlanLists {
  plansListed(asked: PlansAsked): Promise<readonly Plan[]>;
}
