import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AccountView, WalletKeyView } from '../../../spec/answers/account.ts';
import { useMay } from '../../app/me.ts';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { ConfirmButton, Dialog, DialogForm } from '../../kit/Dialog.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { Id } from '../../kit/Id.tsx';
import { Section } from '../../kit/Page.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { useCommandForm } from '../../kit/useForm.ts';
import { type AdministrationWords, administrationTexts } from '../../texts/administration.ts';
import { settingTexts } from '../../texts/settings.ts';
import { useTexts } from '../../texts/texts.ts';

const wallets = ['walletA', 'walletB', 'walletC'] as const;
const uses = ['tokens', 'identity'] as const;

type Named = (typeof settingTexts)['en'];

const columnsIn = (
  t: AdministrationWords,
  named: Named,
  remove: ((key: WalletKeyView) => ReactNode) | null,
): readonly Column<WalletKeyView>[] => [
  { id: 'wallet', header: t.wallet, cell: ({ wallet }) => named[`setting.wallets.${wallet}`] },
  { id: 'keyId', header: t.keyId, isFixed: true, cell: ({ keyId }) => <code>{keyId}</code> },
  {
    id: 'fingerprint',
    header: t.fingerprint,
    cell: ({ fingerprint }) => (fingerprint ? <Id id={fingerprint} isShort /> : <Status tone="bad">{t.unreadable}</Status>),
  },
  {
    id: 'since',
    header: t.keptSince,
    cell: ({ keptAt }) => (keptAt ? <Timestamp at={keptAt} /> : <span className="muted">{t.unknown}</span>),
  },
  {
    id: 'named',
    header: t.state,
    cell: ({ isNamed }) => <Status tone={isNamed ? 'good' : 'quiet'}>{isNamed ? t.isNamed : t.isUnnamed}</Status>,
  },
  ...(remove === null ? [] : [{ id: 'acts', header: t.actions, isFixed: true, cell: remove }]),
];

/** The private keys of wallets: shown by fingerprint and age, never in full. */
export function WalletKeys({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts(administrationTexts);
  const named = useTexts(settingTexts);
  const may = useMay('keys', account.id);
  const [isAdding, setAdding] = useState(false);
  return (
    <Section title={t.walletKeys} actions={may && <Button onClick={() => setAdding(true)}>{t.addKey}</Button>}>
      <p className="muted account-says">{t.walletKeysSays}</p>
      <DataTable
        name="walletKeys"
        label={t.walletKeys}
        rows={account.walletKeys}
        columns={columnsIn(t, named, may ? (key) => !key.isNamed && <RemoveKey account={account} walletKey={key} /> : null)}
        keyOf={({ wallet, keyId }) => `${wallet}/${keyId}`}
        empty={<Empty title={t.walletKeysNone} />}
      />
      <Dialog isOpen={isAdding} title={t.addKey} onClose={() => setAdding(false)}>
        <AddKey account={account} onClose={() => setAdding(false)} />
      </Dialog>
    </Section>
  );
}

const IDENTITY = 'identity/';

type RemoveProps = { readonly account: AccountView; readonly walletKey: WalletKeyView };

function RemoveKey({ account, walletKey: { wallet, keyId } }: RemoveProps): ReactNode {
  const t = useTexts(administrationTexts);
  const isIdentity = keyId.startsWith(IDENTITY);
  const id = isIdentity ? keyId.slice(IDENTITY.length) : keyId;
  return (
    <ConfirmButton
      endpoint="dropWalletKey"
      request={{ places: { id: account.id }, values: { wallet, keyId: id, use: isIdentity ? 'identity' : 'tokens' } }}
      title={t.dropKeyTitle}
      label={t.remove}
      typed={keyId}
      variant="subtle"
      size="compact-sm"
      color="bad"
      says={t.keyDropped}
    >
      {t.dropKeySays}
    </ConfirmButton>
  );
}

function AddKey({ account, onClose }: { readonly account: AccountView; readonly onClose: () => void }): ReactNode {
  const t = useTexts(administrationTexts);
  const named = useTexts(settingTexts);
  const [wallet, setWallet] = useState<(typeof wallets)[number]>('walletA');
  const [use, setUse] = useState<(typeof uses)[number]>('tokens');
  const options = { says: t.keySaved, onDone: onClose, others: ['wallet'] };
  const form = useCommandForm('keepWalletKey', { keyId: '', privateKey: '' }, options);
  const { keyId, privateKey } = form.values;
  return (
    <DialogForm
      act={t.addKey}
      {...form.sending}
      isDisabled={keyId === '' || privateKey === ''}
      onConfirm={() => form.run({ places: { id: account.id }, values: { wallet, keyId, use, privateKey } })}
      onClose={onClose}
    >
      <Select
        label={t.wallet}
        data={wallets.map((value) => ({ value, label: named[`setting.wallets.${value}`] }))}
        value={wallet}
        onChange={(value) => setWallet(wallets.find((one) => one === value) ?? 'walletA')}
        allowDeselect={false}
      />
      <Select
        label={t.use}
        data={uses.map((value) => ({ value, label: t[`use.${value}`] }))}
        value={use}
        onChange={(value) => setUse(uses.find((one) => one === value) ?? 'tokens')}
        allowDeselect={false}
      />
      <TextInput label={t.keyId} description={t.keyIdSays} {...form.field('keyId')} />
      <Textarea
        label={t.privateKey}
        {...form.field('privateKey')}
        autosize
        minRows={5}
        maxRows={12}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: 'mono' }}
      />
    </DialogForm>
  );
}
