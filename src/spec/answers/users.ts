import type { Right } from '../rights.ts';
import type { AmountText, Id, Instant } from './texts.ts';

/** Answers about users of the back office, their sessions, roles and approvals. */

/** An entity that the user may see. */
export type EntityView = {
  readonly id: string;
  readonly kind: 'psp' | 'division' | 'merchant' | 'channel';
  readonly name: string;
  readonly parentId: string | null;
};

/** A role of the user at an entity. */
export type GrantView = { readonly entityId: Id; readonly role: string; readonly rights: readonly Right[] };

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
  readonly grants: readonly GrantView[];
  /** Everything below the grants, and the entities above them by name only. */
  readonly entities: readonly EntityView[];
  readonly environment: 'test' | 'live';
  /** To be sent as X-Turnpike-Csrf with everything but GET. */
  readonly csrf: string;
  /** ISO instants: when the session ends without activity, and when it ends at the latest. */
  readonly idleUntil: Instant;
  readonly endsAt: Instant;
  /** Until when no step-up is needed; null: it is. */
  readonly steppedUpUntil: Instant | null;
  /** Where the API is, such as http://127.0.0.1:8080: for curl lines, /docs and /demo. */
  readonly gatewayUrl: string;
  readonly now: Instant;
};

/** Of signIn: the password was right, and one of these ways completes the sign-in. `passkey`: the options for the browser. */
export type HalfSignedIn = {
  readonly ticket: string;
  readonly ways: readonly ('totp' | 'passkey')[];
  readonly passkey: object | null;
};

/** Of readInvitation. `email` is null for the first administrator, who enters it. */
export type Invitation = { readonly email: string | null; readonly name: string | null; readonly isReset: boolean };

/** Of acceptInvitation: the secret for the app with the codes, as text and as the address for a QR code. */
export type Enrolment = { readonly ticket: string; readonly secret: string; readonly uri: string };

/** Of listUsers and readUser. `grants` has only entities that the caller may see. */
export type UserView = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** `invited`: the invitation link was not used yet. */
  readonly state: 'invited' | 'active' | 'disabled';
  /** Locked out until then after too many failed sign-ins; null: not locked. All instants are ISO texts. */
  readonly lockedUntil: Instant | null;
  readonly hasTotp: boolean;
  readonly passkeys: number;
  readonly grants: readonly { readonly entityId: Id; readonly role: string }[];
  /** Whether the caller has all rights of this user, and so may disable or reset the user. */
  readonly isManageable: boolean;
  readonly createdAt: Instant;
  readonly signedInAt: Instant | null;
};

/** Of listUsers. */
export type UsersView = { readonly users: readonly UserView[] };

/** Of inviteUser and resetUser: the link is shown once. */
export type LinkView = { readonly user: UserView; readonly link: string; readonly until: Instant };

/** Of listRoles. A role that is always there has no entity; its id is its name. `isGivable`: whether you may give it here. */
export type RoleView = {
  readonly id: string;
  readonly name: string;
  readonly entityId: Id | null;
  readonly rights: readonly Right[];
  readonly isGivable: boolean;
};
export type RolesView = { readonly roles: readonly RoleView[] };

/** Of listSessions. */
export type SessionView = {
  readonly id: string;
  readonly isThis: boolean;
  readonly from: string;
  /** The name that the browser gives itself. */
  readonly agent: string;
  readonly createdAt: Instant;
  readonly usedAt: Instant;
  readonly endsAt: Instant;
};
export type SessionsView = { readonly sessions: readonly SessionView[] };

/** Of listPasskeys. */
export type PasskeyView = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Instant;
  readonly usedAt: Instant | null;
};
export type PasskeysView = { readonly passkeys: readonly PasskeyView[] };

/** Of passkeyOptions, stepUpOptions and newPasskeyOptions: the options for the browser. */
export type PasskeyQuestion = { readonly ticket: string; readonly passkey: object };

/**
 * Why a second person is needed: the amount alone, the sum of what the user moved alone on this payment, or that of the day (UTC) would
 * exceed the limit. Amounts as on the wire.
 */
export type ReasonView = { readonly rule: 'single' | 'payment' | 'day'; readonly sum: string; readonly limit: string };

/** Of changeEntity, changeUser and changeRole in the place of what they answer otherwise: the change waits for a second person. */
export type AskedSecond = { readonly approval: { readonly id: string; readonly approvers: readonly string[] } };

/** Of listApprovals, approve and refuse. */
export type ApprovalView = {
  readonly id: string;
  /** The endpoint of the action. */
  readonly what: string;
  readonly entityId: Id;
  readonly objectId: string | null;
  /** For changes of the right to approve: the user and the new roles, or the role and its rights. */
  readonly about: string | null;
  /** Null where no money is moved. */
  readonly amount: AmountText | null;
  readonly currency: string | null;
  /** Which limit it would exceed; null: none, it would weaken the approvals themselves. */
  readonly reason: ReasonView | null;
  /** The names of those who may approve it. */
  readonly approvers: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly state: 'waiting' | 'approved' | 'refused' | 'done' | 'failed' | 'expired';
  readonly askedBy: PersonView;
  readonly askedAt: Instant;
  readonly expiresAt: Instant;
  readonly decidedBy: PersonView | null;
  readonly decidedAt: Instant | null;
  readonly note: string | null;
  /** The outcome: `done` or a result code. */
  readonly result: string | null;
  /** Whether you asked for it: then another must decide. */
  readonly isYours: boolean;
};
export type ApprovalsView = { readonly approvals: readonly ApprovalView[] };

/** A user who acted. The name is null when it is no longer known. */
export type PersonView = { readonly id: string; readonly name: string | null };

/** Of countTasks. Each is counted up to 100, and 0 without the right to decide. */
export type TaskCounts = {
  readonly approvals: number;
  readonly reviews: number;
  readonly exceptions: number;
  /** Unread notices of all your entities. */
  readonly notices: number;
};

/** A change of a webhook, a token or a key by another user, a token, the operator or a command. */
export type NoticeView = {
  /** The number of the entry in the audit log. */
  readonly number: number;
  readonly at: Instant;
  /** The kind of actor: user, token, operator or command. */
  readonly by: string;
  /** Name and e-mail of a user; empty for others. */
  readonly whoName: string;
  /** The name of the endpoint or command. */
  readonly what: string;
  readonly entityId: Id;
  readonly objectId: string | null;
  /** The address of the client. */
  readonly from: string;
  readonly isRead: boolean;
};

/** Of listNotices and readNotices: at most 100, the newest first. */
export type NoticesView = { readonly notices: readonly NoticeView[]; readonly unread: number };

/** Answers about the audit log. */

export type AuditShown = {
  readonly number: number;
  /** As an ISO instant. */
  readonly at: Instant;
  /** The kind of actor: user, token, operator, command, system or nobody. */
  readonly by: string;
  readonly who: string;
  readonly whoName: string;
  readonly what: string;
  readonly entityId: Id | null;
  readonly objectId: string | null;
  readonly from: string;
  /** `done`, `failed`, or the result code of a refusal. */
  readonly result: string;
  readonly outcome: 'done' | 'refused' | 'failed';
  readonly node: string;
  readonly note: string | null;
  readonly previous: string;
  readonly hash: string;
};

/** Of listAudit. `next` may be there though the page is not full. */
export type AuditPage = { readonly entries: readonly AuditShown[]; readonly next: string | null };

/** Of verifyAudit. */
export type AuditProof = {
  readonly ok: boolean;
  readonly entries: number;
  readonly head: { readonly number: number; readonly hash: string };
  readonly seal: 'right' | 'wrong' | 'unchecked';
  readonly found: number;
  readonly findings: readonly { readonly number: number | null; readonly says: string }[];
  readonly at: Instant;
};
