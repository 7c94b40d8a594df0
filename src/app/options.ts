import type { Build } from '../assets/asset.ts';
import type { TrustedProxies } from '../http/server/clientAddress.ts';
import type { Log } from '../http/server/log.ts';
import type { Metrics } from '../http/server/metrics.ts';
import type { Replies } from '../http/server/replies.ts';
import type { RunBacktest } from '../payments/backtest/run.ts';
import type { Timers } from '../payments/ports.ts';
import type { Lookups } from '../risk/ports.ts';
import type { Clock } from '../spec/time.ts';
import type { Store } from '../store/store.ts';
import type { LiveConnections } from '../threeds/live/connection.ts';
import type { BreachedList } from '../users/breachedList.ts';
import type { MasterKey } from '../vault/masterKey.ts';

/** What the house is built with. Time and patience are given, so that a test can bring its own. */
export type AppOptions = {
  readonly environment: 'test' | 'live';
  readonly store: Store;
  /** The master key that wraps now first, older ones after it. */
  readonly masters: readonly [MasterKey, ...MasterKey[]];
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly replies: Replies;
  readonly metrics: Metrics;
  readonly trust: TrustedProxies;
  /** Whether others have lost a password, by the operator's own list; left out: there is none. */
  readonly isBreached?: BreachedList | undefined;
  /** Where the API listens, for the pages of the back office; left out: at the port of their requests. */
  readonly gatewayPort?: number;
  /** The origin under which browsers know the gateway; null or left out: the one that a request came by. */
  readonly publicUrl?: string | null;
  /** The widget as this node serves it. */
  readonly widget: Build;
  /** Stands in the ids of this node's checkouts. */
  readonly nodeName: string;
  /** How the schemes' directory servers are reached; null: nobody is authenticated in live. */
  readonly connections?: LiveConnections | null;
  /** What is known of cards and addresses by their numbers. */
  readonly lookups?: Lookups;
  /** Tries rules on the past in other threads; left out: in this one. */
  readonly backtest?: RunBacktest;
  /** No other process takes payments into the store. */
  readonly isAlone?: boolean;
  /** Where this node keeps what it may lose. */
  readonly dataDir?: string;
  /** Where acquirers' files are laid down; left out: nowhere. */
  readonly settlementDir?: string | null;
  /** How long a file may be that is sent to us; left out: half a gigabyte. */
  readonly settlementBytesMax?: number;
  /** SHA-256 of the operator's own token; left out: nobody is the operator. */
  readonly operatorHash?: Uint8Array | null;
  /** How long calls of the API are kept and how many of each merchant; null: none. Left out: as the environment has it. */
  readonly inspect?: { readonly days: number; readonly callsMax: number } | null;
  /** Whom webhooks may be; left out: as the environment has it. */
  readonly webhookReach?: 'loopback' | 'public';
};
