import { Button, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AccountView } from '../../../spec/answers/account.ts';
import { useMay } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiCommand } from '../../app/useApi.ts';
import { Dialog, DialogForm } from '../../kit/Dialog.tsx';
import { Id } from '../../kit/Id.tsx';
import { Facts } from '../../kit/Page.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { Status, type Tone } from '../../kit/Status.tsx';
import { useCommandForm, useFieldErrors } from '../../kit/useForm.ts';
import { type AdministrationWords, administrationTexts } from '../../texts/administration.ts';
import { useTexts } from '../../texts/texts.ts';

const tones: Readonly<Record<AccountView['state'], Tone>> = { active: 'good', new: 'accent', disabled: 'warn', closed: 'bad' };

/** The identity and state of a node. */
export function Overview({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts(administrationTexts);
  const mayWebhooks = useMay('readWebhooks', account.id);
  return (
    <div className="account-part">
      <Facts
        facts={[
          [t.entityId, <Id key="id" id={account.id} />],
          [
            t.state,
            <Status key="state" tone={tones[account.state]}>
              {t[`state.${account.state}`]}
            </Status>,
          ],
          [t.type, t[`kind.${account.kind}`]],
          [t.below, account.kind === 'channel' ? null : String(account.below)],
          [
            t.webhooks,
            mayWebhooks && (
              <PageLink key="to" to="/webhooks" search={{ entity: account.id }}>
                {t.webhooksLink}
              </PageLink>
            ),
          ],
        ]}
      />
    </div>
  );
}

const added = { psp: 'addDivision', division: 'addMerchant', merchant: 'addChannel' } as const;

/** The actions on a node. */
export function NodeActs({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts(administrationTexts);
  const maySettings = useMay('settings', account.id);
  const mayEntities = useMay('entities', account.id);
  const [dialog, setDialog] = useState<'rename' | 'state' | 'add' | null>(null);
  const add = account.kind === 'channel' ? null : added[account.kind];
  const mayAdd = add === 'addChannel' ? maySettings : mayEntities;
  const close = () => setDialog(null);
  return (
    <>
      {maySettings && (
        <>
          <Button variant="default" onClick={() => setDialog('rename')}>
            {t.rename}
          </Button>
          <Button variant="default" onClick={() => setDialog('state')}>
            {t.changeState}
          </Button>
        </>
      )}
      {add && mayAdd && (
        <Button variant="default" onClick={() => setDialog('add')}>
          {t[add]}
        </Button>
      )}
      <Dialog isOpen={dialog === 'rename'} title={t.rename} onClose={close}>
        <Rename account={account} onDone={close} />
      </Dialog>
      <Dialog isOpen={dialog === 'state'} title={t.changeState} onClose={close}>
        <State account={account} onDone={close} />
      </Dialog>
      {add && (
        <Dialog isOpen={dialog === 'add'} title={t[add]} onClose={close}>
          <Add account={account} isChannel={add === 'addChannel'} act={t[add]} onDone={close} />
        </Dialog>
      )}
    </>
  );
}

type ActProps = { readonly account: AccountView; readonly onDone: () => void };

function Rename({ account, onDone }: ActProps): ReactNode {
  const t = useTexts(administrationTexts);
  const form = useCommandForm('changeEntity', { name: account.name }, { says: t.renamed, onDone });
  const { name } = form.values;
  const act = () => form.run({ places: { id: account.id }, values: { revision: account.revision, name } });
  return (
    <DialogForm act={t.rename} {...form.sending} isDisabled={name.trim() === ''} onConfirm={act} onClose={onDone}>
      <TextInput label={t.name} {...form.field('name')} data-autofocus />
    </DialogForm>
  );
}

const states = ['active', 'new', 'disabled', 'closed'] as const;

function State({ account, onDone }: ActProps): ReactNode {
  const t: AdministrationWords = useTexts(administrationTexts);
  const [state, setState] = useState<string>(account.state);
  const { run, isRunning, problem } = useApiCommand('changeEntity', { says: t.stateChanged, onDone, isQuiet: true });
  const errors = useFieldErrors(problem, ['state']);
  const act = () => run({ places: { id: account.id }, values: { revision: account.revision, set: { state } } });
  return (
    <DialogForm
      act={t.changeState}
      fault={errors.rest ?? errors.at.state ?? null}
      isRunning={isRunning}
      isDisabled={state === account.state}
      isDangerous={state !== 'active'}
      onConfirm={act}
      onClose={onDone}
    >
      <p>{t.stateSays}</p>
      <Select
        label={t.state}
        data={states.map((value) => ({ value, label: t[`state.${value}`] }))}
        value={state}
        onChange={(value) => setState(value ?? account.state)}
        allowDeselect={false}
      />
    </DialogForm>
  );
}

function Add({ account, isChannel, act, onDone }: ActProps & { readonly isChannel: boolean; readonly act: string }): ReactNode {
  const t = useTexts(administrationTexts);
  const { set } = useAddress();
  const done = ({ id }: AccountView) => {
    onDone();
    set({ entity: id });
  };
  const form = useCommandForm(
    isChannel ? 'addChannel' : 'addEntity',
    { name: '' },
    { says: (made) => t.added(made.name), onDone: done },
  );
  const { name } = form.values;
  return (
    <DialogForm
      act={act}
      {...form.sending}
      isDisabled={name.trim() === ''}
      onConfirm={() => form.run({ values: { entityId: account.id, name } })}
      onClose={onDone}
    >
      <p>{t.addSays}</p>
      <TextInput label={t.name} {...form.field('name')} data-autofocus />
    </DialogForm>
  );
}
