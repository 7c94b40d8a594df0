import { Badge, Button, PasswordInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AccountView, AcquirerAccountView } from '../../../spec/answers/account.ts';
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

type Secret = AcquirerAccountView['secrets'][number];
type Chosen = { readonly acquirer: AcquirerAccountView; readonly secret: Secret };

/** The entity's own accounts at acquirers: which credentials are stored, and where notifications go. */
export function AcquirerAccounts({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts(administrationTexts);
  const may = useMay('keys', account.id);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const close = () => setChosen(null);
  return (
    <Section title={t.acquirers}>
      <p className="muted account-says">{account.acquirerAccounts.length === 0 ? t.acquirersNone : t.acquirersSays}</p>
      {account.acquirerAccounts.map((acquirer) => (
        <dl className="settings" key={acquirer.name}>
          <div className="setting" data-own>
            <dt>
              {acquirer.name} <Badge variant="light">{acquirer.title}</Badge>{' '}
              {acquirer.state === 'off' && <Badge color="gray">{t.acquirerOff}</Badge>}
              {!acquirer.isReachable && <Badge color="bad">{t.acquirerUnreachable}</Badge>}{' '}
              {missingIn(acquirer) && <Badge color="bad">{t.acquirerMissing}</Badge>}
            </dt>
            <dd>
              <span className="setting-value">{t.notificationAddress}</span>
              <span className="setting-source">
                <Id id={acquirer.notificationPath} />
              </span>
            </dd>
            <dd className="setting-act" />
          </div>
          {acquirer.secrets.map((secret) => (
            <SecretRow key={secret.name} chosen={{ acquirer, secret }} accountId={account.id} may={may} onSet={setChosen} />
          ))}
        </dl>
      ))}
      <Window isOpen={chosen !== null} title={chosen ? `${chosen.acquirer.name}: ${chosen.secret.name}` : ''} onClose={close}>
        {chosen && <SetSecret accountId={account.id} chosen={chosen} onClose={close} />}
      </Window>
    </Section>
  );
}

const missingIn = ({ secrets }: AcquirerAccountView): boolean => secrets.some(({ isSet, isOptional }) => !isSet && !isOptional);

type RowProps = {
  readonly chosen: Chosen;
  readonly accountId: string;
  readonly may: boolean;
  readonly onSet: (chosen: Chosen) => void;
};

function SecretRow({ chosen, accountId, may, onSet }: RowProps): ReactNode {
  const t = useTexts(administrationTexts);
  const { acquirer, secret } = chosen;
  const label = `${acquirer.name}: ${secret.name}`;
  return (
    <div className="setting" data-own={secret.isSet || undefined}>
      <dt>
        {secret.name}
        <span className="setting-says">{secret.help}</span>
      </dt>
      <dd>
        <span className="setting-value">{secret.isSet ? t.secretSet : secret.isOptional ? t.secretOptional : t.secretNone}</span>
        <span className="setting-source">{secret.keptAt && <Timestamp at={secret.keptAt} />}</span>
      </dd>
      <dd className="setting-act">
        {may && (
          <Button variant="subtle" size="compact-sm" onClick={() => onSet(chosen)} aria-label={`${t.setSecret}: ${label}`}>
            {t.setSecret}
          </Button>
        )}
        {may && secret.isSet && (
          <ConfirmButton
            endpoint="dropAccountSecret"
            request={{ places: { id: accountId }, values: { account: acquirer.name, secret: secret.name } }}
            title={label}
            label={t.dropSecret}
            ariaLabel={`${t.dropSecret}: ${label}`}
            variant="subtle"
            size="compact-sm"
            color="bad"
            says={t.secretDropped}
          >
            {t.dropAccountSecretSays}
          </ConfirmButton>
        )}
      </dd>
    </div>
  );
}

type SetProps = { readonly accountId: string; readonly chosen: Chosen; readonly onClose: () => void };

function SetSecret({ accountId, chosen: { acquirer, secret }, onClose }: SetProps): ReactNode {
  const t = useTexts(administrationTexts);
  const shell = useTexts(shellTexts);
  const [text, setText] = useState('');
  const { run, isRunning, problem } = useApiCommand('keepAccountSecret', { says: t.secretSaved, onDone: onClose, isQuiet: true });
  const errors = useFieldErrors(problem, ['value']);
  return (
    <Sheet
      act={shell.save}
      fault={errors.rest}
      isRunning={isRunning}
      isDisabled={text === ''}
      onConfirm={() => run({ places: { id: accountId }, values: { account: acquirer.name, secret: secret.name, value: text } })}
      onClose={onClose}
    >
      <PasswordInput
        label={secret.name}
        description={secret.help}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={errors.at.value}
        autoComplete="off"
      />
    </Sheet>
  );
}
