import { Button, Group, Radio, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { FoundPayments } from '../../../spec/answers/payments.ts';
import type { CandidatePayment, ExceptionLine } from '../../../spec/answers/settlement.ts';
import { problemText } from '../../app/api.ts';
import { useMay, useScope } from '../../app/me.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { Disclosure } from '../../kit/Code.tsx';
import { Confirm, DetailDrawer } from '../../kit/Dialog.tsx';
import { Fault } from '../../kit/Empty.tsx';
import { Id } from '../../kit/Id.tsx';
import { Money, useMoneyText } from '../../kit/Money.tsx';
import { Facts } from '../../kit/Page.tsx';
import { Status } from '../../kit/Status.tsx';
import { useDateText } from '../../kit/Timestamp.tsx';
import { settlementTexts } from '../../texts/settlement.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { kindSays, kindText, NOTE_MAX, signedAmount, useDay } from './Settlement.tsx';

/** One line of a settlement file, which a user resolves with a reason. */
export function Decide({ line, onClose }: { readonly line: ExceptionLine | null; readonly onClose: () => void }): ReactNode {
  const t = useTexts(settlementTexts);
  return (
    <DetailDrawer isOpen={line !== null} title={t.decideTitle} onClose={onClose}>
      {line && <Question key={line.id} line={line} onClose={onClose} />}
    </DetailDrawer>
  );
}

function Question({ line, onClose }: { readonly line: ExceptionLine; readonly onClose: () => void }): ReactNode {
  const t = useTexts(settlementTexts);
  const may = useMay('settlement', line.entityId ?? line.merchantId ?? undefined);
  return (
    <div className="stack">
      <About line={line} />
      {line.exception === 'unreadable' ? (
        <p lang="en">{line.match.why}</p>
      ) : (
        <Disclosure label={t.details}>
          <p lang="en">{line.match.why}</p>
        </Disclosure>
      )}
      {may && <Decision line={line} onClose={onClose} />}
    </div>
  );
}

function About({ line }: { readonly line: ExceptionLine }): ReactNode {
  const t = useTexts(settlementTexts);
  const dayText = useDay();
  const references = [line.merchantTransactionId, line.shortId, line.paymentId, line.invoiceId, line.settlementId];
  return (
    <Facts
      facts={[
        [
          t.reason,
          <span key="reason">
            <Status tone="warn">{kindText(t, line)}</Status>
            <br />
            {kindSays(t, line)}
          </span>,
        ],
        [t.amount, <Money key="amount" amount={signedAmount(line)} currency={line.currency} />],
        [t.fees, line.fee && <Money amount={line.fee} currency={line.settledCurrency} />],
        [t.type, <code key="type">{`${line.recordType} ${line.transactionType}`}</code>],
        [t.settledOn, dayText(line.settledOn)],
        [t.reference, references.filter((one) => one !== null).join(', ')],
        [t.name, <Id key="file" id={line.fileId} isShort to={`/settlement/files/${line.fileId}`} />],
        [t.line, line.line],
      ]}
    />
  );
}

function Decision({ line, onClose }: { readonly line: ExceptionLine; readonly onClose: () => void }): ReactNode {
  const t = useTexts(settlementTexts);
  const shell = useTexts(shellTexts);
  const [paymentId, setPaymentId] = useState(line.suggestedId ?? '');
  const [note, setNote] = useState('');
  const { run, isRunning, problem } = useApiCommand('resolveException', { says: t.resolved, onDone: onClose, isQuiet: true });
  const places = { id: line.id };
  return (
    <>
      <Choice line={line} paymentId={paymentId} onChoose={setPaymentId} />
      <TextInput
        label={t.paymentId}
        value={paymentId}
        onChange={(event) => setPaymentId(event.currentTarget.value.trim())}
        error={problem?.faults.paymentId ?? null}
      />
      <Textarea
        label={t.note}
        required
        maxLength={NOTE_MAX}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value.replace(/\n/g, ' '))}
        error={problem?.faults.note ?? null}
      />
      {problem && !problem.faults.paymentId && !problem.faults.note && <Fault>{problemText(problem, shell)}</Fault>}
      <Group justify="flex-end" gap="xs">
        <Button
          variant="default"
          disabled={note.trim() === ''}
          loading={isRunning}
          onClick={() => run({ values: { leave: true, note: note.trim() }, places })}
        >
          {t.leave}
        </Button>
        <Button
          disabled={note.trim() === '' || paymentId === ''}
          loading={isRunning}
          onClick={() => run({ values: { paymentId, note: note.trim() }, places })}
        >
          {t.match}
        </Button>
      </Group>
    </>
  );
}

type Choosing = { readonly line: ExceptionLine; readonly paymentId: string; readonly onChoose: (id: string) => void };

const WAIT_MS = 250;
const FOUND_MAX = 10;

/** Suggested payments, or the results of a search. */
function Choice({ line, paymentId, onChoose }: Choosing): ReactNode {
  const t = useTexts(settlementTexts);
  const { entityId } = useScope();
  const may = useMay('readPayments');
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), WAIT_MS);
  const isWanted = may && wanted.length >= 3;
  const { data } = useApiQuery('searchPayments', { entityId, text: wanted, limit: FOUND_MAX }, { isWanted });
  const found = isWanted ? (data as FoundPayments | undefined)?.payments : undefined;
  const { candidates } = line;
  return (
    <>
      {candidates.length > 0 && (
        <Radio.Group label={t.candidates} value={paymentId} onChange={onChoose}>
          <div className="stack choices">
            {candidates.map((payment) => (
              <Found key={payment.id} payment={payment} />
            ))}
          </div>
        </Radio.Group>
      )}
      {may && (
        <TextInput
          type="search"
          label={t.searchPayments}
          placeholder={t.searchHint}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {found?.length === 0 && <p className="muted">{t.searchNone}</p>}
      {found && found.length > 0 && (
        <Radio.Group label={t.otherPayment} value={paymentId} onChange={onChoose}>
          <div className="stack choices">
            {found.map((payment) => (
              <Found key={payment.id} payment={payment} />
            ))}
          </div>
        </Radio.Group>
      )}
    </>
  );
}

function Found({ payment }: { readonly payment: CandidatePayment }): ReactNode {
  const moneyText = useMoneyText();
  const dateText = useDateText();
  const { id, shortId, merchantTransactionId, amount, currency, createdAt, last4 } = payment;
  const parts = [merchantTransactionId ?? shortId, moneyText(amount, currency), dateText(createdAt), last4 && `•••• ${last4}`];
  const label = parts.filter((part) => part !== null).join(' · ');
  return <Radio value={id} label={label} description={<code>{id}</code>} />;
}

export type Selection = {
  readonly ids: ReadonlySet<string>;
  readonly set: (ids: readonly string[]) => void;
};

type Props = { readonly rows: readonly ExceptionLine[]; readonly selection: Selection };

/** Selects lines alike, and decides on the selected ones together. */
export function BulkDecide({ rows, selection }: Props): ReactNode {
  const t = useTexts(settlementTexts);
  const [decision, setDecision] = useState<BulkDecision | null>(null);
  const groups = [...Map.groupBy(rows, (line) => kindText(t, line))].filter(([, lines]) => lines.length > 1);
  const lines = rows.filter(({ id }) => selection.ids.has(id));
  const hasCandidates = lines.some(({ suggestedId }) => suggestedId !== null);
  return (
    <>
      {groups.length > 0 && (
        <Group gap="xs" role="group" aria-label={t.selectAll}>
          <span className="muted">{t.selectAll}</span>
          {groups.map(([kind, alike]) => (
            <Button key={kind} variant="default" size="compact-sm" onClick={() => selection.set(alike.map(({ id }) => id))}>
              {t.selectAlike(kind, String(alike.length))}
            </Button>
          ))}
        </Group>
      )}
      {lines.length > 0 && (
        <Group gap="xs" className="bulk-bar">
          <span aria-live="polite">{t.selected(String(lines.length))}</span>
          <Button size="compact-sm" variant="default" onClick={() => setDecision('dismiss')}>
            {t.dismissSelected}
          </Button>
          {hasCandidates && (
            <Button size="compact-sm" onClick={() => setDecision('match')}>
              {t.matchSelected}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" onClick={() => selection.set([])}>
            {t.clearSelection}
          </Button>
        </Group>
      )}
      {decision && (
        <BulkDialog decision={decision} lines={lines} onDone={() => selection.set([])} onClose={() => setDecision(null)} />
      )}
    </>
  );
}

type BulkDecision = 'dismiss' | 'match';

type DialogProps = {
  readonly decision: BulkDecision;
  readonly lines: readonly ExceptionLine[];
  readonly onDone: () => void;
  readonly onClose: () => void;
};

function BulkDialog({ decision, lines, onDone, onClose }: DialogProps): ReactNode {
  const t = useTexts(settlementTexts);
  const { entityId } = useScope();
  const [note, setNote] = useState('');
  const isMatch = decision === 'match';
  const decided = isMatch ? lines.filter(({ suggestedId }) => suggestedId !== null) : lines;
  const left = lines.length - decided.length;
  const { run, isRunning, problem, answer } = useApiCommand('resolveExceptions', {
    says: ({ resolved }) => t.bulkDone(String(resolved)),
    isQuiet: true,
    onDone: ({ refused }) => {
      onDone();
      if (refused.length === 0) onClose();
    },
  });
  const decisions = decided.map(({ id, suggestedId }) =>
    isMatch && suggestedId !== null ? { id, paymentId: suggestedId } : { id },
  );
  const refused = answer?.refused ?? [];
  return (
    <Confirm
      isOpen
      title={(isMatch ? t.bulkMatchTitle : t.bulkDismissTitle)(String(decided.length))}
      act={isMatch ? t.matchSelected : t.dismissSelected}
      isDangerous={false}
      isRunning={isRunning}
      isDisabled={note.trim() === '' || decided.length === 0}
      problem={problem}
      onConfirm={() => run({ values: { entityId, decisions, note: note.trim() } })}
      onClose={onClose}
    >
      <div className="stack">
        <p>{isMatch ? t.bulkMatchSays : t.bulkDismissSays}</p>
        {left > 0 && <p>{t.noCandidate(String(left))}</p>}
        <Textarea
          label={t.note}
          required
          maxLength={NOTE_MAX}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value.replace(/\n/g, ' '))}
          data-autofocus
        />
        {refused.length > 0 && (
          <div role="alert" className="fault">
            <p>{t.bulkRefused(String(refused.length))}</p>
            <ul lang="en">
              {refused.map(({ id, message }) => (
                <li key={id}>
                  <code>{id.slice(-8)}</code> {message}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Confirm>
  );
}
