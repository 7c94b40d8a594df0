import { Checkbox, Popover, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import { Icon } from './icons.tsx';

type Choosable = { readonly id: string; readonly header: string; readonly isHidden?: boolean; readonly isFixed?: boolean };

export type ChosenColumns = {
  readonly visibility: Readonly<Record<string, boolean>>;
  readonly choose: (id: string, isShown: boolean) => void;
};

/** The columns that the user has chosen for a table. The browser remembers them. */
export function useChosenColumns(name: string, columns: readonly Choosable[]): ChosenColumns {
  const [kept, keep] = useLocalStorage<Readonly<Record<string, boolean>>>({
    key: `turnpike-columns-${name}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const visibility = Object.fromEntries(
    columns.map(({ id, isHidden = false, isFixed = false }) => [id, isFixed || (kept[id] ?? !isHidden)]),
  );
  return { visibility, choose: (id, isShown) => keep({ ...kept, [id]: isShown }) };
}

/** A list of the columns to choose from. */
export function ColumnChooser({
  columns,
  chosen,
}: {
  readonly columns: readonly Choosable[];
  readonly chosen: ChosenColumns;
}): ReactNode {
  const t = useTexts(shellTexts);
  const free = columns.filter(({ isFixed, header }) => !isFixed && header !== '');
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <UnstyledButton className="quiet-button">
          <Icon name="columns" size={14} />
          {t.columns}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t.columns}>
        <div className="choices">
          {free.map(({ id, header }) => (
            <Checkbox
              key={id}
              size="xs"
              label={header}
              checked={chosen.visibility[id] !== false}
              onChange={(event) => chosen.choose(id, event.currentTarget.checked)}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
