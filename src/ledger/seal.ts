import { blockOf } from './chain.ts';
import type { LedgerStore } from './ports.ts';

/** Postings of one block: more wait for the next. */
const BLOCK_MAX = 1_000;

/**
 * Seals what is in no block yet, merchant by merchant; answers how many postings. Many nodes may do so at once: of two blocks with the
 * same number one is written, and what the other wanted to seal waits for the next turn.
 */
export async function sealBooks(store: LedgerStore, blockMax = BLOCK_MAX): Promise<number> {
  let sealed = 0;
  for (const merchantId of await store.unsealedMerchants()) sealed += await sealMerchant(store, merchantId, blockMax);
  return sealed;
}

async function sealMerchant(store: LedgerStore, merchantId: string, blockMax: number): Promise<number> {
  for (let sealed = 0; ; ) {
    // The block first: whatever is sealed in between makes the number of ours one that is taken.
    const last = await store.lastBlock(merchantId);
    const lines = await store.unsealed(merchantId, blockMax);
    if (lines.length === 0 || !(await store.seal(blockOf(last, merchantId, lines), lines))) return sealed;
    sealed += lines.length;
    if (lines.length < blockMax) return sealed;
  }
}
