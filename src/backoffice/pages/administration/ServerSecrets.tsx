import { Button, PasswordInput, SegmentedControl, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AccountView, ServerSecretView } from '../../../spec/answers/account.ts';
import { useMay } from '../../app/me.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { ConfirmButton } from '../../kit/ConfirmButton.tsx';
import { Section } from '../../kit/Facts.tsx';
import { Id } from '../../kit/Id.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { administrationTexts } from '../../texts/administration.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { Sheet, Window } from './Overview.tsx';
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
        {account.serverSecrets.map((secret) => (
          <Row key={secret.server} secret={secret} accountId={account.id} may={may} onSet={setSet} />
        ))}
      </dl>
      <Window isOpen={set !== null} title={set ? t[`server.${set}`] : ''} onClose={() => setSet(null)}>
        {set && <SetSecret account={account} server={set} onClose={() => setSet(null)} />}
      </Window>
    </Section>
  );
}

type RowProps = {
  readonly secret: ServerSecretView;
  readonly accountId: string;
  readonly may: boolean;
  readonly onSet: (server: Server) => void;
};

function Row({ secret: { server, kind, fingerprint, keptAt }, accountId, may, onSet }: RowProps): ReactNode {
  const t = useTexts(administrationTexts);
  const label = t[`server.${server}`];
  return (
    <div className="setting" data-own={kind !== null || undefined}>
      <dt>{label}</dt>
      <dd>
        <span className="setting-value">{kind === null ? t.secretNone : t[`secret.${kind}`]}</span>
        <span className="setting-source">
          {fingerprint && <Id id={fingerprint} isShort />} {keptAt && <Timestamp at={keptAt} />}
        </span>
      </dd>
      <dd className="setting-act">
        {may && (
          <Button variant="subtle" size="compact-sm" onClick={() => onSet(server)} aria-label={`${t.setSecret}: ${label}`}>
            {t.setSecret}
          </Button>
        )}
        {may && kind !== null && (
          <ConfirmButton
            endpoint="dropServerSecret"
            request={{ places: { id: accountId }, values: { server } }}
            title={label}
            label={t.dropSecret}
            ariaLabel={`${t.dropSecret}: ${label}`}
            variant="subtle"
            size="compact-sm"
            color="bad"
            says={t.secretDropped}
          >
            {t.dropSecretSays}
          </ConfirmButton>
        )}
      </dd>
    </div>
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
