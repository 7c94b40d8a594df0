import type { Right } from '../rights.ts';

/** What is answered about those who work in the back office, as its pages read it. */

/** A node of the hierarchy as somebody may see it. */
export type SeenEntity = {
  readonly id: string;
  readonly kind: 'psp' | 'division' | 'merchant' | 'channel';
  readonly name: string;
  readonly parentId: string | null;
};

/** Where somebody has a role. */
export type SeenGrant = { readonly entityId: string; readonly role: string; readonly rights: readonly Right[] };

export type Language = 'en' | 'de';

/** Of readMe. */
export type Me = {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    /** Null: as the browser asks. */
    readonly language: Language | null;
    readonly theme: 'light' | 'dark' | null;
    readonly hasTotp: boolean;
  };
  readonly grants: readonly SeenGrant[];
  /** Everything below his grants, and what is above them by name only. */
  readonly entities: readonly SeenEntity[];
  readonly environment: 'test' | 'live';
  /** To be sent as X-Turnpike-Csrf with everything but GET. */
  readonly csrf: string;
  /** As ISO instants: when the session ends if nobody does anything, and when at the latest; until when no step-up is needed (null: it is). */
  readonly idleUntil: string;
  readonly endsAt: string;
  readonly steppedUpUntil: string | null;
  /** Where the API is, such as http://127.0.0.1:8080: for curl lines, /docs and /demo. */
  readonly gatewayUrl: string;
  readonly now: string;
};

/** Of signIn: the password was right; one of these ways ends it. `passkey`: what the browser is asked with. */
export type HalfSignedIn = {
  readonly ticket: string;
  readonly ways: readonly ('totp' | 'passkey')[];
  readonly passkey: object | null;
};

/** Of readInvitation. `email` is null where whoever follows the link says it himself: the first administrator. */
export type Invitation = { readonly email: string | null; readonly name: string | null; readonly isReset: boolean };

/** Of acceptInvitation: what the app with the codes is shown, as text and as the address for a QR code. */
export type Enrolment = { readonly ticket: string; readonly secret: string; readonly uri: string };
