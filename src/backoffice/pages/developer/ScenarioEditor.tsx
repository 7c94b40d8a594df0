import { Button, Drawer, Group, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { useScope } from '../../app/me.ts';
import type { Problem } from '../../app/problem.ts';
import { problemText } from '../../app/problemText.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { toolTexts } from '../../texts/developerTools.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';

type Props = { readonly isOpen: boolean; readonly onClose: () => void; readonly scenario?: object };

/** Something that works, to be changed. */
const example = {
  name: 'no-money-then-paid',
  says: 'There is too little money in the account, a day later there is enough.',
  acquirer: [
    { says: 'declined', code: '800.100.155' },
    { says: 'approved', takes: '2s' },
  ],
};

/** An editor for a custom scenario. */
export function ScenarioEditor(props: Props): ReactNode {
  const t = useTexts(toolTexts);
  const shell = useTexts(shellTexts);
  return (
    <Drawer
      opened={props.isOpen}
      onClose={props.onClose}
      position="right"
      size="lg"
      title={t.editorTitle}
      closeButtonProps={{ 'aria-label': shell.close }}
    >
      <Form {...props} />
    </Drawer>
  );
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}

function Form({ onClose, scenario = example }: Props): ReactNode {
  const t = useTexts(toolTexts);
  const shell = useTexts(shellTexts);
  const { entityId } = useScope();
  const { go } = useAddress();
  const [text, setText] = useState(() => JSON.stringify(scenario, null, 2));
  const [isBroken, setBroken] = useState(false);
  const { run, isRunning, problem } = useApiCommand('putScenario', { says: t.kept, isQuiet: true });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value = parsed(text);
    setBroken(value === null);
    if (value === null) return;
    run(
      { values: { entityId, scenario: value } },
      {
        onSuccess: () => {
          onClose();
          go(`/developer/scenarios/${String(value.name)}`);
        },
      },
    );
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>{t.editorSays}</p>
      <Textarea
        label={t.json}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autosize
        minRows={14}
        maxRows={28}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mono)' } }}
        error={isBroken ? t.notJson : null}
      />
      {problem && <Faults problem={problem} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {shell.cancel}
        </Button>
        <Button type="submit" loading={isRunning}>
          {shell.save}
        </Button>
      </Group>
    </form>
  );
}

/** Everything that is wrong with it, each at its place. */
function Faults({ problem }: { readonly problem: Problem }): ReactNode {
  const shell = useTexts(shellTexts);
  const faults = Object.entries(problem.faults);
  return (
    <div role="alert" className="fault">
      {faults.length === 0 && problemText(problem, shell)}
      <ul className="dev-list">
        {faults.map(([name, message]) => (
          <li key={name}>
            <code>{name}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
