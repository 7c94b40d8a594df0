import { Checkbox, Group, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { WebhookShown } from '../../../spec/answers/webhooks.ts';
import { type Problem, problemText } from '../../app/api.ts';
import { FormButtons } from '../../kit/Dialog.tsx';
import { Fault } from '../../kit/Empty.tsx';
import { useForm } from '../../kit/useForm.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { type EventType, eventTypes, type Words } from './words.ts';

export type WebhookFields = {
  readonly name: string;
  readonly url: string;
  readonly types: readonly EventType[];
  readonly fields: WebhookShown['fields'];
  readonly wrapper: WebhookShown['wrapper'];
};

export type WebhookFormProps = {
  readonly webhook?: WebhookShown;
  readonly act: string;
  readonly problem: Problem | null;
  readonly isRunning: boolean;
  readonly onSend: (fields: WebhookFields) => void;
  readonly onClose: () => void;
};

const fieldsIn = (t: Words) => (['ALL', 'NON_CUSTOMER_DATA'] as const).map((value) => ({ value, label: t[`fields${value}`] }));
const wrappersIn = (t: Words) => (['NONE', 'JSON'] as const).map((value) => ({ value, label: t[`wrapper${value}`] }));

const isField = (name: string): boolean => ['name', 'url', 'types'].includes(name);

/** The form of a new or an edited webhook. */
export function WebhookForm({ webhook, act, problem, isRunning, onSend, onClose }: WebhookFormProps): ReactNode {
  const t = useTexts(webhookTexts);
  const shell = useTexts(shellTexts);
  const form = useForm(
    {
      name: webhook?.name ?? '',
      url: webhook?.url ?? '',
      fields: webhook?.fields ?? 'ALL',
      wrapper: webhook?.wrapper ?? 'NONE',
    },
    problem,
  );
  const [types, setTypes] = useState<readonly string[]>(webhook?.types ?? eventTypes);
  const send = form.submit(({ name, url, fields, wrapper }) =>
    onSend({
      name,
      url,
      types: eventTypes.filter((type) => types.includes(type)),
      fields: fields as WebhookFields['fields'],
      wrapper: wrapper as WebhookFields['wrapper'],
    }),
  );
  const isElsewhere = problem !== null && !Object.keys(problem.faults).some(isField);
  return (
    <form onSubmit={send} className="stack">
      <TextInput label={t.name} required maxLength={64} data-autofocus {...form.field('name')} />
      <TextInput
        label={t.url}
        type="url"
        required
        placeholder="https://shop.example/hook"
        {...(webhook && { description: t.changeUrlSays })}
        {...form.field('url')}
      />
      <EventTypes types={types} onChange={setTypes} error={problem?.faults.types ?? null} />
      <Select label={t.fields} allowDeselect={false} data={fieldsIn(t)} {...form.field('fields')} />
      <Select label={t.wrapper} allowDeselect={false} data={wrappersIn(t)} {...form.field('wrapper')} />
      {isElsewhere && <Fault>{problemText(problem, shell)}</Fault>}
      <FormButtons act={act} isRunning={isRunning} isDisabled={types.length === 0} onClose={onClose} />
    </form>
  );
}

type EventTypesProps = {
  readonly types: readonly string[];
  readonly onChange: (types: string[]) => void;
  readonly error: string | null;
};

function EventTypes({ types, onChange, error }: EventTypesProps): ReactNode {
  const t = useTexts(webhookTexts);
  return (
    <Checkbox.Group label={t.events} value={[...types]} onChange={onChange} error={error}>
      <Group mt="xs" gap="md">
        {eventTypes.map((type) => (
          <Checkbox key={type} value={type} label={t[`type${type}`]} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
