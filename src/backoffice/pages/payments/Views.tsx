import { Button, Group, Menu, Modal, TextInput, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { SavedView } from '../../../spec/answers/payments.ts';
import { useAddress } from '../../app/address.ts';
import { useApiCommand, useApiQuery } from '../../app/useApi.ts';
import { Icon } from '../../kit/icons.tsx';
import { useForm } from '../../kit/useForm.ts';
import { paymentTexts } from '../../texts/payments.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { columnsOf, viewNames } from './filters.ts';

const PAGE = 'payments';

/** Where the table keeps which columns are chosen. */
const useKeptColumns = () =>
  useLocalStorage<Readonly<Record<string, boolean>>>({
    key: `turnpike-columns-${PAGE}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });

/** The saved views of the user, and a way to save the current one. */
export function Views({ shown }: { readonly shown: readonly string[] }): ReactNode {
  const t = useTexts(paymentTexts);
  const { set } = useAddress();
  const { data } = useApiQuery('listViews', { page: PAGE });
  const [isSaving, setSaving] = useState(false);
  const { run: remove } = useApiCommand('removeView', { says: t.viewRemoved });
  const [, keep] = useKeptColumns();
  const open = ({ filters, columns }: SavedView) => {
    if (columns) keep(Object.fromEntries(Object.keys(columnsOf).map((id) => [id, columns.includes(id)])));
    set(Object.fromEntries(viewNames.map((name) => [name, filters[name]])));
  };
  const views = data?.views ?? [];
  return (
    <>
      <Menu position="bottom-start" closeOnItemClick>
        <Menu.Target>
          <UnstyledButton className="quiet-button">
            <Icon name="down" size={12} />
            {t.views}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 && <Menu.Label>{t.viewNone}</Menu.Label>}
          {views.map((view) => (
            <Menu.Item key={view.id} onClick={() => open(view)}>
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => setSaving(true)}>{t.viewSave}</Menu.Item>
          {views.map((view) => (
            <Menu.Item key={`remove ${view.id}`} color="bad" onClick={() => remove({ places: { id: view.id } })}>
              {t.viewRemove(view.name)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <SaveView isOpen={isSaving} shown={shown} onClose={() => setSaving(false)} />
    </>
  );
}

type SaveProps = { readonly isOpen: boolean; readonly shown: readonly string[]; readonly onClose: () => void };

function SaveView({ isOpen, shown, onClose }: SaveProps): ReactNode {
  const t = useTexts(paymentTexts);
  const shell = useTexts(shellTexts);
  const { search } = useAddress();
  const { run, isRunning, problem } = useApiCommand('saveView', {
    says: ({ name }) => t.viewSaved(name),
    onDone: onClose,
    isQuiet: true,
  });
  const form = useForm({ name: '' }, problem);
  const filters = Object.fromEntries(viewNames.flatMap((name) => (search[name] ? [[name, search[name]] as const] : [])));
  return (
    <Modal opened={isOpen} onClose={onClose} title={t.viewSave} closeButtonProps={{ 'aria-label': shell.close }}>
      <form
        className="stack"
        onSubmit={form.submit(() => run({ values: { page: PAGE, name: form.values.name.trim(), filters, columns: shown } }))}
      >
        <TextInput label={t.viewName} maxLength={64} data-autofocus {...form.field('name')} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {shell.cancel}
          </Button>
          <Button type="submit" loading={isRunning} disabled={form.values.name.trim() === ''}>
            {shell.save}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
