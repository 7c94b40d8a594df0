import type { Me } from '../../spec/answers/users.ts';
import { mayAt, useMe } from '../app/me.ts';
import { pageAt, useAddress } from '../app/navigation.ts';
import { type PageRow, pageRows, type RailName, rail } from '../pages.ts';
import { useLanguage } from '../texts/texts.ts';

export type PageEntry = PageRow & { readonly name: string };

export const mayOpen = (me: Me, { right, isTestOnly }: PageRow): boolean => {
  if (isTestOnly && me.environment !== 'test') return false;
  if (right === null) return true;
  return typeof right === 'string' ? mayAt(me, right) : right.some((one) => mayAt(me, one));
};

/** The pages that the user may open. */
export function usePages(): readonly PageEntry[] {
  const me = useMe();
  return pageRows.filter((row) => mayOpen(me, row));
}

export type RailEntry = {
  readonly name: RailName;
  readonly label: string;
  readonly key: string;
  readonly to: string;
  readonly isActive: boolean;
  /** The pages below it, where it has more than one. */
  readonly below: readonly { readonly to: string; readonly label: string; readonly isActive: boolean }[];
};

/** The page that the address leads to. */
export function usePageRow(): PageEntry | undefined {
  const { path } = useAddress();
  return pageAt(pageRows, path);
}

/** The entries of the rail that the user may see. */
export function useRail(): readonly RailEntry[] {
  const language = useLanguage();
  const open = usePages().filter(({ path }) => !path.includes('$'));
  const here = usePageRow();
  const { path } = useAddress();
  return (Object.keys(rail) as RailName[]).flatMap((name) => {
    const own = open.filter((row) => row.rail === name);
    const [first] = own;
    if (!first) return [];
    const below = own.map((row) => ({ to: row.path, label: row.title[language], isActive: row.path === path }));
    const { key, ...label } = rail[name];
    return [
      { name, label: label[language], key, to: first.path, isActive: here?.rail === name, below: own.length > 1 ? below : [] },
    ];
  });
}
