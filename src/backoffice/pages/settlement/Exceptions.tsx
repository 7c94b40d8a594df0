import { type ReactNode, useState } from 'react';
import type { SettlementLine } from '../../../spec/answers/settlement.ts';
import { useScope } from '../../app/me.ts';
import { useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { type Filter, useFilters } from '../../kit/Filters.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { Money } from '../../kit/Money.tsx';
import { Status } from '../../kit/Status.tsx';
import { settlementTexts } from '../../texts/settlement.ts';
import { useTexts } from '../../texts/texts.ts';
import { Decide } from './Decide.tsx';
import { useDay } from './useDay.ts';
import type { Words } from './words.ts';

/** By what an acquirer names the payment, the best first. */
const referenceOf = ({ paymentId, merchantTransactionId, shortId, invoiceId, settlementId }: SettlementLine): string =>
  merchantTransactionId ?? shortId ?? paymentId ?? invoiceId ?? settlementId ?? '';

const columnsIn = (t: Words, dayText: (day: string) => string): readonly Column<SettlementLine>[] => [
  {
    id: 'settledOn',
    header: t.settledOn,
    isFixed: true,
    cell: ({ settledOn }) => dayText(settledOn),
    sortBy: ({ settledOn }) => settledOn,
  },
  { id: 'status', header: t.status, cell: ({ match }) => <Status tone="warn">{t[match.status]}</Status> },
  { id: 'type', header: t.type, cell: ({ recordType, transactionType }) => <code>{`${recordType} ${transactionType}`}</code> },
  { id: 'reference', header: t.reference, cell: (line) => <code>{referenceOf(line)}</code> },
  {
    id: 'reason',
    header: t.reason,
    cell: ({ match }) => (
      <span className="line-reason" title={match.why}>
        {match.why}
      </span>
    ),
  },
  { id: 'line', header: t.line, isHidden: true, isNumber: true, cell: ({ line }) => line },
  {
    id: 'amount',
    header: t.amount,
    isNumber: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
];

const filtersIn = (t: Words): readonly Filter[] => [
  {
    name: 'status',
    label: t.status,
    choices: (['NOT_MATCHED', 'MULTIPLE_MATCHES'] as const).map((value) => ({ value, label: t[value] })),
  },
];

/** Lines of settlement files that could not be matched automatically. */
export function Exceptions(): ReactNode {
  const t = useTexts(settlementTexts);
  const { entityId } = useScope();
  const filters = filtersIn(t);
  const values = { entityId, ...useFilters(filters) };
  const dayText = useDay();
  const [opened, setOpened] = useState<SettlementLine | null>(null);
  return (
    <ListPage
      name="exceptions"
      title={t.exceptions}
      says={t.exceptionsSays}
      filters={filters}
      list={useApiList('listExceptions', values, { rowsOf: ({ exceptions }) => exceptions })}
      columns={columnsIn(t, dayText)}
      keyOf={({ id }) => id}
      onOpen={setOpened}
      empty={{ title: t.noExceptions, says: t.noExceptionsSays }}
    >
      <Decide line={opened} onClose={() => setOpened(null)} />
    </ListPage>
  );
}
