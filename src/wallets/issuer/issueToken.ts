import type { Entity } from '../../merchants/directory.ts';
import { amountText } from '../../money/amount.ts';
import { openWallet } from '../open.ts';
import { isFault, type WalletFault, type WalletName } from '../wallet.ts';
import { walletVersions } from './order.ts';
import type { SandboxIssuer } from './sandboxIssuer.ts';
import { type InvalidOrder, type OrderFields, parseTokenOrder } from './tokenOrder.ts';

/** An issued token. */
export type IssuedToken = {
  readonly wallet: WalletName;
  readonly version: string;
  readonly entityId: string;
  readonly merchantId: string;
  /** The parameter of a payment that carries it. */
  readonly parameter: string;
  readonly token: string;
  readonly number: string;
  readonly amount: string;
  readonly currency: string;
  /** When it expires; null when it is refused already. */
  readonly validUntil: number | null;
  /** Why the gateway refuses it; null for a valid token. */
  readonly refused: WalletFault | null;
};

export type Issue = { readonly is: 'issued'; readonly issued: IssuedToken };

export type IssueNeeds = {
  readonly entity: (id: string) => Entity | null;
  readonly issuer: SandboxIssuer;
  readonly now: number;
};

/** Issues the token of an order, or returns all faults of the order. */
export function issueToken(fields: OrderFields, { entity, issuer, now }: IssueNeeds): Issue | InvalidOrder {
  const parsed = parseTokenOrder(fields, now);
  if (parsed.is === 'invalid') return parsed;
  const { entityId, wallet, order } = parsed;
  const merchant = merchantOf(entity(entityId), wallet);
  if (merchant.is === 'invalid') return merchant;
  const { merchantId } = merchant;
  const own = issuer.of(merchantId);
  const token = own.issue(wallet, order);
  const card = openWallet(wallet, token, { setup: own.setupFor(wallet), now });
  const issued: IssuedToken = {
    wallet,
    version: order.version ?? walletVersions[wallet][0],
    entityId,
    merchantId,
    parameter: `${wallet}.paymentToken`,
    token,
    number: order.number,
    amount: amountText(order.amount),
    currency: order.currency,
    validUntil: isFault(card) ? null : card.validUntil,
    refused: isFault(card) ? card : null,
  };
  return { is: 'issued', issued };
}

/** The merchant whose keys the token is encrypted for. Its entity must trust the sandbox's issuer. */
function merchantOf(
  entity: Entity | null,
  wallet: WalletName,
): { readonly is: 'found'; readonly merchantId: string } | InvalidOrder {
  const fault = (says: string): InvalidOrder => ({ is: 'invalid', faults: [{ name: 'entityId', says }] });
  if (entity === null) return fault('There is no such entity.');
  if (entity.merchantId === null) return fault('Name a channel or a merchant.');
  const setting = entity.settings.wallets[wallet];
  if (setting === null) return fault(`This entity does not take ${wallet}.`);
  if (setting !== 'sandbox') return fault(`This entity has a ${wallet} of its own, whose tokens only that wallet can make.`);
  return { is: 'found', merchantId: entity.merchantId };
}
