import { currencyByNumber } from '../../wallets/text.ts';
import type { AReq, Version } from '../messages/message.ts';
import type { NetworkName } from '../networks.ts';
import type { SandboxDirectives } from './directives.ts';
import type { IssuerBehaviour } from './issuerBehaviour.ts';
import { cardOf, type Money } from './proof.ts';

/**
 * Everything an issuer needs of an open challenge. It travels signed in the address of the challenge and is not stored.
 */
export type Ticket = {
  readonly threeDSServerTransID: string;
  readonly dsTransID: string;
  readonly acsTransID: string;
  readonly sdkTransID: string | null;
  readonly version: Version;
  readonly messageCategory: '01' | '02';
  readonly network: NetworkName;
  readonly status: IssuerBehaviour['status'];
  readonly reason: string | null;
  readonly asks: 'challenge' | 'decoupled';
  readonly page: IssuerBehaviour['page'];
  /** First six and last four digits: no more of the number than may be shown. */
  readonly card: string;
  readonly merchant: string;
  /** `92.00`; null without a payment. */
  readonly amount: { readonly text: string; readonly currency: string } | null;
  readonly language: string;
  readonly notificationURL: string | null;
  /** The address for results. */
  readonly resultsURL: string;
  readonly createdAt: number;
  /** When a decoupled authentication is decided. */
  readonly decidesAt: number | null;
  readonly results: string | null;
  readonly return: string | null;
};

/** The state that the pages of a challenge carry from form to form. */
export type PageState = {
  readonly ticket: Ticket;
  readonly wrong: number;
  /** How often the code was sent again. */
  readonly sent: number;
  readonly sessionData: string;
  readonly windowSize: string;
};

export type FormFields = Readonly<Record<string, string | undefined>>;

export const TICKET = 'ticket';
export const STATE = 'state';

const DECIDES_SECONDS = 10;

type TicketInput = {
  readonly areq: AReq;
  readonly behaviour: IssuerBehaviour;
  readonly given: SandboxDirectives;
  readonly network: NetworkName;
  readonly ids: Pick<Ticket, 'dsTransID' | 'acsTransID'>;
  readonly now: number;
};

/** The ticket of a request that needs a challenge. */
export function ticketOf({ areq, behaviour, given, network, ids, now }: TicketInput): Ticket {
  const seconds = Number.parseInt(given.decides ?? String(DECIDES_SECONDS), 10);
  const asks = behaviour.asks === 'decoupled' ? 'decoupled' : 'challenge';
  return {
    threeDSServerTransID: areq.threeDSServerTransID,
    ...ids,
    sdkTransID: areq.sdkTransID ?? null,
    version: areq.messageVersion,
    messageCategory: areq.messageCategory,
    network,
    status: behaviour.status,
    reason: behaviour.reason,
    asks,
    page: behaviour.page,
    card: cardOf(areq.acctNumber),
    merchant: areq.merchantName ?? areq.threeDSRequestorName,
    amount: amountOf(areq),
    language: areq.browserLanguage ?? 'en',
    notificationURL: areq.notificationURL ?? null,
    resultsURL: areq.threeDSServerURL,
    createdAt: now,
    decidesAt: asks === 'decoupled' ? now + seconds * 1000 : null,
    results: given.results ?? null,
    return: given.return ?? null,
  };
}

/** The amount of the AReq; null without a payment. */
export function moneyOf({ purchaseAmount, purchaseCurrency }: AReq): Money | null {
  const currency = currencyByNumber.get(purchaseCurrency ?? '');
  return purchaseAmount === undefined || currency === undefined ? null : { minor: BigInt(purchaseAmount), currency };
}

/** The amount of a ticket. */
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
