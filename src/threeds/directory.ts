import type { Read } from './asked.ts';
import type { AuthenticationEvent } from './authentication.ts';
import type { AReq, ARes, Erro } from './messages/message.ts';
import { readMessage } from './messages/validate.ts';
import type { NetworkName } from './networks.ts';

/** What a directory server says about a range of cards: the versions its issuers speak, and where the hidden frame is. */
export type CardRange = { readonly from: string; readonly to: string; readonly methodUrl: string | null };

/**
 * `enrolled`: to be authenticated. `outside`: no issuer that takes part. `exempt`: a card of the test environment for which
 * nothing is asked. `wrong`: a lever of the test environment with a value nobody can follow.
 */
export type Enrolment =
  | { readonly is: 'enrolled'; readonly range: CardRange }
  | { readonly is: 'outside' }
  | { readonly is: 'exempt' }
  | { readonly is: 'wrong'; readonly parameter: string };

export type Enquiry = { readonly number: string; readonly read: Read };

/** The directory servers, as the 3DS server sees them. */
export interface Directory {
  versions(enquiry: Enquiry): Promise<Enrolment>;
  /** Asks the server of the card's network. Rejects when no answer comes. What comes is not believed to be a message yet. */
  authenticate(areq: AReq, network: NetworkName): Promise<unknown>;
}

/** One range of the list that a directory server gives out in its preparation response, by the protocol's names. */
export type RangeData = {
  readonly startRange: string;
  readonly endRange: string;
  readonly acsStartProtocolVersion: string;
  readonly acsEndProtocolVersion: string;
  readonly threeDSMethodURL?: string;
};

export type DirectoryConnection = {
  readonly url: (network: NetworkName) => string;
  /** Posts JSON with the certificates of the connection and gives back what was answered, parsed. Rejects after its time. */
  readonly post: (url: string, json: object) => Promise<unknown>;
  /** The ranges as they were last loaded. */
  readonly ranges: () => readonly RangeData[];
};

/** The client of directory servers somewhere else: the same for the schemes' own ones and for one in a test. */
export function createDirectory({ url, post, ranges }: DirectoryConnection): Directory {
  return {
    async versions({ number }) {
      const range = ranges().find((data) => holds(data, number));
      if (!range) return { is: 'outside' };
      return {
        is: 'enrolled',
        range: {
          from: range.acsStartProtocolVersion,
          to: range.acsEndProtocolVersion,
          methodUrl: range.threeDSMethodURL ?? null,
        },
      };
    },
    authenticate: (areq, network) => post(url(network), areq),
  };
}

/** Ranges are numbers of the same length as the card's; digits of one length compare as text as they do as numbers. */
const holds = ({ startRange, endRange }: RangeData, number: string): boolean =>
  number.length === startRange.length && number >= startRange && number <= endRange;

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
