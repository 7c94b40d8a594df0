import { Button, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { EntryView } from '../../../spec/answers/risk.ts';
import { listKinds, listNames } from '../../../spec/areas/risk.ts';
import { type Problem, problemText } from '../../app/api.ts';
import { useMay, useMe, useOneMerchant, useScope } from '../../app/me.ts';
import { useApiCommand, useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { ConfirmButton, Dialog, FormButtons } from '../../kit/Dialog.tsx';
import { Fault } from '../../kit/Empty.tsx';
import { type Filter, useFilters } from '../../kit/Filters.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { MerchantPicker } from '../../kit/MerchantPicker.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { riskTexts } from '../../texts/risk.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Words } from './draft.ts';

const shownOf = ({ shown }: EntryView, t: Words): string => shown ?? t.cardUnknown;

const columnsIn = (t: Words, remove: ((entry: EntryView) => ReactNode) | null): readonly Column<EntryView>[] => [
  { id: 'value', header: t.value, isFixed: true, cell: (entry) => <span className="mono">{shownOf(entry, t)}</span> },
  { id: 'kind', header: t.type, cell: ({ kind }) => t[kindWords[kind]] },
  { id: 'list', header: t.list, cell: ({ list }) => <Status tone={list === 'block' ? 'bad' : 'good'}>{t[list]}</Status> },
  { id: 'stays', header: t.expires, cell: ({ expiresAt }) => (expiresAt === null ? t.never : <Timestamp at={expiresAt} />) },
  ...(remove ? [{ id: 'remove', header: '', cell: remove }] : []),
];

const filtersIn = (t: Words): readonly Filter[] => [
  { name: 'list', label: t.list, choices: listNames.map((value) => ({ value, label: t[value] })) },
  { name: 'kind', label: t.type, choices: listKinds.map((value) => ({ value, label: t[kindWords[value]] })) },
  { name: 'search', label: t.search },
];

/** Block and allow lists of the chosen merchant. */
export function Lists(): ReactNode {
  const t = useTexts(riskTexts);
  const isMerchant = useOneMerchant() !== null;
  const { entityId } = useScope();
  const { gatewayUrl } = useMe();
  const may = useMay('risk');
  const [opened, setOpened] = useState<'add' | 'import' | null>(null);
  const close = () => setOpened(null);
  const filters = filtersIn(t);
  const values = { entityId, ...useFilters(filters) };
  const curl = `curl ${gatewayUrl}/admin/v1/riskLists -H "Authorization: Bearer $OPERATOR_TOKEN" \\\n  -H "Content-Type: application/json" -d '{"entityId":"${entityId}","list":"block","kind":"email","value":"bad@shop.example"}'`;
  return (
    <ListPage
      name="riskLists"
      title={t.listsTitle}
      says={t.listsSays}
      actions={
        isMerchant &&
        may && (
          <>
            <Button variant="default" onClick={() => setOpened('import')}>
              {t.import}
            </Button>
            <Button onClick={() => setOpened('add')}>{t.add}</Button>
          </>
        )
      }
      filters={filters}
      list={useApiList('listRiskEntries', values, { rowsOf: ({ entries }) => entries, isWanted: isMerchant })}
      columns={columnsIn(t, may ? (entry) => <RemoveEntry entry={entry} /> : null)}
      keyOf={({ list, kind, value }) => `${list} ${kind} ${value}`}
      empty={{ title: t.noEntries, says: t.listsNoneSays, curl }}
      instead={isMerchant ? null : <MerchantPicker />}
    >
      <AddEntry isOpen={opened === 'add'} onClose={close} />
      <ImportEntries isOpen={opened === 'import'} onClose={close} />
    </ListPage>
  );
}

function RemoveEntry({ entry }: { readonly entry: EntryView }): ReactNode {
  const t = useTexts(riskTexts);
  const { entityId } = useScope();
  const { list, kind, value } = entry;
  return (
    <ConfirmButton
      endpoint="removeRiskEntry"
      request={{ values: { entityId, list, kind, value } }}
      title={t.takeTitle}
      label={t.take}
      ariaLabel={t.takeOf(shownOf(entry, t))}
      variant="subtle"
      size="compact-sm"
      says={t.taken}
    >
      {t.takeSays(shownOf(entry, t), t[list])}
    </ConfirmButton>
  );
}

type EntryDialogProps = { readonly isOpen: boolean; readonly onClose: () => void };

/** Adds one entry to a list. The form is reset when the dialog closes. */
export function AddEntry({ isOpen, onClose }: EntryDialogProps): ReactNode {
  const t = useTexts(riskTexts);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t.add}>
      <EntryForm onClose={onClose} />
    </Dialog>
  );
}

const faultOf = (problem: Problem | null, name: string): string | null => problem?.faults[name] ?? null;

function EntryForm({ onClose }: Pick<EntryDialogProps, 'onClose'>): ReactNode {
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
        label={t.type}
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
export function ImportEntries({ isOpen, onClose }: EntryDialogProps): ReactNode {
  const t = useTexts(riskTexts);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t.import}>
      <ImportForm onClose={onClose} />
    </Dialog>
  );
}

function ImportForm({ onClose }: Pick<EntryDialogProps, 'onClose'>): ReactNode {
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
  /** Faults that are shown at their fields. */
  readonly fields: readonly string[];
  readonly onClose: () => void;
};

function Ending({ act, isRunning, problem, fields, onClose }: EndingProps): ReactNode {
  const shell = useTexts(shellTexts);
  const isSaid = problem !== null && fields.some((name) => problem.faults[name] !== undefined);
  return (
    <>
      {problem && !isSaid && <Fault>{problemText(problem, shell)}</Fault>}
      <FormButtons act={act} isRunning={isRunning} onClose={onClose} />
    </>
  );
}

/** Which text names a kind of entry. */
export const kindWords = {
  card: 'kindCard',
  bin: 'kindBin',
  email: 'kindEmail',
  emailDomain: 'kindEmailDomain',
  ip: 'kindIp',
  country: 'kindCountry',
  customer: 'kindCustomer',
} as const satisfies Readonly<Record<EntryView['kind'], string>>;

/** An example of each kind of entry. */
export const kindExamples: Readonly<Record<EntryView['kind'], string>> = {
  card: '•••• •••• •••• ••••',
  bin: '420000',
  email: 'ann@shop.example',
  emailDomain: 'shop.example',
  ip: '203.0.113.0/24',
  country: 'DE',
  customer: 'customer-7',
};
