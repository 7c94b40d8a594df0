import type { Payment } from '../../src/payments/payment.ts';
import type { Commit, NewOutboxEvent } from '../../src/payments/ports.ts';
import { registrationMethods } from '../../src/store/memory/registrations.ts';
import { isScheduleOvertaken, scheduleMethods, writeScheduleChange } from '../../src/store/memory/schedules.ts';
import { emptyTables, join, type Tables, type WhileOpen } from '../../src/store/memory/tables.ts';
import { webhookMethods } from '../../src/store/memory/webhooks.ts';
import type { OutboxEvent } from '../../src/webhooks/webhook.ts';
import type { FurtherStore } from './further.ts';

/** Plans and webhooks of the lax store. The planted bugs may lay their hands on the tables themselves. */
export type LaxFurther = {
  readonly tables: Tables;
  readonly methods: FurtherStore;
  isOvertaken(change: Commit): boolean;
  write(change: Commit): void;
};

const always: WhileOpen =
  (step) =>
  async (...given) =>
    step(...given);

export function createLaxFurther(): LaxFurther {
  const tables = emptyTables();
  const { secret, storeSecret: keepSecret } = registrationMethods(tables, always);
  return {
    tables,
    methods: { ...scheduleMethods(tables, always), ...webhookMethods(tables, always), secret, storeSecret: keepSecret },
    isOvertaken: ({ schedule }) => (schedule ? isScheduleOvertaken(tables, schedule) : false),
    write({ payment, schedule, event, registration }) {
      if (schedule) writeScheduleChange(tables, schedule, payment);
      if (event) putEvent(tables, event, { ...payment, subjectId: payment.id });
      const told = registration?.event;
      if (told) putEvent(tables, told, { ...registration.registration, subjectId: registration.registration.id });
    },
  };
}

type Subject = Pick<Payment, 'merchantId' | 'entityId' | 'revision' | 'movedAt'> & { readonly subjectId: string };

function putEvent({ fresh }: Tables, { id, type, action, code }: NewOutboxEvent, subject: Subject): void {
  const { merchantId, entityId, subjectId, revision, movedAt: createdAt } = subject;
  const event: OutboxEvent = { merchantId, id, entityId, subjectId, revision, type, action, code, createdAt };
  fresh.set(join(merchantId, id), event);
}
