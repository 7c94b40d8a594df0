import { blockOf } from './chain.ts';
import type { LedgerStore } from './ports.ts';

/** The most postings of one block. */
const BLOCK_MAX = 1_000;

/**
 * Seals all postings without a block, merchant by merchant; returns their number. Several nodes may run it at once: of two blocks with the
 * same number one is written, and the postings of the other wait for the next run.
 */
export async function sealBooks(store: LedgerStore, blockMax = BLOCK_MAX): Promise<number> {
  let sealed = 0;
  for (const merchantId of await store.unsealedMerchants()) sealed += await sealMerchant(store, merchantId, blockMax);
  return sealed;
}

async function sealMerchant(store: LedgerStore, merchantId: string, blockMax: number): Promise<number> {
  for (let sealed = 0; ; ) {
    // The last block is read first: if another node seals in between, the number of this block is taken.
    const last = await store.lastBlock(merchantId);
    const lines = await store.unsealed(merchantId, blockMax);
    if (lines.length === 0 || !(await store.seal(blockOf(last, merchantId, lines), lines))) return sealed;
    sealed += lines.length;
    if (lines.length < blockMax) return sealed;
  }
}
