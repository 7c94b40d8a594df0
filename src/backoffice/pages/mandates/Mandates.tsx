import type { ReactNode } from 'react';
import type { MandateView } from '../../../spec/answers/stored.ts';
import { mandateStates } from '../../../spec/areas/stored.ts';
import { useOneMerchant } from '../../app/me.ts';
import { useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { type Filter, useFilters } from '../../kit/Filters.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { MerchantPicker } from '../../kit/MerchantPicker.tsx';
import { Money } from '../../kit/Money.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { Status } from '../../kit/Status.tsx';
import { mandateTexts } from '../../texts/mandates.ts';
import { useLanguage, useTexts } from '../../texts/texts.ts';
import { useDay } from '../settlement/useDay.ts';
import { accountText, mandateTones, type Words } from './words.ts';

type DayText = (day: string) => string;

const columnsIn = (t: Words, dayText: DayText): readonly Column<MandateView>[] => [
  { id: 'mandate', header: t.mandateId, isFixed: true, cell: ({ mandateId }) => mandateId },
  { id: 'state', header: t.state, cell: ({ state }) => <Status tone={mandateTones[state]}>{t[state]}</Status> },
  { id: 'account', header: t.payerAccount, cell: accountText },
  { id: 'customer', header: t.customer, cell: ({ customerId }) => customerId },
  { id: 'last', header: t.lastCollection, cell: ({ lastDueOn }) => lastDueOn && dayText(lastDueOn) },
  { id: 'next', header: t.nextCollection, cell: ({ next }) => next && dayText(next.dueOn) },
  {
    id: 'amount',
    header: t.amount,
    isNumber: true,
    cell: ({ next }) => next && <Money amount={next.amount} currency={next.currency} />,
  },
  { id: 'notice', header: t.noticeBy, cell: ({ next }) => next && dayText(next.noticeBy) },
  { id: 'scheme', header: t.scheme, isHidden: true, cell: ({ scheme }) => scheme },
  { id: 'signed', header: t.signedOn, isHidden: true, cell: ({ signedOn }) => dayText(signedOn) },
  { id: 'uses', header: t.uses, isHidden: true, isNumber: true, cell: ({ uses }) => uses },
  { id: 'lapses', header: t.lapsesOn, isHidden: true, cell: ({ lapsesOn }) => dayText(lapsesOn) },
];

const filtersIn = (t: Words): readonly Filter[] => [
  { name: 'mandateId', label: t.mandateId },
  { name: 'customerId', label: t.customer },
  { name: 'last4', label: t.last4, placeholder: '3000' },
  { name: 'state', label: t.state, choices: mandateStates.map((value) => ({ value, label: t[value] })) },
  { name: 'upcoming', label: t.upcoming, choices: [{ value: 'true', label: t.withUpcoming }] },
];

/** The direct debit mandates of a merchant. */
export function Mandates(): ReactNode {
  const t = useTexts(mandateTexts);
  const merchant = useOneMerchant();
  if (merchant) return <MandateList merchantId={merchant.id} />;
  return (
    <>
      <PageHead title={t.title} says={t.says} />
      <MerchantPicker />
    </>
  );
}

function MandateList({ merchantId }: { readonly merchantId: string }): ReactNode {
  const t = useTexts(mandateTexts);
  const language = useLanguage();
  const dayText = useDay();
  const filters = filtersIn(t);
  const values = { entityId: merchantId, language, ...useFilters(filters) };
  return (
    <ListPage
      name="mandates"
      title={t.title}
      says={t.says}
      filters={filters}
      list={useApiList('listMandates', values, { rowsOf: ({ mandates }) => mandates })}
      columns={columnsIn(t, dayText)}
      keyOf={({ id }) => id}
      to={({ id }) => `/mandates/${id}`}
      empty={{ title: t.none, says: t.noneSays }}
    />
  );
}
