import { type Bucket, draw } from '../merchants/throttle.ts';
import type { Right } from '../spec/rights.ts';
import type { Clock } from '../spec/time.ts';
import type { UserNeeds } from './ports.ts';

/** A signed-in user, for the time of one request. */
export type SignedInUser = {
  readonly sessionId: string;
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  /** The CSRF token. A page must send it with every command. */
  readonly csrf: string;
  /** The nodes at which the user has a right. It extends to everything below them. */
  readonly nodesWith: (right: Right) => readonly string[];
  /** The expiry of the last step-up; 0 without one. */
  readonly steppedUpUntil: number;
};

/** Authenticates and limits the users of the back office. */
export interface UserService {
  /**
   * The user of a session cookie; null when the session is unknown or over. A request extends the session, unless it is a background
   * request of a page (`isQuiet`).
   */
  authenticate(token: string, isQuiet?: boolean): Promise<SignedInUser | null>;
  /** The rate limit of sign-ins by address. */
  readonly rateLimit: RateLimit;
  /** At which port the API is; null: at that of the request. */
  readonly gatewayPort: number | null;
  /** The needs of this module's functions. */
  readonly needs: UserNeeds;
}

/** For all users behind one address: enough for an office on Monday morning, too little to guess or to flood. */
const LIMIT = { requests: 120, perSeconds: 60 };
const ADDRESSES_MAX = 10_000;

/** 0: go ahead. Otherwise how many milliseconds to wait. */
type RateLimit = (address: string) => number;

/** The rate limit by address, in the memory of this node. Beyond the maximum the oldest address is dropped. */
export function createRateLimit(clock: Clock): RateLimit {
  const buckets = new Map<string, Bucket>();
  return (address) => {
    const bucket = draw(buckets.get(address), LIMIT, clock.now());
    buckets.delete(address);
    buckets.set(address, bucket);
    const [oldest] = buckets.size > ADDRESSES_MAX ? buckets.keys() : [];
    if (oldest !== undefined) buckets.delete(oldest);
    return bucket.waitMs;
  };
}
