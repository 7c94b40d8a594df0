import { SegmentedControl } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ReviewView } from '../../../spec/answers/risk.ts';
import { reviewStates } from '../../../spec/areas/risk.ts';
import { useAddress } from '../../app/address.ts';
import { useScope } from '../../app/me.ts';
import { useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { Money } from '../../kit/Money.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { riskTexts } from '../../texts/risk.ts';
import { useTexts } from '../../texts/texts.ts';
import { ReviewDialog } from './ReviewDialog.tsx';
import type { Words } from './words.ts';

type State = (typeof reviewStates)[number];

const columnsIn = (t: Words, state: State): readonly Column<ReviewView>[] => [
  { id: 'created', header: t.created, isFixed: true, cell: ({ payment }) => <Timestamp at={payment.createdAt} /> },
  {
    id: 'amount',
    header: t.amount,
    isNumber: true,
    cell: ({ payment }) => <Money amount={payment.amount} currency={payment.currency} />,
  },
  {
    id: 'card',
    header: t.card,
    cell: ({ payment: { paymentBrand, last4 } }) => [paymentBrand, last4 && `•••• ${last4}`].filter(Boolean).join(' '),
  },
  {
    id: 'reasons',
    header: t.reasons,
    cell: ({ reasons }) => (reasons.length === 0 ? t.acquirerAsked : reasons.map(({ says }) => says).join(' ')),
  },
  { id: 'score', header: t.scoreIs, isNumber: true, cell: ({ score }) => score },
  ...(state === 'waiting'
    ? []
    : [
        {
          id: 'decided',
          header: t.decided,
          cell: ({ decision }: ReviewView) => decision && <Timestamp at={decision.at} />,
        },
      ]),
];

const EVERY_MS = 10_000;

/** Payments flagged for manual review. */
export function Reviews(): ReactNode {
  const t = useTexts(riskTexts);
  const { search, set } = useAddress();
  const { entityId } = useScope();
  const state: State = reviewStates.find((one) => one === search.state) ?? 'waiting';
  const list = useApiList('listReviews', { entityId, state }, { rowsOf: ({ reviews }) => reviews, everyMs: EVERY_MS });
  const [opened, setOpened] = useState<ReviewView | null>(null);
  const states = (
    <SegmentedControl
      className="review-states"
      aria-label={t.reviewState}
      data={reviewStates.map((value) => ({ value, label: t[value] }))}
      value={state}
      onChange={(value) => set({ state: value === 'waiting' ? undefined : value })}
    />
  );
  const noneWaiting = {
    title: t.reviewsNone,
    says: t.reviewsNoneSays,
    children: <PageLink to="/risk/rules">{t.rules}</PageLink>,
  };
  return (
    <ListPage
      name="reviews"
      title={t.reviews}
      says={t.reviewsSays}
      tools={states}
      list={list}
      columns={columnsIn(t, state)}
      keyOf={({ payment }) => payment.id}
      onOpen={setOpened}
      empty={state === 'waiting' ? noneWaiting : { title: t.reviewsNoneDecided }}
    >
      <ReviewDialog review={opened} onClose={() => setOpened(null)} />
    </ListPage>
  );
}
