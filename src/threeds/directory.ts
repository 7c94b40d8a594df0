import type { Read } from './asked.ts';
import type { AuthenticationEvent } from './authentication.ts';
import type { AReq, ARes, Erro } from './messages/message.ts';
import { readMessage } from './messages/validate.ts';
import type { NetworkName } from './networks.ts';

/** What a directory server says about a range of cards: the versions its issuers speak, and where the hidden frame is. */
export type CardRange = { readonly from: string; readonly to: string; readonly methodUrl: string | null };

/**
 * `enrolled`: to be authenticated. `outside`: no issuer that takes part. `exempt`: a card of the test environment for which
 * nothing is asked. `wrong`: a lever of the test environment with a value nobody can follow. `unreachable`: nobody can tell now; the
 * merchant's policy decides.
 */
export type Enrolment =
  | { readonly is: 'enrolled'; readonly range: CardRange }
  | { readonly is: 'outside' }
  | { readonly is: 'exempt' }
  | { readonly is: 'unreachable' }
  | { readonly is: 'wrong'; readonly parameter: string };

/** `network`: whose card it is paid as, where the same number is known to several. Left out: whoever knows the number answers. */
export type Enquiry = { readonly number: string; readonly read: Read; readonly network?: NetworkName };

/** The directory servers, as the 3DS server sees them. */
export interface Directory {
  versions(enquiry: Enquiry): Promise<Enrolment>;
  /** Asks the server of the card's network. Rejects when no answer comes. What comes is not believed to be a message yet. */
  authenticate(areq: AReq, network: NetworkName): Promise<unknown>;
}

/** Enough for a list in memory and for one that has to be asked for. */
const ENROLMENT_MS_MAX = 10_000;

type Within = { within<T>(ms: number, promise: Promise<T>): Promise<T> };

/** What the directory server of the network knows of a card. A directory that rejects, throws or says nothing is unreachable. */
export async function enrolmentOf(
  directory: Pick<Directory, 'versions'>,
  enquiry: Required<Enquiry>,
  timers: Within,
): Promise<Enrolment> {
  try {
    return await timers.within(ENROLMENT_MS_MAX, directory.versions(enquiry));
  } catch {
    return { is: 'unreachable' };
  }
}

type Question = { readonly areq: AReq; readonly network: NetworkName };

/** Asks, and says what happened as an event. Nothing that a directory server answers can throw. */
export async function consult(
  directory: Pick<Directory, 'authenticate'>,
  { areq, network }: Question,
): Promise<AuthenticationEvent> {
  let value: unknown;
  try {
    value = await directory.authenticate(areq, network);
  } catch {
    return { is: 'unreachable' };
  }
  const erro: Erro | null = readMessage('Erro', value).message;
  if (erro) return { is: 'erred', erro };
  const { messageCategory, deviceChannel } = areq;
  const ares: ARes | null = readMessage('ARes', value, { messageCategory, deviceChannel }).message;
  return ares ? { is: 'answered', ares } : { is: 'garbled' };
}
