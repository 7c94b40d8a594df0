import { Skeleton, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AccountView } from '../../../spec/answers/account.ts';
import { useAddress } from '../../app/address.ts';
import { useMay, useScope } from '../../app/me.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { LoadError } from '../../kit/Empty.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { administrationTexts } from '../../texts/administration.ts';
import { useTexts } from '../../texts/texts.ts';
import { AcquirerAccounts } from './AcquirerAccounts.tsx';
import { NodeActs, Overview } from './Overview.tsx';
import { ServerSecrets } from './ServerSecrets.tsx';
import { Settings } from './Settings.tsx';
import { Tokens } from './Tokens.tsx';
import { Trail } from './Trail.tsx';
import { Tree } from './Tree.tsx';
import { WalletKeys } from './WalletKeys.tsx';

/** Account data: the hierarchy, and of the chosen node who it is, its tokens, settings and keys. */
export function AccountData(): ReactNode {
  const { entity, entityId } = useScope();
  const t = useTexts(administrationTexts);
  const { data, error, refetch } = useApiQuery('readEntity', {}, { places: { id: entityId } });
  const account = data?.id === entityId ? data : undefined;
  return (
    <>
      <Trail steps={[t.administration, t.accountData, t[`info.${entity.kind}`]]} />
      <PageHead title={account?.name ?? entity.name}>{account && <NodeActs account={account} />}</PageHead>
      <div className="account-columns">
        <Tree chosen={entityId} />
        <div className="account-node">
          {error ? (
            <LoadError problem={error} retry={() => void refetch()} />
          ) : account ? (
            <Parts account={account} />
          ) : (
            <Waiting />
          )}
        </div>
      </div>
    </>
  );
}

function Waiting(): ReactNode {
  return (
    <div className="stack" aria-hidden="true">
      {[60, 45, 70, 50, 65].map((width) => (
        <Skeleton key={width} height={16} width={`${width}%`} />
      ))}
    </div>
  );
}

const parts = ['overview', 'settings', 'keys'] as const;

function Parts({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts(administrationTexts);
  const { search, set } = useAddress();
  const mayTokens = useMay('tokens', account.id);
  const part = parts.find((one) => one === search.part) ?? 'overview';
  return (
    <Tabs
      value={part}
      onChange={(value) => set({ part: value === 'overview' ? undefined : (value ?? undefined) })}
      keepMounted={false}
    >
      <Tabs.List>
        {parts.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {t[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="overview">
        <Overview account={account} />
        {mayTokens && <Tokens account={account} />}
      </Tabs.Panel>
      <Tabs.Panel value="settings">
        <Settings account={account} />
      </Tabs.Panel>
      <Tabs.Panel value="keys">
        <Keys account={account} />
      </Tabs.Panel>
    </Tabs>
  );
}

/** What is kept sealed for a node. */
function Keys({ account }: { readonly account: AccountView }): ReactNode {
  return (
    <div className="account-part">
      <AcquirerAccounts account={account} />
      <WalletKeys account={account} />
      <ServerSecrets account={account} />
    </div>
  );
}
