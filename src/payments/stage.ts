/**
 * The stages of a payment, in their order. At the end of each one a payment waits for the others of its tick of the event loop, so that the
 * code of a stage runs for one payment after the other and is found in the processor's caches (decisions/0086). The last stage ends with
 * the commit.
 */
export const stages = {
  form: 'authenticate the caller and decode the form',
  check: 'check the form',
  decision: 'build the order and decide',
  draft: 'draft the payment, with the fingerprint of the card',
  screening: 'run the risk checks and begin an authentication',
  sealing: 'ask a connector that answers in the process, and seal the instrument',
  commit: 'derive the ledger posting and the statistics line, and write the row',
} as const;

const done = Promise.resolve();

/**
 * The end of a stage. Node continues functions in the order in which they began to wait, so no queue is needed: a payment without a
 * neighbour continues immediately, and one that ends early or waits for a connector delays no other.
 */
export const endOf = (_stage: Exclude<keyof typeof stages, 'commit'>): Promise<void> => done;
