import type { FollowUpLists } from '../../payments/search/listing.ts';
import type { SearchStore } from '../../payments/search/search.ts';
import type { StoredLists } from '../../risk/lists/storedLists.ts';
import type { ListEntry, RiskListPages } from '../../risk/ports.ts';
import type { Backtests } from '../../users/backtests.ts';
import type { DocumentStore } from '../../users/documents.ts';

/** What those need who look after risk. */
export type RiskService = {
  readonly lists: Pick<StoredLists, 'put' | 'remove'>;
  readonly store: RiskListPages & FollowUpLists & Pick<SearchStore, 'anyPayment'> & DocumentStore;
  /** Every entry that holds, for a back-test. */
  readonly entries: (merchantId: string, now: number) => Promise<readonly ListEntry[]>;
  /** The keyed hash by which a merchant's cards are recognised. */
  readonly fingerprint: (merchantId: string, number: string) => Promise<string>;
  readonly backtests: Backtests;
};
