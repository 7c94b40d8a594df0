import { Button, Modal, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import type { SeenPasskey } from '../../../spec/answers/users.ts';
import { ask } from '../../app/api.ts';
import { hasPasskeys, makePasskey } from '../../app/passkey.ts';
import { isProblem } from '../../app/problem.ts';
import { useAct, useAsk } from '../../app/useAsk.ts';
import { wordsOf } from '../../app/wordsOf.ts';
import { Confirm } from '../../kit/Confirm.tsx';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Section } from '../../kit/Facts.tsx';
import { When } from '../../kit/When.tsx';
import { ownAccountTexts } from '../../texts/ownAccount.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';

type Words = (typeof ownAccountTexts)['en'];

const columnsIn = (t: Words, onRemove: (passkey: SeenPasskey) => void): readonly Column<SeenPasskey>[] => [
  { id: 'name', header: t.name, isFixed: true, cell: ({ name }) => name },
  { id: 'created', header: t.created, cell: ({ createdAt }) => <When at={createdAt} /> },
  { id: 'used', header: t.used, cell: ({ usedAt }) => (usedAt === null ? t.never : <When at={usedAt} />) },
  {
    id: 'remove',
    header: '',
    isFixed: true,
    isNumber: true,
    cell: (passkey) => (
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={t.passkeyRemoveNamed(passkey.name)}
        onClick={() => onRemove(passkey)}
      >
        {t.passkeyRemove}
      </Button>
    ),
  },
];

/** Passkeys of one's own. */
export function Passkeys(): ReactNode {
  const t = useTexts(ownAccountTexts);
  const { data, error, refetch } = useAsk('listPasskeys');
  const [isAdding, setAdding] = useState(false);
  const [gone, setGone] = useState<SeenPasskey | null>(null);
  const columns = useMemo(() => columnsIn(t, setGone), [t]);
  const { run, isRunning, problem } = useAct('removePasskey', {
    says: t.passkeyRemoved,
    isQuiet: true,
    onDone: () => setGone(null),
  });
  const add = hasPasskeys() && (
    <Button variant="default" onClick={() => setAdding(true)}>
      {t.passkeyAdd}
    </Button>
  );
  return (
    <Section title={t.passkeys} acts={add}>
      <p className="muted account-says">{hasPasskeys() ? t.passkeysSays : t.passkeysHost}</p>
      <DataTable
        name="passkeys"
        label={t.passkeys}
        rows={data?.passkeys}
        columns={columns}
        keyOf={({ id }) => id}
        problem={error}
        retry={() => void refetch()}
        empty={<p className="muted">{t.passkeyNone}</p>}
      />
      <NewPasskey isOpen={isAdding} onClose={() => setAdding(false)} onDone={() => void refetch()} />
      <Confirm
        isOpen={gone !== null}
        title={t.passkeyRemoveNamed(gone?.name ?? '')}
        act={t.passkeyRemove}
        isRunning={isRunning}
        problem={problem}
        onAct={() => gone && run({ places: { id: gone.id } })}
        onClose={() => setGone(null)}
      >
        {t.passkeyRemoveSays(gone?.name ?? '')}
      </Confirm>
    </Section>
  );
}

type NewProps = { readonly isOpen: boolean; readonly onClose: () => void; readonly onDone: () => void };

function NewPasskey({ isOpen, onClose, onDone }: NewProps): ReactNode {
  const t = useTexts(ownAccountTexts);
  const words = useTexts(shellTexts);
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const make = async () => {
    const { ticket, passkey } = await ask('newPasskeyOptions');
    await ask('addPasskey', { ticket, name: name.trim(), credential: await makePasskey(passkey) });
    notifications.show({ message: t.passkeyAdded, color: 'good' });
    onDone();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFault(null);
    make().catch((error) => setFault(isProblem(error) ? wordsOf(error, words) : t.passkeyFailed));
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title={t.passkeyAdd} closeButtonProps={{ 'aria-label': words.close }}>
      <form onSubmit={submit} className="stack">
        <TextInput
          label={t.passkeyName}
          placeholder={t.passkeyNameHint}
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fault}
          data-autofocus
        />
        <Button type="submit">{t.passkeyAdd}</Button>
      </form>
    </Modal>
  );
}
