import { Button, Checkbox, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { FoundPayment } from '../../../spec/answers/payments.ts';
import { EXPORT_ROWS_MAX } from '../../../spec/areas/payments.ts';
import { useAddress } from '../../app/address.ts';
import { addressOf } from '../../app/api.ts';
import { useMe, useScope } from '../../app/me.ts';
import { useApiList } from '../../app/useApi.ts';
import { useChosenColumns } from '../../kit/ColumnChooser.tsx';
import type { EmptyProps } from '../../kit/Empty.tsx';
import { Icon } from '../../kit/icons.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { paymentTexts } from '../../texts/payments.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';
import { columnsIn } from './columns.tsx';
import { ALL_TYPES, askedOf, cardEnd, columnsOf, filtersIn, isFiltered, viewNames } from './filters.ts';
import { Views } from './Views.tsx';

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
/** A page may have looked at many payments and found few: it goes on by itself, but not for ever. */
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

/** Loads further pages while the first is not full and there is more to look at. */
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
  // The address changed by a view or by the search in the top bar. What this box told it comes back late, and undoes nothing typed since.
  useEffect(() => {
    const q = search.q ?? '';
    if (q === told.current) return;
    told.current = q;
    setText(q);
  }, [search.q]);
  const change = (typed: string) => {
    // While a number is typed its beginning may look like a whole one: the digits behind it move the end on.
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
