import { Alert, Button, Menu, Radio, Textarea, TextInput, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AccountView, IssuedToken, TokenView } from '../../../spec/answers/account.ts';
import type { Me } from '../../../spec/answers/users.ts';
import { useMe } from '../../app/me.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { Curl } from '../../kit/Code.tsx';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Dialog, DialogForm, OnceDialog } from '../../kit/Dialog.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { Copyable } from '../../kit/Id.tsx';
import { Icon } from '../../kit/icons.tsx';
import { Section } from '../../kit/Page.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { type Form, useCommandForm } from '../../kit/useForm.ts';
import { type AdministrationWords, administrationTexts } from '../../texts/administration.ts';
import { useTexts } from '../../texts/texts.ts';

type Act = { readonly is: 'issue' } | { readonly is: 'rotate' | 'addresses' | 'end'; readonly token: TokenView };

function stateOf({ hasEnded, endsAt }: TokenView, t: AdministrationWords): ReactNode {
  if (hasEnded) return <Status tone="quiet">{t.expired}</Status>;
  return endsAt === null ? <Status tone="good">{t.active}</Status> : <Status tone="warn">{t.ending}</Status>;
}

const columnsIn = (t: AdministrationWords, begin: (act: Act) => void): readonly Column<TokenView>[] => [
  { id: 'name', header: t.name, isFixed: true, cell: ({ name }) => name ?? <span className="muted">{t.unnamed}</span> },
  { id: 'state', header: t.state, cell: (token) => stateOf(token, t) },
  { id: 'createdBy', header: t.createdBy, cell: ({ createdBy }) => createdBy ?? <span className="muted">{t.unknown}</span> },
  { id: 'createdAt', header: t.createdAt, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { id: 'lastUsed', header: t.lastUsed, cell: ({ lastUsedOn }) => lastUsedOn ?? <span className="muted">{t.never}</span> },
  {
    id: 'addresses',
    header: t.allowedAddresses,
    cell: ({ allowedAddresses }) =>
      allowedAddresses.length === 0 ? (
        <span className="muted">{t.anywhere}</span>
      ) : (
        <span className="mono">{allowedAddresses.join(', ')}</span>
      ),
  },
  { id: 'ends', header: t.expires, cell: ({ endsAt }) => (endsAt === null ? t.endsByHand : <Timestamp at={endsAt} />) },
  {
    id: 'acts',
    header: t.actions,
    isFixed: true,
    cell: (token) => !token.hasEnded && <TokenMenu token={token} begin={begin} />,
  },
];

function TokenMenu({ token, begin }: { readonly token: TokenView; readonly begin: (act: Act) => void }): ReactNode {
  const t = useTexts(administrationTexts);
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <UnstyledButton className="copy" aria-label={t.actsOf(token.name ?? t.unnamed)}>
          <Icon name="more" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => begin({ is: 'rotate', token })}>{t.rotate}</Menu.Item>
        <Menu.Item onClick={() => begin({ is: 'addresses', token })}>{t.setAddresses}</Menu.Item>
        <Menu.Item onClick={() => begin({ is: 'end', token })} color="bad">
          {t.end}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The access tokens of a node: issued, shown once, limited to addresses, rotated, ended. */
export function Tokens({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts(administrationTexts);
  const { data, error, refetch } = useApiQuery('listTokens', { entityId: account.id });
  const [act, setAct] = useState<Act | null>(null);
  const [shown, setShown] = useState<IssuedToken | null>(null);
  const columns = columnsIn(t, setAct);
  const close = () => setAct(null);
  const show = (issued: IssuedToken) => {
    close();
    setShown(issued);
  };
  return (
    <Section title={t.tokens} actions={<Button onClick={() => setAct({ is: 'issue' })}>{t.issue}</Button>}>
      <p className="muted account-says">{t.tokensSays}</p>
      <DataTable
        name="tokens"
        label={t.tokens}
        rows={data?.tokens}
        columns={columns}
        keyOf={({ id }) => id}
        problem={error}
        retry={() => void refetch()}
        empty={<Empty title={t.tokensNone} says={t.tokensNoneSays} />}
      />
      <Dialog isOpen={act?.is === 'issue'} title={t.issue} onClose={close}>
        <IssueToken account={account} onShow={show} onClose={close} />
      </Dialog>
      <Dialog isOpen={act?.is === 'rotate'} title={t.rotateTitle} onClose={close}>
        {act?.is === 'rotate' && <RotateToken token={act.token} onShow={show} onClose={close} />}
      </Dialog>
      <Dialog isOpen={act?.is === 'addresses'} title={t.setAddresses} onClose={close}>
        {act?.is === 'addresses' && <TokenAddresses token={act.token} onClose={close} />}
      </Dialog>
      <Dialog isOpen={act?.is === 'end'} title={t.endTitle} onClose={close}>
        {act?.is === 'end' && <EndToken token={act.token} onClose={close} />}
      </Dialog>
      <ShownToken account={account} shown={shown} onClose={() => setShown(null)} />
    </Section>
  );
}

type Shown = { readonly onShow: (issued: IssuedToken) => void; readonly onClose: () => void };

/** One address or block a line; commas and blanks separate them too, so that a pasted list works. */
const addressesIn = (text: string): readonly string[] => text.split(/[\s,;]+/).filter((one) => one !== '');

function AddressesField(field: ReturnType<Form<'allowedAddresses'>['field']>): ReactNode {
  const t = useTexts(administrationTexts);
  return (
    <Textarea
      label={t.allowedAddresses}
      description={t.allowedAddressesSays}
      placeholder="192.0.2.0/24"
      {...field}
      autosize
      minRows={2}
      maxRows={10}
      spellCheck={false}
      autoComplete="off"
      classNames={{ input: 'mono' }}
    />
  );
}

/** Issues a first token, or another one. */
function IssueToken({ account, onShow, onClose }: Shown & { readonly account: AccountView }): ReactNode {
  const t = useTexts(administrationTexts);
  const form = useCommandForm('issueToken', { name: '', allowedAddresses: '' }, { onDone: onShow });
  const { name, allowedAddresses } = form.values;
  return (
    <DialogForm
      act={t.issue}
      {...form.sending}
      isDisabled={name.trim() === ''}
      onConfirm={() => form.run({ values: { entityId: account.id, name, allowedAddresses: addressesIn(allowedAddresses) } })}
      onClose={onClose}
    >
      <p>{t.issueSays(account.name)}</p>
      <TextInput label={t.name} description={t.tokenNameSays} {...form.field('name')} data-autofocus />
      <AddressesField {...form.field('allowedAddresses')} />
    </DialogForm>
  );
}

const ends = ['now', '1h', '24h', '7d', 'byHand'] as const;
type End = (typeof ends)[number];

function EndChoice({
  label,
  end,
  choose,
}: {
  readonly label: string;
  readonly end: End;
  readonly choose: (end: End) => void;
}): ReactNode {
  const t = useTexts(administrationTexts);
  return (
    <Radio.Group label={label} value={end} onChange={(value) => choose(value as End)}>
      <div className="choices-column">
        {ends.map((one) => (
          <Radio key={one} value={one} label={t[`end.${one}`]} />
        ))}
      </div>
    </Radio.Group>
  );
}

/** Issues a token in the place of another, which stays good for a while. */
function RotateToken({ token, onShow, onClose }: Shown & { readonly token: TokenView }): ReactNode {
  const t = useTexts(administrationTexts);
  const [end, setEnd] = useState<End>('24h');
  const form = useCommandForm('rotateToken', {}, { onDone: onShow });
  return (
    <DialogForm
      act={t.rotate}
      {...form.sending}
      onConfirm={() => form.run({ places: { id: token.id }, values: { end } })}
      onClose={onClose}
    >
      <p>{t.rotateSays}</p>
      <EndChoice label={t.oldEnds} end={end} choose={setEnd} />
    </DialogForm>
  );
}

/** Sets where a token is accepted from. */
function TokenAddresses({ token, onClose }: { readonly token: TokenView; readonly onClose: () => void }): ReactNode {
  const t = useTexts(administrationTexts);
  const present = { allowedAddresses: token.allowedAddresses.join('\n') };
  const form = useCommandForm('setTokenAddresses', present, { says: t.setAddressesDone, onDone: onClose });
  const allowedAddresses = addressesIn(form.values.allowedAddresses);
  return (
    <DialogForm
      act={t.setAddresses}
      {...form.sending}
      onConfirm={() => form.run({ places: { id: token.id }, values: { allowedAddresses } })}
      onClose={onClose}
    >
      <p>{t.setAddressesSays}</p>
      <AddressesField {...form.field('allowedAddresses')} />
    </DialogForm>
  );
}

/** Ends a token, now or later. */
function EndToken({ token, onClose }: { readonly token: TokenView; readonly onClose: () => void }): ReactNode {
  const t = useTexts(administrationTexts);
  const [end, setEnd] = useState<End>('now');
  const form = useCommandForm('endToken', {}, { says: t.endDone, onDone: onClose });
  return (
    <DialogForm
      act={t.end}
      {...form.sending}
      isDangerous
      onConfirm={() => form.run({ places: { id: token.id }, values: { end } })}
      onClose={onClose}
    >
      <p>{t.endSays}</p>
      <EndChoice label={t.when} end={end} choose={setEnd} />
    </DialogForm>
  );
}

/** A first request by the token: in the test environment a payment, elsewhere a question that finds nothing. */
const curlOf = ({ gatewayUrl, environment }: Me, { id, kind }: AccountView, token: string): string => {
  const head = `-H "Authorization: Bearer ${token}"`;
  const isTried = environment === 'test' && (kind === 'merchant' || kind === 'channel');
  if (!isTried) return `curl "${gatewayUrl}/v1/query?entityId=${id}&merchantTransactionId=none" \\\n  ${head}`;
  const fields = { entityId: id, amount: '1.00', currency: 'EUR', paymentType: 'PA', paymentBrand: 'VISA' };
  const card = { number: '4200000000000000', expiryMonth: '12', expiryYear: '2034', cvv: '123' };
  const all = [...Object.entries(fields), ...Object.entries(card).map(([name, value]) => [`card.${name}`, value] as const)];
  return [`curl ${gatewayUrl}/v1/payments`, head, ...all.map(([name, value]) => `-d "${name}=${value}"`)].join(' \\\n  ');
};

type ShownProps = { readonly account: AccountView; readonly shown: IssuedToken | null; readonly onClose: () => void };

/** Shows a new token once, so only its button closes the dialog. */
function ShownToken({ account, shown, onClose }: ShownProps): ReactNode {
  const t = useTexts(administrationTexts);
  const me = useMe();
  return (
    <OnceDialog isOpen={shown !== null} title={t.shown} onClose={onClose} size="lg">
      {shown && (
        <div className="stack once">
          <Alert color="warn" variant="light">
            {t.shownWarning}
          </Alert>
          <Copyable text={shown.token} />
          <Curl text={curlOf(me, account, shown.token)} label={t.tryIt} />
          <Button onClick={onClose}>{t.kept}</Button>
        </div>
      )}
    </OnceDialog>
  );
}
