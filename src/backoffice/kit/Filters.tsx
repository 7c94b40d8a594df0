import { Button, Popover, Select, TextInput, UnstyledButton } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAddress } from '../app/navigation.ts';
import { shellTexts } from '../texts/shell.ts';
import { useTexts } from '../texts/texts.ts';
import { Icon } from './icons.tsx';
import { PopList } from './PopList.tsx';

/** A filter of a list. Its value is in the address under `name`. */
export type Filter = {
  readonly name: string;
  readonly label: string;
  /** The choices; left out: free text. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly type?: 'text' | 'date' | 'datetime-local';
  readonly placeholder?: string;
};

/** The filter values in the address. */
export function useFilters(filters: readonly Filter[]): Readonly<Record<string, string>> {
  const { search } = useAddress();
  return Object.fromEntries(filters.flatMap(({ name }) => (search[name] ? [[name, search[name]] as const] : [])));
}

/** A local time of a filter as an instant for the API; '' where it is none. */
export function instantText(text: string | undefined): string {
  const at = new Date(text ?? '');
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

const shownValue = ({ choices }: Filter, value: string): string =>
  choices?.find((choice) => choice.value === value)?.label ?? value.replace('T', ' ');

/** The active filters as chips, and a way to add one. They are in the address, so that a view can be shared. */
export function Filters({
  filters,
  children,
}: {
  readonly filters: readonly Filter[];
  readonly children?: ReactNode;
}): ReactNode {
  const t = useTexts(shellTexts);
  const { search, set } = useAddress();
  const [adding, setAdding] = useState<string | null>(null);
  const active = filters.filter(({ name }) => search[name] || adding === name);
  const free = filters.filter(({ name }) => !search[name] && adding !== name);
  const clear = () => set(Object.fromEntries(filters.map(({ name }) => [name, undefined])));
  return (
    <div className="filters">
      {children}
      {active.map((filter) => (
        <Chip
          key={filter.name}
          filter={filter}
          value={search[filter.name] ?? ''}
          isNew={adding === filter.name}
          onDone={(value) => {
            setAdding(null);
            if (value !== null) set({ [filter.name]: value === '' ? undefined : value });
          }}
        />
      ))}
      {free.length > 0 && (
        <PopList
          label={t.filterAdd}
          buttonClass="chip chip-add"
          button={
            <>
              <Icon name="plus" size={12} />
              {t.filterAdd}
            </>
          }
          groups={[{ key: 'all', items: free.map(({ name, label }) => ({ key: name, label, onClick: () => setAdding(name) })) }]}
        />
      )}
      {active.length > 1 && (
        <UnstyledButton className="quiet-button" onClick={clear}>
          {t.filterClear}
        </UnstyledButton>
      )}
    </div>
  );
}

type ChipProps = {
  readonly filter: Filter;
  readonly value: string;
  readonly isNew: boolean;
  /** Null: unchanged. */
  readonly onDone: (value: string | null) => void;
};

function Chip({ filter, value, isNew, onDone }: ChipProps): ReactNode {
  const t = useTexts(shellTexts);
  const [isOpen, setOpen] = useState(isNew);
  const close = () => {
    setOpen(false);
    if (isNew) onDone(null);
  };
  const finish = (next: string) => {
    setOpen(false);
    onDone(next);
  };
  return (
    <Popover opened={isOpen} onChange={(open) => !open && close()} position="bottom-start" trapFocus shadow="md" withinPortal>
      <span className="chip">
        <Popover.Target>
          <UnstyledButton onClick={() => setOpen(true)}>
            {value === '' ? filter.label : t.filterIs(filter.label, shownValue(filter, value))}
          </UnstyledButton>
        </Popover.Target>
        <UnstyledButton className="chip-close" aria-label={t.filterRemove(filter.label)} onClick={() => onDone('')}>
          <Icon name="close" size={12} />
        </UnstyledButton>
      </span>
      <Popover.Dropdown aria-label={filter.label}>
        <Editor filter={filter} value={value} onDone={finish} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Editor({
  filter,
  value,
  onDone,
}: Pick<ChipProps, 'filter' | 'value'> & { readonly onDone: (value: string) => void }): ReactNode {
  const t = useTexts(shellTexts);
  const [text, setText] = useState(value);
  const { choices, label, type = 'text', placeholder } = filter;
  if (choices) {
    const pick = (next: string | null) => onDone(next ?? '');
    return (
      <Select
        label={label}
        data={[...choices]}
        value={value || null}
        onChange={pick}
        comboboxProps={{ withinPortal: false }}
        data-autofocus
      />
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onDone(text.trim());
  };
  return (
    <form onSubmit={submit} className="stack">
      <TextInput
        label={label}
        type={type}
        value={text}
        placeholder={placeholder ?? ''}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <Button type="submit" size="xs">
        {t.filterApply}
      </Button>
    </form>
  );
}
