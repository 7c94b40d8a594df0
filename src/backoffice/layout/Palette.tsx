import { useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { type ReactNode, useEffect, useState } from 'react';
import type { AdminEndpointName } from '../../spec/admin/admin.ts';
import type { Right } from '../../spec/rights.ts';
import { CHECKOUT_ID } from '../../spec/widget.ts';
import type { Values } from '../app/api.ts';
import { choosable, mayAt, useMe, useScope } from '../app/me.ts';
import { useAddress } from '../app/navigation.ts';
import { useApiQuery } from '../app/useApi.ts';
import { Icon } from '../kit/icons.tsx';
import { useMoneyText } from '../kit/Money.tsx';
import { type RailName, rail } from '../pages.ts';
import { customerTexts } from '../texts/customers.ts';
import { shellTexts } from '../texts/shell.ts';
import { useLanguage, useTexts } from '../texts/texts.ts';
import { earlyShortcut, showShortcuts } from './Shortcuts.tsx';
import { usePages } from './useRail.ts';

/** Every page and action by its name, and objects by id, reference, e-mail address or amount: Ctrl K, or Cmd K. */
export function Palette(): ReactNode {
  const t = useTexts(shellTexts);
  const language = useLanguage();
  const { go } = useAddress();
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    if (earlyShortcut.loaded()) spotlight.open();
  }, []);
  const [query, setQuery] = useState('');
  const found = useFoundObjects(query);
  const open = usePages().filter(({ path }) => !path.includes('$'));
  const groups: SpotlightActionGroupData[] = [
    {
      group: t.objectsGroup,
      // The server has matched them: as a keyword the text keeps them in the list.
      actions: found.map(({ id, icon, label, description, to, entityId, search = {} }) => ({
        id,
        label,
        description,
        keywords: [query],
        leftSection: <Icon name={icon} />,
        onClick: () => go(to, entityId === undefined ? search : { ...search, entity: entityId }),
      })),
    },
    {
      group: t.pagesGroup,
      actions: open.map(({ name, path, title, rail: place }) => ({
        id: name,
        label: title[language],
        ...(place && rail[place][language] !== title[language] && { description: rail[place][language] }),
        leftSection: <Icon name={place ?? 'user'} />,
        onClick: () => go(path),
      })),
    },
    {
      group: t.actions,
      actions: [
        { id: 'light', label: `${t.theme}: ${t.themeLight}`, onClick: () => setColorScheme('light') },
        { id: 'dark', label: `${t.theme}: ${t.themeDark}`, onClick: () => setColorScheme('dark') },
        { id: 'shortcuts', label: t.shortcuts, onClick: showShortcuts },
      ],
    },
  ];
  return (
    <Spotlight
      actions={groups.filter(({ actions }) => actions.length > 0)}
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      nothingFound={t.noResults}
      highlightQuery
      searchProps={{ placeholder: t.commandsHint, 'aria-label': t.commands, leftSection: <Icon name="search" /> }}
      attributes={{ content: { 'aria-label': t.commands } }}
      scrollable
      maxHeight={420}
    />
  );
}

/** An object that the text of the palette names. */
export type FoundObject = {
  readonly id: string;
  readonly icon: RailName | 'user';
  readonly label: string;
  readonly description: string;
  readonly to: string;
  /** Another entity to choose with it. */
  readonly entityId?: string;
  /** The query of its address. */
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
