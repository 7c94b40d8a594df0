import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { isRecord } from '../../../runtime/json.ts';
import type { AccountView, SettingView } from '../../../spec/answers/account.ts';
import { type Control, isSettingName, type SettingName, settingGroups, settingRow } from '../../../spec/settingRows.ts';
import { mayAt, useMay, useMe } from '../../app/me.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { Dialog, DialogForm } from '../../kit/Dialog.tsx';
import { Section } from '../../kit/Page.tsx';
import { useFieldErrors } from '../../kit/useForm.ts';
import { type AdministrationWords, administrationTexts } from '../../texts/administration.ts';
import { settingTexts } from '../../texts/settings.ts';
import { shellTexts } from '../../texts/shell.ts';
import { useTexts } from '../../texts/texts.ts';
import { useChangeMessage } from '../users/roleNames.ts';
import { type Amounts, amountsSent, ControlField, emptyOf, isComplete, shownValue } from './ControlField.tsx';

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
      <Dialog isOpen={changed !== null} title={changed ? named[`setting.${changed}`] : ''} onClose={close}>
        {changed && seen && <SettingForm key={changed} account={account} setting={seen} name={changed} onClose={close} />}
      </Dialog>
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
            {t.edit}
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

type Props = {
  readonly account: AccountView;
  readonly setting: SettingView;
  readonly name: SettingName;
  readonly onClose: () => void;
};

/** The value that a text means as JSON; undefined: it is none. */
function jsonIn(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The value of a form; undefined: something is missing. */
function sentOf(control: Control, value: unknown): { readonly value: unknown } | undefined {
  if (control.is !== 'amounts') return { value };
  const amounts = value as Amounts;
  return isComplete(amounts) ? { value: amountsSent(amounts) } : undefined;
}

/** Changes one setting of a node: by its own control or as JSON, or lets the node inherit it again. */
function SettingForm({ account, setting, name, onClose }: Props): ReactNode {
  const t = useTexts(administrationTexts);
  const shell = useTexts(shellTexts);
  const named = useTexts(settingTexts);
  const { control, stepUp = false } = settingRow(name);
  const [value, setValue] = useState<unknown>(isEmpty(setting.value) ? emptyOf(control) : setting.value);
  const [isTried, setTried] = useState(false);
  const [text, setText] = useState<string | null>(control.is === 'json' ? jsonText(setting.value) : null);
  const { run, isRunning, problem } = useApiCommand('changeEntity', {
    says: useChangeMessage()(t.saved),
    onDone: onClose,
    isQuiet: true,
    isSensitive: stepUp,
  });
  const own = Object.keys(problem?.faults ?? {}).filter((field) => field.startsWith(name));
  const errors = useFieldErrors(problem, own);
  const typed = text === null ? sentOf(control, value) : jsonIn(text);
  const { id, revision } = account;
  const save = () => {
    setTried(true);
    if (typed) run({ places: { id }, values: { revision, set: { [name]: typed.value } } });
  };
  const letGo = () => run({ places: { id }, values: { revision, inherit: [name] } });
  const toggle = () => {
    if (text !== null && typed) setValue(typed.value);
    setText(text === null ? jsonText(typed?.value ?? {}) : null);
  };
  const inherit = (
    <Button variant="subtle" onClick={letGo} disabled={isRunning}>
      {t.inherit}
    </Button>
  );
  return (
    <DialogForm
      act={shell.save}
      fault={errors.rest}
      isRunning={isRunning}
      isDisabled={text !== null && typed === undefined}
      onConfirm={save}
      onClose={onClose}
      beside={setting.source.from === 'own' && inherit}
    >
      <p className="muted">{named[`says.${name}`]}</p>
      {text === null ? (
        <ControlField
          control={control}
          label={named[`setting.${name}`]}
          value={value}
          onChange={setValue}
          faults={errors.at}
          name={name}
          isTried={isTried}
          {...(name === 'connectors' && { words: account.connectors })}
        />
      ) : (
        <JsonField
          label={named[`setting.${name}`]}
          text={text}
          onChange={setText}
          fault={typed === undefined ? t.notJson : faultsUnder(errors.at, name)}
        />
      )}
      {control.is !== 'json' && (
        <button type="button" className="quiet-button" onClick={toggle} disabled={text !== null && typed === undefined}>
          {text === null ? t.asJson : t.asForm}
        </button>
      )}
    </DialogForm>
  );
}

type JsonFieldProps = {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly fault: string | null;
};

function JsonField({ label, text, onChange, fault }: JsonFieldProps): ReactNode {
  return (
    <Textarea
      label={label}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={fault}
      autosize
      minRows={6}
      maxRows={20}
      spellCheck={false}
      classNames={{ input: 'mono' }}
      data-autofocus
    />
  );
}

/** Whether a setting has no value, or a table without rows. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (isRecord(value) && Object.keys(value).length === 0);

const jsonText = (value: unknown): string => JSON.stringify(value ?? null, null, 2);

/** Everything that is wrong with a setting and its parts, where they have no fields of their own. */
function faultsUnder(faults: Readonly<Record<string, string | undefined>>, name: string): string | null {
  const own = Object.entries(faults).filter(([field]) => field === name || field.startsWith(`${name}.`));
  return own.length === 0 ? null : own.map(([field, says]) => (field === name ? says : `${field} ${says}`)).join('. ');
}
