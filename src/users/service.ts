import type { Right } from '../spec/rights.ts';
import type { UserNeeds } from './ports.ts';
import type { RateLimit } from './signInRate.ts';

/** Somebody who has signed in, for as long as one request lasts. */
export type SignedInUser = {
  readonly sessionId: string;
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  /** What a page of ours must send along with everything that changes something. */
  readonly csrf: string;
  /** The nodes at which he has a right; he has it for everything below them too. */
  readonly nodesWith: (right: Right) => readonly string[];
  /** Until when he counts as having shown that it is still he; 0 when he has not. */
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
  /** What the functions of this room work with. */
  readonly needs: UserNeeds;
}
