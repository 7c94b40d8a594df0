import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { type ReactNode, useEffect, useState } from 'react';
import { useAddress } from '../app/address.ts';
import { Icon } from '../kit/icons.tsx';
import { rail } from '../pages.ts';
import { shellTexts } from '../texts/shell.ts';
import { useLanguage, useTexts } from '../texts/texts.ts';
import { arrived } from './earlyShortcut.ts';
import { showShortcuts } from './Shortcuts.tsx';
import { useFoundObjects } from './useFoundObjects.ts';
import { usePages } from './useRail.ts';

/** Every page and action by its name, and objects by id, reference, e-mail address or amount: Ctrl K, or Cmd K. */
export function Palette(): ReactNode {
  const t = useTexts(shellTexts);
  const language = useLanguage();
  const { go } = useAddress();
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    if (arrived()) spotlight.open();
  }, []);
  const [query, setQuery] = useState('');
  const found = useFoundObjects(query);
  const open = usePages().filter(({ path }) => !path.includes('$'));
  const groups: SpotlightActionGroupData[] = [
    {
      group: t.objectsGroup,
      // The server has matched them: as a keyword the text keeps them in the list.
      actions: found.map(({ id, icon, label, description, to, entityId, search = {} }) => ({
        id,
        label,
        description,
        keywords: [query],
        leftSection: <Icon name={icon} />,
        onClick: () => go(to, entityId === undefined ? search : { ...search, entity: entityId }),
      })),
    },
    {
      group: t.pagesGroup,
      actions: open.map(({ name, path, title, rail: place }) => ({
        id: name,
        label: title[language],
        ...(place && rail[place][language] !== title[language] && { description: rail[place][language] }),
        leftSection: <Icon name={place ?? 'user'} />,
        onClick: () => go(path),
      })),
    },
    {
      group: t.actsGroup,
      actions: [
        { id: 'light', label: `${t.theme}: ${t.themeLight}`, onClick: () => setColorScheme('light') },
        { id: 'dark', label: `${t.theme}: ${t.themeDark}`, onClick: () => setColorScheme('dark') },
        { id: 'shortcuts', label: t.shortcuts, onClick: showShortcuts },
      ],
    },
  ];
  return (
    <Spotlight
      actions={groups.filter(({ actions }) => actions.length > 0)}
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      nothingFound={t.commandsNone}
      highlightQuery
      searchProps={{ placeholder: t.commandsHint, 'aria-label': t.commands, leftSection: <Icon name="search" /> }}
      attributes={{ content: { 'aria-label': t.commands } }}
      scrollable
      maxHeight={420}
    />
  );
}
