import { Button, Checkbox, Menu, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedCallback, useLocalStorage } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { FoundPayment, SavedView } from '../../../spec/answers/payments.ts';
import {
  EXPORT_ROWS_MAX,
  type FoundColumn,
  paymentStates,
  type SearchFilterName,
  searchFilterNames,
} from '../../../spec/areas/payments.ts';
import { passesLuhn } from '../../../spec/cards/cardRanges.ts';
import {
  AUTHENTICATION,
  paymentTypes,
  RISK_CHECK,
  recordedTypes,
  registrationTypes,
  scheduleTypes,
} from '../../../spec/paymentTypes.ts';
import { DAY_MS } from '../../../spec/time.ts';
import { addressOf, type Values } from '../../app/api.ts';
import { useMe, useScope } from '../../app/me.ts';
import { type Search, useAddress } from '../../app/navigation.ts';
import { useApiCommand, useApiList, useApiQuery } from '../../app/useApi.ts';
import { type Column, useChosenColumns } from '../../kit/DataTable.tsx';
import { Dialog, FormButtons } from '../../kit/Dialog.tsx';
import type { EmptyProps } from '../../kit/Empty.tsx';
import type { Filter } from '../../kit/Filters.tsx';
import { Id } from '../../kit/Id.tsx';
import { Icon } from '../../kit/icons.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { Money } from '../../kit/Money.tsx';
import { cardText, StatusWithReason } from '../../kit/PaymentsTable.tsx';
import { ResultCode } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { useForm } from '../../kit/useForm.ts';
import { type PaymentWords, paymentTexts, wordFor } from '../../texts/payments.ts';
import { shellTexts } from '../../texts/shell.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';

/** Transactions that move money. The list shows these alone until the user asks for others. */
export const moneyTypes = [...Object.keys(paymentTypes), ...Object.keys(recordedTypes)];
const otherTypes = [...Object.keys(registrationTypes), ...Object.keys(scheduleTypes), AUTHENTICATION, RISK_CHECK];

/** The value of the type filter for all transactions. */
export const ALL_TYPES = 'all';

const controlsIn = (t: PaymentWords): Readonly<Record<SearchFilterName, Omit<Filter, 'name'>>> => ({
  state: { label: t.state, choices: paymentStates.map((value) => ({ value, label: t[value] })) },
  types: {
    label: t.type,
    choices: [
      { value: ALL_TYPES, label: t.allTypes },
      ...[...moneyTypes, ...otherTypes].map((value) => ({ value, label: wordFor(t, value) })),
    ],
  },
  from: { label: t.from, type: 'date' },
  to: { label: t.to, type: 'date' },
  code: { label: t.code, placeholder: '800.100.151' },
  brand: { label: t.brand, placeholder: 'VISA' },
  currency: { label: t.currency, placeholder: 'EUR' },
  amount: { label: t.amount, placeholder: '92.00' },
  last4: { label: t.last4, placeholder: '4242' },
  email: { label: t.email, placeholder: 'ann@shop.example' },
  customer: { label: t.customer },
});

/** The filters of the list, under their names in the address. */
export const filtersIn = (t: PaymentWords): readonly Filter[] =>
  Object.entries(controlsIn(t)).map(([name, control]) => ({ name, ...control }));

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** A day as the instant at which it begins, or as the one at which it is over; an instant stays as it is. */
function instantOf(text: string | undefined, isEnd: boolean): string | undefined {
  if (text === undefined || !DAY.test(text)) return text;
  const begins = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(begins) ? text : new Date(begins + (isEnd ? DAY_MS : 0)).toISOString();
}

export type PaymentFilters = Partial<Omit<Values<'searchPayments'>, 'after' | 'limit'>>;

/** Filters whose text in the address must be converted for the API. */
const parsers: Partial<Record<SearchFilterName, (text: string) => string | undefined>> = {
  from: (text) => instantOf(text, false),
  to: (text) => instantOf(text, true),
  brand: (text) => text.toUpperCase(),
  currency: (text) => text.toUpperCase(),
  state: (text) => paymentStates.find((one) => one === text),
};

/** Transactions without money are listed when the user asks for them, or searches for a text. */
function typesOf({ types, q }: Search): string | undefined {
  if (types !== undefined) return types === ALL_TYPES ? undefined : types;
  return q ? undefined : moneyTypes.join(',');
}

/** The request to the server, from the address. */
export function askedOf(entityId: string, search: Search): PaymentFilters {
  const filters = searchFilterNames.map((name) => {
    const text = search[name];
    return [name, text === undefined ? undefined : (parsers[name] ?? String)(text)];
  });
  return { entityId, text: search.q?.trim(), ...Object.fromEntries(filters), types: typesOf(search) } as PaymentFilters;
}

/** The parameters of the address that belong to the view of the list. */
export const viewNames = ['q', ...searchFilterNames] as const;

export const isFiltered = (search: Search): boolean => viewNames.some((name) => search[name]);

/** The page's column for each column of the file. */
export const columnsOf = {
  created: ['createdAt'],
  amount: ['amount', 'currency'],
  state: ['state', 'status', 'code', 'description'],
  type: ['paymentType'],
  card: ['paymentBrand', 'last4'],
  code: ['code'],
  reference: ['merchantTransactionId'],
  email: ['email'],
  channel: ['channel', 'entityId'],
  shortId: ['shortId'],
  id: ['id'],
} as const satisfies Readonly<Record<string, readonly FoundColumn[]>>;

const CARD = /^[0-9](?:[ -]?[0-9]){12,18}$/;

/** Detects a card number in the search text, so that it is never sent. */
export function cardEnd(text: string): string | null {
  const typed = text.trim();
  if (!CARD.test(typed)) return null;
  const digits = typed.replaceAll(/[ -]/g, '');
  return passesLuhn(digits) ? digits.slice(-4) : null;
}

const NEAR = 80;

/** Whether the page has not been scrolled away from its beginning. */
function useAtTop(): boolean {
  const [isTop, setTop] = useState(true);
  useEffect(() => {
    const look = () => setTop(globalThis.scrollY < NEAR);
    globalThis.addEventListener('scroll', look, { passive: true });
    return () => globalThis.removeEventListener('scroll', look);
  }, []);
  return isTop;
}

/** The line that makes a first payment; the sandbox's merchant and token are public. */
const firstPayment = (gatewayUrl: string): string =>
  [
    `curl ${gatewayUrl}/v1/payments`,
    '-H "Authorization: Bearer NWVlZDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwYTF8c2FuZGJveC1kZW1v"',
    '-d entityId=5eed0000000000000000000000000001 -d amount=92.00 -d currency=EUR -d paymentType=DB -d paymentBrand=VISA',
    '-d card.number=4200000000000000 -d card.holder="Ann Example" -d card.expiryMonth=05 -d card.expiryYear=2034 -d card.cvv=123',
  ].join(' \\\n  ');

const EVERY_MS = 5_000;
const PAGE = 50;
/** A query may scan many payments and find few. The page then loads more, up to this many times. */
const GOES_ON_MAX = 50;
const NAME = 'payments';

/** Payments of the chosen entity, newest first. Searches while the user types, and refreshes until the user scrolls down. */
export function Payments(): ReactNode {
  const t = useTexts(paymentTexts);
  const { entityId } = useScope();
  const { search, set } = useAddress();
  const locale = localeOf(useLanguage());
  const filters = filtersIn(t);
  const columns = columnsIn(t);
  const asked = askedOf(entityId, search);
  const { visibility } = useChosenColumns(NAME, columns);
  const shown = columns.filter(({ id }) => visibility[id] !== false).map(({ id }) => id);
  const isTop = useAtTop();
  const pages = useApiList('searchPayments', asked, {
    rowsOf: ({ payments }) => payments,
    ...(isTop && { everyMs: EVERY_MS }),
  });
  const isSearching = useGoingOn(pages, JSON.stringify(asked));
  const rows: readonly FoundPayment[] | undefined = isSearching && pages.rows?.length === 0 ? undefined : pages.rows;
  const nothing = useNothing(() => set(Object.fromEntries(viewNames.map((name) => [name, undefined]))));
  // The file always has the id, by which a row is found again.
  const csvColumns = [...new Set([...shown, 'id'].flatMap((id) => columnsOf[id as keyof typeof columnsOf] ?? []))];
  return (
    <ListPage
      name={NAME}
      title={t.title}
      csv={{
        href: addressOf('exportPayments', { ...asked, columns: csvColumns }),
        hint: t.exportSays(new Intl.NumberFormat(locale).format(EXPORT_ROWS_MAX)),
      }}
      filters={filters}
      tools={
        <>
          <SearchBox />
          <Views shown={shown} />
          <TechnicalSwitch />
        </>
      }
      list={{ ...pages, rows }}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ id }) => `/payments/${id}`}
      empty={nothing}
      notFound={nothing}
    />
  );
}

type Pages = Pick<ReturnType<typeof useApiList>, 'rows' | 'more'>;

/** Loads further pages until the first screen is full or no payments are left. */
function useGoingOn({ rows, more }: Pages, question: string): boolean {
  const [gone, setGone] = useState({ question, times: 0 });
  const times = gone.question === question ? gone.times : 0;
  const goesOn = rows !== undefined && rows.length < PAGE && more !== null && times < GOES_ON_MAX;
  useEffect(() => {
    if (!goesOn || more?.isLoading) return;
    setGone({ question, times: times + 1 });
    more?.load();
  }, [goesOn, more, question, times]);
  return goesOn;
}

/** The empty state: how to create a first payment, or how to find more. */
function useNothing(onClear: () => void): EmptyProps {
  const t = useTexts(paymentTexts);
  const { search } = useAddress();
  const { gatewayUrl, environment } = useMe();
  if (!isFiltered(search)) {
    return { title: t.none, says: t.noneSays, ...(environment === 'test' && { curl: firstPayment(gatewayUrl) }) };
  }
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t.clear}
    </Button>
  );
  return { title: t.noneFound, says: t.noneFoundSays, children: clear };
}

/** Shows registrations and checks, which move no money, between the payments. */
function TechnicalSwitch(): ReactNode {
  const t = useTexts(paymentTexts);
  const { search, set } = useAddress();
  if (search.q || (search.types !== undefined && search.types !== ALL_TYPES)) return null;
  return (
    <Checkbox
      size="xs"
      label={t.withTechnical}
      checked={search.types === ALL_TYPES}
      onChange={(event) => set({ types: event.currentTarget.checked ? ALL_TYPES : undefined })}
    />
  );
}

/** Searches while one types. The number of a card is cut to its end before it goes anywhere. */
function SearchBox(): ReactNode {
  const t = useTexts(paymentTexts);
  const { search, set } = useAddress();
  const [text, setText] = useState(search.q ?? '');
  const [isCut, setCut] = useState(false);
  const told = useRef(search.q ?? '');
  const tell = useDebouncedCallback((q: string) => {
    told.current = q;
    set({ q: q === '' ? undefined : q });
  }, 150);
  // A view or the search in the top bar changed the address. A change by this box itself arrives late, and must not undo later typing.
  useEffect(() => {
    const q = search.q ?? '';
    if (q === told.current) return;
    told.current = q;
    setText(q);
  }, [search.q]);
  const change = (typed: string) => {
    // The beginning of a number may look like a complete number while it is typed.
    const isTypedOn = isCut && typed.startsWith(text) && /^[0-9 -]+$/.test(typed);
    const end = isTypedOn ? typed.replace(/[^0-9]/g, '').slice(-4) : cardEnd(typed);
    setCut(end !== null);
    setText(end ?? typed);
    tell((end ?? typed).trim());
  };
  return (
    <TextInput
      type="search"
      className="payments-search"
      aria-label={t.searchLabel}
      placeholder={t.searchHint}
      value={text}
      maxLength={255}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={<Icon name="search" size={14} />}
      {...(isCut && { description: t.cardHidden })}
    />
  );
}

/** The columns of the list; the last ones are hidden until chosen. */
export const columnsIn = (t: PaymentWords): readonly Column<FoundPayment>[] => [
  { id: 'created', header: t.created, isFixed: true, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  {
    id: 'amount',
    header: t.amount,
    isNumber: true,
    isFixed: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    id: 'state',
    header: t.state,
    cell: ({ status, currency, code }) => <StatusWithReason status={status} currency={currency} code={code} />,
  },
  { id: 'type', header: t.type, cell: ({ paymentType }) => wordFor(t, paymentType) },
  { id: 'card', header: t.card, cell: ({ paymentBrand, last4 }) => cardText(paymentBrand, last4) },
  { id: 'reference', header: t.reference, isLong: true, cell: ({ merchantTransactionId }) => merchantTransactionId },
  { id: 'email', header: t.email, isHidden: true, cell: ({ email }) => email },
  { id: 'channel', header: t.channel, isHidden: true, cell: ({ channel }) => channel },
  { id: 'code', header: t.code, isHidden: true, cell: ({ code }) => <ResultCode code={code} /> },
  { id: 'shortId', header: t.shortId, isHidden: true, cell: ({ shortId }) => <Id id={shortId} /> },
  { id: 'id', header: t.id, isHidden: true, cell: ({ id }) => <Id id={id} isShort /> },
];

const VIEWS_OF = 'payments';

/** Where the table keeps which columns are chosen. */
const useKeptColumns = () =>
  useLocalStorage<Readonly<Record<string, boolean>>>({
    key: `turnpike-columns-${VIEWS_OF}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });

/** The saved views of the user, and a way to save the current one. */
export function Views({ shown }: { readonly shown: readonly string[] }): ReactNode {
  const t = useTexts(paymentTexts);
  const { set } = useAddress();
  const { data } = useApiQuery('listViews', { page: VIEWS_OF });
  const [isSaving, setSaving] = useState(false);
  const { run: remove } = useApiCommand('removeView', { says: t.viewRemoved });
  const [, keep] = useKeptColumns();
  const open = ({ filters, columns }: SavedView) => {
    if (columns) keep(Object.fromEntries(Object.keys(columnsOf).map((id) => [id, columns.includes(id)])));
    set(Object.fromEntries(viewNames.map((name) => [name, filters[name]])));
  };
  const views = data?.views ?? [];
  return (
    <>
      <Menu position="bottom-start" closeOnItemClick>
        <Menu.Target>
          <UnstyledButton className="quiet-button">
            <Icon name="down" size={12} />
            {t.views}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 && <Menu.Label>{t.viewNone}</Menu.Label>}
          {views.map((view) => (
            <Menu.Item key={view.id} onClick={() => open(view)}>
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => setSaving(true)}>{t.viewSave}</Menu.Item>
          {views.map((view) => (
            <Menu.Item key={`remove ${view.id}`} color="bad" onClick={() => remove({ places: { id: view.id } })}>
              {t.viewRemove(view.name)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <SaveView isOpen={isSaving} shown={shown} onClose={() => setSaving(false)} />
    </>
  );
}

type SaveProps = { readonly isOpen: boolean; readonly shown: readonly string[]; readonly onClose: () => void };

function SaveView({ isOpen, shown, onClose }: SaveProps): ReactNode {
  const t = useTexts(paymentTexts);
  const shell = useTexts(shellTexts);
  const { search } = useAddress();
  const { run, isRunning, problem } = useApiCommand('saveView', {
    says: ({ name }) => t.viewSaved(name),
    onDone: onClose,
    isQuiet: true,
  });
  const form = useForm({ name: '' }, problem);
  const filters = Object.fromEntries(viewNames.flatMap((name) => (search[name] ? [[name, search[name]] as const] : [])));
  return (
    <Dialog isOpen={isOpen} title={t.viewSave} onClose={onClose}>
      <form
        className="stack"
        onSubmit={form.submit(() => run({ values: { page: VIEWS_OF, name: form.values.name.trim(), filters, columns: shown } }))}
      >
        <TextInput label={t.viewName} maxLength={64} data-autofocus {...form.field('name')} />
        <FormButtons act={shell.save} isRunning={isRunning} isDisabled={form.values.name.trim() === ''} onClose={onClose} />
      </form>
    </Dialog>
  );
}
