import { makeForms } from './forms/forms.ts';
import { startRuntime } from './runtime.ts';

/** The script of the widget. The forms are injected, so that tests can run the runtime with others. */
startRuntime(makeForms);
