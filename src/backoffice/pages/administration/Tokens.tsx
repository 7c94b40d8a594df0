import { Button, Menu, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AccountView, IssuedToken, TokenView } from '../../../spec/answers/account.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { Section } from '../../kit/Facts.tsx';
import { Icon } from '../../kit/icons.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { type AdministrationWords, administrationTexts } from '../../texts/administration.ts';
import { useTexts } from '../../texts/texts.ts';
import { Window } from './Overview.tsx';
import { EndToken, IssueToken, RotateToken, ShownToken, TokenAddresses } from './TokenDialogs.tsx';

type Act = { readonly is: 'issue' } | { readonly is: 'rotate' | 'addresses' | 'end'; readonly token: TokenView };

function stateOf({ hasEnded, endsAt }: TokenView, t: AdministrationWords): ReactNode {
  if (hasEnded) return <Status tone="quiet">{t.ended}</Status>;
  return endsAt === null ? <Status tone="good">{t.good}</Status> : <Status tone="warn">{t.ending}</Status>;
}

const columnsIn = (t: AdministrationWords, begin: (act: Act) => void): readonly Column<TokenView>[] => [
  { id: 'name', header: t.tokenName, isFixed: true, cell: ({ name }) => name ?? <span className="muted">{t.unnamed}</span> },
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
  { id: 'ends', header: t.ends, cell: ({ endsAt }) => (endsAt === null ? t.endsByHand : <Timestamp at={endsAt} />) },
  {
    id: 'acts',
    header: t.acts,
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
      <Window isOpen={act?.is === 'issue'} title={t.issue} onClose={close}>
        <IssueToken account={account} onShow={show} onClose={close} />
      </Window>
      <Window isOpen={act?.is === 'rotate'} title={t.rotateTitle} onClose={close}>
        {act?.is === 'rotate' && <RotateToken token={act.token} onShow={show} onClose={close} />}
      </Window>
      <Window isOpen={act?.is === 'addresses'} title={t.setAddresses} onClose={close}>
        {act?.is === 'addresses' && <TokenAddresses token={act.token} onClose={close} />}
      </Window>
      <Window isOpen={act?.is === 'end'} title={t.endTitle} onClose={close}>
        {act?.is === 'end' && <EndToken token={act.token} onClose={close} />}
      </Window>
      <ShownToken account={account} shown={shown} onClose={() => setShown(null)} />
    </Section>
  );
}
