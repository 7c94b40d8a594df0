import type { AReq, ARes, RReq, TransStatus } from '../../src/threeds/messages/message.ts';
import { idOf } from '../../src/threeds/prepare.ts';
import type { Sim } from './sim.ts';

/** What the issuer of a card has said about one authentication. */
type IssuerResult = { readonly status: TransStatus; readonly reason: string | null; readonly proof: string | null };

/** One authentication as its issuer knows it. */
export type Question = {
  readonly paymentId: string;
  /** How many times the gateway has sent its request, however often it then arrived. */
  sent: number;
  readonly told: IssuerResult[];
  /** The results whose receipt the gateway has confirmed. */
  readonly confirmed: RReq[];
};

/** The book of the issuers: it knows who really proved to be a cardholder. Nothing of the gateway is in it. */
export type Issuer = {
  readonly book: ReadonlyMap<string, Question>;
  /** The gateway's side of the wire says that it asks. */
  sends(areq: Pick<AReq, 'threeDSServerTransID'>): void;
  /** Something with a status leaves the issuer, whether or not it arrives. */
  tells(message: ARes | RReq): void;
  confirmed(rreq: RReq): void;
  /** Whose proof this is; null for one that no issuer gave. */
  givenFor(proof: string): string | null;
};

export function createIssuer(): Issuer {
  const book = new Map<string, Question>();
  const given = new Map<string, string>();
  const open = (transId: string): Question => {
    const paymentId = idOf(transId);
    const question = book.get(paymentId) ?? { paymentId, sent: 0, told: [], confirmed: [] };
    book.set(paymentId, question);
    return question;
  };
  return {
    book,
    sends: ({ threeDSServerTransID }) => {
      open(threeDSServerTransID).sent += 1;
    },
    tells({ threeDSServerTransID, transStatus, transStatusReason, authenticationValue }) {
      const { told, paymentId } = open(threeDSServerTransID);
      const proof = authenticationValue ?? null;
      told.push({ status: transStatus, reason: transStatusReason ?? null, proof });
      if (proof !== null) given.set(proof, paymentId);
    },
    confirmed: (rreq) => void open(rreq.threeDSServerTransID).confirmed.push(rreq),
    givenFor: (proof) => given.get(proof) ?? null,
  };
}

/** Where the gateway stands for the issuers and the shoppers' browsers. */
export const ORIGIN = 'https://pay.example';

/** By the issuer's own clock, which is right. */
export const issuersClock = ({ scheduler }: Sim) => ({ now: () => scheduler.now() });
