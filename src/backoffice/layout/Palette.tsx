import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { type ReactNode, useEffect } from 'react';
import { useAddress } from '../app/address.ts';
import { Icon } from '../kit/icons.tsx';
import { rail } from '../pages.ts';
import { shellTexts } from '../texts/shell.ts';
import { useLanguage, useTexts } from '../texts/texts.ts';
import { arrived } from './earlyShortcut.ts';
import { showShortcuts } from './Shortcuts.tsx';
import { usePages } from './useRail.ts';

/** Every page and act by its name: Ctrl K, or Cmd K. */
export function Palette(): ReactNode {
  const t = useTexts(shellTexts);
  const language = useLanguage();
  const { go } = useAddress();
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    if (arrived()) spotlight.open();
  }, []);
  const open = usePages().filter(({ path }) => !path.includes('$'));
  const groups: SpotlightActionGroupData[] = [
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
      actions={groups}
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
