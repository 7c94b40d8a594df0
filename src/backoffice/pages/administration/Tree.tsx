import { type ReactNode, useState } from 'react';
import type { NodeView } from '../../../spec/answers/account.ts';
import type { EntityView } from '../../../spec/answers/users.ts';
import { useAddress } from '../../app/address.ts';
import { choosable, pathOf, useMe } from '../../app/me.ts';
import { useApiList } from '../../app/useApi.ts';
import { Icon } from '../../kit/icons.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { administrationTexts } from '../../texts/administration.ts';
import { useTexts } from '../../texts/texts.ts';

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
