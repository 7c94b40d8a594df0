import { PasswordInput, SegmentedControl, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AccountView, ServerSecretView } from '../../../spec/answers/account.ts';
import { useMay } from '../../app/me.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { Section } from '../../kit/Facts.tsx';
import { Id } from '../../kit/Id.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { administrationTexts } from '../../texts/administration.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { Sheet, Window } from './Overview.tsx';
import { SecretRow } from './SecretRow.tsx';
import { useFieldErrors } from './useFieldErrors.ts';

type Server = ServerSecretView['server'];

/** What signs us in at servers: errors by kind and age, never shown. */
export function ServerSecrets({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts(administrationTexts);
  const may = useMay('keys', account.id);
  const [set, setSet] = useState<Server | null>(null);
  return (
    <Section title={t.servers}>
      <p className="muted account-says">{t.serversSays}</p>
      <dl className="settings">
        {account.serverSecrets.map(({ server, kind, fingerprint, keptAt }) => (
          <SecretRow
            key={server}
            label={t[`server.${server}`]}
            title={t[`server.${server}`]}
            value={kind === null ? t.secretNone : t[`secret.${kind}`]}
            source={
              <>
                {fingerprint && <Id id={fingerprint} isShort />} {keptAt && <Timestamp at={keptAt} />}
              </>
            }
            isSet={kind !== null}
            may={may}
            onSet={() => setSet(server)}
            drop={{
              endpoint: 'dropServerSecret',
              request: { places: { id: account.id }, values: { server } },
              says: t.dropSecretSays,
            }}
          />
        ))}
      </dl>
      <Window isOpen={set !== null} title={set ? t[`server.${set}`] : ''} onClose={() => setSet(null)}>
        {set && <SetSecret account={account} server={set} onClose={() => setSet(null)} />}
      </Window>
    </Section>
  );
}

const kinds = ['password', 'privateKey'] as const;

type SetProps = { readonly account: AccountView; readonly server: Server; readonly onClose: () => void };

function SetSecret({ account, server, onClose }: SetProps): ReactNode {
  const t = useTexts(administrationTexts);
  const shell = useTexts(shellTexts);
  const [kind, setKind] = useState<(typeof kinds)[number]>('password');
  const [text, setText] = useState('');
  const { run, isRunning, problem } = useApiCommand('keepServerSecret', { says: t.secretSaved, onDone: onClose, isQuiet: true });
  const errors = useFieldErrors(problem, ['password', 'privateKey']);
  return (
    <Sheet
      act={shell.save}
      fault={errors.rest}
      isRunning={isRunning}
      isDisabled={text === ''}
      onConfirm={() => run({ places: { id: account.id }, values: { server, [kind]: text } })}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={t.secretKind}
        data={kinds.map((value) => ({ value, label: t[`secret.${value}`] }))}
        value={kind}
        onChange={(value) => setKind(kinds.find((one) => one === value) ?? 'password')}
      />
      {kind === 'password' ? (
        <PasswordInput
          label={t.password}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={errors.at.password}
          autoComplete="off"
        />
      ) : (
        <Textarea
          label={t.privateKey}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={errors.at.privateKey}
          autosize
          minRows={5}
          maxRows={12}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: 'mono' }}
        />
      )}
    </Sheet>
  );
}
