import type { AcquirerAnswer, Attempt, Connector } from '../payments/ports.ts';
import type { Clock } from '../spec/time.ts';

/** The dependencies of a connector: time, randomness and waiting are injected. */
export type ConnectorNeeds = {
  /** The clock of this merchant; a test clock may move it. */
  clockOf(merchantId: string): Clock;
  sleep(ms: number): Promise<void>;
  /** Cryptographically random bytes. */
  random(bytes: number): Uint8Array;
  /** Delivers a notification of the acquirer. */
  notify(payment: { readonly merchantId: string; readonly paymentId: string }, answer: AcquirerAnswer): Promise<void>;
  /** Whether the issuers of the test environment gave the proof of an attempt; null when it is not theirs. Absent in live mode. */
  isProof?(attempt: Attempt): boolean | null;
};

/** A connector before it is set up. Its capabilities are data for the router, the documentation and the back office. */
export type ConnectorKind = Pick<Connector, 'name' | 'modes' | 'supports'> & {
  create(needs: ConnectorNeeds): Connector;
};
