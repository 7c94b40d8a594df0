import type { Right } from '../spec/rights.ts';
import type { UserNeeds } from './ports.ts';
import type { RateLimit } from './signInRate.ts';

/** A signed-in user, for the time of one request. */
export type SignedInUser = {
  readonly sessionId: string;
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  /** What a page of ours must send along with everything that changes something. */
  readonly csrf: string;
  /** The nodes at which the user has a right. It extends to everything below them. */
  readonly nodesWith: (right: Right) => readonly string[];
  /** The expiry of the last step-up; 0 without one. */
  readonly steppedUpUntil: number;
};

/** What the doors ask of those who work in the back office. */
export interface UserService {
  /**
   * Whose session a cookie is; null when there is none, or not any more. A session that is used goes on, but not by what a page asks
   * by itself (`isQuiet`).
   */
  authenticate(token: string, isQuiet?: boolean): Promise<SignedInUser | null>;
  /** How fast an address may knock. */
  readonly rateLimit: RateLimit;
  /** At which port the API is; null: at that of the request. */
  readonly gatewayPort: number | null;
  /** The needs of this module's functions. */
  readonly needs: UserNeeds;
}
