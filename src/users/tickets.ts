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
/** Time to find the phone; the setup of an app takes longer. */
const lives: Readonly<Record<Ticket['for'], number>> = {
  signIn: 5 * MINUTE_MS,
  passkeySignIn: 5 * MINUTE_MS,
  stepUp: 5 * MINUTE_MS,
  passkey: 5 * MINUTE_MS,
  totp: 15 * MINUTE_MS,
  invitation: 15 * MINUTE_MS,
};

type TicketFor<For extends Ticket['for']> = Extract<Ticket, { readonly for: For }>;

/** The user of a ticket; empty while the user is unknown. */
const ownerOf = (ticket: Ticket): string => (ticket.for === 'passkeySignIn' || ticket.for === 'invitation' ? '' : ticket.userId);

/** Saves a ticket; returns its secret for the holder. */
export async function issueTicket(needs: UserNeeds, ticket: Ticket): Promise<string> {
  const token = freshToken(needs);
  const id = needs.vault.digest('ticket', token);
  const ownerId = ownerOf(ticket);
  await needs.store.saveDocuments([
    { collection: COLLECTION, id, ownerId, at: needs.clock.now() + lives[ticket.for], revision: 1, body: ticket },
  ]);
  return token;
}

/** The attempts of a ticket; a further one ends it. */
export const TICKET_TRIES_MAX = 5;
/** A ticket takes five writes at most; a request that loses more often is refused. */
const RACES_MAX = 20;

type CountedTicket = Ticket & { readonly tries?: number };

/** A ticket with one attempt counted. */
export type TicketAttempt<For extends Ticket['for']> = {
  readonly ticket: TicketFor<For>;
  /** The change that uses up the ticket, on its present revision: other attempts may have changed it. Null: it was used. */
  readonly use: () => Promise<DocumentChange | null>;
};

/**
 * Counts one attempt of a ticket before anything is compared. Null: the ticket is unknown, used, expired, or has had five attempts. The
 * count is a commit on the revision that was read, so concurrent attempts cannot share one.
 */
export async function attemptTicket<For extends Ticket['for']>(
  { store, vault, clock }: UserNeeds,
  token: string,
  purpose: For,
): Promise<TicketAttempt<For> | null> {
  const id = vault.digest('ticket', token);
  for (let races = 0; races < RACES_MAX; races += 1) {
    const document = await store.document(COLLECTION, id);
    const ticket = document?.body as CountedTicket | undefined;
    if (!document || ticket?.for !== purpose || clock.now() >= document.at) return null;
    const tries = (ticket.tries ?? 0) + 1;
    if (tries > TICKET_TRIES_MAX) return null;
    if (!(await store.saveDocuments([{ ...document, revision: document.revision + 1, body: { ...ticket, tries } }]))) continue;
    const use = async (): Promise<DocumentChange | null> => {
      const present = await store.document(COLLECTION, id);
      return present && { collection: COLLECTION, id, revision: present.revision, isDeleted: true };
    };
    return { ticket: ticket as unknown as TicketFor<For>, use };
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
