import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { PasskeyView } from '../../../spec/answers/users.ts';
import { callApi } from '../../app/api.ts';
import { hasPasskeys, makePasskey } from '../../app/passkey.ts';
import { isProblem, problemText } from '../../app/problem.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { ConfirmButton, Dialog } from '../../kit/Dialog.tsx';
import { Section } from '../../kit/Facts.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { shellTexts } from '../../texts/shell.ts';
import { ownAccountTexts } from '../../texts/signIn.ts';
import { useTexts } from '../../texts/texts.ts';

type Words = (typeof ownAccountTexts)['en'];

const columnsIn = (t: Words): readonly Column<PasskeyView>[] => [
  { id: 'name', header: t.name, isFixed: true, cell: ({ name }) => name },
  { id: 'created', header: t.created, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { id: 'used', header: t.used, cell: ({ usedAt }) => (usedAt === null ? t.never : <Timestamp at={usedAt} />) },
  {
    id: 'remove',
    header: '',
    isFixed: true,
    isNumber: true,
    cell: ({ id, name }) => (
      <ConfirmButton
        endpoint="removePasskey"
        request={{ places: { id } }}
        title={t.passkeyRemoveNamed(name)}
        label={t.passkeyRemove}
        ariaLabel={t.passkeyRemoveNamed(name)}
        variant="subtle"
        size="compact-sm"
        says={t.passkeyRemoved}
      >
        {t.passkeyRemoveSays(name)}
      </ConfirmButton>
    ),
  },
];

/** The user's own passkeys. */
export function Passkeys(): ReactNode {
  const t = useTexts(ownAccountTexts);
  const { data, error, refetch } = useApiQuery('listPasskeys');
  const [isAdding, setAdding] = useState(false);
  const add = hasPasskeys() && (
    <Button variant="default" onClick={() => setAdding(true)}>
      {t.passkeyAdd}
    </Button>
  );
  return (
    <Section title={t.passkeys} actions={add}>
      <p className="muted account-says">{hasPasskeys() ? t.passkeysSays : t.passkeysHost}</p>
      <DataTable
        name="passkeys"
        label={t.passkeys}
        rows={data?.passkeys}
        columns={columnsIn(t)}
        keyOf={({ id }) => id}
        problem={error}
        retry={() => void refetch()}
        empty={<p className="muted">{t.passkeyNone}</p>}
      />
      <NewPasskey isOpen={isAdding} onClose={() => setAdding(false)} onDone={() => void refetch()} />
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
    const { ticket, passkey } = await callApi('newPasskeyOptions');
    await callApi('addPasskey', { ticket, name: name.trim(), credential: await makePasskey(passkey) });
    notifications.show({ message: t.passkeyAdded, color: 'good' });
    onDone();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFault(null);
    make().catch((error) => setFault(isProblem(error) ? problemText(error, words) : t.passkeyFailed));
  };
  return (
    <Dialog isOpen={isOpen} title={t.passkeyAdd} onClose={onClose}>
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
    </Dialog>
  );
}
