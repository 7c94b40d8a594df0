import { inspect } from 'node:util';
import { createContext } from './context.ts';
import { turnpike } from './turnpike.ts';

/** The program behind `npx turnpike`. */
const { context, close } = createContext(process.env);
try {
  process.exitCode = (await turnpike(process.argv.slice(2), context)) ?? undefined;
} catch (error) {
  context.complain(inspect(error));
  process.exitCode = 1;
} finally {
  await close();
}
