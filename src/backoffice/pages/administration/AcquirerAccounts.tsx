import { Badge, PasswordInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AccountView, AcquirerAccountView } from '../../../spec/answers/account.ts';
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
            <SecretRow
              key={secret.name}
              label={`${acquirer.name}: ${secret.name}`}
              title={
                <>
                  {secret.name}
                  <span className="setting-says">{secret.help}</span>
                </>
              }
              value={secret.isSet ? t.secretSet : secret.isOptional ? t.secretOptional : t.secretNone}
              source={secret.keptAt && <Timestamp at={secret.keptAt} />}
              isSet={secret.isSet}
              may={may}
              onSet={() => setChosen({ acquirer, secret })}
              drop={{
                endpoint: 'dropAccountSecret',
                request: { places: { id: account.id }, values: { account: acquirer.name, secret: secret.name } },
                says: t.dropAccountSecretSays,
              }}
            />
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
