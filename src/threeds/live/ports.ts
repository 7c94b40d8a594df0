import type { NetworkName } from '../networks.ts';
import type { RangeList } from './ranges.ts';

/** What the connection to live directory servers asks of its surroundings. */

/** Posts JSON over TLS with the certificate of one network. Rejects when no JSON comes back in time. */
export type Post = (
  url: string,
  json: object,
  bounds: { readonly answerBytesMax: number; readonly withinMs: number },
) => Promise<{ readonly status: number; readonly json: unknown }>;

export type Kept = { readonly list: RangeList; readonly goodAt: number };

/** Where lists outlive the process: a directory server that is down, or that gives its list out rarely, must not stop payments. */
export interface RangeKeeper {
  read(network: NetworkName): Promise<Kept | null>;
  write(network: NetworkName, kept: Kept): Promise<void>;
}

export type Alarm = (message: string, about: Readonly<Record<string, string>>) => void;
