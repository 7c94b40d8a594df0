import { Combobox, UnstyledButton, useCombobox } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { EntityView, Me } from '../../spec/answers/users.ts';
import { choosable, pathOf, useMe, useScope } from '../app/me.ts';
import { useAddress } from '../app/navigation.ts';
import { Icon } from '../kit/icons.tsx';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';

const SHOWN_MAX = 60;

/** Children behind their parents, each by name. */
function inOrder(me: Me): readonly (EntityView & { readonly depth: number })[] {
  const entities = choosable(me);
  const known = new Set(entities.map(({ id }) => id));
  const below = Map.groupBy(entities, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : ''));
  const walk = (parent: string, depth: number): (EntityView & { readonly depth: number })[] =>
    (below.get(parent) ?? [])
      .toSorted((one, other) => one.name.localeCompare(other.name))
      .flatMap((entity) => [{ ...entity, depth }, ...walk(entity.id, depth + 1)]);
  return walk('', 0);
}

/** Chooses whom the pages are about. */
export function EntityPicker(): ReactNode {
  const t = useTexts(shellTexts);
  const me = useMe();
  const { entity } = useScope();
  const { set } = useAddress();
  const [text, setText] = useState('');
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setText('');
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const wanted = text.trim().toLowerCase();
  const found = inOrder(me).filter(
    ({ id, name }) => wanted === '' || name.toLowerCase().includes(wanted) || id.startsWith(wanted),
  );
  if (choosable(me).length < 2) return <span className="scope-only">{entity.name}</span>;
  const choose = (id: string) => {
    set({ entity: id });
    combobox.closeDropdown();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={choose} width={320} position="bottom-start" shadow="md" withinPortal={false}>
      <Combobox.Target targetType="button">
        <UnstyledButton className="scope" onClick={() => combobox.toggleDropdown()} aria-label={`${t.scope}: ${entity.name}`}>
          <span>{entity.name}</span>
          <Icon name="down" size={12} />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          placeholder={t.scopeSearch}
          aria-label={t.scopeSearch}
        />
        <Combobox.Options aria-label={t.scope} mah={360} className="scope-list">
          {found.slice(0, SHOWN_MAX).map((one) => (
            <Combobox.Option
              key={one.id}
              value={one.id}
              active={one.id === entity.id}
              data-depth={wanted === '' ? Math.min(one.depth, 4) : 0}
            >
              {one.name}
              {wanted !== '' && <span className="scope-above">{aboveOf(me, one)}</span>}
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>{t.noResults}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

const aboveOf = (me: Me, { id }: EntityView): string =>
  pathOf(me, id)
    .slice(1, 3)
    .map((node) => me.entities.find((entity) => entity.id === node)?.name ?? '')
    .join(' · ');
