import { Switch, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useMemo, useState } from 'react';
import type { SeenCall } from '../../../spec/answers/developer.ts';
import { useAddress } from '../../app/address.ts';
import { useMe, useScope } from '../../app/me.ts';
import { useAsk, useAskPages } from '../../app/useAsk.ts';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { type Filter, Filters, useFilters } from '../../kit/Filters.tsx';
import { Id } from '../../kit/Id.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { ResultCode } from '../../kit/ResultCode.tsx';
import { Status } from '../../kit/Status.tsx';
import { When } from '../../kit/When.tsx';
import { developerTexts } from '../../texts/developer.ts';
import { useTexts } from '../../texts/texts.ts';

type Words = (typeof developerTexts)['en'];

/** How often a list that is followed asks for what is new. */
const FOLLOW_MS = 2_000;
const SEARCH_MS = 250;

export const toneOf = (status: number): 'good' | 'bad' | 'quiet' => (status < 300 ? 'good' : status < 400 ? 'quiet' : 'bad');

const columnsIn = (t: Words): readonly Column<SeenCall>[] => [
  { id: 'time', header: t.time, cell: ({ at }) => <When at={at} />, sortBy: ({ id }) => id },
  {
    id: 'request',
    header: t.request,
    isFixed: true,
    cell: ({ method, path }) => (
      <code>
        {method} {path}
      </code>
    ),
    sortBy: ({ path }) => path,
  },
  { id: 'status', header: t.status, cell: ({ status }) => <Status tone={toneOf(status)}>{status}</Status> },
  {
    id: 'code',
    header: t.code,
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
  { id: 'entity', header: t.channel, isHidden: true, cell: ({ entityId }) => <Id id={entityId} isShort /> },
];

const filtersIn = (t: Words): readonly Filter[] => [
  {
    name: 'status',
    label: t.status,
    choices: [
      { value: '2xx', label: t.good },
      { value: '4xx', label: t.refused },
      { value: '5xx', label: t.broken },
    ],
  },
  { name: 'code', label: t.code, placeholder: '800.100' },
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

/** As the server takes instants; what cannot be one is left out. */
function instantOf(text: string | undefined): string | undefined {
  const at = text ? new Date(text) : null;
  return at === null || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** A field that searches while somebody types; what is looked for stands in the address. */
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

/** The calls of the API, as they come. */
export function Calls(): ReactNode {
  const t = useTexts(developerTexts);
  const { entityId } = useScope();
  const { gatewayUrl } = useMe();
  const { search, set } = useAddress();
  const filters = useMemo(() => filtersIn(t), [t]);
  const { from, to, ...chosen } = useFilters(filters);
  const asked = { entityId, text: search.text ?? '', ...chosen, from: instantOf(from), to: instantOf(to) };
  const isFollowing = search.follow !== 'no';
  const list = useAskPages('listCalls', asked as never, {
    rowsOf: ({ calls }) => calls,
    nextOf: ({ next }) => next,
    ...(isFollowing && { everyMs: FOLLOW_MS }),
  });
  const { data: known } = useAsk('listCalls', { entityId, limit: 1 });
  const columns = useMemo(() => columnsIn(t), [t]);
  const line = `curl ${gatewayUrl}/v1/payments \\\n  -H "Authorization: Bearer $ACCESS_TOKEN" \\\n  -d entityId=${entityId} -d amount=92.00 -d currency=EUR -d paymentType=DB \\\n  -d paymentBrand=VISA -d card.number=4200000000000000 -d card.expiryMonth=05 -d card.expiryYear=2034 -d card.cvv=123`;
  return (
    <>
      <PageHead title={t.calls} says={known?.isOn === false ? t.callsOff : t.callsSay}>
        <Switch
          label={t.following}
          checked={isFollowing}
          onChange={(event) => set({ follow: event.currentTarget.checked ? undefined : 'no' })}
        />
      </PageHead>
      <Filters filters={filters}>
        <Search label={t.search} />
      </Filters>
      <DataTable
        name="calls"
        label={t.calls}
        {...list}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ id }) => `/developer/calls/${id}`}
        empty={<Empty title={t.noCalls} says={t.noCallsSay} curl={line} />}
      />
    </>
  );
}
