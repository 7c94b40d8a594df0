import type { NetworkName } from '../networks.ts';
import type { RangeList } from './ranges.ts';

/** Ports of the connection to live directory servers. */

/** Posts JSON over TLS with the certificate of one network. Rejects when no JSON comes back in time. */
export type Post = (
  url: string,
  json: object,
  bounds: { readonly answerBytesMax: number; readonly withinMs: number },
) => Promise<{ readonly status: number; readonly json: unknown }>;

export type StoredRangeList = { readonly list: RangeList; readonly goodAt: number };

/** Stores range lists across restarts: a directory server that is down, or limits how often it is asked, must not stop payments. */
export interface RangeStore {
  read(network: NetworkName): Promise<StoredRangeList | null>;
  write(network: NetworkName, kept: StoredRangeList): Promise<void>;
}

export type Alarm = (message: string, about: Readonly<Record<string, string>>) => void;
