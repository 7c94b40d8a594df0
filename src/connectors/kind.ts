import type { AcquirerAnswer, Attempt, Connector } from '../payments/ports.ts';
import type { Clock } from '../spec/time.ts';

/** What a connector is given to live with: it takes no time, chance or waiting of its own. */
export type ConnectorNeeds = {
  /** The time that this merchant lives in. */
  clockOf(merchantId: string): Clock;
  sleep(ms: number): Promise<void>;
  /** So many bytes that nobody can foresee. */
  random(bytes: number): Uint8Array;
  /** Brings in what the far side tells by itself. */
  tell(payment: { readonly merchantId: string; readonly paymentId: string }, answer: AcquirerAnswer): Promise<void>;
  /** Whether the issuers of the test environment gave the proof of an attempt; null: it is none of theirs. Live has none. */
  isProof?(attempt: Attempt): boolean | null;
};

/** A connector before it is set up: what it can do is data, for the router, the documentation and the back office. */
export type ConnectorKind = Pick<Connector, 'name' | 'modes' | 'supports'> & {
  create(needs: ConnectorNeeds): Connector;
};
