import { useDebouncedValue } from '@mantine/hooks';
import type { AdminEndpointName } from '../../spec/admin/admin.ts';
import { CHECKOUT_ID } from '../../spec/checkoutId.ts';
import type { Right } from '../../spec/rights.ts';
import type { Values } from '../app/api.ts';
import { choosable, mayAt, useMe, useScope } from '../app/me.ts';
import { useApiQuery } from '../app/useApi.ts';
import { useMoneyText } from '../kit/Money.tsx';
import type { RailName } from '../pages.ts';
import { customerTexts } from '../texts/customers.ts';
import { useTexts } from '../texts/texts.ts';

/** An object that the text of the palette names. */
export type FoundObject = {
  readonly id: string;
  readonly icon: RailName | 'user';
  readonly label: string;
  readonly description: string;
  readonly to: string;
  /** Another entity to choose with it. */
  readonly entityId?: string;
  /** What the address has beside it. */
  readonly search?: Readonly<Record<string, string>>;
};

const PAUSE_MS = 200;
const EACH_MAX = 5;
const ID = /^[0-9a-f]{32}$/;
/** Never sent: the address of a request would have it. */
const looksLikeCardNumber = (text: string): boolean => /(?:[0-9][ -]?){12,}/.test(text.replace(/[^0-9 -]/g, 'x'));

/** Payments, customers, stored payment details, checkouts, schedules and entities that match the text. */
export function useFoundObjects(typed: string): readonly FoundObject[] {
  const [text] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const me = useMe();
  const { entityId } = useScope();
  const money = useMoneyText();
  const t = useTexts(customerTexts);
  const isSearchable = text.length >= 3 && (ID.test(text) || !looksLikeCardNumber(text));
  const payments = useFound('searchPayments', 'readPayments', { entityId, text, limit: EACH_MAX }, isSearchable);
  const customers = useFound('listCustomers', 'readPayments', { entityId, merchantCustomerId: text }, isSearchable);
  const registrations = useFound('listRegistrations', 'readPayments', { entityId, id: text, limit: 1 }, ID.test(text));
  const schedules = useFound('listSchedules', 'readPayments', { entityId, id: text, limit: 1 }, ID.test(text));
  const checkouts = useFound('listCheckouts', 'readPayments', { entityId, id: text, limit: 1 }, CHECKOUT_ID.test(text));
  const lower = text.toLowerCase();
  const entities =
    text.length < 2 ? [] : choosable(me).filter(({ id, name }) => id === text || name.toLowerCase().includes(lower));
  return [
    ...(payments?.payments ?? []).map(
      ({ id, shortId, amount, currency, merchantTransactionId, paymentType }): FoundObject => ({
        id,
        icon: 'payments',
        label: `${paymentType} ${money(amount, currency)}`,
        description: [shortId, merchantTransactionId].filter(Boolean).join(' · '),
        to: `/payments/${id}`,
      }),
    ),
    ...(customers?.customers ?? []).map(
      ({ merchantCustomerId, merchantId, merchant }): FoundObject => ({
        id: `${merchantId} ${merchantCustomerId}`,
        icon: 'user',
        label: merchantCustomerId,
        description: `${t.customer} · ${merchant}`,
        to: '/customers',
        entityId: merchantId,
        search: { customer: merchantCustomerId },
      }),
    ),
    ...(registrations?.registrations ?? []).map(
      ({ id }): FoundObject => ({ id, icon: 'registrations', label: id, description: '', to: `/registrations/${id}` }),
    ),
    ...(schedules?.schedules ?? []).map(
      ({ id, name }): FoundObject => ({ id, icon: 'schedules', label: name ?? id, description: id, to: `/schedules/${id}` }),
    ),
    ...(checkouts?.checkouts ?? []).map(
      ({ id }): FoundObject => ({ id, icon: 'checkouts', label: id, description: '', to: `/checkouts/${id}` }),
    ),
    ...entities.slice(0, EACH_MAX).map(
      ({ id, name, kind }): FoundObject => ({
        id,
        icon: 'administration',
        label: name,
        description: kind,
        to: '/payments',
        entityId: id,
      }),
    ),
  ];
}

/** The reply of a list, while the text asks for it and the user has the right. */
function useFound<Name extends AdminEndpointName>(name: Name, right: Right, values: Partial<Values<Name>>, isWanted: boolean) {
  const me = useMe();
  const isAsked = isWanted && mayAt(me, right);
  const { data, isPlaceholderData } = useApiQuery(name, values, { isWanted: isAsked });
  return isAsked && !isPlaceholderData ? data : undefined;
}
