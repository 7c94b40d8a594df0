import { Button, Group, Tabs, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ApprovalView, PersonView } from '../../../spec/answers/users.ts';
import { useMay, useScope } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiList } from '../../app/useApi.ts';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Dialog, DialogForm } from '../../kit/Dialog.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { Id } from '../../kit/Id.tsx';
import { amountColumn, useMoneyText } from '../../kit/Money.tsx';
import { PageHead, Trail } from '../../kit/Page.tsx';
import { Status, type Tone } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { useCommandForm } from '../../kit/useForm.ts';
import { administrationTexts } from '../../texts/administration.ts';
import { useTexts } from '../../texts/texts.ts';
import { approversText, type FourEyesWords, fourEyesTexts, type UserWords, userTexts } from '../../texts/users.ts';
import { useNodeName } from './roleNames.ts';

const PAGE = 50;

const tones: Readonly<Record<ApprovalView['state'], Tone>> = {
  waiting: 'accent',
  approved: 'accent',
  refused: 'quiet',
  done: 'good',
  failed: 'bad',
  expired: 'quiet',
};

/** The label of an action; the name of the endpoint where it has none. */
const whatOf = (t: UserWords, what: string): string => (t as unknown as Readonly<Record<string, string>>)[`what.${what}`] ?? what;

const nameOf = (t: UserWords, person: PersonView | null): string => person?.name ?? t.unknownPerson;

type OpenDecision = { readonly approval: ApprovalView; readonly isApproved: boolean };

function columnsIn(
  t: UserWords,
  nodeName: (entityId: string) => string,
  acts: { readonly isWaiting: boolean; readonly may: boolean; readonly begin: (asked: OpenDecision) => void },
): readonly Column<ApprovalView>[] {
  const decided: readonly Column<ApprovalView>[] = [
    { id: 'state', header: t.state, cell: ({ state }) => <Status tone={tones[state]}>{t[`approval.${state}`]}</Status> },
    { id: 'decidedBy', header: t.decidedBy, cell: ({ decidedBy }) => decidedBy && nameOf(t, decidedBy) },
    { id: 'note', header: t.note, isLong: true, cell: ({ note }) => note },
  ];
  // Near the front, so that it is visible without scrolling.
  const decision: Column<ApprovalView> = {
    id: 'acts',
    header: t.state,
    isFixed: true,
    cell: (approval) => <Decide approval={approval} {...acts} />,
  };
  return [
    {
      id: 'what',
      header: t.action,
      isFixed: true,
      cell: (approval) => (
        <>
          {whatOf(t, approval.what)}
          <span className="approval-why">
            <Why approval={approval} />
          </span>
        </>
      ),
    },
    amountColumn(t.amount, (row) => row),
    {
      id: 'askedBy',
      header: t.askedBy,
      cell: ({ askedBy, isYours }) => `${nameOf(t, askedBy)}${isYours ? ` (${t.you})` : ''}`,
    },
    ...(acts.isWaiting ? [decision] : []),
    { id: 'node', header: t.entity, cell: ({ entityId }) => nodeName(entityId) },
    {
      id: 'payment',
      header: t.payment,
      cell: ({ objectId, amount }) => amount !== null && objectId && <Id id={objectId} to={`/payments/${objectId}`} isShort />,
    },
    {
      id: 'asked',
      header: t.asked,
      cell: ({ askedAt, expiresAt }) => (
        <>
          <Timestamp at={askedAt} />
          {acts.isWaiting && (
            <span className="approval-why">
              {t.expires} <Timestamp at={expiresAt} />
            </span>
          )}
        </>
      ),
    },
    ...(acts.isWaiting ? [] : decided),
  ];
}

/** Limits as one line, by currency. */
function limitsText(t: FourEyesWords, limits: unknown): string {
  const rows = Object.entries((limits ?? {}) as Readonly<Record<string, string>>);
  return rows.length === 0 ? t.off : rows.map(([currency, amount]) => `${currency} ${amount}`).join(', ');
}

/** Which limit it would exceed, or what it would weaken. */
function Why({ approval: { reason, currency, what, values, about } }: { readonly approval: ApprovalView }): ReactNode {
  const t = useTexts(fourEyesTexts);
  const money = useMoneyText();
  if (reason && currency !== null) return t[`theirs.${reason.rule}`](money(reason.sum, currency), money(reason.limit, currency));
  if (currency !== null) return null;
  if (what !== 'changeEntity') return about === null ? t.weakens : `${t.weakens} ${about}`;
  return `${t.weakens} ${t.limits(limitsText(t, values.before), limitsText(t, values.after))}`;
}

type DecideProps = { readonly approval: ApprovalView; readonly may: boolean; readonly begin: (asked: OpenDecision) => void };

function Decide({ approval, may, begin }: DecideProps): ReactNode {
  const t = useTexts(userTexts);
  const eyes = useTexts(fourEyesTexts);
  if (approval.isYours) {
    return (
      <span className="approval-why">
        {t.another}. {approversText(eyes, approval.approvers)}
      </span>
    );
  }
  if (!may) return <Status tone="accent">{t.waiting}</Status>;
  return (
    <Group gap={4} wrap="nowrap">
      <Button size="compact-sm" variant="default" onClick={() => begin({ approval, isApproved: true })}>
        {t.approve}
      </Button>
      <Button size="compact-sm" variant="subtle" color="bad" onClick={() => begin({ approval, isApproved: false })}>
        {t.refuse}
      </Button>
    </Group>
  );
}

/** Requests that wait for a second person, and the outcome of earlier ones. */
export function Approvals(): ReactNode {
  const t = useTexts(userTexts);
  const shared = useTexts(administrationTexts);
  const { search, set } = useAddress();
  const state = search.state === 'decided' ? 'decided' : 'waiting';
  const [asked, setAsked] = useState<OpenDecision | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <Trail steps={[shared.administration, t.approvals]} />
      <PageHead title={t.approvals} says={t.approvalsSays} />
      <Tabs value={state} onChange={(value) => set({ state: value === 'decided' ? value : undefined })} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="waiting">{t.waiting}</Tabs.Tab>
          <Tabs.Tab value="decided">{t.decided}</Tabs.Tab>
        </Tabs.List>
        {(['waiting', 'decided'] as const).map((one) => (
          <Tabs.Panel key={one} value={one} className="account-part">
            <List state={one} begin={setAsked} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <Dialog isOpen={asked !== null} title={asked?.isApproved ? t.approve : t.refuse} onClose={close}>
        {asked && <Decision {...asked} onClose={close} />}
      </Dialog>
    </>
  );
}

function List({
  state,
  begin,
}: {
  readonly state: 'waiting' | 'decided';
  readonly begin: (asked: OpenDecision) => void;
}): ReactNode {
  const t = useTexts(userTexts);
  const { entityId } = useScope();
  const may = useMay('approve');
  const nodeName = useNodeName();
  const list = useApiList(
    'listApprovals',
    { entityId, state, limit: PAGE },
    {
      rowsOf: ({ approvals }) => approvals,
      nextOf: ({ approvals }) => (approvals.length === PAGE ? (approvals.at(-1)?.id ?? null) : null),
      everyMs: 15_000,
    },
  );
  const columns = columnsIn(t, nodeName, { isWaiting: state === 'waiting', may, begin });
  return (
    <DataTable
      name={`approvals-${state}`}
      label={t[state]}
      columns={columns}
      keyOf={({ id }) => id}
      empty={<Empty title={t.approvalsNone} says={t.approvalsNoneSays} />}
      {...list}
    />
  );
}

function Decision({ approval, isApproved, onClose }: OpenDecision & { readonly onClose: () => void }): ReactNode {
  const t = useTexts(userTexts);
  const moneyText = useMoneyText();
  const options = { says: isApproved ? t.approved : t.refused, onDone: onClose };
  const form = useCommandForm(isApproved ? 'approve' : 'refuse', { note: '' }, options);
  const { what, amount, currency } = approval;
  const about = [whatOf(t, what), amount === null ? null : moneyText(amount, currency ?? '')] as const;
  return (
    <DialogForm
      act={isApproved ? t.approve : t.refuse}
      {...form.sending}
      isDangerous={!isApproved}
      onConfirm={() => form.run({ places: { id: approval.id }, values: form.values })}
      onClose={onClose}
    >
      <p>{isApproved ? t.approveSays(...about) : t.refuseSays(...about)}</p>
      <p className="muted">
        <Why approval={approval} />
      </p>
      <TextInput label={t.note} description={t.noteSays} {...form.field('note')} />
    </DialogForm>
  );
}
