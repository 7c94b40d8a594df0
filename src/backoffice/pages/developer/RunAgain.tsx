import { Button, Group, Modal, NativeSelect, TextInput } from '@mantine/core';
import { type ChangeEvent, type FormEvent, type ReactNode, useState } from 'react';
import type { CallDetailView } from '../../../spec/answers/developer.ts';
import { testCards } from '../../../spec/cards/testCards.ts';
import { useAddress } from '../../app/address.ts';
import { problemText } from '../../app/problemText.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { developerTexts } from '../../texts/developer.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';

type Props = { readonly call: CallDetailView; readonly isOpen: boolean; readonly onClose: () => void };

/** Asks for what was masked, and runs a call again. */
export function RunAgain(props: Props): ReactNode {
  const t = useTexts(developerTexts);
  const shell = useTexts(shellTexts);
  return (
    <Modal opened={props.isOpen} onClose={props.onClose} title={t.runTitle} closeButtonProps={{ 'aria-label': shell.close }}>
      <Form {...props} />
    </Modal>
  );
}

/** Values to begin with, where there are good ones. */
const given: Readonly<Record<string, string>> = {
  'card.number': testCards[0]?.number ?? '',
  'card.cvv': '123',
  'bankAccount.iban': 'DE23100000001234567890',
};

function Form({ call, onClose }: Props): ReactNode {
  const t = useTexts(developerTexts);
  const shell = useTexts(shellTexts);
  const { go } = useAddress();
  const names = call.toFill ?? [];
  const [fields, setFields] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(names.map((name) => [name, given[name] ?? ''])),
  );
  const put = (name: string, value: string) => setFields((before) => ({ ...before, [name]: value }));
  const { run, isRunning, problem } = useApiCommand('runCall', {
    says: ({ status }) => t.ran(status),
    isQuiet: true,
    onDone: ({ callId }) => {
      onClose();
      if (callId !== null) go(`/developer/calls/${callId}`);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run({ values: { fields }, places: { id: call.id } });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>{t.runSays}</p>
      {names.map((name) => (
        <Filled key={name} name={name} value={fields[name] ?? ''} onFill={(value) => put(name, value)} />
      ))}
      {problem && (
        <p role="alert" className="fault">
          {problemText(problem, shell)}
        </p>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {shell.cancel}
        </Button>
        <Button type="submit" loading={isRunning}>
          {t.run}
        </Button>
      </Group>
    </form>
  );
}

type FilledProps = { readonly name: string; readonly value: string; readonly onFill: (value: string) => void };

const cards = testCards.map(({ number, brand, threeDSecure }) => ({
  value: number,
  label: `${number} ${brand} ${threeDSecure}`,
}));

/** One value that was masked: a card is chosen, everything else is typed. */
function Filled({ name, value, onFill }: FilledProps): ReactNode {
  const t = useTexts(developerTexts);
  const onChange = (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => onFill(event.currentTarget.value);
  if (name === 'card.number')
    return <NativeSelect label={`${name} (${t.testCard})`} data={cards} value={value} onChange={onChange} />;
  return <TextInput label={name} value={value} onChange={onChange} autoComplete="off" />;
}
