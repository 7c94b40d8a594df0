import { noFilters, type SearchCursor, type SearchFound, type SearchStore } from '../search/search.ts';
import { createRoutingCount, firstTypes, isRouted, type RoutingCount, type RoutingTrial } from './routingCount.ts';

export type RoutingPeriod = { readonly from: number; readonly before: number };

/** `isCut`: there are more payments than were read; `since`: those that began after it were. */
export type RoutingOutcome = RoutingCount & { readonly isCut: boolean; readonly since: number };

type Needs = {
  readonly search: SearchStore['search'];
  /** Other work has its turn. */
  readonly rest: () => Promise<void>;
};

const PAGE = 500;
/** Payments of the merchant that are looked at for one page. */
const EFFORT = 4 * PAGE;
/** Payments of the channel that one back-test reads at most. */
export const READ_MAX = 50_000;

/** Tries rules on the past payments of a channel, the newest first: what a limit leaves out is the oldest. */
export async function backtestRouting(
  trial: RoutingTrial,
  { from, before }: RoutingPeriod,
  { search, rest }: Needs,
): Promise<RoutingOutcome> {
  const { merchantId, entityId } = trial.channel;
  const asked = { ...noFilters, merchantIds: [merchantId], entityId, types: firstTypes, from, to: before };
  const count = createRoutingCount(trial);
  let after: SearchCursor | null = null;
  for (let read = 0; read < READ_MAX; read += PAGE) {
    const page: SearchFound = await search({ ...asked, needles: null, after, limit: PAGE, effort: EFFORT });
    for (const payment of page.payments) if (isRouted(payment)) count.add(payment);
    after = page.next;
    if (after === null) break;
    await rest();
  }
  return { ...count.result(), isCut: after !== null, since: after?.createdAt ?? from };
}
