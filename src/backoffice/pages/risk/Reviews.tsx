import { SegmentedControl } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { SeenReview } from '../../../spec/answers/risk.ts';
import { reviewStates } from '../../../spec/areas/risk.ts';
import { useAddress } from '../../app/address.ts';
import { useScope } from '../../app/me.ts';
import { useAskPages } from '../../app/useAsk.ts';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { Money } from '../../kit/Money.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { To } from '../../kit/To.tsx';
import { When } from '../../kit/When.tsx';
import { riskTexts } from '../../texts/risk.ts';
import { useTexts } from '../../texts/texts.ts';
import { ReviewDialog } from './ReviewDialog.tsx';
import type { Words } from './words.ts';

type State = (typeof reviewStates)[number];

const columnsIn = (t: Words, state: State): readonly Column<SeenReview>[] => [
  { id: 'created', header: t.created, isFixed: true, cell: ({ payment }) => <When at={payment.createdAt} /> },
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
          cell: ({ decision }: SeenReview) => decision && <When at={decision.at} />,
        },
      ]),
];

const EVERY_MS = 10_000;

/** Payments that a person should look at. */
export function Reviews(): ReactNode {
  const t = useTexts(riskTexts);
  const { search, set } = useAddress();
  const { entityId } = useScope();
  const state: State = reviewStates.find((one) => one === search.state) ?? 'waiting';
  const pages = useAskPages(
    'listReviews',
    { entityId, state },
    {
      rowsOf: ({ reviews }) => reviews,
      nextOf: ({ next }) => next,
      everyMs: EVERY_MS,
    },
  );
  const [opened, setOpened] = useState<SeenReview | null>(null);
  const columns = useMemo(() => columnsIn(t, state), [t, state]);
  return (
    <>
      <PageHead title={t.reviews} says={t.reviewsSays} />
      <SegmentedControl
        className="review-states"
        aria-label={t.reviewState}
        data={reviewStates.map((value) => ({ value, label: t[value] }))}
        value={state}
        onChange={(value) => set({ state: value === 'waiting' ? undefined : value })}
      />
      <DataTable
        name="reviews"
        label={t.reviews}
        rows={pages.rows}
        columns={columns}
        keyOf={({ payment }) => payment.id}
        onOpen={setOpened}
        problem={pages.problem}
        retry={pages.retry}
        more={pages.more}
        isStale={pages.isStale}
        empty={
          state === 'waiting' ? (
            <Empty title={t.reviewsNone} says={t.reviewsNoneSays}>
              <To to="/risk/rules">{t.rules}</To>
            </Empty>
          ) : (
            <Empty title={t.reviewsNoneDecided} />
          )
        }
      />
      <ReviewDialog review={opened} onClose={() => setOpened(null)} />
    </>
  );
}
