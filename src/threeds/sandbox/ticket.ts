import { currencyByNumber } from '../../wallets/currencyNumbers.ts';
import type { AReq } from '../messages/message.ts';
import type { Version } from '../messages/version.ts';
import type { NetworkName } from '../networks.ts';
import type { Pulled } from './directives.ts';
import type { Play } from './play.ts';
import { cardOf, type Money } from './proof.ts';

/**
 * Everything an issuer must know of an open question. It travels in the address of the challenge, signed, and is kept
 * nowhere.
 */
export type Ticket = {
  readonly threeDSServerTransID: string;
  readonly dsTransID: string;
  readonly acsTransID: string;
  readonly sdkTransID: string | null;
  readonly version: Version;
  readonly messageCategory: '01' | '02';
  readonly network: NetworkName;
  readonly status: Play['status'];
  readonly reason: string | null;
  readonly asks: 'challenge' | 'decoupled';
  readonly page: Play['page'];
  /** First six and last four digits: no more of the number than may be shown. */
  readonly card: string;
  readonly merchant: string;
  /** As it is paid: `92.00`; null when nothing is. */
  readonly amount: { readonly text: string; readonly currency: string } | null;
  readonly language: string;
  readonly notificationURL: string | null;
  /** Where the 3DS server takes results. */
  readonly resultsURL: string;
  readonly createdAt: number;
  /** When the cardholder decides by himself. */
  readonly decidesAt: number | null;
  readonly results: string | null;
  readonly return: string | null;
};

/** What the pages of one challenge remember between two forms. */
export type PageState = {
  readonly ticket: Ticket;
  readonly wrong: number;
  /** How many times a code was sent again. */
  readonly sent: number;
  readonly sessionData: string;
  readonly windowSize: string;
};

/** Fields of a form that a page of the issuer posts. */
export type Posted = Readonly<Record<string, string | undefined>>;

export const TICKET = 'ticket';
export const STATE = 'state';

const DECIDES_SECONDS = 10;

type Made = {
  readonly areq: AReq;
  readonly play: Play;
  readonly pulled: Pulled;
  readonly network: NetworkName;
  readonly ids: Pick<Ticket, 'dsTransID' | 'acsTransID'>;
  readonly now: number;
};

/** The ticket of a request that cannot be answered without its cardholder. */
export function ticketOf({ areq, play, pulled, network, ids, now }: Made): Ticket {
  const seconds = Number.parseInt(pulled.decides ?? String(DECIDES_SECONDS), 10);
  const asks = play.asks === 'decoupled' ? 'decoupled' : 'challenge';
  return {
    threeDSServerTransID: areq.threeDSServerTransID,
    ...ids,
    sdkTransID: areq.sdkTransID ?? null,
    version: areq.messageVersion,
    messageCategory: areq.messageCategory,
    network,
    status: play.status,
    reason: play.reason,
    asks,
    page: play.page,
    card: cardOf(areq.acctNumber),
    merchant: areq.merchantName ?? areq.threeDSRequestorName,
    amount: amountOf(areq),
    language: areq.browserLanguage ?? 'en',
    notificationURL: areq.notificationURL ?? null,
    resultsURL: areq.threeDSServerURL,
    createdAt: now,
    decidesAt: asks === 'decoupled' ? now + seconds * 1000 : null,
    results: pulled.results ?? null,
    return: pulled.return ?? null,
  };
}

/** What the AReq asks to authenticate; null when nothing is paid. */
export function moneyOf({ purchaseAmount, purchaseCurrency }: AReq): Money | null {
  const currency = currencyByNumber.get(purchaseCurrency ?? '');
  return purchaseAmount === undefined || currency === undefined ? null : { minor: BigInt(purchaseAmount), currency };
}

/** The same, of a ticket. */
export const moneyIn = ({ amount }: Pick<Ticket, 'amount'>): Money | null =>
  amount && { minor: BigInt(amount.text.replace('.', '')), currency: amount.currency };

function amountOf({ purchaseAmount, purchaseExponent, purchaseCurrency }: AReq): Ticket['amount'] {
  const currency = currencyByNumber.get(purchaseCurrency ?? '');
  if (purchaseAmount === undefined || currency === undefined) return null;
  const exponent = Number.parseInt(purchaseExponent ?? '0', 10);
  const digits = purchaseAmount.padStart(exponent + 1, '0');
  const text = exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
  return { text, currency };
}
