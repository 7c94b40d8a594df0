import type { FollowUpLists } from '../payments/listing.ts';
import type { SearchStore } from '../payments/search.ts';
import type { Backtests } from '../people/backtests.ts';
import type { CabinetStore } from '../people/cabinet.ts';
import type { KeptLists } from '../risk/keptLists.ts';
import type { EntryLists } from '../risk/listing.ts';
import type { ListEntry } from '../risk/needs.ts';

/** What those need who look after risk. */
export type RiskRoom = {
  readonly lists: Pick<KeptLists, 'put' | 'remove'>;
  readonly store: EntryLists & FollowUpLists & Pick<SearchStore, 'anyPayment'> & CabinetStore;
  /** Every entry that holds, for a back-test. */
  readonly entries: (merchantId: string, now: number) => Promise<readonly ListEntry[]>;
  /** The keyed hash by which a merchant's cards are recognised. */
  readonly fingerprint: (merchantId: string, number: string) => Promise<string>;
  readonly backtests: Backtests;
};
