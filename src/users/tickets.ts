import { MINUTE_MS } from '../spec/time.ts';
import type { DocumentChange } from './documents.ts';
import { freshToken, type UserNeeds } from './ports.ts';

/** An unfinished step with a short life: half a sign-in, a passkey challenge, the setup of an app. */
export type Ticket =
  | { readonly for: 'signIn'; readonly userId: string; readonly challenge: string | null }
  | { readonly for: 'passkeySignIn'; readonly challenge: string }
  | { readonly for: 'stepUp'; readonly userId: string; readonly challenge: string }
  | { readonly for: 'passkey'; readonly userId: string; readonly challenge: string }
  | { readonly for: 'totp'; readonly userId: string; readonly sealed: string }
  | { readonly for: 'invitation'; readonly linkId: string; readonly sealed: string; readonly chosen: ChosenCredentials };

/** The choices of an invited user, until the first code is right. */
export type ChosenCredentials = { readonly email: string | null; readonly name: string; readonly hash: string };

const COLLECTION = 'ticket';
/** Enough to look for the phone; to set up an app takes longer. */
const lives: Readonly<Record<Ticket['for'], number>> = {
  signIn: 5 * MINUTE_MS,
  passkeySignIn: 5 * MINUTE_MS,
  stepUp: 5 * MINUTE_MS,
  passkey: 5 * MINUTE_MS,
  totp: 15 * MINUTE_MS,
  invitation: 15 * MINUTE_MS,
};

type Held<For extends Ticket['for']> = Extract<Ticket, { readonly for: For }>;

/** Saves a ticket; returns its secret for the holder. */
export async function issueTicket(needs: UserNeeds, ticket: Ticket): Promise<string> {
  const token = freshToken(needs);
  const id = needs.vault.digest('ticket', token);
  const ownerId = 'userId' in ticket ? ticket.userId : '';
  await needs.store.saveDocuments([
    { collection: COLLECTION, id, ownerId, at: needs.clock.now() + lives[ticket.for], revision: 1, body: ticket },
  ]);
  return token;
}

/** So many wrong answers end a ticket. */
export const TICKET_TRIES_MAX = 5;
/** A ticket takes five writes at most; a request that loses more often is refused. */
const RACES_MAX = 20;

type Kept = Ticket & { readonly tries?: number };

/** A ticket with one attempt counted, and the change that uses it up. */
export type TicketAttempt<For extends Ticket['for']> = {
  readonly ticket: Held<For>;
  /** The change that uses the ticket up, on its present revision: other tries may have moved it. Null: it was used. */
  readonly use: () => Promise<DocumentChange | null>;
};

/**
 * Counts one try of a ticket, before anything is compared; null when there is no such ticket, or it was used, is over, or has been tried
 * five times. The count is a commit on the revision that was read, so tries at once cannot share one.
 */
export async function attemptTicket<For extends Ticket['for']>(
  { store, vault, clock }: UserNeeds,
  token: string,
  purpose: For,
): Promise<TicketAttempt<For> | null> {
  const id = vault.digest('ticket', token);
  for (let races = 0; races < RACES_MAX; races += 1) {
    const document = await store.document(COLLECTION, id);
    const ticket = document?.body as Kept | undefined;
    if (!document || ticket?.for !== purpose || clock.now() >= document.at) return null;
    const tries = (ticket.tries ?? 0) + 1;
    if (tries > TICKET_TRIES_MAX) return null;
    if (!(await store.saveDocuments([{ ...document, revision: document.revision + 1, body: { ...ticket, tries } }]))) continue;
    const use = async (): Promise<DocumentChange | null> => {
      const present = await store.document(COLLECTION, id);
      return present && { collection: COLLECTION, id, revision: present.revision, isDeleted: true };
    };
    return { ticket: ticket as unknown as Held<For>, use };
  }
  return null;
}

/** The change that uses a ticket up, with other documents of the same commit; null: the ticket was used. */
export async function withTicketUse(
  { use }: Pick<TicketAttempt<Ticket['for']>, 'use'>,
  ...others: readonly DocumentChange[]
): Promise<readonly DocumentChange[] | null> {
  const used = await use();
  return used && [used, ...others];
}

export const deleteExpiredTickets = ({ store, clock }: UserNeeds): Promise<number> =>
  store.deleteDocuments(COLLECTION, clock.now());
