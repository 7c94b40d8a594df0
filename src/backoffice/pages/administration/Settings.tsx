import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AccountView, SettingView } from '../../../spec/answers/account.ts';
import { isSettingName, type SettingName, settingGroups, settingRow } from '../../../spec/settingRows.ts';
import { mayAt, useMay, useMe } from '../../app/me.ts';
import { Section } from '../../kit/Facts.tsx';
import { type AdministrationWords, administrationTexts } from '../../texts/administration.ts';
import { settingTexts } from '../../texts/settings.ts';
import { useTexts } from '../../texts/texts.ts';
import { Window } from './Overview.tsx';
import { SettingForm } from './SettingForm.tsx';
import { shownValue } from './shownValue.ts';

/** Every setting of a node in groups, with what it inherits shown quietly. */
export function Settings({ account }: { readonly account: AccountView }): ReactNode {
  const named = useTexts(settingTexts);
  const me = useMe();
  const may = useMay('settings', account.id);
  const [changed, setChanged] = useState<SettingName | null>(null);
  const isOpen = (name: SettingName) => {
    const { right } = settingRow(name);
    return may && (right === undefined || mayAt(me, right, account.id));
  };
  const seen = account.settings.find(({ name }) => name === changed);
  const close = () => setChanged(null);
  return (
    <div className="account-part">
      {settingGroups.map((group) => {
        const own = account.settings.filter(({ name }) => isSettingName(name) && settingRow(name).group === group);
        return (
          own.length > 0 && (
            <Section key={group} title={named[`group.${group}`]}>
              <dl className="settings">
                {own.map((setting) => (
                  <Row key={setting.name} setting={setting} mayChange={isOpen(setting.name as SettingName)} change={setChanged} />
                ))}
              </dl>
            </Section>
          )
        );
      })}
      <Window isOpen={changed !== null} title={changed ? named[`setting.${changed}`] : ''} onClose={close}>
        {changed && seen && <SettingForm key={changed} account={account} setting={seen} name={changed} onClose={close} />}
      </Window>
    </div>
  );
}

type RowProps = { readonly setting: SettingView; readonly mayChange: boolean; readonly change: (name: SettingName) => void };

function Row({ setting, mayChange, change }: RowProps): ReactNode {
  const t = useTexts(administrationTexts);
  const named = useTexts(settingTexts);
  const name = setting.name as SettingName;
  const { control } = settingRow(name);
  const label = named[`setting.${name}`];
  return (
    <div className="setting" data-own={setting.source.from === 'own' || undefined}>
      <dt>
        <span>{label}</span>
        <span className="setting-says">{named[`says.${name}`]}</span>
      </dt>
      <dd>
        <span className="setting-value">{shownValue(control, setting.value, t)}</span>
        <span className="setting-source">{sourceOf(setting, t)}</span>
      </dd>
      <dd className="setting-act">
        {mayChange && (
          <Button variant="subtle" size="compact-sm" onClick={() => change(name)} aria-label={t.changeOf(label)}>
            {t.change}
          </Button>
        )}
      </dd>
    </div>
  );
}

function sourceOf({ source }: SettingView, t: AdministrationWords): string {
  if (source.from === 'own') return t.own;
  return source.from === 'above' ? t.inheritedFrom(source.name) : t.byDefault;
}
