import { Button, Group, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ExceptionLine } from '../../../spec/answers/settlement.ts';
import { useScope } from '../../app/me.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { Confirm } from '../../kit/Confirm.tsx';
import { settlementTexts } from '../../texts/settlement.ts';
import { useTexts } from '../../texts/texts.ts';
import { kindText, NOTE_MAX } from './words.ts';

export type Selection = {
  readonly ids: ReadonlySet<string>;
  readonly set: (ids: readonly string[]) => void;
};

type Props = { readonly rows: readonly ExceptionLine[]; readonly selection: Selection };

/** Selects lines alike, and decides on the selected ones together. */
export function BulkDecide({ rows, selection }: Props): ReactNode {
  const t = useTexts(settlementTexts);
  const [decision, setDecision] = useState<Decision | null>(null);
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

type Decision = 'dismiss' | 'match';

type DialogProps = {
  readonly decision: Decision;
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
