import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { RunsPreview as Preview, RegistrationView, ScheduleDetail } from '../../../spec/answers/stored.ts';
import { Problem, problemText, type Values } from '../../app/api.ts';
import { useMe, useScope } from '../../app/me.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { FormButtons } from '../../kit/Dialog.tsx';
import { Fault } from '../../kit/Empty.tsx';
import { decimal } from '../../kit/Money.tsx';
import { instrumentText } from '../../kit/PaymentsTable.tsx';
import { type Form, freshKey, useForm, useOnce } from '../../kit/useForm.ts';
import { scheduleFormTexts } from '../../texts/schedules.ts';
import { shellTexts } from '../../texts/shell.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';
import { RecurrenceFields } from './RecurrenceFields.tsx';
import { cronOf, firstRecurrence, recurrenceOf, timesIn } from './recurrence.ts';

type Words = (typeof scheduleFormTexts)['en'];

const empty = {
  amount: '',
  currency: 'EUR',
  startDate: '',
  endDate: '',
  payments: '12',
  name: '',
  descriptor: '',
  merchantTransactionId: '',
} as const;
type TextName = keyof typeof empty;

/** The texts of the form; dates without their times. */
const textsOf = (present: ScheduleDetail | null): Readonly<Record<TextName, string>> => ({
  ...empty,
  ...(present && {
    amount: present.amount ?? '',
    currency: present.currency ?? '',
    startDate: present.startDate?.slice(0, 10) ?? '',
    endDate: present.endDate?.slice(0, 10) ?? '',
    name: present.name ?? '',
    descriptor: present.descriptor ?? '',
    merchantTransactionId: present.merchantTransactionId ?? '',
  }),
});

const ends = ['never', 'onDate', 'afterPayments'] as const;
type End = (typeof ends)[number];

/** The server's fault of a field, in the language of the user. */
function inWords(problem: Problem | null, t: Words): Problem | null {
  if (!problem) return null;
  const words: Readonly<Record<string, (message: string) => string>> = {
    amount: () => t.faultAmount,
    currency: () => t.faultCurrency,
    expression: t.faultExpression,
    startDate: () => t.faultStart,
    endDate: () => t.faultEnd,
    payments: t.faultPayments,
    registrationId: () => t.faultRegistration,
    name: () => t.faultName,
    descriptor: () => t.faultDescriptor,
    merchantTransactionId: () => t.faultReference,
  };
  const faults = Object.entries(problem.faults).map(([name, message]) => [name, words[name]?.(message) ?? message] as const);
  const { status, code, needs, message: description } = problem;
  return new Problem({ status, code, needs, description, faults: Object.fromEntries(faults) });
}

export type ScheduleFormProps = {
  /** The schedule to change; null: a new one. */
  readonly present: ScheduleDetail | null;
  /** The payment method of a new schedule; null: the user chooses one. */
  readonly registration: ChosenRegistration | null;
  readonly onDone: (schedule: ScheduleDetail) => void;
  readonly onClose: () => void;
};

type TermValues = Partial<Omit<Values<'changeSchedule'>, 'entityId' | 'key' | 'language'>>;

/** The command of the form. One idempotency key per request: a retry does not repeat it; other values are another request. */
function useScheduleCommand({ present, onDone }: ScheduleFormProps) {
  const t = useTexts(scheduleFormTexts);
  const language = useLanguage();
  const { entityId } = useScope();
  const creation = useApiCommand('createSchedule', { says: t.created, onDone, isQuiet: true });
  const change = useApiCommand('changeSchedule', { says: t.changed, onDone, isQuiet: true });
  const once = useOnce();
  const last = useRef({ sent: '', key: '' });
  const run = (values: TermValues, registrationId: string) => {
    const sent = JSON.stringify([values, registrationId]);
    if (last.current.sent !== sent) last.current = { sent, key: freshKey() };
    const request = { entityId, key: last.current.key, language, ...values };
    once(() =>
      present
        ? change.runAndWait({ values: request, places: { id: present.id } })
        : creation.runAndWait({ values: { ...request, registrationId } }),
    );
  };
  const { problem } = present ? change : creation;
  const said = useMemo(() => inWords(problem, t), [problem, t]);
  return { run, isRunning: creation.isRunning || change.isRunning, problem: said };
}

/** The form of a new schedule, or of one that changes. */
export function ScheduleForm(props: ScheduleFormProps): ReactNode {
  const { present, registration, onClose } = props;
  const t = useTexts(scheduleFormTexts);
  const { entityId } = useScope();
  const { run, isRunning, problem } = useScheduleCommand(props);
  const [initial] = useState(() => textsOf(present));
  const form = useForm<TextName>(initial, problem);
  const [chosen, setChosen] = useState(registration);
  /** The problem before another payment method was chosen. */
  const [mended, setMended] = useState<Problem | null>(null);
  const [recurrence, setRecurrence] = useState(present ? recurrenceOf(present.expression) : firstRecurrence);
  const [end, setEnd] = useState<End>(initial.endDate === '' ? 'never' : 'onDate');
  const [testMode, setTestMode] = useState(present?.testMode ?? '');
  const expression = cronOf(recurrence);
  const channelId = present?.entityId ?? chosen?.entityId ?? entityId;
  const { preview, problem: unplanned } = usePreview({ entityId: channelId, expression, ...runsOf(form, end, empty) });
  const planFaults = inWords(unplanned, t)?.faults ?? {};
  const values: TermValues = {
    ...runsOf(form, end, initial),
    ...changedTexts(form, initial),
    ...(expression !== null && expression !== (present && cronOf(recurrenceOf(present.expression))) && { expression }),
    ...(initial.endDate !== '' && end === 'never' && { noEnd: true }),
    ...(testMode !== '' && testMode !== present?.testMode && { testMode }),
  };
  const faults = problem?.faults ?? {};
  return (
    <form onSubmit={form.submit(() => run(values, chosen?.id ?? ''))} className="stack" noValidate>
      <p>{present ? t.changeSays : t.createSays}</p>
      {!present && !registration && (
        <RegistrationSelect
          chosen={chosen}
          error={
            faults.registrationId === undefined || problem === mended
              ? null
              : chosen
                ? faults.registrationId
                : t.missingRegistration
          }
          onChange={(one) => {
            setChosen(one);
            setMended(problem);
          }}
        />
      )}
      <Group grow align="flex-start">
        <TextInput label={t.amount} inputMode="decimal" required data-autofocus {...form.field('amount')} />
        <TextInput label={t.currency} maxLength={3} required {...form.field('currency')} />
      </Group>
      <RecurrenceFields
        recurrence={recurrence}
        error={planFaults.expression ?? faults.expression ?? null}
        onChange={setRecurrence}
      />
      <Ends form={form} end={end} faults={planFaults} isChange={present !== null} onEnd={setEnd} />
      <RunsPreview preview={preview} />
      <More form={form} testMode={testMode} onTestMode={setTestMode} />
      <Rest problem={problem} isRegistrationFixed={present !== null || registration !== null} />
      <FormButtons act={present ? t.save : t.create} isRunning={isRunning} onClose={onClose} />
    </form>
  );
}

/** The faults that belong to no field. */
function Rest({
  problem,
  isRegistrationFixed,
}: {
  readonly problem: Problem | null;
  readonly isRegistrationFixed: boolean;
}): ReactNode {
  const t = useTexts(scheduleFormTexts);
  const shell = useTexts(shellTexts);
  if (!problem) return null;
  const { faults, code } = problem;
  const shown: readonly string[] = [...Object.keys(empty), 'expression', ...(isRegistrationFixed ? [] : ['registrationId'])];
  if (Object.keys(faults).some((name) => shown.includes(name))) return null;
  return <Fault>{faults.registrationId ?? (code === '100.360.300' ? t.gone : problemText(problem, shell))}</Fault>;
}

type Initial = Readonly<Record<TextName, string>>;

/** Beginning and end where they differ from the initial ones: whole days. */
function runsOf({ values }: Form<TextName>, end: End, initial: Initial) {
  const { startDate, endDate, payments } = values;
  return {
    ...(startDate !== '' && startDate !== initial.startDate && { startDate: `${startDate} 00:00:00` }),
    ...(end === 'onDate' && endDate !== '' && endDate !== initial.endDate && { endDate: `${endDate} 23:59:59` }),
    ...(end === 'afterPayments' && { payments: Number(payments) }),
  };
}

/** The other texts where they differ from the initial ones. */
function changedTexts({ values }: Form<TextName>, initial: Initial) {
  const { amount, currency, name, descriptor, merchantTransactionId } = values;
  const sent = { amount: decimal(amount), currency: currency.trim().toUpperCase(), name, descriptor, merchantTransactionId };
  return Object.fromEntries(
    Object.entries(sent).filter(([field, value]) => field === 'currency' || value !== initial[field as TextName]),
  ) as Partial<typeof sent>;
}

type EndsProps = {
  readonly form: Form<TextName>;
  readonly end: End;
  readonly faults: Readonly<Record<string, string>>;
  readonly isChange: boolean;
  readonly onEnd: (end: End) => void;
};

function Ends({ form, end, faults, isChange, onEnd }: EndsProps): ReactNode {
  const t = useTexts(scheduleFormTexts);
  const field = (name: 'startDate' | 'endDate' | 'payments') => {
    const own = form.field(name);
    return { ...own, error: own.error ?? faults[name] ?? null };
  };
  return (
    <>
      <TextInput
        label={t.startDate}
        description={t.startSays}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        type="date"
        {...field('startDate')}
      />
      <Group grow align="flex-start">
        <Select
          label={t.end}
          data={ends.map((value) => ({ value, label: t[value] }))}
          value={end}
          onChange={(value) => onEnd(ends.find((one) => one === value) ?? end)}
          allowDeselect={false}
        />
        {end === 'onDate' && <TextInput label={t.endDate} type="date" required {...field('endDate')} />}
        {end === 'afterPayments' && (
          <TextInput
            label={isChange ? t.paymentsLeft : t.payments}
            type="number"
            min={1}
            max={1000}
            inputMode="numeric"
            required
            {...field('payments')}
          />
        )}
      </Group>
    </>
  );
}

type MoreProps = {
  readonly form: Form<TextName>;
  readonly testMode: string;
  readonly onTestMode: (mode: string) => void;
};

function More({ form, testMode, onTestMode }: MoreProps): ReactNode {
  const t = useTexts(scheduleFormTexts);
  const { environment } = useMe();
  return (
    <details className="more">
      <summary>{t.more}</summary>
      <div className="stack">
        <TextInput label={t.name} description={t.nameSays} maxLength={64} {...form.field('name')} />
        <TextInput label={t.statementText} description={t.descriptorSays} maxLength={127} {...form.field('descriptor')} />
        <TextInput
          label={t.yourReference}
          description={t.referenceSays}
          maxLength={255}
          {...form.field('merchantTransactionId')}
        />
        {environment === 'test' && (
          <Select
            label={t.testMode}
            data={[
              { value: 'INTERNAL', label: t.internal },
              { value: 'EXTERNAL', label: t.external },
            ]}
            value={testMode === '' ? 'INTERNAL' : testMode}
            onChange={(mode) => onTestMode(mode ?? '')}
            allowDeselect={false}
          />
        )}
      </div>
    </details>
  );
}

export type ChosenRegistration = Pick<RegistrationView, 'id' | 'entityId' | 'instrument'>;

const PAUSE_MS = 250;
const FOUND_MAX = 20;

/** The query of a text: an id, the last four digits, or a part of the holder's name. */
function filterOf(text: string): { readonly id?: string; readonly last4?: string; readonly holder?: string } {
  if (/^[0-9a-f]{32}$/.test(text)) return { id: text };
  if (/^[0-9]{4}$/.test(text)) return { last4: text };
  return /^(?!.*[0-9]{5})[^\p{C}]{2,64}$/u.test(text) ? { holder: text } : {};
}

const registrationText = ({ instrument }: ChosenRegistration): string =>
  [instrumentText(instrument), instrument.holder].filter((part) => part !== null).join(' · ');

type RegistrationSelectProps = {
  readonly chosen: ChosenRegistration | null;
  readonly error: string | null;
  readonly onChange: (chosen: ChosenRegistration) => void;
};

/** A stored payment method of the chosen entity; the server looks for it. */
function RegistrationSelect({ chosen, error, onChange }: RegistrationSelectProps): ReactNode {
  const t = useTexts(scheduleFormTexts);
  const { entityId } = useScope();
  const [typed, setTyped] = useState('');
  const isShown = chosen !== null && typed === registrationText(chosen);
  const [text] = useDebouncedValue(isShown ? '' : typed.trim(), PAUSE_MS);
  const { data } = useApiQuery('listRegistrations', { entityId, state: 'active', limit: FOUND_MAX, ...filterOf(text) });
  const found = data?.registrations ?? [];
  const options = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found;
  return (
    <Select
      label={t.method}
      description={t.registrationSays}
      data={options.map((one) => ({ value: one.id, label: registrationText(one) }))}
      value={chosen?.id ?? null}
      onChange={(wanted) => {
        const one = options.find(({ id }) => id === wanted);
        if (one) onChange(one);
      }}
      error={error}
      required
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has matched them.
      filter={({ options: all }) => all}
      nothingFoundMessage={t.noRegistrations}
      allowDeselect={false}
      data-autofocus
    />
  );
}

const PREVIEW_PAUSE_MS = 300;

type PreviewQuery = {
  readonly entityId: string;
  readonly expression: string | null;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly payments?: number;
};

type PreviewState = { readonly preview: Preview | null; readonly problem: Problem | null };

/** The runs of what the form says, a moment after the last key. */
function usePreview(query: PreviewQuery): PreviewState {
  const language = useLanguage();
  const [text] = useDebouncedValue(JSON.stringify(query), PREVIEW_PAUSE_MS);
  const { expression, ...asked } = JSON.parse(text) as PreviewQuery;
  const isWanted = expression !== null;
  const { data, error } = useApiQuery('previewRuns', { ...asked, expression: expression ?? '', language }, { isWanted });
  if (!isWanted) return { preview: null, problem: null };
  return error ? { preview: null, problem: error } : { preview: data ?? null, problem: null };
}

/** The recurrence in words, and when it runs next. */
function RunsPreview({ preview }: Pick<PreviewState, 'preview'>): ReactNode {
  const t = useTexts(scheduleFormTexts);
  const locale = localeOf(useLanguage());
  if (!preview) return null;
  const format = timesIn(locale, preview.timeZone, 'full');
  return (
    <section className="runs-preview" aria-label={t.preview} aria-live="polite">
      <strong>{preview.words}</strong>
      <p className="muted">{`${t.preview} · ${t.previewIn(preview.timeZone)}`}</p>
      <ol>
        {preview.nextRuns.map((at) => (
          <li key={at}>
            <time dateTime={at}>{format.format(new Date(at))}</time>
          </li>
        ))}
      </ol>
      {preview.lastRun !== null && (
        <p>{t.lastRun(timesIn(locale, preview.timeZone, 'medium').format(new Date(preview.lastRun)))}</p>
      )}
    </section>
  );
}
