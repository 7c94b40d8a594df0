import type { Checked, Fault } from '../form/checked.ts';
import type { Channel } from '../merchants/channel.ts';
import type { Secrets } from '../registrations/instrument.ts';
import { refusalOfUse } from '../registrations/moves.ts';
import {
  isRegistrationId,
  parseSecrets,
  type Registration,
  type StoredSecrets,
  sealedRecordOf,
} from '../registrations/registration.ts';
import { VaultRefused } from '../vault/sealedText.ts';
import { isFault, type WalletCard, type WalletName } from '../wallets/wallet.ts';
import type { OpenedRegistration, Refusal, WalletPayment } from './order.ts';
import type { World } from './ports.ts';

/** Instruments that a request does not contain in clear: registrations and wallet tokens. */

const refusedWith = (refusal: Refusal): OpenedRegistration => ({ registration: null, secrets: {}, refusal });

/** Opens a registration for one payment. When that is not possible, `refusal` says why, and the payment is refused with it. */
export async function openRegistration(world: World, merchantId: string, registrationId: string): Promise<OpenedRegistration> {
  if (!isRegistrationId(registrationId)) return refusedWith('100.150.101');
  const registered = await world.store.registration(merchantId, registrationId);
  if (!registered) {
    const isPayment = (await world.store.payment(merchantId, registrationId)) !== null;
    return refusedWith(isPayment ? '100.150.204' : '100.150.200');
  }
  const { registration, sealed } = registered;
  const refusal = refusalOfUse[registration.state];
  if (refusal !== null) return refusedWith(refusal);
  // A virtual account has no secret: its id is all there is.
  if (registration.instrument.kind === 'virtualAccount') return { registration, secrets: {}, refusal: null };
  if (sealed === null) return refusedWith('100.150.205');
  const stored = await openSecrets(world, registration, sealed);
  if (stored === null) return refusedWith('100.150.205');
  return { registration, secrets: await withCryptogram(world, registration, stored), refusal: null };
}

/** The secrets of a registration; null, and an alarm, when the sealed text was tampered with. */
export async function openSecrets(world: World, registration: Registration, sealed: Uint8Array): Promise<StoredSecrets | null> {
  try {
    return parseSecrets(await world.vault.open(sealedRecordOf(registration), sealed));
  } catch (error) {
    if (!(error instanceof VaultRefused)) throw error;
    world.alarm(error.message, { registrationId: registration.id, entityId: registration.entityId });
    return null;
  }
}

/** A network token needs a cryptogram for each payment; without one the number is used. */
async function withCryptogram(
  world: World,
  { connector: name, entityId }: Registration,
  { networkToken, ...others }: StoredSecrets,
): Promise<Secrets> {
  const connector = world.connector(name, entityId);
  if (!networkToken || !connector?.tokens) return others;
  try {
    const cryptogram = await world.timers.within(connector.answerMsMax, connector.tokens.cryptogram(networkToken));
    return { ...others, networkToken: { ...networkToken, cryptogram } };
  } catch {
    return others;
  }
}

const WALLETS: readonly WalletName[] = ['walletA', 'walletB', 'walletC'];
const tokenNames = {
  walletA: 'walletA.paymentToken',
  walletB: 'walletB.paymentToken',
  walletC: 'walletC.paymentToken',
} as const satisfies Record<WalletName, string>;

/** `refused`: nothing is kept of the request. */
export type OpenedToken =
  | { readonly is: 'opened'; readonly payment: WalletPayment }
  | { readonly is: 'refused'; readonly faults: readonly Fault[] };

/** The wallet whose token pays; undefined: none does. */
const walletOf = (checked: Checked): WalletName | undefined =>
  WALLETS.find((name) => checked.text(tokenNames[name]) !== undefined);

/** Whether a wallet's token pays. */
export const paysByToken = (checked: Checked): boolean => walletOf(checked) !== undefined;

/** Opens the wallet's token in a request; null when there is none. */
export async function openToken(
  world: World,
  checked: Checked,
  { entityId }: Pick<Channel, 'entityId'>,
): Promise<OpenedToken | null> {
  const wallet = walletOf(checked);
  if (wallet === undefined) return null;
  const token = checked.text(tokenNames[wallet]) ?? '';
  const card = await world.wallets.open(entityId, wallet, token);
  const says = isFault(card) ? card.says : mismatchOf(card, checked);
  if (isFault(card) || says !== null) return { is: 'refused', faults: [tokenFault(checked, says ?? '')] };
  return { is: 'opened', payment: { wallet, card } };
}

/** The amount must be the one that the shopper confirmed on the device. */
function mismatchOf(card: WalletCard, checked: Checked): string | null {
  const [amount, currency] = [checked.get('amount'), checked.get('currency')];
  if (card.amount !== null && amount !== undefined && card.amount !== amount) return 'was made for another amount';
  if (card.currency !== null && currency !== undefined && card.currency !== currency) return 'was made for another currency';
  return null;
}

/** Names the parameter as the request did; the token itself is never repeated. */
export function tokenFault(checked: Checked, message: string): Fault {
  const sent = [...checked.fields.keys()].find((name) => checked.rowOf(name).endsWith('.paymentToken'));
  return { name: sent ?? 'paymentToken', value: null, message };
}
