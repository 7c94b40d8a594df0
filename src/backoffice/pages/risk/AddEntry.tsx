import { Button, Group, Modal, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { EntryView } from '../../../spec/answers/risk.ts';
import { listKinds, listNames } from '../../../spec/areas/risk.ts';
import { useScope } from '../../app/me.ts';
import type { Problem } from '../../app/problem.ts';
import { problemText } from '../../app/problemText.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { riskTexts } from '../../texts/risk.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { kindExamples, kindWords } from './kinds.ts';

type DialogProps = { readonly isOpen: boolean; readonly onClose: () => void };

function Dialog({
  isOpen,
  onClose,
  title,
  children,
}: DialogProps & { readonly title: string; readonly children: ReactNode }): ReactNode {
  const { close } = useTexts(shellTexts);
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': close }}>
      {children}
    </Modal>
  );
}

/** Puts one thing on a list. What was typed is gone when the dialog closes. */
export function AddEntry({ isOpen, onClose }: DialogProps): ReactNode {
  const t = useTexts(riskTexts);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t.add}>
      <EntryForm onClose={onClose} />
    </Dialog>
  );
}

const faultOf = (problem: Problem | null, name: string): string | null => problem?.faults[name] ?? null;

function EntryForm({ onClose }: Pick<DialogProps, 'onClose'>): ReactNode {
  const t = useTexts(riskTexts);
  const { entityId } = useScope();
  const [list, setList] = useState<EntryView['list']>('block');
  const [kind, setKind] = useState<EntryView['kind']>('email');
  const [value, setValue] = useState('');
  const [days, setDays] = useState<number | string>('');
  const { run, isRunning, problem } = useApiCommand('putRiskEntry', { says: t.added, onDone: onClose, isQuiet: true });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run({ values: { entityId, list, kind, value, ...(days !== '' && { days: Number(days) }) } });
  };
  return (
    <form onSubmit={submit} className="stack" autoComplete="off">
      <ListSelect value={list} onChange={setList} />
      <Select
        label={t.kind}
        data={listKinds.map((one) => ({ value: one, label: t[kindWords[one]] }))}
        value={kind}
        allowDeselect={false}
        onChange={(next) => setKind((next ?? 'email') as EntryView['kind'])}
      />
      <TextInput
        label={kind === 'card' ? t.cardNumber : t.value}
        description={kind === 'card' ? t.addCardSays : null}
        placeholder={kindExamples[kind]}
        value={value}
        inputMode={kind === 'card' || kind === 'bin' ? 'numeric' : 'text'}
        autoComplete="off"
        error={faultOf(problem, 'value')}
        onChange={(event) => setValue(event.currentTarget.value)}
        data-autofocus
        required
      />
      <NumberInput
        label={t.days}
        description={t.daysSays}
        min={1}
        max={3650}
        allowDecimal={false}
        value={days}
        onChange={setDays}
      />
      <Ending act={t.add} isRunning={isRunning} problem={problem} fields={['value']} onClose={onClose} />
    </form>
  );
}

function ListSelect({
  value,
  onChange,
}: {
  readonly value: EntryView['list'];
  readonly onChange: (list: EntryView['list']) => void;
}): ReactNode {
  const t = useTexts(riskTexts);
  return (
    <Select
      label={t.list}
      data={listNames.map((one) => ({ value: one, label: t[one] }))}
      value={value}
      allowDeselect={false}
      onChange={(next) => onChange((next ?? 'block') as EntryView['list'])}
    />
  );
}

/** Puts many things on a list. */
export function ImportEntries({ isOpen, onClose }: DialogProps): ReactNode {
  const t = useTexts(riskTexts);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t.import}>
      <ImportForm onClose={onClose} />
    </Dialog>
  );
}

function ImportForm({ onClose }: Pick<DialogProps, 'onClose'>): ReactNode {
  const t = useTexts(riskTexts);
  const { entityId } = useScope();
  const [list, setList] = useState<EntryView['list']>('block');
  const [lines, setLines] = useState('');
  const { run, isRunning, problem } = useApiCommand('importRiskEntries', {
    says: ({ entries }) => t.imported(entries),
    onDone: onClose,
    isQuiet: true,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run({ values: { entityId, list, lines } });
  };
  return (
    <form onSubmit={submit} className="stack">
      <ListSelect value={list} onChange={setList} />
      <Textarea
        label={t.importLines}
        description={t.importSays}
        classNames={{ input: 'mono' }}
        autosize
        minRows={6}
        maxRows={14}
        spellCheck={false}
        value={lines}
        onChange={(event) => setLines(event.currentTarget.value)}
        data-autofocus
        required
      />
      {problem && (
        <ul className="reason-list fault">
          {Object.entries(problem.faults).map(([name, message]) => (
            <li key={name} lang="en">
              {name} {message}
            </li>
          ))}
        </ul>
      )}
      <Ending
        act={t.import}
        isRunning={isRunning}
        problem={problem}
        fields={Object.keys(problem?.faults ?? {})}
        onClose={onClose}
      />
    </form>
  );
}

type EndingProps = {
  readonly act: string;
  readonly isRunning: boolean;
  readonly problem: Problem | null;
  /** Faults that stand at their fields already. */
  readonly fields: readonly string[];
  readonly onClose: () => void;
};

function Ending({ act, isRunning, problem, fields, onClose }: EndingProps): ReactNode {
  const shell = useTexts(shellTexts);
  const isSaid = problem !== null && fields.some((name) => problem.faults[name] !== undefined);
  return (
    <>
      {problem && !isSaid && (
        <p role="alert" className="fault">
          {problemText(problem, shell)}
        </p>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {shell.cancel}
        </Button>
        <Button type="submit" loading={isRunning}>
          {act}
        </Button>
      </Group>
    </>
  );
}
