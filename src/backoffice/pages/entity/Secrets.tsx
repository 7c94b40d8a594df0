import { Badge, Button, PasswordInput, SegmentedControl, Textarea } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { AccountView, AcquirerAccountView, ServerSecretView } from '../../../spec/answers/account.ts';
import { useMay } from '../../app/me.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { ConfirmButton, Dialog, DialogForm } from '../../kit/Dialog.tsx';
import { Id } from '../../kit/Id.tsx';
import { Section } from '../../kit/Page.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { useCommandForm, useFieldErrors } from '../../kit/useForm.ts';
import { administrationTexts } from '../../texts/administration.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';

type Drop = Pick<ComponentProps<typeof ConfirmButton>, 'endpoint' | 'request'> & { readonly says: string };

type Props = {
  /** The name for buttons and windows. */
  readonly label: string;
  readonly title: ReactNode;
  readonly value: string;
  /** When and how it was set. */
  readonly source: ReactNode;
  readonly isSet: boolean;
  readonly may: boolean;
  readonly onSet: () => void;
  readonly drop: Drop;
};

/** One sealed secret: whether it is set, and buttons to set and delete it. It is never shown. */
function SecretRow({ label, title, value, source, isSet, may, onSet, drop }: Props): ReactNode {
  const t = useTexts(administrationTexts);
  return (
    <div className="setting" data-own={isSet || undefined}>
      <dt>{title}</dt>
      <dd>
        <span className="setting-value">{value}</span>
        <span className="setting-source">{source}</span>
      </dd>
      <dd className="setting-act">
        {may && (
          <Button variant="subtle" size="compact-sm" onClick={onSet} aria-label={`${t.setSecret}: ${label}`}>
            {t.setSecret}
          </Button>
        )}
        {may && isSet && (
          <ConfirmButton
            endpoint={drop.endpoint}
            request={drop.request}
            title={label}
            label={t.remove}
            ariaLabel={`${t.remove}: ${label}`}
            variant="subtle"
            size="compact-sm"
            color="bad"
            says={t.secretDropped}
          >
            {drop.says}
          </ConfirmButton>
        )}
      </dd>
    </div>
  );
}

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
              {acquirer.state === 'off' && <Badge color="gray">{t.off}</Badge>}
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
      <Dialog isOpen={chosen !== null} title={chosen ? `${chosen.acquirer.name}: ${chosen.secret.name}` : ''} onClose={close}>
        {chosen && <SetAccountSecret accountId={account.id} chosen={chosen} onClose={close} />}
      </Dialog>
    </Section>
  );
}

const missingIn = ({ secrets }: AcquirerAccountView): boolean => secrets.some(({ isSet, isOptional }) => !isSet && !isOptional);

type SetAccountSecretProps = { readonly accountId: string; readonly chosen: Chosen; readonly onClose: () => void };

function SetAccountSecret({ accountId, chosen: { acquirer, secret }, onClose }: SetAccountSecretProps): ReactNode {
  const t = useTexts(administrationTexts);
  const shell = useTexts(shellTexts);
  const form = useCommandForm('keepAccountSecret', { value: '' }, { says: t.secretSaved, onDone: onClose });
  const { value } = form.values;
  return (
    <DialogForm
      act={shell.save}
      {...form.sending}
      isDisabled={value === ''}
      onConfirm={() => form.run({ places: { id: accountId }, values: { account: acquirer.name, secret: secret.name, value } })}
      onClose={onClose}
    >
      <PasswordInput label={secret.name} description={secret.help} autoComplete="off" {...form.field('value')} />
    </DialogForm>
  );
}

type Server = ServerSecretView['server'];

/** Credentials for the servers of others: shown by kind and age, never in full. */
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
      <Dialog isOpen={set !== null} title={set ? t[`server.${set}`] : ''} onClose={() => setSet(null)}>
        {set && <SetServerSecret account={account} server={set} onClose={() => setSet(null)} />}
      </Dialog>
    </Section>
  );
}

const kinds = ['password', 'privateKey'] as const;

type SetServerSecretProps = { readonly account: AccountView; readonly server: Server; readonly onClose: () => void };

function SetServerSecret({ account, server, onClose }: SetServerSecretProps): ReactNode {
  const t = useTexts(administrationTexts);
  const shell = useTexts(shellTexts);
  const [kind, setKind] = useState<(typeof kinds)[number]>('password');
  const [text, setText] = useState('');
  const { run, isRunning, problem } = useApiCommand('keepServerSecret', { says: t.secretSaved, onDone: onClose, isQuiet: true });
  const errors = useFieldErrors(problem, ['password', 'privateKey']);
  return (
    <DialogForm
      act={shell.save}
      fault={errors.rest}
      isRunning={isRunning}
      isDisabled={text === ''}
      onConfirm={() => run({ places: { id: account.id }, values: { server, [kind]: text } })}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={t.type}
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
    </DialogForm>
  );
}
