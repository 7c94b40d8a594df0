import { Switch, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { CallView } from '../../../spec/answers/developer.ts';
import { useMe, useScope } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiList, useApiQuery } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { type Filter, instantText, useFilters } from '../../kit/Filters.tsx';
import { Id } from '../../kit/Id.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { ResultCode, ResultReason, Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { developerTexts } from '../../texts/developer.ts';
import { useTexts } from '../../texts/texts.ts';

type Words = (typeof developerTexts)['en'];

/** How often a live list is loaded again. */
const LIVE_MS = 2_000;
const SEARCH_MS = 250;

export const toneOf = (status: number): 'good' | 'bad' | 'quiet' => (status < 300 ? 'good' : status < 400 ? 'quiet' : 'bad');

const columnsIn = (t: Words): readonly Column<CallView>[] => [
  { id: 'time', header: t.time, cell: ({ at }) => <Timestamp at={at} />, sortBy: ({ id }) => id },
  {
    id: 'request',
    header: t.request,
    isFixed: true,
    isLong: true,
    cell: ({ method, path }) => (
      <code>
        {method} {path}
      </code>
    ),
    sortBy: ({ path }) => path,
  },
  { id: 'status', header: t.state, cell: ({ status }) => <Status tone={toneOf(status)}>{status}</Status> },
  { id: 'reason', header: t.reason, isLong: true, cell: ({ code }) => code !== '' && <ResultReason code={code} /> },
  {
    id: 'code',
    header: t.resultCode,
    isHidden: true,
    cell: ({ code }) => (code === '' ? null : <ResultCode code={code} />),
    sortBy: ({ code }) => code,
  },
  { id: 'reference', header: t.reference, cell: ({ merchantTransactionId }) => merchantTransactionId },
  { id: 'took', header: t.took, isNumber: true, cell: ({ ms }) => t.ms(String(ms)), sortBy: ({ ms }) => ms },
  {
    id: 'payment',
    header: t.payment,
    isHidden: true,
    cell: ({ paymentId }) => paymentId && <Id id={paymentId} to={`/payments/${paymentId}`} isShort />,
  },
  { id: 'entity', header: t.entity, isHidden: true, cell: ({ entityId }) => <Id id={entityId} isShort /> },
];

const filtersIn = (t: Words): readonly Filter[] => [
  {
    name: 'status',
    label: t.state,
    choices: [
      { value: '2xx', label: t.good },
      { value: '4xx', label: t.refused },
      { value: '5xx', label: t.broken },
    ],
  },
  { name: 'code', label: t.resultCode, placeholder: '800.100' },
  {
    name: 'endpoint',
    label: t.endpoint,
    choices: ['pay', 'refer', 'read', 'register', 'payRegistered', 'createCheckout', 'payCheckout', 'schedule', 'query'].map(
      (value) => ({ value, label: value }),
    ),
  },
  { name: 'paymentId', label: t.paymentId },
  { name: 'from', label: t.from, type: 'datetime-local' },
  { name: 'to', label: t.to, type: 'datetime-local' },
];

/** A search box. It searches while the user types; the text is in the address. */
function Search({ label }: { readonly label: string }): ReactNode {
  const { search, set } = useAddress();
  const [text, setText] = useState(search.text ?? '');
  const look = useDebouncedCallback((value: string) => set({ text: value.trim() || undefined }), SEARCH_MS);
  return (
    <TextInput
      type="search"
      size="xs"
      w={280}
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        look(event.currentTarget.value);
      }}
    />
  );
}

/** API calls at the chosen entity, newest first. */
export function Calls(): ReactNode {
  const t = useTexts(developerTexts);
  const { entityId } = useScope();
  const { gatewayUrl } = useMe();
  const { search, set } = useAddress();
  const filters = filtersIn(t);
  const { from, to, ...chosen } = useFilters(filters);
  const values = { entityId, text: search.text ?? '', ...chosen, from: instantText(from), to: instantText(to) };
  const isLive = search.follow !== 'no';
  const list = useApiList('listCalls', values, { rowsOf: ({ calls }) => calls, ...(isLive && { everyMs: LIVE_MS }) });
  const { data: known } = useApiQuery('listCalls', { entityId, limit: 1 });
  const curl = `curl ${gatewayUrl}/v1/payments \\\n  -H "Authorization: Bearer $ACCESS_TOKEN" \\\n  -d entityId=${entityId} -d amount=92.00 -d currency=EUR -d paymentType=DB \\\n  -d paymentBrand=VISA -d card.number=4200000000000000 -d card.expiryMonth=05 -d card.expiryYear=2034 -d card.cvv=123`;
  return (
    <ListPage
      name="calls"
      title={t.apiCalls}
      says={known?.isOn === false ? t.callsOff : t.callsSay}
      actions={
        <Switch
          label={t.following}
          checked={isLive}
          onChange={(event) => set({ follow: event.currentTarget.checked ? undefined : 'no' })}
        />
      }
      filters={filters}
      tools={<Search label={t.search} />}
      list={list}
      columns={columnsIn(t)}
      keyOf={({ id }) => id}
      to={({ id }) => `/developer/calls/${id}`}
      empty={{ title: t.noCalls, says: t.noCallsSay, curl }}
    />
  );
}
