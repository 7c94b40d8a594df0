import type { Commit } from '../../src/payments/ports.ts';
import { registrationMethods } from '../../src/store/memory/registrations.ts';
import { isScheduleOvertaken, scheduleMethods, writeScheduleChange } from '../../src/store/memory/schedules.ts';
import { emptyTables, type Tables, type WhileOpen } from '../../src/store/memory/tables.ts';
import { eventsOf, webhookMethods, writeEvent } from '../../src/store/memory/webhooks.ts';
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
    write(change) {
      const { payment, schedule } = change;
      if (schedule) writeScheduleChange(tables, schedule, payment);
      for (const [event, at] of eventsOf(change)) writeEvent(tables, event, at);
    },
  };
}
