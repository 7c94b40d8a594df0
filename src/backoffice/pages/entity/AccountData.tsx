import { Skeleton, Tabs } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AccountView, NodeView } from '../../../spec/answers/account.ts';
import type { EntityView } from '../../../spec/answers/users.ts';
import { choosable, pathOf, useMay, useMe, useScope } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiList, useApiQuery } from '../../app/useApi.ts';
import { LoadError } from '../../kit/Empty.tsx';
import { Icon } from '../../kit/icons.tsx';
import { PageHead, Trail } from '../../kit/Page.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { administrationTexts } from '../../texts/administration.ts';
import { useTexts } from '../../texts/texts.ts';
import { NodeActs, Overview } from './EntityActions.tsx';
import { AcquirerAccounts, ServerSecrets } from './Secrets.tsx';
import { Settings } from './Settings.tsx';
import { Tokens } from './Tokens.tsx';
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

/** The sealed secrets of a node. */
function Keys({ account }: { readonly account: AccountView }): ReactNode {
  return (
    <div className="account-part">
      <AcquirerAccounts account={account} />
      <WalletKeys account={account} />
      <ServerSecrets account={account} />
    </div>
  );
}

const PAGE = 100;

/** The highest entities that the user may see. */
function useRoots(): readonly EntityView[] {
  const entities = choosable(useMe());
  const known = new Set(entities.map(({ id }) => id));
  return entities.filter(({ parentId }) => parentId === null || !known.has(parentId));
}

/** The hierarchy. The children of an entity are loaded when it is expanded. */
export function Tree({ chosen }: { readonly chosen: string }): ReactNode {
  const t = useTexts(administrationTexts);
  const me = useMe();
  const roots = useRoots();
  const path = pathOf(me, chosen);
  return (
    <nav aria-label={t.tree} className="tree">
      <ul>
        {roots.map(({ id, kind, name }) => (
          <Node key={id} node={{ id, kind, name, below: kind === 'channel' ? 0 : 1 }} chosen={chosen} path={path} />
        ))}
      </ul>
    </nav>
  );
}

type NodeProps = {
  readonly node: Pick<NodeView, 'id' | 'kind' | 'name' | 'below'> & { readonly state?: NodeView['state'] };
  readonly chosen: string;
  /** The chosen node and those above it, which begin open. */
  readonly path: readonly string[];
};

function Node({ node, chosen, path }: NodeProps): ReactNode {
  const t = useTexts(administrationTexts);
  const { part } = useAddress().search;
  const { id, kind, name, below, state = 'active' } = node;
  const isOnPath = path.includes(id);
  const [wanted, setWanted] = useState<boolean | null>(null);
  const isOpen = wanted ?? isOnPath;
  return (
    <li>
      <span className="tree-node" data-chosen={id === chosen || undefined}>
        {below > 0 ? (
          <button
            type="button"
            className="tree-turn"
            aria-expanded={isOpen}
            aria-label={isOpen ? t.shut(name) : t.open(name)}
            onClick={() => setWanted(!isOpen)}
          >
            <span className="turns" data-open={isOpen || undefined}>
              <Icon name="right" size={12} />
            </span>
          </button>
        ) : (
          <span className="tree-turn" />
        )}
        <PageLink to="/administration/account" search={{ entity: id, part }} className="tree-link">
          {name}
          <span className="tree-kind">{state === 'active' ? t[`kind.${kind}`] : t[`state.${state}`]}</span>
        </PageLink>
      </span>
      {isOpen && below > 0 && <Below id={id} chosen={chosen} path={path} />}
    </li>
  );
}

function Below({
  id,
  chosen,
  path,
}: {
  readonly id: string;
  readonly chosen: string;
  readonly path: readonly string[];
}): ReactNode {
  const t = useTexts(administrationTexts);
  const { rows = [], more } = useApiList(
    'listEntities',
    { entityId: id, limit: PAGE },
    { rowsOf: (answer) => answer.below, nextOf: (answer) => answer.next },
  );
  return (
    <ul>
      {rows.map((row) => (
        <Node key={row.id} node={row} chosen={chosen} path={path} />
      ))}
      {more && (
        <li>
          <button type="button" className="quiet-button" onClick={more.load}>
            {t.more}
          </button>
        </li>
      )}
    </ul>
  );
}
