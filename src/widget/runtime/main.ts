import { makeForms } from './forms/forms.ts';
import { startRuntime } from './runtime.ts';

startRuntime(makeForms);
