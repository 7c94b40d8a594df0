import type { PaperChange } from './cabinet.ts';
import { freshToken, type PeopleNeeds } from './needs.ts';

/** What somebody has begun and must end within minutes: half a sign-in, a question to a passkey, an app that is being set up. */
export type Ticket =
  | { readonly for: 'signIn'; readonly userId: string; readonly challenge: string | null }
  | { readonly for: 'passkeySignIn'; readonly challenge: string }
  | { readonly for: 'stepUp'; readonly userId: string; readonly challenge: string }
  | { readonly for: 'passkey'; readonly userId: string; readonly challenge: string }
  | { readonly for: 'totp'; readonly userId: string; readonly sealed: string }
  | { readonly for: 'invitation'; readonly linkId: string; readonly sealed: string; readonly chosen: Chosen };

/** What somebody with a link has said of himself, until he has shown a first code. */
export type Chosen = { readonly email: string | null; readonly name: string; readonly hash: string };

const DRAWER = 'ticket';
const MINUTE_MS = 60_000;
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

/** Keeps a ticket; answers what its holder is told. */
export async function issueTicket(needs: PeopleNeeds, ticket: Ticket): Promise<string> {
  const token = freshToken(needs);
  const id = needs.vault.digest('ticket', token);
  const ownerId = 'userId' in ticket ? ticket.userId : '';
  await needs.store.filePapers([
    { drawer: DRAWER, id, ownerId, at: needs.clock.now() + lives[ticket.for], revision: 1, body: ticket },
  ]);
  return token;
}

/** The ticket of a token, and the change that uses it up; null when it is none of these, was used or is over. */
export async function readTicket<For extends Ticket['for']>(
  { store, vault, clock }: PeopleNeeds,
  token: string,
  purpose: For,
): Promise<{ readonly ticket: Held<For>; readonly used: PaperChange } | null> {
  const paper = await store.paper(DRAWER, vault.digest('ticket', token));
  const ticket = paper?.body as Ticket | undefined;
  if (!paper || ticket?.for !== purpose || clock.now() >= paper.at) return null;
  return { ticket: ticket as Held<For>, used: { drawer: DRAWER, id: paper.id, revision: paper.revision, isGone: true } };
}

export const forgetTickets = ({ store, clock }: PeopleNeeds): Promise<number> => store.forgetPapers(DRAWER, clock.now());
