import { Button, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { ScenariosView } from '../../../spec/answers/developer.ts';
import { type Problem, problemText } from '../../app/api.ts';
import { useMay, useScope } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiCommand, useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { DetailDrawer, FormButtons } from '../../kit/Dialog.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { Status } from '../../kit/Status.tsx';
import { toolTexts } from '../../texts/developer.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';

type Words = (typeof toolTexts)['en'];
type Row = ScenariosView['scenarios'][number] & { readonly attached: readonly ('all' | 'card')[] };

const isOf = (name: string, wish: string | null): boolean => wish !== null && wish.split('#')[0] === name;

/** Where a scenario is attached to the entity. */
export const attachedTo = (name: string, { channel, cards }: ScenariosView['attached']): Row['attached'] => [
  ...(isOf(name, channel) ? (['all'] as const) : []),
  ...cards.flatMap((wish) => (isOf(name, wish) ? (['card'] as const) : [])),
];

const columnsIn = (t: Words): readonly Column<Row>[] => [
  { id: 'name', header: t.name, isFixed: true, cell: ({ name }) => <code>{name}</code>, sortBy: ({ name }) => name },
  { id: 'story', header: t.description, isLong: true, cell: ({ says }) => <span lang="en">{says}</span> },
  { id: 'kind', header: t.type, cell: ({ isReady }) => (isReady ? t.ready : t.own), sortBy: ({ isReady }) => Number(isReady) },
  {
    id: 'attached',
    header: t.attached,
    cell: ({ attached }) =>
      attached.length > 0 && (
        <Status tone="accent">
          {[...new Set(attached)].map((to) => (to === 'all' ? t.attachedAll : t.attachedCard)).join(', ')}
        </Status>
      ),
  },
];

/** Scenarios of the test environment. */
export function Scenarios(): ReactNode {
  const t = useTexts(toolTexts);
  const { entityId } = useScope();
  const may = useMay('scenarios');
  const [isWriting, setWriting] = useState(false);
  const list = useApiList(
    'listScenarios',
    { entityId },
    {
      rowsOf: ({ scenarios, attached }) => scenarios.map((one): Row => ({ ...one, attached: attachedTo(one.name, attached) })),
    },
  );
  return (
    <ListPage
      name="scenarios"
      title={t.scenarios}
      says={t.scenariosSay}
      actions={
        may && (
          <Button variant="default" onClick={() => setWriting(true)}>
            {t.write}
          </Button>
        )
      }
      list={list}
      columns={columnsIn(t)}
      keyOf={({ name }) => name}
      to={({ name }) => `/developer/scenarios/${name}`}
      empty={{ title: t.noScenarios }}
    >
      <ScenarioEditor isOpen={isWriting} onClose={() => setWriting(false)} />
    </ListPage>
  );
}

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
  return (
    <DetailDrawer isOpen={props.isOpen} title={t.editorTitle} onClose={props.onClose}>
      <Form {...props} />
    </DetailDrawer>
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
      <FormButtons act={shell.save} isRunning={isRunning} onClose={onClose} />
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
