import type { Entity } from '../../merchants/directory.ts';
import { amountText } from '../../money/amount.ts';
import { openWallet } from '../open.ts';
import { isFault, type WalletFault, type WalletName } from '../wallet.ts';
import { type AskedFault, type AskedFields, askedOrder } from './askedOrder.ts';
import { walletVersions } from './order.ts';
import type { SandboxIssuer } from './sandboxIssuer.ts';

/** A token that was made, and what will become of it. */
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
  /** When it is refused as too old; null when it is refused already. */
  readonly validUntil: number | null;
  /** Why a payment with it is refused, as the gateway itself says; null for a good one. */
  readonly refused: WalletFault | null;
};

export type IssueNeeds = {
  readonly entity: (id: string) => Entity | null;
  readonly issuer: SandboxIssuer;
  readonly now: number;
};

/** Makes the token that was asked for, or says everything that is wrong with the asking. */
export function issueToken(fields: AskedFields, { entity, issuer, now }: IssueNeeds): IssuedToken | readonly AskedFault[] {
  const asked = askedOrder(fields, now);
  if (!('order' in asked)) return asked;
  const { entityId, wallet, order } = asked;
  const merchant = merchantOf(entity(entityId), wallet);
  if ('says' in merchant) return [merchant];
  const { merchantId } = merchant;
  const own = issuer.of(merchantId);
  const token = own.issue(wallet, order);
  const card = openWallet(wallet, token, { setup: own.setupFor(wallet), now });
  return {
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
}

/** The merchant whose keys the token is made for. Only who trusts the sandbox's issuer can use its tokens. */
function merchantOf(entity: Entity | null, wallet: WalletName): { readonly merchantId: string } | AskedFault {
  const fault = (says: string): AskedFault => ({ name: 'entityId', says });
  if (entity === null) return fault('There is no such entity.');
  if (entity.merchantId === null) return fault('Name a channel or a merchant.');
  const setting = entity.settings.wallets[wallet];
  if (setting === null) return fault(`This entity does not take ${wallet}.`);
  if (setting !== 'sandbox') return fault(`This entity has a ${wallet} of its own, whose tokens only that wallet can make.`);
  return { merchantId: entity.merchantId };
}
