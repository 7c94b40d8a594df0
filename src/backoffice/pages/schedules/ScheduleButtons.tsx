import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ScheduleDetail } from '../../../spec/answers/stored.ts';
import { useMay } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { scheduleFormTexts } from '../../texts/schedules.ts';
import { useTexts } from '../../texts/texts.ts';
import { type ChosenRegistration, ScheduleForm, type ScheduleFormProps } from './ScheduleForm.tsx';

type DialogProps = Pick<ScheduleFormProps, 'present' | 'registration' | 'onDone'> & {
  readonly label: string;
  readonly isPrimary?: boolean;
};

/** A button that opens the form. */
function ScheduleDialog({ label, isPrimary = false, onDone, ...form }: DialogProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant={isPrimary ? 'filled' : 'default'} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog isOpen={isOpen} title={label} onClose={close} size="lg">
        <ScheduleForm
          {...form}
          onDone={(schedule) => {
            close();
            onDone(schedule);
          }}
          onClose={close}
        />
      </Dialog>
    </>
  );
}

/** Creates a schedule for a payment method, or for one that the user chooses, and shows it. */
export function CreateSchedule({ registration = null }: { readonly registration?: ChosenRegistration | null }): ReactNode {
  const t = useTexts(scheduleFormTexts);
  const { go, search } = useAddress();
  const may = useMay('setUpSchedules', registration?.entityId);
  if (!may) return null;
  const show = ({ id }: ScheduleDetail) => go(`/schedules/${id}`, { entity: search.entity });
  return <ScheduleDialog label={t.create} isPrimary present={null} registration={registration} onDone={show} />;
}

/** Changes a schedule that is active. */
export function ChangeSchedule({ detail }: { readonly detail: ScheduleDetail }): ReactNode {
  const t = useTexts(scheduleFormTexts);
  const may = useMay('setUpSchedules', detail.entityId);
  if (!may || detail.state !== 'active') return null;
  return <ScheduleDialog label={t.change} present={detail} registration={null} onDone={() => undefined} />;
}
