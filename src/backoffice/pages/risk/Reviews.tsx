import { Button, Group, SegmentedControl, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { NO_CURRENCY } from '../../../money/amount.ts';
import type { ReviewFollowUp, ReviewView } from '../../../spec/answers/risk.ts';
import { reviewStates } from '../../../spec/areas/risk.ts';
import { problemText } from '../../app/api.ts';
import { useMay, useScope } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiCommand, useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { Fault } from '../../kit/Empty.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { amountColumn, useMoneyText } from '../../kit/Money.tsx';
import { Facts } from '../../kit/Page.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { ResultCode, Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { riskTexts } from '../../texts/risk.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Words } from './draft.ts';

type State = (typeof reviewStates)[number];

const columnsIn = (t: Words, state: State): readonly Column<ReviewView>[] => [
  { id: 'created', header: t.created, isFixed: true, cell: ({ payment }) => <Timestamp at={payment.createdAt} /> },
  amountColumn(t.amount, ({ payment }) => payment),
  {
    id: 'card',
    header: t.method,
    cell: ({ payment: { paymentBrand, last4 } }) => [paymentBrand, last4 && `•••• ${last4}`].filter(Boolean).join(' '),
  },
  {
    id: 'reasons',
    header: t.reason,
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
      aria-label={t.state}
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

/** A payment to review: the reasons, and the decision. */
export function ReviewDialog({
  review,
  onClose,
}: {
  readonly review: ReviewView | null;
  readonly onClose: () => void;
}): ReactNode {
  const t = useTexts(riskTexts);
  const moneyText = useMoneyText();
  const title = review ? moneyText(review.payment.amount, review.payment.currency) : t.reviews;
  return (
    <Dialog isOpen={review !== null} title={title} onClose={onClose} size="lg">
      {review && <Review review={review} onClose={onClose} />}
    </Dialog>
  );
}

type ReviewProps = { readonly review: ReviewView; readonly onClose: () => void };

function Review({ review, onClose }: ReviewProps): ReactNode {
  const t = useTexts(riskTexts);
  const { payment, reasons, score, decision } = review;
  const may = useMay('review', payment.entityId);
  return (
    <div className="stack">
      <Facts
        facts={[
          [t.created, <Timestamp key="created" at={payment.createdAt} hasSeconds />],
          [t.method, [payment.paymentBrand, payment.last4 && `•••• ${payment.last4}`].filter(Boolean).join(' ')],
          [t.scoreIs, score !== null && String(score)],
          [
            t.reason,
            <ul key="reasons" className="reason-list">
              {reasons.length === 0 ? <li>{t.acquirerAsked}</li> : reasons.map(({ id, says }) => <li key={id}>{says}</li>)}
            </ul>,
          ],
        ]}
      />
      <Group gap="md">
        <PageLink to={`/payments/${payment.id}`}>{t.toPayment}</PageLink>
        <PageLink to={`/risk/payments/${payment.id}`}>{t.riskEvaluation}</PageLink>
      </Group>
      {decision && <Decided decision={decision} currency={payment.currency} />}
      {may && (!decision || isLeft(review)) && <Deciding review={review} onClose={onClose} />}
    </div>
  );
}

/** Whether it was refused and something was not given back. */
const isLeft = ({ decision, payment }: ReviewView): boolean =>
  decision?.is === 'refused' &&
  payment.currency !== NO_CURRENCY &&
  (decision.acts.length === 0 || decision.acts.some(({ isDone }) => !isDone));

type DecidedProps = { readonly decision: NonNullable<ReviewView['decision']>; readonly currency: string };

function Decided({ decision: { is, note, by, at, acts }, currency }: DecidedProps): ReactNode {
  const t = useTexts(riskTexts);
  return (
    <div className="stack">
      <p>
        <Status tone={is === 'accepted' ? 'good' : 'bad'}>{t[is]}</Status> <Timestamp at={at} />
      </p>
      <p className="muted">{t.decidedBy(by)}</p>
      <p>{note}</p>
      {acts.length > 0 && (
        <ul className="reason-list">
          {acts.map((act) => (
            <li key={`${act.paymentType} ${act.paymentId}`}>
              <Act act={act} currency={currency} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Act({ act, currency }: { readonly act: ReviewFollowUp; readonly currency: string }): ReactNode {
  const t = useTexts(riskTexts);
  const moneyText = useMoneyText();
  const what = `${act.paymentType === 'RV' ? t.reversal : t.refund} ${moneyText(act.amount, currency)}`;
  return (
    <>
      <Status tone={act.isDone ? 'good' : 'bad'}>{act.isDone ? t.given : t.givenNot}</Status>{' '}
      {act.paymentId === null ? what : <PageLink to={`/payments/${act.paymentId}`}>{what}</PageLink>}{' '}
      <ResultCode code={act.code} />
    </>
  );
}

function Deciding({ review: { payment, decision }, onClose }: ReviewProps): ReactNode {
  const t = useTexts(riskTexts);
  const shell = useTexts(shellTexts);
  const moneyText = useMoneyText();
  const { entityId } = useScope();
  const [note, setNote] = useState('');
  const accept = useApiCommand('acceptReview', { says: t.acceptedSaid, onDone: onClose, isQuiet: true });
  const refuse = useApiCommand('refuseReview', { says: t.refusedSaid, onDone: onClose, isQuiet: true });
  const act = { values: { entityId, note: note.trim() }, places: { id: payment.id } };
  const problem = accept.problem ?? refuse.problem;
  const isDisabled = note.trim() === '' || accept.isRunning || refuse.isRunning;
  return (
    <div className="stack">
      <TextInput
        label={t.note}
        description={t.acceptSays}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        data-autofocus
      />
      {problem && <Fault>{problemText(problem, shell)}</Fault>}
      <Group justify="flex-end" gap="xs">
        <Button color="bad" variant="default" disabled={isDisabled} loading={refuse.isRunning} onClick={() => refuse.run(act)}>
          {t.refuseAct(moneyText(payment.amount, payment.currency))}
        </Button>
        {!decision && (
          <Button disabled={isDisabled} loading={accept.isRunning} onClick={() => accept.run(act)}>
            {t.accept}
          </Button>
        )}
      </Group>
    </div>
  );
}
